"""Opens everything that a server holds, in order, and closes it again: database, clock, neighbours, tables."""

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from threefold import __version__
from threefold.live.clock import WallTime
from threefold.live.exchange import Exchange
from threefold.live.identity import Signer, secret_key
from threefold.live.lobby import Lobby
from threefold.live.notices import About
from threefold.live.shared_time import SharedTime
from threefold.live.thinking import Workers
from threefold.storage import Database
from threefold.storage.wire import PostgresWire
from threefold.web.hall import Hall
from threefold.web.limits import Limits
from threefold.web.settings import ServerSettings

ANSWERS_WITHIN_S = 0.25
"""So long a new process waits for the others to say which tables they have."""


@asynccontextmanager
async def opened(settings: ServerSettings) -> AsyncIterator[Hall]:
    """The hall of a server that runs; a database that several can share is shared."""
    store = Database(settings.database_address)
    await store.open()
    thinker = Workers(settings.workers)
    time = SharedTime() if store.kind == "postgresql" else WallTime()
    lobby = Lobby(
        store,
        time,
        thinker,
        expire_days=settings.expire_days,
        keep_games_days=settings.keep_games_days,
        fair_window_ms=settings.fair_window_ms,
    )
    hall = Hall(settings, lobby, Signer(secret_key(settings.secrets_file)), Limits(settings))
    if isinstance(time, SharedTime):
        hall.exchange = await joined(hall, store, time)
    await lobby.open()
    try:
        yield hall
    finally:
        await lobby.close()
        if hall.exchange is not None:
            await hall.exchange.close()
        thinker.close()
        await store.close()


async def joined(hall: Hall, store: Database, time: SharedTime) -> Exchange:
    """This process among those that share the database."""
    lobby = hall.lobby
    me = f"{time.now():012x}-{secrets.token_hex(4)}"
    about = About(version=__version__, host=socket.gethostname(), pid=os.getpid(), started=time.now())
    exchange = Exchange(
        me, PostgresWire(hall.settings.database_address), store, time, lobby.by_id, lambda: about, lobby.adopt
    )
    lobby.neighbours = exchange
    store.on_commit = exchange.wrote
    await exchange.open()
    await asyncio.sleep(ANSWERS_WITHIN_S)
    return exchange
