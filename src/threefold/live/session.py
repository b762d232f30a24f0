"""Session: one table in this process. What people ask for is checked, made durable, applied, and told to all.

An act holds the table's lock from the check to the commit, so each sees the table that the log has. If another process
was first, its entries are read and the act is checked again.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import msgspec
import structlog

from threefold.game import Decision, Json, Refusal, Step
from threefold.games import GAMES
from threefold.live import acts, calls
from threefold.live import entries as e
from threefold.live.acts import Made
from threefold.live.clock import Presence, Time
from threefold.live.notices import At
from threefold.live.record import game_id
from threefold.live.refusals import refuse
from threefold.live.report import table_report, written_views
from threefold.live.sitting import Playing, Sitting, folded
from threefold.live.store import Conflict, Store, StoreDown
from threefold.live.thinking import Thinker

NOTES = 64
"""So many answers wait for a reader; of a reader who reads nothing, the oldest are dropped."""
FROM_ELSEWHERE_MS = 40
"""So long a call may be on its way from another process: a commit and a notice."""
REPEATS_FROM = 100
"""From this move on a table notices when it comes to the same position again (K24)."""

Act = Callable[[Sitting, int, int], Made]
"""Sitting, guest, time -> what to write; None: nothing to do."""

_log = structlog.get_logger("threefold.live")


@dataclass(slots=True, eq=False)
class Line:
    """An open line from a table to one person's page or program. It keeps no messages, only what was told last."""

    guest: int
    client: str
    seen: int
    """The last entry that was told."""
    dealt: int = 0
    """The last message that was dealt with: accepted and durable, or refused."""
    told_ack: int = -1
    version: int = -1
    viewed: tuple[int, int, bool, int | None] | None = None
    notes: list[Json] = field(default_factory=list)
    woken: bool = False
    """There is something to tell."""
    ring: Callable[[], None] | None = None
    """Called when there is."""
    closed: str | None = None
    words: str = ""
    """What is said about its being closed."""
    lag: calls.Lag | None = None
    """How long the way there is; only where games are played against time."""

    def note(self, what: Json) -> None:
        """Leaves an answer for this line alone."""
        self.notes.append(what)
        del self.notes[:-NOTES]
        self.wake()

    def wake(self) -> None:
        """There may be something to tell."""
        if not self.woken:
            self.woken = True
            if self.ring is not None:
                self.ring()


@dataclass(slots=True)
class Update:
    """All that a line has to be told now."""

    seq: int
    ack: int
    notes: list[Json]
    table: Json = None
    view: bytes | None = None
    number: int = 0
    time: int = 0
    turn_ends: int | None = None
    happened: bytes | None = None
    """What happened since, encoded; None: more was missed than is kept."""
    closed: str | None = None
    words: str = ""

    @property
    def events(self) -> list[Json] | None:
        """What happened since."""
        return None if self.happened is None else msgspec.json.decode(self.happened, type=list[Json])


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
    ) -> None:
        self.id = table
        self.window = window
        """Within so many milliseconds calls are put in order by their adjusted time; 0: by their arrival."""
        self.sitting = Sitting()
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
        self._lock = asyncio.Lock()
        self.changed = asyncio.Event()
        self._views: dict[int | None, bytes] = {}
        self._told: dict[tuple[int, int | None], bytes] = {}
        self._decided: tuple[tuple[int, int], list[Decision], list[Decision]] | None = None
        self._settled = asyncio.Event()
        self._repeats: Counter[int] = Counter()
        self.repeated = False
        self.recorded = 0
        """How many finished games are noted in the store."""

    # ------------------------------------------------------------ Coming and going

    async def load(self) -> None:
        """Reads the whole log, and closes openly what cannot go on."""
        rows = await self.store.entries(self.id)
        self.sitting = folded(body for _, body in rows)
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
        line = Line(guest, client, seen, dealt=self.sitting.taken_up_to(guest, client))
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
        line.closed, line.words = why, words
        line.wake()

    # ------------------------------------------------------------ Acts

    async def submit(self, guest: int, act: Act, line: Line | None = None, n: int = 0) -> None:
        """Does what a guest asks for, or raises a refusal. When it returns, it is durable."""
        client = "" if line is None else line.client
        async with self._lock:
            try:
                while True:
                    if n and n <= self.sitting.taken_up_to(guest, client):
                        break
                    acts.may_stay(self.sitting, guest)
                    if self.sitting.closed is not None:
                        raise refuse("table_is_closed")
                    made = act(self.sitting, guest, self.time.now())
                    if made is None or await self._try(made, (client, n)):
                        break
            except Refusal:
                self.dealt_with(line, n)
                raise
            except acts.Unsettled:
                pass
            else:
                self.dealt_with(line, n)
                self._after()
                return
        await self._settlement()
        await self.submit(guest, act, line, n)

    async def move(self, line: Line, move: str, number: int | None, n: int) -> None:
        """A move that came over a line; a call that others may contest becomes a bid."""
        adjusted = self.time.now() - (0 if line.lag is None else line.lag.gain(self.window))

        def made(s: Sitting, player: int, at: int, move: str, *, by: int | None) -> Made:
            return self._made(player, at, move, "person", adjusted, by)

        await self.submit(line.guest, lambda s, by, at: acts.move(s, by, at, move, number, made), line, n)

    def _made(self, player: int | None, at: int, move: str, hand: e.Hand, adjusted: int, by: int | None = None) -> Made:
        """The move, or in a race the bid for it."""
        playing = acts.a_game_runs(self.sitting)
        if playing.game.timed and calls.contested(playing, self.decided()[0], player, move, at, self.window):
            assert player is not None
            return e.Bid(at=at, by=by, player=player, move=move, adjusted=min(adjusted, at), hand=hand)
        return acts.moved(self.sitting, player, at, move, by=by, hand=hand)

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
            line.dealt = max(line.dealt, n)
            line.wake()

    async def _try(self, made: Made, stamp: tuple[str, int] | None) -> bool:
        """Writes an entry and applies it; False if another process was first and the act must be looked at again."""
        entry, step = made if isinstance(made, tuple) else (made, None)
        assert entry is not None
        if stamp is not None and stamp[1]:
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
            entry = e.decode(body)
            self._apply(entry, None)
            if isinstance(entry, e.Moved):
                self._after()
        return len(found)

    async def refresh(self) -> int:
        """The same, for those who do not hold the lock."""
        async with self._lock:
            return await self.catch_up()

    def _apply(self, entry: e.Entry, step: Step[Any] | None) -> None:
        if isinstance(entry, e.Settled):
            self._tell_the_late(entry)
        self.sitting.apply(entry, step)
        if isinstance(entry, e.Bid):
            self.changed.set()
            return
        self._views.clear()
        self._told.clear()
        if isinstance(entry, e.Moved) and entry.ending is None:
            self._wake(due=self._may_be_due())
            return
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

    def _after(self) -> None:
        """Looks whether the table has come to the same position again, which no rule ends (K24)."""
        playing = self.sitting.running
        if playing is None or playing.table is None or playing.moves < REPEATS_FROM or playing.game.timed:
            return
        position = playing.game.position(playing.table)
        self._repeats[position] += 1
        if self._repeats[position] >= 3 and not self.repeated:
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
            if not await self._play(player, move, hand):
                return False
        except (Refusal, acts.Unsettled) as dropped:
            why = dropped.text.key if isinstance(dropped, Refusal) else "a call is not settled"
            _log.info("move dropped", table=self.sitting.code, hand=hand, why=why)
            return False
        self._after()
        return True

    async def _play(self, player: int | None, move: str, hand: e.Hand) -> bool:
        """Where another process was first, a bot or the clock must look again: False."""
        async with self._lock:
            while True:
                at = self.time.now()
                if await self._try(self._made(player, at, move, hand, adjusted=at), None):
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
        if not heard or changed:
            self.tell()
        if not heard:
            self.neighbours.present(self)

    # ------------------------------------------------------------ Telling

    def _may_be_due(self) -> bool:
        """Where only people play, who are all here, without a clock, no move brings anything that somebody must do."""
        playing = self.sitting.running
        if playing is None or playing.game.timed or self.sitting.settings.turn_clock_s or self.elsewhere:
            return True
        return bool(playing.quit) or not all(guest in self.presence.here for guest in playing.who)

    def _wake(self, *, due: bool = True) -> None:
        if due:
            self.changed.set()
        for line in self.lines:
            line.wake()

    def tell(self) -> None:
        """Something about the table has changed, and everybody shall know."""
        self.version += 1
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
        s = self.sitting
        notes = line.notes
        if notes:
            line.notes = []
        found = Update(s.seq, line.dealt, notes, closed=line.closed, words=line.words)
        if line.version != self.version:
            line.version = self.version
            found.table = {**self.report(), "you": line.guest}
        playing = s.playing
        if playing is not None and playing.table is not None:
            state = (playing.number, playing.moves, playing.paused_at is not None, s.viewer(line.guest))
            if line.viewed != state:
                line.viewed = state
                self._view(line, found)
        told = found.table is not None or found.view is not None or bool(notes) or line.closed is not None
        if not told and line.told_ack == line.dealt:
            return None
        line.seen, line.told_ack = s.seq, line.dealt
        return found

    def _view(self, line: Line, found: Update) -> None:
        playing = self.sitting.playing
        assert playing is not None
        viewer = self.sitting.viewer(line.guest)
        found.view, found.number = self._view_of(viewer), playing.number
        found.time = playing.time(self.time.now())
        if self.sitting.settings.turn_clock_s and not playing.game.timed and not playing.is_over:
            since = max(playing.turn_since, self.presence.loaded)
            found.turn_ends = since + 1000 * self.sitting.settings.turn_clock_s
        if not playing.hidden and playing.events.all_after(line.seen):
            found.happened = self._happened_since(playing, line.seen, viewer)

    def _happened_since(self, playing: Playing, seen: int, viewer: int | None) -> bytes:
        """What a viewer is told of the moves after an entry; written once for all who are here."""
        found = self._told.get((seen, viewer))
        if found is None:
            viewers = list({viewer, *(playing.player_of(line.guest) for line in self.lines)})
            moves = [(seq, playing.game.told(events, viewers)) for seq, events in playing.events.after(seen)]
            for i, each in enumerate(viewers):
                told = b",".join([b'{"seq":%d,"told":%b}' % (seq, written[i]) for seq, written in moves])
                self._told[seen, each] = b"[%b]" % told
            found = self._told[seen, viewer]
        return found

    def _view_of(self, viewer: int | None) -> bytes:
        """A View, written once; when one is wanted, so are those of all who are here."""
        playing = self.sitting.playing
        if viewer not in self._views and playing is not None:
            viewers = list({viewer, *(playing.player_of(line.guest) for line in self.lines)})
            self._views.update(zip(viewers, written_views(playing, viewers), strict=True))
        return self._views[viewer]

    def report(self) -> Json:
        """The table as everybody may know it."""
        over = self.sitting.playing is not None and self.sitting.playing.is_over
        noted = over and self.recorded == len(self.sitting.finished)
        found = game_id(self.id, self.sitting.games) if noted else None
        return table_report(self.sitting, self.presence, self.ready, game_id=found, repeated=self.repeated)
