"""The arithmetic of estimates: intervals that hold what they promise."""

import math

import pytest

from threefold.shuffle import below, random_from
from threefold.simulation_parts.statistics import difference, mean, paired_difference, percentiles, share


def test_wilsons_interval_is_the_known_one() -> None:
    found = share(10, 100)
    assert (found.low, found.high) == pytest.approx((0.05523, 0.17437), abs=1e-5)


def test_a_share_of_nothing_or_everything_keeps_an_open_side() -> None:
    assert share(0, 50).low == 0.0 < share(0, 50).high < 0.1
    assert share(50, 50).high == 1.0 > share(50, 50).low > 0.9
    assert (share(0, 0).low, share(0, 0).high) == (0.0, 1.0)


def test_the_interval_of_a_share_holds_the_truth_about_95_times_in_a_hundred() -> None:
    random = random_from("v1:coverage")
    held = 0
    for _ in range(1000):
        found = share(sum(below(random, 4) == 0 for _ in range(200)), 200)
        held += found.low <= 0.25 <= found.high
    assert 930 <= held <= 970


def test_the_mean_of_one_two_three_is_two() -> None:
    found = mean(6, 14, 3)
    assert found.value == 2
    assert found.high - 2 == pytest.approx(1.959964 / math.sqrt(3), abs=1e-6)


def test_pairs_that_differ_alike_have_a_sure_difference() -> None:
    found = paired_difference([1, 2, 3, 4], [2, 3, 4, 5])
    assert (found.low, found.value, found.high) == (1, 1, 1)


def test_the_difference_of_two_shares_is_newcombes() -> None:
    found = difference(share(48, 80), share(56, 70))
    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-3)


def test_percentiles_come_from_the_bars() -> None:
    assert percentiles([0, 50, 49, 1], 10, (5, 50, 99, 100)) == {5: 10, 50: 10, 99: 20, 100: 30}
