"""Opens everything that a server holds, in order, and closes it again: database, clock, neighbours, tables."""

import asyncio
import gc
import os
import secrets
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import FrameType

import structlog

from threefold import __version__
from threefold.engines import Engines
from threefold.live.clock import WallTime
from threefold.live.exchange import Exchange
from threefold.live.identity import Signer, new_id
from threefold.live.keys import Keys
from threefold.live.lobby import Lobby
from threefold.live.measures import MeasuredThinker, Measures
from threefold.live.notices import About
from threefold.live.shared_time import SharedTime
from threefold.live.store import BanRow, StoreDown
from threefold.live.thinking import Workers
from threefold.storage import Database
from threefold.storage.wire import PostgresWire
from threefold.web.hall import Hall
from threefold.web.limits import Limits
from threefold.web.logs import hide, secrets_of_address
from threefold.web.metrics import Figures
from threefold.web.settings import ServerSettings

ANSWERS_WITHIN_S = 0.25
"""So long a new process waits for the others to say which tables they have."""
BANS_EVERY_S = 2.0
GOODBYE_S = 5.0
"""So long lines may take to hear that the server goes."""

_log = structlog.get_logger("threefold.web")


class OtherKey(RuntimeError):
    """Another process on the same database signs with another key."""


@asynccontextmanager
async def opened(settings: ServerSettings) -> AsyncIterator[Hall]:
    """The hall of a server that runs; a database that several can share is shared."""
    keys = settings.keys()
    hide((keys.signing_key, keys.operator_token, settings.secret, *secrets_of_address(settings.database_address)))
    store = Database(settings.database_address)
    await store.open()
    try:
        await agree_on(keys, store, settings)
    except BaseException:
        await store.close()
        raise
    measures = Measures()
    store.measure = measures.committed
    workers = Workers(settings.workers)
    time = SharedTime() if store.kind == "postgresql" else WallTime()
    engines = Engines()
    lobby = Lobby(
        store,
        time,
        MeasuredThinker(workers, measures),
        expire_days=settings.expire_days,
        keep_games_days=settings.keep_games_days,
        fair_window_ms=settings.fair_window_ms,
        engines=engines,
    )
    hall = Hall(settings, lobby, Signer(keys.signing_key), Limits(settings), keys, store, measures)
    hall.metrics = Figures(hall)
    if isinstance(time, SharedTime):
        hall.exchange = await joined(hall, time)
    await look_at_bans(hall)
    tasks = [asyncio.create_task(each) for each in (measures.pulse(), _bans(hall))]
    await lobby.open()
    _log.info("open", database=store.kind, version=__version__, key=keys.fingerprint)
    if settings.compiled:
        engines.warm_up(_warmed_up)
    try:
        yield hall
    finally:
        await leave(hall)
        await asyncio.to_thread(engines.stop)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        workers.close()
        await store.close()
        _log.info("closed")


def _warmed_up(result: str) -> None:
    """Logs the result of the warm-up; the garbage collector need not look at what was loaded for it."""
    gc.freeze()
    _log.info("karma", speed=result)


async def agree_on(keys: Keys, store: Database, settings: ServerSettings) -> None:
    """Processes that share a database must sign with one key, or nobody's cookie holds at the next."""
    alone = store.kind == "sqlite"
    agreed = await store.agree("signing_key", keys.fingerprint, insist=alone or settings.new_secret)
    if agreed != keys.fingerprint:
        raise OtherKey(
            f"This database is used with another signing key ({agreed}, not {keys.fingerprint}). Give all processes the"
            " same THREEFOLD_SECRET, or the same secrets.json by THREEFOLD_SECRETS_FILE. If the old key is lost, start"
            " once with THREEFOLD_NEW_SECRET=1: everybody then has to choose a name anew."
        )


async def joined(hall: Hall, time: SharedTime) -> Exchange:
    """This process among those that share the database."""
    lobby, measures = hall.lobby, hall.measures
    started, host = time.now(), socket.gethostname()

    def about() -> About:
        return About(
            version=__version__,
            host=host,
            pid=os.getpid(),
            started=started,
            key=hall.keys.fingerprint,
            sockets=hall.sockets,
            tables=len(lobby.sessions),
            moves_per_s=round(measures.moves_per_s, 1),
        )

    exchange = Exchange(
        f"{started:012x}-{secrets.token_hex(4)}",
        PostgresWire(hall.settings.database_address),
        hall.store,
        time,
        lobby.by_id,
        about,
        lobby.adopt,
        hall.bans_changed.set,
    )
    lobby.neighbours = exchange
    hall.store.on_commit = exchange.wrote
    await exchange.open()
    await asyncio.sleep(ANSWERS_WITHIN_S)
    return exchange


# ---------------------------------------------------------------- Bans


async def _bans(hall: Hall) -> None:
    """Looks the bans up when somebody says they have changed; where others can change them, now and then anyhow."""
    while True:
        hall.bans_changed.clear()
        try:
            async with asyncio.timeout(None if hall.exchange is None else BANS_EVERY_S):
                await hall.bans_changed.wait()
        except TimeoutError:
            pass
        try:
            await look_at_bans(hall)
        except StoreDown:
            continue


async def look_at_bans(hall: Hall) -> None:
    """Takes the bans as they are, and cuts the lines of who is to stay away."""
    hall.bans.take(await hall.store.bans())
    now = hall.lobby.time.now()
    found = [(line, hall.bans.of(person, address, now), address) for line, (_, person, address) in hall.lines.items()]
    for line, ban, address in found:
        if ban is None:
            continue
        session = hall.lines[line][0]
        session.hang_up(line, "banned", ban.words)
        if ban.addresses_too and address not in hall.bans.addresses:
            more = BanRow(new_id(), None, address, ban.name, ban.words, now, ban.until)
            await hall.store.add_ban(more)
            hall.bans.addresses[address] = more


# ---------------------------------------------------------------- Going


async def leave(hall: Hall) -> None:
    """Lets go of everything in good order: lines are told, tables handed over, and nobody new comes in."""
    if hall.draining:
        return
    hall.draining = True
    lines = list(hall.lines)
    await hall.lobby.close()
    if hall.exchange is not None:
        await hall.exchange.close()
    until = asyncio.get_running_loop().time() + GOODBYE_S
    while any(line in hall.lines for line in lines):
        await asyncio.sleep(0.02)
        if asyncio.get_running_loop().time() > until:
            break


Handler = Callable[[int, FrameType | None], object]


def leave_on_signals(hall: Hall) -> Callable[[], None]:
    """SIGTERM and Ctrl-C: first everybody is told, then the web server stops. The second signal stops it at once."""
    if threading.current_thread() is not threading.main_thread():
        return lambda: None
    loop = asyncio.get_running_loop()
    before = {sig: signal.getsignal(sig) for sig in (signal.SIGTERM, signal.SIGINT)}
    going: list[asyncio.Task[None]] = []

    async def go(sig: int, handler: Handler) -> None:
        try:
            await leave(hall)
        finally:
            handler(sig, None)

    def begin(sig: int, handler: Handler) -> None:
        going.append(loop.create_task(go(sig, handler)))

    def asked(sig: int, frame: FrameType | None) -> None:
        handler = before[signal.Signals(sig)]
        if not callable(handler):
            return
        if going or hall.draining:
            handler(sig, frame)
        else:
            loop.call_soon_threadsafe(begin, sig, handler)

    for sig, handler in before.items():
        if callable(handler):
            signal.signal(sig, asked)

    def put_back() -> None:
        for sig, handler in before.items():
            if signal.getsignal(sig) is asked:
                signal.signal(sig, handler)

    return put_back
