"""Session: one table in this process. Requests come in through the mailbox, news goes out through the audience.

A session keeps the state that the log describes, and decides what an applied entry means for the people at the table.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar

import structlog

from threefold.engines import PLAIN, Engines
from threefold.game import Decision, Json, Refusal, Step
from threefold.live import acts, countdown, race
from threefold.live import entries as e
from threefold.live.absence import next_host
from threefold.live.acts import Act, Made
from threefold.live.audience import Audience, Subscriber
from threefold.live.bot_runner import BotRunner
from threefold.live.clock import Clock, TableClock
from threefold.live.current_game import CurrentGame
from threefold.live.loading import load_state
from threefold.live.mailbox import Mailbox, Request, Superseded
from threefold.live.notices import Announcement, TablePresence
from threefold.live.presence import Presence
from threefold.live.record import game_id
from threefold.live.refusals import refuse
from threefold.live.repetition import Repetition
from threefold.live.report import table_report
from threefold.live.schedule import moves_can_be_due
from threefold.live.state import TableState
from threefold.live.store import Done, Store, StoreDown, answer

REPETITION_FROM = 100
"""The move from which on a table looks for repeated positions (K24)."""

TableAct = Callable[[TableState, int], Made]
"""State, time -> the entry to write: something that the table itself does."""

Result = TypeVar("Result")

_log = structlog.get_logger("threefold.live")


def _logged(fault: Exception, table: str) -> str:
    """Logs a fault inside the rules; returns its reference."""
    reference = secrets.token_hex(4)
    _log.error("a fault inside the rules stopped a table", table=table, reference=reference, exc_info=fault)
    return reference


def _has_stopped(reference: str) -> Refusal:
    return refuse("table_has_stopped", given=reference)


class Peers(Protocol):
    """The other processes that serve the same tables."""

    me: str
    """This process among them; an older one has a smaller name."""

    def presence_changed(self, session: "Session") -> None:
        """The people here have changed."""

    def unready(self, session: "Session", guest: int) -> None:
        """A guest is no longer ready."""

    def broadcast(self, session: "Session", announcement: Announcement) -> None:
        """A message for everybody at the table."""


class NoPeers:
    """There are no other processes."""

    me = ""

    def presence_changed(self, session: "Session") -> None:
        """There is nobody to tell."""

    def unready(self, session: "Session", guest: int) -> None:
        """There is nobody to tell."""

    def broadcast(self, session: "Session", announcement: Announcement) -> None:
        """There is nobody to tell."""


class Session:
    """A table, the way in and the way out."""

    def __init__(
        self,
        table: str,
        state: TableState,
        store: Store,
        clock: Clock,
        bots: BotRunner,
        *,
        window: int = race.WINDOW_MS,
        countdown_ms: int = 0,
        peers: Peers | None = None,
    ) -> None:
        self.id = table
        self.state = state
        self.store = store
        self.clock = TableClock(clock, lambda: state.last_at)
        self.bots = bots
        self.window = window
        """Calls within this many milliseconds are ordered by their adjusted time; 0: by their arrival."""
        self.countdown_ms = countdown_ms
        """How long people see the countdown before a game; 0: games start at once."""
        self.peers: Peers = peers or NoPeers()
        self.presence = Presence(self.clock.now())
        self.audience = Audience(state, self.presence, self.clock.now, self.report)
        self.mailbox = Mailbox(table, store, self.clock.now, state, self._apply)
        self.changed = asyncio.Event()
        """Set when something may have become due; see `scheduler.py`."""
        self.idle_since = self.clock.now()
        self.repeated = False
        """The same position has come up three times."""
        self.stopped: str | None = None
        """The reference of the fault inside the rules that stopped this table; loading it again gives it a new try."""
        self._repetition = Repetition()
        self._decisions: tuple[tuple[int, int], Sequence[Decision], Sequence[Decision]] | None = None
        self._moves_can_be_due: bool | None = None
        self._start_task: asyncio.Task[None] | None = None

    @classmethod
    async def load(
        cls,
        table: str,
        store: Store,
        clock: Clock,
        bots: BotRunner,
        engines: Engines = PLAIN,
        *,
        window: int = race.WINDOW_MS,
        countdown_ms: int = 0,
        peers: Peers | None = None,
    ) -> "Session":
        """The table that the log describes. A running game of another rules version is closed openly."""
        try:
            state = await load_state(store, table, clock.now(), engines)
        except StoreDown:
            raise
        except Exception as fault:
            raise _has_stopped(_logged(fault, table)) from fault
        session = cls(table, state, store, clock, bots, window=window, countdown_ms=countdown_ms, peers=peers)
        while (running := state.running) is not None and running.table is None:
            await session.by_table(lambda _, at: e.Abandoned(at=at, reason="other_rules"))
        return session

    # ------------------------------------------------------------ Connections

    async def attach(
        self, person: str, name: str, client: str, since: int | None, *, program: bool = False, made_by: str = ""
    ) -> Subscriber:
        """Opens a connection for a person, who becomes a guest if they are new. `since` is the last entry they know.

        `made_by` is the person who created the token of a program.
        """
        if self.peers.me:
            await self.mailbox.refresh()  # the page may come from another process, and know more than this one

        def arrive(s: TableState, at: int) -> Made:
            guest = s.guest_of(person)
            joined = acts.join(s, at, person, name, self.presence.here, program=program, made_by=made_by)
            return joined if guest is None else acts.rename(s, guest, at, name)

        await self.by_table(arrive)
        guest = self.state.guest_of(person)
        assert guest is not None
        seen = self.state.seq if since is None else min(since, self.state.seq)
        lag = race.Lag() if self.state.kit.game.timed else None
        subscriber = Subscriber(guest, client, seen, self.state.handled_up_to(guest, client), lag)
        self.audience.add(subscriber)
        self._update_presence()
        return subscriber

    def detach(self, subscriber: Subscriber) -> None:
        """A connection is gone."""
        if subscriber in self.audience.subscribers:
            self.audience.remove(subscriber)
            if not self.audience.subscribers:
                self.idle_since = self.clock.now()
            self._update_presence()

    # ------------------------------------------------------------ The way in

    def submit_soon(
        self, guest: int, act: Act, done: Done, *, subscriber: Subscriber | None = None, n: int = 0
    ) -> None:
        """Does what a guest asks for; `done` hears when it is durable, or why it was refused.

        A message that is in the log already is not done again. `Audience.acknowledge` a refusal once it is answered.
        """
        client = "" if subscriber is None else subscriber.client

        def check(s: TableState, at: int) -> Made:
            if n and n <= s.handled_up_to(guest, client):
                return None
            acts.may_stay(s, guest)
            if s.closed is not None:
                raise refuse("table_is_closed")
            return self._by_rules(lambda: act(s, guest, at))

        def finished(problem: Exception | None) -> None:
            if problem is None and subscriber is not None:
                self.audience.acknowledge(subscriber, n)
            done(problem)

        self.mailbox.submit_soon(Request(check, finished, client, n))

    async def submit(self, guest: int, act: Act, *, subscriber: Subscriber | None = None, n: int = 0) -> None:
        """Awaitable form of `submit_soon`."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.submit_soon(guest, act, partial(answer, done), subscriber=subscriber, n=n)
        await done

    async def by_table(self, act: TableAct, *, retry: bool = True) -> None:
        """Does what the table itself decides, without a guest who asks."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def check(s: TableState, at: int) -> Made:
            return self._by_rules(lambda: act(s, at))

        self.mailbox.submit_soon(Request(check, partial(answer, done), retry=retry))
        await done

    def _by_rules(self, work: Callable[[], Result]) -> Result:
        """Does what may run the rules. A fault inside them is refused with its reference and stops this table alone."""
        try:
            return work()
        except (Refusal, acts.Unsettled):
            raise
        except Exception as fault:
            raise self._stop(fault) from fault

    def _stop(self, fault: Exception) -> Refusal:
        self.stopped = self.stopped or _logged(fault, self.state.code)
        self.changed.set()
        return _has_stopped(self.stopped)

    def _may_move(self) -> None:
        if self.stopped is not None:
            raise _has_stopped(self.stopped)

    def move(self, subscriber: Subscriber, move: str, number: int | None) -> Act:
        """The act of a move that has arrived just now. `number` is the game it is meant for.

        A call of a guest who is far away counts from before it arrived.
        """
        lag = subscriber.lag
        adjusted = None if lag is None else self.clock.now() - lag.gain(self.window)

        def act(s: TableState, by: int, at: int) -> Made:
            self._may_move()
            player, text = acts.may_move(s, by, move, number)
            awaited = self.decisions()[0] if s.current is not None and s.current.game.timed else ()
            return race.bid_or_move(
                s, awaited, player, at, text, "person", window=self.window, by=by, adjusted=adjusted
            )

        return act

    async def play_for(self, player: int | None, move: str, hand: e.Hand, thought: Json = None) -> bool:
        """Makes a move for a bot, the clock or the table. False: it can no longer be made, look again."""
        try:
            await self.by_table(self._move_by(player, move, hand, thought), retry=False)
        except (Refusal, acts.Unsettled, Superseded) as dropped:
            why = dropped.text.key if isinstance(dropped, Refusal) else type(dropped).__name__
            _log.info("move dropped", table=self.state.code, hand=hand, why=why)
            return False
        return True

    def _move_by(self, player: int | None, move: str, hand: e.Hand, thought: Json = None) -> TableAct:
        def act(s: TableState, at: int) -> Made:
            self._may_move()
            awaited = self.decisions()[0]
            return race.bid_or_move(s, awaited, player, at, move, hand, window=self.window, thought=thought)

        return act

    async def leave(self, guest: int, *, stays: bool, subscriber: Subscriber | None = None, n: int = 0) -> None:
        """A guest gives up their seat. If the game has a move for leaving, it is made."""
        acts.leave(self.state, guest, self.clock.now(), stays=stays)
        await self._leave_game(guest)
        await self.submit(guest, lambda s, by, at: acts.leave(s, by, at, stays=stays), subscriber=subscriber, n=n)

        heir = next_host(self.state, self.presence)
        if guest == self.state.host and not stays and heir is not None:
            with suppress(Refusal):  # has become host in the meantime
                await self.by_table(lambda s, at: acts.pass_host(s, None, at, heir))

    async def stand_in(self, guest: int, other: int, *, subscriber: Subscriber | None = None, n: int = 0) -> None:
        """The host lets a bot play at once for an absent guest."""

        def act(s: TableState, by: int, at: int) -> Made:
            return acts.stand_in(s, by, at, other, self.presence.absent_since(other))

        await self.submit(guest, act, subscriber=subscriber, n=n)

    async def remove(self, guest: int, other: int, *, subscriber: Subscriber | None = None, n: int = 0) -> None:
        """The host removes somebody, and the programs of that person."""
        acts.remove(self.state, guest, self.clock.now(), other)
        for each in self.state.with_programs(other):
            await self._leave_game(each)
        await self.submit(guest, lambda s, by, at: acts.remove(s, by, at, other), subscriber=subscriber, n=n)

    async def _leave_game(self, guest: int) -> None:
        running = self.state.running
        player = None if running is None else running.player_of(guest)
        if player is not None and any(each.player == player and "leave" in each.moves for each in self.decisions()[1]):
            try:
                await self.by_table(self._move_by(player, "leave", "person"))
            except Refusal:  # has left in the meantime
                return

    # ------------------------------------------------------------ Races

    def settles_at(self) -> int | None:
        """When the open bids are settled; None if there are none."""
        running = self.state.running
        if running is None or not running.bids:
            return None
        return race.settles_at(running, self.decisions()[0], partial(self._most_gain, running), self.window)

    def _most_gain(self, running: CurrentGame, player: int) -> int:
        """The most that a player's call could gain: nothing for bots, the whole window for absent guests."""
        if running.by_bot(player):
            return 0
        guest = running.who[player]
        lags = [each.lag for each in self.audience.subscribers if each.guest == guest]
        gains = [lag.most(self.window) for lag in lags if lag is not None]
        if guest in self.presence.lag:
            gains.append(min(self.window, self.presence.lag[guest] + race.FROM_ELSEWHERE_MS))
        return max(gains, default=self.window)

    async def settle(self) -> None:
        """Puts the open bids in order, unless another process has done so."""
        await self.by_table(race.settle)

    def _answer_lost_calls(self, entry: e.Settled) -> None:
        """Tells each page whose bid was not the first."""
        current = self.state.current
        for bid, why in race.lost_calls(entry, current.bids if current is not None else ()):
            for subscriber in self.audience.subscribers:
                if subscriber.guest == bid.by and bid.client in ("", subscriber.client):
                    self.audience.note(subscriber, race.LostCall(bid.n, why))

    # ------------------------------------------------------------ Applied entries

    def _apply(self, entry: e.Entry, step: Step[Any] | None) -> None:
        """Applies a durable entry, and lets everybody know whom it concerns."""
        if isinstance(entry, e.Settled):
            self._answer_lost_calls(entry)
        try:
            self.state.apply(entry, step)
        except Exception as fault:  # noqa: BLE001 (the entry is durable; this table stops, all others go on)
            self._stop(fault)
            return
        match entry:
            case e.Bid():
                self.changed.set()
            case e.Moved(ending=None):
                self.audience.view_changed()
                self._look_for_repetition()
                if self._can_be_due():
                    self.changed.set()
            case e.Settled(ending=None):
                self.audience.view_changed()
                self.changed.set()
            case _:
                self._arranged(entry)

    def _arranged(self, entry: e.Entry) -> None:
        """Handles every entry that is not just a move."""
        match entry:
            case e.Started():
                self.presence.clear_ready()
                self._repetition.clear()
                self.repeated = False
                self.peers.presence_changed(self)
            case e.Joined() if self.presence.elsewhere:
                self._update_presence(heard=True)
            case e.Removed() | e.Forgotten():
                reason = "removed" if isinstance(entry, e.Removed) else "forgotten"
                guests = self.state.with_programs(entry.guest) if reason == "removed" else [entry.guest]
                for subscriber in [each for each in self.audience.subscribers if each.guest in guests]:
                    self.audience.close(subscriber, reason)
            case e.Closed():
                self.audience.close_all("operator" if entry.reason == "operator" else "closed", entry.words)
            case _:
                pass
        if isinstance(entry, e.Started | e.Moved | e.Settled | e.Paused | e.Resumed | e.Abandoned):
            self.audience.view_changed()
        self.table_changed()

    def table_changed(self) -> None:
        """Something about the table has changed: everybody gets it."""
        self._moves_can_be_due = None
        self.audience.table_changed()
        self.changed.set()

    def _look_for_repetition(self) -> None:
        """Notices when the same position has come up three times, which no rule ends (K24)."""
        current = self.state.current
        if self.repeated or current is None or current.moves < REPETITION_FROM or current.game.timed:
            return
        if current.table is not None and self._repetition.is_third(current.serialiser.position(current.table)):
            self.repeated = True
            self.table_changed()

    def _can_be_due(self) -> bool:
        """Can a move make anything due? Looked up again after every other change."""
        if self._moves_can_be_due is None:
            self._moves_can_be_due = moves_can_be_due(self.state, self.presence)
        return self._moves_can_be_due

    def decisions(self) -> tuple[Sequence[Decision], Sequence[Decision]]:
        """Whom the running game awaits, and what may be done at any time."""
        running = self.state.running
        if running is None or running.table is None:
            return (), ()
        if self._decisions is None or self._decisions[0] != running.version:
            game, table = running.game, running.table
            self._decisions = self._by_rules(lambda: (running.version, game.decisions(table), game.anytime(table)))
        return self._decisions[1:]

    def report(self) -> Json:
        """The table as everybody may know it."""
        current = self.state.current
        recorded = current is not None and current.is_over and not self.state.finished
        finished_id = game_id(self.id, current.number, current.setup["seed"]) if current and recorded else None
        return table_report(self.state, self.presence, game_id=finished_id, repeated=self.repeated)

    # ------------------------------------------------------------ Presence, readiness, chat

    def _update_presence(self, *, heard: bool = False) -> None:
        """Works out who is here, and tells the people here; the other processes too, unless they reported it."""
        local = {each.guest for each in self.audience.subscribers}
        changed = self.presence.update(local, len(self.state.guests), self.state.games, self.clock.now())
        self._moves_can_be_due = None
        if changed or not heard:
            self.table_changed()
        if not heard:
            self.peers.presence_changed(self)

    def presence_report(self, version: int) -> TablePresence:
        """The report for other processes: who is here."""
        local: dict[int, int | None] = {
            each.guest: None if each.lag is None else each.lag.most(self.window) for each in self.audience.subscribers
        }
        return self.presence.report(self.id, version, self.state.games, local)

    def hear_of(self, process: str, report: TablePresence | None) -> None:
        """Another process reports who is at this table there; None: it no longer has the table in memory."""
        self.presence.hear_of(process, report)
        self._update_presence(heard=True)
        if self._all_ready() and (self._start_task is None or self._start_task.done()):
            self._start_task = asyncio.create_task(self._start_heard())

    @property
    def stands_back(self) -> bool:
        """Does another process look after clocks and bots?"""
        return self.presence.stands_back(self.peers.me, connected=bool(self.audience.subscribers))

    async def set_ready(self, guest: int, *, ready: bool) -> None:
        """Notes that a guest is ready or not. When all who sit are, the game starts; who is not stops the countdown."""
        if self.state.seat_of(guest) is None:
            raise refuse("not_seated")
        self.presence.set_ready(guest, ready=ready)
        if not ready:
            self.peers.unready(self, guest)
        self._update_presence()
        if not ready and self.state.counting is not None:
            await self.submit(guest, countdown.wait)
        elif self._all_ready():
            await self._start_all()

    def unready_elsewhere(self, guest: int) -> None:
        """A guest is no longer ready, in another process."""
        self.presence.set_ready(guest, ready=False)
        self._update_presence()

    def _all_ready(self) -> bool:
        """Is everybody ready who has a seat? Before the first game, somebody alone still waits for company."""
        s = self.state
        seated = {seat.guest for seat in s.seats if seat.guest is not None}
        enough = len(seated) >= (1 if s.games else 2)
        return s.running is None and s.counting is None and enough and seated <= self.presence.ready

    def start(self, s: TableState, by: int | None, at: int) -> Made:
        """The act of starting a game; where several people play, after a countdown."""
        return countdown.begin(s, by, at, self.countdown_ms)

    async def _start_all(self) -> None:
        """Starts the next game, unless another process has."""
        try:
            await self.by_table(lambda s, at: self.start(s, None, at))
        except Refusal:
            if self.state.running is None:
                raise

    async def _start_heard(self) -> None:
        try:
            await self._start_all()
        except (Refusal, StoreDown) as problem:
            _log.info("no start", table=self.state.code, problem=type(problem).__name__)

    def announce(self, announcement: Announcement) -> None:
        """Sends everybody an announcement, in all processes. Announcements are not kept."""
        self.audience.broadcast(announcement)
        self.peers.broadcast(self, announcement)
