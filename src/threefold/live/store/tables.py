"""The tables, as the lobby finds them. What happened at a table is in its log."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class CodeTaken(Exception):
    """Another table has this code."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table."""

    id: str
    code: str
    game: str
    listed: bool
    opened: int
    touched: int
    playing: bool = False
    closed: bool = False


class TableStore(Protocol):
    """Creates tables, finds them, and deletes old ones."""

    async def add_table(self, row: TableRow, first: str) -> None:
        """Adds a table together with the first entry of its log; raises CodeTaken."""

    async def table(self, code: str) -> TableRow | None:
        """The table with this code."""

    async def tables(self, *, listed: bool = False, playing: bool = False, limit: int = 100) -> list[TableRow]:
        """Open tables, the most recently touched first; optionally only listed ones, or only those with a game."""

    async def running(self, tables: Sequence[str]) -> list[str]:
        """Of these tables (ids), the codes of those with a running game."""

    async def still_open(self, tables: Sequence[str]) -> set[str]:
        """Of these tables (ids), those that exist and are not closed."""

    async def touch(self, table: str, at: int, *, playing: bool, closed: bool = False) -> None:
        """Records activity at a table, or closes it. A closed table stays closed."""

    async def relist(self, table: str, *, listed: bool) -> None:
        """Shows a table in the public list, or hides it."""

    async def expire(self, before: int, keep_games_after: int) -> int:
        """Closes tables untouched since `before` and deletes games that ended before `keep_games_after`.

        A closed table is deleted once it has no games left. Returns the number of deleted tables.
        """
