"""How people meet: the public list of tables, and offers of a quick match. Both expire by themselves."""

from typing import Protocol


class MeetingStore(Protocol):
    """Keeps the public list and the offers, for all processes of a database."""

    async def list_table(self, table: str, body: str, expires: int) -> None:
        """Puts a table on the public list, or replaces what the list says of it (JSON)."""

    async def unlist_table(self, table: str) -> None:
        """Takes a table off the public list."""

    async def listed_tables(self, now: int, limit: int) -> list[str]:
        """What the public list says of each table, the newest table first."""

    async def claim_match(
        self, game: str, person: str, now: int, own: str | None = None, expires: int = 0
    ) -> str | None:
        """The code of the table at which somebody else has waited longest; it is offered to nobody any more.

        If nobody waits, the table `own` is offered until `expires`. Of several who ask at once, one is first.
        """

    async def offer_of(self, game: str, person: str, now: int) -> str | None:
        """The code of the table at which this person waits."""

    async def forget_expired(self, now: int) -> None:
        """Deletes what has expired from the list and the offers."""

    async def withdraw_offer(self, table: str) -> None:
        """Offers a table no more."""
