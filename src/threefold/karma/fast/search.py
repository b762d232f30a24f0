"""The compiled search: the functions of `karma/rollouts.py` through Numba. They release Python's lock."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from threefold.compiling import compiler, record_type, to_records
from threefold.karma import rollouts
from threefold.karma.bot_view import KarmaView
from threefold.karma.redeal import Pool
from threefold.karma.rollouts import Search, population
from threefold.karma.search import Level
from threefold.karma.table import Edition, Moves, Table, Tape
from threefold.karma.thoughts import Tally
from threefold.shuffle import Random

_compiled = compiler("karma", nogil=True)


@_compiled
def _begin(es: Any, vs: Any, ms: Any, ts: Any, pools: Any, ss: Any) -> int:
    rollouts.begin_search(es[0], vs[0], ms[0], ts[0], pools[0], ss[0])
    left: int = ss[0].left_count
    return left


@_compiled
def _try_redeals(es: Any, vs: Any, ms: Any, ts: Any, tapes: Any, pools: Any, ss: Any, rs: Any, redeals: int) -> int:
    rollouts.try_redeals(
        es[0], vs[0], ms[0], ts[0], ts[1], ts[2], ms[1], vs[1], tapes[0], pools[0], ss[0], rs[0], redeals
    )
    left: int = ss[0].left_count
    return left


@_compiled
def _halve(ss: Any) -> int:
    rollouts.halve(ss[0])
    left: int = ss[0].left_count
    return left


@_compiled
def _best(ss: Any) -> int:
    index: int = rollouts.best_move(ss[0])
    return index


class CompiledDesk:
    """Working memory of a compiled search: a `Desk`."""

    def __init__(self) -> None:
        self.vs, self.ms = np.zeros(2, record_type(KarmaView)), np.zeros(2, record_type(Moves))
        self.ts, self.tapes = np.zeros(3, record_type(Table)), np.zeros(1, record_type(Tape))
        self.pools, self.ss = np.zeros(1, record_type(Pool)), np.zeros(1, record_type(Search))
        self.ss["weights"] = population()
        self.es: Any = None
        self.rs: Any = None
        self._edition: Edition | None = None

    def begin(self, edition: Edition, view: KarmaView, moves: Moves, level: Level, random: Random) -> int:
        """Lays out what is known."""
        if self._edition is not edition:
            self.es, self._edition = to_records([edition]), edition
        self.vs[:1], self.ms[:1] = to_records([view]), to_records([moves])
        self.rs = to_records([random])
        return self.begin_records(level)

    def begin_records(self, level: Level) -> int:
        """Lays out what the records of the desk know."""
        self.ss["others_vary"] = int(level.others_vary)
        self.ss["patience"], self.ss["least_gain"] = level.patience, level.least_gain
        return int(_begin(self.es, self.vs, self.ms, self.ts, self.pools, self.ss))

    def try_redeals(self, redeals: int) -> int:
        """Tries the moves that are left in some redeals, and drops hopeless ones."""
        return int(_try_redeals(self.es, self.vs, self.ms, self.ts, self.tapes, self.pools, self.ss, self.rs, redeals))

    def halve(self) -> int:
        """Drops the worse half."""
        return int(_halve(self.ss))

    def best(self) -> int:
        """The index of the move to make."""
        return int(_best(self.ss))

    def tallies(self, moves: int) -> Sequence[Tally]:
        """What the roll-outs showed, by move."""
        columns = [self.ss[name][0][:moves].tolist() for name in ("tried", "lost", "stopped", "picked_up")]
        return [Tally(*row) for row in zip(*columns, strict=True)]
