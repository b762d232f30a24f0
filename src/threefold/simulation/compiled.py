"""Simulation at the second speed: the same loops through Numba, without Python's lock, so that threads help."""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from threefold.bots.set_sense import SetChoice
from threefold.compiling import OPTIONS, cache_folder, compiler, fingerprint, record_type, to_records
from threefold.karma.sight import KarmaView
from threefold.karma.table import TAPE, Edition, Moves, Table, Tape
from threefold.setgame.sight import SetView
from threefold.setgame.table import Table as SetTable
from threefold.setgame.table import Tape as SetTape
from threefold.setgame.table import Variant
from threefold.shuffle import Random
from threefold.simulation import karma_games, set_games
from threefold.simulation.karma_games import COLUMNS, Job, KarmaTally, Notes
from threefold.simulation.set_games import COLUMNS as SET_COLUMNS
from threefold.simulation.set_games import SetJob, SetTally

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
