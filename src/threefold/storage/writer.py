"""Writer: the thread that appends entries to a SQLite log, on a connection of its own.

A commit is one statement, which lets go of the interpreter once, however many entries it holds: the tables go on while
the disk works.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import structlog

from threefold.storage.books import Statement
from threefold.storage.commits import Keys, Waiting
from threefold.storage.journal import Journal

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "cache_size=-128")
"""Readers do not wait for the writer, and a commit is on the disk when it returns."""

Found = TypeVar("Found")
_log = structlog.get_logger("threefold.storage")


class Writer:
    """Its own connection, in its own thread."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[tuple[Callable[[Journal], Any], asyncio.Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    async def write(self, batch: Sequence[Waiting]) -> Keys | None:
        """Returns when the batch is on the disk, with the entries that were new; None: all."""
        return await self._ask(lambda journal: journal.append(batch))

    async def fresh(self, table: str) -> list[tuple[int, str]]:
        """The entries of a table that are perhaps not in the log yet."""
        return await self._ask(lambda journal: journal.fresh(table))

    async def file_all(self) -> None:
        """Brings all entries into the log."""
        await self._ask(Journal.file_all)

    async def change(self, *statements: Statement) -> None:
        """Runs statements in one transaction, by the shortest way."""
        await self._ask(lambda journal: _changed(journal.connection, statements))

    async def close(self) -> None:
        """Files what can be filed, and ends the thread."""
        with suppress(Exception):  # whatever it is: the journal has everything
            await self.file_all()
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _ask(self, job: Callable[[Journal], Found]) -> asyncio.Future[Found]:
        done: asyncio.Future[Found] = self._loop.create_future()
        self._jobs.put((job, done))
        return done

    def _run(self) -> None:
        journal: Journal | None = None
        while True:
            if journal is not None and journal.is_filing and self._jobs.empty():
                journal = self._filed(journal)
                continue
            given = self._jobs.get()
            if given is None:
                break
            job, done = given
            try:
                journal = journal or Journal(connected(self._file))
                self._tell(done, job(journal), None)
            except Exception as problem:  # noqa: BLE001 (whatever it is, those who wait must hear of it)
                journal = _let_go(journal)
                self._tell(done, None, problem)
        _let_go(journal)

    def _filed(self, journal: Journal) -> Journal | None:
        """Files some more while nobody waits; what could not be filed is in the journal."""
        try:
            journal.file_some()
        except sqlite3.Error as problem:
            _log.warning("entries could not be filed", problem=type(problem).__name__)
            return _let_go(journal)
        return journal

    def _tell(self, done: asyncio.Future[Any], found: object, problem: Exception | None) -> None:
        def tell() -> None:
            if done.done():
                return
            if problem is None:
                done.set_result(found)
            else:
                done.set_exception(problem)

        with suppress(RuntimeError):  # nobody waits any more: the loop is closed
            self._loop.call_soon_threadsafe(tell)


def connected(file: str) -> sqlite3.Connection:
    """A connection whose commits reach the disk."""
    connection = sqlite3.connect(file, isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _changed(connection: sqlite3.Connection, statements: Iterable[Statement]) -> None:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        for statement, given in statements:
            connection.execute(statement, given)


def _let_go(journal: Journal | None) -> Journal | None:
    """Closes a connection; the next one reads again what is not filed."""
    if journal is not None:
        journal.close()
    return None
