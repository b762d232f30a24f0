"""Batch: thousands of tables of Karma stepped in one call, for learners. The arrays belong to the caller.

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
from threefold.simulation.jobs import edition_played, spec_from
from threefold.simulation.stepping import catalogue_for


@dataclass(slots=True)
class Arrays:
    """What a batch writes into: NumPy arrays with a row for each table. Any of the right shape and type will do."""

    masks: Any  # uint8, tables × moves: 1 where the move with that number is legal
    awaited: Any  # int64: who is to move
    ended: Any  # int64: 1 where the last step ended a game; a new one has been dealt there
    losers: Any  # int64: who lost the game that ended last, or -1
    views: Any = None  # what the awaited player knows, as KarmaView records, if anyone wants them


class Batch:
    """Many tables with the same rules. Each has its own generator, so the number of tables changes no game."""

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
        self.edition = edition_played(spec)
        self.players = players
        self.tables = tables
        self.catalogue = catalogue_for(self.edition, players)
        self.moves = self.catalogue.size
        randoms = [random_from(spec.seed, f"table {i}") for i in range(tables)]
        self._stepper = Stepper(self.edition, self.catalogue, randoms)

    def arrays(self, *, views: bool = False) -> Arrays:
        """Fresh arrays of the right shapes."""
        return Arrays(*self._stepper.arrays(views=views))

    def begin(self, arrays: Arrays) -> None:
        """Deals a new game at every table."""
        self._stepper.begin(arrays)

    def step(self, chosen: Any, arrays: Arrays, *, trusted: bool = False) -> None:
        """Makes the chosen move at every table, a legal number for each; unless trusted, that is checked first."""
        if not trusted:
            self._stepper.check(chosen, arrays)
        self._stepper.step(chosen, arrays)

    def move_text(self, table: int, player: int, number: int) -> str:
        """The move with this number, as people write it."""
        return format_move(self.edition, self._stepper.move(table, player, number))
