"""The log of every table: numbered entries that are durable once they are acknowledged."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

Done = Callable[[Exception | None], None]
"""Completion callback: called once, with None on success or with the exception."""


def answer(waiter: asyncio.Future[None], problem: Exception | None) -> None:
    """`Done` callback that completes a future, unless it was cancelled."""
    if waiter.done():
        return
    if problem is None:
        waiter.set_result(None)
    else:
        waiter.set_exception(problem)


class Conflict(Exception):
    """The log already has an entry with this number: read it, then append after it."""


class StoreDown(Exception):
    """The database did not answer; the text is the cause, without secrets.

    The entry may or may not be written: read the log before writing it again.
    """


class LogStore(Protocol):
    """Appends to logs and reads them."""

    def append_soon(self, table: str, seq: int, body: str, done: Done) -> None:
        """Queues entry `seq` of a log; `done` is called when it is durable, or with Conflict or StoreDown.

        Queued entries share a transaction (group commit).
        """

    async def append(self, table: str, seq: int, body: str) -> None:
        """Awaitable form of `append_soon`."""

    async def entries(
        self, table: str, after: int = 0, up_to: int | None = None, *, limit: int | None = None
    ) -> list[tuple[int, str]]:
        """The entries of a log in order, each with its number; at most `limit` of them."""

    async def rewrite(self, table: str, changed: Sequence[tuple[int, str]]) -> None:
        """Replaces the text of entries. Used to erase a person's name."""

    async def compact(self, table: str, gone: Sequence[int], changed: Sequence[tuple[int, str]]) -> None:
        """Deletes entries and replaces the text of others, all or nothing. The last entry of a log must stay."""
