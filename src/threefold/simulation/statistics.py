"""Honest numbers: shares and means with their 95 % intervals, percentiles, and differences of two of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Z = 1.959964
"""So many standard deviations to each side hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that was estimated, and the interval that holds the true one 95 times in a hundred."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """How far the interval reaches to the side where it reaches further."""
        return max(self.value - self.low, self.high - self.value)

    def as_json(self) -> Any:
        """As `--json` shows it."""
        return {"value": _short(self.value), "low": _short(self.low), "high": _short(self.high)}


def _short(value: float) -> float:
    return round(value, 6)


def share(count: int, total: int) -> Estimate:
    """A share of a total, with Wilson's interval, which holds near 0 and 1 too."""
    if total == 0:
        return Estimate(0.0, 0.0, 1.0)
    value = count / total
    around = 1 + Z * Z / total
    middle = (value + Z * Z / (2 * total)) / around
    reach = Z * math.sqrt(value * (1 - value) / total + Z * Z / (4 * total * total)) / around
    low = 0.0 if count == 0 else max(0.0, middle - reach)
    high = 1.0 if count == total else min(1.0, middle + reach)
    return Estimate(value, low, high)


def mean(total: int, squares: int, count: int, unit: float = 1.0) -> Estimate:
    """A mean from a sum and a sum of squares; in another unit, so many of which make one."""
    if count == 0:
        return Estimate(0.0, -math.inf, math.inf)
    value = total / count
    variance = max(0.0, (squares - total * value) / (count - 1)) if count > 1 else 0.0
    reach = Z * math.sqrt(variance / count) if count > 1 else math.inf
    return Estimate(value / unit, (value - reach) / unit, (value + reach) / unit)


def paired_difference(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """By how much the second is more than the first on average, where each pair had the same cards."""
    count = len(first)
    differences = [b - a for a, b in zip(first, second, strict=True)]
    value = math.fsum(differences) / count
    variance = math.fsum((each - value) ** 2 for each in differences) / (count - 1) if count > 1 else math.inf
    reach = Z * math.sqrt(variance / count)
    return Estimate(value, value - reach, value + reach)


def difference(first: Estimate, second: Estimate) -> Estimate:
    """By how much the second is more than the first, where the two had nothing in common (Newcombe's way)."""
    value = second.value - first.value
    low = value - math.hypot(second.value - second.low, first.high - first.value)
    high = value + math.hypot(second.high - second.value, first.value - first.low)
    return Estimate(value, low, high)


def percentiles(counts: Sequence[int], width: int, wanted: Sequence[int] = (5, 25, 50, 75, 95, 99)) -> dict[int, int]:
    """The values below which so many in a hundred lie, from a histogram whose bars are so wide."""
    total = sum(counts)
    found: dict[int, int] = {}
    passed = 0
    waiting = list(wanted)
    for i, count in enumerate(counts):
        passed += count
        while waiting and passed * 100 >= waiting[0] * total and total:
            found[waiting.pop(0)] = i * width
    return found
