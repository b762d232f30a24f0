"""The operator's lists and bans, and facts on which all processes of a database must agree."""

from dataclasses import dataclass
from typing import Protocol

from threefold.live.store.people import PersonRow
from threefold.live.store.tables import TableRow

PAGE = 25
"""Rows on one page of the operator's lists."""


@dataclass(frozen=True, slots=True)
class BanRow:
    """A banned person or address."""

    id: str
    person: str | None
    address: str | None
    name: str
    words: str
    """The message shown to the banned person."""
    made: int
    until: int | None
    """None: permanent."""
    addresses_too: bool = False
    """Also ban the addresses from which the person is connected."""


@dataclass(frozen=True, slots=True)
class TableListing:
    """A table in the operator's list."""

    row: TableRow
    guests: int


@dataclass(frozen=True, slots=True)
class PersonListing:
    """A person in the operator's list."""

    row: PersonRow
    tables: int


class Registry(Protocol):
    """What the operator searches and changes."""

    async def find_tables(self, search: str, order: str, page: int) -> tuple[list[TableListing], int]:
        """One page of the open tables whose code or game contains every word, and the total number of matches."""

    async def find_people(self, search: str, order: str, page: int) -> tuple[list[PersonListing], int]:
        """One page of the people whose name contains every word, and the total number of matches."""

    async def bans(self) -> list[BanRow]:
        """All bans, the latest first."""

    async def add_ban(self, row: BanRow) -> None:
        """Adds a ban; it replaces an older ban of the same person or address."""

    async def lift_ban(self, ban: str) -> bool:
        """Deletes a ban; False if there was none."""

    async def end_bans(self, before: int) -> int:
        """Deletes the bans that expired before this time; returns their number."""

    async def agree(self, name: str, value: str, *, insist: bool = False) -> str:
        """The agreed value of a fact. The first process sets it; `insist` overwrites it."""
