"""Every piece of JSON that Karma's Views and events are put together from, made once for an edition.

Cards, moves, questions, powers, endings and events are read from the tables that the plain forms are made from, so
each word is declared once. A piece has a number; the numbers, and all sizes here, follow from the declarations.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final

import msgspec

from threefold.game import Json
from threefold.karma.cards import PRINTED_CODES
from threefold.karma.decisions import CHOOSE_PLAYER, DRAW_GAME, QUESTIONS, QUESTIONS_OF_POWERS
from threefold.karma.events import CARD_FACTS, VALUES
from threefold.karma.notation import WORDS as WORDS_OF_MOVES
from threefold.karma.powers import POWER_OF_CODE
from threefold.karma.table import HIGHEST, KINDS, Edition
from threefold.karma.tape import EVENTS, NUMBERS
from threefold.records import blank

_json = msgspec.json.Encoder().encode

# ---------------------------------------------------------------- Single pieces

_SINGLE: list[str] = []


def _piece(text: str) -> int:
    """The number of one more piece."""
    _SINGLE.append(text)
    return len(_SINGLE) - 1


NULL: Final = _piece("null")

# Pieces of a View, in the order in which they come.
DEALER: Final = _piece(',"dealer":')
TURN_OF: Final = _piece(',"turn":')
TURNS: Final = _piece(',"turns":')
NEXT_PLAYER: Final = _piece(',"next_player":')
DIRECTION: Final = _piece(',"direction":')
DISCARD_PILE: Final = _piece(',"discard_pile":[')
RUN: Final = _piece('],"run":')
REMOVED: Final = _piece(',"removed":[')
LOST_TURNS: Final = _piece('],"lost_turns":[')
OUT: Final = _piece('],"out":[')
DRAW_AGREED: Final = _piece('],"draw_agreed":[')
SEATS_OPEN: Final = _piece('],"seats":[')
SEAT: Final = _piece('{"player":')
HAND_SIZE: Final = _piece(',"hand_size":')
HAND_OF: Final = _piece(',"hand":')
FACE_UP_OF: Final = _piece(',"face_up":[')
FACE_DOWN_OF: Final = _piece('],"face_down":[')
CARDS_OF: Final = _piece('],"cards":')
KNOWN_OF: Final = _piece(',"known":[')
CARD_OF: Final = _piece('{"card":')
DRAW_PILE: Final = _piece('],"draw_pile":')
ASKS_FOR: Final = _piece(',"asks_for":')
LOW: Final = _piece('{"low":')
HIGH: Final = _piece(',"high":')
AWAITS: Final = _piece(',"awaits":[')
QUESTION: Final = _piece(',"question":')
POWER_OF: Final = _piece(',"power":')
MOVES_OF: Final = _piece('],"moves":[')
ANYTIME: Final = _piece('],"anytime":[')
HAS_CHOSEN: Final = _piece('],"has_chosen":[')
ENDING: Final = _piece('],"ending":')
REASON: Final = _piece('{"reason":')
WINNERS: Final = _piece(',"winners":[')
LOSERS: Final = _piece('],"losers":[')
SCORES: Final = _piece('],"scores":null}')
AGAIN: Final = _piece(',"again":')
TURN_SEAT: Final = _piece(',"turn_seat":')
PENDING: Final = _piece(',"pending":[')
PENDING_POWER: Final = _piece('{"power":')
FIRST: Final = _piece(',"first":')
SECOND: Final = _piece(',"second":')
GIVING: Final = _piece(',"giving":')
GIVING_FROM: Final = _piece('{"from":')
GIVEN_CARD: Final = _piece(',"card":')
GIVEN_PLACE: Final = _piece(',"place":')
PLAY_FROM: Final = _piece(',"play_from":')
CHOSEN: Final = _piece(',"chosen":[')

# Pieces of events and of decisions.
MOVED_PLAYER: Final = _piece('{"player":')
FROM_SEAT: Final = _piece(',"from":')
TO_SEAT: Final = _piece(',"to":')
GIFT_FACE_DOWN: Final = _piece(',"card":null,"place":')
ITS_MOVES: Final = _piece(',"moves":[')
ABOUT_A_DRAW: Final = _piece(f',"question":"{DRAW_GAME}","moves":[')

# ---------------------------------------------------------------- Tables of pieces: first piece + value


def _length(values: Iterable[int]) -> int:
    """The length of a table that is indexed by these values."""
    return max(values) + 1


KEYS: Final = tuple(dict.fromkeys([*(name for each in EVENTS.values() for name in each.facts), "cards", "moved"]))
"""The names of all facts."""

CODE: Final = len(_SINGLE)  # by kind, without quotes
MOVE: Final = CODE + KINDS  # by sort of move, without quotes
ASKED: Final = MOVE + _length(WORDS_OF_MOVES)  # by what the table waits for
ASKED_BY: Final = ASKED + _length(QUESTIONS)  # by power
EVENT: Final = ASKED_BY + _length(POWER_OF_CODE)  # by code: the event's beginning
KEY: Final = EVENT + len(NUMBERS)  # by the order of KEYS
CARD_VALUES: Final = KEY + len(KEYS)  # by kind, with quotes
_VALUES: Final = CARD_VALUES + KINDS


def _value_tables() -> tuple[dict[str, int], int]:
    """Fact -> the piece of its value 0, for every fact of VALUES; and the number of all pieces."""
    first, next_piece = {}, _VALUES
    for name, values in VALUES.items():
        first[name] = next_piece - min(values)
        next_piece = first[name] + _length(values)
    return first, next_piece


VALUE_TABLES, COUNT = _value_tables()
REASON_VALUES: Final = VALUE_TABLES["reason"]
POWER_VALUES: Final = VALUE_TABLES["power"]
LOCATION_VALUES: Final = VALUE_TABLES["from"]
YES_OR_NO: Final = VALUE_TABLES["again"]

# The forms of facts that have no table of pieces.
A_NUMBER: Final = 0
THE_CARDS: Final = -1
THE_MOVES: Final = -2

FACTS: Final = max(len(row.facts) + row.with_cards + row.with_moves for row in EVENTS.values())

PerCode = Annotated[list[int], (len(NUMBERS),)]
PerFact = Annotated[list[list[int]], (len(NUMBERS), FACTS)]


@dataclass(slots=True)
class Pieces:
    """The pieces of one edition, and how each sort of event is put together from them."""

    start: Annotated[list[int], (COUNT + 1,)]  # by piece: where its text begins; it ends where the next begins
    numbers: PerCode  # how many numbers follow the code on the tape
    facts: PerCode  # how many facts an event has
    secret_from: PerCode  # facts from this one on are secret
    number: PerFact  # the index of the fact's number in the row
    key: PerFact  # the fact's name, a piece
    form: PerFact  # A_NUMBER, THE_CARDS, THE_MOVES, or the first of a table of pieces
    text: bytes = field(default=b"")  # plain only; compiled code has it as an array of bytes


def pieces_of(edition: Edition) -> Pieces:
    """All pieces for an edition."""
    pieces = blank(Pieces)
    texts = _texts(edition.codes)
    for piece, each in enumerate(texts):
        pieces.start[piece + 1] = pieces.start[piece] + len(each)
    pieces.text = b"".join(texts)
    pieces.numbers[:] = NUMBERS
    _put_facts(pieces)
    return pieces


def _texts(codes: Sequence[str]) -> list[bytes]:
    """The text of every piece, for cards with these codes."""
    texts = [b""] * COUNT
    texts[: len(_SINGLE)] = [each.encode() for each in _SINGLE]
    _put(texts, CODE, dict(enumerate(map(_inner, codes))))
    _put(texts, MOVE, {what: _inner(words) for what, words in WORDS_OF_MOVES.items()})
    _put(texts, ASKED, {awaits: _json(name) for awaits, name in QUESTIONS.items()})
    asked_by = {code: QUESTIONS_OF_POWERS.get(code, CHOOSE_PLAYER) for code in (0, *POWER_OF_CODE)}
    _put(texts, ASKED_BY, {code: _json(name) for code, name in asked_by.items()})
    _put(texts, EVENT, {code: b'{"event":' + _json(row.name) for code, row in EVENTS.items()})
    _put(texts, KEY, {i: b"," + _json(name) + b":" for i, name in enumerate(KEYS)})
    _put(texts, CARD_VALUES, dict(enumerate(map(_json, codes))))
    for name, first in VALUE_TABLES.items():
        _put(texts, first, {number: _json(value) for number, value in VALUES[name].items()})
    return texts


def _put(texts: list[bytes], first: int, table: Mapping[int, bytes]) -> None:
    for value, text in table.items():
        texts[first + value] = text


def _inner(text: str) -> bytes:
    return _json(text)[1:-1]


def _put_facts(pieces: Pieces) -> None:
    """The order of each event's facts: secrets come last."""
    for code, row in EVENTS.items():
        more = ["cards"] * row.with_cards + ["moved"] * row.with_moves
        names = sorted([*row.facts, *more], key=lambda name: name in row.secrets)
        pieces.facts[code] = len(names)
        pieces.secret_from[code] = len(names) - len(row.secrets)
        for i, name in enumerate(names):
            pieces.number[code][i] = 1 + row.facts.index(name) if name in row.facts else 0
            pieces.key[code][i] = KEY + KEYS.index(name)
            pieces.form[code][i] = _form(name)


def _form(name: str) -> int:
    if name in CARD_FACTS:
        return CARD_VALUES
    forms: Mapping[str, Json] = {"cards": THE_CARDS, "moved": THE_MOVES, **VALUE_TABLES}
    return int(forms.get(name, A_NUMBER))


# ---------------------------------------------------------------- The most bytes that anything takes

LONGEST_CARD: Final = max(map(len, (f"D{KINDS}", str(HIGHEST), *PRINTED_CODES)))
_LARGEST: Final = _texts(("?" * LONGEST_CARD,) * KINDS)
TEXT: Final = sum(map(len, _LARGEST))
"""Bytes of all pieces of an edition."""
SINGLES: Final = len(_SINGLE)
TEXT_OF_SINGLES: Final = sum(map(len, _SINGLE))
LONGEST_WORDS_OF_MOVE: Final = max(map(len, WORDS_OF_MOVES.values()))


def _longest_event() -> int:
    """Bytes of the longest event without its numbers and without the rows that belong to it."""
    longest_name = max(len(each) for each in _LARGEST[EVENT:KEY])
    longest_key = max(len(each) for each in _LARGEST[KEY:CARD_VALUES])
    longest_value = max(len(each) for each in _LARGEST[CARD_VALUES:])
    parts = len(_SINGLE[MOVED_PLAYER]) + len(_SINGLE[FROM_SEAT]) + len(_SINGLE[TO_SEAT]) + len("},")
    return longest_name + FACTS * (longest_key + longest_value + len("[]")) + len(_SINGLE[GIFT_FACE_DOWN]) + parts


LONGEST_EVENT: Final = _longest_event()
