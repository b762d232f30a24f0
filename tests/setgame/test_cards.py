"""The cards, and what makes three of them a SET."""

import re
from itertools import combinations, product

import pytest

from threefold.setgame.cards import (
    CARD_NAMES,
    CARD_OF,
    FULL_DECK,
    LETTERS,
    SMALL_DECK,
    completes,
    format_card,
    format_cards,
    is_set,
    parse_card,
    third_card,
    values_of,
    why,
    why_not,
)
from threefold.texts import Text, say


def card(name: str) -> int:
    return CARD_OF[name]


@pytest.mark.rule("S1")
def test_each_of_the_81_combinations_of_four_features_exists_once() -> None:
    assert sorted(CARD_NAMES) == sorted("".join(each) for each in product(*LETTERS))
    assert len({values_of(each) for each in range(FULL_DECK)}) == 81


@pytest.mark.rule("S1")
def test_a_card_is_written_as_number_colour_shading_and_shape() -> None:
    assert say(Text("card.2RTO")) == "two striped red ovals"
    assert say(Text("card.1GSD")) == "one solid green diamond"
    assert say(Text("card.3POS")) == "three outlined purple squiggles"


def test_cards_and_their_names_turn_into_each_other() -> None:
    assert [parse_card(name) for name in format_cards(list(range(81)))] == list(range(81))
    assert format_card(parse_card("2RTO")) == "2RTO"


@pytest.mark.rule("S5")
def test_the_small_deck_is_the_27_solid_cards() -> None:
    assert {CARD_NAMES[each] for each in range(SMALL_DECK)} == {name for name in CARD_NAMES if name[2] == "S"}


@pytest.mark.rule("S2")
@pytest.mark.parametrize(
    "cards",
    ["1RSD 1RTD 1ROD", "1RSD 2PSO 3GSS", "1RSD 2PTO 3GOS", "2GOS 2GOO 2GOD", "3PTD 2PTD 1PTD"],
)
def test_three_cards_all_the_same_or_all_different_in_every_feature_are_a_set(cards: str) -> None:
    assert is_set(*map(card, cards.split()))
    assert why_not(*map(card, cards.split())) == []


@pytest.mark.rule("S2")
@pytest.mark.parametrize("cards", ["1RSD 1RSD 2RSD", "1RSD 1PTD 1GTD", "1RSD 2PSO 3GSO", "1RSD 2RSD 2RSO"])
def test_one_feature_that_fails_spoils_the_set(cards: str) -> None:
    assert not is_set(*map(card, cards.split()))


@pytest.mark.rule("S2")
def test_the_table_of_third_cards_agrees_with_the_definition_for_every_three_cards() -> None:
    for a, b, c in combinations(range(FULL_DECK), 3):
        assert completes(a, b, c) == is_set(a, b, c)


@pytest.mark.rule("S3")
@pytest.mark.parametrize(
    ("cards", "sentences"),
    [
        ("1RSD 1RSO 1PSS", ["Colour: 2 red, 1 purple."]),
        ("1RSD 1PSO 1RSS", ["Colour: 2 red, 1 purple."]),
        ("1PSD 1RSO 1RSS", ["Colour: 2 red, 1 purple."]),
        ("1RSD 1RSD 2RSD", ["Number: 2 with one symbol, 1 with two."]),
        ("3RSD 2RTD 2RSD", ["Number: 2 with two symbols, 1 with three.", "Shading: 2 solid, 1 striped."]),
        ("1GOD 1GOO 1GOO", ["Shape: 2 ovals, 1 diamond."]),
        ("1GOO 1GOS 1GOS", ["Shape: 2 squiggles, 1 oval."]),
    ],
)
def test_the_quick_check_names_every_failing_feature_and_how(cards: str, sentences: list[str]) -> None:
    assert [say(reason) for reason in why_not(*map(card, cards.split()))] == sentences


@pytest.mark.rule("S3")
def test_every_reason_has_a_sentence_and_a_feature() -> None:
    for cards in combinations(range(FULL_DECK), 3):
        reasons = why_not(*cards)
        assert (reasons == []) == is_set(*cards)
        for reason in reasons if cards[0] % 7 == 0 else ():
            assert re.fullmatch(r"\w+: 2 [a-z ]+, 1 [a-z ]+\.", say(reason))
            assert reason.key.split(".")[2] == reason.parameters["feature"]


@pytest.mark.rule("S4")
def test_for_any_two_cards_exactly_one_third_completes_a_set() -> None:
    for a, b in combinations(range(FULL_DECK), 2):
        c = third_card(a, b)
        assert c not in (a, b)
        assert is_set(a, b, c)
        assert third_card(b, a) == c
        assert third_card(a, c) == b


@pytest.mark.rule("S5")
def test_the_third_card_of_two_solid_cards_is_solid() -> None:
    assert all(third_card(a, b) < SMALL_DECK for a, b in combinations(range(SMALL_DECK), 2))


def test_a_set_is_explained_feature_by_feature() -> None:
    reasons = why(card("1RSD"), card("2RTD"), card("3ROD"))
    assert [each.key for each in reasons] == [
        "set.why.number.different",
        "set.why.colour.same",
        "set.why.shading.different",
        "set.why.shape.same",
    ]
