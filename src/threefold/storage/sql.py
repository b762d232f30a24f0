"""Base of both backends: runs SQLAlchemy statements and reports outages as StoreDown."""

import asyncio
import errno
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, ClassVar, TypeVar

import sqlalchemy as sa
import structlog

from threefold.live.store import StoreDown
from threefold.storage import schema as t
from threefold.storage.migrate import is_ready, revision_of

T = TypeVar("T")
READY_WITHIN_S = 2
PROBE = "probe"
"""The fact that `try_writing` writes."""
CAUSES = {
    **dict.fromkeys(("SQLITE_FULL", "53100", "ENOSPC", "EDQUOT"), "the disk is full"),
    **dict.fromkeys(("SQLITE_READONLY", "25006", "EROFS"), "the database is read-only"),
    **dict.fromkeys(("SQLITE_CANTOPEN", "SQLITE_PERM", "EACCES", "EPERM", "ENOTDIR"), "its files cannot be opened"),
    "SQLITE_IOERR": "the disk refuses to read or write",
    "SQLITE_BUSY": "another program has locked it",
    **dict.fromkeys(("SQLITE_CORRUPT", "SQLITE_NOTADB"), "the file is damaged"),
}
"""By the beginning of a code of SQLite, PostgreSQL or the operating system: the cause in plain words."""

_log = structlog.get_logger("threefold.storage")


class Sql(ABC):
    """A database that runs functions of a synchronous SQLAlchemy connection."""

    OUTAGES: ClassVar[tuple[type[Exception], ...]]
    """Exceptions which mean that the database does not answer."""

    def __init__(self) -> None:
        self.errors: Counter[str] = Counter()
        """Number of outages, by the name of the exception."""
        self.trouble: str | None = None
        """Why the database could not be used the last time; None: it could be written since."""

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
                if self.trouble is not None:
                    await self.try_writing()
                return await self.query(is_ready)
        except (StoreDown, TimeoutError):
            return False

    async def revision(self) -> str:
        """The revision of the schema; a higher one is newer."""
        return await self.query(revision_of) or ""

    async def try_writing(self) -> None:
        """Writes a little; raises StoreDown with the cause if that fails."""
        at = sa.func.coalesce(sa.select(sa.func.max(t.tables.c.touched)).scalar_subquery(), 0)
        probe = sa.insert(t.facts).from_select(["name", "value"], sa.select(sa.literal(PROBE), sa.cast(at, sa.Text)))
        with suppress(sa.exc.IntegrityError):  # another process does the same at this moment
            await self.change(sa.delete(t.facts).where(t.facts.c.name == PROBE), probe)

    @contextmanager
    def reporting_outages(self, *, writes: bool = False) -> Iterator[None]:
        """Turns an outage into StoreDown with its cause, and counts it. The log has one line for each trouble."""
        try:
            yield
            if writes and self.trouble is not None:
                _log.info("the database can be written again")
                self.trouble = None
        except sa.exc.IntegrityError:
            raise
        except self.OUTAGES as problem:
            # Only the name and the code of the exception are kept: its message may contain secrets.
            original = getattr(problem, "orig", None) or problem
            self.errors[type(original).__name__] += 1
            cause = cause_of(original)
            if self.trouble is None:
                _log.error("the database cannot be used", cause=cause)
            self.trouble = cause
            raise StoreDown(cause) from problem


def cause_of(problem: BaseException) -> str:
    """The cause of an outage in plain words, with the code by which the database or the system names it."""
    number = getattr(problem, "errno", None)
    code = (
        getattr(problem, "sqlite_errorname", None)
        or getattr(problem, "sqlstate", None)
        or errno.errorcode.get(number or 0)
    )
    words = next((words for start, words in CAUSES.items() if str(code).startswith(start)), "it does not answer")
    return f"{words} ({code or type(problem).__name__})"
