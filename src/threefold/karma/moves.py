"""Move: what a player answers, as one number; the names of moves, and how a number holds them."""

from typing import Final

from threefold.clauses import helper
from threefold.karma.table import Moves

CHOOSE_FACE_UP: Final = 1  # kind, kind, kind
PLAY: Final = 2  # kind, count
FLIP: Final = 3  # place
PICK_UP: Final = 4
CHOOSE_PLAYER: Final = 5  # player
GIVE: Final = 6  # kind
GIVE_FACE_DOWN: Final = 7  # place
DECLINE: Final = 8
DRAW: Final = 9
END_TURN: Final = 10
PEEK: Final = 11  # place
SWAP: Final = 12  # kind face up, kind in the hand
OFFER_DRAW: Final = 13
AGREE_DRAW: Final = 14


@helper
def move_of(what: int, first: int, second: int, third: int) -> int:
    """Packs a move."""
    return what | first << 8 | second << 16 | third << 24


@helper
def what_of(move: int) -> int:
    """The sort of move: PLAY, FLIP …"""
    return move & 255


@helper
def first_of(move: int) -> int:
    """The move's first number."""
    return move >> 8 & 255


@helper
def second_of(move: int) -> int:
    """The move's second number."""
    return move >> 16 & 255


@helper
def third_of(move: int) -> int:
    """The move's third number."""
    return move >> 24 & 255


@helper
def add(moves: Moves, what: int, first: int, second: int, third: int) -> None:
    """Lists one more legal move."""
    moves.move[moves.count] = move_of(what, first, second, third)
    moves.count += 1
