"""Comparison of two simulations: the differences, their confidence intervals, and a sentence about each.

Both use the same seed, so game number g has the same cards and the same seating on both sides if their decks are the
same. Differences are taken game by game, which removes the luck of the cards that both sides share.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from threefold.game import Json
from threefold.karma.table import TURN_LIMIT
from threefold.simulation import karma_games, set_games
from threefold.simulation.karma_simulated import KarmaResult
from threefold.simulation.set_simulated import SetResult
from threefold.simulation.statistics import Estimate, paired_difference

Row = Sequence[int]


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

    first: Any
    second: Any
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


def _side(result: KarmaResult | SetResult) -> Json:
    spec = result.spec
    return {"game": spec.game, "rules": spec.rules, "options": spec.options, "players": list(spec.players)}


def _clearness(each: Difference) -> float:
    """The ratio of the difference to half its interval."""
    half = each.difference.high - each.difference.value
    return abs(each.difference.value) / half if half > 0 else float("inf")


def compare_results(first: KarmaResult | SetResult, second: KarmaResult | SetResult) -> Comparison:
    """Compares two results game by game; both must come from runs with `keep_games`."""
    count = min(len(first.rows), len(second.rows))
    measures = _karma_measures if first.spec.game == "karma" else _set_measures
    places = min(len(first.spec.players), len(second.spec.players))
    differences = []
    for name, (measure, percent) in measures(first.spec.players, second.spec.players, places).items():
        one = [float(measure(row)) for row in first.rows[:count]]
        two = [float(measure(row)) for row in second.rows[:count]]
        differences.append(Difference(name, sum(one) / count, sum(two) / count, paired_difference(one, two), percent))
    return Comparison(first, second, tuple(differences))


Measures = Mapping[str, tuple[Callable[[Row], float], bool]]


def _player_name(first: Sequence[str], second: Sequence[str], place: int) -> str:
    one, two = first[place], second[place]
    return f"player {place + 1} ({one})" if one == two else f"player {place + 1} ({one}, then {two})"


def _equals(column: int, value: int) -> Callable[[Row], float]:
    return lambda row: row[column] == value


def _number(column: int, unit: float = 1.0) -> Callable[[Row], float]:
    return lambda row: row[column] / unit


def _karma_measures(first: Sequence[str], second: Sequence[str], places: int) -> Measures:
    return {
        **{
            f"games lost by {_player_name(first, second, place)}": (_equals(karma_games.LOSER, place), True)
            for place in range(places)
        },
        "games lost by whoever starts": (_equals(karma_games.LOSER_ORDER, 0), True),
        "turns a game": (_number(karma_games.TURNS), False),
        "pick-ups a game": (_number(karma_games.PICK_UPS), False),
        "clears a game": (_number(karma_games.CLEARS), False),
        "games stopped by the turn limit": (_equals(karma_games.ENDING, TURN_LIMIT), True),
    }


def _set_measures(first: Sequence[str], second: Sequence[str], places: int) -> Measures:
    return {
        **{
            f"games won alone by {_player_name(first, second, place)}": (_equals(set_games.WINNER, place), True)
            for place in range(places)
        },
        "SETs a game": (_number(set_games.SETS), False),
        "points lost a game": (_number(set_games.POINTS_LOST), False),
        "seconds a game": (_number(set_games.TENTHS, 10), False),
        "games with 15 cards or more": (lambda row: row[set_games.MOST_LAID] >= 15, True),
        "cards left over": (_number(set_games.LEFT_OVER), False),
    }
