"""Base of both backends: runs SQLAlchemy statements and reports outages as StoreDown."""

import asyncio
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, TypeVar

import sqlalchemy as sa

from threefold.live.store import StoreDown
from threefold.storage.migrate import is_ready

T = TypeVar("T")
READY_WITHIN_S = 2


class Sql(ABC):
    """A database that runs functions of a synchronous SQLAlchemy connection."""

    OUTAGES: ClassVar[tuple[type[Exception], ...]]
    """Exceptions which mean that the database does not answer."""

    def __init__(self) -> None:
        self.errors: Counter[str] = Counter()
        """Number of outages, by the name of the exception."""

    @abstractmethod
    async def query(self, work: Callable[[sa.Connection], T]) -> T:
        """Runs a function that only reads."""

    @abstractmethod
    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        """Runs a function in one transaction."""

    async def read(self, statement: sa.Select[Any]) -> Sequence[Any]:
        """The rows of a query."""
        return await self.query(lambda connection: connection.execute(statement).all())

    async def change(self, *statements: sa.Executable) -> int:
        """Runs statements in one transaction; returns the number of rows that the last one changed."""

        def run(connection: sa.Connection) -> int:
            count = 0
            for statement in statements:
                count = connection.execute(statement).rowcount
            return count

        return await self.transact(run)

    async def answers(self) -> bool:
        """Does the database answer, with a schema that this version can read?"""
        try:
            async with asyncio.timeout(READY_WITHIN_S):
                return await self.query(is_ready)
        except (StoreDown, TimeoutError):
            return False

    @contextmanager
    def reporting_outages(self) -> Iterator[None]:
        """Turns an outage into StoreDown, and counts it."""
        try:
            yield
        except sa.exc.IntegrityError:
            raise
        except self.OUTAGES as problem:
            # Only the name of the exception is kept: its message may contain secrets.
            name = type(getattr(problem, "orig", None) or problem).__name__
            self.errors[name] += 1
            raise StoreDown(name) from problem
