"""Pacing: a turn of the event loop starts few requests and handshakes, so that a flood of them keeps nobody waiting."""

import asyncio
from collections import deque

from litestar.types import ASGIApp, Receive, Scope, Send

STARTS_PER_TURN = 2
"""Requests and handshakes that one turn of the event loop starts; each takes about a millisecond."""


class Pacer:
    """Lets requests start in the order of their arrival, STARTS_PER_TURN in each turn of the event loop."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._started = 0
        """Requests that this turn has started; while there are any, `_next_turn` is scheduled."""

    async def start(self) -> None:
        """Returns when the request may start."""
        if self._started < STARTS_PER_TURN:
            self._count()
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        await turn

    def _count(self) -> None:
        if not self._started:
            asyncio.get_running_loop().call_soon(self._next_turn)
        self._started += 1

    def _next_turn(self) -> None:
        self._started = 0
        while self._waiting and self._started < STARTS_PER_TURN:
            turn = self._waiting.popleft()
            if not turn.done():
                self._count()
                turn.set_result(None)


def with_pacing(app: ASGIApp) -> ASGIApp:
    """Middleware that lets requests and handshakes wait for their turn."""
    pacer = Pacer()

    async def paced(scope: Scope, receive: Receive, send: Send) -> None:
        if str(scope["type"]) != "lifespan":
            await pacer.start()
        await app(scope, receive, send)

    return paced
