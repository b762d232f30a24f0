"""Group commit: appends that wait at the same moment share one transaction, and each learns its own fate."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from threefold.live.store import Conflict, StoreDown

MOST_TOGETHER = 1000


@dataclass(slots=True)
class Waiting:
    """One entry on its way into a log."""

    table: str
    seq: int
    body: str
    done: asyncio.Future[None]


Write = Callable[[Sequence[Waiting]], Awaitable[set[tuple[str, int]]]]
"""Writes entries in one transaction; gives those that were new."""


class GroupCommit:
    """One writer. While it commits, the next entries gather."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._waiting: list[Waiting] = []
        self._more = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._run())

    async def append(self, table: str, seq: int, body: str) -> None:
        """Returns when the entry is durable; raises Conflict if it was there before."""
        if self._closing:
            raise RuntimeError("the log is closed")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(Waiting(table, seq, body, done))
        self._more.set()
        await done

    async def close(self) -> None:
        """Writes what waits, and ends."""
        self._closing = True
        self._more.set()
        await self._task

    async def _run(self) -> None:
        while not (self._closing and not self._waiting):
            self._more.clear()
            if not self._waiting:
                await self._more.wait()
                continue
            batch, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
            try:
                new = await self._write(batch)
            except Exception as problem:  # noqa: BLE001 (whatever it is, those who wait must hear of it)
                for each in batch:
                    if not each.done.done():
                        each.done.set_exception(StoreDown(str(problem)))
                continue
            written: set[tuple[str, int]] = set()
            for each in batch:
                key = (each.table, each.seq)
                first = key in new and key not in written
                written.add(key)
                if each.done.done():
                    continue
                if first:
                    each.done.set_result(None)
                else:
                    each.done.set_exception(Conflict(each.table, each.seq))
