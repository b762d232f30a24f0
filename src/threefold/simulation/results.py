"""The result of many games: rates and lengths. Games with more to tell add it in classes of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from threefold.game import Json
from threefold.simulation.jobs import Spec, Tally, simulated
from threefold.simulation.runner import Run
from threefold.simulation.statistics import Estimate, percentiles, share

Rows = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """The results of one player. `rate` is the share of games lost in Karma, of games won in SET."""

    place: int
    bot: str
    rate: Estimate
    numbers: dict[str, float]


def rates_by_bot(players: Sequence[str], counts: Sequence[int], games: int) -> dict[str, Estimate]:
    """The rate of each bot, over all places where it sat; `counts` are by player."""
    totals: dict[str, list[int]] = {}
    for bot, count in zip(players, counts, strict=False):
        total = totals.setdefault(bot, [0, 0])
        total[0] += count
        total[1] += games
    return {bot: share(*total) for bot, total in totals.items()}


class Result:
    """The part of a result that all games share."""

    rated: ClassVar[str]
    """The counts in the tally that the rates of bots and players come from."""
    rate_name: ClassVar[str]
    """The name of a player's rate in JSON."""
    player_numbers: ClassVar[Mapping[str, str]]
    """The numbers of each player, per game -> their counts in the tally."""

    def __init__(self, run: Run) -> None:
        self.spec: Spec = run.spec
        self.tally: Tally = run.tally
        self.rows: Rows = run.rows
        self.seconds = run.seconds
        self.interrupted = run.interrupted
        self.precise_enough = run.precise_enough

    @property
    def games(self) -> int:
        """The number of games played."""
        return int(self.tally["games"])

    @property
    def moves(self) -> int:
        """The number of moves in all games."""
        return int(self.tally["moves"])

    @property
    def histogram(self) -> list[tuple[int, int]]:
        """Pairs of length (turns in Karma, seconds in SET) and number of games, without the empty bars at the end."""
        width = simulated(self.spec.kit).bin_width(self.spec)
        counts = self.tally["lengths"]
        last = max((i for i, count in enumerate(counts) if count), default=0)
        return [(i * width, count) for i, count in enumerate(counts[: last + 1])]

    @property
    def length_percentiles(self) -> dict[int, int]:
        """Percentiles of the length (turns in Karma, seconds in SET)."""
        return percentiles(self.tally["lengths"], simulated(self.spec.kit).bin_width(self.spec))

    @property
    def bots(self) -> dict[str, Estimate]:
        """The rate of each bot over all places where it sat: games lost in Karma, games won or shared in SET."""
        return rates_by_bot(self.spec.players, self.tally[self.rated], self.games)

    @property
    def by_player(self) -> list[PlayerResult]:
        """The results of each player, in the order of `Spec.players`."""
        return [
            PlayerResult(
                place,
                bot,
                share(self.tally[self.rated][place], self.games),
                {name: self.tally[counts][place] / self.games for name, counts in self.player_numbers.items()},
            )
            for place, bot in enumerate(self.spec.players)
        ]

    def _rates_as_json(self) -> dict[str, Json]:
        return {
            "bots": {bot: rate.as_json() for bot, rate in self.bots.items()},
            "by_player": [
                {
                    "bot": each.bot,
                    self.rate_name: each.rate.as_json(),
                    **{name: round(number, 6) for name, number in each.numbers.items()},
                }
                for each in self.by_player
            ],
        }

    def _length_as_json(self, average: Estimate) -> dict[str, Json]:
        return {
            **average.as_json(),
            "percentiles": {str(percent): length for percent, length in self.length_percentiles.items()},
            "histogram": [list(each) for each in self.histogram if each[1]],
        }

    def as_json(self) -> dict[str, Json]:
        """The output of `--json`. The same seed gives the same bytes."""
        return {**self._head(), **self._rates_as_json()}

    def game_rows(self) -> list[dict[str, Json]]:
        """One row per game, with names instead of codes."""
        return [{"game": number} for number in range(len(self.rows))]

    def _head(self) -> dict[str, Json]:
        return {
            "game": self.spec.game,
            "players": list(self.spec.players),
            "seed": self.spec.seed,
            "games": self.games,
            "moves": self.moves,
            "interrupted": self.interrupted,
        }
