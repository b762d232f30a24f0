"""Cluster: this process among the others that share its database.

A process that writes an entry notifies those that have the table in memory, and they read the log. Notices may be lost,
above all those of a process that is killed: twice a second the log is asked, for all tables at once, which have more
entries than are known here.
"""

import asyncio
import time as machine
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import structlog

from threefold.live import notices as n
from threefold.live.clock import SharedClock
from threefold.live.session import Session
from threefold.live.store import NoticeBus, SharedStore, StoreDown

HEARTBEAT_S = 1.0
POLL_S = 0.5
"""Pause between two polls. Nobody may see a table that is older than two seconds, and a busy process polls late."""
SILENT_S = 5.0
"""A process silent for this long counts as dead."""
CLOCK_EVERY_S = 60.0
LAG_CHANGE_MS = 10
"""A smaller change of lag is not worth a notice."""

_log = structlog.get_logger("threefold.live")


@dataclass(slots=True)
class Peer:
    """Another process."""

    heard: float
    version: int = 0
    missed: bool = True
    about: n.About = field(default_factory=n.About)
    tables: dict[str, n.TablePresence] = field(default_factory=dict)
    unconfirmed: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Counts:
    """Notices, and entries that were read because their notice was lost; for the metrics."""

    sent: int = 0
    received: int = 0
    caught_up: int = 0
    unknown: int = 0


class Cluster:
    """The other processes, as this one knows them."""

    def __init__(
        self,
        me: str,
        bus: NoticeBus,
        store: SharedStore,
        clock: SharedClock,
        tables: Mapping[str, Session],
        about: Callable[[], n.About],
        adopt: Callable[[Sequence[str]], Awaitable[None]],
        on_bans: Callable[[], None] = lambda: None,
    ) -> None:
        self.me = me
        self.bus = bus
        self.store = store
        self.clock = clock
        self.tables = tables
        """By id: the tables in memory."""
        self.about = about
        self.adopt = adopt
        """Takes over the tables of a process that is gone."""
        self.on_bans = on_bans
        self.peers: dict[str, Peer] = {}
        self.counts = Counts()
        self._where: dict[str, set[str]] = {}
        """Table -> the peers that have it in memory."""
        self._version = 0
        self._reported: dict[str, n.TablePresence] = {}
        self._wrote: dict[str, int] = {}
        self._changed: set[str] = set()
        self._out: list[n.Notice] = []
        self._flushing = False
        self._resend = False
        self._wanted: dict[str, int] = {}
        self._fetching: dict[str, asyncio.Task[None]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Sets the clock, starts listening, and announces this process."""
        self.clock.correct(await self.store.clock_ahead_ms())
        await self.bus.open(self._receive, self._reconnected)
        self._heartbeat()
        self._tasks = [asyncio.create_task(each()) for each in (self._heartbeats, self._polls, self._clocks)]

    async def close(self) -> None:
        """Announces the end, so that others take over at once."""
        for task in (*self._tasks, *self._fetching.values()):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._fetching.values(), return_exceptions=True)
        self._tasks = []
        self._queue(n.Gone())
        self._flush()
        await self.bus.close()

    # ------------------------------------------------------------ Sending

    def wrote(self, entries: Iterable[tuple[str, int]]) -> None:
        """Entries are durable: notifies the processes that have their tables in memory."""
        where = self._where
        for table, seq in entries:
            if table in where:
                self._wrote[table] = max(seq, self._wrote.get(table, 0))
                self._soon()

    def presence_changed(self, session: Session) -> None:
        """The people at a table have changed."""
        self._changed.add(session.id)
        self._soon()

    def unloaded(self, session: Session) -> None:
        """A table has left memory."""
        self._changed.add(session.id)
        self._soon()

    def unready(self, session: Session, guest: int) -> None:
        """A guest is no longer ready."""
        if session.id in self._where:
            self._queue(n.Unready(session.id, guest))

    def broadcast(self, session: Session, announcement: n.Announcement) -> None:
        """A message for everybody at a table."""
        if session.id in self._where:
            self._queue(n.Announced(session.id, announcement))

    def bans_changed(self) -> None:
        """Lets the others read the bans again."""
        self._queue(n.BansChanged())

    def _queue(self, notice: n.Notice) -> None:
        self._out.append(notice)
        self._soon()

    def _soon(self) -> None:
        """Notices of one turn of the loop go out together."""
        if not self._flushing:
            self._flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        notices: list[n.Notice] = []
        if self._resend:
            self._resend = False
            self._version += 1
            notices.append(n.Clear(self._version))
            self._reported.clear()
            self._changed.update(self.tables)
        for table in self._changed:
            notices += self._presence(table)
        self._changed.clear()
        notices += [n.Wrote(table, seq) for table, seq in self._wrote.items()]
        self._wrote.clear()
        notices += self._out
        self._out.clear()
        if notices:
            self.counts.sent += len(notices)
            self.bus.send(n.payloads(self.me, notices))

    def _presence(self, table: str) -> list[n.Notice]:
        session = self.tables.get(table)
        if session is None:
            if self._reported.pop(table, None) is None:
                return []
            self._version += 1
            return [n.TableUnloaded(table, self._version)]
        last = self._reported.get(table)
        if last is not None and not _differs(last, session.presence_report(last.version)):
            return []
        self._version += 1
        self._reported[table] = report = session.presence_report(self._version)
        return [report]

    async def _heartbeats(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            self._changed.update(table for table, report in self._reported.items() if report.connected)
            self._heartbeat()
            if self.bus.listening:
                self._drop_silent(machine.monotonic() - SILENT_S)

    def _heartbeat(self) -> None:
        self._flush()
        self._queue(n.Alive(self._version, self.about()))

    # ------------------------------------------------------------ Receiving

    def _receive(self, payload: str) -> None:
        decoded = n.decode(payload)
        if decoded is None:
            self.counts.unknown += 1
            return
        sender, notices = decoded
        if sender == self.me:
            return
        self.counts.received += len(notices)
        peer = self.peers.get(sender)
        if peer is None:
            if any(isinstance(notice, n.Gone) for notice in notices):
                return
            peer = self.peers[sender] = Peer(0.0)
            self._heartbeat()
            _log.info("another process shares the database", process=sender)
        peer.heard = machine.monotonic()
        for notice in notices:
            self._take(sender, peer, notice)

    def _take(self, sender: str, peer: Peer, notice: n.Notice) -> None:
        match notice:
            case n.Wrote():
                self._want(notice.table, notice.seq)
            case n.TablePresence():
                self._note_version(peer, notice.version)
                self._at(sender, peer, notice)
            case n.TableUnloaded():
                self._note_version(peer, notice.version)
                self._off(sender, peer, notice.table)
            case n.Unready():
                if (session := self.tables.get(notice.table)) is not None:
                    session.unready_elsewhere(notice.guest)
            case n.Announced():
                if (session := self.tables.get(notice.table)) is not None:
                    session.audience.broadcast(notice.announcement)
            case n.Alive():
                self._alive(sender, peer, notice)
            case n.Resend():
                self._resend = self._resend or notice.process == self.me
                self._soon()
            case n.Clear():
                peer.version, peer.missed = notice.version, False
                peer.unconfirmed = set(peer.tables)
            case n.Gone():
                self._drop(sender)
            case n.BansChanged():
                self.on_bans()

    @staticmethod
    def _note_version(peer: Peer, version: int) -> None:
        """Versions count up by one; a gap means that a notice was lost."""
        peer.missed = peer.missed or version != peer.version + 1
        peer.version = version

    def _at(self, sender: str, peer: Peer, notice: n.TablePresence) -> None:
        new = notice.table not in peer.tables
        peer.tables[notice.table] = notice
        peer.unconfirmed.discard(notice.table)
        self._where.setdefault(notice.table, set()).add(sender)
        session = self.tables.get(notice.table)
        if session is not None:
            session.hear_of(sender, notice)
            if new:
                self.wrote([(session.id, session.state.seq)])

    def _off(self, sender: str, peer: Peer, table: str) -> None:
        if peer.tables.pop(table, None) is None:
            return
        where = self._where[table]
        where.discard(sender)
        if not where:
            del self._where[table]
        session = self.tables.get(table)
        if session is not None:
            session.hear_of(sender, None)

    def _alive(self, sender: str, peer: Peer, notice: n.Alive) -> None:
        if notice.about.key != peer.about.key and notice.about.key != self.about().key:
            _log.error("a process on this database signs with another key", process=sender, host=notice.about.host)
        peer.about = notice.about
        if peer.missed or notice.version != peer.version:
            peer.missed = True
            self._queue(n.Resend(sender))
            return
        for table in peer.unconfirmed:
            self._off(sender, peer, table)
        peer.unconfirmed = set()

    def _drop_silent(self, before: float) -> None:
        for sender in [each for each, peer in self.peers.items() if peer.heard < before]:
            _log.warning("a process is not heard any more", process=sender)
            self._drop(sender)

    def _drop(self, sender: str) -> None:
        peer = self.peers.pop(sender)
        had = list(peer.tables)
        for table in had:
            self._off(sender, peer, table)
        left = [table for table in had if table not in self._where and table not in self.tables]
        if left and all(self.me < other for other in self.peers):
            self._start("adopting", self._adopt(left))

    async def _adopt(self, tables: Sequence[str]) -> None:
        try:
            await self.adopt(tables)
        except StoreDown:
            _log.warning("tables could not be taken over just now", count=len(tables))

    def _start(self, name: str, work: Coroutine[object, object, None]) -> None:
        self._fetching[name] = task = asyncio.create_task(work)
        task.add_done_callback(lambda _: self._fetching.pop(name, None))

    def _reconnected(self) -> None:
        """Listening again after a break: nobody counts as dead because of it, and the log is asked at once."""
        now = machine.monotonic()
        for peer in self.peers.values():
            peer.heard, peer.missed = now, True
        self._heartbeat()
        self._start("polling", self._poll())

    def has_elsewhere(self, table: str) -> bool:
        """Does another process have this table in memory?"""
        return table in self._where

    def loaded(self, session: Session) -> None:
        """A table has come into memory: the reports of others count from now on."""
        for sender in self._where.get(session.id, ()):
            session.hear_of(sender, self.peers[sender].tables[session.id])
        self.presence_changed(session)

    # ------------------------------------------------------------ Reading the entries of others

    def _want(self, table: str, seq: int) -> None:
        session = self.tables.get(table)
        if session is None or session.state.seq >= seq:
            return
        self._wanted[table] = max(seq, self._wanted.get(table, 0))
        if table not in self._fetching:
            self._start(table, self._fetch(session))

    async def _fetch(self, session: Session) -> None:
        try:
            while session.state.seq < self._wanted.get(session.id, 0):
                if not await session.mailbox.refresh():
                    break  # the notice promised more than the log has
        except StoreDown:
            pass  # the next poll finds it
        finally:
            self._wanted.pop(session.id, None)

    async def _polls(self) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            await self._poll()

    async def _poll(self) -> None:
        """Asks the log for entries whose notice was lost."""
        known = {
            table: session.state.seq
            for table, session in self.tables.items()
            if session.audience.subscribers or session.state.running is not None
        }
        try:
            grown = await self.store.grown(known) if known else ()
        except StoreDown:
            return
        for table in grown:
            session = self.tables.get(table)
            if session is not None and table not in self._fetching:
                self._wanted[table] = session.state.seq + 1
                self._start(table, self._catch_up(session))

    async def _catch_up(self, session: Session) -> None:
        """Reads the entries of one table; another one that takes long does not hold it up."""
        known = session.state.seq
        await self._fetch(session)
        self.counts.caught_up += session.state.seq > known

    async def _clocks(self) -> None:
        while True:
            await asyncio.sleep(CLOCK_EVERY_S)
            try:
                self.clock.correct(await self.store.clock_ahead_ms())
            except StoreDown:
                continue


def _differs(last: n.TablePresence, now: n.TablePresence) -> bool:
    """Is the difference worth a notice? A small change of lag is not."""
    if (last.connected, last.loaded, last.games, last.away, last.ready) != (
        now.connected, now.loaded, now.games, now.away, now.ready,
    ):  # fmt: skip
        return True
    if last.here.keys() != now.here.keys():
        return True
    return any(abs((lag or 0) - (last.here[guest] or 0)) > LAG_CHANGE_MS for guest, lag in now.here.items())
