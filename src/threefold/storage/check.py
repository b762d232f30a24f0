"""Checks before a server starts that its database can be opened and written, and says in words if it cannot."""

import sqlite3

import asyncpg  # type: ignore[import-untyped]  # it has no types
import sqlalchemy as sa
import structlog

from threefold.live.store import StoreDown
from threefold.storage import open_store
from threefold.storage.migrate import HEAD, UnknownSchema
from threefold.storage.sql import cause_of

_log = structlog.get_logger("threefold.storage")


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
