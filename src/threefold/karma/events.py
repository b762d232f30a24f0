"""Reads the tape into events, and knows who may see which part of them (K25–K27)."""

from collections.abc import Mapping
from functools import cache

from threefold.clauses import clause
from threefold.game import Event, Json
from threefold.karma import tape as rows
from threefold.karma.notation import ENDINGS, LOCATIONS
from threefold.karma.powers import POWER_OF_CODE, WAY
from threefold.karma.table import FACE_DOWN, NONE, PLACES, SEATS, Edition, Tape
from threefold.karma.tape import EVENTS

__all__ = ["CARD_FACTS", "EVENTS", "VALUES", "read_tape"]

Numbers = list[int]

YES_OR_NO = {0: False, 1: True}

CARD_FACTS = frozenset(("card", "up", "hand"))
"""Facts that are a kind on the tape and a card's code in the event."""
VALUES: Mapping[str, Mapping[int, Json]] = {
    "from": LOCATIONS,
    "place": {NONE: None, **{place: place + 1 for place in range(PLACES)}},
    "power": {code: power.name for code, power in POWER_OF_CODE.items()},
    "why": {rows.BY_RUN: "run", rows.BY_POWER: "power"},
    "way": {number: word for word, number in WAY.items()},
    "again": YES_OR_NO,
    "fits": YES_OR_NO,
    "reason": ENDINGS,
    "loser": {NONE: None, **{player: player for player in range(SEATS)}},
}
"""Fact -> number on the tape -> value in the event. A fact that is neither here nor in CARD_FACTS is a plain number."""


def read_tape(edition: Edition, tape: Tape) -> list[Event]:
    """All events of a move, in order."""
    events: list[Event] = []
    i = 0
    while i < tape.size:
        row, more = tape.row[i], []
        i += 1
        while i < tape.size and tape.row[i][0] in (rows.CARD, rows.MOVED):
            more.append(tape.row[i])
            i += 1
        events.append(_read(edition, row, more))
    return events


def _read(edition: Edition, row: Numbers, more: list[Numbers]) -> Event:
    kind = EVENTS[row[0]]
    if row[0] == rows.GIFT_CHOSEN and row[2] == FACE_DOWN:
        return Event(kind.name, {"player": row[1], "from": LOCATIONS[FACE_DOWN], "card": None, "place": row[3] + 1})
    facts: dict[str, Json] = {}
    for name, number in zip(kind.facts, row[1:], strict=False):
        if name in CARD_FACTS:
            facts[name] = edition.codes[number]
        else:
            facts[name] = VALUES[name][number] if name in VALUES else number
    if kind.with_cards:
        facts["cards"] = [edition.codes[each[1]] for each in more]
    if kind.with_moves:
        facts["moved"] = [{"player": each[1], "from": each[2], "to": each[3]} for each in more]
    secrets = {name: facts.pop(name) for name in kind.secrets}
    known_to = _known_to(row)
    if known_to is None:
        return Event(kind.name, {**facts, **secrets})
    return Event(kind.name, facts, secrets, known_to)


@clause("K26", "K27")
def _known_to(row: Numbers) -> frozenset[int] | None:
    """The players who may know the secrets of an event; None is everybody."""
    knowing = rows.known_to(row[0], row[1], row[2], row[3])
    return None if knowing == rows.EVERYBODY else _players(knowing)


@cache
def _players(bits: int) -> frozenset[int]:
    return frozenset(player for player in range(SEATS) if bits >> player & 1)
