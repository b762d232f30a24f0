"""Session: one table in this process. What people ask for is checked, made durable, applied, and told to all.

An act holds the table's turnstile from the check to the commit, so each sees the table that the log has. If another
process was first, its entries are read and the act is checked again.

The usual move is two plain functions: `move_soon` checks it and hands it to the log, and when it is on the disk
`_written` applies it and tells all lines. Whatever is unusual goes the same way as everything else, in a task.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Protocol

import msgspec
import structlog

from threefold.engines import PLAIN, Engines
from threefold.game import Decision, Event, Json, Refusal, Step
from threefold.games import GAMES
from threefold.live import acts, calls
from threefold.live import entries as e
from threefold.live.acts import Made
from threefold.live.clock import Presence, Time
from threefold.live.notices import At
from threefold.live.record import game_id
from threefold.live.refusals import refuse
from threefold.live.repeats import Repeats
from threefold.live.report import table_report, written_views
from threefold.live.sitting import Playing, Sitting, folded
from threefold.live.store import Conflict, Done, Store, StoreDown, answer
from threefold.live.telling import BEGIN, BETWEEN, END, MIDDLE, Line, Update
from threefold.live.thinking import Thinker
from threefold.live.turnstile import Turnstile

FROM_ELSEWHERE_MS = 40
"""So long a call may be on its way from another process: a commit and a notice."""
REPEATS_FROM = 100
"""From this move on a table notices when it comes to the same position again (K24)."""

Act = Callable[[Sitting, int, int], Made]
"""Sitting, guest, time -> what to write; None: nothing to do."""

_join = b"".join
_log = structlog.get_logger("threefold.live")


class Neighbours(Protocol):
    """The other processes that serve the same tables."""

    me: str
    """This process among them; an older one has a smaller name."""

    def present(self, session: "Session") -> None:
        """Who is where has changed here."""

    def unready(self, session: "Session", guest: int) -> None:
        """A guest is not ready after all."""

    def said(self, session: "Session", note: Json) -> None:
        """A word for everybody at the table."""


class Alone:
    """No other processes."""

    me = ""

    def present(self, session: "Session") -> None:
        """Nobody to tell."""

    def unready(self, session: "Session", guest: int) -> None:
        """Nobody to tell."""

    def said(self, session: "Session", note: Json) -> None:
        """Nobody to tell."""


class Session:
    """A table and its lines."""

    def __init__(
        self,
        table: str,
        store: Store,
        time: Time,
        thinker: Thinker,
        window: int = calls.WINDOW_MS,
        neighbours: Neighbours | None = None,
        engines: Engines = PLAIN,
    ) -> None:
        self.id = table
        self.window = window
        """Within so many milliseconds calls are put in order by their adjusted time; 0: by their arrival."""
        self.sitting = Sitting(engines=engines)
        self.store = store
        self.time = time
        self.thinker = thinker
        self.lines: set[Line] = set()
        self.neighbours = neighbours or Alone()
        self.elsewhere: dict[str, At] = {}
        """By process: who is at this table there."""
        self.loaded = time.now()
        self.presence = Presence(set(), {}, self.loaded)
        self.ready: set[int] = set()
        """Everywhere; `_marks` are those that were made here."""
        self._marks: set[int] = set()
        self._rematching: asyncio.Task[None] | None = None
        self.version = 0
        self.idle_since = time.now()
        self._lock = Turnstile()
        self._woken: list[Line] = []
        self._ringing = False
        """The lines that are woken will be told in this turn of the loop."""
        self._at: int | None = None
        """The game's own time, while they are told."""
        self._slow: set[asyncio.Task[None]] = set()
        self.changed = asyncio.Event()
        self._scene = 0
        """Goes up with every change of what the game shows."""
        self._news = 0
        """Goes up with all that may be told but moves."""
        self._viewers: dict[int, int | None] = {}
        """By guest with a line: as whom they see the game."""
        self._quiet: bool | None = None
        """Whether no move brings anything that somebody must do; None: not known."""
        self._watching: tuple[int | None, ...] = ()
        """All of those, each once."""
        self._written_scene = -1
        self._views: dict[int | None, bytes] = {}
        """Of the scene that was written last, by viewer; and what has happened `_since` an entry."""
        self._told: dict[int | None, bytes] = {}
        self._since = -1
        self._staged = -1
        self._shown_as: dict[int | None, bytes] = {}
        """Of the scene that was staged last: View and what is told of the move before it, by viewer."""
        self._decided: tuple[tuple[int, int], list[Decision], list[Decision]] | None = None
        self._settled = asyncio.Event()
        self._repeats = Repeats()
        self.repeated = False

    # ------------------------------------------------------------ Coming and going

    async def load(self) -> None:
        """Reads the whole log, and closes openly what cannot go on."""
        rows = await self.store.entries(self.id)
        self.sitting = folded((body for _, body in rows), self.sitting.engines)
        while (running := self.sitting.running) is not None and running.table is None:
            await self._try(e.Abandoned(at=self.time.now(), reason="other_rules"), None)

    def hang_up_all(self, why: str, words: str = "") -> None:
        """The table cuts all lines."""
        for line in list(self.lines):
            self.hang_up(line, why, words)

    async def attach(self, person: str, name: str, client: str, since: int | None, *, program: bool = False) -> Line:
        """Somebody opens a line; who is new becomes a guest, under their name. `since` is the last entry they know.

        Who comes from another process may know more than this one has heard of, so the log is read first.
        """
        async with self._lock:
            if self.neighbours.me:
                await self.catch_up()
            while True:
                made = acts.join(self.sitting, self.time.now(), person, name, program=program)
                guest = self.sitting.guest_of(person)
                if made is None and guest is not None:
                    made = acts.rename(self.sitting, guest, self.time.now(), name)
                if made is None or await self._try(made, None):
                    break
        guest = self.sitting.guest_of(person)
        assert guest is not None
        seen = self.sitting.seq if since is None else min(since, self.sitting.seq)
        line = Line(guest, client, seen, self._woke, dealt=self.sitting.taken_up_to(guest, client))
        if GAMES[self.sitting.game].timed:
            line.lag = calls.Lag()
        self.lines.add(line)
        self._look_round()
        line.wake()
        return line

    def detach(self, line: Line) -> None:
        """A line was cut."""
        if line in self.lines:
            self.lines.discard(line)
            if not self.lines:
                self.idle_since = self.time.now()
            self._look_round()

    def hang_up(self, line: Line, why: str, words: str = "") -> None:
        """The table cuts a line."""
        line.closed, line.words, line.abreast = why, words, -1
        line.wake()

    # ------------------------------------------------------------ Acts

    async def submit(self, guest: int, act: Act, line: Line | None = None, n: int = 0) -> None:
        """Does what a guest asks for, or raises a refusal. When it returns, it is durable."""
        while True:
            async with self._lock:
                if await self._done(guest, act, line, n):
                    return
            await self._settlement()

    async def _done(self, guest: int, act: Act, line: Line | None, n: int) -> bool:
        """Does it, for who holds the lock; False: when the open calls are settled, ask again."""
        client = "" if line is None else line.client
        try:
            while not self._is_done(guest, client, n):
                made = act(self.sitting, guest, self.time.now())
                if made is None or await self._try(made, (client, n)):
                    break
        except acts.Unsettled:
            return False
        except Refusal:
            self.dealt_with(line, n)
            raise
        self.dealt_with(line, n)
        return True

    def _is_done(self, guest: int, client: str, n: int) -> bool:
        """Whether the same message was taken before; a refusal if nothing can be taken from this guest."""
        s = self.sitting
        if n and n <= s.taken_up_to(guest, client):
            return True
        acts.may_stay(s, guest)
        if s.closed is not None:
            raise refuse("table_is_closed")
        return False

    # ------------------------------------------------------------ Moves

    async def move(self, line: Line, move: str, number: int | None, n: int) -> None:
        """A move that came over a line; returns when it is durable, or raises why it is not."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.move_soon(line, move, number, n, partial(answer, done))
        await done

    def move_soon(self, line: Line, move: str, number: int | None, n: int, done: Done) -> None:
        """The same for who does not wait: `done` is called when the move is durable, or with the problem.

        A call that others may contest becomes a bid. If the table is busy, the move waits for its turn in a task.
        """
        guest, lag, now = line.guest, line.lag, self.time.now()
        early = now if lag is None else now - lag.gain(self.window)  # who is far away called before it arrived
        if not self._lock.take():
            self._slowly(self.submit(guest, self._asked(line, move, number, n, early), line, n), done)
            return
        try:
            if not self._is_done(guest, line.client, n):
                entry, step = self._move(line, move, number, n, early, now)
                told = partial(self._written, entry, step, line, number, n, early, done)
                self.store.append_soon(self.id, self.sitting.seq + 1, e.encode(entry), told)
                return
        except acts.Unsettled:
            self._lock.release()
            self._slowly(self.submit(guest, self._asked(line, move, number, n, early), line, n), done)
            return
        except Exception as problem:  # noqa: BLE001 (whatever it is, who asked must hear of it)
            self._lock.release()
            if isinstance(problem, Refusal):
                self.dealt_with(line, n)
            done(problem)
            return
        self._lock.release()
        self.dealt_with(line, n)
        done(None)

    def _asked(self, line: Line, move: str, number: int | None, n: int, early: int) -> Act:
        """A move that cannot be made at once, as an act."""

        def act(_: Sitting, __: int, at: int) -> Made:
            entry, step = self._move(line, move, number, n, early, at)
            return entry if isinstance(entry, e.Bid) or step is None else (entry, step)

        return act

    def _move(
        self, line: Line, move: str, number: int | None, n: int, early: int, at: int
    ) -> tuple[e.Moved, Step[Any]] | tuple[e.Bid, None]:
        """What a move becomes: an entry, and in a race a bid for one."""
        playing, player, move = acts.may_move(self.sitting, line.guest, move, number)
        client = line.client if n else ""
        if playing.game.timed and self._contested(playing, player, move, at):
            return self._bid(player, at, move, "person", early, by=line.guest, client=client, n=n), None
        return acts.moved(self.sitting, player, at, move, by=line.guest, client=client, n=n)

    def _written(
        self,
        entry: e.Moved | e.Bid,
        step: Step[Any] | None,
        line: Line,
        number: int | None,
        n: int,
        early: int,
        done: Done,
        problem: Exception | None,
    ) -> None:
        """A move is on the disk: it is applied, and all are told at once."""
        if isinstance(problem, Conflict):
            self._slowly(self._second(line, self._asked(line, entry.move, number, n, early), n), done)
            return
        try:
            if problem is None:
                self._ringing = True
                self._apply(entry, step)
                self.dealt_with(line, n)
        except Exception as trouble:  # noqa: BLE001 (whatever it is, who asked must hear of it)
            problem = trouble
        self._lock.release()
        self._ring()
        done(problem)

    async def _second(self, line: Line, act: Act, n: int) -> None:
        """Another process was first: the move is looked at again, and it is still its turn."""
        try:
            await self.catch_up()
            finished = await self._done(line.guest, act, line, n)
        finally:
            self._lock.release()
        if not finished:
            await self._settlement()
            await self.submit(line.guest, act, line, n)

    def _slowly(self, way: Coroutine[Any, Any, None], done: Done) -> None:
        """Does in a task what cannot be done at once."""

        async def run() -> None:
            try:
                await way
            except Exception as problem:  # noqa: BLE001 (whatever it is, who asked must hear of it)
                done(problem)
            else:
                done(None)

        task = asyncio.create_task(run())
        self._slow.add(task)
        task.add_done_callback(self._slow.discard)

    def _contested(self, playing: Playing, player: int | None, move: str, at: int) -> bool:
        return calls.contested(playing, self.decided()[0], player, move, at, self.window)

    @staticmethod
    def _bid(player: int | None, at: int, move: str, hand: e.Hand, early: int, **asked: Any) -> e.Bid:
        assert player is not None
        return e.Bid(at=at, player=player, move=move, adjusted=min(early, at), hand=hand, **asked)

    def _made(self, player: int | None, at: int, move: str, hand: e.Hand) -> Made:
        """The move of a bot, the clock or the table; in a race, the bid for it."""
        playing = acts.a_game_runs(self.sitting)
        if playing.game.timed and self._contested(playing, player, move, at):
            return self._bid(player, at, move, hand, at)
        return acts.moved(self.sitting, player, at, move, hand=hand)

    def settles_at(self) -> int | None:
        """When the open bids are settled; None if there are none."""
        playing = self.sitting.running
        if playing is None or not playing.bids:
            return None
        return calls.settles_at(playing, self.decided()[0], partial(self._most, playing), self.window)

    def _most(self, playing: Playing, player: int) -> int:
        """What a player's call could gain: bots nothing, who has no line anywhere perhaps all there is to gain."""
        if playing.by_bot(player):
            return 0
        guest = playing.who[player]
        gains = [each.lag.most(self.window) for each in self.lines if each.guest == guest and each.lag is not None]
        if guest in self.presence.lag:
            gains.append(min(self.window, self.presence.lag[guest] + FROM_ELSEWHERE_MS))
        return max(gains, default=self.window)

    async def _settlement(self) -> None:
        """Returns when no bid is open."""
        self._settled.clear()
        if self.settles_at() is not None:
            await self._settled.wait()

    async def settle(self) -> None:
        """Puts the open bids in order; if another process was first, that is how it is."""
        async with self._lock:
            playing = self.sitting.running
            if playing is not None and playing.bids:
                await self._try(calls.settled(playing, self.time.now()), None)

    @staticmethod
    def dealt_with(line: Line | None, n: int) -> None:
        """A message is done with, so that the line can say so."""
        if line is not None:
            if n > line.dealt:
                line.dealt = n
            line.wake()

    async def _try(self, made: Made, stamp: tuple[str, int] | None) -> bool:
        """Writes an entry and applies it; False if another process was first and the act must be looked at again."""
        entry, step = made if isinstance(made, tuple) else (made, None)
        assert entry is not None
        if stamp is not None and stamp[1] != entry.n:
            entry = msgspec.structs.replace(entry, client=stamp[0], n=stamp[1])
        try:
            await self.store.append(self.id, self.sitting.seq + 1, e.encode(entry))
        except Conflict:
            await self.catch_up()
            return False
        self._apply(entry, step)
        return True

    async def catch_up(self) -> int:
        """Reads what other processes have written; how many entries that was. Whoever calls it holds the lock."""
        found = await self.store.entries(self.id, self.sitting.seq)
        for _, body in found:
            self._apply(e.decode(body), None)
        return len(found)

    async def refresh(self) -> int:
        """The same, for those who do not hold the lock."""
        async with self._lock:
            return await self.catch_up()

    def _apply(self, entry: e.Entry, step: Step[Any] | None) -> None:
        if isinstance(entry, e.Moved) and entry.ending is None:
            self.sitting.apply(entry, step)
            self._scene += 1
            self._look_for_repeats()
            self._wake(due=self._may_be_due())
            return
        if isinstance(entry, e.Settled):
            self._tell_the_late(entry)
        before = self._shown()
        self.sitting.apply(entry, step)
        if isinstance(entry, e.Bid):
            self.changed.set()
            return
        self._look_again()
        if self._shown() != before:
            self._scene += 1
        self._settled.set()
        if isinstance(entry, e.Settled) and entry.ending is None and any(each.played for each in entry.calls):
            self._wake()
            return
        if isinstance(entry, e.Started):
            self.ready.clear()
            self._marks.clear()
            self.neighbours.present(self)
            self._repeats.clear()
            self.repeated = False
        if isinstance(entry, e.Joined) and self.elsewhere:
            self._look_round(heard=True)
        if isinstance(entry, e.Removed | e.Forgotten):
            for line in [each for each in self.lines if each.guest == entry.guest]:
                self.hang_up(line, "removed" if isinstance(entry, e.Removed) else "forgotten")
        if isinstance(entry, e.Closed):
            self.hang_up_all("operator" if entry.reason == "operator" else "closed", entry.words)
        self.tell()

    def _tell_the_late(self, entry: e.Settled) -> None:
        """Whose bid was not the first hears it, on the page that sent it."""
        playing = self.sitting.playing
        for bid, why in calls.lost(entry, playing.bids if playing is not None else ()):
            for line in self.lines:
                if line.guest == bid.by and bid.client in ("", line.client):
                    line.note(calls.Lost(bid.n, why))

    def _shown(self) -> tuple[int, int, bool] | None:
        """What of the game makes another View: which one it is, after how many moves, and whether it rests."""
        playing = self.sitting.playing
        return None if playing is None else (playing.number, playing.moves, playing.paused_at is not None)

    def _look_again(self) -> None:
        """Who sees what, and who is waited for, may have changed."""
        self._viewers.clear()
        self._quiet = None
        self._news += 1

    def _look_for_repeats(self) -> None:
        """Looks whether the table has come to the same position again, which no rule ends (K24)."""
        playing = self.sitting.playing
        if self.repeated or playing is None or playing.moves < REPEATS_FROM or playing.game.timed:
            return
        if playing.table is not None and self._repeats.third(playing.serialiser.position(playing.table)):
            self.repeated = True
            self.tell()

    async def leave(self, guest: int, line: Line | None, n: int, *, stays: bool) -> None:
        """A guest gives up their seat; where the game knows leaving, it is told."""
        acts.leave(self.sitting, guest, self.time.now(), stays=stays)
        await self._leave_game(guest)
        await self.submit(guest, lambda s, by, at: acts.leave(s, by, at, stays=stays), line, n)

    async def remove(self, guest: int, other: int, line: Line | None, n: int) -> None:
        """The host puts somebody out."""
        acts.remove(self.sitting, guest, self.time.now(), other)
        await self._leave_game(other)
        await self.submit(guest, lambda s, by, at: acts.remove(s, by, at, other), line, n)

    async def _leave_game(self, guest: int) -> None:
        playing = self.sitting.running
        player = None if playing is None else playing.player_of(guest)
        if player is not None and any(each.player == player and "leave" in each.moves for each in self.decided()[1]):
            try:
                await self._play(player, "leave", "person")
            except Refusal:  # has left by now
                return
            except acts.Unsettled:
                await self._settlement()
                await self._leave_game(guest)

    async def play_for(self, player: int | None, move: str, hand: e.Hand) -> bool:
        """A move that a bot, the clock or the table makes; one that cannot be made any more is dropped, and False."""
        try:
            return await self._play(player, move, hand)
        except (Refusal, acts.Unsettled) as dropped:
            why = dropped.text.key if isinstance(dropped, Refusal) else "a call is not settled"
            _log.info("move dropped", table=self.sitting.code, hand=hand, why=why)
            return False

    async def _play(self, player: int | None, move: str, hand: e.Hand) -> bool:
        """Where another process was first, a bot or the clock must look again: False."""
        async with self._lock:
            while True:
                at = self.time.now()
                if await self._try(self._made(player, at, move, hand), None):
                    return True
                if hand != "person":
                    return False

    async def set_ready(self, guest: int, *, ready: bool) -> None:
        """Somebody is ready; when all who sit are, after a game, the next one begins by itself."""
        s = self.sitting
        if s.seat_of(guest) is None:
            raise refuse("not_seated")
        (self._marks.add if ready else self._marks.discard)(guest)
        if not ready:
            self.neighbours.unready(self, guest)
        self._look_round()
        if self._all_ready():
            await self._rematch()

    def _all_ready(self) -> bool:
        s = self.sitting
        seated = {seat.guest for seat in s.seats if seat.guest is not None}
        return bool(s.games and s.running is None and seated and seated <= self.ready)

    async def _rematch(self) -> None:
        """The next game, unless another process has begun it."""
        try:
            await self.by_table(lambda sitting, at: acts.start(sitting, None, at))
        except Refusal:
            if self.sitting.running is None:
                raise

    async def by_table(self, act: Callable[[Sitting, int], e.Entry]) -> None:
        """What the table itself does, without anybody asking."""
        async with self._lock:
            while not await self._try(act(self.sitting, self.time.now()), None):
                pass

    def say(self, note: Json) -> None:
        """Passes a word round; words are not kept."""
        self.hear(note)
        self.neighbours.said(self, note)

    def hear(self, note: Json) -> None:
        """A word for everybody whose line is here."""
        for line in self.lines:
            line.note(note)

    # ------------------------------------------------------------ Other processes

    @property
    def stands_back(self) -> bool:
        """Whether another process looks after clocks and bots first: one with lines, and of those the oldest."""
        own = (not self.lines, self.neighbours.me)
        return any((not told.lines, process) < own for process, told in self.elsewhere.items())

    def whereabouts(self, version: int) -> At:
        """What others are told of who is here."""
        here: dict[int, int | None] = {
            line.guest: None if line.lag is None else line.lag.most(self.window) for line in self.lines
        }
        away = dict(self.presence.since)
        marks = tuple(sorted(self._marks))
        return At(self.id, version, bool(here), self.loaded, self.sitting.games, here, away, marks)

    def hear_of(self, process: str, told: At | None) -> None:
        """Another process says who is at this table there; None: nobody, it has let go of the table."""
        if told is None:
            self.elsewhere.pop(process, None)
        else:
            self.elsewhere[process] = told
        self._look_round(heard=True)
        if self._all_ready() and (self._rematching is None or self._rematching.done()):
            self._rematching = asyncio.create_task(self._rematch_heard())

    async def _rematch_heard(self) -> None:
        try:
            await self._rematch()
        except (Refusal, StoreDown) as problem:
            _log.info("no rematch", table=self.sitting.code, problem=type(problem).__name__)

    def unready_elsewhere(self, guest: int) -> None:
        """A guest took back, in another process, that they are ready."""
        self._marks.discard(guest)
        self._look_round()

    def _look_round(self, *, heard: bool = False) -> None:
        """Who is here, in any process, and since when the others are not; all are told."""
        presence, others = self.presence, self.elsewhere.values()
        local = {line.guest for line in self.lines}
        known = range(len(self.sitting.guests))  # notices may be ahead of the log
        here = {guest for guest in local.union(*(told.here for told in others)) if guest in known}
        for guest in presence.here - here:
            presence.since[guest] = self.time.now()
        for told in others:
            for guest, since in told.away.items():
                presence.since[guest] = max(since, presence.since.get(guest, 0))
        presence.lag = {g: lag for told in others for g, lag in told.here.items() if lag is not None}
        for guest in here:
            presence.since.pop(guest, None)
        presence.loaded = min((self.loaded, *(told.loaded for told in others)))
        self._marks &= here
        changed = here != presence.here
        ready = self._marks.union(*(told.ready for told in others if told.games == self.sitting.games))
        changed = changed or ready != self.ready
        presence.here, self.ready = here, ready
        self._look_again()
        if not heard or changed:
            self.tell()
        if not heard:
            self.neighbours.present(self)

    # ------------------------------------------------------------ Telling

    def _may_be_due(self) -> bool:
        """Where only people play, who are all here, without a clock, no move brings anything that somebody must do."""
        if self._quiet is None:
            playing, clock = self.sitting.running, self.sitting.settings.turn_clock_s
            self._quiet = not (playing is None or playing.game.timed or clock or self.elsewhere or playing.quit)
            self._quiet = self._quiet and playing is not None and self.presence.here.issuperset(playing.who)
        return not self._quiet

    def _wake(self, *, due: bool = True) -> None:
        if due:
            self.changed.set()
        woken = self._woken
        for line in self.lines:
            if not line.woken:
                line.woken = True
                woken.append(line)
        if not self._ringing:
            self._ring_soon()

    def _woke(self, line: Line) -> None:
        """A line has something to tell."""
        self._woken.append(line)
        if not self._ringing:
            self._ring_soon()

    def _ring_soon(self) -> None:
        """What happens in one turn of the loop is told together."""
        self._ringing = True
        asyncio.get_running_loop().call_soon(self._ring)

    def _ring(self) -> None:
        """All who have something to tell tell it now."""
        woken, self._woken, self._ringing = self._woken, [], False
        playing = self.sitting.playing
        if playing is not None:
            self._at = playing.time(self.time.now())
            if self._quiet and self._viewers and woken and playing.table is not None:
                woken = self._shown_to(playing, woken)
        for line in woken:
            if line.ring is not None and line.woken:
                try:
                    line.ring()
                except Exception as problem:  # noqa: BLE001 (one broken line does not silence the others)
                    self._broken(problem)
        self._at = None

    def _shown_to(self, playing: Playing, woken: list[Line]) -> list[Line]:
        """Shows a move to all for whom it is all that is new, as most often; gives those who are to be told more."""
        newest = playing.events.newest
        if newest is None or newest[0] != self.sitting.seq:
            return woken
        seq, since, news, others = newest[0], newest[0] - 1, self._news, []
        if self._staged != self._scene:
            self._stage(playing, *newest)
        scene, shown, began = self._scene, self._shown_as, BEGIN % seq
        middle, end = MIDDLE % playing.number, END % self._at
        for line in woken:
            show = line.show
            if line.abreast != news or line.seen != since or show is None or line.viewer not in shown:
                others.append(line)
                continue
            try:
                ack = line.dealt
                if show(_join((began, b"%d" % ack, middle, shown[line.viewer], end))):
                    line.woken, line.scene, line.seen, line.told_ack = False, scene, seq, ack
            except Exception as problem:  # noqa: BLE001 (one broken line does not silence the others)
                self._broken(problem)
        return others

    def _stage(self, playing: Playing, seq: int, events: Sequence[Event]) -> None:
        """Writes what all who are here see and are told of a move, once; what was written before is not kept."""
        if self._views:
            self._written_scene, self._views, self._told = -1, {}, {}
        views = playing.serialiser.json_views(playing.table, self._watching)
        lists, between = playing.serialiser.json_events(events, self._watching), BETWEEN % seq
        shown = zip(self._watching, views, lists, strict=True)
        self._shown_as = {viewer: view + between + each for viewer, view, each in shown}
        self._staged = self._scene

    def _broken(self, problem: Exception) -> None:
        _log.error("a line broke", table=self.sitting.code, problem=repr(problem))

    def tell(self) -> None:
        """Something about the table has changed, and everybody shall know."""
        self.version += 1
        self._news += 1
        self._wake()

    def decided(self) -> tuple[Sequence[Decision], Sequence[Decision]]:
        """Whom the running game awaits, and what may be done at any time."""
        playing = self.sitting.running
        if playing is None or playing.table is None:
            return (), ()
        key = (playing.number, playing.moves)
        if self._decided is None or self._decided[0] != key:
            self._decided = (key, playing.game.decisions(playing.table), playing.game.anytime(playing.table))
        return self._decided[1:]

    def update(self, line: Line) -> Update | None:
        """What this line has to be told now: the table as it is, what happened since, answers. None if nothing."""
        line.woken = False
        guest, ack, notes = line.guest, line.dealt, line.notes
        found = Update(self.sitting.seq, ack, notes)
        told = line.told_ack != ack
        viewer = self._viewers[guest] if guest in self._viewers else self._viewer(guest)
        if (line.scene != self._scene or line.viewer != viewer) and self._show(line, viewer, found):
            told = True
        if line.version != self.version:
            line.version = self.version
            found.table = {**self.report(), "you": guest}
            told = True
        if notes:
            line.notes = []
            told = True
        if line.closed is not None:
            found.closed, found.words = line.closed, line.words
            told = True
        line.abreast = -1 if line.closed is not None else self._news
        if not told:
            return None
        line.seen, line.told_ack = found.seq, ack
        return found

    def _viewer(self, guest: int) -> int | None:
        """As whom a guest sees the game; kept until somebody comes or goes."""
        self._viewers = {each: self.sitting.viewer(each) for each in {guest, *(line.guest for line in self.lines)}}
        self._watching = tuple(set(self._viewers.values()))
        self._written_scene = self._staged = -1
        return self._viewers[guest]

    def _show(self, line: Line, viewer: int | None, found: Update) -> bool:
        """The View, where there is one, and what happened before it."""
        playing = self.sitting.playing
        if playing is None or playing.table is None:
            return False
        if self._written_scene != self._scene:
            self._write_scene(playing, line.seen)
        line.scene, line.viewer = self._scene, viewer
        found.view, found.number = self._views[viewer], playing.number
        found.time = playing.time(self.time.now()) if self._at is None else self._at
        if line.seen != self._since:
            self._write_told(playing, line.seen)
        found.happened = self._told.get(viewer)
        clock = self.sitting.settings.turn_clock_s
        if clock and not playing.game.timed and not playing.is_over:
            found.turn_ends = max(playing.turn_since, self.presence.loaded) + 1000 * clock
        return True

    def _write_scene(self, playing: Playing, since: int) -> None:
        """Writes the Views of all who are here, and what happened, once."""
        self._views = dict(zip(self._watching, written_views(playing, self._watching), strict=True))
        self._written_scene = self._scene
        self._write_told(playing, since)

    def _write_told(self, playing: Playing, since: int) -> None:
        """Writes what all who are here are told of the moves after an entry; nothing, if that is not known any more."""
        self._since, self._told = since, {}
        if playing.hidden:
            return
        viewers, newest = self._watching, playing.events.newest
        if newest is not None and newest[0] == since + 1:
            seq, events = newest
            written = playing.serialiser.json_events(events, viewers)
            common = b'[{"seq":%d,"told":%b}]' % (seq, written[0])
            for viewer, each in zip(viewers, written, strict=True):
                self._told[viewer] = common if each is written[0] else b'[{"seq":%d,"told":%b}]' % (seq, each)
            return
        if not playing.events.all_after(since):
            return
        moves = playing.events.after(since)
        all_written = [(seq, playing.serialiser.json_events(events, viewers)) for seq, events in moves]
        for i, viewer in enumerate(viewers):
            told = b",".join([b'{"seq":%d,"told":%b}' % (seq, written[i]) for seq, written in all_written])
            self._told[viewer] = b"[%b]" % told

    def report(self) -> Json:
        """The table as everybody may know it."""
        over = self.sitting.playing is not None and self.sitting.playing.is_over
        noted = over and not self.sitting.finished
        found = game_id(self.id, self.sitting.games) if noted else None
        return table_report(self.sitting, self.presence, self.ready, game_id=found, repeated=self.repeated)
