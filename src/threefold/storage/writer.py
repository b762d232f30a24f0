"""Writer: the thread that appends entries to a SQLite log. A batch is one statement, and so one commit on the disk.

A statement lets go of the interpreter once, however many entries it holds: the tables go on while the disk works.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing, suppress

import msgspec

from threefold.storage.commits import Keys, Waiting

ROWS = "SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true"
APPEND = f"INSERT INTO log (table_id, seq, body) {ROWS}"
APPEND_NEW = f"{APPEND} ON CONFLICT DO NOTHING RETURNING table_id, seq"
"""The same where some are there already; names those that were new."""
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000")
"""Readers do not wait for the writer, and a commit is on the disk when it returns."""

Fate = asyncio.Future[Keys | None]
_encode = msgspec.json.Encoder().encode


class Writer:
    """Its own connection, in its own thread."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._loop = asyncio.get_running_loop()
        self._batches: queue.SimpleQueue[tuple[Sequence[Waiting], Fate] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    async def write(self, batch: Sequence[Waiting]) -> Keys | None:
        """Returns when the batch is on the disk, with the entries that were new; None: all."""
        done: Fate = self._loop.create_future()
        self._batches.put((batch, done))
        return await done

    async def close(self) -> None:
        """Ends the thread."""
        self._batches.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        connection: sqlite3.Connection | None = None
        while (given := self._batches.get()) is not None:
            batch, done = given
            try:
                connection = connection or connected(self._file)
                self._tell(done, _appended(connection, batch))
            except Exception as problem:  # noqa: BLE001 (whatever it is, those who wait must hear of it)
                if connection is not None:
                    connection.close()
                connection = None
                self._tell(done, problem)
        if connection is not None:
            connection.close()

    def _tell(self, done: Fate, found: Keys | Exception | None) -> None:
        def tell() -> None:
            if done.done():
                return
            if isinstance(found, Exception):
                done.set_exception(found)
            else:
                done.set_result(found)

        with suppress(RuntimeError):  # nobody waits any more: the loop is closed
            self._loop.call_soon_threadsafe(tell)


def connected(file: str) -> sqlite3.Connection:
    """A connection whose commits reach the disk."""
    connection = sqlite3.connect(file, isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _appended(connection: sqlite3.Connection, batch: Sequence[Waiting]) -> Keys | None:
    rows = (_encode([[each.table, each.seq, each.body] for each in batch]).decode(),)
    try:
        connection.execute(APPEND, rows)
    except sqlite3.IntegrityError:
        with closing(connection.execute(APPEND_NEW, rows)) as found:
            return set(found.fetchall())
    return None
