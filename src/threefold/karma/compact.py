"""A table and a tape as few bytes: what is on them and no more, so that a server can keep very many.

Every number is one byte if it is small (nearly all are), else five. A packed table begins with the number of its
position, then with what it waits for and how many play: all else is unpacked before it is read.
"""

from typing import Final

from threefold.clauses import apart, clause, helper
from threefold.karma.powers import code_of
from threefold.karma.rules import has_chosen_face_up
from threefold.karma.table import DRAWING, MUST_DRAW, NONE, NOWHERE, PLACES, POWER, SET_UP, Edition, Table, Tape
from threefold.karma.tape import TURN_BEGAN
from threefold.karma.words import Words

AWAITS: Final = 8  # where a packed table says what it waits for
PLAYERS: Final = 9  # and how many play
LARGEST: Final = 4096  # bytes of a packed table: twelve players, every kind, all cards
"""More than any table comes to; a test holds it against the largest."""

_MANY: Final = 255
_HALF: Final = 0xFFFFFFFF
Bytes = bytearray | bytes


# ---------------------------------------------------------------- Numbers


@helper
def put_small(out: bytearray, at: int, number: int) -> int:
    """Writes a number from -1 up; where to go on."""
    number += 1
    if number < _MANY:
        out[at] = number
        return at + 1
    return put_large(out, at, number)


@apart
def put_large(out: bytearray, at: int, number: int) -> int:
    """Writes a number of up to 32 bits, after a byte that says so."""
    out[at] = _MANY
    for i in range(4):
        out[at + 1 + i] = number >> 8 * i & 255
    return at + 5


@helper
def small_at(given: Bytes, at: int) -> int:
    """The number that is written here."""
    number = int(given[at])
    return number - 1 if number < _MANY else large_at(given, at) - 1


@apart
def large_at(given: Bytes, at: int) -> int:
    """The number of up to 32 bits that is written after this byte."""
    number = 0
    for i in range(4):
        number |= int(given[at + 1 + i]) << 8 * i
    return number


@helper
def after_small(given: Bytes, at: int) -> int:
    """Where the number after this one is."""
    return at + 5 if given[at] == _MANY else at + 1


# ---------------------------------------------------------------- The table


@helper
def pack(e: Edition, t: Table, out: bytearray) -> int:
    """Writes a table down; how many bytes that takes."""
    put_position(e, t, out)
    at = put_small(out, AWAITS, t.awaits)
    at = put_small(out, at, t.players)
    at = put_small(out, at, t.dealer)
    at = put_small(out, at, t.direction)
    at = put_small(out, at, t.turn_player)
    at = put_small(out, at, t.turn_seat)
    at = put_small(out, at, t.again)
    at = put_small(out, at, t.turns)
    at = put_small(out, at, t.ending)
    at = put_small(out, at, t.loser)
    at = put_small(out, at, t.giving_from)
    at = put_small(out, at, t.giving)
    at = put_small(out, at, t.draw_offers)
    for each in range(t.players):
        at = pack_seat(e, t, out, at, each)
    for kind in range(e.kinds):
        at = put_small(out, at, t.removed[kind])
    at = put_small(out, at, t.draw_size)
    for i in range(t.draw_size):
        at = put_small(out, at, t.draw_pile[i])
    at = put_small(out, at, t.discard_size)
    for i in range(t.discard_size):
        at = put_small(out, at, t.discard_pile[i])
    at = put_small(out, at, t.pending_size)
    for i in range(t.pending_size):
        at = put_small(out, at, t.pending[i])
    return at


@helper
def pack_seat(e: Edition, t: Table, out: bytearray, at: int, each: int) -> int:
    """Writes down one seat, and the player of the same number."""
    for kind in range(e.kinds):
        at = put_small(out, at, t.hand[each][kind])
    for place in range(PLACES):
        at = put_small(out, at, t.face_up[each][place])
        at = put_small(out, at, t.face_down[each][place])
        at = put_small(out, at, t.peeked[each][place])
        at = put_small(out, at, t.chosen[each][place])
    at = put_small(out, at, t.seat_of[each])
    at = put_small(out, at, t.player_at[each])
    at = put_small(out, at, t.lost_turns[each])
    at = put_small(out, at, t.out[each])
    return put_small(out, at, t.draw_agreed[each])


@helper
def unpack(e: Edition, t: Table, given: Bytes) -> None:
    """Lays a table out as it was written down."""
    t.awaits = small_at(given, AWAITS)
    t.players = small_at(given, PLAYERS)
    at = PLAYERS + 1
    t.dealer = small_at(given, at)
    t.direction = small_at(given, at + 1)
    t.turn_player = small_at(given, at + 2)
    t.turn_seat = small_at(given, at + 3)
    t.again = small_at(given, at + 4)
    at += 5
    t.turns = small_at(given, at)
    at = after_small(given, at)
    t.ending = small_at(given, at)
    t.loser = small_at(given, at + 1)
    t.giving_from = small_at(given, at + 2)
    t.giving = small_at(given, at + 3)
    t.draw_offers = small_at(given, at + 4)
    at += 5
    for each in range(t.players):
        at = unpack_seat(e, t, given, at, each)
    for kind in range(e.kinds):
        t.removed[kind] = small_at(given, at)
        at += 1
    t.draw_size = small_at(given, at)
    at = after_small(given, at)
    for i in range(t.draw_size):
        t.draw_pile[i] = small_at(given, at + i)
    at += t.draw_size
    t.discard_size = small_at(given, at)
    at = after_small(given, at)
    for i in range(t.discard_size):
        t.discard_pile[i] = small_at(given, at + i)
    at += t.discard_size
    t.pending_size = small_at(given, at)
    at = after_small(given, at)
    for i in range(t.pending_size):
        t.pending[i] = small_at(given, at)
        at = after_small(given, at)


@helper
def unpack_seat(e: Edition, t: Table, given: Bytes, at: int, each: int) -> int:
    """Lays out one seat; how many cards lie there is counted."""
    t.hand_size[each] = 0
    for kind in range(e.kinds):
        count = small_at(given, at + kind)
        t.hand[each][kind] = count
        t.hand_size[each] += count
    at += e.kinds
    t.face_up_size[each] = 0
    t.face_down_size[each] = 0
    for place in range(PLACES):
        up = small_at(given, at)
        down = small_at(given, at + 1)
        t.face_up[each][place] = up
        t.face_down[each][place] = down
        t.face_up_size[each] += 0 if up == NONE else 1
        t.face_down_size[each] += 0 if down == NONE else 1
        t.peeked[each][place] = small_at(given, at + 2)
        at = after_small(given, at + 2)
        t.chosen[each][place] = small_at(given, at)
        at += 1
    t.seat_of[each] = small_at(given, at)
    t.player_at[each] = small_at(given, at + 1)
    t.lost_turns[each] = small_at(given, at + 2)
    at = after_small(given, at + 2)
    t.out[each] = small_at(given, at)
    t.draw_agreed[each] = small_at(given, at + 1)
    return at + 2


# ---------------------------------------------------------------- The position


@clause("K24")
def put_position(e: Edition, t: Table, out: bytearray) -> None:
    """The number of what a spectator sees, the count of turns aside: two halves, each mixed in its own way."""
    low = half_of_position(e, t, 0x811C9DC5, 0x01000193)
    high = half_of_position(e, t, 0x9E3779B9, 0x5BD1E995)
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
        seen = t.hand_size[each] << 8 | t.player_at[each] << 4 | chosen << 2 | t.draw_agreed[each] << 1 | t.out[each]
        lies = 0
        for place in range(PLACES):
            lies = lies << 7 | (t.face_up[each][place] + 1) << 1 | (0 if t.face_down[each][place] == NONE else 1)
        half = mixed(mixed(mixed(half, seen, by), lies, by), t.lost_turns[each], by)
    for kind in range(e.kinds):
        half = mixed(half, t.removed[kind], by)
    who = (t.turn_player + 1) << 8 | (t.loser + 1) << 4 | (t.direction + 1) << 2
    half = mixed(mixed(half, who, by), t.ending << 9 | asked(t), by)
    return mixed(half, t.discard_size << 9 | t.draw_size, by)


@helper
def mixed(half: int, number: int, by: int) -> int:
    """One more number in a half; all stays below 63 bits, so that both speeds count alike."""
    half = (half ^ number) * by & _HALF
    return half ^ half >> 15


@helper
def asked(t: Table) -> int:
    """What is asked, as one number: those who must draw and those who may are asked the same."""
    if t.awaits == POWER:
        return 16 + 2 * code_of(t.pending[t.pending_size - 1]) + (0 if t.giving_from == NOWHERE else 1)
    return DRAWING if t.awaits == MUST_DRAW else t.awaits


# ---------------------------------------------------------------- The tape


@helper
def pack_tape(w: Words, tape: Tape, out: bytearray, at: int) -> int:
    """Writes down what happened, of each row what it tells; before it, whether a turn began."""
    began = at
    out[began] = 0
    at += 1
    for i in range(tape.size):
        code = tape.row[i][0]
        if code == TURN_BEGAN:
            out[began] = 1
        at = put_small(out, at, code)
        for number in range(w.numbers[code]):
            at = put_small(out, at, tape.row[i][1 + number])
    return at


@helper
def unpack_tape(w: Words, tape: Tape, given: Bytes, size: int) -> None:
    """The rows again."""
    at = 1
    tape.size = 0
    while at < size:
        row = tape.row[tape.size]
        code = small_at(given, at)
        row[0] = code
        at = after_small(given, at)
        for number in range(w.numbers[code]):
            row[1 + number] = small_at(given, at)
            at = after_small(given, at)
        tape.size += 1
