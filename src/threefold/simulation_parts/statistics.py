"""Statistics: shares, means and differences with their 95 % confidence intervals, and percentiles."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Z = 1.959964
"""95 % of a normal distribution lie within this number of standard deviations of the mean."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimated value and its 95 % confidence interval."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """The larger distance from the value to an end of the interval."""
        return max(self.value - self.low, self.high - self.value)

    @property
    def in_percent(self) -> str:
        """A share for people to read: `12.34 ± 0.56 %`."""
        return f"{100 * self.value:.2f} ± {100 * self.margin:.2f} %"

    def as_json(self) -> Any:
        """The output of `--json`."""
        return {"value": _short(self.value), "low": _short(self.low), "high": _short(self.high)}


def _short(value: float) -> float:
    return round(value, 6)


def share(count: int, total: int) -> Estimate:
    """A share of a total, with Wilson's interval, which is valid near 0 and 1 too."""
    if total == 0:
        return Estimate(0.0, 0.0, 1.0)
    value = count / total
    divisor = 1 + Z * Z / total
    middle = (value + Z * Z / (2 * total)) / divisor
    half = Z * math.sqrt(value * (1 - value) / total + Z * Z / (4 * total * total)) / divisor
    low = 0.0 if count == 0 else max(0.0, middle - half)
    high = 1.0 if count == total else min(1.0, middle + half)
    return Estimate(value, low, high)


def mean(total: int, squares: int, count: int, unit: float = 1.0) -> Estimate:
    """A mean from a sum and a sum of squares, divided by `unit`."""
    if count == 0:
        return Estimate(0.0, -math.inf, math.inf)
    value = total / count
    variance = max(0.0, (squares - total * value) / (count - 1)) if count > 1 else 0.0
    half = Z * math.sqrt(variance / count) if count > 1 else math.inf
    return Estimate(value / unit, (value - half) / unit, (value + half) / unit)


def paired_difference(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """The mean of second minus first over pairs of games with the same cards."""
    count = len(first)
    differences = [b - a for a, b in zip(first, second, strict=True)]
    value = math.fsum(differences) / count
    variance = math.fsum((each - value) ** 2 for each in differences) / (count - 1) if count > 1 else math.inf
    half = Z * math.sqrt(variance / count)
    return Estimate(value, value - half, value + half)


def difference(first: Estimate, second: Estimate) -> Estimate:
    """Second minus first, for two independent estimates (Newcombe's method)."""
    value = second.value - first.value
    low = value - math.hypot(second.value - second.low, first.high - first.value)
    high = value + math.hypot(second.high - second.value, first.value - first.low)
    return Estimate(value, low, high)


def percentiles(counts: Sequence[int], width: int, wanted: Sequence[int] = (5, 25, 50, 75, 95, 99)) -> dict[int, int]:
    """The wanted percentiles of a histogram whose bars have this width: percent -> start of the bar."""
    total = sum(counts)
    values: dict[int, int] = {}
    passed = 0
    remaining = list(wanted)
    for i, count in enumerate(counts):
        passed += count
        while remaining and passed * 100 >= remaining[0] * total and total:
            values[remaining.pop(0)] = i * width
    return values
