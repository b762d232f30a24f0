"""Words: every piece of JSON that Karma's Views and events are put together from, made once for an edition.

Cards, moves, questions, powers, endings and events are read from the tables that the plain forms are made from, so
there is one copy of each word. A piece has a number; those of a table of pieces go on from its first.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

import msgspec

from threefold.game import Json
from threefold.karma import tape as rows
from threefold.karma.decisions import CHOOSE_PLAYER, DRAW_GAME, QUESTIONS, QUESTIONS_OF_POWERS
from threefold.karma.events import EVENTS, READERS
from threefold.karma.notation import WORDS as WORDS_OF_MOVES
from threefold.karma.powers import POWER_OF_CODE, VOCABULARY
from threefold.karma.table import KINDS, NONE, Edition
from threefold.records import blank

# Pieces of a View, in the order in which they come.
DEALER: Final = 0
TURN_OF: Final = 1
TURNS: Final = 2
DIRECTION: Final = 3
DISCARD_PILE: Final = 4
REMOVED: Final = 5
LOST_TURNS: Final = 6
OUT: Final = 7
DRAW_AGREED: Final = 8
SEATS_OPEN: Final = 9
SEAT: Final = 10
HAND_SIZE: Final = 11
HAND_OF: Final = 12
FACE_UP_OF: Final = 13
FACE_DOWN_OF: Final = 14
CARDS_OF: Final = 15
CARD_OF: Final = 16
DRAW_PILE: Final = 17
ASKS_FOR: Final = 18
LOW: Final = 19
HIGH: Final = 20
AWAITS: Final = 21
QUESTION: Final = 22
POWER_OF: Final = 23
MOVES_OF: Final = 24
ANYTIME: Final = 25
HAS_CHOSEN: Final = 26
ENDING: Final = 27
REASON: Final = 28
WINNERS: Final = 29
LOSERS: Final = 30
SCORES: Final = 31
CHOSEN: Final = 32
NULL: Final = 33
MOVED_TO: Final = 34
FROM_SEAT: Final = 35
TO_SEAT: Final = 36
GIFT_FACE_DOWN: Final = 37
ITS_MOVES: Final = 38
ABOUT_A_DRAW: Final = 39

PIECES: Mapping[int, str] = {
    DEALER: ',"dealer":',
    TURN_OF: ',"turn":',
    TURNS: ',"turns":',
    DIRECTION: ',"direction":',
    DISCARD_PILE: ',"discard_pile":[',
    REMOVED: '],"removed":[',
    LOST_TURNS: '],"lost_turns":[',
    OUT: '],"out":[',
    DRAW_AGREED: '],"draw_agreed":[',
    SEATS_OPEN: '],"seats":[',
    SEAT: '{"player":',
    HAND_SIZE: ',"hand_size":',
    HAND_OF: ',"hand":',
    FACE_UP_OF: ',"face_up":[',
    FACE_DOWN_OF: '],"face_down":[',
    CARDS_OF: '],"cards":',
    CARD_OF: '{"card":',
    DRAW_PILE: '],"draw_pile":',
    ASKS_FOR: ',"asks_for":',
    LOW: '{"low":',
    HIGH: ',"high":',
    AWAITS: ',"awaits":[',
    QUESTION: ',"question":',
    POWER_OF: ',"power":',
    MOVES_OF: '],"moves":[',
    ANYTIME: '],"anytime":[',
    HAS_CHOSEN: '],"has_chosen":[',
    ENDING: '],"ending":',
    REASON: '{"reason":',
    WINNERS: ',"winners":[',
    LOSERS: '],"losers":[',
    SCORES: '],"scores":null}',
    CHOSEN: ',"chosen":[',
    NULL: "null",
    MOVED_TO: '{"player":',
    FROM_SEAT: ',"from":',
    TO_SEAT: ',"to":',
    GIFT_FACE_DOWN: ',"card":null,"place":',
    ITS_MOVES: ',"moves":[',
    ABOUT_A_DRAW: f',"question":"{DRAW_GAME}","moves":[',
}

KEYS: tuple[str, ...] = tuple(dict.fromkeys([*(n for each in EVENTS.values() for n in each.facts), "cards", "moved"]))
"""The names of facts."""
READ: tuple[str, ...] = tuple(READERS)
"""The facts that are no plain numbers."""

# Tables of pieces: each begins here, and a value's piece is so much further on.
VALUES: Final = KINDS + 1  # from NONE up
CODE: Final = len(PIECES)  # by kind, without quotes
MOVE: Final = CODE + KINDS  # by sort of move, without quotes
ASKED: Final = MOVE + 16  # by what the table waits for
ASKED_BY: Final = ASKED + 8  # by power
EVENT: Final = ASKED_BY + 32  # by code: the event's beginning
KEY: Final = EVENT + 32  # by the order of KEYS
VALUE: Final = KEY + len(KEYS)  # by the order of READ: a table for each
COUNT: Final = VALUE + len(READ) * VALUES
TEXT: Final = 6144
"""Room for the pieces, in bytes."""

CARD_VALUES: Final = VALUE + READ.index("card") * VALUES + 1  # by kind, with quotes
REASON_VALUES: Final = VALUE + READ.index("reason") * VALUES + 1
POWER_VALUES: Final = VALUE + READ.index("power") * VALUES + 1

# How a fact is written that is neither a number nor one of a table.
A_NUMBER: Final = 0
THE_CARDS: Final = -1
THE_MOVES: Final = -2

CODES: Final = 32  # of events
FACTS: Final = 6

PerEvent = Annotated[list[int], (CODES,)]
PerFact = Annotated[list[list[int]], (CODES, FACTS)]


@dataclass(slots=True)
class Words:
    """The pieces, and what each sort of event is told by."""

    start: Annotated[list[int], (COUNT + 1,)]  # by piece: where its text begins; it ends where the next begins
    numbers: PerEvent  # how many numbers follow the code on the tape
    facts: PerEvent  # how many facts are told
    secret_from: PerEvent  # those from this one on are secret
    number: PerFact  # which of the row's numbers it is
    key: PerFact  # its name, a piece
    form: PerFact  # A_NUMBER, THE_CARDS, THE_MOVES, or the first of a table of pieces
    text: bytes = field(default=b"")  # plain only; compiled code has it as bytes, too


def words_of(edition: Edition) -> Words:
    """All pieces for an edition."""
    words = blank(Words)
    pieces = [b""] * COUNT
    for piece, text in PIECES.items():
        pieces[piece] = text.encode()
    _put(pieces, CODE, {kind: _inner(code) for kind, code in enumerate(edition.codes)})
    _put(pieces, MOVE, {what: _inner(said) for what, said in WORDS_OF_MOVES.items()})
    _put(pieces, ASKED, {awaits: _json(name) for awaits, name in QUESTIONS.items()})
    asked_by = {power.code: QUESTIONS_OF_POWERS.get(power.code, CHOOSE_PLAYER) for power in VOCABULARY}
    _put(pieces, ASKED_BY, {code: _json(name) for code, name in asked_by.items()} | {0: _json(CHOOSE_PLAYER)})
    _put(pieces, EVENT, {code: b'{"event":' + _json(row.name) for code, row in EVENTS.items()})
    _put(pieces, KEY, {i: b"," + _json(name) + b":" for i, name in enumerate(KEYS)})
    for i, name in enumerate(READ):
        _put(pieces, VALUE + i * VALUES + 1, {value: _json(it) for value, it in _values(edition, name)})
    for piece, each in enumerate(pieces):
        words.start[piece + 1] = words.start[piece] + len(each)
    words.text = b"".join(pieces)
    _facts(words)
    return words


def _facts(words: Words) -> None:
    """In which order an event's facts are told: what is secret comes last."""
    words.numbers[rows.CARD], words.numbers[rows.MOVED] = 1, 3
    for code, row in EVENTS.items():
        words.numbers[code] = len(row.facts)
        more = ["cards"] * row.with_cards + ["moved"] * row.with_moves
        told = sorted([*row.facts, *more], key=lambda name: name in row.secrets)
        words.facts[code] = len(told)
        words.secret_from[code] = len(told) - len(row.secrets)
        for i, name in enumerate(told):
            words.number[code][i] = 1 + row.facts.index(name) if name in row.facts else 0
            words.key[code][i] = KEY + KEYS.index(name)
            words.form[code][i] = _form(name)


def _form(name: str) -> int:
    if name in READ:
        return VALUE + READ.index(name) * VALUES + 1
    return {"cards": THE_CARDS, "moved": THE_MOVES}.get(name, A_NUMBER)


DOMAINS: Mapping[str, Iterable[int]] = {
    "from": (1, 2, 3),
    "place": (0, 1, 2),
    "power": tuple(POWER_OF_CODE),
    "why": (rows.BY_RUN, rows.BY_POWER),
    "way": (0, 1),
    "again": (0, 1),
    "fits": (0, 1),
    "reason": (1, 2, 3, 4),
    "loser": range(NONE, 12),
}
"""What such a fact can be, if it is no card."""


def _values(edition: Edition, name: str) -> Iterable[tuple[int, Json]]:
    for value in DOMAINS.get(name, range(edition.kinds)):
        yield value, READERS[name](edition, value)
    if name == "place":
        yield NONE, None


def _put(pieces: list[bytes], first: int, table: Mapping[int, bytes]) -> None:
    for value, text in table.items():
        pieces[first + value] = text


_json = msgspec.json.Encoder().encode


def _inner(text: str) -> bytes:
    return _json(text)[1:-1]
