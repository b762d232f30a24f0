"""Views: what one viewer may know of a table (all but the order of the deck); and the full state, for referees."""

from typing import cast

from threefold.clauses import clause
from threefold.game import Json, Viewer
from threefold.setgame.cards import format_cards
from threefold.setgame.decisions import anytime, decisions, ending
from threefold.setgame.forms import PublicTable, SetFlags, SetOptions, SetView, TakeForm, TakenForm
from threefold.setgame.notation import card_or_none
from threefold.setgame.rules import penalty_can_be_worked_off
from threefold.setgame.search import sets_of_layout
from threefold.setgame.table import GOES_ON, NONE, PREVIOUS_FROM, Table, has_personal_cards
from threefold.setgame.variants import flags_of, options_of


def view(table: Table, viewer: Viewer) -> SetView:
    """The open cards, the scores, the call, the agreement, the deadlines, and the viewer's own moves."""
    awaited = decisions(table)
    own = [each for each in awaited if each.player == viewer and viewer is not None]
    return {
        "game": "set",
        "viewer": viewer,
        **_public(table),  # type: ignore[typeddict-item]  # it holds no `paused`, which mypy cannot know
        "awaits": [each.as_json() for each in awaited],
        "moves": [move for each in own for move in each.moves],
        "take": next((cast("TakeForm", dict(each.details)) for each in own if not each.moves), None),
        "anytime": [move for each in anytime(table) if each.player == viewer for move in each.moves],
        "ending": None if (ended := ending(table)) is None else ended.as_json(),
    }


def open_view(table: Table) -> SetView:
    """The View of a spectator: in SET all cards on the table lie open."""
    return view(table, None)


def state(table: Table) -> dict[str, Json]:
    """The full state, including the deck: for referees and tests, never for players."""
    next_cards = table.deck[table.dealt : table.dealt + table.deck_size]
    return {
        **_public(table),
        "deck": format_cards(next_cards),
        "random": list(table.word),
        "setup": dict(table.deal.setup),
    }


@clause("M81")
def scores_are_hidden(table: Table) -> bool:
    """A classroom sees no scores before the end."""
    return table.deal.variant.classroom == 1 and table.ending == GOES_ON


def _public(table: Table) -> PublicTable:
    variant = table.deal.variant
    players = range(table.players)
    hidden = scores_are_hidden(table)
    laid = [card_or_none(card) for card in table.layout[: table.places]]
    fields: PublicTable = {
        "variant": variant.name,
        "options": cast("SetOptions", options_of(variant)),
        "flags": cast("SetFlags", flags_of(variant, table.players)),
        "players": table.players,
        "dealer": table.dealer,
        "deal": table.deals,
        "now": table.now,
        "deck_size": table.deck_size,
        "scores": [] if hidden else table.score[: table.players],
        "sets": [] if hidden else table.sets[: table.players],
        "points_lost": [] if hidden else table.lost[: table.players],
        "control": _or_none(table.control),
        "call_deadline": _or_none(table.call_deadline),
        "may_call_from": table.may_call_from[: table.players],
        "agreed": [player for player in players if table.agreed[player]],
        "agreement_deadline": _or_none(table.agreement_deadline),
        "next_deal_at": _or_none(table.next_deal_at),
        "away": [player for player in players if table.away[player]],
        "left": [player for player in players if table.left[player]],
    }
    if has_personal_cards(variant):
        fields["centre"] = laid
        fields["personal"] = [[card_or_none(card) for card in table.personal[player]] for player in players]
        fields["discard_pile"] = format_cards(table.discard[: table.discard_size])
        fields["target"] = variant.target_per_player * table.players
    else:
        fields["layout"] = laid
        fields["taken"] = [] if hidden and not variant.stays else [_taken(table, i) for i in range(table.taken_size)]
    if variant.goal:
        fields["target"] = variant.goal
    if variant.chain:
        fields["previous"] = format_cards(table.layout[PREVIOUS_FROM : PREVIOUS_FROM + table.previous_size])
    if variant.stays:
        fields["sets_left"] = sets_of_layout(variant, table)
    if variant.time_ms:
        fields["ends_at"] = variant.time_ms
    if variant.alone:
        fields["penalty"] = table.penalty
        fields["works_off"] = penalty_can_be_worked_off(variant, table)
    return fields


def _taken(table: Table, i: int) -> TakenForm:
    return {"player": table.taken_by[i], "cards": format_cards(table.taken[i][: table.deal.variant.set_size])}


def _or_none(value: int) -> int | None:
    return None if value == NONE else value
