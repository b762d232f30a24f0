"""Why a move is refused: the clause, and one sentence that a player understands."""

from threefold.fields import shown
from threefold.game import IllegalMove, Json
from threefold.karma import moves as m
from threefold.karma.decisions import draw_moves, legal_moves
from threefold.karma.notation import LOCATIONS, parse_move
from threefold.karma.powers import POWER_OF_CODE, code_of
from threefold.karma.rules import (
    highest_number_asked_for,
    holds_cards,
    location_to_play_from,
    lowest_number_asked_for,
)
from threefold.karma.table import (
    DRAWING,
    FACE_DOWN,
    FACE_UP,
    HAND,
    MUST_DRAW,
    OVER,
    POWER,
    SET_UP,
    Table,
)
from threefold.karma.turn import is_awaited
from threefold.texts import Text


def refuse(key: str, clause: str | None, **parameters: Json) -> IllegalMove:
    """The refusal with this sentence of the catalogue."""
    return IllegalMove(Text(f"karma.refusal.{key}", parameters), clause)


def checked(table: Table, player: int | None, text: str) -> int:
    """The move, if it is legal; raises IllegalMove if not."""
    if player is None or not 0 <= player < table.players:
        raise refuse("no_such_player", None, given=shown(player), most=table.players - 1)
    move = parse_move(table.deal.edition, text)
    what = m.what_of(move)
    if table.awaits == OVER:
        raise refuse("game_over", "K23")
    if what in (m.OFFER_DRAW, m.AGREE_DRAW):
        if move in draw_moves(table, player):
            return move
        raise _why_no_draw(table, player, what)
    if not is_awaited(table, player):
        if table.awaits == SET_UP:
            raise refuse("already_chosen", "K3")
        raise refuse("not_your_turn", "K15", player=table.turn_player)
    if move in legal_moves(table, player):
        return move
    raise _why_not(table, player, move)


def _why_no_draw(table: Table, player: int, what: int) -> IllegalMove:
    if not holds_cards(table, player):
        return refuse("draw_without_cards", "K24")
    if table.draw_agreed[player]:
        return refuse("draw_agreed_already", "K24")
    return refuse("draw_offered_already" if what == m.OFFER_DRAW else "no_draw_offered", "K24")


def _why_not(table: Table, player: int, move: int) -> IllegalMove:
    what = m.what_of(move)
    if table.awaits == SET_UP:
        return refuse("not_your_six" if what == m.CHOOSE_FACE_UP else "choose_face_up_first", "K3")
    if table.awaits == MUST_DRAW:
        return refuse("must_draw", "K12a")
    if table.awaits == DRAWING:
        return refuse(
            "must_draw" if what == m.END_TURN else "draw_or_end_turn", "K12a" if what == m.END_TURN else "K12"
        )
    if table.awaits == POWER:
        return _why_no_answer(table, player, move)
    if what == m.PLAY:
        return _why_no_play(table, player, m.first_of(move), m.second_of(move))
    if what == m.FLIP:
        return _why_no_flip(table, player)
    if what == m.PICK_UP:
        return refuse("nothing_to_pick_up", "K10")
    if what in (m.DRAW, m.END_TURN):
        return refuse("draw_at_the_end", "K11")
    if what == m.CHOOSE_FACE_UP:
        return refuse("face_up_cards_lie", "K3")
    return refuse("nothing_to_answer", "K32")


def _why_no_play(table: Table, player: int, kind: int, count: int) -> IllegalMove:
    """K6, K7, K9: from where, how many, and is the number high enough?"""
    edition, seat = table.deal.edition, table.seat_of[player]
    card = edition.cards[kind].code
    location = location_to_play_from(edition, table, seat)
    if location == FACE_DOWN:
        return refuse("flip_instead", "K13", card=card)
    held = {HAND: table.hand[seat][kind], FACE_UP: table.face_up[seat].count(kind)}
    if held[location] < count:
        if held[location] and held[HAND] + held[FACE_UP] >= count:
            return refuse("two_locations", "K9", card=card)
        if not held[location] and held[FACE_UP]:
            return refuse("hand_first", "K6", card=card)
        return refuse("not_so_many", "K9", card=card, count=held[location], location=LOCATIONS[location])
    top = edition.cards[table.discard_pile[table.discard_size - 1]]
    low, high = lowest_number_asked_for(edition, table), highest_number_asked_for(edition, table)
    key = "too_low" if top.clause == "K7" else "not_asked_for"
    return refuse(key, top.clause, card=card, top=top.code, low=low, high=high)


def _why_no_flip(table: Table, player: int) -> IllegalMove:
    edition, seat = table.deal.edition, table.seat_of[player]
    location = location_to_play_from(edition, table, seat)
    if location == FACE_DOWN:
        return refuse("no_card_there", "K13")
    return refuse("not_yet_face_down", "K6", location=LOCATIONS[location])


def _why_no_answer(table: Table, player: int, move: int) -> IllegalMove:
    code = code_of(table.pending[table.pending_size - 1])
    power, what = POWER_OF_CODE[code], m.what_of(move)
    if what == m.DECLINE:
        return refuse("may_not_decline", "K32", power=power.name)
    if what == m.CHOOSE_PLAYER and not _asks_for_cards(table):
        chosen = m.first_of(move)
        if chosen >= table.players:
            return refuse("no_such_player", "K33", given=str(chosen), most=table.players - 1)
        if chosen == player:
            return refuse("another_player", "K33")
        return refuse("holds_no_cards", "K33", other=chosen)
    return refuse("answer_the_power", power.clause, power=power.name)


def _asks_for_cards(table: Table) -> bool:
    moves = legal_moves(table, table.turn_player)
    return all(m.what_of(move) != m.CHOOSE_PLAYER for move in moves)
