"""How fast people find SETs: the findings hold for every layout by the model itself, not by lucky draws."""

from itertools import pairwise

import pytest

from threefold.setgame import SET
from threefold.setgame.bot_view import SetView, read_view
from threefold.setgame.bots.human import EXPONENTIAL, HUMAN_LEVELS, race
from threefold.setgame.bots.sense import SetChoice
from threefold.setgame.cards import FULL_DECK, format_cards, is_set, parse_card
from threefold.setgame.pace import ASSUMED, FINDINGS, PACES, TYPICAL, Pace, expected_ms, means_to_see
from threefold.shuffle import random_from, shuffle


def shuffled(number: int) -> list[int]:
    deck = list(range(FULL_DECK))
    shuffle(deck, len(deck), random_from(f"v1:{number}", "deck"))
    return deck


LEVELS = range(HUMAN_LEVELS)
NEIGHBOURS = [*pairwise(LEVELS)]
LAYOUTS = [shuffled(number)[: 12 + 3 * (number % 4)] for number in range(400)]
EASY, HARD = "1RSD 1RSO 1RSS", "1RSD 2PTO 3GOS"


def trio(names: str) -> tuple[int, int, int]:
    a, b, c = cards(names)
    return a, b, c


def cards(names: str) -> list[int]:
    return [parse_card(name) for name in names.split()]


def expected(level: int, layout: list[int]) -> float:
    time = expected_ms(level, layout)
    assert time is not None
    return time


@pytest.mark.parametrize(("slower", "faster"), NEIGHBOURS)
def test_every_level_sees_every_set_of_every_layout_sooner_than_the_one_before(slower: int, faster: int) -> None:
    for layout in LAYOUTS:
        before, after = means_to_see(slower, layout), means_to_see(faster, layout)
        assert before.keys() == after.keys()
        assert all(after[each] < before[each] for each in before)
        assert not before or expected(faster, layout) < expected(slower, layout)


@pytest.mark.parametrize(("slower", "faster"), NEIGHBOURS)
def test_with_the_same_luck_the_higher_level_is_first(slower: int, faster: int) -> None:
    for number, layout in enumerate(LAYOUTS):
        times = []
        for level in (slower, faster):
            choice = SetChoice(0, 0, 0)
            race(level, view_of(layout), random_from(f"v1:{number}"), choice)
            times.append(choice.after_ms + PACES[level].hand_ms)
        assert times[1] < times[0] or not means_to_see(slower, layout)


def view_of(layout: list[int]) -> SetView:
    table = SET.new({"variant": "full", "players": 2, "seed": "v1:x"})
    return read_view({**SET.view(table, 0), "layout": format_cards(layout)})


@pytest.mark.parametrize("field", ["hand_ms", "patience_ms", "slips"])
def test_higher_levels_have_quicker_hands_less_patience_and_fewer_slips(field: str) -> None:
    values = [getattr(pace, field) for pace in PACES]
    assert values == sorted(set(values), reverse=True)


def test_beginners_and_experts_are_close_on_easy_sets_and_far_apart_on_hard_ones() -> None:
    factors = [PACES[0].sees_ms[features] / PACES[-1].sees_ms[features] for features in range(4)]
    assert factors == sorted(factors)
    assert factors[0] < 3
    assert factors[3] > 10
    assert expected(0, cards(EASY)) < 3 * expected(4, cards(EASY))
    assert expected(0, cards(HARD)) > 10 * expected(4, cards(HARD))


@pytest.mark.parametrize("level", LEVELS)
def test_the_more_features_differ_the_later_a_set_is_seen(level: int) -> None:
    layouts = ["1RSD 1RSO 1RSS", "1RSD 1RTO 1ROS", "1RSD 1PTO 1GOS", "1RSD 2PTO 3GOS"]
    times = [*PACES[level].sees_ms]
    assert times == sorted(set(times))
    assert [expected(level, cards(each)) for each in layouts] == sorted(expected(level, cards(e)) for e in layouts)


@pytest.mark.parametrize("level", LEVELS)
def test_rates_add(level: int) -> None:
    hand = PACES[level].hand_ms
    for layout in LAYOUTS[:50]:
        means = means_to_see(level, layout).values()
        if means:
            assert 1 / (expected(level, layout) - hand) == pytest.approx(sum(1 / mean for mean in means))


@pytest.mark.parametrize("level", LEVELS)
def test_sets_of_the_most_frequent_value_are_seen_sooner(level: int) -> None:
    red, green = ("1RSD", "2RTO", "3ROS"), ("1GSD", "2GTO", "3GOS")
    more_red, more_green = ("1RTD", "2ROO"), ("1GTD", "2GOO")
    a, b = (cards(" ".join((*red, *green, *more))) for more in (more_red, more_green))
    the_red, the_green = trio(" ".join(red)), trio(" ".join(green))
    assert means_to_see(level, a)[the_red] < means_to_see(level, b)[the_red]
    assert means_to_see(level, a)[the_green] > means_to_see(level, b)[the_green]


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_set_is_seen_later_among_more_cards(level: int) -> None:
    among = [means_to_see(level, cards(EASY) + fill)[trio(EASY)] for fill in ([], [40, 44], [40, 44, 50, 53])]
    assert among == sorted(set(among))


def test_the_model_knows_the_sets_and_no_other_cards() -> None:
    for layout in LAYOUTS:
        means = means_to_see(0, layout)
        assert all(is_set(*each) and set(each) <= set(layout) for each in means)
        n = len(layout)
        threes = ((layout[i], layout[j], layout[k]) for i in range(n) for j in range(i + 1, n) for k in range(j + 1, n))
        assert len(means) == sum(is_set(*three) for three in threes)
        assert (expected_ms(0, layout) is None) == (not means)


def test_the_table_of_waiting_times_has_the_mean_that_it_stands_for() -> None:
    assert sum(EXPONENTIAL) / len(EXPONENTIAL) / 40 == pytest.approx(1, abs=0.01)


def test_every_parameter_says_that_it_is_assumed_and_every_finding_where_it_counts() -> None:
    named = {*Pace.__slots__, "ABUNDANT_PERCENT", "USUAL_CARDS", "LARGER_SETS", "TYPICAL"}
    assert set(ASSUMED) == named
    assert {each.model for each in FINDINGS} <= named | {"rates add", "five levels"}
    assert all(each.source for each in FINDINGS)
    assert TYPICAL in PACES
