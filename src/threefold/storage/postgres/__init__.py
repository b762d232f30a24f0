"""PostgreSQL: one database for several processes, which send each other notices through it."""

from threefold.storage.postgres.store import open_postgres

__all__ = ["open_postgres"]
