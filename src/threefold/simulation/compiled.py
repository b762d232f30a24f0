"""Simulation at the second speed: the same loops through Numba, without Python's lock, so that threads help."""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from threefold.bots.set_sense import SetChoice
from threefold.compiling import OPTIONS, cache_folder, compiler, fingerprint, record_type, to_records
from threefold.karma import bot_view
from threefold.karma.bot_view import KarmaView
from threefold.karma.table import TAPE, Edition, Moves, Table, Tape
from threefold.setgame.sight import SetView
from threefold.setgame.table import Table as SetTable
from threefold.setgame.table import Tape as SetTape
from threefold.setgame.table import Variant
from threefold.shuffle import Random, below
from threefold.simulation import karma_games, set_games, stepping
from threefold.simulation.karma_games import COLUMNS, Job, KarmaTally, Notes
from threefold.simulation.set_games import COLUMNS as SET_COLUMNS
from threefold.simulation.set_games import SetJob, SetTally
from threefold.simulation.stepping import Catalogue

PACKAGES = ("karma", "setgame", "bots", "simulation")  # what goes into the games, and so into the cache's name


def _without_lock(function: Callable[..., Any]) -> Any:
    """Compiles an entry point that lets other threads run."""
    compiler(*PACKAGES)
    numba.config.CACHE_DIR = str(cache_folder() / fingerprint(*PACKAGES))
    return numba.njit(cache=True, nogil=True, **OPTIONS)(function)


@_without_lock
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


def play_karma_games(edition: Edition, job: Job, deals: Random, choices: Random) -> tuple[dict[str, Any], Any]:
    """Plays a chunk; gives its tally as plain numbers and lists, and a row for each game."""
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


@_without_lock
def _play_set_games(
    vs: Any, ts: Any, tapes: Any, views: Any, deals: Any, choices: Any, jobs: Any, plans: Any, tallies: Any, rows: Any
) -> None:  # pragma: no cover
    set_games.play_set_games(vs, ts, tapes, views, deals, choices, jobs, plans, tallies, rows)


def play_set_games(variant: Variant, job: SetJob, deals: Random, choices: Random) -> tuple[dict[str, Any], Any]:
    """Plays a chunk; gives its tally as plain numbers and lists, and a row for each game."""
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


@_without_lock
def _begin_tables(es: Any, ts: Any, ms: Any, rs: Any, cs: Any, masks: Any, awaited: Any) -> None:  # pragma: no cover
    stepping.begin_tables(es, ts, ms, rs, cs, masks, awaited)


@_without_lock
def _step_tables(
    es: Any,
    ts: Any,
    ms: Any,
    tapes: Any,
    rs: Any,
    cs: Any,
    chosen: Any,
    masks: Any,
    awaited: Any,
    ended: Any,
    losers: Any,
) -> None:  # pragma: no cover
    stepping.step_tables(es, ts, ms, tapes, rs, cs, chosen, masks, awaited, ended, losers)


@_without_lock
def _move_numbered(cs: Any, ts: Any, i: int, player: int, number: int) -> int:  # pragma: no cover
    move: int = stepping.move_numbered(cs[0], ts[i], player, number)
    return move


@_without_lock
def _look_round(es: Any, ts: Any, awaited: Any, views: Any) -> None:  # pragma: no cover
    for i in range(len(ts)):
        bot_view.look(es[0], ts[i], awaited[i], views[i])


@_without_lock
def choose_any(masks: Any, rs: Any, chosen: Any) -> None:  # pragma: no cover
    """Any legal move at every table, each as likely as the others."""
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
    """The tables of a batch, as compiled code has them."""

    def __init__(self, edition: Edition, catalogue: Catalogue, randoms: list[Random]) -> None:
        self.es = to_records([edition])
        self.cs = to_records([catalogue])
        self.rs = to_records(randoms)
        self.ts = np.zeros(len(randoms), record_type(Table))
        self.ms = np.zeros(1, record_type(Moves))
        self.tapes = np.zeros(1, record_type(Tape))
        self.size = catalogue.size

    def arrays(self, *, views: bool) -> tuple[Any, ...]:
        """Fresh arrays of the right shapes."""
        count = len(self.ts)
        numbers = (np.zeros(count, np.int64) for _ in range(3))
        seen = np.zeros(count, record_type(KarmaView)) if views else None
        return np.zeros((count, self.size), np.uint8), *numbers, seen

    def begin(self, arrays: Any) -> None:
        """Deals at every table."""
        arrays.ended[:] = 0
        arrays.losers[:] = -1
        _begin_tables(self.es, self.ts, self.ms, self.rs, self.cs, arrays.masks, arrays.awaited)
        self._look(arrays)

    def check(self, chosen: Any, arrays: Any) -> None:
        """Raises ValueError where a chosen move is not legal."""
        inside = (chosen >= 0) & (chosen < self.size)
        legal = inside & (arrays.masks[np.arange(len(self.ts)), np.where(inside, chosen, 0)] == 1)
        if not legal.all():
            table = int(np.argmin(legal))
            raise ValueError(f"table {table}: move number {int(chosen[table])} is not legal")

    def step(self, chosen: Any, arrays: Any) -> None:
        """Makes the chosen moves."""
        records = self.es, self.ts, self.ms, self.tapes, self.rs, self.cs
        _step_tables(*records, chosen, arrays.masks, arrays.awaited, arrays.ended, arrays.losers)
        self._look(arrays)

    def _look(self, arrays: Any) -> None:
        if arrays.views is not None:
            _look_round(self.es, self.ts, arrays.awaited, arrays.views)

    def move(self, table: int, player: int, number: int) -> int:
        """The move with this number."""
        return int(_move_numbered(self.cs, self.ts, table, player, number))
