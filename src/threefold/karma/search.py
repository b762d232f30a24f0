"""Karma `hard` and `expert`: they remember what they saw, redeal the rest, and try every move in roll-outs.

A search has a budget of roll-outs, and may have a deadline besides. With a budget alone, the same View and the same
random generator give the same move. Where nothing is compiled (yet), the same search runs as plain Python with a
smaller budget.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from typing import Final, Protocol, cast

from threefold.bots.choice import Bot, Choice, View
from threefold.karma.bot_view import KarmaView, read_view
from threefold.karma.bots import A_MOMENT, THINKING
from threefold.karma.moves import what_of
from threefold.karma.notation import format_move
from threefold.karma.redeal import Pool
from threefold.karma.rollouts import Search, begin_search, best_move, halve, population, try_redeals
from threefold.karma.table import Edition, Moves, Table, Tape
from threefold.records import blank
from threefold.shuffle import Random


@dataclass(frozen=True, slots=True)
class Level:
    """How hard a bot thinks: roll-outs for one move, and the milliseconds after which it stops early (0: never)."""

    rollouts: int
    deadline_ms: int = 0
    remembers: bool = True
    others_vary: bool = True


LEVELS: Final = {"hard": Level(200), "expert": Level(4_000, 250)}
PLAIN_ROLLOUTS: Final = 60
"""The budget of plain Python: one or two tenths of a second."""
CHUNK: Final = 400
"""Roll-outs between two looks at the clock."""


class Desk(Protocol):
    """Working memory of a search, at one speed."""

    def begin(self, edition: Edition, view: KarmaView, moves: Moves, level: Level, random: Random) -> None:
        """Lays out what is known."""

    def try_redeals(self, redeals: int) -> int:
        """Tries the moves that are left in some redeals; how many roll-outs were played since `begin`."""

    def halve(self) -> int:
        """Drops the worse half; how many moves are left."""

    def best(self) -> int:
        """The index of the move to make."""


class PlainDesk:
    """The search as plain Python: slow, and the reference for the compiled one."""

    edition: Edition
    view: KarmaView
    moves: Moves
    random: Random

    def __init__(self) -> None:
        self.known, self.world, self.trial = (blank(Table, deal=None) for _ in range(3))
        self.listed, self.seen, self.tape = blank(Moves), blank(KarmaView), blank(Tape)
        self.pool, self.search = blank(Pool), blank(Search)
        self.search.weights = population()

    def begin(self, edition: Edition, view: KarmaView, moves: Moves, level: Level, random: Random) -> None:
        """Lays out what is known."""
        self.edition, self.view, self.moves, self.random = edition, view, moves, random
        self.search.others_vary = int(level.others_vary)
        begin_search(edition, view, moves, self.known, self.pool, self.search)

    def try_redeals(self, redeals: int) -> int:
        """Tries the moves that are left in some redeals."""
        try_redeals(
            self.edition,
            self.view,
            self.moves,
            self.known,
            self.world,
            self.trial,
            self.listed,
            self.seen,
            self.tape,
            self.pool,
            self.search,
            self.random,
            redeals,
        )
        return self.search.rollouts

    def halve(self) -> int:
        """Drops the worse half."""
        halve(self.search)
        return self.search.left_count

    def best(self) -> int:
        """The index of the move to make."""
        return best_move(self.search)


def think(desk: Desk, level: Level, edition: Edition, view: KarmaView, moves: Moves, random: Random) -> int:
    """The move that a search finds."""
    if moves.count == 1:
        return moves.move[0]
    if not level.remembers:
        for row in view.known:
            row[:] = [0] * len(row)
    desk.begin(edition, view, moves, level, random)
    return moves.move[spend(desk, level, moves.count)]


def spend(desk: Desk, level: Level, moves: int, clock: Callable[[], float] = time.perf_counter) -> int:
    """Spends the budget of a level on a search that has begun; the index of the best move."""
    ends = clock() + level.deadline_ms / 1000
    left = moves
    rounds = max(1, (moves - 1).bit_length())
    while left > 1:
        redeals = max(1, level.rollouts // (rounds * left))
        chunk = max(1, CHUNK // left) if level.deadline_ms else redeals
        while redeals > 0:
            desk.try_redeals(min(chunk, redeals))
            redeals -= chunk
            if level.deadline_ms and clock() > ends:
                redeals = 0
        left = desk.halve()
    return desk.best()


class CompiledSearch(Protocol):
    """The part of the compiled engine that searches."""

    def is_cached(self) -> bool:
        """Is it compiled already?"""

    def search_desk(self) -> Desk:
        """A desk of compiled code."""


class Thinking:
    """The bots that search. `compiled` names the module of the compiled engine, which is loaded when a bot first moves.

    A process that has no compiler, or whose cache is not filled yet, searches in plain Python.
    """

    def __init__(self, compiled: str) -> None:
        self._compiled = compiled
        self._desk: Desk | None = None
        self._has_compiler = True

    def bot(self, name: str) -> Bot:
        """A bot that searches, by the name of its level."""
        level = LEVELS[name]
        plain_level = replace(level, rollouts=min(level.rollouts, PLAIN_ROLLOUTS))

        def bot(view: View, random: Random) -> Choice | None:
            edition, seen, moves = read_view(view)
            if moves.count == 0:
                return None
            desk = self._compiled_desk()
            if desk is None:
                move = think(self._plain_desk, plain_level, edition, seen, moves, random)
            else:
                move = think(desk, level, edition, seen, moves, random)
            return Choice(format_move(edition, move), THINKING.get(what_of(move), A_MOMENT))

        return bot

    @cached_property
    def _plain_desk(self) -> Desk:
        return PlainDesk()

    def _compiled_desk(self) -> Desk | None:
        if self._desk is None and self._has_compiler:
            try:
                fast = cast("CompiledSearch", import_module(self._compiled))
            except ImportError:
                self._has_compiler = False
            else:
                if fast.is_cached():
                    self._desk = fast.search_desk()
        return self._desk


@cache
def thinking(compiled: str) -> Thinking:
    """The bots that search with this compiled engine; one desk for each process."""
    return Thinking(compiled)
