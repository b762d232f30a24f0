"""The PostgreSQL store."""

import time
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import ClassVar, TypeVar

import asyncpg  # type: ignore[import-untyped]  # it has no types
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from threefold.live.store import OnCommit, SharedStore
from threefold.storage.games import SqlGames
from threefold.storage.group_commit import Append, Keys
from threefold.storage.log import SqlLog
from threefold.storage.matchmaking import SqlMatchmaking
from threefold.storage.migrate import is_ready, upgrade
from threefold.storage.people import SqlPeople
from threefold.storage.postgres.notices import ANSWER_S, CONNECT_S, PostgresNotices
from threefold.storage.registry import SqlRegistry
from threefold.storage.solo import SqlSolo
from threefold.storage.tables import SqlTables

T = TypeVar("T")
CONNECTIONS = 5
LOG_CONNECTIONS = 5
"""Connections for the log alone, one of them for appends. People who come back after a failure queue for the others by
the hundred, and must not keep those who are here from playing and from seeing what other processes write."""
CLOCK_SAMPLES = 7
LOCK = sa.text("SELECT pg_advisory_xact_lock(3003)")
NOW = sa.text("SELECT extract(epoch FROM clock_timestamp())")
APPEND = sa.text(
    "INSERT INTO log (table_id, seq, body)"
    " SELECT * FROM unnest(CAST(:tables AS text[]), CAST(:seqs AS bigint[]), CAST(:bodies AS text[]))"
    " ON CONFLICT DO NOTHING RETURNING table_id, seq"
)
"""Inserts a batch in one statement and returns the keys of the new entries."""
GROWN = sa.text(
    "SELECT known.id FROM unnest(CAST(:tables AS text[]), CAST(:seqs AS bigint[])) AS known(id, seq)"
    " JOIN log ON log.table_id = known.id AND log.seq = known.seq + 1"
)
"""One index lookup per table."""


async def open_postgres(address: str, commit_interval_s: float) -> "PostgresStore":
    """Connects, and brings the schema up to date."""
    location = address.partition("://")[2]
    url = f"postgresql+asyncpg://{location}"
    migrating = create_async_engine(url, poolclass=NullPool)  # without a timeout: a migration may take long
    try:
        async with migrating.begin() as connection:
            await connection.run_sync(_migrate)
    finally:
        await migrating.dispose()
    engine, log_engine = _engine(url, CONNECTIONS), _engine(url, LOG_CONNECTIONS)
    return PostgresStore(engine, log_engine, f"postgresql://{location}", commit_interval_s)


def _engine(url: str, connections: int) -> AsyncEngine:
    """An engine that keeps these connections and opens no more.

    A statement that finds all of them busy waits a few milliseconds. A new connection would be a new process of
    PostgreSQL, which takes seconds on a busy machine.
    """
    timeouts = {"timeout": CONNECT_S, "command_timeout": ANSWER_S}
    return create_async_engine(
        url, pool_size=connections, max_overflow=0, pool_pre_ping=True, pool_timeout=CONNECT_S, connect_args=timeouts
    )


def _migrate(connection: sa.Connection) -> None:
    """Runs the missing migrations; of several processes that start at once, one does."""
    if not is_ready(connection):
        connection.execute(LOCK)
        upgrade(connection)


class PostgresStore(SqlLog, SqlTables, SqlPeople, SqlGames, SqlSolo, SqlRegistry, SqlMatchmaking):
    """A PostgreSQL database, shared with other processes."""

    OUTAGES: ClassVar = (
        sa.exc.DBAPIError,
        sa.exc.TimeoutError,
        asyncpg.PostgresError,
        asyncpg.InterfaceError,
        asyncpg.InternalClientError,
        OSError,
    )
    name = "postgresql"

    def __init__(self, engine: AsyncEngine, log_engine: AsyncEngine, address: str, commit_interval_s: float) -> None:
        super().__init__(commit_interval_s)
        self._engine = engine
        self._log_engine = log_engine
        self._address = address
        self._log_connection: AsyncConnection | None = None
        """For appends only: unlike the pool's it is not tested before each use, and it needs no BEGIN and COMMIT.

        Together they would cost three more round trips per batch.
        """
        self.on_commit: OnCommit | None = None

    @property
    def shared(self) -> SharedStore:
        """This store offers what processes that share it need."""
        return self

    async def close(self) -> None:
        """Finishes the queued writes and disconnects."""
        await self.commits.close()
        if self._log_connection is not None:
            await self._log_connection.close()
        await self._engine.dispose()
        await self._log_engine.dispose()

    async def query(self, work: Callable[[sa.Connection], T]) -> T:
        """Runs a function that only reads."""
        with self.reporting_outages():
            async with self._engine.connect() as connection:
                return await connection.run_sync(work)

    async def read_log(self, work: Callable[[sa.Connection], T]) -> T:
        """Runs a function that only reads the log."""
        with self.reporting_outages():
            async with self._log_engine.connect() as connection:
                return await connection.run_sync(work)

    async def transact(self, work: Callable[[sa.Connection], T]) -> T:
        """Runs a function in one transaction."""
        with self.reporting_outages(writes=True):
            async with self._engine.begin() as connection:
                return await connection.run_sync(work)

    async def write_entries(self, batch: Sequence[Append]) -> Keys | None:
        """Writes entries with one statement; a broken connection is replaced for the next batch.

        An insert waits for another process that has just inserted the same key. All insert in the order of the keys, so
        that two batches never wait for each other.
        """
        tables, seqs, bodies, _ = zip(*sorted(batch, key=itemgetter(0, 1)), strict=True)
        connection = self._log_connection
        if connection is None:
            connection = await self._log_engine.connect()
            self._log_connection = await connection.execution_options(isolation_level="AUTOCOMMIT")
        try:
            rows = await connection.execute(APPEND, {"tables": tables, "seqs": seqs, "bodies": bodies})
            new = {(row.table_id, row.seq) for row in rows}
        except BaseException:
            self._log_connection = None
            await connection.invalidate()
            await connection.close()
            raise
        if self.on_commit is not None:
            self.on_commit(new)
        return None if len(new) == len(batch) else new

    async def grown(self, known: Mapping[str, int]) -> list[str]:
        """Those tables whose log has entries beyond the known last number."""
        parameters = {"tables": list(known), "seqs": list(known.values())}
        return await self.read_log(lambda connection: list(connection.execute(GROWN, parameters).scalars()))

    async def clock_ahead_ms(self) -> float:
        """By how many milliseconds PostgreSQL's clock is ahead. Of several samples, the quickest counts."""

        def sample(connection: sa.Connection) -> tuple[float, float]:
            before = time.time()
            now = float(connection.execute(NOW).scalar_one())
            after = time.time()
            return after - before, now - (before + after) / 2

        samples = await self.query(lambda connection: [sample(connection) for _ in range(CLOCK_SAMPLES)])
        return 1000 * min(samples)[1]

    def notices(self) -> PostgresNotices:
        """A new notice bus, still closed."""
        return PostgresNotices(self._address)
