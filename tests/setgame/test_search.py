"""Searching: all SETs, counts, hints."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.setgame.tables import NO_SET, ONE_SET, table
from threefold import setgame
from threefold.setgame.cards import CARD_OF, is_set
from threefold.setgame.moves import cards_in
from threefold.setgame.search import (
    all_sets,
    count_sets,
    difficulty,
    first_set,
    hint,
    holds_a_set,
    nth_set,
    sets_within_reach,
)

some_cards = st.lists(st.integers(0, 80), unique=True, max_size=21)


@given(some_cards)
def test_the_search_finds_what_the_definition_says_and_in_the_order_of_the_cards(cards: list[int]) -> None:
    found = [each for each in combinations(cards, 3) if is_set(*each)]
    assert sorted(all_sets(cards)) == sorted(found)
    assert all_sets(cards) == found
    assert count_sets(cards) == len(found)
    assert holds_a_set(cards) == bool(found)


def test_a_hint_is_one_two_or_three_cards_of_the_same_easiest_set() -> None:
    cards = [CARD_OF[name] for name in ["1RSD", "2PTO", "3GOS", *["1RTD", "1ROD"]]]
    assert [difficulty(*each) for each in all_sets(cards)] == [4, 1]
    assert [len(hint(cards, count)) for count in (1, 2, 3)] == [1, 2, 3]
    whole = hint(cards, 3)
    assert difficulty(whole[0], whole[1], whole[2]) == 1
    assert hint(cards, 2) == whole[:2]
    assert hint([CARD_OF[name] for name in NO_SET.split()], 3) == ()


def test_the_table_gives_a_player_hints() -> None:
    lying = table("full; players 2; layout ONE_SET")
    assert setgame.hint(lying, 1) == ["1RSD"]
    assert setgame.hint(lying, 1, 3) == ["1RSD", "1RTD", "1ROD"]
    assert setgame.hint(table("full; players 2; layout NO_SET"), 1, 3) == []


@pytest.mark.rule("T2")
@given(st.lists(st.integers(0, 80), unique=True, min_size=14, max_size=21))
def test_the_search_on_a_table_finds_the_sets_of_centre_and_own_cards(cards: list[int]) -> None:
    names = [" ".join(list(CARD_OF)[card] for card in part) for part in (cards[:6], cards[6:13], cards[13:])]
    lying = table(f"twenty_twenty; players 2; layout {names[0]}; personal 0 {names[1]}; personal 1 {names[2]}; deck")
    for player, own in enumerate((cards[6:13], cards[13:])):
        found = all_sets([*cards[:6], *own])
        assert sets_within_reach(lying.deal.variant, lying, player) == len(found)
        takes = [nth_set(lying.deal.variant, lying, player, n) for n in range(len(found))]
        assert [tuple(cards_in(each)) for each in takes] == found
        assert nth_set(lying.deal.variant, lying, player, len(found)) == 0
        assert first_set(lying.deal.variant, lying, player) == (takes[0] if takes else 0)


def test_the_search_on_a_table_passes_over_gaps() -> None:
    gaps = ONE_SET.replace("1RSO", ".").replace("2RSO", ".")
    lying = table(f"full; players 2; layout {gaps}; deck")
    assert sets_within_reach(lying.deal.variant, lying, 0) == 1
    assert first_set(lying.deal.variant, lying, 0) == nth_set(lying.deal.variant, lying, 0, 0) != 0
    assert nth_set(lying.deal.variant, lying, 0, 1) == 0
