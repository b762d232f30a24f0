"""What the live layer stores: one protocol per job, with its rows. `threefold.storage` implements them."""

from collections import Counter
from collections.abc import Callable
from typing import Protocol

from threefold.live.store.games import ANY_GAME, GameFilter, GameRow, GameStore, PlayerRow, ResultRow
from threefold.live.store.log import Conflict, Done, LogStore, StoreDown, answer
from threefold.live.store.matchmaking import MatchmakingStore
from threefold.live.store.people import PersonRow, PersonStore
from threefold.live.store.registry import PAGE, BanRow, PersonListing, Registry, TableListing
from threefold.live.store.shared import NoticeBus, OnCommit, SharedStore
from threefold.live.store.solo import PracticeRow, PuzzleRow, SoloStore
from threefold.live.store.tables import CodeTaken, TableRow, TableStore

__all__ = [
    "ANY_GAME",
    "PAGE",
    "BanRow",
    "CodeTaken",
    "Conflict",
    "Done",
    "GameFilter",
    "GameRow",
    "GameStore",
    "LogStore",
    "MatchmakingStore",
    "NoticeBus",
    "OnCommit",
    "PersonListing",
    "PersonRow",
    "PersonStore",
    "PlayerRow",
    "PracticeRow",
    "PuzzleRow",
    "Registry",
    "ResultRow",
    "SharedStore",
    "SoloStore",
    "Store",
    "StoreDown",
    "TableListing",
    "TableRow",
    "TableStore",
    "answer",
]


class Store(LogStore, TableStore, PersonStore, GameStore, SoloStore, Registry, MatchmakingStore, Protocol):
    """An open database. A write that has returned survives any crash."""

    measure: Callable[[int, float], None] | None
    """Called after each group commit with its number of entries and its duration in seconds."""
    errors: Counter[str]
    """Number of failures to answer, by the name of the exception."""

    @property
    def name(self) -> str:
        """The database's name, for people."""

    @property
    def shared(self) -> SharedStore | None:
        """What processes that share the database need; None if only one process can use it."""

    trouble: str | None
    """Why the database could not be used the last time; None: it could be written since."""

    async def answers(self) -> bool:
        """Can the database be read and written, with a schema that this version can read?"""

    async def revision(self) -> str:
        """The revision of the schema; a higher one is newer."""

    async def try_writing(self) -> None:
        """Writes a little; raises StoreDown with the cause if that fails."""

    async def close(self) -> None:
        """Finishes the queued writes and disconnects."""
