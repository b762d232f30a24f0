"""Batch: thousands of tables of Karma stepped in one call, for reinforcement learning. The caller owns the arrays.

batch = Batch("classic", players=4, tables=4096, seed="learn")
arrays = batch.arrays()
batch.begin(arrays)
while learning:
    batch.step(choose(arrays.masks), arrays)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from threefold.game import Json
from threefold.karma.notation import format_move
from threefold.shuffle import random_from
from threefold.simulation.compiled import Stepper
from threefold.simulation.jobs import spec_from
from threefold.simulation.karma_simulated import edition_of
from threefold.simulation.stepping import numbering_for


@dataclass(slots=True)
class Arrays:
    """The output of a batch: NumPy arrays with a row for each table, allocated by `Batch.arrays` or by the caller."""

    masks: Any  # uint8, tables × moves: 1 if the move with that number is legal
    awaited: Any  # int64: the player to move
    ended: Any  # int64: 1 if the last step ended a game; a new one has been dealt
    losers: Any  # int64: the loser of the last finished game, or -1
    views: Any = None  # KarmaView records of the awaited players; optional


class Batch:
    """Many tables with the same rules. Each has its own generator, so its games do not depend on the other tables."""

    def __init__(
        self,
        rules: Json = "classic",
        *,
        players: int = 4,
        tables: int = 1024,
        seed: str = "threefold",
        options: Mapping[str, Json] | None = None,
        turn_limit: int | None = None,
    ) -> None:
        spec = spec_from("karma", rules, ["random"] * players, seed, options, turn_limit)
        self.edition = edition_of(spec)
        self.players = players
        self.tables = tables
        self.numbering = numbering_for(self.edition, players)
        self.moves = self.numbering.size
        randoms = [random_from(spec.seed, f"table {i}") for i in range(tables)]
        self._stepper = Stepper(self.edition, self.numbering, randoms)

    def arrays(self, *, views: bool = False) -> Arrays:
        """New arrays of the right shapes."""
        return Arrays(*self._stepper.arrays(views=views))

    def begin(self, arrays: Arrays) -> None:
        """Deals a new game at every table."""
        self._stepper.begin(arrays)

    def step(self, chosen: Any, arrays: Arrays, *, trusted: bool = False) -> None:
        """Makes the chosen move at every table. Unless `trusted`, first checks that every number is legal."""
        if not trusted:
            self._stepper.check(chosen, arrays)
        self._stepper.step(chosen, arrays)

    def move_text(self, table: int, player: int, number: int) -> str:
        """The move with this number, in notation."""
        return format_move(self.edition, self._stepper.move(table, player, number))
