"""KarmaStepper: many tables of Karma stepped together by compiled code, with the legal moves as masks."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from threefold.compiling import record_type, to_records
from threefold.karma import bot_view
from threefold.karma.bot_view import KarmaView
from threefold.karma.notation import format_move
from threefold.karma.simulation import stepping
from threefold.karma.simulation.stepping import numbering_for
from threefold.karma.table import Edition, Moves, Table, Tape
from threefold.shuffle import Random
from threefold.simulation_parts.compiled import entry_points

_compiled = entry_points(__name__)


@_compiled
def _begin_tables(
    es: Any, ts: Any, ms: Any, rs: Any, numberings: Any, masks: Any, awaited: Any
) -> None:  # pragma: no cover
    stepping.begin_tables(es, ts, ms, rs, numberings, masks, awaited)


@_compiled
def _step_tables(
    es: Any,
    ts: Any,
    ms: Any,
    tapes: Any,
    rs: Any,
    numberings: Any,
    chosen: Any,
    masks: Any,
    awaited: Any,
    ended: Any,
    losers: Any,
) -> None:  # pragma: no cover
    stepping.step_tables(es, ts, ms, tapes, rs, numberings, chosen, masks, awaited, ended, losers)


@_compiled
def _move_numbered(numberings: Any, ts: Any, i: int, player: int, number: int) -> int:  # pragma: no cover
    move: int = stepping.move_numbered(numberings[0], ts[i], player, number)
    return move


@_compiled
def _fill_views(es: Any, ts: Any, awaited: Any, views: Any) -> None:  # pragma: no cover
    for i in range(len(ts)):
        bot_view.look(es[0], ts[i], awaited[i], views[i])


class KarmaStepper:
    """Many tables of Karma, as records for compiled code: a `Stepper`."""

    def __init__(self, edition: Edition, players: int, randoms: Sequence[Random]) -> None:
        self.edition = edition
        self.numbering = numbering_for(edition, players)
        self.moves = self.numbering.size
        self.es = to_records([edition])
        self.numberings = to_records([self.numbering])
        self.rs = to_records(list(randoms))
        self.ts = np.zeros(len(randoms), record_type(Table))
        self.ms = np.zeros(1, record_type(Moves))
        self.tapes = np.zeros(1, record_type(Tape))

    def arrays(self, *, views: bool) -> tuple[Any, ...]:
        """New arrays of the right shapes."""
        count = len(self.ts)
        numbers = (np.zeros(count, np.int64) for _ in range(3))
        records = np.zeros(count, record_type(KarmaView)) if views else None
        return np.zeros((count, self.moves), np.uint8), *numbers, records

    def begin(self, arrays: Any) -> None:
        """Deals a new game at every table."""
        arrays.ended[:] = 0
        arrays.losers[:] = -1
        _begin_tables(self.es, self.ts, self.ms, self.rs, self.numberings, arrays.masks, arrays.awaited)
        self._update_views(arrays)

    def check(self, chosen: Any, arrays: Any) -> None:
        """Raises ValueError if a chosen move is not legal."""
        inside = (chosen >= 0) & (chosen < self.moves)
        legal = inside & (arrays.masks[np.arange(len(self.ts)), np.where(inside, chosen, 0)] == 1)
        if not legal.all():
            table = int(np.argmin(legal))
            raise ValueError(f"table {table}: move number {int(chosen[table])} is not legal")

    def step(self, chosen: Any, arrays: Any) -> None:
        """Makes the chosen moves."""
        records = self.es, self.ts, self.ms, self.tapes, self.rs, self.numberings
        _step_tables(*records, chosen, arrays.masks, arrays.awaited, arrays.ended, arrays.losers)
        self._update_views(arrays)

    def _update_views(self, arrays: Any) -> None:
        if arrays.views is not None:
            _fill_views(self.es, self.ts, arrays.awaited, arrays.views)

    def move_text(self, table: int, player: int, number: int) -> str:
        """The move with this number, in notation."""
        return format_move(self.edition, int(_move_numbered(self.numberings, self.ts, table, player, number)))
