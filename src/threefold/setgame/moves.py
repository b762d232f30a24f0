"""Move: what a player does, as one number, and the names of moves.

The lowest eight bits are the sort of move (`move_numbers.py`). A take has up to six cards behind it, nine bits each:
the card's number plus one, so that 0 is no card.
"""

from collections.abc import Sequence
from typing import Final

from threefold.clauses import helper
from threefold.move_numbers import what_of as what_of

CALL: Final = 1
TAKE: Final = 2  # three, four or six cards
GIVE_UP: Final = 3
AGREE_NO_SET: Final = 4
ASK_FOR_CARD: Final = 5
MORE_CARDS: Final = 6
TIME_UP: Final = 7
GO_AWAY: Final = 8
COME_BACK: Final = 9
LEAVE: Final = 10


MOST_CARDS: Final = 6  # of a take


@helper
def take_of(first: int, second: int, third: int) -> int:
    """The move that takes these three cards."""
    return with_card(with_card(with_card(TAKE, 0, first), 1, second), 2, third)


@helper
def with_card(move: int, i: int, card: int) -> int:
    """The take with one more card: number `i`, counted from 0."""
    return move | (card + 1) << (8 + 9 * i)


@helper
def card_in(move: int, i: int) -> int:
    """Card number `i` of a take, counted from 0; -1 if it has fewer cards."""
    return (move >> (8 + 9 * i) & 511) - 1


def cards_in(move: int) -> list[int]:
    """All cards of a take."""
    return [card for i in range(MOST_CARDS) if (card := card_in(move, i)) >= 0]


def take_all(cards: Sequence[int]) -> int:
    """The move that takes these cards."""
    move = TAKE
    for i, card in enumerate(cards):
        move = with_card(move, i, card)
    return move
