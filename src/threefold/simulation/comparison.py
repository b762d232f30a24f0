"""Two simulations side by side: what differs, by how much, how sure that is, and a plain sentence about it.

Both play with the same seed, so game number g has the same cards and the same seating on both sides wherever the decks
are the same. Differences are taken game by game: luck with the cards that both sides share drops out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from threefold.game import Json
from threefold.karma.table import TURN_LIMIT
from threefold.simulation import karma_games, set_games
from threefold.simulation.results import KarmaResult, SetResult
from threefold.simulation.statistics import Estimate, paired_difference

Row = Sequence[int]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that was compared."""

    name: str
    first: float
    second: float
    difference: Estimate
    percent: bool  # a share, shown in percent

    @property
    def is_clear(self) -> bool:
        """Does the interval leave zero out?"""
        return self.difference.low > 0 or self.difference.high < 0

    @property
    def sentence(self) -> str:
        """What was found, in words."""
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
        """As `--json` shows it."""
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
    """All that was compared."""

    first: Any
    second: Any
    differences: tuple[Difference, ...]

    @property
    def sentence(self) -> str:
        """The most telling difference: the clearest one, or that there is none."""
        clear = [each for each in self.differences if each.is_clear]
        if not clear:
            return f"No difference can be seen in {self.first.games:,} games."
        return max(clear, key=_clearness).sentence

    def __getitem__(self, name: str) -> Difference:
        return next(each for each in self.differences if each.name == name)

    def as_json(self) -> Json:
        """As `--json` shows it."""
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
    """How many times the interval's half goes into the difference."""
    reach = each.difference.high - each.difference.value
    return abs(each.difference.value) / reach if reach > 0 else float("inf")


def compared(first: KarmaResult | SetResult, second: KarmaResult | SetResult) -> Comparison:
    """Compares two results game by game; both must have kept their games."""
    count = min(len(first.rows), len(second.rows))
    measures = _karma_measures if first.spec.game == "karma" else _set_measures
    places = min(len(first.spec.players), len(second.spec.players))
    found = []
    for name, (measure, percent) in measures(first.spec.players, second.spec.players, places).items():
        one = [float(measure(row)) for row in first.rows[:count]]
        two = [float(measure(row)) for row in second.rows[:count]]
        found.append(Difference(name, sum(one) / count, sum(two) / count, paired_difference(one, two), percent))
    return Comparison(first, second, tuple(found))


Measures = Mapping[str, tuple[Callable[[Row], float], bool]]


def _who(first: Sequence[str], second: Sequence[str], place: int) -> str:
    one, two = first[place], second[place]
    return f"player {place + 1} ({one})" if one == two else f"player {place + 1} ({one}, then {two})"


def _equals(column: int, value: int) -> Callable[[Row], float]:
    return lambda row: row[column] == value


def _number(column: int, unit: float = 1.0) -> Callable[[Row], float]:
    return lambda row: row[column] / unit


def _karma_measures(first: Sequence[str], second: Sequence[str], places: int) -> Measures:
    return {
        **{
            f"games lost by {_who(first, second, place)}": (_equals(karma_games.LOSER, place), True)
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
            f"games won alone by {_who(first, second, place)}": (_equals(set_games.WINNER, place), True)
            for place in range(places)
        },
        "SETs a game": (_number(set_games.SETS), False),
        "points lost a game": (_number(set_games.POINTS_LOST), False),
        "seconds a game": (_number(set_games.TENTHS, 10), False),
        "games with 15 cards or more": (lambda row: row[set_games.MOST_LAID] >= 15, True),
        "cards left over": (_number(set_games.LEFT_OVER), False),
    }
