"""The tape that the rules write what happens on: rows of numbers. `events.py` reads it in words."""

from typing import Final

from threefold.clauses import clause, helper
from threefold.karma.table import FACE_DOWN, FACE_UP, Table, Tape

CARD: Final = 0  # kind; belongs to the row before it
MOVED: Final = 1  # player, from seat, to seat; belongs to the row before it
FACE_UP_CHOSEN: Final = 2
FACE_UP_SHOWN: Final = 3
TURN_BEGAN: Final = 4
CARDS_PLAYED: Final = 5
CARD_FLIPPED: Final = 6
PILE_PICKED_UP: Final = 7
PILE_CLEARED: Final = 8
CARDS_LEFT: Final = 9
PILE_GIVEN: Final = 10
BOTTOM_MOVED_UP: Final = 11
DIRECTION_REVERSED: Final = 12
SEATS_CHANGED: Final = 13
HANDS_PASSED: Final = 14
HANDS_EXCHANGED: Final = 15
TURNS_TO_LOSE: Final = 16
TURN_LOST: Final = 17
GIFT_CHOSEN: Final = 18
CARD_GIVEN: Final = 19
CARDS_DRAWN: Final = 20
DID_NOT_DRAW: Final = 21
DECLINED: Final = 22
NOTHING_TO_DO: Final = 23
CARD_PEEKED_AT: Final = 24
CARDS_SWAPPED: Final = 25
WENT_OUT: Final = 26
BROUGHT_BACK: Final = 27
DRAW_OFFERED: Final = 28
AGREED_TO_DRAW: Final = 29
DRAW_WITHDRAWN: Final = 30
GAME_ENDED: Final = 31

# Why a pile was cleared.
BY_RUN: Final = 0
BY_POWER: Final = 1

EVERYBODY: Final = -1


@helper
def tell(tape: Tape, code: int, a: int, b: int, c: int, d: int, e: int) -> None:
    """Writes one row, if there is room."""
    if tape.size < tape.room:
        row = tape.row[tape.size]
        row[0] = code
        row[1] = a
        row[2] = b
        row[3] = c
        row[4] = d
        row[5] = e
        tape.size += 1


@helper
def tell_card(tape: Tape, kind: int) -> None:
    """Names a card that the row before is about."""
    tell(tape, CARD, kind, 0, 0, 0, 0)


@helper
def tell_pile(tape: Tape, t: Table, bottom: int) -> None:
    """Names the cards of the discard pile from this one up."""
    if tape.room > 0:
        for i in range(bottom, t.discard_size):
            tell_card(tape, t.discard_pile[i])


@clause("K26", "K27")
def known_to(code: int, a: int, b: int, c: int) -> int:
    """Who may know the secrets of an event that begins with these numbers: one bit for each player."""
    if code == CARD_GIVEN:
        if c == FACE_UP:
            return EVERYBODY
        return 1 << b if c == FACE_DOWN else 1 << a | 1 << b
    if code == GIFT_CHOSEN and b == FACE_UP:
        return EVERYBODY
    return 1 << a
