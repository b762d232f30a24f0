"""Group commit: entries that are queued at the same time share one transaction, and each gets its own result.

A commit of fifty entries costs as much as a commit of one. Under load, commits are therefore spaced out so that entries
can gather; the first entry after a pause is committed at once.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter
from typing import NamedTuple

from threefold.live.store import Conflict, Done, StoreDown

LARGEST_BATCH = 1000
INTERVAL_S = 0.003
"""Minimum time from the start of one commit to the start of the next."""

Keys = set[tuple[str, int]]
"""Table and number of entries."""


class Append(NamedTuple):
    """An entry to be written, and the callback that waits for it."""

    table: str
    seq: int
    body: str
    done: Done


Write = Callable[[Sequence[Append]], Awaitable[Keys | None]]
"""Writes a batch in one transaction; returns the keys of the entries that were new, or None if all were."""


class GroupCommit:
    """Queues entries and commits them in batches, one batch at a time."""

    def __init__(self, write: Write, interval_s: float) -> None:
        self.write = write
        self._interval_s = interval_s
        self._loop = asyncio.get_running_loop()
        self._queue: list[Append] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._began = 0.0
        self._task = asyncio.create_task(self._run())

    def append_soon(self, table: str, seq: int, body: str, done: Done) -> None:
        """Queues an entry; `done` is called when it is durable, or with Conflict or StoreDown."""
        if self._closing:
            raise RuntimeError("the log is closed")
        if not self._queue:
            self._wake.set()
        self._queue.append(Append(table, seq, body, done))

    async def close(self) -> None:
        """Commits the queue and stops."""
        self._closing = True
        self._wake.set()
        await self._task

    async def _run(self) -> None:
        while self._queue or not self._closing:
            if not self._queue:
                self._wake.clear()
                await self._wake.wait()
                continue
            await self._keep_interval()
            await self._commit()

    async def _commit(self) -> None:
        """Writes the next entries of the queue, and calls their callbacks; keeps no reference to them."""
        batch, self._queue = self._queue[:LARGEST_BATCH], self._queue[LARGEST_BATCH:]
        try:
            new = await self.write(batch)
        except Exception as problem:  # noqa: BLE001 (every waiting callback must be called)
            for entry in batch:
                self._finish(entry, problem if isinstance(problem, StoreDown) else StoreDown(repr(problem)))
            return
        for entry in batch:
            self._finish(entry, None if new is None else _conflict(entry, new))

    async def _keep_interval(self) -> None:
        """Waits until the interval since the last commit has passed."""
        rest = self._began + self._interval_s - perf_counter()
        if rest > 0 and not self._closing:
            await asyncio.sleep(rest)
        self._began = perf_counter()

    def _finish(self, entry: Append, problem: Exception | None) -> None:
        """Calls an entry's callback. A failing callback must not stop the remaining ones."""
        try:
            entry.done(problem)
        except Exception as failure:  # noqa: BLE001 (a callback may raise anything)
            self._loop.call_exception_handler({"message": "a callback of the log failed", "exception": failure})


def _conflict(entry: Append, new: Keys) -> Conflict | None:
    """Was the entry already in the log? Of two equal keys in one batch, the first is new."""
    key = (entry.table, entry.seq)
    if key not in new:
        return Conflict(*key)
    new.discard(key)
    return None
