"""The moves of SET. A move is one number: its kind, and for a take three cards (`packing.py`)."""

from typing import Final

from threefold.clauses import helper
from threefold.packing import first_of as first_of
from threefold.packing import move_of as move_of
from threefold.packing import second_of as second_of
from threefold.packing import third_of as third_of
from threefold.packing import what_of as what_of

CALL: Final = 1
TAKE: Final = 2  # card, card, card
GIVE_UP: Final = 3
AGREE_NO_SET: Final = 4
ASK_FOR_CARD: Final = 5
MORE_CARDS: Final = 6
TIME_UP: Final = 7
GO_AWAY: Final = 8
COME_BACK: Final = 9
LEAVE: Final = 10


@helper
def take_of(first: int, second: int, third: int) -> int:
    """The move that takes these three cards."""
    return move_of(TAKE, first, second, third)
