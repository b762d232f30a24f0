"""Storage: implements the protocols of `threefold.live.store`, in SQLite (`sqlite/`) or PostgreSQL (`postgres/`).

The statements that both understand are in this folder; each backend adds how it connects, appends and commits.
"""

import sqlite3
from collections.abc import Awaitable, Callable

import asyncpg  # type: ignore[import-untyped]  # it has no types
import sqlalchemy as sa
import structlog

from threefold.live.store import Store, StoreDown
from threefold.storage.group_commit import INTERVAL_S
from threefold.storage.migrate import HEAD, UnknownSchema
from threefold.storage.postgres import open_postgres
from threefold.storage.sql import cause_of
from threefold.storage.sqlite import open_sqlite

_log = structlog.get_logger("threefold.storage")
BACKENDS: dict[str, Callable[[str, float], Awaitable[Store]]] = {
    "": open_sqlite,
    "postgres": open_postgres,
    "postgresql": open_postgres,
}
"""By the scheme of an address; a path has none."""


async def open_store(address: str, commit_interval_s: float = INTERVAL_S) -> Store:
    """Opens the database at a path or URL, and brings its schema up to date."""
    scheme, separator, _ = address.partition("://")
    backend = BACKENDS.get(scheme if separator else "")
    if backend is None:
        raise ValueError(f"there is no storage for {scheme}://")
    return await backend(address, commit_interval_s)


async def check_store(address: str) -> None:
    """Opens the database and writes a little; raises StoreDown with the cause if that fails."""
    try:
        store = await open_store(address)
    except UnknownSchema as problem:
        raise StoreDown(str(problem)) from None
    except (sa.exc.SQLAlchemyError, sqlite3.Error, asyncpg.PostgresError, OSError) as problem:
        raise StoreDown(cause_of(getattr(problem, "orig", None) or problem)) from problem
    try:
        revision = await store.revision()
        if revision > HEAD:
            _log.warning("a newer version made this database; it is used as it is", schema=revision, known=HEAD)
        await store.try_writing()
    finally:
        await store.close()
