"""Matchmaking: the public list of tables, and offers of a quick match. Both expire by themselves."""

from typing import Protocol


class MatchmakingStore(Protocol):
    """Keeps the public list and the offers, for all processes of a database."""

    async def list_table(self, table: str, body: str, expires: int) -> None:
        """Writes the row of a table on the public list; `body` is JSON."""

    async def unlist_table(self, table: str) -> None:
        """Takes a table off the public list."""

    async def listed_tables(self, now: int, limit: int) -> list[str]:
        """The rows of the public list, the newest table first."""

    async def claim_match(
        self, game: str, person: str, now: int, own: str | None = None, expires: int = 0
    ) -> str | None:
        """Withdraws the oldest offer of another person and returns the code of its table.

        If there is none, offers the table `own` until `expires`. Concurrent claims are served one after the other.
        """

    async def offer_of(self, game: str, person: str, now: int) -> str | None:
        """The code of the table that this person has offered."""

    async def forget_expired(self, now: int) -> None:
        """Deletes expired rows and offers."""

    async def withdraw_offer(self, table: str) -> None:
        """Withdraws the offer of a table."""
