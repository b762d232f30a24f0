"""The tape on which the rules record what happens, as rows of numbers. `events.py` turns it into Events."""

from typing import Final

from threefold.clauses import helper
from threefold.setgame.table import Tape

CARD: Final = 0  # card, where it lies; belongs to the row before it
MOVED: Final = 1  # card, from place, to place; belongs to the row before it
DEAL_BEGAN: Final = 2
PERSONAL_CARDS_DEALT: Final = 3
CARD_LAID: Final = 4  # card, place; neighbouring rows are one event
CALLED: Final = 5
SET_TAKEN: Final = 6
WRONG_SET: Final = 7
CALL_FAILED: Final = 8
POINT_LOST: Final = 9
CARDS_MOVED: Final = 10
AGREED_NO_SET: Final = 11
AGREEMENT_TIMED: Final = 12
AGREEMENT_WITHDRAWN: Final = 13
ALL_AGREED: Final = 14
PENALTY_ADDED: Final = 15
PENALTY_WORKED_OFF: Final = 16
PERSONAL_CARD_GIVEN: Final = 17
NO_PENALTY_CARD: Final = 18
CENTRE_REMOVED: Final = 19
RESHUFFLED: Final = 20
HAND_WON: Final = 21
DEAL_ENDED: Final = 22
WENT_AWAY: Final = 23
CAME_BACK: Final = 24
LEFT: Final = 25
GAME_ENDED: Final = 26
LAYOUT_DONE: Final = 27
CHAIN_BROKEN: Final = 28

# Why a call failed.
WRONG: Final = 0
GAVE_UP: Final = 1
TIME_UP: Final = 2
LEFT_TABLE: Final = 3

# Why a personal card was given.
ASKED: Final = 0
PENALTY: Final = 1

# What was shuffled.
ALL_CARDS: Final = 0
DISCARD_PILE: Final = 1
REMOVED_CARDS: Final = 2
REMOVED_AND_DISCARDED: Final = 3
REMOVED_INTO_DECK: Final = 4


@helper
def tell(tape: Tape, code: int, a: int, b: int, c: int, d: int) -> None:
    """Writes one row, if there is room."""
    if tape.size < tape.room:
        row = tape.row[tape.size]
        row[0] = code
        row[1] = a
        row[2] = b
        row[3] = c
        row[4] = d
        tape.size += 1


@helper
def tell_card(tape: Tape, card: int, where: int) -> None:
    """Adds a card, and where it lies or lay, to the row before."""
    tell(tape, CARD, card, where, 0, 0)
