"""Notices between processes by PostgreSQL's LISTEN and NOTIFY, on connections that the log does not use."""

import asyncio
from collections.abc import Callable

import asyncpg  # type: ignore[import-untyped]  # it has no types
import structlog

CHANNEL = "threefold"
CONNECT_S = 5
ANSWER_S = 5
"""A database that takes longer to answer counts as down."""
BACK_OFF_S = (0.1, 0.2, 0.5, 1.0)
"""Pauses between attempts to connect; the last one repeats."""
SEND = "SELECT pg_notify('threefold', payload) FROM unnest($1::text[]) AS payload"
CHECK_EVERY_S = 2
"""Interval of the checks that detect a listening connection that broke silently."""
LONGEST_QUEUE = 20_000
"""Payloads kept while PostgreSQL is down; older ones are dropped."""

_log = structlog.get_logger("threefold.storage")
OUTAGES = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)


class PostgresNotices:
    """Implements `NoticeBus`: listens on one connection and sends on another; both reconnect by themselves."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._hear: Callable[[str], None] = lambda _: None
        self._back: Callable[[], None] = lambda: None
        self._queue: list[str] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._tasks: list[asyncio.Task[None]] = []
        self.listening = False
        self.sent = 0
        self.dropped = 0

    async def open(self, hear: Callable[[str], None], back: Callable[[], None]) -> None:
        """Starts listening; `back` is called after an interruption."""
        self._hear, self._back = hear, back
        connection = await self._listening_connection()
        self._tasks = [asyncio.create_task(self._listen(connection)), asyncio.create_task(self._send())]

    def send(self, payloads: list[str]) -> None:
        """Queues payloads; all that are queued go out in one statement."""
        self._queue += payloads
        if len(self._queue) > LONGEST_QUEUE:
            self.dropped += len(self._queue) - LONGEST_QUEUE
            del self._queue[:-LONGEST_QUEUE]
        self._wake.set()

    async def close(self) -> None:
        """Sends the queue if that takes no longer than two seconds, and disconnects."""
        self._closing = True
        self._wake.set()
        if self._tasks:
            listener, sender = self._tasks
            await asyncio.wait([sender], timeout=2)
            listener.cancel()
            sender.cancel()
            await asyncio.gather(listener, sender, return_exceptions=True)

    async def _connect(self) -> asyncpg.Connection:
        return await asyncpg.connect(self._address, timeout=CONNECT_S, command_timeout=ANSWER_S)

    # ------------------------------------------------------------ Listening

    async def _listening_connection(self) -> asyncpg.Connection:
        connection = await self._connect()
        await connection.add_listener(CHANNEL, self._receive)
        self.listening = True
        return connection

    def _receive(self, _: object, __: int, ___: str, payload: object) -> None:
        self._hear(str(payload))

    async def _listen(self, connection: asyncpg.Connection) -> None:
        """Reconnects whenever the connection breaks."""
        try:
            while True:
                await self._until_broken(connection)
                self.listening = False
                _log.warning("notices are interrupted")
                connection = await self._reconnect()
                _log.warning("notices are received again")
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
                except OUTAGES:
                    break
        connection.terminate()

    async def _reconnect(self) -> asyncpg.Connection:
        failures = 0
        while True:
            try:
                return await self._listening_connection()
            except OUTAGES:
                await _back_off(failures)
                failures += 1

    # ------------------------------------------------------------ Sending

    async def _send(self) -> None:
        """Sends the queue in batches. While one is on its way, the next one gathers."""
        connection: asyncpg.Connection | None = None
        failures = 0
        try:
            while self._queue or not self._closing:
                self._wake.clear()
                if not self._queue:
                    await self._wake.wait()
                    continue
                batch, self._queue = self._queue, []
                try:
                    connection = connection or await self._connect()
                    await connection.execute(SEND, batch)
                    self.sent += len(batch)
                    failures = 0
                except OUTAGES:
                    self.dropped += len(batch)
                    if connection is not None:
                        connection.terminate()
                    connection = None
                    if not self._closing:
                        await _back_off(failures)
                    failures += 1
        finally:
            if connection is not None:
                connection.terminate()


async def _back_off(failures: int) -> None:
    await asyncio.sleep(BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)])
