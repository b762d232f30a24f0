"""A table and a tape in few bytes, so that a server can keep very many of them in memory.

The layout follows the declaration of Table: a field that is added there is packed here without further work. A packed
table is the fingerprint of its position, then all single numbers, then of every list the part that is in use. A number
takes one byte if it is small (nearly all are), else five; it must fit 32 bits with its sign. Most tables take less than
a kilobyte; what players know of each other's hands makes it up to seven at a table of twelve.
"""

from typing import Final

from threefold.clauses import apart, clause, helper
from threefold.karma.fast.json_pieces import Pieces
from threefold.karma.outlook import upcoming_player
from threefold.karma.powers import code_of
from threefold.karma.rules import has_chosen_face_up
from threefold.karma.table import (
    CARDS,
    DRAWING,
    HAND,
    KINDS,
    MUST_DRAW,
    NONE,
    NOWHERE,
    PLACES,
    POWER,
    SEATS,
    SET_UP,
    Edition,
    Table,
    Tape,
)
from threefold.karma.tape import NUMBERS as CODES
from threefold.records import limits, shapes, size, starts

Bytes = bytearray | bytes

# ---------------------------------------------------------------- The layout, from the declaration of Table

_FIRST: Final = ("awaits", "players")
"""These are always small, and come first: they are read without unpacking the rest."""
_START: Final = starts(Table)
_SHAPES: Final = shapes(Table)
_LISTS: Final = limits(Table)
_BY_KIND: Final = -1
_ALL: Final = -2


def _limit(name: str | None) -> int:
    """Where the number is that says how much is in use: its index in the flat table, _BY_KIND or _ALL."""
    if name is None:
        return _ALL
    return _BY_KIND if name == "kinds" else _START[name]


NUMBERS: Final = size(Table)
SINGLES: Final = tuple(_START[name] for name in dict.fromkeys((*_FIRST, *_SHAPES)) if name not in _LISTS)
LISTS: Final = tuple(_START[name] for name in _LISTS)
ROWS: Final = tuple(_SHAPES[name][0] if len(_SHAPES[name]) == 2 else 1 for name in _LISTS)
COLUMNS: Final = tuple(_SHAPES[name][-1] for name in _LISTS)
ROW_LIMITS: Final = tuple(_limit(each[0]) if len(each) == 2 else _ALL for each in _LISTS.values())
COLUMN_LIMITS: Final = tuple(_limit(each[-1]) for each in _LISTS.values())

POSITION: Final = 8  # bytes of the fingerprint
AWAITS: Final = POSITION + _FIRST.index("awaits")
PLAYERS: Final = POSITION + _FIRST.index("players")

_LARGE: Final = 255  # the byte before a number that is not small; a code of the tape is always small
_LARGE_SIZE: Final = 4  # bytes after it
assert len(CODES) < _LARGE, "a code of the tape must fit one byte"
LARGEST: Final = POSITION + (1 + _LARGE_SIZE) * NUMBERS
"""No packed table has more bytes."""


# ---------------------------------------------------------------- Numbers


@helper
def put_small(out: bytearray, at: int, number: int) -> int:
    """Writes a number, in one byte if it is from -1 to 253; returns where to go on."""
    number += 1
    if 0 <= number < _LARGE:
        out[at] = number
        return at + 1
    return put_large(out, at, number)


@apart
def put_large(out: bytearray, at: int, number: int) -> int:
    """Writes a number in four bytes, after a byte that says so."""
    out[at] = _LARGE
    for i in range(_LARGE_SIZE):
        out[at + 1 + i] = number >> 8 * i & 255
    return at + 1 + _LARGE_SIZE


@apart
def large_at(packed: Bytes, at: int) -> int:
    """The number that is written in these bytes."""
    number = 0
    for i in range(_LARGE_SIZE):
        number |= int(packed[at + i]) << 8 * i
    return number - (number >> 31 << 32)


# ---------------------------------------------------------------- The table


@helper
def in_use(e: Edition, numbers: list[int], limit: int, whole: int) -> int:
    """How many of a list's rows or columns are in use."""
    if limit == _ALL:
        return whole
    return e.kinds if limit == _BY_KIND else numbers[limit]


@helper
def pack(e: Edition, t: Table, numbers: list[int], out: bytearray) -> int:
    """Packs a table, whose flat form is `numbers`; returns how many bytes that takes."""
    put_position(e, t, out)
    at = POSITION
    for i in range(len(SINGLES)):
        at = put_small(out, at, numbers[SINGLES[i]])
    for i in range(len(LISTS)):
        start = LISTS[i]
        step = COLUMNS[i]
        rows = in_use(e, numbers, ROW_LIMITS[i], ROWS[i])
        columns = in_use(e, numbers, COLUMN_LIMITS[i], step)
        if columns == step:  # whole rows lie one after the other
            columns *= rows
            rows = 1
        for _ in range(rows):
            for place in range(start, start + columns):
                at = put_small(out, at, numbers[place])
            start += step
    return at


@helper
def unpack(e: Edition, packed: Bytes, numbers: list[int]) -> None:
    """Fills in the flat form of a packed table. The parts of lists that are not in use stay as they are."""
    at = POSITION
    for i in range(len(SINGLES)):
        number = int(packed[at])
        at += 1
        if number == _LARGE:
            number = large_at(packed, at)
            at += _LARGE_SIZE
        numbers[SINGLES[i]] = number - 1
    for i in range(len(LISTS)):
        start = LISTS[i]
        step = COLUMNS[i]
        rows = in_use(e, numbers, ROW_LIMITS[i], ROWS[i])
        columns = in_use(e, numbers, COLUMN_LIMITS[i], step)
        if columns == step:
            columns *= rows
            rows = 1
        for _ in range(rows):
            for place in range(start, start + columns):
                number = int(packed[at])
                at += 1
                if number == _LARGE:
                    number = large_at(packed, at)
                    at += _LARGE_SIZE
                numbers[place] = number - 1
            start += step


# ---------------------------------------------------------------- The fingerprint of the position

_SEAT_BITS: Final = SEATS.bit_length()
_KIND_BITS: Final = KINDS.bit_length()
_CARD_BITS: Final = CARDS.bit_length()
_HALF: Final = 0xFFFFFFFF


@clause("K24")
def put_position(e: Edition, t: Table, out: bytearray) -> None:
    """A fingerprint of what a spectator sees, without the count of turns: two halves, each mixed in its own way."""
    follows = upcoming_player(t) + 1
    low = mixed(half_of_position(e, t, 0x811C9DC5, 0x01000193), follows, 0x01000193)
    high = mixed(half_of_position(e, t, 0x9E3779B9, 0x5BD1E995), follows, 0x5BD1E995)
    for i in range(4):
        out[i] = low >> 8 * i & 255
        out[4 + i] = high >> 8 * i & 255


@clause("K24")
def half_of_position(e: Edition, t: Table, half: int, by: int) -> int:
    """Everything that lies open or is known to all, as few numbers, one mixed into the other."""
    for i in range(t.discard_size):
        half = mixed(half, t.discard_pile[i], by)
    for each in range(t.players):
        chosen = 1 if t.awaits == SET_UP and has_chosen_face_up(t, each) else 0
        flags = chosen << 2 | t.draw_agreed[each] << 1 | t.out[each]
        half = mixed(half, (t.hand_size[each] << _SEAT_BITS | t.player_at[each]) << 3 | flags, by)
        lying = 0
        for place in range(PLACES):
            down = 0 if t.face_down[each][place] == NONE else 1
            lying = (lying << _KIND_BITS | t.face_up[each][place] + 1) << 1 | down
        half = mixed(mixed(half, lying, by), t.lost_turns[each], by)
        for kind in range(e.kinds):
            if t.known[each][kind] > 0:
                half = mixed(half, (t.known[each][kind] << _KIND_BITS | kind) << _SEAT_BITS | each, by)
    for kind in range(e.kinds):
        half = mixed(half, t.removed[kind], by)
    half = mixed(half, ((t.turn_player + 1) << _SEAT_BITS | t.loser + 1) << 2 | t.direction + 1, by)
    half = mixed(half, question_number(t) << 8 | t.ending, by)
    half = mixed(half, (t.turn_seat + 1) << 1 | t.again, by)
    for i in range(t.pending_size):
        half = mixed(half, t.pending[i], by)
    if t.giving_from != NOWHERE:
        half = mixed(half, NONE if t.giving_from == HAND else t.giving, by)
    return mixed(half, t.discard_size << _CARD_BITS | t.draw_size, by)


@helper
def mixed(half: int, number: int, by: int) -> int:
    """One more number in a half; all stays below 63 bits, so that both speeds calculate alike."""
    half = (half ^ number) * by & _HALF
    return half ^ half >> 15


@helper
def question_number(t: Table) -> int:
    """The question that the table asks, as one number. MUST_DRAW asks the same question as DRAWING."""
    if t.awaits == POWER:
        return 16 + 2 * code_of(t.pending[t.pending_size - 1]) + (0 if t.giving_from == NOWHERE else 1)
    return DRAWING if t.awaits == MUST_DRAW else t.awaits


# ---------------------------------------------------------------- The tape


@helper
def pack_tape(p: Pieces, tape: Tape, out: bytearray, at: int) -> int:
    """Packs the rows of a tape: the code in one byte, then its numbers; returns where that ends."""
    for i in range(tape.size):
        code = tape.row[i][0]
        out[at] = code + 1
        at += 1
        for number in range(p.numbers[code]):
            at = put_small(out, at, tape.row[i][1 + number])
    return at


@helper
def unpack_tape(p: Pieces, tape: Tape, packed: Bytes, length: int) -> None:
    """The rows again."""
    at = 0
    tape.size = 0
    while at < length:
        row = tape.row[tape.size]
        row[0] = int(packed[at]) - 1
        at += 1
        for number in range(p.numbers[row[0]]):
            value = int(packed[at])
            at += 1
            if value == _LARGE:
                value = large_at(packed, at)
                at += _LARGE_SIZE
            row[1 + number] = value - 1
        tape.size += 1
