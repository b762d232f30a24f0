"""Move: what a player answers, as one number (`move_numbers.py`), and the names of moves."""

from typing import Final

from threefold.clauses import helper
from threefold.karma.table import Moves
from threefold.move_numbers import first_of as first_of
from threefold.move_numbers import move_of as move_of
from threefold.move_numbers import second_of as second_of
from threefold.move_numbers import third_of as third_of
from threefold.move_numbers import what_of as what_of

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
def add(moves: Moves, what: int, first: int, second: int, third: int) -> None:
    """Lists one more legal move."""
    moves.move[moves.count] = move_of(what, first, second, third)
    moves.count += 1
