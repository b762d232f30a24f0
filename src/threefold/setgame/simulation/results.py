"""The result of many games of SET, in the words of the game."""

from collections.abc import Sequence
from functools import lru_cache
from types import MappingProxyType

from threefold.game import Json
from threefold.setgame.deal import deal_from
from threefold.setgame.notation import ENDINGS
from threefold.setgame.simulation import games
from threefold.setgame.table import Variant
from threefold.simulation_parts.plots import dot_plot, heat_map
from threefold.simulation_parts.results import Measure, Result, Row, number
from threefold.simulation_parts.shown import Fact, Grid, Section, Shown
from threefold.simulation_parts.spec import Spec, setup_of
from threefold.simulation_parts.statistics import Estimate, mean, share

REASONS = {**ENDINGS, games.STOPPED: "stopped"}


@lru_cache(maxsize=64)
def variant_of(spec: Spec) -> Variant:
    """The variant of a simulation of SET."""
    return deal_from(setup_of(spec)).variant


class SetResult(Result):
    """The result of many games of SET."""

    rated_column = games.WINNER
    unit = "seconds"
    player_numbers = MappingProxyType({"score": "scores", "sets": "sets_of", "points_lost": "lost_of"})

    @property
    def sets(self) -> Estimate:
        """SETs per game."""
        return mean(self.tally["sets"], self.tally["sets_squared"], self.games)

    @property
    def seconds_a_game(self) -> Estimate:
        """Seconds per game."""
        return mean(self.tally["tenths"], self.tally["tenths_squared"], self.games, unit=10)

    @property
    def deals(self) -> float:
        """Deals (in 20/20 SET hands) per game."""
        return float(self.tally["deals"] / self.games)

    @property
    def stopped(self) -> Estimate:
        """The share of games stopped by the limit of moves."""
        return share(self.tally["stopped"], self.games)

    @property
    def reached(self) -> dict[int, Estimate]:
        """Size of the layout -> the share of games that reached it."""
        variant = variant_of(self.spec)
        most = self.tally["most_laid"]
        sizes = range(variant.layout, variant.most_laid + 1, variant.at_once)
        return {size: share(sum(most[size:]), self.games) for size in sizes}

    @property
    def layouts(self) -> dict[int, list[int]]:
        """Size of the layout -> the numbers of layouts with 0, 1, 2 … SETs. Each new layout counts once."""
        layouts = {}
        for size, counts in enumerate(self.tally["layouts"]):
            if any(counts):
                layouts[size] = counts[: max(i for i, count in enumerate(counts) if count) + 1]
        return layouts

    @property
    def left_over(self) -> dict[int, Estimate]:
        """Number of cards on the table at the end -> the share of games."""
        return {n: share(count, self.games) for n, count in enumerate(self.tally["left_over"]) if count}

    @property
    def endings(self) -> dict[str, Estimate]:
        """Reason of the ending -> the share of games."""
        return {REASONS[i]: share(count, self.games) for i, count in enumerate(self.tally["endings"]) if count}

    @property
    def penalty(self) -> float:
        """In solitaire: the average penalty left at the end."""
        return float(self.tally["penalties"] / self.games)

    def as_json(self) -> dict[str, Json]:
        """The output of `--json`. The same seed gives the same bytes."""
        return {
            **self._head(),
            "variant": variant_of(self.spec).name,
            **self._rates_as_json(),
            "sets": self.sets.as_json(),
            "seconds": self._length_as_json(self.seconds_a_game),
            "deals": round(self.deals, 6),
            "reached": {str(size): each.as_json() for size, each in self.reached.items()},
            "layouts": {str(size): counts for size, counts in self.layouts.items()},
            "left_over": {str(n): each.as_json() for n, each in self.left_over.items()},
            "endings": {name: each.as_json() for name, each in self.endings.items()},
            "penalty": round(self.penalty, 6),
            "stopped": self.stopped.as_json(),
        }

    def named(self, row: Row) -> dict[str, Json]:
        """A row of a game, with names instead of codes."""
        winner = row[games.WINNER]
        return {
            "rotation": row[games.ROTATION],
            "winner": None if winner < 0 else winner,
            "winner_bot": self.bot_at(winner),
            "moves": row[games.MOVES_MADE],
            "seconds": row[games.TENTHS] / 10,
            "sets": row[games.SETS],
            "points_lost": row[games.POINTS_LOST],
            "most_laid": row[games.MOST_LAID],
            "left_over": row[games.LEFT_OVER],
            "deals": row[games.DEALS],
            "penalty": row[games.PENALTY],
            "ending": REASONS[row[games.ENDING]],
        }

    def measures(self, players: Sequence[str]) -> list[Measure]:
        """The numbers by which two simulations are compared."""
        return [
            *super().measures(players),
            Measure("SETs a game", number(games.SETS)),
            Measure("points lost a game", number(games.POINTS_LOST)),
            Measure("seconds a game", number(games.TENTHS, 10)),
            Measure("games with 15 cards or more", lambda row: row[games.MOST_LAID] >= 15, percent=True),
            Measure("cards left over", number(games.LEFT_OVER)),
        ]

    @property
    def _shares_of_layouts(self) -> dict[int, list[float]]:
        """Size of the layout -> the shares of layouts with 0, 1, 2 … SETs."""
        return {size: [count / sum(counts) for count in counts] for size, counts in self.layouts.items() if size >= 3}

    def summary(self) -> list[Shown]:
        """The result for the terminal."""
        seconds = self.seconds_a_game
        a_game = (
            f"{self.sets.value:.2f} ± {self.sets.margin:.2f} SETs, {self.deals:.2f} deals, "
            f"and lasts {seconds.value:.0f} ± {seconds.margin:.0f} s"
        )
        layouts = self._shares_of_layouts
        most = min(9, max((len(shares) for shares in layouts.values()), default=1))
        endings = (f"{name.replace('_', ' ')} {100 * each.value:.1f} %" for name, each in self.endings.items())
        return [
            self.player_grid("score", "SETs", "points lost"),
            Fact("A game has", a_game, self.bars),
            Grid(
                "Size of the layout reached",
                ("cards", "games"),
                [(str(size), each.in_percent) for size, each in self.reached.items()],
            ),
            Grid(
                "SETs in a layout, as percentages of the layouts of that size",
                ("cards", *map(str, range(most))),
                [(str(size), *(f"{100 * each:.1f}" for each in shares[:most])) for size, shares in layouts.items()],
            ),
            Fact("Ended by", ", ".join(endings)),
        ]

    def lead(self) -> str:
        """The most important findings."""
        alone = len(self.spec.players) == 1
        won = f"{next(iter(self.bots.values())).in_percent} of the games were won. " if alone else super().lead()
        return f"{won}{self.sets.value:.1f} SETs are found in a game of {self.seconds_a_game.value / 60:.1f} minutes."

    def sections(self) -> list[Section]:
        """The parts of the page."""
        layouts = self._shares_of_layouts
        most = max((len(shares) for shares in layouts.values()), default=1)
        maps = [(f"{size} cards", shares + [0.0] * (most - len(shares))) for size, shares in layouts.items()]
        reached = [(f"{size} cards", each) for size, each in self.reached.items()]
        left = [(f"{n} cards", each) for n, each in self.left_over.items()]
        return [
            Section(
                "Who wins",
                "The share of games each player won, alone or shared.",
                self.player_plots("score", "SETs", "points lost"),
            ),
            Section(
                "How many SETs lie there",
                "Of all layouts of one size, the share that held 0, 1, 2 … SETs.",
                heat_map(maps, [str(i) for i in range(most)], "SETs in a layout"),
            ),
            Section(
                "How far it goes",
                "The share of games in which the layout reached this size.",
                dot_plot(reached, "Largest layout"),
            ),
            self.length_section(),
            Section("Cards left over", "Cards on the table at the end of a game.", dot_plot(left, "Cards left over")),
        ]
