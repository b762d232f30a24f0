"""Group commit: appends that wait at the same moment share one transaction, and each learns its own fate.

A commit costs the same for one entry as for fifty. So when entries keep coming they are let gather for a moment; the
first after a pause goes at once.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter

from threefold.live.store import Conflict, Done, StoreDown

MOST_TOGETHER = 1000
PACE_S = 0.003
"""From the beginning of one commit to that of the next, at least."""

Keys = set[tuple[str, int]]


Waiting = tuple[str, int, str, Done]
"""One entry on its way into a log: its table, its number, what it says, and who waits for it."""
Write = Callable[[Sequence[Waiting]], Awaitable[Keys | None]]
"""Writes entries in one transaction; gives those that were new, None: all."""


class GroupCommit:
    """One writer. While it commits, the next entries gather."""

    def __init__(self, write: Write, pace_s: float) -> None:
        self._write = write
        self._pace_s = pace_s
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Waiting] = []
        self._more = asyncio.Event()
        self._closing = False
        self._began = 0.0
        self._task = asyncio.create_task(self._run())

    def append_soon(self, table: str, seq: int, body: str, done: Done) -> None:
        """Calls `done` when the entry is durable; or with a Conflict if it was there before, or with StoreDown."""
        if self._closing:
            raise RuntimeError("the log is closed")
        if not self._waiting:
            self._more.set()
        self._waiting.append((table, seq, body, done))

    async def close(self) -> None:
        """Writes what waits, and ends."""
        self._closing = True
        self._more.set()
        await self._task

    async def _run(self) -> None:
        while self._waiting or not self._closing:
            if not self._waiting:
                self._more.clear()
                await self._more.wait()
                continue
            await self._gather()
            batch, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
            try:
                new = await self._write(batch)
            except Exception as problem:  # noqa: BLE001 (whatever it is, those who wait must hear of it)
                for each in batch:
                    self._tell(each, StoreDown(str(problem)))
                continue
            for each in batch:
                self._tell(each, None if new is None else _fate(each, new))

    async def _gather(self) -> None:
        """Lets more entries come, if the last commit began just now."""
        rest = self._began + self._pace_s - perf_counter()
        if rest > 0 and not self._closing:
            await asyncio.sleep(rest)
        self._began = perf_counter()

    def _tell(self, entry: Waiting, problem: Exception | None) -> None:
        """One who cannot bear the news does not keep it from the others."""
        try:
            entry[3](problem)
        except Exception as trouble:  # noqa: BLE001 (whatever it is, it is theirs)
            self._loop.call_exception_handler({"message": "an entry was written in vain", "exception": trouble})


def _fate(entry: Waiting, new: Keys) -> Conflict | None:
    """Whether an entry was there before; of two that are the same, the second was."""
    key = entry[:2]
    if key not in new:
        return Conflict(*key)
    new.discard(key)
    return None
