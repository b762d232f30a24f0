"""Move: what a player does, as one number (`move_numbers.py`), and the names of moves."""

from typing import Final

from threefold.clauses import helper
from threefold.move_numbers import first_of as first_of
from threefold.move_numbers import move_of as move_of
from threefold.move_numbers import second_of as second_of
from threefold.move_numbers import third_of as third_of
from threefold.move_numbers import what_of as what_of

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
