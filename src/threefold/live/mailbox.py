"""Mailbox: the one way into a table. Each request is checked, made durable and applied before the next one begins.

Moves, seats, bots, clocks, bids and the entries of other processes all come through here. A request is checked against
the state that the log has; if another process wrote an entry first, that entry is read and the request checked again.
Nothing here needs a task unless the log has to be read.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from threefold.game import Step
from threefold.live import entries as e
from threefold.live.acts import Made, Unsettled
from threefold.live.state import TableState
from threefold.live.store import Conflict, Done, Store

Apply = Callable[[e.Entry, Step[Any] | None], None]


class Superseded(Exception):
    """Another process wrote first, and the request asked not to be tried again."""


@dataclass(slots=True, eq=False)
class Request:
    """Something that is asked of a table."""

    check: Callable[[TableState, int], Made]
    """State and time -> the entry to write, None if there is nothing to do; raises a refusal."""
    done: Done
    """Called once: with None when the entry is durable and applied, or with the problem."""
    client: str = ""
    n: int = 0
    """The message that asked: written into the entry, so that the same message sent twice is one entry."""
    retry: bool = True
    """Try again after a conflict, and wait while bids are open. Bots and clocks look at the table anew instead."""


class Mailbox:
    """The requests of one table, in order."""

    def __init__(self, table: str, store: Store, now: Callable[[], int], state: TableState, apply: Apply) -> None:
        self._table = table
        self._store = store
        self._now = now
        self._state = state
        self._apply = apply
        self._waiting: deque[Request] = deque()
        self._refreshing: list[asyncio.Future[int]] = []
        """Callers of `refresh` who wait for the log to be read; they go before the waiting requests."""
        self._unsettled: list[Request] = []
        """Requests that wait until the open bids are settled."""
        self._busy = False
        """An entry is being written, or the log is being read."""
        self._working = False
        self._tasks: set[asyncio.Task[None]] = set()

    def submit_soon(self, request: Request) -> None:
        """Takes a request; its `done` is called when it is dealt with, perhaps before this returns."""
        self._waiting.append(request)
        self._work()

    async def refresh(self) -> int:
        """Reads what other processes have written; returns the number of entries."""
        count: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._refreshing.append(count)
        self._work()
        return await count

    def _work(self) -> None:
        """Begins the waiting requests, as long as nothing has to be waited for."""
        if self._working:
            return
        self._working = True
        try:
            while not self._busy:
                if self._refreshing:
                    self._run(self._refresh())
                elif self._waiting:
                    self._begin(self._waiting.popleft())
                else:
                    break
        finally:
            self._working = False

    async def _refresh(self) -> None:
        """Reads the log for everybody who waits for it, one after the other."""
        waiting, self._refreshing = self._refreshing, []
        for count in waiting:
            try:
                entries = await self._catch_up()
            except Exception as problem:  # noqa: BLE001 (passed on to the caller)
                if not count.done():
                    count.set_exception(problem)
            else:
                if not count.done():
                    count.set_result(entries)

    def _begin(self, request: Request) -> None:
        try:
            made = request.check(self._state, self._now())
            if made is not None:
                entry, step = made if isinstance(made, tuple) else (made, None)
                if request.n:
                    entry = msgspec.structs.replace(entry, client=request.client, n=request.n)
                written = partial(self._written, request, entry, step)
                self._busy = True
                self._store.append_soon(self._table, self._state.seq + 1, e.encode(entry), written)
                return
        except Unsettled as problem:
            if request.retry:
                self._unsettled.append(request)
            else:
                request.done(problem)
            return
        except Exception as problem:  # noqa: BLE001 (refusals and faults alike are answered)
            self._busy = False
            request.done(problem)
            return
        request.done(None)

    def _written(self, request: Request, entry: e.Entry, step: Step[Any] | None, problem: Exception | None) -> None:
        """The entry is durable, or could not be written."""
        if isinstance(problem, Conflict):
            self._run(self._second_try(request))
            return
        if problem is None:
            try:
                self._take(entry, step)
            except Exception as fault:  # noqa: BLE001 (a fault while applying is answered like any other)
                problem = fault
        self._busy = False
        request.done(problem)
        self._work()

    def _take(self, entry: e.Entry, step: Step[Any] | None) -> None:
        """Applies a durable entry. Requests that waited for a settlement go first."""
        self._apply(entry, step)
        if self._unsettled and not self._state.has_open_bids:
            self._waiting.extendleft(reversed(self._unsettled))
            self._unsettled = []

    async def _second_try(self, request: Request) -> None:
        """Another process wrote first: reads its entries, then looks at the request again."""
        try:
            await self._catch_up()
        except Exception as problem:  # noqa: BLE001 (passed on to the caller)
            request.done(problem)
            return
        if request.retry:
            self._waiting.appendleft(request)
        else:
            request.done(Superseded())

    async def _catch_up(self) -> int:
        rows = await self._store.entries(self._table, self._state.seq)
        for seq, body in rows:
            self._state.seq = seq - 1  # compacted logs have gaps
            self._take(e.decode(body), None)
        return len(rows)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        """Does what has to wait for the store; nothing else begins until it is done."""
        self._busy = True
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._busy = False
        self._work()
