"""Simulations of games whose policies are functions over records: one loop plays a chunk, plain or compiled."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from threefold.records import blank, shapes
from threefold.shuffle import Random
from threefold.simulation_parts.spec import MOST_MOVES, Simulated, Spec, Tally, is_compiled

MOST_PLAYERS = 20
Records = Sequence[list[Any]]
Loop = Callable[..., None]
"""Plays the games of a job: takes the lists of records, a tally as the last of them, and a row for each game."""


@dataclass(slots=True)
class Job:
    """A chunk of games to play."""

    players: int
    first_game: int
    games: int
    bin_width: int
    most_moves: int  # a game without a limit of turns is stopped after these
    policy: Annotated[list[int], (MOST_PLAYERS,)]  # in the order of `Spec.players`


class PolicyGames(Simulated):
    """A game whose loop is written over records. The names of these members are all that a game has to say."""

    loop: ClassVar[Loop]
    columns: ClassVar[int]
    """The width of a game's row."""
    policies: ClassVar[Mapping[str, int]]
    """Bot -> its number in compiled code."""

    def records(self, spec: Spec, job: Job, deals: Random, choices: Random) -> Records:
        """The lists of records that the loop takes, in order."""
        raise NotImplementedError

    def play(self, spec: Spec, first: int, games: int, deals: Random, choices: Random) -> tuple[Tally, Any]:
        """Plays games between policies."""
        job = blank(Job)
        job.players, job.first_game, job.games, job.bin_width = len(spec.players), first, games, self.bin_width(spec)
        job.most_moves = MOST_MOVES
        job.policy[: job.players] = [self.policies[name] for name in spec.players]
        records = self.records(spec, job, deals, choices)
        loop = type(self).loop
        if is_compiled(spec):
            from threefold.simulation_parts import compiled  # noqa: PLC0415 (takes seconds to load; plain runs do without)

            return compiled.play(loop, records, games, self.columns)
        rows = [[0] * self.columns for _ in range(games)]
        loop(*records, rows)
        (tally,) = records[-1]
        return {name: getattr(tally, name) for name in shapes(type(tally))}, rows
