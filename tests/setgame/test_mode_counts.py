"""How many SETs of each mode there are, and among how many cards there is always one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import set_searches
from threefold.setgame.cards import (
    CARD_VALUES,
    FULL_DECK,
    MEGA_DECK,
    QUADS_DECK,
    QUADS_FROM,
    QUADS_SMALL_DECK,
    SMALL_DECK,
    is_quad,
    third_card,
)
from threefold.setgame.moves import take_all
from threefold.setgame.search import all_sets_of, makes_a_set

QUADS = range(QUADS_FROM, QUADS_FROM + QUADS_DECK)


@pytest.mark.rule("M21")
def test_there_are_63180_ultrasets_and_2106_in_the_small_deck() -> None:
    assert len(all_sets_of(4, range(SMALL_DECK))) == 2106
    assert len(all_sets_of(4, range(FULL_DECK))) == 63_180


@pytest.mark.rule("M51")
def test_there_are_10416_quads_and_140_in_the_small_deck() -> None:
    assert len(all_sets_of(4, QUADS)) == 10_416
    assert len(all_sets_of(4, QUADS[:QUADS_SMALL_DECK])) == 140


@pytest.mark.rule("M61")
def test_there_are_10998_ghosts_in_the_small_deck() -> None:
    assert len(all_sets_of(6, range(SMALL_DECK))) == 10_998


@pytest.mark.rule("M61")
def test_there_are_4007016_ghosts() -> None:
    assert set_searches.count_ghosts() == 4_007_016


@pytest.mark.rule("M71")
def test_mega_has_243_cards_and_9801_sets() -> None:
    assert len(set(CARD_VALUES[:MEGA_DECK])) == MEGA_DECK
    assert len(all_sets_of(3, range(MEGA_DECK))) == 9801


@pytest.mark.parametrize(
    ("size", "first", "deck", "most"),
    [
        pytest.param(4, 0, FULL_DECK, 9, marks=pytest.mark.rule("M22"), id="any 10 cards hold an UltraSet"),
        pytest.param(4, 0, SMALL_DECK, 6, marks=pytest.mark.rule("M22"), id="any 7 of the small deck"),
        pytest.param(4, QUADS_FROM, QUADS_DECK, 9, marks=pytest.mark.rule("M51"), id="any 10 cards hold a quad"),
        pytest.param(4, QUADS_FROM, QUADS_SMALL_DECK, 6, marks=pytest.mark.rule("M51"), id="any 7 of the 16"),
        pytest.param(6, 0, SMALL_DECK, 9, marks=pytest.mark.rule("M61"), id="any 10 of the small deck hold a ghost"),
    ],
)
def test_so_many_cards_at_most_hold_none(size: int, first: int, deck: int, most: int) -> None:
    assert set_searches.largest_free(size, first, deck) == most


@pytest.mark.rule("M21")
@given(st.lists(st.integers(0, FULL_DECK - 1), unique=True, min_size=4, max_size=10))
def test_the_search_finds_the_ultrasets_that_the_definition_says(cards: list[int]) -> None:
    def is_ultraset(four: tuple[int, ...]) -> bool:
        a, b, c, d = four
        pairings = (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
        return any(third_card(*one) == third_card(*other) for one, other in pairings)

    found = [each for each in combinations(cards, 4) if is_ultraset(each)]
    assert sorted(all_sets_of(4, cards)) == sorted(found)
    rows = np.zeros((200, 4), np.uint8)
    count = set_searches.list_ultrasets(np.array(cards, np.uint8), rows)
    assert {frozenset(row) for row in rows[:count].tolist()} == {frozenset(each) for each in found}
    assert count == len(found)


@pytest.mark.rule("M51")
@given(st.lists(st.sampled_from(QUADS), unique=True, min_size=4, max_size=10))
def test_the_search_finds_the_quads_that_the_definition_says(cards: list[int]) -> None:
    assert all_sets_of(4, cards) == [each for each in combinations(cards, 4) if is_quad(*each)]


@pytest.mark.rule("M61")
@given(st.permutations(range(FULL_DECK)).map(lambda cards: cards[:9]))
def test_six_cards_are_a_ghost_if_each_feature_sums_to_zero_however_they_are_paired(cards: list[int]) -> None:
    def sums_to_zero(six: tuple[int, ...]) -> bool:
        return all(sum(CARD_VALUES[card][i] for card in six) % 3 == 0 for i in range(4))

    found = [each for each in combinations(cards, 6) if sums_to_zero(each)]
    assert all_sets_of(6, cards) == found
    for six in found:
        assert makes_a_set(6, take_all(six[::-1]))
        assert makes_a_set(6, take_all((*six[3:], *six[:3])))
