"""The log, with group commit: implements `LogStore`."""

import asyncio
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import sqlalchemy as sa

from threefold.live.store import Done, answer
from threefold.storage import schema as t
from threefold.storage.group_commit import Append, GroupCommit, Keys
from threefold.storage.sql import Sql

T = TypeVar("T")
IDS_AT_ONCE = 500
"""Entries that one statement deletes."""


class SqlLog(Sql):
    """A backend says how it writes a batch of entries."""

    def __init__(self, commit_interval_s: float) -> None:
        super().__init__()
        self.commits = GroupCommit(self._commit, commit_interval_s)
        self.measure: Callable[[int, float], None] | None = None

    @abstractmethod
    async def write_entries(self, batch: Sequence[Append]) -> Keys | None:
        """Writes entries in one transaction; returns the keys of those that were new, or None if all were."""

    async def _commit(self, batch: Sequence[Append]) -> Keys | None:
        began = time.perf_counter()
        with self.reporting_outages(writes=True):
            new = await self.write_entries(batch)
        if self.measure is not None:
            self.measure(len(batch), time.perf_counter() - began)
        return new

    def append_soon(self, table: str, seq: int, body: str, done: Done) -> None:
        self.commits.append_soon(table, seq, body, done)

    async def append(self, table: str, seq: int, body: str) -> None:
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.append_soon(table, seq, body, partial(answer, waiter))
        await waiter

    async def entries(
        self, table: str, after: int = 0, up_to: int | None = None, *, limit: int | None = None
    ) -> list[tuple[int, str]]:
        query = sa.select(t.log.c.seq, t.log.c.body).where(t.log.c.table_id == table, t.log.c.seq > after)
        if up_to is not None:
            query = query.where(t.log.c.seq <= up_to)
        ordered = query.order_by(t.log.c.seq).limit(limit)
        rows = await self.read_log(lambda connection: connection.execute(ordered).all())
        return [(row.seq, row.body) for row in rows]

    async def read_log(self, work: Callable[[sa.Connection], T]) -> T:
        """Runs a function that only reads the log; a backend may have connections for that."""
        return await self.query(work)

    async def rewrite(self, table: str, changed: Sequence[tuple[int, str]]) -> None:
        entry = sa.update(t.log).where(t.log.c.table_id == table)
        await self.change(*(entry.where(t.log.c.seq == seq).values(body=body) for seq, body in changed))

    async def compact(self, table: str, gone: Sequence[int], changed: Sequence[tuple[int, str]]) -> None:
        entry = sa.update(t.log).where(t.log.c.table_id == table)
        old = sa.delete(t.log).where(t.log.c.table_id == table)
        deletions = [old.where(t.log.c.seq.in_(gone[i : i + IDS_AT_ONCE])) for i in range(0, len(gone), IDS_AT_ONCE)]
        await self.change(
            *(entry.where(t.log.c.seq == seq).values(body=body) for seq, body in changed),
            *deletions,
        )
