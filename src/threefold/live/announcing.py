"""How people find a table: its row on the public list, and the offer of a quick match.

The process that runs a table writes both to the store while people are present, and renews them before they expire.
Every process reads them there. Rows of a process that has died expire.
"""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from threefold.game import Json
from threefold.live.clock import Clock
from threefold.live.report import player_name, rules_in_force
from threefold.live.session import Session
from threefold.live.state import Seat, TableState
from threefold.live.store import Store

LISTED_MS = 30_000
RENEW_LISTING_MS = 10_000
OFFERED_MS = 5_000
RENEW_OFFER_MS = 1_000
"""Longest wait of two people who offered a match at the same moment, each at their own table."""
MOST_LISTED = 60
READ_EVERY_MS = 1_000
"""Longest age of the cached list: each process reads the store at most once a second."""


def listing_of(session: Session) -> Json:
    """The public row of a listed table; None if nobody can join or watch it now.

    Between games a table is listed while a seated guest is present and a seat is free; during a game, while a player
    is present.
    """
    s, here = session.state, session.presence.here
    if not s.settings.listed or s.closed is not None:
        return None
    running = s.running
    if running is None:
        people = {seat.guest for seat in s.seats if seat.guest is not None}
        seats = [{"name": _name_in(s, seat), "bot": seat.bot} for seat in s.seats]
    else:
        people = set(running.people())
        seats = [{"name": player_name(s, running, player), "bot": bot} for player, bot in enumerate(running.bots)]
    if here.isdisjoint(people) or (running is None and not any(each.free for each in s.seats)):
        return None
    return {
        "code": s.code,
        "game": s.game,
        "host": s.guests[s.host].name,
        "rules": [each.as_json() for each in rules_in_force(s)],
        "seats": seats,
        "playing": running is not None,
    }


def _name_in(s: TableState, seat: Seat) -> str | None:
    return s.guests[seat.guest].name if seat.guest is not None else seat.name or None


def waits_for_match(session: Session) -> bool:
    """Does the host wait at this table, alone and connected, for a quick match?"""
    s = session.state
    if not s.settings.quick_match or s.games or s.closed is not None or s.host not in session.presence.here:
        return False
    return [seat.guest for seat in s.seats if not seat.free] == [s.host] and len(s.seats) > 1


class Announcer:
    """Keeps the announcements of one table up to date."""

    def __init__(self, session: Session, seat_elsewhere: Callable[[Session, str], Awaitable[bool]]) -> None:
        self._session = session
        self._seat_elsewhere = seat_elsewhere
        """Moves the host to the table with this code, where another person waits."""
        self._listing: str | None = ""
        """The row written last, as JSON; None: no row; empty: unknown, because another process may have written one."""
        self._offered: bool | None = None
        """Is the match offered? None: unknown, for the same reason."""
        self._renew_listing = self._renew_offer = 0

    async def update(self) -> int | None:
        """Writes changed and expiring rows; returns the time of the next update, None: after the next change."""
        if self._session.stands_back:
            self._listing, self._offered = "", None
            return None
        times = (await self._update_listing(), await self._update_offer())
        return min((each for each in times if each is not None), default=None)

    async def _update_listing(self) -> int | None:
        session, now = self._session, self._session.clock.server.now()
        listing = listing_of(session)
        body = None if listing is None else msgspec.json.encode(listing).decode()
        if body is None:
            if self._listing is not None and (self._listing or session.state.settings.listed):
                await session.store.unlist_table(session.id)
            self._listing = None
            return None
        if body != self._listing or now >= self._renew_listing:
            await session.store.list_table(session.id, body, now + LISTED_MS)
            self._listing, self._renew_listing = body, now + RENEW_LISTING_MS
        return self._renew_listing

    async def _update_offer(self) -> int | None:
        session, now = self._session, self._session.clock.server.now()
        if not waits_for_match(session):
            if self._offered or (self._offered is None and session.state.settings.quick_match):
                await session.store.withdraw_offer(session.id)
            self._offered = False
            return None
        if not self._offered or now >= self._renew_offer:
            s = session.state
            code = await session.store.claim_match(s.game, s.guests[s.host].person, now, session.id, now + OFFERED_MS)
            self._offered, self._renew_offer = code is None, now + RENEW_OFFER_MS
            if code is not None and await self._seat_elsewhere(session, code):
                return None
        return self._renew_offer


class OpenTables:
    """The public list, cached in this process."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._bodies: list[str] = []
        self._read_at: int | None = None
        self._reading = asyncio.Lock()

    async def read(self) -> list[str]:
        """The rows of the list as JSON, the newest table first."""
        async with self._reading:
            now = self._clock.now()
            if self._read_at is None or now >= self._read_at + READ_EVERY_MS:
                self._bodies, self._read_at = await self._store.listed_tables(now, MOST_LISTED), now
            return self._bodies
