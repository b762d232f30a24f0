"""Keeps the bans in memory current, and closes the connections of banned people."""

import asyncio

from threefold.live.identity import new_id
from threefold.live.store import BanRow, StoreDown
from threefold.web.server import Server

POLL_S = 2.0
"""Where processes share the database: how often the bans are read without a notice."""


async def watch_bans(server: Server) -> None:
    """Reads the bans again after every change, for ever; processes that share a database also poll."""
    while True:
        server.bans_changed.clear()
        try:
            async with asyncio.timeout(None if server.cluster is None else POLL_S):
                await server.bans_changed.wait()
        except TimeoutError:
            pass
        try:
            await refresh_bans(server)
        except StoreDown:
            continue


async def refresh_bans(server: Server) -> None:
    """Reads the bans from the database and closes the connections that they concern."""
    server.bans.replace(await server.store.bans())
    now = server.lobby.clock.now()
    for subscriber, (session, person, address) in list(server.subscribers.items()):
        maker = session.state.guests[subscriber.guest].made_by
        ban = server.bans.of(person, address, now) or server.bans.of(maker, None, now)
        if ban is None:
            continue
        session.audience.close(subscriber, "banned", ban.words)
        if ban.addresses_too and address not in server.bans.addresses:
            address_ban = BanRow(new_id(), None, address, ban.name, ban.words, now, ban.until)
            await server.store.add_ban(address_ban)
            server.bans.addresses[address] = address_ban
