"""Notices between processes by PostgreSQL's NOTIFY, on connections of their own: never in a transaction of the log."""

import asyncio
from collections.abc import Callable

import asyncpg  # type: ignore[import-untyped]  # it brings no types
import structlog

CHANNEL = "threefold"
CONNECT_S = 5
ANSWER_S = 5
BACK_OFF_S = (0.1, 0.2, 0.5, 1.0)
"""How long to wait before the next try; the last goes on."""
SEND = "SELECT pg_notify('threefold', payload) FROM unnest($1::text[]) AS payload"
CHECK_EVERY_S = 2
"""A listening connection that is dead without knowing it is found out so often."""
MOST_WAITING = 20_000
"""Payloads that wait while PostgreSQL is gone; older ones are dropped, as notices may be."""

_log = structlog.get_logger("threefold.storage")
TROUBLE = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, TimeoutError)


class PostgresWire:
    """Listens on one connection and sends on another; both come back by themselves."""

    def __init__(self, address: str) -> None:
        self._address = "postgresql://" + address.partition("://")[2]
        self._hear: Callable[[str], None] = lambda _: None
        self._back: Callable[[], None] = lambda: None
        self._waiting: list[str] = []
        self._more = asyncio.Event()
        self._closing = False
        self._tasks: list[asyncio.Task[None]] = []
        self.listening = False
        self.sent = 0
        self.dropped = 0

    async def open(self, hear: Callable[[str], None], back: Callable[[], None]) -> None:
        """Begins to listen."""
        self._hear, self._back = hear, back
        listener = await self._listener()
        self._tasks = [asyncio.create_task(self._listen(listener)), asyncio.create_task(self._run())]

    def send(self, payloads: list[str]) -> None:
        """Sends soon, together with what else waits."""
        self._waiting += payloads
        if len(self._waiting) > MOST_WAITING:
            self.dropped += len(self._waiting) - MOST_WAITING
            del self._waiting[:-MOST_WAITING]
        self._more.set()

    async def close(self) -> None:
        """Sends what waits, if that is possible soon, and lets go."""
        self._closing = True
        self._more.set()
        if self._tasks:
            listener, sender = self._tasks
            await asyncio.wait([sender], timeout=2)
            listener.cancel()
            sender.cancel()
            await asyncio.gather(listener, sender, return_exceptions=True)

    # ------------------------------------------------------------ Listening

    async def _listener(self) -> asyncpg.Connection:
        connection = await asyncpg.connect(self._address, timeout=CONNECT_S, command_timeout=ANSWER_S)
        await connection.add_listener(CHANNEL, self._heard)
        self.listening = True
        return connection

    def _heard(self, _: object, __: int, ___: str, payload: object) -> None:
        self._hear(str(payload))

    async def _listen(self, connection: asyncpg.Connection) -> None:
        """Holds the line to PostgreSQL, and opens it anew when it breaks."""
        try:
            while True:
                await self._until_broken(connection)
                self.listening = False
                _log.warning("notices are not heard just now")
                connection = await self._again()
                _log.warning("notices are heard again")
                self._back()
        finally:
            self.listening = False
            connection.terminate()

    async def _until_broken(self, connection: asyncpg.Connection) -> None:
        broken = asyncio.Event()
        connection.add_termination_listener(lambda _: broken.set())
        while not connection.is_closed():
            try:
                async with asyncio.timeout(CHECK_EVERY_S):
                    await broken.wait()
            except TimeoutError:
                try:
                    await connection.execute("SELECT 1")
                except TROUBLE:
                    break
        connection.terminate()

    async def _again(self) -> asyncpg.Connection:
        tries = 0
        while True:
            try:
                return await self._listener()
            except TROUBLE:
                await asyncio.sleep(BACK_OFF_S[min(tries, len(BACK_OFF_S) - 1)])
                tries += 1

    # ------------------------------------------------------------ Sending

    async def _run(self) -> None:
        """While some are being sent, the next gather."""
        connection: asyncpg.Connection | None = None
        tries = 0
        try:
            while self._waiting or not self._closing:
                self._more.clear()
                if not self._waiting:
                    await self._more.wait()
                    continue
                batch, self._waiting = self._waiting, []
                try:
                    if connection is None:
                        connection = await asyncpg.connect(self._address, timeout=CONNECT_S, command_timeout=ANSWER_S)
                    await connection.execute(SEND, batch)
                    self.sent += len(batch)
                    tries = 0
                except TROUBLE:
                    self.dropped += len(batch)
                    if connection is not None:
                        connection.terminate()
                    connection = None
                    if not self._closing:
                        await asyncio.sleep(BACK_OFF_S[min(tries, len(BACK_OFF_S) - 1)])
                    tries += 1
        finally:
            if connection is not None:
                connection.terminate()
