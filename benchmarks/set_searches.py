"""Compiled searches for SETs among any cards, as bytes: measured by `bench_set.py`, and used by tests to count."""

from typing import Any

import numpy as np

from threefold.clauses import helper
from threefold.compiling import compiler
from threefold.setgame.cards import MEGA_DECK, THIRD, third_card


@helper
def block(size: int, chosen: Any, depth: int, blocked: Any) -> None:
    """Marks the cards that would complete a SET with the card chosen last."""
    d = chosen[depth - 1]
    for i in range(depth - 1):
        for j in range(i):
            if size == 4:
                a = chosen[j]
                b = chosen[i]
                blocked[third_card(third_card(a, b), d)] = 1
                blocked[third_card(third_card(a, d), b)] = 1
                blocked[third_card(third_card(b, d), a)] = 1
                continue
            for k in range(j):
                for m in range(k):
                    four = third_card(third_card(chosen[m], chosen[k]), third_card(chosen[j], chosen[i]))
                    blocked[third_card(four, d)] = 1


_compiled = compiler("setgame", module=__name__)

BYTE = np.uint8


@_compiled
def count_sets(cards: Any) -> int:
    """The number of SETs among different cards. Each SET is counted three times, once for each of its pairs."""
    lying = np.zeros(81, BYTE)
    for card in cards:
        lying[card] = 1
    pairs = 0
    for i in range(len(cards)):
        row = MEGA_DECK * np.int64(cards[i])
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
        row = MEGA_DECK * np.int64(cards[i])
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
                        blocked[THIRD[MEGA_DECK * card + chosen[i]]] += 1
                    chosen[depth] = card
                    depth += 1
                card += 1
            else:
                depth -= 1
                if depth == 0:
                    break
                last_chosen = chosen[depth]
                for i in range(depth):
                    blocked[THIRD[MEGA_DECK * last_chosen + chosen[i]]] -= 1
                card = last_chosen + 1
    return choices


def set_free_layouts(deck: int, size: int) -> int:
    """The number of layouts of at least 2 cards without a SET, from the small deck (27) or the full one (81)."""
    return int(count_set_free(deck, size, 0, deck))


@_compiled
def list_ultrasets(cards: Any, found: Any) -> int:
    """Writes every UltraSet into the rows of `found`; returns how many there are. Pairs meet by their third card."""
    first_pair = np.zeros(81, np.int64)
    pairs = np.zeros((3, 66), np.int64)  # of each pair: its cards, and one more than the pair before it with that third
    count = 0
    size = 0
    for i in range(len(cards)):
        row = MEGA_DECK * np.int64(cards[i])
        for j in range(i):
            third = THIRD[row + cards[j]]
            other = first_pair[third]
            while other > 0:
                found[count, 0] = pairs[0, other - 1]
                found[count, 1] = pairs[1, other - 1]
                found[count, 2] = cards[j]
                found[count, 3] = cards[i]
                count += 1
                other = pairs[2, other - 1]
            pairs[0, size] = cards[j]
            pairs[1, size] = cards[i]
            pairs[2, size] = first_pair[third]
            size += 1
            first_pair[third] = size
    return count


@_compiled
def list_ultrasets_of_each(layouts: Any, found: Any, counts: Any) -> None:
    """Every UltraSet of each of many layouts, written into the rows of `found[i]`."""
    for i in range(len(layouts)):
        counts[i] = list_ultrasets(layouts[i], found[i])


@_compiled
def largest_free(size: int, first: int, deck: int) -> int:
    """The most cards of a deck without a SET of four or six cards.

    Whatever cards are moved by one card of the group stay as they are to each other, and any two cards can be the first
    two. So it is enough to look at layouts that have the deck's first two cards.
    """
    chosen = np.zeros(64, np.int64)
    blocked = np.zeros((64, 512), np.int64)
    chosen[0] = first
    chosen[1] = first + 1
    depth = 2
    most = 2
    card = first + 2
    while True:
        if card < first + deck:
            if blocked[depth, card] == 0:
                blocked[depth + 1] = blocked[depth]
                chosen[depth] = card
                depth += 1
                block(size, chosen, depth, blocked[depth])
                most = max(most, depth)
            card += 1
        else:
            depth -= 1
            if depth < 2:
                return most
            card = chosen[depth] + 1


@_compiled
def count_ghosts() -> int:
    """The number of sixes of the 81 cards that are a ghost: five cards in order, and a sixth that comes later."""
    count = 0
    for e in range(81):
        for d in range(e):
            for c in range(d):
                for b in range(c):
                    for a in range(b):
                        four = third_card(third_card(a, b), third_card(d, e))
                        if third_card(four, c) > e:
                            count += 1
    return count
