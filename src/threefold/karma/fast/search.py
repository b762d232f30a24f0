"""The compiled search: the functions of `karma/rollouts.py` through Numba. They release Python's lock."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from threefold.compiling import compiler, record_type, to_records
from threefold.karma import rollouts
from threefold.karma.bot_view import KarmaView
from threefold.karma.redeal import Pool
from threefold.karma.rollouts import Search, population
from threefold.karma.search import Level
from threefold.karma.table import Edition, Moves, Table, Tape
from threefold.karma.thoughts import Comparison, Tally
from threefold.shuffle import Random

_compiled = compiler("karma", nogil=True)


@_compiled
def _usual(es: Any, vs: Any, ms: Any, ss: Any) -> int:
    index: int = rollouts.usual_move(es[0], vs[0], ms[0], ss[0])
    return index


@_compiled
def _begin(es: Any, vs: Any, ms: Any, first: int, ts: Any, pools: Any, ss: Any) -> int:
    rollouts.begin_search(es[0], vs[0], ms[0], first, ts[0], pools[0], ss[0])
    left: int = ss[0].left_count
    return left


@_compiled
def _try_redeals(
    es: Any, vs: Any, ms: Any, ts: Any, tapes: Any, pools: Any, ss: Any, rs: Any, redeals: int, drops: bool
) -> int:
    rollouts.try_redeals(
        es[0], vs[0], ms[0], ts[0], ts[1], ts[2], ms[1], vs[1], tapes[0], pools[0], ss[0], rs[0], redeals
    )
    if drops:
        rollouts.drop_hopeless(ss[0])
    left: int = ss[0].left_count
    return left


@_compiled
def _keep_two(ss: Any, moves: int, other: int) -> None:
    rollouts.keep_two(ss[0], moves, other)


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
        self._take(edition, view, moves, random)
        return self.begin_records(level)

    def begin_records(self, level: Level) -> int:
        """Lays out what the records of the desk know."""
        self.ss["others_vary"], self.ss["player_varies"] = int(level.others_vary), 0
        self.ss["patience"], self.ss["least_gain"] = level.patience, level.least_gain
        usual = _usual(self.es, self.vs, self.ms, self.ss)
        return int(_begin(self.es, self.vs, self.ms, usual, self.ts, self.pools, self.ss))

    def compare(self, edition: Edition, view: KarmaView, moves: Moves, first: int, random: Random) -> int:
        """Lays out what is known, to compare all moves with the first one; the usual move."""
        self._take(edition, view, moves, random)
        self.ss["others_vary"] = self.ss["player_varies"] = 1
        _begin(self.es, self.vs, self.ms, first, self.ts, self.pools, self.ss)
        return int(_usual(self.es, self.vs, self.ms, self.ss)) if moves.count else first

    def _take(self, edition: Edition, view: KarmaView, moves: Moves, random: Random) -> None:
        if self._edition is not edition:
            self.es, self._edition = to_records([edition]), edition
        self.vs[:1], self.ms[:1] = to_records([view]), to_records([moves])
        self.rs = to_records([random])

    def try_redeals(self, redeals: int, *, drops: bool = True) -> int:
        """Tries the moves that are left in some redeals, and drops hopeless ones."""
        return int(
            _try_redeals(self.es, self.vs, self.ms, self.ts, self.tapes, self.pools, self.ss, self.rs, redeals, drops)
        )

    def keep_two(self, other: int) -> None:
        """Goes on with the first move and one other, and forgets what was seen."""
        _keep_two(self.ss, int(self.ms[0]["count"]), other)

    def comparisons(self, moves: int) -> Sequence[Comparison]:
        """What the moves gained over the first one, by move."""
        return [Comparison(*row) for row in self._columns(moves, "tried", "lost", "gained", "squares")]

    def halve(self) -> int:
        """Drops the worse half."""
        return int(_halve(self.ss))

    def best(self) -> int:
        """The index of the move to make."""
        return int(_best(self.ss))

    def tallies(self, moves: int) -> Sequence[Tally]:
        """What the roll-outs showed, by move."""
        return [Tally(*row) for row in self._columns(moves, "tried", "lost", "stopped", "picked_up")]

    def _columns(self, moves: int, *names: str) -> Iterator[tuple[int, int, int, int]]:
        return zip(*(self.ss[name][0][:moves].tolist() for name in names), strict=True)
