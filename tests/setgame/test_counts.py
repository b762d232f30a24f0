"""Closed counts, by the engine's own searches: plain where that is quick, compiled for the rest."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import set_searches
from threefold.setgame.search import all_sets, count_sets, holds_a_set

SET_FREE = {
    81: {2: 3_240, 3: 84_240, 4: 1_579_500, 5: 22_441_536, 6: 247_615_056},
    27: {2: 351, 3: 2_808, 4: 14_742, 5: 50_544, 6: 107_406, 7: 126_360, 8: 63_180, 9: 2_106, 10: 0},
}
"""Cards in the deck -> cards laid -> layouts without a SET."""


@pytest.mark.rule("S2")
@pytest.mark.parametrize(("deck", "sets", "through_each"), [(81, 1080, 40), (27, 117, 13)])
def test_so_many_sets_there_are_and_so_many_through_each_card(deck: int, sets: int, through_each: int) -> None:
    found = all_sets(range(deck))
    assert len(found) == count_sets(range(deck)) == sets
    assert set(Counter(card for each in found for card in each).values()) == {through_each}


@pytest.mark.parametrize(("deck", "size"), [(81, 3), (27, 3), (27, 4), (27, 5)])
def test_layouts_without_a_set_counted_plainly(deck: int, size: int) -> None:
    layouts = combinations(range(deck), size)
    assert sum(not holds_a_set(cards) for cards in layouts) == SET_FREE[deck][size]


@pytest.mark.parametrize(("deck", "size"), [(deck, size) for deck, counts in SET_FREE.items() for size in counts])
def test_layouts_without_a_set_counted_by_the_compiled_search(deck: int, size: int) -> None:
    assert set_searches.set_free_layouts(deck, size) == SET_FREE[deck][size]


def test_twelve_cards_hold_220_79ths_of_a_set_on_average() -> None:
    each_triple_lies = Fraction(comb(12, 3), comb(81, 3))
    assert count_sets(range(81)) * each_triple_lies == Fraction(220, 79)


@given(st.lists(st.integers(0, 80), unique=True, max_size=21))
def test_the_compiled_search_finds_what_the_plain_one_finds(cards: list[int]) -> None:
    found = np.zeros((210, 3), np.uint8)
    given_cards = np.array(cards, np.uint8)
    count = set_searches.list_sets(given_cards, found)
    assert [tuple(row) for row in found[:count].tolist()] == all_sets(cards)
    assert set_searches.count_sets(given_cards) == count


def test_many_layouts_are_searched_at_once() -> None:
    chance = np.random.default_rng(12)
    layouts = np.stack([chance.permutation(81)[:12] for _ in range(200)]).astype(np.uint8)
    counts, listed = np.zeros(200, np.int64), np.zeros(200, np.int64)
    found = np.zeros((200, 66, 3), np.uint8)
    set_searches.count_sets_of_each(layouts, counts)
    set_searches.list_sets_of_each(layouts, found, listed)
    assert counts.tolist() == listed.tolist() == [count_sets(row) for row in layouts.tolist()]
    for i in range(200):
        assert [tuple(row) for row in found[i, : listed[i]].tolist()] == all_sets(layouts[i].tolist())
