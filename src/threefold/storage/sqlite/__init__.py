"""SQLite: one process, one file. Entries go through a write-ahead journal; reads run beside the writer."""

from threefold.storage.sqlite.store import open_sqlite

__all__ = ["open_sqlite"]
