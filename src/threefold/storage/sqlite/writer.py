"""The writer: the only connection of this process that writes to SQLite, and the thread it lives in.

SQLite allows one writer at a time, so all changes queue for this thread. A commit of entries is a single statement,
which releases the interpreter lock once: the event loop goes on while the disk works.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar, cast

import sqlalchemy as sa
import structlog

from threefold.storage.group_commit import Append, Keys
from threefold.storage.sqlite.journal import WriteAheadJournal

T = TypeVar("T")
_log = structlog.get_logger("threefold.storage")


class Writer:
    """Runs jobs on one connection in one thread. After an error the next job gets a new connection."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, "sqlite-writer")
        self._connection: sa.Connection | None = None
        self._journal: WriteAheadJournal | None = None
        self._checkpoint_scheduled = False

    async def append(self, batch: Sequence[Append]) -> Keys | None:
        """Writes entries in one commit; returns the keys of those that were new, or None if all were."""
        return await self._run(lambda _, journal: journal.append(batch))

    async def unfiled(self, table: str) -> list[tuple[int, str]]:
        """The entries of a table that may still be missing in the log."""
        return await self._run(lambda _, journal: journal.unfiled(table))

    async def checkpoint(self) -> None:
        """Moves all entries from the journal to the log."""
        await self._run(lambda _, journal: journal.checkpoint())

    async def erase_traces(self) -> None:
        """Empties the journal and SQLite's own write-ahead log, which may still hold text that was deleted."""
        await self._run(_erase_traces)

    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        """Runs a function in one transaction."""

        def run(connection: sa.Connection, _: WriteAheadJournal) -> T:
            with connection.begin():
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                return work(connection)

        return await self._run(run)

    async def close(self) -> None:
        """Empties the journal and ends the thread."""
        with suppress(sqlite3.Error, sa.exc.SQLAlchemyError):  # the journal is durable: the next start empties it
            await self.checkpoint()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown()

    async def _run(self, job: Callable[[sa.Connection, WriteAheadJournal], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._perform, job)

    # ------------------------------------------------------------ In the thread

    def _perform(self, job: Callable[[sa.Connection, WriteAheadJournal], T]) -> T:
        try:
            if self._connection is None or self._journal is None:
                self._connection = self._engine.connect()
                self._journal = WriteAheadJournal(
                    cast("sqlite3.Connection", self._connection.connection.driver_connection)
                )
            return job(self._connection, self._journal)
        except sa.exc.IntegrityError:
            raise
        except BaseException:
            self._disconnect()
            raise
        finally:
            self._schedule_checkpoint()

    def _schedule_checkpoint(self) -> None:
        if self._journal is not None and self._journal.needs_checkpoint and not self._checkpoint_scheduled:
            self._checkpoint_scheduled = True
            self._thread.submit(self._checkpoint_some)

    def _checkpoint_some(self) -> None:
        """Moves some entries to the log. The rest follows after the jobs that are queued by now."""
        self._checkpoint_scheduled = False
        try:
            if self._journal is not None:
                self._journal.checkpoint_some()
        except sqlite3.Error as problem:
            _log.warning("entries could not be moved to the log", problem=type(problem).__name__)
            self._disconnect()
        self._schedule_checkpoint()

    def _disconnect(self) -> None:
        """Closes the connection; the next one reads the journal again."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
        self._connection = self._journal = None


def _erase_traces(connection: sa.Connection, journal: WriteAheadJournal) -> None:
    """Does what it can: while somebody else reads, a backup for example, a part of the write-ahead log stays."""
    journal.checkpoint()
    connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.rollback()  # SQLAlchemy has begun a transaction
