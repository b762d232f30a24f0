"""The loops of the simulation compiled with Numba. They release the GIL, so threads run in parallel."""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from threefold.compiling import OPTIONS, cache_folder, compiler, fingerprint, record_type, to_records
from threefold.karma import bot_view
from threefold.karma.bot_view import KarmaView
from threefold.karma.table import TAPE, Edition, Moves, Table, Tape
from threefold.setgame.bot_view import SetView
from threefold.setgame.bots.sense import SetChoice
from threefold.setgame.table import Table as SetTable
from threefold.setgame.table import Tape as SetTape
from threefold.setgame.table import Variant
from threefold.shuffle import Random, below
from threefold.simulation import karma_games, set_games, stepping
from threefold.simulation.karma_games import COLUMNS, KarmaJob, KarmaTally, Notes
from threefold.simulation.set_games import COLUMNS as SET_COLUMNS
from threefold.simulation.set_games import SetJob, SetTally
from threefold.simulation.stepping import MoveNumbering

PACKAGES = ("karma", "setgame", "simulation")  # their sources determine the cache folder


def _compiled_without_gil(function: Callable[..., Any]) -> Any:
    """Compiles an entry point that releases the GIL."""
    compiler(*PACKAGES)
    numba.config.CACHE_DIR = str(cache_folder() / fingerprint(*PACKAGES))
    return numba.njit(cache=True, nogil=True, **OPTIONS)(function)


@_compiled_without_gil
def _play_karma_games(
    es: Any,
    ts: Any,
    ms: Any,
    tapes: Any,
    vs: Any,
    deals: Any,
    choices: Any,
    jobs: Any,
    ns: Any,
    tallies: Any,
    rows: Any,
) -> None:  # pragma: no cover
    karma_games.play_karma_games(es, ts, ms, tapes, vs, deals, choices, jobs, ns, tallies, rows)


def play_karma_games(edition: Edition, job: KarmaJob, deals: Random, choices: Random) -> tuple[dict[str, Any], Any]:
    """Plays a chunk; returns its tally as numbers and lists, and a row for each game."""
    tape = np.zeros(1, record_type(Tape))
    tape["room"] = TAPE
    tallies = np.zeros(1, record_type(KarmaTally))
    rows = np.zeros((job.games, COLUMNS), np.int64)
    _play_karma_games(
        to_records([edition]),
        np.zeros(1, record_type(Table)),
        np.zeros(1, record_type(Moves)),
        tape,
        np.zeros(1, record_type(KarmaView)),
        to_records([deals]),
        to_records([choices]),
        to_records([job]),
        np.zeros(1, record_type(Notes)),
        tallies,
        rows,
    )
    return {name: tallies[0][name].tolist() for name in tallies.dtype.names or ()}, rows


@_compiled_without_gil
def _play_set_games(
    vs: Any, ts: Any, tapes: Any, views: Any, deals: Any, choices: Any, jobs: Any, plans: Any, tallies: Any, rows: Any
) -> None:  # pragma: no cover
    set_games.play_set_games(vs, ts, tapes, views, deals, choices, jobs, plans, tallies, rows)


def play_set_games(variant: Variant, job: SetJob, deals: Random, choices: Random) -> tuple[dict[str, Any], Any]:
    """Plays a chunk; returns its tally as numbers and lists, and a row for each game."""
    tallies = np.zeros(1, record_type(SetTally))
    rows = np.zeros((job.games, SET_COLUMNS), np.int64)
    _play_set_games(
        to_records([variant]),
        np.zeros(1, record_type(SetTable)),
        np.zeros(1, record_type(SetTape)),
        np.zeros(1, record_type(SetView)),
        to_records([deals]),
        to_records([choices]),
        to_records([job]),
        np.zeros(2, record_type(SetChoice)),
        tallies,
        rows,
    )
    return {name: tallies[0][name].tolist() for name in tallies.dtype.names or ()}, rows


# ---------------------------------------------------------------- Many tables stepped together


@_compiled_without_gil
def _begin_tables(
    es: Any, ts: Any, ms: Any, rs: Any, numberings: Any, masks: Any, awaited: Any
) -> None:  # pragma: no cover
    stepping.begin_tables(es, ts, ms, rs, numberings, masks, awaited)


@_compiled_without_gil
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


@_compiled_without_gil
def _move_numbered(numberings: Any, ts: Any, i: int, player: int, number: int) -> int:  # pragma: no cover
    move: int = stepping.move_numbered(numberings[0], ts[i], player, number)
    return move


@_compiled_without_gil
def _fill_views(es: Any, ts: Any, awaited: Any, views: Any) -> None:  # pragma: no cover
    for i in range(len(ts)):
        bot_view.look(es[0], ts[i], awaited[i], views[i])


@_compiled_without_gil
def choose_any(masks: Any, rs: Any, chosen: Any) -> None:  # pragma: no cover
    """Chooses a random legal move at every table, all with the same probability."""
    for i in range(len(masks)):
        count = 0
        for number in range(masks.shape[1]):
            count += masks[i, number]
        nth = below(rs[0], count)
        for number in range(masks.shape[1]):
            if masks[i, number]:
                if nth == 0:
                    chosen[i] = number
                    break
                nth -= 1


class Stepper:
    """The tables of a batch as records for compiled code."""

    def __init__(self, edition: Edition, numbering: MoveNumbering, randoms: list[Random]) -> None:
        self.es = to_records([edition])
        self.numberings = to_records([numbering])
        self.rs = to_records(randoms)
        self.ts = np.zeros(len(randoms), record_type(Table))
        self.ms = np.zeros(1, record_type(Moves))
        self.tapes = np.zeros(1, record_type(Tape))
        self.size = numbering.size

    def arrays(self, *, views: bool) -> tuple[Any, ...]:
        """New arrays of the right shapes."""
        count = len(self.ts)
        numbers = (np.zeros(count, np.int64) for _ in range(3))
        records = np.zeros(count, record_type(KarmaView)) if views else None
        return np.zeros((count, self.size), np.uint8), *numbers, records

    def begin(self, arrays: Any) -> None:
        """Deals a new game at every table."""
        arrays.ended[:] = 0
        arrays.losers[:] = -1
        _begin_tables(self.es, self.ts, self.ms, self.rs, self.numberings, arrays.masks, arrays.awaited)
        self._update_views(arrays)

    def check(self, chosen: Any, arrays: Any) -> None:
        """Raises ValueError if a chosen move is not legal."""
        inside = (chosen >= 0) & (chosen < self.size)
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

    def move(self, table: int, player: int, number: int) -> int:
        """The move with this number."""
        return int(_move_numbered(self.numberings, self.ts, table, player, number))
