"""Database: the Store in SQLite (WAL, every commit on the disk before it counts) or in PostgreSQL."""

import asyncio
import json
import sqlite3
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from threefold.live.store import (
    EVERY_GAME,
    CodeTaken,
    Done,
    GameRow,
    PersonRow,
    PlayerRow,
    PracticeRow,
    PuzzleRow,
    ResultRow,
    StoreDown,
    TableRow,
    Wanted,
    answer,
)
from threefold.storage import schema as t
from threefold.storage.books import Statement, recorded, touched
from threefold.storage.commits import PACE_S, GroupCommit, Keys, Waiting
from threefold.storage.migrate import is_ready, upgrade
from threefold.storage.registry import Registry
from threefold.storage.wire import TROUBLE
from threefold.storage.writer import PRAGMAS, Writer

APPEND = sa.text(
    "INSERT INTO log (table_id, seq, body)"
    " SELECT * FROM unnest(CAST(:tables AS text[]), CAST(:seqs AS bigint[]), CAST(:bodies AS text[]))"
    " ON CONFLICT DO NOTHING RETURNING table_id, seq"
)
"""Many entries in one statement, which names those that were new: PostgreSQL's. SQLite has a writer of its own."""
GROWN = sa.text(
    "SELECT known.id FROM unnest(CAST(:tables AS text[]), CAST(:seqs AS bigint[])) AS known(id, seq)"
    " JOIN log ON log.table_id = known.id AND log.seq = known.seq + 1"
)
"""One look at the index for each table."""
CONNECT_S = 5
ANSWER_S = 5
"""A database that takes longer is taken for gone: nothing hangs."""
READERS = 2
"""SQLite's connections beside the writer's: each is a thread with half a megabyte, and their answers take little."""
READY_S = 2
LOOKS_AT_THE_CLOCK = 7


def url_of(database: str) -> str:
    """The address of a database as SQLAlchemy takes it: a path is SQLite, `postgresql://…` is PostgreSQL."""
    if database.startswith(("postgresql://", "postgres://")):
        return "postgresql+asyncpg://" + database.partition("://")[2]
    return f"sqlite+aiosqlite:///{Path(database).resolve()}"


class Database(Registry):
    """One of the two; the statements are the same but for the appending of entries."""

    def __init__(self, database: str, pace_s: float = PACE_S) -> None:
        self.url = url_of(database)
        self.kind = "postgresql" if self.url.startswith("postgresql") else "sqlite"
        self._pace_s = pace_s
        self._engine: AsyncEngine | None = None
        self._writer: AsyncConnection | None = None
        self._entries: Writer | None = None
        self._commits: GroupCommit | None = None
        self._writing = asyncio.Lock()
        self.on_commit: Callable[[Iterable[tuple[str, int]]], None] | None = None
        """Told which entries have become durable."""
        self.measure: Callable[[int, float], None] | None = None
        """Told how many entries a commit had, and how many seconds it took."""
        self.errors: Counter[str] = Counter()
        """How often the database did not answer, by what it said."""

    async def open(self) -> None:
        """Connects, brings the schema up to date, and starts the writer."""
        if self.kind == "sqlite":
            _make_file(Path(self.url.partition(":///")[2]))
            self._engine = create_async_engine(self.url, pool_size=READERS, max_overflow=0)
            sa.event.listen(self._engine.sync_engine, "connect", _prepare_sqlite)
        else:
            limits = {"timeout": CONNECT_S, "command_timeout": ANSWER_S}
            self._engine = create_async_engine(
                self.url, pool_size=5, pool_pre_ping=True, pool_timeout=CONNECT_S, connect_args=limits
            )
        await self._migrate()
        if self.kind == "sqlite":
            self._entries = Writer(self.url.partition(":///")[2])
        self._commits = GroupCommit(self._write_entries, self._pace_s)

    async def _migrate(self) -> None:
        """On a connection of its own: a migration may take its time."""
        engine = create_async_engine(self.url, poolclass=NullPool)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(upgrade)
        finally:
            await engine.dispose()

    async def close(self) -> None:
        """Writes what waits and disconnects."""
        if self._commits is not None:
            await self._commits.close()
        if self._entries is not None:
            await self._entries.close()
        if self._writer is not None:
            await self._writer.close()
        if self._engine is not None:
            await self._engine.dispose()

    # ------------------------------------------------------------ The log

    def append_soon(self, table: str, seq: int, body: str, done: Done) -> None:
        """Writes one entry of a log, together with all others that wait; `done` is called when it is durable."""
        assert self._commits is not None
        self._commits.append_soon(table, seq, body, done)

    async def append(self, table: str, seq: int, body: str) -> None:
        """The same for who wants to wait."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.append_soon(table, seq, body, partial(answer, done))
        await done

    async def _write_entries(self, batch: Sequence[Waiting]) -> Keys | None:
        async with self._writing:
            began = time.perf_counter()
            try:
                new = await (self._write_rows(batch) if self._entries is None else self._entries.write(batch))
            except Exception as problem:
                raise self._down(problem) from problem
        if self.measure is not None:
            self.measure(len(batch), time.perf_counter() - began)
        if self.on_commit is not None:
            self.on_commit((each[:2] for each in batch) if new is None else new)
        return new

    async def _write_rows(self, batch: Sequence[Waiting]) -> Keys | None:
        rows = dict(zip(("tables", "seqs", "bodies"), map(list, zip(*batch, strict=True)), strict=False))
        connection = await self._connected()
        try:
            found = await connection.execute(APPEND, rows)
            new = {(row.table_id, row.seq) for row in found}
            await connection.commit()
        except BaseException:
            self._writer = None
            await connection.invalidate()
            await connection.close()
            raise
        return None if len(new) == len(batch) else new

    async def _connected(self) -> AsyncConnection:
        """The writer's own connection; a broken one is replaced."""
        if self._writer is None:
            assert self._engine is not None
            self._writer = await self._engine.connect()
        return self._writer

    async def entries(self, table: str, after: int = 0, up_to: int | None = None) -> list[tuple[int, str]]:
        """The entries of a log, in order."""
        wanted = sa.select(t.log.c.seq, t.log.c.body).where(t.log.c.table_id == table, t.log.c.seq > after)
        if up_to is not None:
            wanted = wanted.where(t.log.c.seq <= up_to)
        fresh = [] if self._entries is None else await self._fresh(table, after, up_to)
        filed = [(row[0], row[1]) for row in await self._read(wanted.order_by(t.log.c.seq))]
        last = filed[-1][0] if filed else 0
        return filed + [each for each in fresh if each[0] > last]

    async def _fresh(self, table: str, after: int, up_to: int | None) -> list[tuple[int, str]]:
        """Those that SQLite's writer has not filed, or has just now: asked for before the log is read."""
        assert self._entries is not None
        try:
            found = await self._entries.fresh(table)
        except sqlite3.Error as problem:
            raise self._down(problem) from problem
        return [(seq, body) for seq, body in found if after < seq and (up_to is None or seq <= up_to)]

    async def _by_writer(self, *statements: Statement) -> None:
        """What must be quick on SQLite."""
        assert self._entries is not None
        try:
            await self._entries.change(*statements)
        except sqlite3.Error as problem:
            raise self._down(problem) from problem

    async def _file_all(self) -> None:
        """Nothing of a log is anywhere but in the log."""
        if self._entries is not None:
            async with self._writing:
                try:
                    await self._entries.file_all()
                except sqlite3.Error as problem:
                    raise self._down(problem) from problem

    async def rewrite(self, table: str, changed: Sequence[tuple[int, str]]) -> None:
        """Puts other words into entries."""
        await self._file_all()
        statements = [
            sa.update(t.log).where(t.log.c.table_id == table, t.log.c.seq == seq).values(body=body)
            for seq, body in changed
        ]
        await self._change(*statements)

    async def grown(self, known: Mapping[str, int]) -> list[str]:
        """Those of the tables whose log has more entries than that (PostgreSQL)."""
        values = {"tables": list(known), "seqs": list(known.values())}
        async with self._connection() as connection:
            return [row[0] for row in await connection.execute(GROWN, values)]

    async def clock_ahead_ms(self) -> float:
        """By how much PostgreSQL's clock is ahead of this machine's: of several looks the quickest, half way."""
        looks: list[tuple[float, float]] = []
        async with self._connection() as connection:
            for _ in range(LOOKS_AT_THE_CLOCK):
                before = time.time()
                told = await connection.execute(sa.text("SELECT extract(epoch FROM clock_timestamp())"))
                after = time.time()
                looks.append((after - before, float(told.scalar_one()) - (before + after) / 2))
        return min(looks)[1] * 1000

    async def answers(self) -> bool:
        """Whether it can be used just now, and has the schema that this version reads."""
        try:
            async with asyncio.timeout(READY_S), self._connection() as connection:
                return await connection.run_sync(is_ready)
        except (StoreDown, TimeoutError):
            return False

    @asynccontextmanager
    async def _connection(self, *, begin: bool = False) -> AsyncIterator[AsyncConnection]:
        """A connection; a database that is gone or too slow is StoreDown."""
        assert self._engine is not None
        try:
            async with self._engine.begin() if begin else self._engine.connect() as connection:
                yield connection
        except sa.exc.IntegrityError:
            raise
        except (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.TimeoutError, *TROUBLE) as problem:
            raise self._down(problem) from problem
        except sa.exc.DBAPIError as problem:
            if self.kind == "postgresql":  # asyncpg has many names for a server that goes or comes
                raise self._down(problem) from problem
            raise

    def _down(self, problem: BaseException) -> StoreDown:
        """The database does not answer; what exactly it said may hold what nobody should read."""
        name = type(getattr(problem, "orig", None) or problem).__name__
        self.errors[name] += 1
        return StoreDown(name)

    async def _read(self, statement: sa.Select[Any]) -> Sequence[Any]:
        async with self._connection() as connection:
            found: Sequence[Any] = (await connection.execute(statement)).all()
            return found

    async def _change(self, *statements: sa.Executable) -> int:
        """Runs statements in one transaction; how many rows the last one changed."""
        count = 0
        turn = self._writing if self.kind == "sqlite" else nullcontext()  # SQLite has one writer at a time
        async with turn, self._connection(begin=True) as connection:
            for statement in statements:
                count = (await connection.execute(statement)).rowcount
        return count

    # ------------------------------------------------------------ Tables

    async def add_table(self, row: TableRow, first: str) -> None:
        """A table with the first entry of its log."""
        values = {
            "id": row.id,
            "code": row.code,
            "game": row.game,
            "listed": row.listed,
            "opened": row.opened,
            "touched": row.touched,
            "playing": row.playing,
            "closed": row.closed,
        }
        try:
            await self._change(
                sa.insert(t.tables).values(values), sa.insert(t.log).values(table_id=row.id, seq=1, body=first)
            )
        except sa.exc.IntegrityError:
            raise CodeTaken(row.code) from None

    async def table(self, code: str) -> TableRow | None:
        """The table with this code."""
        found = await self._read(sa.select(t.tables).where(t.tables.c.code == code))
        return _table(found[0]) if found else None

    async def tables(self, *, listed: bool = False, playing: bool = False, limit: int = 100) -> list[TableRow]:
        """Tables that are open, the last touched first."""
        wanted = sa.select(t.tables).where(~t.tables.c.closed)
        if listed:
            wanted = wanted.where(t.tables.c.listed)
        if playing:
            wanted = wanted.where(t.tables.c.playing)
        return [_table(row) for row in await self._read(wanted.order_by(t.tables.c.touched.desc()).limit(limit))]

    async def running(self, tables: Sequence[str]) -> list[str]:
        """The codes of those of the tables at which a game runs."""
        wanted = sa.select(t.tables.c.code).where(t.tables.c.playing, ~t.tables.c.closed, t.tables.c.id.in_(tables))
        return [row[0] for row in await self._read(wanted)]

    async def still_open(self, tables: Sequence[str]) -> set[str]:
        """Those of the tables that are there and not closed."""
        wanted = sa.select(t.tables.c.id).where(~t.tables.c.closed, t.tables.c.id.in_(tables))
        return {row[0] for row in await self._read(wanted)}

    async def touch(self, table: str, at: int, *, playing: bool, closed: bool = False) -> None:
        """Notes that something happened."""
        if self._entries is not None and not closed:
            await self._by_writer(touched(table, at, playing=playing))
            return
        row = sa.update(t.tables).where(t.tables.c.id == table)
        if closed:
            await self._change(row.values(touched=at, playing=False, listed=False, closed=True))
        else:
            await self._change(row.where(~t.tables.c.closed).values(touched=at, playing=playing))

    async def relist(self, table: str, *, listed: bool) -> None:
        """Notes whether the table is listed."""
        await self._change(sa.update(t.tables).where(t.tables.c.id == table).values(listed=listed))

    async def expire(self, before: int, keep_games_after: int) -> int:
        """Forgets tables untouched since; one with finished games is closed, and kept as long as games are."""
        await self._file_all()
        old = sa.and_(t.tables.c.touched < before, ~t.tables.c.closed)
        await self._change(sa.update(t.tables).where(old).values(closed=True, playing=False, listed=False))
        await self._change(
            sa.delete(t.players).where(
                t.players.c.game_id.in_(sa.select(t.games.c.id).where(t.games.c.ended < keep_games_after))
            ),
            sa.delete(t.games).where(t.games.c.ended < keep_games_after),
        )
        useless = sa.select(t.tables.c.id).where(
            t.tables.c.closed,
            t.tables.c.touched < before,
            ~t.tables.c.id.in_(sa.select(t.games.c.table_id)),
        )
        return await self._change(
            sa.delete(t.log).where(t.log.c.table_id.in_(useless)),
            sa.delete(t.visits).where(t.visits.c.table_id.in_(useless)),
            sa.delete(t.tables).where(t.tables.c.id.in_(useless)),
        )

    # ------------------------------------------------------------ People

    async def add_person(self, row: PersonRow) -> None:
        """Somebody new."""
        await self._change(sa.insert(t.people).values(id=row.id, name=row.name, made=row.made, seen=row.seen))

    async def person(self, person: str) -> PersonRow | None:
        """What is kept of a person."""
        found = await self._read(sa.select(t.people).where(t.people.c.id == person))
        return PersonRow(found[0].id, found[0].name, found[0].made, found[0].seen) if found else None

    async def rename_person(self, person: str, name: str, at: int) -> None:
        """Another name."""
        await self._change(sa.update(t.people).where(t.people.c.id == person).values(name=name, seen=at))

    async def set_nonce(self, person: str, nonce: str) -> None:
        """The one transfer link that works now."""
        await self._change(sa.update(t.people).where(t.people.c.id == person).values(nonce=nonce))

    async def spend_nonce(self, person: str, nonce: str) -> bool:
        """Uses a transfer link up."""
        wanted = sa.and_(t.people.c.id == person, t.people.c.nonce == nonce)
        return await self._change(sa.update(t.people).where(wanted).values(nonce=None)) == 1

    async def visit(self, person: str, table: str) -> None:
        """Notes that somebody was at a table."""
        known = await self._read(
            sa.select(t.visits.c.person).where(t.visits.c.person == person, t.visits.c.table_id == table)
        )
        if not known:
            try:
                await self._change(sa.insert(t.visits).values(person=person, table_id=table))
            except sa.exc.IntegrityError:  # the same person on two devices, at the same moment
                return

    async def visited(self, person: str) -> list[TableRow]:
        """The tables somebody was at, the last touched first."""
        joined = sa.select(t.tables).join(t.visits, t.visits.c.table_id == t.tables.c.id)
        wanted = joined.where(t.visits.c.person == person).order_by(t.tables.c.touched.desc())
        return [_table(row) for row in await self._read(wanted)]

    async def forget_person(self, person: str) -> None:
        """Deletes what is kept of a person, outside the logs."""
        await self._change(
            sa.update(t.players).where(t.players.c.person == person).values(person=None, name="–"),
            sa.delete(t.visits).where(t.visits.c.person == person),
            sa.delete(t.puzzles).where(t.puzzles.c.person == person),
            sa.delete(t.practice).where(t.practice.c.person == person),
            sa.delete(t.people).where(t.people.c.id == person),
        )

    # ------------------------------------------------------------ Finished games

    async def record_game(self, row: GameRow) -> None:
        """Notes a finished game, once."""
        values = {
            "id": row.id,
            "table_id": row.table,
            "number": row.number,
            "game": row.game,
            "what": row.what,
            "rules": row.rules,
            "began": row.began,
            "ended": row.ended,
            "first_seq": row.first_seq,
            "last_seq": row.last_seq,
            "ending": json.dumps(row.ending),
        }
        people = [
            {
                "game_id": row.id,
                "player": each.player,
                "person": each.person,
                "name": each.name,
                "result": each.result,
                "score": each.score,
                "figures": None if each.figures is None else json.dumps(each.figures),
            }
            for each in row.players
        ]
        if self._entries is not None:
            await self._by_writer(*recorded(values, people))
            return
        if await self.game(row.id) is not None:
            return
        try:
            await self._change(sa.insert(t.games).values(values), sa.insert(t.players).values(people))
        except sa.exc.IntegrityError:  # another process was first
            return

    async def game(self, game: str) -> GameRow | None:
        """A finished game."""
        found = await self._games(sa.select(t.games).where(t.games.c.id == game))
        return found[0] if found else None

    async def games_of(
        self, person: str, limit: int = 200, offset: int = 0, wanted: Wanted = EVERY_GAME
    ) -> list[GameRow]:
        """The finished games of a person, the latest first."""
        own = sa.select(t.players.c.game_id).where(t.players.c.person == person)
        if wanted.result is not None:
            own = own.where(t.players.c.result == wanted.result)
        found = sa.select(t.games).where(t.games.c.id.in_(own))
        for column, value in ((t.games.c.game, wanted.game), (t.games.c.what, wanted.what)):
            found = found if value is None else found.where(column == value)
        if wanted.since is not None:
            found = found.where(t.games.c.ended >= wanted.since)
        if wanted.until is not None:
            found = found.where(t.games.c.ended < wanted.until)
        latest_first = found.order_by(t.games.c.ended.desc(), t.games.c.id)
        return await self._games(latest_first.limit(limit).offset(offset))

    async def results_of(self, person: str) -> list[ResultRow]:
        """How all the games of a person went, the earliest first."""
        g, p = t.games.c, t.players.c
        wanted = sa.select(g.id, g.game, g.what, g.began, g.ended, p.result, p.score, p.figures)
        joined = wanted.join(t.players, p.game_id == g.id).where(p.person == person).order_by(g.ended, g.id)
        return [_result(row) for row in await self._read(joined)]

    async def _games(self, wanted: sa.Select[Any]) -> list[GameRow]:
        rows = await self._read(wanted)
        if not rows:
            return []
        ids = [row.id for row in rows]
        found: dict[str, list[PlayerRow]] = {each: [] for each in ids}
        for each in await self._read(
            sa.select(t.players).where(t.players.c.game_id.in_(ids)).order_by(t.players.c.player)
        ):
            found[each.game_id].append(PlayerRow(each.player, each.person, each.name, each.result, each.score))
        return [
            GameRow(
                row.id,
                row.table_id,
                row.number,
                row.game,
                row.what,
                row.rules,
                row.began,
                row.ended,
                row.first_seq,
                row.last_seq,
                json.loads(row.ending),
                found[row.id],
            )
            for row in rows
        ]

    # ------------------------------------------------------------ Alone

    async def look_at_puzzle(self, person: str, kind: str, day: str, at: int) -> PuzzleRow:
        """Notes the first look at a puzzle; what is kept of it. An earlier look counts, a later one does not."""
        this = sa.and_(t.puzzles.c.person == person, t.puzzles.c.kind == kind, t.puzzles.c.day == day)
        found = await self._read(sa.select(t.puzzles).where(this))
        if not found:
            try:
                await self._change(sa.insert(t.puzzles).values(person=person, kind=kind, day=day, began=at))
            except sa.exc.IntegrityError:  # on two devices at the same moment: the first has it
                return await self.look_at_puzzle(person, kind, day, at)
            return PuzzleRow(kind, day, at)
        row = _puzzle(found[0])
        if row.milliseconds is None and at < row.began:
            await self._change(sa.update(t.puzzles).where(this, t.puzzles.c.began > at).values(began=at))
            return replace(row, began=at)
        return row

    async def solve_puzzle(self, person: str, row: PuzzleRow) -> None:
        """Notes that a puzzle is solved; the first time counts."""
        this = sa.and_(t.puzzles.c.person == person, t.puzzles.c.kind == row.kind, t.puzzles.c.day == row.day)
        await self._change(
            sa.update(t.puzzles)
            .where(this, t.puzzles.c.milliseconds.is_(None))
            .values(milliseconds=row.milliseconds, solved=row.solved)
        )

    async def puzzles_of(self, person: str) -> list[PuzzleRow]:
        """The puzzles a person has looked at, by day."""
        wanted = sa.select(t.puzzles).where(t.puzzles.c.person == person)
        return [_puzzle(row) for row in await self._read(wanted.order_by(t.puzzles.c.day, t.puzzles.c.kind))]

    async def practise(self, person: str, differing: int, milliseconds: int, asked: int) -> None:
        """Notes a SET found in practice; each layout counts once."""
        p = t.practice.c
        this = sa.and_(p.person == person, p.differing == differing)
        faster = sa.case((p.best_ms > milliseconds, milliseconds), else_=p.best_ms)
        more = {"count": p.count + 1, "total_ms": p.total_ms + milliseconds, "best_ms": faster, "asked": asked}
        if await self._change(sa.update(t.practice).where(this, p.asked < asked).values(more)):
            return
        first = {"count": 1, "total_ms": milliseconds, "best_ms": milliseconds, "asked": asked}
        try:
            await self._change(sa.insert(t.practice).values(person=person, differing=differing, **first))
        except sa.exc.IntegrityError:  # this layout, or a later one, is counted
            return

    async def practice_of(self, person: str) -> list[PracticeRow]:
        """How a person does in practice."""
        wanted = sa.select(t.practice).where(t.practice.c.person == person).order_by(t.practice.c.differing)
        return [
            PracticeRow(row.differing, row.count, row.total_ms, row.best_ms, row.asked)
            for row in await self._read(wanted)
        ]


def _puzzle(row: Any) -> PuzzleRow:
    return PuzzleRow(row.kind, row.day, row.began, row.milliseconds, row.solved)


def _table(row: Any) -> TableRow:
    return TableRow(row.id, row.code, row.game, row.listed, row.opened, row.touched, row.playing, row.closed)


def _result(row: Any) -> ResultRow:
    figures = None if row.figures is None else json.loads(row.figures)
    return ResultRow(row.id, row.game, row.what, row.began, row.ended, row.result, row.score, figures)


def _make_file(file: Path) -> None:
    """The file is its owner's alone: it holds the seeds of running games."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)


def _prepare_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Readers do not wait for the writer, and a commit is on the disk when it returns."""
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
