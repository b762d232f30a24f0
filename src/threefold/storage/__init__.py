"""The durable log: games are seeds and accepted moves, kept in SQLite or in PostgreSQL behind one small interface.

The interface is `threefold.live.store.Store`; `database.py` implements it for both.
"""

from threefold.storage.database import Database

__all__ = ["Database"]
