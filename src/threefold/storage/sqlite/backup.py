"""Copies of a SQLite database, taken while the server runs, checked, and put back."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path


class BadBackup(ValueError):
    """A file that is no sound copy of a Threefold database."""


def back_up(database: Path, copy: Path) -> int:
    """Writes a whole, consistent copy; the server may write on meanwhile. Gives the number of log entries in it."""
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
    """Is the file sound, and ours? Gives the number of its log entries."""
    try:
        with closing(sqlite3.connect(f"file:{copy}?mode=ro", uri=True)) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                raise BadBackup(f"{copy} is damaged: {found}")
            kept = "SELECT count(*) FROM log" if _is_old(connection) else "SELECT count(*) FROM entries"
            return int(connection.execute(kept).fetchone()[0])
    except sqlite3.DatabaseError as problem:
        raise BadBackup(f"{copy} is not a Threefold database: {problem}") from None


def _is_old(connection: sqlite3.Connection) -> bool:
    """Whether all entries are in the log, as they once were."""
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'entries'").fetchone() is None


def put_back(copy: Path, database: Path) -> int:
    """Puts a checked copy in the database's place; what was there is kept beside it. The server must be stopped."""
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
