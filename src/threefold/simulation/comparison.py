"""Comparison of two simulations: the differences, their confidence intervals, and a sentence about each.

Both use the same seed, so game number g has the same cards and the same seating on both sides if their decks are the
same. Differences are taken game by game, which removes the luck of the cards that both sides share.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from threefold.game import Json
from threefold.simulation_parts.results import Result
from threefold.simulation_parts.statistics import Estimate, paired_difference


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure of both sides, and the difference."""

    name: str
    first: float
    second: float
    difference: Estimate
    percent: bool  # a share, shown in percent

    @property
    def is_clear(self) -> bool:
        """Does the interval exclude zero?"""
        return self.difference.low > 0 or self.difference.high < 0

    @property
    def sentence(self) -> str:
        """The result as a sentence."""
        first, second = self._show(self.first), self._show(self.second)
        around = f"{self._show(self.difference.low, sign=True)} to {self._show(self.difference.high, sign=True)}"
        if not self.is_clear:
            return f"{self.name}: {first} and {second}; no difference can be seen ({around})."
        word = "more" if self.difference.value > 0 else "less"
        by = self._show(abs(self.difference.value))
        return f"{self.name}: {second} instead of {first}, {by} {word} ({around})."

    def _show(self, value: float, *, sign: bool = False) -> str:
        plus = "+" if sign else ""
        return f"{100 * value:{plus}.2f} %" if self.percent else f"{value:{plus}.2f}"

    def as_json(self) -> Json:
        """The output of `--json`."""
        return {
            "name": self.name,
            "first": round(self.first, 6),
            "second": round(self.second, 6),
            "difference": self.difference.as_json(),
            "clear": self.is_clear,
            "sentence": self.sentence,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences between two results, in all measures."""

    first: Result
    second: Result
    differences: tuple[Difference, ...]

    @property
    def sentence(self) -> str:
        """The clearest difference as a sentence, or that there is none."""
        clear = [each for each in self.differences if each.is_clear]
        if not clear:
            return f"No difference can be seen in {self.first.games:,} games."
        return max(clear, key=_clearness).sentence

    def __getitem__(self, name: str) -> Difference:
        return next(each for each in self.differences if each.name == name)

    def as_json(self) -> Json:
        """The output of `--json`."""
        return {
            "games": self.first.games,
            "first": _side(self.first),
            "second": _side(self.second),
            "differences": [each.as_json() for each in self.differences],
            "sentence": self.sentence,
        }


def _side(result: Result) -> Json:
    spec = result.spec
    return {"game": spec.game, "rules": spec.rules, "options": spec.options, "players": list(spec.players)}


def _clearness(each: Difference) -> float:
    """The ratio of the difference to half its interval."""
    half = each.difference.high - each.difference.value
    return abs(each.difference.value) / half if half > 0 else float("inf")


def compare_results(first: Result, second: Result) -> Comparison:
    """Compares two results game by game; both must come from runs with `keep_games`."""
    count = min(len(first.rows), len(second.rows))
    places = min(len(first.spec.players), len(second.spec.players))
    names = [_player_name(first.spec.players, second.spec.players, place) for place in range(places)]
    differences = []
    for each in first.measures(names):
        one = [float(each.of(row)) for row in first.rows[:count]]
        two = [float(each.of(row)) for row in second.rows[:count]]
        means = sum(one) / count, sum(two) / count
        differences.append(Difference(each.name, *means, paired_difference(one, two), each.percent))
    return Comparison(first, second, tuple(differences))


def _player_name(first: Sequence[str], second: Sequence[str], place: int) -> str:
    one, two = first[place], second[place]
    return f"player {place + 1} ({one})" if one == two else f"player {place + 1} ({one}, then {two})"
