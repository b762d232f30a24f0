"""Karma `hard` and `expert`: they remember what they saw, redeal the rest, and try every move in roll-outs.

A search has a budget of roll-outs, and may have a deadline besides. The same View, random generator, budget and number
of redeals give the same move, so a search can be repeated later, whatever stopped it. Where nothing is compiled (yet),
the same search runs as plain Python with a smaller budget.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from typing import Any, Final, Protocol, cast

from threefold.bots.choice import Bot, Choice, View
from threefold.karma.bot_view import KarmaView, read_view
from threefold.karma.bots import A_MOMENT, THINKING
from threefold.karma.moves import what_of
from threefold.karma.notation import format_move
from threefold.karma.redeal import Pool
from threefold.karma.rollouts import (
    Search,
    begin_search,
    best_move,
    drop_hopeless,
    halve,
    keep_two,
    population,
    try_redeals,
    usual_move,
)
from threefold.karma.table import Edition, Moves, Table, Tape
from threefold.karma.thoughts import Comparison, Found, Tally, thought_of
from threefold.records import blank
from threefold.shuffle import Random


@dataclass(frozen=True, slots=True)
class Level:
    """How hard a bot thinks: roll-outs for one move, and when it stops early."""

    rollouts: int
    deadline_ms: int = 0
    """0: never."""
    redeals: int = 0
    """Stops after these, as the search did that is repeated; 0: goes on."""
    patience: int = 10
    """A move that is so many standard errors, in tenths, short of the least gain is not tried any more."""
    least_gain: int = 3
    """The gain over the usual move, in lost games of a hundred, that is worth looking for."""
    remembers: bool = True
    others_vary: bool = True


LEVELS: Final = {"hard": Level(400), "expert": Level(4_000, 250, patience=25, least_gain=1)}
PLAIN_ROLLOUTS: Final = 60
"""The budget of plain Python: one or two tenths of a second."""
CHUNK: Final = 32
"""Roll-outs between two looks at the clock, and at the moves that fall behind."""


class Desk(Protocol):
    """Working memory of a search, at one speed."""

    def begin(self, edition: Edition, view: KarmaView, moves: Moves, level: Level, random: Random) -> int:
        """Lays out what is known; how many moves are worth trying."""

    def try_redeals(self, redeals: int, *, drops: bool = True) -> int:
        """Tries the moves that are left in some redeals, and drops hopeless ones; how many are left."""

    def halve(self) -> int:
        """Drops the worse half; how many moves are left."""

    def best(self) -> int:
        """The index of the move to make."""

    def tallies(self, moves: int) -> Sequence[Tally]:
        """What the roll-outs showed, by move."""

    def compare(self, edition: Edition, view: KarmaView, moves: Moves, first: int, random: Random) -> int:
        """Lays out what is known, to compare all moves with the first one; the usual move."""

    def keep_two(self, other: int) -> None:
        """Goes on with the first move and one other, and forgets what was seen."""

    def comparisons(self, moves: int) -> Sequence[Comparison]:
        """What the moves gained over the first one, by move."""


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

    def begin(self, edition: Edition, view: KarmaView, moves: Moves, level: Level, random: Random) -> int:
        """Lays out what is known; how many moves are worth trying."""
        self.search.others_vary, self.search.player_varies = int(level.others_vary), 0
        self.search.patience, self.search.least_gain = level.patience, level.least_gain
        self._lay_out(edition, view, moves, usual_move(edition, view, moves, self.search), random)
        return self.search.left_count

    def compare(self, edition: Edition, view: KarmaView, moves: Moves, first: int, random: Random) -> int:
        """Lays out what is known, to compare all moves with the first one; the usual move."""
        self.search.others_vary = self.search.player_varies = 1
        self._lay_out(edition, view, moves, first, random)
        return usual_move(edition, view, moves, self.search) if moves.count else first

    def _lay_out(self, edition: Edition, view: KarmaView, moves: Moves, first: int, random: Random) -> None:
        self.edition, self.view, self.moves, self.random = edition, view, moves, random
        begin_search(edition, view, moves, first, self.known, self.pool, self.search)

    def try_redeals(self, redeals: int, *, drops: bool = True) -> int:
        """Tries the moves that are left in some redeals, and drops hopeless ones."""
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
        if drops:
            drop_hopeless(self.search)
        return self.search.left_count

    def keep_two(self, other: int) -> None:
        """Goes on with the first move and one other, and forgets what was seen."""
        keep_two(self.search, self.moves.count, other)

    def comparisons(self, moves: int) -> Sequence[Comparison]:
        """What the moves gained over the first one, by move."""
        s = self.search
        return [Comparison(s.tried[i], s.lost[i], s.gained[i], s.squares[i]) for i in range(moves)]

    def halve(self) -> int:
        """Drops the worse half."""
        halve(self.search)
        return self.search.left_count

    def best(self) -> int:
        """The index of the move to make."""
        return best_move(self.search)

    def tallies(self, moves: int) -> Sequence[Tally]:
        """What the roll-outs showed, by move."""
        s = self.search
        return [Tally(s.tried[i], s.lost[i], s.stopped[i], s.picked_up[i]) for i in range(moves)]


def think(desk: Desk, level: Level, edition: Edition, view: KarmaView, moves: Moves, random: Random) -> Found:
    """The move that a search finds, and what it saw on the way."""
    if moves.count == 1:
        return Found(0, 0, ())
    if not level.remembers:
        for row in view.known:
            row[:] = [0] * len(row)
    left = desk.begin(edition, view, moves, level, random)
    best, redeals = spend(desk, level, left)
    return Found(best, redeals, desk.tallies(moves.count))


def spend(desk: Desk, level: Level, left: int, clock: Callable[[], float] = time.perf_counter) -> tuple[int, int]:
    """Spends the budget of a level on these moves of a search; the index of the best move, and the redeals tried."""
    ends = clock() + level.deadline_ms / 1000
    tried = 0
    rounds = max(1, (left - 1).bit_length())
    for round_number in range(rounds):
        redeals = max(1, level.rollouts // (rounds * left))
        while redeals > 0 and left > 1:
            chunk = min(redeals, max(1, CHUNK // left), (level.redeals or redeals + tried) - tried)
            left = desk.try_redeals(chunk)
            redeals -= chunk
            tried += chunk
            if tried == level.redeals or (level.deadline_ms and clock() > ends):
                return desk.best(), tried
        if round_number < rounds - 1:
            left = desk.halve()
    return desk.best(), tried


def _choice(desk: Desk, level: Level, view: View, random: Random) -> Choice | None:
    edition, seen, moves = read_view(view)
    if moves.count == 0:
        return None
    found = think(desk, level, edition, seen, moves, random)
    move = moves.move[found.index]
    thought = thought_of(edition, seen, moves, found, level.rollouts)
    return Choice(format_move(edition, move), THINKING.get(what_of(move), A_MOMENT), thought)


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
        self._compiled_desk: Desk | None = None
        self._has_compiler = True

    def bot(self, name: str) -> Bot:
        """A bot that searches, by the name of its level."""
        level = LEVELS[name]
        plain_level = replace(level, rollouts=min(level.rollouts, PLAIN_ROLLOUTS))

        def bot(view: View, random: Random) -> Choice | None:
            desk = self._desk()
            return _choice(desk, plain_level if desk is self._plain_desk else level, view, random)

        return bot

    def again(self, view: View, thought: Mapping[str, Any], random: Random) -> Choice | None:
        """The choice of an earlier search, found again from the same View and random generator."""
        level = replace(LEVELS[thought["bot"]], rollouts=thought["rollouts"], redeals=thought["redeals"], deadline_ms=0)
        return _choice(self._desk(), level, view, random)

    def new_desk(self) -> Desk:
        """A desk for a thread of its own. Where there is a compiler, its code is compiled now if need be."""
        fast = self._compiler()
        return PlainDesk() if fast is None else fast.search_desk()

    def _desk(self) -> Desk:
        """A desk of compiled code, if it is compiled; one for each process."""
        if self._compiled_desk is None and (fast := self._compiler()) is not None and fast.is_cached():
            self._compiled_desk = fast.search_desk()
        return self._compiled_desk or self._plain_desk

    def _compiler(self) -> CompiledSearch | None:
        """The compiled engine; None where there is no compiler."""
        if self._has_compiler:
            try:
                return cast("CompiledSearch", import_module(self._compiled))
            except ImportError:
                self._has_compiler = False
        return None

    @cached_property
    def _plain_desk(self) -> Desk:
        return PlainDesk()


@cache
def thinking(compiled: str) -> Thinking:
    """The bots that search with this compiled engine."""
    return Thinking(compiled)
