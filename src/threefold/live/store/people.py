"""The people who have chosen a name, and the tables they have visited."""

from dataclasses import dataclass
from typing import Protocol

from threefold.live.store.tables import TableRow


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person."""

    id: str
    name: str
    made: int
    seen: int


class PersonStore(Protocol):
    """Keeps people, their visits, and their current transfer link."""

    async def add_person(self, row: PersonRow) -> None:
        """Adds a person."""

    async def person(self, person: str) -> PersonRow | None:
        """The person with this id."""

    async def rename_person(self, person: str, name: str, at: int) -> None:
        """Changes a person's name."""

    async def saw(self, person: str, at: int) -> None:
        """Records that a person was active."""

    async def set_nonce(self, person: str, nonce: str) -> None:
        """Sets the nonce of the only transfer link that is valid from now on."""

    async def spend_nonce(self, person: str, nonce: str) -> bool:
        """Invalidates a transfer link; False if it was not valid."""

    async def visit(self, person: str, table: str) -> None:
        """Records that a person was at a table."""

    async def visited(self, person: str) -> list[TableRow]:
        """The tables that a person was at, the most recently touched first."""

    async def forget_person(self, person: str) -> None:
        """Deletes a person, except from the logs."""
