"""Keeper: sees to it that what is due at a table is done: clocks, bots, people who are away, and the books."""

import asyncio
from contextvars import Context
from dataclasses import replace

import structlog

from threefold.live import acts
from threefold.live import entries as e
from threefold.live.clock import AGREE_DRAW, Dial, Due, Plan
from threefold.live.figures import figures_of, has_figures
from threefold.live.record import finished_game
from threefold.live.session import Session
from threefold.live.sitting import Playing
from threefold.live.store import GameRow, StoreDown
from threefold.live.thinking import stand_in

SHORTEST_THOUGHT_MS = 500
AGAIN_MS = 250
"""What could not be done is tried again after this while, if nothing has changed."""
BACK_UP_MS = 1_500
"""Where another process looks after the table, this one acts only when nothing has happened for so long."""
SETTLE_BACK_UP_MS = 50
"""The same for who was first in a race: people wait for that."""
STORE_DOWN_MS = 500
"""So long the clock waits for a store that does not answer."""
TOUCH_EVERY_MS = 3_600_000
"""A table at which something happens is noted as alive so often."""

_log = structlog.get_logger("threefold.live")


class Keeper:
    """Keeps one table, as long as it is in memory."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.time = session.time
        self._plans: dict[int, Plan] = {}
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._asked: dict[int, tuple[int, int]] = {}
        self._task: asyncio.Task[None] | None = None
        self._again: asyncio.TimerHandle | None = None
        self._ended = False
        self._noted_playing = 0
        self._touched = session.time.now()
        self._seen, self._still_since = -1, session.time.now()

    def start(self) -> None:
        """Lets the clock run."""
        self._task = asyncio.create_task(self._run(), context=Context())  # no request's, whoever came first
        self._task.add_done_callback(self._stopped)

    def _stopped(self, task: asyncio.Task[None]) -> None:
        """A clock that broke is told to the log, and runs again after a moment."""
        problem = None if task.cancelled() else task.exception()
        if problem is not None and not self._ended:
            _log.error("the clock of a table broke", table=self.session.sitting.code, problem=repr(problem))
            self._again = asyncio.get_running_loop().call_later(1, self.start)

    async def stop(self) -> None:
        """Stops the clock and cuts all lines; the log has everything."""
        self._ended = True
        if self._again is not None:
            self._again.cancel()
        tasks = [task for task in (self._task, *self._thinking.values()) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.session.hang_up_all("restart")

    async def _run(self) -> None:
        session = self.session
        while session.sitting.closed is None:
            session.changed.clear()
            try:
                until = await self._look()
            except StoreDown:
                until = self.time.now() + STORE_DOWN_MS
            await self.time.wait(session.changed, self._touched + TOUCH_EVERY_MS + 1 if until is None else until)

    async def _look(self) -> int | None:
        """Does what is due; gives when to look again. Where another process leads, this one lets it go first."""
        session = self.session
        now, seq = self.time.now(), session.sitting.seq
        if seq != self._seen:
            self._seen, self._still_since = seq, now
        late = BACK_UP_MS if session.stands_back else 0
        if late and now < self._still_since + late:
            await self.keep_books()
            return await self._settle_after_others(now, self._still_since + late)
        awaited, anytime = session.decided()
        dial = Dial(
            session.sitting,
            session.presence,
            awaited,
            anytime,
            self._plans,
            session.repeated,
            session.settles_at(),
        )
        self._ask_bots(dial, now)
        due = dial.next(now)
        if due is not None and due.at + late <= now:
            await self._carry_out(due)
            return now + AGAIN_MS if session.sitting.seq == seq else now
        await self.keep_books()
        return None if due is None else due.at + late

    async def _settle_after_others(self, now: int, until: int) -> int:
        """Bids wait for no other process: if it has not settled them, this one does. Gives when to look again."""
        settles_at = self.session.settles_at()
        if settles_at is None:
            return until
        if settles_at + SETTLE_BACK_UP_MS <= now:
            await self.session.settle()
            return now
        return min(settles_at + SETTLE_BACK_UP_MS, until)

    # ------------------------------------------------------------ Bots

    def _ask_bots(self, dial: Dial, now: int) -> None:
        """Every bot that may do something is asked, once for each state of the game."""
        playing = self.session.sitting.running
        if playing is None:
            return
        for player in dial.bots_to_ask(now):
            if self._asked.get(player) != playing.state:
                self._ask(player, playing.state)

    def _ask(self, player: int, state: tuple[int, int]) -> None:
        thought = self._thinking.pop(player, None)
        if thought is not None:
            thought.cancel()
        self._asked[player] = state
        self._plans.pop(player, None)
        task = asyncio.create_task(self._think(player, state))
        self._thinking[player] = task
        task.add_done_callback(lambda done: self._thought(player, state, done))

    def _thought(self, player: int, state: tuple[int, int], done: asyncio.Task[None]) -> None:
        """A bot has decided; one that broke makes the first move there is, and that is told to the log."""
        if self._thinking.get(player) is done:
            del self._thinking[player]
        problem = None if done.cancelled() else done.exception()
        if problem is not None:
            _log.error("a bot broke", table=self.session.sitting.code, problem=repr(problem))
            move = self._first_move(player)
            if move is not None:
                self._plans[player] = Plan(state, self.time.now() + AGAIN_MS, move)
        self.session.changed.set()

    def _first_move(self, player: int) -> str | None:
        moves = (move for each in self.session.decided()[0] if each.player == player for move in each.moves)
        return next(moves, None)

    async def _think(self, player: int, state: tuple[int, int]) -> None:
        s = self.session.sitting
        playing = s.running
        if playing is None:
            return
        began = self.time.now()
        view = playing.game.view(playing.table, player)
        choice = await self.session.thinker.think(s.game, playing.bots[player] or stand_in(s.game), view)
        if choice is None:
            return
        pause = 0
        if s.settings.pace == "human":
            pause = choice.after_ms if playing.game.timed else max(choice.after_ms, SHORTEST_THOUGHT_MS)
        self._plans[player] = Plan(state, began + pause, choice.move)

    # ------------------------------------------------------------ What is due

    async def _carry_out(self, due: Due) -> None:
        """Does what is due."""
        session = self.session
        match due.what:
            case "settle":
                await session.settle()
            case "time_up":
                await session.play_for(None, "time up", "clock")
            case "away" | "back":
                await session.play_for(due.who, due.what, "clock")
            case "bot":
                await self._play_plan(due.who)
            case "clock" | "stand_in":
                await self._play_in_time(due.who)
            case "draw":
                await session.play_for(due.who, AGREE_DRAW, "bot")
            case "host":
                await session.by_table(lambda s, at: acts.pass_host(s, None, at, due.who))
            case "abandon":
                await session.by_table(lambda _, at: e.Abandoned(at=at, reason="nobody_left"))
            case "too_long":
                await session.by_table(lambda _, at: e.Abandoned(at=at, reason="too_long"))

    async def _play_plan(self, player: int) -> None:
        """A bot does what it planned; what is too soon is tried again in a moment."""
        plan = self._plans.pop(player)
        if not await self.session.play_for(player, plan.move, "bot"):
            self._plans.setdefault(player, Plan(plan.state, self.time.now() + AGAIN_MS, plan.move))

    async def _play_in_time(self, player: int) -> None:
        """Somebody's time is over: what a careful bot would do is done, or else the first thing that is legal."""
        thought = self._thinking.get(player)
        if thought is not None:
            await asyncio.gather(thought, return_exceptions=True)
        plan = self._plans.pop(player, None)
        playing = self.session.sitting.running
        fits = playing is not None and plan is not None and plan.state == playing.state
        move = plan.move if fits and plan is not None else self._first_move(player)
        if move is not None:
            await self.session.play_for(player, move, "clock")

    # ------------------------------------------------------------ The books

    async def _row(self, playing: Playing) -> GameRow:
        """What is noted of a game that is over, with each player's figures where there are any: that takes a replay."""
        session = self.session
        row = finished_game(session.id, session.sitting, playing)
        if not has_figures(row):
            return row
        bodies = await session.store.entries(session.id, row.first_seq - 1, row.last_seq)
        figures = await asyncio.to_thread(figures_of, row, [body for _, body in bodies])
        if figures is None:
            return row
        players = [replace(each, figures=figures[each.player]) for each in row.players]
        return replace(row, players=players)

    async def keep_books(self) -> None:
        """Notes which game runs and which are over, so that they can be found; noted twice does no harm."""
        session, s = self.session, self.session.sitting
        while s.finished:
            await session.store.record_game(await self._row(s.finished[0]))
            await session.store.touch(session.id, self.time.now(), playing=s.running is not None)
            del s.finished[0]
            session.tell()
        now = self.time.now()
        new = s.running is not None and self._noted_playing != s.games
        if new or now - self._touched > TOUCH_EVERY_MS:
            await session.store.touch(session.id, now, playing=s.running is not None)
            self._noted_playing, self._touched = s.games, now
