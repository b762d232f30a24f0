"""Backups of the SQLite file: made while the server runs, checked, and restored."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path


class BadBackup(ValueError):
    """The file is not an intact Threefold database."""


def back_up(database: Path, copy: Path) -> int:
    """Writes a consistent copy; the server may keep running. Returns the number of log entries in it."""
    if not database.exists():
        raise BadBackup(f"there is no database at {database}")
    unfinished = copy.with_name(copy.name + ".unfinished")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(database, timeout=30)) as source, closing(sqlite3.connect(unfinished)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")
    entries = check(unfinished)
    unfinished.replace(copy)
    return entries


def check(copy: Path) -> int:
    """Checks that a file is an intact Threefold database; returns the number of its log entries."""
    try:
        with closing(sqlite3.connect(f"file:{copy}?mode=ro", uri=True)) as connection:
            integrity = connection.execute("PRAGMA integrity_check").fetchone()[0]
            if integrity != "ok":
                raise BadBackup(f"{copy} is damaged: {integrity}")
            count = "SELECT count(*) FROM entries" if _has_journal(connection) else "SELECT count(*) FROM log"
            return int(connection.execute(count).fetchone()[0])
    except sqlite3.DatabaseError as problem:
        raise BadBackup(f"{copy} is not a Threefold database: {problem}") from None


def _has_journal(connection: sqlite3.Connection) -> bool:
    """Is the database new enough for a journal? The view `entries` then joins the journal and the log."""
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'entries'").fetchone() is not None


def put_back(copy: Path, database: Path) -> int:
    """Restores a checked copy; the present database is kept beside it. The server must be stopped."""
    entries = check(copy)
    if database.exists():
        with closing(sqlite3.connect(database, timeout=0.5)) as present:
            try:
                present.execute("PRAGMA locking_mode=EXCLUSIVE")
                present.execute("BEGIN EXCLUSIVE")
                present.rollback()
                present.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.OperationalError:
                raise BadBackup(f"{database} is in use: stop the server first") from None
        database.replace(database.with_name(database.name + ".before-restore"))
    for ending in ("-wal", "-shm"):
        database.with_name(database.name + ending).unlink(missing_ok=True)
    database.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(copy)) as source, closing(sqlite3.connect(database)) as target:
        source.backup(target)
    return entries
