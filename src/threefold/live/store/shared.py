"""What a database offers beyond storage if several processes can share it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

OnCommit = Callable[[Iterable[tuple[str, int]]], None]
"""Called after each commit with the new entries: table and number."""


class NoticeBus(Protocol):
    """Broadcasts short messages to the other processes. A message may be lost."""

    @property
    def listening(self) -> bool:
        """Is it receiving at present?"""

    async def open(self, hear: Callable[[str], None], back: Callable[[], None]) -> None:
        """Starts receiving: `hear` is called with each message, `back` after an interruption that may have lost any."""

    def send(self, payloads: list[str]) -> None:
        """Queues messages for sending."""

    async def close(self) -> None:
        """Sends the queued messages if possible, and disconnects."""


class SharedStore(Protocol):
    """The part of a store that only processes sharing a database need."""

    on_commit: OnCommit | None

    async def grown(self, known: Mapping[str, int]) -> list[str]:
        """Those tables whose log has entries beyond the known last number."""

    async def clock_ahead_ms(self) -> float:
        """By how many milliseconds the database's clock is ahead of this machine's."""

    def notices(self) -> NoticeBus:
        """A new notice bus, still closed."""
