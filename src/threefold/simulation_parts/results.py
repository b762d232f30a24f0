"""The result of many games: rates and lengths. Games with more to tell add it in classes of their own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from threefold.game import Json
from threefold.simulation_parts.plots import dot_plot, histogram
from threefold.simulation_parts.shown import Fact, Grid, Section, Shown, html_table
from threefold.simulation_parts.spec import Spec, Tally, simulated
from threefold.simulation_parts.statistics import Estimate, percentiles, share

Row = Sequence[int]


@dataclass(slots=True)
class Run:
    """The outcome of a run: the sum of all chunks, a row for each game if they were kept, and why it ended early."""

    spec: Spec
    tally: Tally
    rows: list[list[int]] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False
    precise_enough: bool = False


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """The results of one player. `rate` is the share of games that the player won, or lost if the game counts those."""

    place: int
    bot: str
    rate: Estimate
    numbers: dict[str, float]


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of every single game, by which two simulations are compared."""

    name: str
    of: Callable[[Row], float]
    percent: bool = False  # a share, shown in percent


def equals(column: int, value: int) -> Callable[[Row], float]:
    """1 if the column of a row has this value."""
    return lambda row: row[column] == value


def number(column: int, unit: float = 1.0) -> Callable[[Row], float]:
    """The column of a row, in this unit."""
    return lambda row: row[column] / unit


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

    rated: ClassVar[str] = "wins"
    """The counts in the tally that the rates of bots and players come from."""
    rate_name: ClassVar[str] = "won"
    """The name of a player's rate."""
    rated_column: ClassVar[int]
    """The column of a game's row with the place of the only player who is counted in `rated`, or -1."""
    measured_rate: ClassVar[str] = "games won alone"
    """The name of that column in a comparison."""
    best_is_lowest: ClassVar[bool] = False
    """Is the lowest rate the best?"""
    best_does: ClassVar[str] = "wins most"
    """What the best bot does, for a sentence."""
    player_numbers: ClassVar[Mapping[str, str]] = {}
    """The numbers of each player, per game -> their counts in the tally."""
    unit: ClassVar[str] = "moves"
    """The unit of the length of games."""

    def __init__(self, run: Run) -> None:
        self.spec: Spec = run.spec
        self.tally: Tally = run.tally
        self.rows: Sequence[Row] = run.rows
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
        """Pairs of length, in `unit`, and number of games, without the empty bars at the end."""
        width = simulated(self.spec.kit).bin_width(self.spec)
        counts = self.tally["lengths"]
        last = max((i for i, count in enumerate(counts) if count), default=0)
        return [(i * width, count) for i, count in enumerate(counts[: last + 1])]

    @property
    def length_percentiles(self) -> dict[int, int]:
        """Percentiles of the length, in `unit`."""
        return percentiles(self.tally["lengths"], simulated(self.spec.kit).bin_width(self.spec))

    @property
    def bots(self) -> dict[str, Estimate]:
        """The rate of each bot over all places where it sat."""
        return rates_by_bot(self.spec.players, self.tally[self.rated], self.games)

    @property
    def best_bot(self) -> str | None:
        """The bot that is clearly better than all others."""
        rates = self.bots
        order = sorted(rates, key=lambda bot: rates[bot].value, reverse=not self.best_is_lowest)
        if len(order) < 2:
            return None
        best, second = rates[order[0]], rates[order[1]]
        is_clear = best.high < second.low if self.best_is_lowest else best.low > second.high
        return order[0] if is_clear else None

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

    # ---------------------------------------------------------------- JSON and rows

    def _head(self) -> dict[str, Json]:
        return {
            "game": self.spec.game,
            "players": list(self.spec.players),
            "seed": self.spec.seed,
            "games": self.games,
            "moves": self.moves,
            "interrupted": self.interrupted,
        }

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
        return [{"game": i, **self.named(row)} for i, row in enumerate(self.rows)]

    def named(self, row: Row) -> dict[str, Json]:
        """A row of a game, with names instead of codes."""
        raise NotImplementedError

    def bot_at(self, place: int) -> Json:
        """The bot at a place of `Spec.players`; None for no place."""
        return None if place < 0 else self.spec.players[place]

    # ---------------------------------------------------------------- Comparison

    def measures(self, players: Sequence[str]) -> list[Measure]:
        """The numbers by which two simulations are compared; `players` are the names of the places."""
        return [
            Measure(f"{self.measured_rate} by {name}", equals(self.rated_column, place), percent=True)
            for place, name in enumerate(players)
        ]

    # ---------------------------------------------------------------- The terminal

    def percentiles_in_words(self) -> str:
        """The percentiles of the length, as text."""
        return ", ".join(f"{p} % up to {value:,}" for p, value in self.length_percentiles.items())

    def player_grid(self, *headings: str) -> Grid:
        """The results of each player; the headings are those of their numbers."""
        rows = [(f"{each.place + 1} {each.bot}", *_cells(each)) for each in self.by_player]
        return Grid("By player", ("player", self.rate_name, *headings), rows)

    @property
    def bars(self) -> list[int]:
        """The counts of the histogram."""
        return [count for _, count in self.histogram]

    def summary(self) -> list[Shown]:
        """The result for the terminal."""
        return [self.player_grid(), Fact("Length", f"in {self.unit}: {self.percentiles_in_words()}", self.bars)]

    # ---------------------------------------------------------------- The page of a report

    def lead(self) -> str:
        """The most important finding: the best bot, if one is clearly better."""
        best = self.best_bot
        return f"{best} {self.best_does}: {self.bots[best].in_percent} of its games. " if best else ""

    def player_plots(self, *headings: str, fair: float | None = None) -> str:
        """The rates of the players as dots, and a table of their numbers."""
        rates = [(f"{each.bot} ({each.place + 1})", each.rate) for each in self.by_player]
        rows = [(each.bot, *_cells(each)) for each in self.by_player]
        dots = dot_plot(rates, f"Games {self.rate_name} by player", fair=fair)
        return dots + html_table(("player", self.rate_name, *headings), rows)

    def length_section(self, more: str = "") -> Section:
        """The histogram of lengths, with lines at some percentiles."""
        marks = {f"{p} %": float(value) for p, value in self.length_percentiles.items() if p in (5, 50, 95)}
        words = f"{self.unit.capitalize()} of a game: {self.percentiles_in_words()}.{more}"
        return Section("How long it takes", words, histogram(self.histogram, "Length of games", self.unit, marks))

    def sections(self) -> list[Section]:
        """The parts of the page."""
        return [
            Section("Who wins", "The share of games each player won, alone or shared.", self.player_plots()),
            self.length_section(),
        ]


def _cells(player: PlayerResult) -> tuple[str, ...]:
    return (player.rate.in_percent, *(f"{each:.2f}" for each in player.numbers.values()))
