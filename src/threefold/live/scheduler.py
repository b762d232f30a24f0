"""Scheduler: does what is due at a table: settlements, clocks, bots, absent guests; records finished games."""

import asyncio
from contextvars import Context
from dataclasses import replace

import structlog

from threefold.game import Refusal
from threefold.live import acts, countdown
from threefold.live import entries as e
from threefold.live.absence import no_person_left
from threefold.live.announcing import Announcer
from threefold.live.current_game import CurrentGame
from threefold.live.record import finished_game, game_id
from threefold.live.schedule import AGREE_DRAW, Due, Plan, Schedule
from threefold.live.session import Session
from threefold.live.statistics import figures_of, has_figures
from threefold.live.store import GameRow, StoreDown

SHORTEST_THOUGHT_MS = 500
HURRIED_THOUGHT_MS = 200
"""The pause of a bot where players take turns and no person is left in the game."""
RETRY_MS = 250
"""Pause before something that could not be done is tried again, if nothing has changed."""
BACK_UP_MS = 1_500
"""Where another process looks after the table, this one acts only after this long without any entry."""
SETTLE_BACK_UP_MS = 50
"""The same for settling a race, which people wait for."""
STORE_DOWN_MS = 500
"""Pause while the store does not answer."""
TOUCH_EVERY_MS = 3_600_000
"""How often an active table is marked as alive in the store."""

_log = structlog.get_logger("threefold.live")


def _earlier(one: int | None, other: int | None) -> int | None:
    """The earlier of two times; None is never."""
    return min((each for each in (one, other) if each is not None), default=None)


class Scheduler:
    """Looks after one table, as long as it is in memory."""

    def __init__(self, session: Session, announcer: Announcer) -> None:
        self.session = session
        self._announcer = announcer
        self.clock = session.clock
        self._plans: dict[int, Plan] = {}
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._asked_at: dict[int, tuple[int, int]] = {}
        self._awaited_since: dict[int, int] = {}
        self._task: asyncio.Task[None] | None = None
        self._restart: asyncio.TimerHandle | None = None
        self._ended = False
        self._recorded_game = 0
        self._touched = session.clock.now()
        self._seen, self._still_since = -1, session.clock.now()

    def start(self) -> None:
        """Starts the loop."""
        self._task = asyncio.create_task(self._run(), context=Context())  # not that of the request that loaded it
        self._task.add_done_callback(self._stopped)

    def _stopped(self, task: asyncio.Task[None]) -> None:
        """Logs a fault in the loop, and starts it again after a moment."""
        problem = None if task.cancelled() else task.exception()
        if problem is not None and not self._ended:
            _log.error("the scheduler of a table failed", table=self.session.state.code, problem=repr(problem))
            self._restart = asyncio.get_running_loop().call_later(1, self.start)

    async def stop(self) -> None:
        """Stops the loop and closes all connections; the log has everything."""
        self._ended = True
        if self._restart is not None:
            self._restart.cancel()
        tasks = [task for task in (self._task, *self._thinking.values()) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.session.audience.close_all("restart")

    async def _run(self) -> None:
        session = self.session
        while session.state.closed is None and session.stopped is None:
            session.changed.clear()
            try:
                until = _earlier(await self._look(), await self._announcer.update())
            except StoreDown:
                until = self.clock.now() + STORE_DOWN_MS
            except Refusal:  # of what was due; a table that has stopped refuses everything
                until = self.clock.now() + RETRY_MS
            await self.clock.wait(session.changed, self._touched + TOUCH_EVERY_MS + 1 if until is None else until)

    async def _look(self) -> int | None:
        """Does what is due; returns when to look again. Where another process leads, this one lets it go first."""
        session = self.session
        now, seq = self.clock.now(), session.state.seq
        if seq != self._seen:
            self._seen, self._still_since = seq, now
        late = BACK_UP_MS if session.stands_back else 0
        if late and now < self._still_since + late:
            await self.record()
            return await self._settle_after_others(now, self._still_since + late)
        awaited, anytime = session.decisions()
        schedule = Schedule(
            session.state,
            session.presence,
            awaited,
            anytime,
            self._plans,
            session.repeated,
            session.settles_at(),
        )
        self._ask_bots(schedule, now)
        due = schedule.next(now)
        if due is not None and due.at + late <= now:
            await self._carry_out(due)
            return now + RETRY_MS if session.state.seq == seq else now
        await self.record()
        return None if due is None else due.at + late

    async def _settle_after_others(self, now: int, until: int) -> int:
        """Settles bids that the leading process has not settled in time; returns when to look again."""
        settles_at = self.session.settles_at()
        if settles_at is None:
            return until
        if settles_at + SETTLE_BACK_UP_MS <= now:
            await self.session.settle()
            return now
        return min(settles_at + SETTLE_BACK_UP_MS, until)

    # ------------------------------------------------------------ Bots

    def _ask_bots(self, schedule: Schedule, now: int) -> None:
        """Asks every bot that may do something, once for each position."""
        running = self.session.state.running
        if running is None:
            return
        awaited = schedule.bots_to_ask(now)
        self._awaited_since = {player: self._awaited_since.get(player, now) for player in awaited}
        for player in awaited:
            if self._asked_at.get(player) != running.version:
                self._ask(player, running.version)

    def _ask(self, player: int, version: tuple[int, int]) -> None:
        thought = self._thinking.pop(player, None)
        if thought is not None:
            thought.cancel()
        self._asked_at[player] = version
        self._plans.pop(player, None)
        task = asyncio.create_task(self._think(player, version))
        self._thinking[player] = task
        task.add_done_callback(lambda done: self._thought(player, version, done))

    def _thought(self, player: int, version: tuple[int, int], done: asyncio.Task[None]) -> None:
        """A bot has decided. One that failed is logged, and makes the first legal move."""
        if self._thinking.get(player) is done:
            del self._thinking[player]
        problem = None if done.cancelled() else done.exception()
        if problem is not None:
            _log.error("a bot failed", table=self.session.state.code, problem=repr(problem))
            move = self._first_move(player)
            if move is not None:
                self._plans[player] = Plan(version, self.clock.now() + RETRY_MS, move)
        self.session.changed.set()

    def _first_move(self, player: int) -> str | None:
        moves = (move for each in self.session.decisions()[0] if each.player == player for move in each.moves)
        return next(moves, None)

    async def _think(self, player: int, version: tuple[int, int]) -> None:
        s = self.session.state
        running = s.running
        if running is None:
            return
        now = self.clock.now()
        # Those who are asked together think together. Against time, every new position starts a new search.
        began = now if running.game.timed else self._awaited_since.get(player, now)
        view = running.game.view(running.table, player)
        kit = s.kit
        choice = await self.session.bots.choose(kit, running.bots[player] or kit.stand_in, view)
        if choice is None:
            return
        after_ms = choice.after_ms * kit.tempo_of(running.bot_names[player]) // 100
        pause = self._pause(running, after_ms, alone=no_person_left(running, kit.out(view)))
        self._plans[player] = Plan(version, began + pause, choice.move, choice.thought)

    def _pause(self, running: CurrentGame, after_ms: int, *, alone: bool) -> int:
        """How long a bot takes for a move. In games against time that is part of how well it plays."""
        if self.session.state.settings.pace == "fast" or (alone and running.skips_to_end):
            return 0
        if running.game.timed:
            return after_ms
        return HURRIED_THOUGHT_MS if alone else max(after_ms, SHORTEST_THOUGHT_MS)

    # ------------------------------------------------------------ What is due

    async def _carry_out(self, due: Due) -> None:
        """Does one thing that is due."""
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
            case "deal":
                await session.by_table(countdown.deal)
            case "too_long":
                await session.by_table(lambda _, at: e.Abandoned(at=at, reason="too_long"))

    async def _play_plan(self, player: int) -> None:
        """Makes the move that a bot planned; one that comes too soon is tried again in a moment."""
        plan = self._plans.pop(player)
        self._awaited_since.pop(player, None)
        if not await self.session.play_for(player, plan.move, "bot", plan.thought):
            self._plans.setdefault(player, replace(plan, at=self.clock.now() + RETRY_MS))

    async def _play_in_time(self, player: int) -> None:
        """A player's time is over: makes the move of the stand-in bot, else the first legal one."""
        thought = self._thinking.get(player)
        if thought is not None:
            await asyncio.gather(thought, return_exceptions=True)
        plan = self._plans.pop(player, None)
        running = self.session.state.running
        fits = running is not None and plan is not None and plan.version == running.version
        move = plan.move if fits and plan is not None else self._first_move(player)
        if move is not None:
            await self.session.play_for(player, move, "clock")

    # ------------------------------------------------------------ Finished games

    async def _row(self, current: CurrentGame) -> GameRow:
        """The row of a finished game, with each player's figures where the game has any (that takes a replay)."""
        session = self.session
        row = finished_game(session.id, session.state, current)
        if not has_figures(row, self.session.state.engines.kits):
            return row
        bodies = await session.store.entries(session.id, row.first_seq - 1, row.last_seq)
        figures = await asyncio.to_thread(
            figures_of, row, [body for _, body in bodies], self.session.state.engines.kits
        )
        if figures is None:
            return row
        players = [replace(each, figures=figures[each.player]) for each in row.players]
        return replace(row, players=players)

    async def skip_recorded(self) -> None:
        """Drops the finished games that the store has. They are recorded in order, so the last of them tells."""
        session, finished = self.session, self.session.state.finished
        for last in range(len(finished) - 1, -1, -1):
            current = finished[last]
            if await session.store.game(game_id(session.id, current.number, current.setup["seed"])) is not None:
                del finished[: last + 1]
                return

    async def record(self) -> None:
        """Records the running and the finished games in the store, so that they can be found; twice does no harm."""
        session, s = self.session, self.session.state
        while s.finished:
            await session.store.record_game(await self._row(s.finished[0]))
            await session.store.touch(session.id, self.clock.server.now(), playing=s.running is not None)
            del s.finished[0]
            session.table_changed()
        now = self.clock.now()
        new = s.running is not None and self._recorded_game != s.games
        if new or now - self._touched > TOUCH_EVERY_MS:
            await session.store.touch(session.id, self.clock.server.now(), playing=s.running is not None)
            self._recorded_game, self._touched = s.games, now
