"""Exchange: what this process and the others that share its database tell each other, and what they do about it.

Who writes an entry tells those who have the table in memory; who hears of it reads the log. Notices may be lost: every
second the log is asked for all tables at once whether one has more entries than are known here.
"""

import asyncio
import time as machine
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from threefold.game import Json
from threefold.live import notices as n
from threefold.live.session import Session
from threefold.live.shared_time import SharedTime
from threefold.live.store import StoreDown

BEAT_S = 1.0
POLL_S = 1.0
SILENT_S = 5.0
"""A process that was not heard for so long is taken for dead."""
CLOCK_EVERY_S = 60.0
LAG_CHANGE_MS = 10
"""Lag is told anew when it has changed by so much."""

_log = structlog.get_logger("threefold.live")


class SharedStore(Protocol):
    """What the exchange asks of a store that several processes share."""

    async def grown(self, known: Mapping[str, int]) -> list[str]:
        """Those of the tables whose log has more entries than that."""

    async def clock_ahead_ms(self) -> float:
        """By how much the store's clock is ahead of the machine's."""


@dataclass(slots=True)
class Peer:
    """Another process."""

    heard: float
    version: int = 0
    missed: bool = True
    about: n.About = field(default_factory=n.About)
    tables: dict[str, n.At] = field(default_factory=dict)
    unconfirmed: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Counts:
    """For the metrics."""

    sent: int = 0
    heard: int = 0
    healed: int = 0
    strange: int = 0


class Exchange:
    """This process among the others."""

    def __init__(
        self,
        me: str,
        wire: n.Wire,
        store: SharedStore,
        time: SharedTime,
        tables: Mapping[str, Session],
        about: Callable[[], n.About],
        adopt: Callable[[Sequence[str]], Awaitable[None]],
        on_bans: Callable[[], None] = lambda: None,
    ) -> None:
        self.me = me
        self.wire = wire
        self.store = store
        self.time = time
        self.tables = tables
        """By id: what is in memory."""
        self.about = about
        self.adopt = adopt
        """Takes over what another process has left."""
        self.on_bans = on_bans
        self.peers: dict[str, Peer] = {}
        self.counts = Counts()
        self._where: dict[str, set[str]] = {}
        """Table -> the peers that have it in memory."""
        self._version = 0
        self._told: dict[str, n.At] = {}
        self._wrote: dict[str, int] = {}
        self._changed: set[str] = set()
        self._out: list[n.Notice] = []
        self._flushing = False
        self._tell_all = False
        self._wanted: dict[str, int] = {}
        self._fetching: dict[str, asyncio.Task[None]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Sets the clock, begins to listen, and says hello."""
        self.time.correct(await self.store.clock_ahead_ms())
        await self.wire.open(self._hear, self._back)
        self._beat()
        self._tasks = [asyncio.create_task(each()) for each in (self._beats, self._polls, self._clocks)]

    async def close(self) -> None:
        """Says goodbye, so that others take over at once."""
        for task in (*self._tasks, *self._fetching.values()):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._fetching.values(), return_exceptions=True)
        self._tasks = []
        self._put(n.Gone())
        self._flush()
        await self.wire.close()

    # ------------------------------------------------------------ Telling

    def wrote(self, entries: Iterable[tuple[str, int]]) -> None:
        """Entries are durable: those who have the table in memory shall know."""
        where = self._where
        for table, seq in entries:
            if table in where:
                self._wrote[table] = max(seq, self._wrote.get(table, 0))
                self._soon()

    def present(self, session: Session) -> None:
        """Something about who is where has changed."""
        self._changed.add(session.id)
        self._soon()

    def rests(self, session: Session) -> None:
        """A table left memory."""
        self._changed.add(session.id)
        self._soon()

    def unready(self, session: Session, guest: int) -> None:
        """A guest is not ready after all."""
        if session.id in self._where:
            self._put(n.Unready(session.id, guest))

    def said(self, session: Session, note: Json) -> None:
        """A word for everybody."""
        if session.id in self._where:
            self._put(n.Said(session.id, note))

    def bans_changed(self) -> None:
        """Others shall look the bans up."""
        self._put(n.BansChanged())

    def _put(self, notice: n.Notice) -> None:
        self._out.append(notice)
        self._soon()

    def _soon(self) -> None:
        """What is told in one turn of the loop goes out together."""
        if not self._flushing:
            self._flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        found: list[n.Notice] = []
        if self._tell_all:
            self._tell_all = False
            self._version += 1
            found.append(n.Clear(self._version))
            self._told.clear()
            self._changed.update(self.tables)
        for table in self._changed:
            found += self._presence(table)
        self._changed.clear()
        found += [n.Wrote(table, seq) for table, seq in self._wrote.items()]
        self._wrote.clear()
        found += self._out
        self._out.clear()
        if found:
            self.counts.sent += len(found)
            self.wire.send(n.packed(self.me, found))

    def _presence(self, table: str) -> list[n.Notice]:
        session = self.tables.get(table)
        if session is None:
            if self._told.pop(table, None) is None:
                return []
            self._version += 1
            return [n.Off(table, self._version)]
        told = self._told.get(table)
        if told is not None and not _differs(told, session.whereabouts(told.version)):
            return []
        self._version += 1
        self._told[table] = found = session.whereabouts(self._version)
        return [found]

    async def _beats(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            self._changed.update(table for table, told in self._told.items() if told.lines)
            self._beat()
            if self.wire.listening:
                self._bury(machine.monotonic() - SILENT_S)

    def _beat(self) -> None:
        self._flush()
        self._put(n.Alive(self._version, self.about()))

    # ------------------------------------------------------------ Hearing

    def _hear(self, payload: str) -> None:
        found = n.unpacked(payload)
        if found is None:
            self.counts.strange += 1
            return
        sender, told = found
        if sender == self.me:
            return
        self.counts.heard += len(told)
        peer = self.peers.get(sender)
        if peer is None:
            if any(isinstance(notice, n.Gone) for notice in told):
                return
            peer = self.peers[sender] = Peer(0.0)
            self._beat()
            _log.info("another process shares the database", process=sender)
        peer.heard = machine.monotonic()
        for notice in told:
            self._take(sender, peer, notice)

    def _take(self, sender: str, peer: Peer, notice: n.Notice) -> None:
        match notice:
            case n.Wrote():
                self._want(notice.table, notice.seq)
            case n.At():
                self._count(peer, notice.version)
                self._at(sender, peer, notice)
            case n.Off():
                self._count(peer, notice.version)
                self._off(sender, peer, notice.table)
            case n.Unready():
                if (session := self.tables.get(notice.table)) is not None:
                    session.unready_elsewhere(notice.guest)
            case n.Said():
                if (session := self.tables.get(notice.table)) is not None:
                    session.hear(notice.note)
            case n.Alive():
                self._alive(sender, peer, notice)
            case n.Tell():
                self._tell_all = self._tell_all or notice.process == self.me
                self._soon()
            case n.Clear():
                peer.version, peer.missed = notice.version, False
                peer.unconfirmed = set(peer.tables)
            case n.Gone():
                self._drop(sender)
            case n.BansChanged():
                self.on_bans()

    @staticmethod
    def _count(peer: Peer, version: int) -> None:
        peer.missed = peer.missed or version != peer.version + 1
        peer.version = version

    def _at(self, sender: str, peer: Peer, notice: n.At) -> None:
        new = notice.table not in peer.tables
        peer.tables[notice.table] = notice
        peer.unconfirmed.discard(notice.table)
        self._where.setdefault(notice.table, set()).add(sender)
        session = self.tables.get(notice.table)
        if session is not None:
            session.hear_of(sender, notice)
            if new:
                self.wrote([(session.id, session.sitting.seq)])

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
            self._put(n.Tell(sender))
            return
        for table in peer.unconfirmed:
            self._off(sender, peer, table)
        peer.unconfirmed = set()

    def _bury(self, before: float) -> None:
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

    def _back(self) -> None:
        """Heard again after a break: nobody is taken for dead because of it, and the log is asked at once."""
        now = machine.monotonic()
        for peer in self.peers.values():
            peer.heard, peer.missed = now, True
        self._beat()
        self._start("polling", self._poll())

    def somewhere(self, table: str) -> bool:
        """Whether another process has this table in memory."""
        return table in self._where

    def met(self, session: Session) -> None:
        """A table has come into memory: what others have told of it counts from now on."""
        for sender in self._where.get(session.id, ()):
            session.hear_of(sender, self.peers[sender].tables[session.id])
        self.present(session)

    # ------------------------------------------------------------ Reading what others wrote

    def _want(self, table: str, seq: int) -> None:
        session = self.tables.get(table)
        if session is None or session.sitting.seq >= seq:
            return
        self._wanted[table] = max(seq, self._wanted.get(table, 0))
        if table not in self._fetching:
            self._start(table, self._fetch(session))

    async def _fetch(self, session: Session) -> None:
        try:
            while session.sitting.seq < self._wanted.get(session.id, 0):
                if not await session.refresh():
                    break  # a notice that promised too much
        except StoreDown:
            pass  # the next poll finds it
        finally:
            self._wanted.pop(session.id, None)

    async def _polls(self) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            await self._poll()

    async def _poll(self) -> None:
        """Asks the log for what no notice has told."""
        known = {
            table: session.sitting.seq
            for table, session in self.tables.items()
            if session.lines or session.sitting.running is not None
        }
        try:
            for table in await self.store.grown(known) if known else ():
                session = self.tables.get(table)
                if session is not None and table not in self._fetching:
                    self.counts.healed += bool(await session.refresh())
        except StoreDown:
            return

    async def _clocks(self) -> None:
        while True:
            await asyncio.sleep(CLOCK_EVERY_S)
            try:
                self.time.correct(await self.store.clock_ahead_ms())
            except StoreDown:
                continue


def _differs(told: n.At, now: n.At) -> bool:
    """Is there something to tell? Small changes of lag are not."""
    if (told.lines, told.loaded, told.games, told.away, told.ready) != (
        now.lines, now.loaded, now.games, now.away, now.ready,
    ):  # fmt: skip
        return True
    if told.here.keys() != now.here.keys():
        return True
    return any(abs((lag or 0) - (told.here[guest] or 0)) > LAG_CHANGE_MS for guest, lag in now.here.items())
