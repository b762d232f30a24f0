"""The loop of a game's simulation, compiled with Numba. It releases the GIL, so threads run in parallel."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from threefold.compiling import compiler, to_records
from threefold.simulation_parts.policy_games import Loop, Records
from threefold.simulation_parts.spec import Tally


def entry_points(module: str) -> Callable[[Callable[..., Any]], Any]:
    """Compiles entry points over the rules of the game to which a module belongs."""
    return compiler(module.split(".")[1], "simulation_parts", nogil=True)


@cache
def _compiled(loop: Loop) -> Any:
    return entry_points(loop.__module__)(loop)


def play(loop: Loop, records: Records, games: int, columns: int) -> tuple[Tally, Any]:
    """Plays a chunk; returns its tally as numbers and lists, and a row for each game."""
    arrays = [to_records(each) for each in records]
    rows = np.zeros((games, columns), np.int64)
    _compiled(loop)(*arrays, rows)
    tally = arrays[-1]
    return {name: tally[0][name].tolist() for name in tally.dtype.names or ()}, rows
