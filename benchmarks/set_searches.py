"""Compiled searches for SETs among any cards, as bytes: measured by `bench_set.py`, and used by tests to count."""

from typing import Any

import numpy as np

from threefold.compiling import compiler
from threefold.setgame.cards import THIRD

_compiled = compiler("setgame")

BYTE = np.uint8


@_compiled
def count_sets(cards: Any) -> int:
    """The number of SETs among different cards. Each SET is counted three times, once for each of its pairs."""
    lying = np.zeros(81, BYTE)
    for card in cards:
        lying[card] = 1
    pairs = 0
    for i in range(len(cards)):
        row = 81 * np.int64(cards[i])
        for j in range(i):
            pairs += lying[THIRD[row + cards[j]]]
    return pairs // 3


@_compiled
def list_sets(cards: Any, sets: Any) -> int:
    """Writes every SET into the rows of `sets`, in the order of the cards; returns how many there are."""
    place = np.zeros(81, BYTE)
    for i in range(len(cards)):
        place[cards[i]] = i
    count = 0
    for i in range(len(cards)):
        row = 81 * np.int64(cards[i])
        for j in range(i + 1, len(cards)):
            third = THIRD[row + cards[j]]
            if place[third] > j:
                sets[count, 0] = cards[i]
                sets[count, 1] = cards[j]
                sets[count, 2] = third
                count += 1
    return count


@_compiled
def count_sets_of_each(layouts: Any, counts: Any) -> None:
    """Counts the SETs of each layout."""
    for i in range(len(layouts)):
        counts[i] = count_sets(layouts[i])


@_compiled
def list_sets_of_each(layouts: Any, sets: Any, counts: Any) -> None:
    """Every SET of each of many layouts, written into the rows of `sets[i]`."""
    for i in range(len(layouts)):
        counts[i] = list_sets(layouts[i], sets[i])


@_compiled
def count_set_free(deck: int, size: int, first: int, last: int) -> int:
    """Counts the choices of `size` cards out of the first `deck` with no SET and with their lowest card in a range.

    Cards are chosen from the lowest up. `blocked` counts, for each card, the pairs of chosen cards it would complete.
    """
    chosen = np.zeros(size, np.int64)
    blocked = np.zeros(81, np.int64)
    choices = 0
    for lowest in range(first, last):
        chosen[0] = lowest
        depth = 1
        card = lowest + 1
        while True:
            if depth == size - 1:  # the last card: whatever is not blocked
                for each in range(card, deck):
                    if blocked[each] == 0:
                        choices += 1
                card = deck
            if card < deck:
                if blocked[card] == 0:
                    for i in range(depth):
                        blocked[THIRD[81 * card + chosen[i]]] += 1
                    chosen[depth] = card
                    depth += 1
                card += 1
            else:
                depth -= 1
                if depth == 0:
                    break
                last_chosen = chosen[depth]
                for i in range(depth):
                    blocked[THIRD[81 * last_chosen + chosen[i]]] -= 1
                card = last_chosen + 1
    return choices


def set_free_layouts(deck: int, size: int) -> int:
    """The number of layouts of at least 2 cards without a SET, from the small deck (27) or the full one (81)."""
    return int(count_set_free(deck, size, 0, deck))
