"""Turnstile: one at a time through a table. Who finds it free goes through at once; the others wait in a line."""

import asyncio
from collections import deque
from types import TracebackType


class Turnstile:
    """A lock of one event loop that a plain function can take too, when it is free. Nobody who waits is overtaken."""

    __slots__ = ("_taken", "_waiting")

    def __init__(self) -> None:
        self._taken = False
        self._waiting: deque[asyncio.Future[None]] | None = None

    def take(self) -> bool:
        """Goes through at once if that can be; whoever is told True must `release` it."""
        if self._taken:
            return False
        self._taken = True
        return True

    def release(self) -> None:
        """Lets the next one through: it is theirs from now on, whenever they get round to it."""
        while self._waiting:
            following = self._waiting.popleft()
            if not following.done():
                following.set_result(None)
                return
        self._waiting = None
        self._taken = False

    async def __aenter__(self) -> None:
        if self.take():
            return
        if self._waiting is None:
            self._waiting = deque()
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was theirs already
                self.release()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
