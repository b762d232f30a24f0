"""The SQLite store."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar, TypeVar

import sqlalchemy as sa

from threefold.storage.games import SqlGames
from threefold.storage.group_commit import Append, Keys
from threefold.storage.log import SqlLog
from threefold.storage.matchmaking import SqlMatchmaking
from threefold.storage.migrate import upgrade
from threefold.storage.people import SqlPeople
from threefold.storage.registry import SqlRegistry
from threefold.storage.solo import SqlSolo
from threefold.storage.sqlite.connection import create_engine
from threefold.storage.sqlite.writer import Writer
from threefold.storage.tables import SqlTables

T = TypeVar("T")
READERS = 2
"""Threads that read, each with a connection of half a megabyte. More gain nothing: see benchmarks/bench_storage.py."""


async def open_sqlite(address: str, commit_interval_s: float) -> "SqliteStore":
    """Opens the database file, creating it if it is missing, and brings its schema up to date."""
    engine = await asyncio.to_thread(_migrated, address)
    return SqliteStore(engine, commit_interval_s)


def _migrated(address: str) -> sa.Engine:
    engine = create_engine(Path(address).resolve(), READERS + 1)
    with engine.connect() as connection, connection.begin():
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        upgrade(connection)
    return engine


class SqliteStore(SqlLog, SqlTables, SqlPeople, SqlGames, SqlSolo, SqlRegistry, SqlMatchmaking):
    """A SQLite file: one thread writes, a few read."""

    OUTAGES: ClassVar = (
        sa.exc.OperationalError,
        sa.exc.InterfaceError,
        sa.exc.TimeoutError,
        sqlite3.Error,
        OSError,
    )
    name = "sqlite"
    shared = None

    def __init__(self, engine: sa.Engine, commit_interval_s: float) -> None:
        super().__init__(commit_interval_s)
        self._engine = engine
        self._readers = ThreadPoolExecutor(READERS, "sqlite-reader")
        self._writer = Writer(engine)

    async def close(self) -> None:
        """Finishes the queued writes and disconnects."""
        await self.commits.close()
        await self._writer.close()
        self._readers.shutdown()
        self._engine.dispose()

    async def query(self, work: Callable[[sa.Connection], T]) -> T:
        """Runs a function that only reads, beside the writer."""

        def run() -> T:
            with self._engine.connect() as connection:
                return work(connection)

        with self.reporting_outages():
            return await asyncio.get_running_loop().run_in_executor(self._readers, run)

    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        """Runs a function in one transaction, in the writer's thread."""
        with self.reporting_outages(writes=True):
            return await self._writer.transact(work)

    async def write_entries(self, batch: Sequence[Append]) -> Keys | None:
        """Writes entries to the journal."""
        return await self._writer.append(batch)

    async def entries(
        self, table: str, after: int = 0, up_to: int | None = None, *, limit: int | None = None
    ) -> list[tuple[int, str]]:
        """The entries of a log in order. The journal is read first: a checkpoint may move its entries meanwhile."""
        with self.reporting_outages():
            unfiled = await self._writer.unfiled(table)
        filed = await super().entries(table, after, up_to, limit=limit)
        last = filed[-1][0] if filed else after
        return (filed + [(seq, body) for seq, body in unfiled if last < seq and (up_to is None or seq <= up_to)])[
            :limit
        ]

    async def rewrite(self, table: str, changed: Sequence[tuple[int, str]]) -> None:
        """Replaces the text of entries, and leaves no copy of it in the journal."""
        await self._checkpoint()
        await super().rewrite(table, changed)

    async def forget_person(self, person: str) -> None:
        """Deletes a person; nothing of the name stays in the files."""
        await super().forget_person(person)
        with self.reporting_outages():
            await self._writer.erase_traces()

    async def compact(self, table: str, gone: Sequence[int], changed: Sequence[tuple[int, str]]) -> None:
        """Drops entries, and leaves no copy of them in the journal."""
        await self._checkpoint()
        await super().compact(table, gone, changed)

    async def expire(self, before: int, keep_games_after: int) -> int:
        """Deletes old tables with all their entries, and whatever the write-ahead log still holds of deleted text."""
        await self._checkpoint()
        deleted = await super().expire(before, keep_games_after)
        with self.reporting_outages():
            await self._writer.erase_traces()
        return deleted

    async def _checkpoint(self) -> None:
        with self.reporting_outages():
            await self._writer.checkpoint()
