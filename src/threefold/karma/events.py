"""What happened, in words and for whom: reads the tape, and knows who may see which part of it (K25–K27)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from threefold.clauses import clause
from threefold.game import Event, Json
from threefold.karma import tape as rows
from threefold.karma.notation import ENDINGS, LOCATIONS
from threefold.karma.powers import POWER_OF_CODE, RIGHT
from threefold.karma.table import FACE_DOWN, NONE, SEATS, Edition, Tape

Numbers = list[int]
Reader = Callable[[Edition, int], Json]


def _as_it_is(_: Edition, value: int) -> Json:
    return value


READERS: Mapping[str, Reader] = {
    "from": lambda _, value: LOCATIONS[value],
    "card": lambda edition, value: edition.codes[value],
    "up": lambda edition, value: edition.codes[value],
    "hand": lambda edition, value: edition.codes[value],
    "place": lambda _, value: value + 1,
    "power": lambda _, value: POWER_OF_CODE[value].name,
    "why": lambda _, value: "power" if value == rows.BY_POWER else "run",
    "way": lambda _, value: "right" if value == RIGHT else "left",
    "again": lambda _, value: bool(value),
    "fits": lambda _, value: bool(value),
    "reason": lambda _, value: ENDINGS[value],
    "loser": lambda _, value: None if value == NONE else value,
}
"""How a number on the tape reads, by the name of the fact; a fact not listed is a number."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """One sort of event: its name, its facts in the order of the tape's numbers, and which of them are secret.

    `with_cards` takes the cards named after it, `with_moves` the players who moved.
    """

    name: str
    facts: tuple[str, ...]
    with_cards: bool = False
    with_moves: bool = False
    secrets: frozenset[str] = field(default=frozenset())


def _row(name: str, *facts: str, with_cards: bool = False, with_moves: bool = False, secret: str = "") -> EventRow:
    return EventRow(name, facts, with_cards, with_moves, frozenset((secret,) if secret else ()))


EVENTS: Mapping[int, EventRow] = {
    rows.FACE_UP_CHOSEN: _row("face_up_chosen", "player", with_cards=True, secret="cards"),
    rows.FACE_UP_SHOWN: _row("face_up_shown", "player", "seat", with_cards=True),
    rows.TURN_BEGAN: _row("turn_began", "player", "seat", "again"),
    rows.CARDS_PLAYED: _row("cards_played", "player", "seat", "from", "card", "count"),
    rows.CARD_FLIPPED: _row("card_flipped", "player", "seat", "place", "card", "fits"),
    rows.PILE_PICKED_UP: _row("pile_picked_up", "player", "seat", with_cards=True),
    rows.PILE_CLEARED: _row("pile_cleared", "player", "why", with_cards=True),
    rows.CARDS_LEFT: _row("cards_left", "player", "card", "count"),
    rows.PILE_GIVEN: _row("pile_given", "player", "to", "seat", with_cards=True),
    rows.BOTTOM_MOVED_UP: _row("bottom_moved_up", "player", "card"),
    rows.DIRECTION_REVERSED: _row("direction_reversed", "player", "direction"),
    rows.SEATS_CHANGED: _row("seats_changed", "player", with_moves=True),
    rows.HANDS_PASSED: _row("hands_passed", "player", "way"),
    rows.HANDS_EXCHANGED: _row("hands_exchanged", "player", "to"),
    rows.TURNS_TO_LOSE: _row("turns_to_lose", "player", "to", "count"),
    rows.TURN_LOST: _row("turn_lost", "player", "count"),
    rows.GIFT_CHOSEN: _row("gift_chosen", "player", "from", "card", secret="card"),
    rows.CARD_GIVEN: _row("card_given", "player", "to", "from", "place", "card", secret="card"),
    rows.CARDS_DRAWN: _row("cards_drawn", "player", "seat", "count", with_cards=True, secret="cards"),
    rows.DID_NOT_DRAW: _row("did_not_draw", "player"),
    rows.DECLINED: _row("declined", "player", "power"),
    rows.NOTHING_TO_DO: _row("nothing_to_do", "player", "power"),
    rows.CARD_PEEKED_AT: _row("card_peeked_at", "player", "seat", "place", "card", secret="card"),
    rows.CARDS_SWAPPED: _row("cards_swapped", "player", "seat", "place", "up", "hand"),
    rows.WENT_OUT: _row("went_out", "player"),
    rows.BROUGHT_BACK: _row("brought_back", "player"),
    rows.DRAW_OFFERED: _row("draw_offered", "player"),
    rows.AGREED_TO_DRAW: _row("agreed_to_draw", "player"),
    rows.DRAW_WITHDRAWN: _row("draw_withdrawn"),
    rows.GAME_ENDED: _row("game_ended", "reason", "loser"),
}


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
    for name, value in zip(kind.facts, row[1:], strict=False):
        facts[name] = READERS.get(name, _as_it_is)(edition, value)
    if row[0] == rows.CARD_GIVEN and row[4] == NONE:
        facts["place"] = None
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
    """Who may know the secrets of an event; None is everybody."""
    knowing = rows.known_to(row[0], row[1], row[2], row[3])
    return None if knowing == rows.EVERYBODY else _players(knowing)


@cache
def _players(bits: int) -> frozenset[int]:
    return frozenset(player for player in range(SEATS) if bits >> player & 1)
