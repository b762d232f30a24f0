"""Store: what a table of people needs to keep, as one small interface. `threefold.storage` implements it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from threefold.game import Json

Done = Callable[[Exception | None], None]
"""Told once how something ended: with nothing, or with what went wrong."""


def answer(waiting: asyncio.Future[None], problem: Exception | None) -> None:
    """`Done` for somebody who waits, if they still do."""
    if waiting.done():
        return
    if problem is None:
        waiting.set_result(None)
    else:
        waiting.set_exception(problem)


class Conflict(Exception):
    """Somebody else wrote this entry of the log first: read it, look again, and try the next."""


class StoreDown(Exception):
    """The store did not answer; whether an entry was written is not known, so look before writing it again."""


class CodeTaken(Exception):
    """Another table has this code."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """What is kept of a table beside its log, to find it by."""

    id: str
    code: str
    game: str
    listed: bool
    opened: int
    touched: int
    playing: bool = False
    closed: bool = False


@dataclass(frozen=True, slots=True)
class PersonRow:
    """What is kept of a person."""

    id: str
    name: str
    made: int
    seen: int


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player of a finished game."""

    player: int
    person: str | None
    name: str
    result: str
    score: int | None = None
    figures: Json = None
    """What is kept of how they played, where the game has a review."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A finished game, to find its part of the log by."""

    id: str
    table: str
    number: int
    game: str
    what: str
    """The edition or the variant."""
    rules: int
    began: int
    ended: int
    first_seq: int
    last_seq: int
    ending: Json
    players: Sequence[PlayerRow] = field(default=())


@dataclass(frozen=True, slots=True)
class PuzzleRow:
    """A daily puzzle somebody has looked at: since when, and how long it took if it is solved."""

    kind: str
    day: str
    began: int
    milliseconds: int | None = None
    solved: int | None = None
    """When."""


@dataclass(frozen=True, slots=True)
class PracticeRow:
    """The SETs somebody has found in practice, by the number of features in which the cards differ."""

    differing: int
    count: int
    total_ms: int
    best_ms: int
    asked: int
    """When the latest layout was asked for; an older one does not count again."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which of somebody's games to list; None: all."""

    game: str | None = None
    what: str | None = None
    result: str | None = None
    since: int | None = None
    until: int | None = None


EVERY_GAME = Wanted()


@dataclass(frozen=True, slots=True)
class ResultRow:
    """How one game went for one person."""

    id: str
    game: str
    what: str
    began: int
    ended: int
    result: str
    score: int | None
    figures: Json


@dataclass(frozen=True, slots=True)
class BanRow:
    """Somebody, or an address, that is to stay away."""

    id: str
    person: str | None
    address: str | None
    name: str
    words: str
    """What they are told about it."""
    made: int
    until: int | None
    """None: for good."""
    addresses_too: bool = False
    """The addresses from which the person is connected are banned as well."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table as the operator's list shows it."""

    row: TableRow
    guests: int


@dataclass(frozen=True, slots=True)
class FoundPerson:
    """A person as the operator's list shows them."""

    row: PersonRow
    tables: int


class Store(Protocol):
    """The durable part: when a write returns, it will be there after any crash."""

    async def open(self) -> None:
        """Makes it ready, its schema up to date."""

    async def close(self) -> None:
        """Lets go of everything; waiting writes are finished first."""

    async def answers(self) -> bool:
        """Whether it can be used just now."""

    def append_soon(self, table: str, seq: int, body: str, done: Done) -> None:
        """Writes one entry of a log, and tells when it is durable; a Conflict, if that entry exists, or StoreDown.

        Appends that wait share one commit.
        """

    async def append(self, table: str, seq: int, body: str) -> None:
        """The same for who wants to wait: returns, or raises the problem."""

    async def entries(self, table: str, after: int = 0, up_to: int | None = None) -> list[tuple[int, str]]:
        """The entries of a log, in order."""

    async def rewrite(self, table: str, changed: Sequence[tuple[int, str]]) -> None:
        """Puts other words into entries (a person wants to be forgotten)."""

    async def add_table(self, row: TableRow, first: str) -> None:
        """A table with the first entry of its log; raises CodeTaken."""

    async def table(self, code: str) -> TableRow | None:
        """The table with this code."""

    async def tables(self, *, listed: bool = False, playing: bool = False, limit: int = 100) -> list[TableRow]:
        """Tables that are open, the last touched first."""

    async def running(self, tables: Sequence[str]) -> list[str]:
        """The codes of those of the tables at which a game runs."""

    async def still_open(self, tables: Sequence[str]) -> set[str]:
        """Those of the tables that are there and not closed."""

    async def touch(self, table: str, at: int, *, playing: bool, closed: bool = False) -> None:
        """Notes that something happened; a closed table stays closed."""

    async def relist(self, table: str, *, listed: bool) -> None:
        """Notes whether the table is listed."""

    async def expire(self, before: int, keep_games_after: int) -> int:
        """Forgets tables untouched since, unless they hold a finished game that is kept longer; how many."""

    async def add_person(self, row: PersonRow) -> None:
        """Somebody new."""

    async def person(self, person: str) -> PersonRow | None:
        """What is kept of a person."""

    async def rename_person(self, person: str, name: str, at: int) -> None:
        """Another name."""

    async def set_nonce(self, person: str, nonce: str) -> None:
        """The one transfer link that works now."""

    async def spend_nonce(self, person: str, nonce: str) -> bool:
        """Uses a transfer link up; False if it was not the one."""

    async def visit(self, person: str, table: str) -> None:
        """Notes that somebody was at a table."""

    async def visited(self, person: str) -> list[TableRow]:
        """The tables somebody was at."""

    async def forget_person(self, person: str) -> None:
        """Deletes what is kept of a person, outside the logs."""

    async def record_game(self, row: GameRow) -> None:
        """Notes a finished game; once is enough, twice does no harm."""

    async def game(self, game: str) -> GameRow | None:
        """A finished game."""

    async def games_of(
        self, person: str, limit: int = 200, offset: int = 0, wanted: Wanted = EVERY_GAME
    ) -> list[GameRow]:
        """The finished games of a person, the latest first."""

    async def look_at_puzzle(self, person: str, kind: str, day: str, at: int) -> PuzzleRow:
        """Notes the first look at a puzzle; what is kept of it. An earlier look counts, a later one does not."""

    async def solve_puzzle(self, person: str, row: PuzzleRow) -> None:
        """Notes that a puzzle is solved; the first time counts."""

    async def puzzles_of(self, person: str) -> list[PuzzleRow]:
        """The puzzles a person has looked at, by day."""

    async def practise(self, person: str, differing: int, milliseconds: int, asked: int) -> None:
        """Notes a SET found in practice; each layout counts once."""

    async def practice_of(self, person: str) -> list[PracticeRow]:
        """How a person does in practice."""

    async def results_of(self, person: str) -> list[ResultRow]:
        """How all the games of a person went, the earliest first."""
