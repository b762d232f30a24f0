"""Notices between processes by PostgreSQL's LISTEN and NOTIFY, on a connection that the log does not use."""

import asyncio
from collections.abc import Callable
from itertools import chain, repeat

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


class PostgresNotices:
    """Implements `NoticeBus` on one connection, which is replaced when it breaks."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._hear: Callable[[str], None] = lambda _: None
        self._back: Callable[[], None] = lambda: None
        self._queue: list[str] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None
        self.listening = False

    async def open(self, hear: Callable[[str], None], back: Callable[[], None]) -> None:
        """Starts listening; `back` is called after an interruption."""
        self._hear, self._back = hear, back
        self._task = asyncio.create_task(self._run(await self._connect()))

    def send(self, payloads: list[str]) -> None:
        """Queues payloads; all that are queued go out in one statement."""
        self._queue += payloads
        del self._queue[:-LONGEST_QUEUE]
        self._wake.set()

    async def close(self) -> None:
        """Sends the queue if that takes no longer than two seconds, and disconnects."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=2)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _connect(self) -> asyncpg.Connection:
        connection = await asyncpg.connect(
            self._address,
            timeout=CONNECT_S,
            command_timeout=ANSWER_S,
            server_settings={"application_name": "threefold notices"},
        )
        connection.add_termination_listener(lambda _: self._wake.set())
        await connection.add_listener(CHANNEL, self._receive)
        self.listening = True
        return connection

    def _receive(self, _: object, __: int, ___: str, payload: object) -> None:
        self._hear(str(payload))

    async def _run(self, connection: asyncpg.Connection) -> None:
        """Serves a connection until it breaks, then the next one."""
        try:
            while True:
                try:
                    return await self._serve(connection)
                except Exception as problem:  # noqa: BLE001 (a broken connection has many names, and this task must not end)
                    self.listening = False
                    connection.terminate()
                    _log.warning("notices are interrupted", problem=type(problem).__name__)
                connection = await self._reconnect()
                _log.warning("notices are received again")
                self._back()
        finally:
            self.listening = False
            connection.terminate()

    async def _serve(self, connection: asyncpg.Connection) -> None:
        """Sends the queue in batches until the bus is closed; raises an exception when the connection breaks.

        While a batch is on its way, the next one gathers. A batch whose sending fails is lost.
        """
        while self._queue or not self._closing:
            self._wake.clear()
            batch, self._queue = self._queue, []
            if batch:
                await connection.execute(SEND, batch)
                continue
            try:
                async with asyncio.timeout(CHECK_EVERY_S):
                    await self._wake.wait()
            except TimeoutError:
                await connection.execute("SELECT 1")
            if connection.is_closed():
                raise asyncpg.InterfaceError("the connection is closed")

    async def _reconnect(self) -> asyncpg.Connection:
        for pause in chain(BACK_OFF_S, repeat(BACK_OFF_S[-1])):
            try:
                return await self._connect()
            except Exception:  # noqa: BLE001 (as above)
                await asyncio.sleep(pause)
        raise AssertionError
