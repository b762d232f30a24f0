"""Connections to the SQLite file, with the settings that make commits durable."""

import sqlite3
from pathlib import Path

import sqlalchemy as sa

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON", "busy_timeout=10000", "cache_size=-128")
"""Readers do not wait for the writer, a commit is on the disk when it returns, and deleted text is overwritten."""


def connect(file: Path) -> sqlite3.Connection:
    """A connection in autocommit mode; any thread may use it, one at a time."""
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


def create_engine(file: Path, connections: int) -> sa.Engine:
    """SQLAlchemy on top of such connections; it creates the file if it is missing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)  # readable by its owner only: it holds the seeds of running games
    return sa.create_engine(
        "sqlite://", creator=lambda: connect(file), poolclass=sa.QueuePool, pool_size=connections, max_overflow=0
    )
