"""Batch: thousands of tables stepped in one call, for reinforcement learning. The caller owns the arrays.

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
from threefold.games import KITS
from threefold.kit import Kits
from threefold.shuffle import random_from
from threefold.simulation.jobs import spec_from
from threefold.simulation_parts.spec import Stepper, simulated


@dataclass(slots=True)
class Arrays:
    """The output of a batch: NumPy arrays with a row for each table, allocated by `Batch.arrays` or by the caller."""

    masks: Any  # uint8, tables × moves: 1 if the move with that number is legal
    awaited: Any  # int64: the player to move
    ended: Any  # int64: 1 if the last step ended a game; a new one has been dealt
    losers: Any  # int64: the loser of the last finished game, or -1
    views: Any = None  # records of what the awaited players see; optional


class Batch:
    """Many tables with the same rules of one game, which is the first of the registry if none is named.

    Each has its own generator, so its games do not depend on the other tables.
    """

    def __init__(
        self,
        rules: Json = None,
        *,
        game: str | None = None,
        players: int = 4,
        tables: int = 1024,
        seed: str = "threefold",
        options: Mapping[str, Json] | None = None,
        turn_limit: int | None = None,
        kits: Kits = KITS,
    ) -> None:
        kit = kits[next(iter(kits)) if game is None else game]
        spec = spec_from(kit.name, rules, [kit.stand_in] * players, seed, options, turn_limit, kits=kits)
        stepper = simulated(spec.kit).stepper(spec, [random_from(spec.seed, f"table {i}") for i in range(tables)])
        if stepper is None:
            raise ValueError(f"{kit.name} has no tables that are stepped together")
        self.stepper: Stepper = stepper
        self.players = players
        self.tables = tables
        self.moves = stepper.moves

    def arrays(self, *, views: bool = False) -> Arrays:
        """New arrays of the right shapes."""
        return Arrays(*self.stepper.arrays(views=views))

    def begin(self, arrays: Arrays) -> None:
        """Deals a new game at every table."""
        self.stepper.begin(arrays)

    def step(self, chosen: Any, arrays: Arrays, *, trusted: bool = False) -> None:
        """Makes the chosen move at every table. Unless `trusted`, first checks that every number is legal."""
        if not trusted:
            self.stepper.check(chosen, arrays)
        self.stepper.step(chosen, arrays)

    def move_text(self, table: int, player: int, number: int) -> str:
        """The move with this number, in notation."""
        return self.stepper.move_text(table, player, number)
