"""Checks a move in notation: its text, its player, its time, and whether the rules accept it (`refusals.py`)."""

from threefold.fields import shown
from threefold.game import IllegalMove, Json
from threefold.setgame.cards import format_card
from threefold.setgame.moves import TIME_UP, cards_in, what_of
from threefold.setgame.notation import parse_move
from threefold.setgame.refusals import (
    ACCEPTED,
    ALWAYS_A_SET,
    BETWEEN_DEALS,
    MOST_PERSONAL,
    NOT_IN_DECK,
    NOT_YET,
    NOT_YOURS,
    REFUSALS,
    SOMEBODY_HAS_CONTROL,
    TAKEN,
    TIME_IS_OVER,
    TIME_WENT_BACK,
    TOO_SOON,
    WRONG_NUMBER,
    deadline_of,
    refusal,
)
from threefold.setgame.search import index_within_reach
from threefold.setgame.table import NONE, NOWHERE, Table, cards_of, has_personal_cards
from threefold.texts import Text

LATEST = 2**53 - 1
"""The largest integer that every JSON parser represents exactly."""


def refuse(key: str, clause: str | None, **parameters: Json) -> IllegalMove:
    """An IllegalMove with this sentence of the catalogue."""
    return IllegalMove(Text(f"set.refusal.{key}", parameters), clause)


def checked(table: Table, player: int | None, text: str, at: int | None) -> tuple[int, int]:
    """The parsed move and its time. Raises IllegalMove if the table does not accept the move."""
    move = parse_move(text)
    if what_of(move) == TIME_UP:
        if player is not None:
            raise refuse("nobodys_move", "S13")
        player = NONE
    elif not isinstance(player, int) or isinstance(player, bool) or not 0 <= player < table.players:
        raise refuse("no_such_player", None, given=shown(player), most=table.players - 1)
    if not isinstance(at, int) or isinstance(at, bool) or not 0 <= at <= LATEST:
        raise refuse("no_time", None, given=shown(at))
    reason = refusal(table.deal.variant, table, player, move, at)
    if reason != ACCEPTED:
        raise refuse(REFUSALS[reason][2], _clause(table, reason), **_parameters(table, player, move, reason))
    return move, at


def _clause(table: Table, reason: int) -> str | None:
    """The clause that forbids the move in this variant."""
    without_personal, with_personal, _ = REFUSALS[reason]
    if reason == NOT_YET and 0 < table.deal.variant.time_ms == deadline_of(table.deal.variant, table):
        return "M11"
    if reason == NOT_YET and table.control == NONE:
        return "S14" if table.agreement_deadline != NONE else _clause(table, BETWEEN_DEALS)
    return with_personal if has_personal_cards(table.deal.variant) else without_personal


def _parameters(table: Table, player: int, move: int, reason: int) -> dict[str, Json]:
    """The parameters of a refusal's sentence."""
    variant = table.deal.variant
    if reason == SOMEBODY_HAS_CONTROL:
        return {"player": table.control}
    if reason == TIME_WENT_BACK:
        return {"now": table.now}
    if reason == TIME_IS_OVER:
        return {"deadline": table.call_deadline}
    if reason == NOT_YET:
        return {"deadline": deadline_of(variant, table)}
    if reason == TOO_SOON:
        return {"deadline": table.may_call_from[player]}
    if reason == ALWAYS_A_SET:
        return {"count": table.laid}
    if reason == WRONG_NUMBER:
        return {"count": len(cards_in(move)), "n": variant.set_size}
    if reason == MOST_PERSONAL:
        return {"most": variant.most_personal}
    cards = cards_in(move)
    if reason == NOT_IN_DECK:
        return {"cards": [format_card(card) for card in cards if card not in cards_of(variant)]}
    if reason == TAKEN:
        return {"cards": [format_card(card) for card in cards if table.where[card] == NOWHERE]}
    if reason == NOT_YOURS:
        return {"cards": [format_card(card) for card in cards if index_within_reach(table, player, card) == NONE]}
    return {}
