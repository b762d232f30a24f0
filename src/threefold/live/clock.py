"""Clocks: the time of a server, in milliseconds since 1970. Tests bring a clock of their own."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

SLEW = 0.05
"""A shared clock that is wrong by a second is right after twenty."""
JUMP_S = 2.0
"""A shared clock this far behind is set at once: the machine has slept. It is never set back, only slewed."""


class Clock(Protocol):
    """What tells the time."""

    def now(self) -> int:
        """Milliseconds since 1970."""

    async def wait(self, event: asyncio.Event, until: int | None) -> None:
        """Returns when the event is set, or at that time."""


class WallClock:
    """The machine's time; it never runs backwards while the program runs."""

    def __init__(self) -> None:
        self._offset = time.time() - time.monotonic()

    def now(self) -> int:
        """Milliseconds since 1970."""
        return int((time.monotonic() + self._offset) * 1000)

    async def wait(self, event: asyncio.Event, until: int | None) -> None:
        """Returns when the event is set, or at that time."""
        try:
            async with asyncio.timeout(None if until is None else max(0.0, (until - self.now()) / 1000)):
                await event.wait()
        except TimeoutError:
            return


class TableClock:
    """The time of one table: the server's, but never before the table's last entry. Then it goes on from there.

    A machine's clock may have been set back since that entry, or another process may be a little ahead.
    """

    def __init__(self, server: Clock, latest: Callable[[], int]) -> None:
        self.server = server
        self._latest = latest
        """The time of the table's last entry."""
        self._ahead = 0

    def now(self) -> int:
        """Milliseconds since 1970."""
        now = self.server.now() + self._ahead
        latest = self._latest()
        if now < latest:
            self._ahead += latest - now
            return latest
        return now

    async def wait(self, event: asyncio.Event, until: int | None) -> None:
        """Returns when the event is set, or at that time."""
        await self.server.wait(event, None if until is None else until - self._ahead)


class SharedClock(WallClock):
    """The database's time, for processes that share one: slewed towards it, and never set back."""

    def __init__(self) -> None:
        super().__init__()
        self._target = self._offset
        self._looked = time.monotonic()
        self._set = False

    def correct(self, ahead_ms: float) -> None:
        """The database's clock is ahead of the machine's by this much. The first correction counts at once."""
        target = time.time() - time.monotonic() + ahead_ms / 1000
        if not self._set or target - self._offset > JUMP_S:
            self._offset = max(self._offset, target) if self._set else target
        self._set, self._target = True, target

    def now(self) -> int:
        """Milliseconds since 1970."""
        here = time.monotonic()
        if self._offset != self._target:
            most = SLEW * (here - self._looked)
            self._offset += min(most, max(-most, self._target - self._offset))
        self._looked = here
        return int((here + self._offset) * 1000)
