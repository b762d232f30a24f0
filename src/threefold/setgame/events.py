"""Turns the tape of a move into Events. Everything in SET happens in the open, so no event has secrets."""

from collections.abc import Callable, Mapping
from typing import cast

from threefold.game import Ending, Event, Json
from threefold.setgame import tape as rows
from threefold.setgame.cards import format_card, format_cards, why_not
from threefold.setgame.decisions import ending
from threefold.setgame.notation import ENDINGS
from threefold.setgame.table import NONE, PERSONAL, PERSONAL_FROM, PREVIOUS_FROM, Table, Tape, has_personal_cards

Numbers = list[int]

FAILURES = {
    rows.WRONG: "wrong_set",
    rows.GAVE_UP: "gave_up",
    rows.TIME_UP: "time_up",
    rows.LEFT_TABLE: "left",
}
SHUFFLES = {
    rows.ALL_CARDS: "all_cards",
    rows.DISCARD_PILE: "discard_pile",
    rows.REMOVED_CARDS: "removed_cards",
    rows.REMOVED_AND_DISCARDED: "removed_and_discarded",
    rows.REMOVED_INTO_DECK: "removed_into_deck",
}
LAYOUT_AREA, CENTRE_AREA, PERSONAL_AREA, PREVIOUS_AREA = AREAS = ("layout", "centre", "personal", "previous")
"""Where a card lies."""
GIFTS = {rows.ASKED: "asked", rows.PENALTY: "penalty"}

READERS: Mapping[str, Callable[[int], Json]] = {
    "failure": FAILURES.__getitem__,
    "shuffled": SHUFFLES.__getitem__,
    "gift": GIFTS.__getitem__,
    "reason": ENDINGS.__getitem__,
    "deadline": lambda value: None if value == NONE else value,
    "by_time": bool,
}
"""Converts numbers on the tape to JSON, by name of the fact. Facts not listed here stay numbers."""

EVENTS: Mapping[int, tuple[str, ...]] = {
    rows.DEAL_BEGAN: ("deal_began", "deal", "player"),
    rows.PERSONAL_CARDS_DEALT: ("personal_cards_dealt", "player"),
    rows.CARD_LAID: ("cards_laid",),
    rows.CALLED: ("called", "player", "deadline"),
    rows.SET_TAKEN: ("set_taken", "player", "points", "score"),
    rows.WRONG_SET: ("wrong_set", "player"),
    rows.CALL_FAILED: ("call_failed", "player", "failure", "may_call_from"),
    rows.POINT_LOST: ("point_lost", "player", "score"),
    rows.CARDS_MOVED: ("cards_moved",),
    rows.AGREED_NO_SET: ("agreed_no_set", "player", "count", "n"),
    rows.AGREEMENT_TIMED: ("agreement_timed", "deadline"),
    rows.AGREEMENT_WITHDRAWN: ("agreement_withdrawn",),
    rows.ALL_AGREED: ("all_agreed", "by_time"),
    rows.PENALTY_ADDED: ("penalty_added", "player", "penalty"),
    rows.PENALTY_WORKED_OFF: ("penalty_worked_off", "player", "penalty"),
    rows.PERSONAL_CARD_GIVEN: ("personal_card_given", "player", "gift"),
    rows.NO_PENALTY_CARD: ("no_penalty_card", "player"),
    rows.CENTRE_REMOVED: ("centre_removed",),
    rows.RESHUFFLED: ("reshuffled", "shuffled", "count"),
    rows.HAND_WON: ("hand_won", "player", "points", "score", "deal"),
    rows.DEAL_ENDED: ("deal_ended", "reason", "deal"),
    rows.WENT_AWAY: ("went_away", "player"),
    rows.CAME_BACK: ("came_back", "player"),
    rows.LEFT: ("left", "player"),
    rows.GAME_ENDED: ("game_ended", "reason"),
    rows.LAYOUT_DONE: ("layout_done", "deal", "n"),
    rows.CHAIN_BROKEN: ("chain_broken",),
}
"""Code on the tape -> the event's name, and the names of its facts in the order of the row."""
EVENTS_WITH_CARDS = {
    rows.PERSONAL_CARDS_DEALT,
    rows.CARD_LAID,
    rows.SET_TAKEN,
    rows.WRONG_SET,
    rows.PERSONAL_CARD_GIVEN,
    rows.CENTRE_REMOVED,
    rows.LEFT,
}
"""Events that list cards, and where these lie or lay."""

SCORES = ("points", "score")
"""The facts that tell a score: a classroom learns them when the game is over (M81)."""


def read_tape(table: Table, tape: Tape) -> list[Event]:
    """All events of a move, in order; `table` is the table after it."""
    events: list[Event] = []
    i = 0
    while i < tape.size:
        row, card_rows = tape.row[i], list[Numbers]()
        codes_of_cards: tuple[int, ...] = (rows.CARD, rows.MOVED)
        if row[0] == rows.CARD_LAID:
            card_rows, codes_of_cards = [row], (rows.CARD_LAID,)
        i += 1
        while i < tape.size and tape.row[i][0] in codes_of_cards:
            card_rows.append(tape.row[i])
            i += 1
        if not (table.deal.variant.classroom and row[0] == rows.POINT_LOST):
            events.append(_event(table, row, card_rows))
    return events


def _event(table: Table, row: Numbers, card_rows: list[Numbers]) -> Event:
    name, *names = EVENTS[row[0]]
    facts: dict[str, Json] = {}
    for fact, value in zip(names, row[1:], strict=False):
        facts[fact] = READERS[fact](value) if fact in READERS else value
    if table.deal.variant.classroom:
        facts |= {fact: 0 for fact in SCORES if fact in facts}
    cards = [each[1] for each in card_rows]
    if row[0] in EVENTS_WITH_CARDS:
        facts["cards"] = format_cards(cards)
        facts["areas"] = [_area(table, each[2]) for each in card_rows]
        facts["places"] = [_place(each[2]) for each in card_rows]
    if row[0] == rows.WRONG_SET:
        facts["failing"] = [reason.as_json() for reason in why_not(*cards)]
    if row[0] == rows.CARDS_MOVED:
        facts["cards"] = [format_card(card) for card in cards]
        facts["from_places"] = [each[2] + 1 for each in card_rows]
        facts["to_places"] = [each[3] + 1 for each in card_rows]
    if row[0] == rows.GAME_ENDED:
        facts["winners"] = list(cast("Ending", ending(table)).winners)
        facts["scores"] = table.score[: table.players]
    return Event(name, facts)


def _area(table: Table, where: int) -> str:
    if where >= PERSONAL_FROM:
        return PERSONAL_AREA
    if where >= PREVIOUS_FROM:
        return PREVIOUS_AREA
    return CENTRE_AREA if has_personal_cards(table.deal.variant) else LAYOUT_AREA


def _place(where: int) -> int:
    """The place, counted from 1."""
    if where >= PERSONAL_FROM:
        return (where - PERSONAL_FROM) % PERSONAL + 1
    return where % PREVIOUS_FROM + 1
