"""Opens everything that a server holds, in order, and closes it again: database, cluster, tables, background tasks."""

import asyncio
import gc
import os
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from threefold import __version__
from threefold.engines import Engines
from threefold.games import KITS
from threefold.kit import Kits, kit_at
from threefold.live.bot_runner import BotWorkers
from threefold.live.clock import SharedClock, WallClock
from threefold.live.cluster import Cluster
from threefold.live.identity import Signer
from threefold.live.keys import Keys
from threefold.live.lobby import Lobby
from threefold.live.measures import MeasuredBots, Measures
from threefold.live.notices import About
from threefold.live.store import SharedStore, Store
from threefold.storage import open_store
from threefold.web.ban_watch import refresh_bans, watch_bans
from threefold.web.limits import Limits
from threefold.web.logs import redact, secrets_of_address
from threefold.web.server import Server
from threefold.web.settings import ServerSettings
from threefold.web.shutdown import drain

PEERS_ANSWER_S = 0.25
"""How long a new process waits for the others to say which tables they have."""

_log = structlog.get_logger("threefold.web")


class OtherKey(RuntimeError):
    """Another process on the same database signs with another key."""


@asynccontextmanager
async def open_server(settings: ServerSettings) -> AsyncIterator[Server]:
    """A running server; it joins the other processes if the database can be shared."""
    keys = settings.keys()
    redact((keys.signing_key, keys.operator_token, settings.secret, *secrets_of_address(settings.database_address)))
    store = await open_store(settings.database_address)
    try:
        await check_signing_key(keys, store, settings)
    except BaseException:
        await store.close()
        raise
    measures = Measures()
    store.measure = measures.committed
    workers = BotWorkers(settings.workers, share=settings.bots_share)
    clock = WallClock() if store.shared is None else SharedClock()
    engines = Engines(Kits((*KITS.values(), *map(kit_at, settings.kits))))
    lobby = Lobby(
        store,
        clock,
        MeasuredBots(workers, measures),
        engines,
        expire_days=settings.expire_days,
        keep_games_days=settings.keep_games_days,
        fair_window_ms=settings.fair_window_ms,
        countdown_ms=settings.countdown_ms,
    )
    server = Server(settings, lobby, Signer(keys.signing_key), Limits(settings), keys, store, measures)
    if store.shared is not None and isinstance(clock, SharedClock):
        server.cluster = await join_cluster(server, store.shared, clock)
    await refresh_bans(server)
    tasks = [asyncio.create_task(each) for each in (measures.pulse(), watch_bans(server))]
    await lobby.open()
    _log.info("open", database=store.name, version=__version__, key=keys.fingerprint)
    if settings.compiled:
        engines.warm_up(_on_warm_up)
    try:
        yield server
    finally:
        await drain(server)
        await asyncio.to_thread(engines.stop)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        workers.close()
        await store.close()
        _log.info("closed")


def _on_warm_up(game: str, speed: str) -> None:
    """Logs how a game runs from now on, and excludes the compiled code from garbage collection."""
    gc.freeze()
    _log.info(game, speed=speed)


async def check_signing_key(keys: Keys, store: Store, settings: ServerSettings) -> None:
    """Refuses to start if other processes on this database sign cookies with another key."""
    insist = store.shared is None or settings.new_secret
    agreed = await store.agree("signing_key", keys.fingerprint, insist=insist)
    if agreed != keys.fingerprint:
        raise OtherKey(
            f"This database is used with another signing key ({agreed}, not {keys.fingerprint}). Give all processes the"
            " same THREEFOLD_SECRET, or the same secrets.json by THREEFOLD_SECRETS_FILE. If the old key is lost, start"
            " once with THREEFOLD_NEW_SECRET=1: everybody then has to choose a name anew."
        )


async def join_cluster(server: Server, store: SharedStore, clock: SharedClock) -> Cluster:
    """Joins the processes that share the database."""
    lobby, measures = server.lobby, server.measures
    started, host = clock.now(), socket.gethostname()

    def about() -> About:
        return About(
            version=__version__,
            host=host,
            pid=os.getpid(),
            started=started,
            key=server.keys.fingerprint,
            sockets=server.sockets,
            tables=len(lobby.sessions),
            moves_per_s=round(measures.moves_per_s, 1),
        )

    cluster = Cluster(
        f"{started:012x}-{secrets.token_hex(4)}",
        store.notices(),
        store,
        clock,
        lobby.by_id,
        about,
        lobby.adopt,
        server.bans_changed.set,
    )
    lobby.peers = cluster
    store.on_commit = cluster.wrote
    await cluster.open()
    await asyncio.sleep(PEERS_ANSWER_S)
    return cluster
