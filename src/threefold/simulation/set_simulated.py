"""How SET is simulated: whole games between policies, compiled or plain, and results in the game's own words."""

from functools import lru_cache
from types import MappingProxyType
from typing import Any

from threefold.game import Json
from threefold.records import blank
from threefold.setgame.bot_view import SetView
from threefold.setgame.bots import POLICIES
from threefold.setgame.bots.sense import SetChoice
from threefold.setgame.deal import deal_from
from threefold.setgame.notation import ENDINGS as SET_ENDINGS
from threefold.setgame.table import Table as SetTable
from threefold.setgame.table import Tape as SetTape
from threefold.setgame.table import Variant
from threefold.shuffle import Random
from threefold.simulation import set_games
from threefold.simulation.jobs import MOST_MOVES, Spec, Tally, as_tally, is_compiled, setup_of
from threefold.simulation.results import Result
from threefold.simulation.set_games import SetJob, SetTally
from threefold.simulation.statistics import Estimate, mean, share


@lru_cache(maxsize=64)
def variant_of(spec: Spec) -> Variant:
    """The variant of a simulation of SET."""
    return deal_from(setup_of(spec)).variant


class SetResult(Result):
    """The result of many games of SET."""

    rated = "wins"
    rate_name = "won"
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
        sizes = range(variant.layout, variant.most_laid + 1, 3)
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
        names = {**SET_ENDINGS, set_games.STOPPED: "stopped"}
        return {names[i]: share(count, self.games) for i, count in enumerate(self.tally["endings"]) if count}

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

    def game_rows(self) -> list[dict[str, Json]]:
        """One row per game, with names instead of codes."""
        names = {**SET_ENDINGS, set_games.STOPPED: "stopped"}
        players = self.spec.players
        games: list[dict[str, Json]] = []
        for number, row in enumerate(self.rows):
            winner = row[set_games.WINNER]
            games.append(
                {
                    "game": number,
                    "rotation": row[set_games.ROTATION],
                    "winner": None if winner < 0 else winner,
                    "winner_bot": None if winner < 0 else players[winner],
                    "moves": row[set_games.MOVES_MADE],
                    "seconds": row[set_games.TENTHS] / 10,
                    "sets": row[set_games.SETS],
                    "points_lost": row[set_games.POINTS_LOST],
                    "most_laid": row[set_games.MOST_LAID],
                    "left_over": row[set_games.LEFT_OVER],
                    "deals": row[set_games.DEALS],
                    "penalty": row[set_games.PENALTY],
                    "ending": names[row[set_games.ENDING]],
                }
            )
        return games


class SimulatedSet:
    """SET as a `Simulated`."""

    result = SetResult

    def check(self, spec: Spec) -> None:
        """Refuses a variant that cannot be played."""
        variant_of(spec)

    def bin_width(self, spec: Spec) -> int:  # noqa: ARG002 (the protocol's signature)
        """The width of a histogram bar, in seconds."""
        return 10

    def play(self, spec: Spec, first: int, games: int, deals: Random, choices: Random) -> tuple[Tally, Any]:
        """Plays games between policies."""
        job = blank(SetJob)
        job.players, job.first_game, job.games, job.bin_width = len(spec.players), first, games, self.bin_width(spec)
        job.most_moves = MOST_MOVES
        job.policy[: job.players] = [POLICIES[name] for name in spec.players]
        if is_compiled(spec):
            from threefold.simulation import compiled  # noqa: PLC0415 (takes seconds to load; plain runs do without)

            return compiled.play_set_games(variant_of(spec), job, deals, choices)
        tally = blank(SetTally)
        rows = [[0] * set_games.COLUMNS for _ in range(games)]
        set_games.play_set_games(
            [variant_of(spec)],
            [blank(SetTable, deal=None)],
            [blank(SetTape)],
            [blank(SetView)],
            [deals],
            [choices],
            [job],
            [blank(SetChoice), blank(SetChoice)],
            [tally],
            rows,
        )
        return as_tally(tally), rows


SIMULATED = SimulatedSet()
