"""Move: what a player does, as one number; the names of moves, and how a number holds three cards."""

from typing import Final

from threefold.clauses import helper

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
    return TAKE | first << 8 | second << 16 | third << 24


@helper
def what_of(move: int) -> int:
    """The sort of move: CALL, TAKE …"""
    return move & 255


@helper
def first_of(move: int) -> int:
    """The first card of a take."""
    return move >> 8 & 255


@helper
def second_of(move: int) -> int:
    """The second card of a take."""
    return move >> 16 & 255


@helper
def third_of(move: int) -> int:
    """The third card of a take."""
    return move >> 24 & 255
