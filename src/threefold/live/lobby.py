"""Lobby: the tables of this process. Creates them, finds them by code, unloads idle ones, deletes old ones."""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Protocol

import msgspec
import structlog

from threefold.engines import PLAIN, Engines
from threefold.fields import one_of
from threefold.game import Json, Refusal
from threefold.kit import Kits
from threefold.live import acts
from threefold.live import entries as e
from threefold.live.announcing import Announcer, OpenTables
from threefold.live.bot_runner import BotRunner
from threefold.live.clock import Clock
from threefold.live.identity import clean_name, new_code, new_id, read_code
from threefold.live.notices import MatchFound
from threefold.live.race import WINDOW_MS
from threefold.live.record import bot_of, record_of, shown_name
from threefold.live.refusals import NotAllowed, not_found, refuse
from threefold.live.scheduler import Scheduler
from threefold.live.session import Peers, Session
from threefold.live.state import DELETED_NAME
from threefold.live.store import CodeTaken, GameRow, PersonRow, Store, StoreDown, TableRow

DAY = 86_400_000
UNLOAD_AFTER_MS = 600_000
SWEEP_EVERY_MS = 300_000
MOST_LOADED = 10_000
"""Tables with a running game that a start loads by itself."""
LOAD_AGAIN_MS = 500
"""Pause of that loading while the store does not answer."""
MATCH_SEATS = 2
"""Seats of a quick match."""

_log = structlog.get_logger("threefold.live")


class LobbyPeers(Peers, Protocol):
    """The other processes, as the lobby sees them."""

    def loaded(self, session: Session) -> None:
        """A table has come into memory."""

    def unloaded(self, session: Session) -> None:
        """A table has left memory."""

    def has_elsewhere(self, table: str) -> bool:
        """Does another process have this table in memory?"""


class Lobby:
    """The tables."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        bots: BotRunner,
        engines: Engines = PLAIN,
        *,
        expire_days: int = 30,
        keep_games_days: int = 365,
        fair_window_ms: int = WINDOW_MS,
        countdown_ms: int = 0,
    ) -> None:
        self.store = store
        self.clock = clock
        self.bots = bots
        self.engines = engines
        self.expire_days = expire_days
        self.keep_games_days = keep_games_days
        self.fair_window_ms = fair_window_ms
        self.countdown_ms = countdown_ms
        self.sessions: dict[str, Session] = {}
        self.by_id: dict[str, Session] = {}
        self.open_tables = OpenTables(store, clock)
        self.peers: LobbyPeers | None = None
        """The other processes that share the store; None: there are none."""
        self._schedulers: dict[str, Scheduler] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._to_load: deque[TableRow] = deque()
        """Tables with a running game that a start has not loaded yet."""
        self._tasks: list[asyncio.Task[None]] = []
        self._closing: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Begins to load the tables at which a game runs. One that somebody asks for meanwhile is loaded at once."""
        self._to_load.extend(await self.store.tables(playing=True, limit=MOST_LOADED))
        self._tasks = [asyncio.create_task(each) for each in (self._load_running(), self._sweep())]

    @property
    def loading(self) -> int:
        """How many running games this start has not loaded yet: their clocks and bots stand still."""
        return len(self._to_load)

    async def _load_running(self) -> None:
        """Loads one table after the other, so that people who ask for theirs wait for one other table at most."""
        while self._to_load:
            row = self._to_load[0]
            try:
                if self.peers is None or not self.peers.has_elsewhere(row.id):
                    await self.find(row.code)
            except StoreDown:
                await self.clock.wait(asyncio.Event(), self.clock.now() + LOAD_AGAIN_MS)
                continue
            except Exception as fault:  # noqa: BLE001 (one table must not keep the others from being loaded)
                _log.error("a running game could not be loaded", table=row.code, exc_info=fault)
            self._to_load.popleft()

    async def adopt(self, tables: Sequence[str]) -> None:
        """Takes over the tables of a process that is gone: the running games go on here."""
        for code in await self.store.running(tables):
            await self.find(code)

    async def close(self) -> None:
        """Unloads all tables."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*self._closing, return_exceptions=True)
        await asyncio.gather(*(each.stop() for each in self._schedulers.values()))
        self.sessions.clear()
        self.by_id.clear()
        self._schedulers.clear()

    # ------------------------------------------------------------ Tables

    async def make(
        self,
        person: PersonRow,
        game: str,
        setup: Mapping[str, Json],
        settings: e.Settings,
        *,
        bots: Sequence[str] = (),
        start: bool = False,
    ) -> Session:
        """Creates a table: its creator is host and takes a seat, bots take theirs, and the game may start at once."""
        acts.check_plan(game, setup, settings, self.engines.kits)
        for bot in bots:
            acts.one_of_bots(game, bot, self.engines.kits)
        if len(bots) > settings.seats:
            raise refuse("too_many_bots", field="bots", most=settings.seats)
        at = self.clock.now()
        while True:
            code = new_code()
            first = acts.opened(at, code, game, setup, settings, person.id, person.name)
            row = TableRow(new_id(), code, game, settings.listed, at, at)
            try:
                await self.store.add_table(row, e.encode(first))
            except CodeTaken:
                continue
            break
        await self.store.visit(person.id, row.id)
        session = await self.session(code)
        if len(bots) < settings.seats:
            await session.submit(0, lambda s, by, at: acts.sit(s, by, at, None))
        for bot in bots:
            await session.submit(0, lambda s, by, at, bot=bot: acts.bot_sits(s, by, at, None, bot))  # type: ignore[misc]
        if start:
            await session.submit(0, acts.start)
        return session

    async def session(self, text: str) -> Session:
        """The table with this code."""
        code = read_code(text)
        if code in self.sessions:
            self.sessions[code].idle_since = self.sessions[code].clock.now()
            return _open(self.sessions[code])
        async with self._loading.setdefault(code, asyncio.Lock()):
            if code in self.sessions:
                return _open(self.sessions[code])
            row = await self.store.table(code)
            if row is None or row.closed:
                self._loading.pop(code, None)
                raise not_found("no_such_table", field="code", given=code)
            session = await Session.load(
                row.id,
                self.store,
                self.clock,
                self.bots,
                self.engines,
                window=self.fair_window_ms,
                countdown_ms=self.countdown_ms,
                peers=self.peers,
            )
            scheduler = Scheduler(session, Announcer(session, self.seat_elsewhere))
            await scheduler.skip_recorded()
            await scheduler.record()
            _open(session)
            self.sessions[code], self.by_id[row.id], self._schedulers[code] = session, session, scheduler
            if self.peers is not None:
                self.peers.loaded(session)
            scheduler.start()
        self._loading.pop(code, None)
        return session

    async def find(self, code: str) -> Session | None:
        """The table with this code, if there is one, it is open and its log can be replayed."""
        try:
            return await self.session(code)
        except NotAllowed:
            return None

    # ------------------------------------------------------------ Quick matches

    async def match(self, person: PersonRow, game: str) -> tuple[Session, bool]:
        """A table of two for somebody who wants to play anybody. True: somebody was waiting, and both have a seat.

        Otherwise the person waits at a table, which is offered to others as long as they are connected to it.
        """
        kit = self.engines.kits[one_of(game, "game", self.engines.kits)]
        own = await self.store.offer_of(game, person.id, self.clock.now())
        if own is not None and (session := await self.find(own)) is not None:
            return session, False
        while (code := await self.store.claim_match(game, person.id, self.clock.now())) is not None:
            if (session := await self.seat_with_host(code, person.id, person.name)) is not None:
                await self.store.visit(person.id, session.id)
                return session, True
        settings = e.Settings(seats=MATCH_SEATS, quick_match=True)
        return await self.make(person, game, kit.quick_match, settings), False

    async def seat_with_host(self, code: str, person: str, name: str) -> Session | None:
        """Gives somebody a seat at a table whose host is there; None if that is not possible."""
        session = await self.find(code)
        if session is None or session.state.host not in session.presence.here:
            return None
        try:
            await session.by_table(lambda s, at: acts.join(s, at, person, name, session.presence.here))
            guest = session.state.guest_of(person)
            assert guest is not None
            await session.submit(guest, lambda s, by, at: acts.sit(s, by, at, None))
        except Refusal:  # somebody else sat down, or the host has removed this person before
            return None
        return session

    async def seat_elsewhere(self, session: Session, code: str) -> bool:
        """Moves the host of a table that waits for a match to another such table; False if they cannot sit there."""
        host = session.state.guests[session.state.host]
        other = await self.seat_with_host(code, host.person, host.name)
        if other is None:
            return False
        await self.store.visit(host.person, other.id)
        session.announce(MatchFound(code))
        closing = asyncio.create_task(self.close_table(session, session.state.host))  # this runs in its scheduler
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)
        return True

    async def close_table(self, session: Session, guest: int) -> None:
        """The host closes the table for good."""

        def closing(s: Any, by: int, at: int) -> e.Entry:
            acts.only_host(s, by)
            return e.Closed(at=at, by=by, reason="host")

        await session.submit(guest, closing)
        await self.store.touch(session.id, self.clock.now(), playing=False, closed=True)
        await self._unload(session)

    async def close_by_operator(self, code: str, words: str) -> None:
        """The operator closes a table for good; everybody there reads these words."""
        session = await self.session(code)
        await session.by_table(lambda _, at: e.Closed(at=at, reason="operator", words=words))
        await self.store.touch(session.id, self.clock.now(), playing=False, closed=True)
        await self._unload(session)

    async def _unload(self, session: Session) -> None:
        self.sessions.pop(session.state.code, None)
        self.by_id.pop(session.id, None)
        scheduler = self._schedulers.pop(session.state.code, None)
        if self.peers is not None:
            self.peers.unloaded(session)
        if scheduler is not None:
            await scheduler.stop()

    async def _sweep(self) -> None:
        """Now and then unloads idle tables, and deletes old ones from the store."""
        while True:
            try:
                await self.tidy()
            except StoreDown:
                _log.warning("the store does not answer; old tables are deleted later")
            await self.clock.wait(asyncio.Event(), self.clock.now() + SWEEP_EVERY_MS)

    async def tidy(self) -> int:
        """Unloads idle tables and deletes expired ones; returns how many were deleted."""
        now, known = self.clock.now(), dict(self.by_id)
        there = await self.store.still_open(list(known))
        for session in known.values():
            if self.by_id.get(session.id) is not session:
                continue  # unloaded in the meantime
            running = session.state.running
            bots_alone = running is not None and not running.people()
            idle_ms = session.clock.now() - session.idle_since
            idle = not session.audience.subscribers and not bots_alone and idle_ms >= UNLOAD_AFTER_MS
            if idle or session.id not in there or session.state.closed is not None:
                await self._unload(session)
            else:
                await self._schedulers[session.state.code].record()
        await self.store.forget_expired(now)
        deleted = await self.store.expire(now - self.expire_days * DAY, now - self.keep_games_days * DAY)
        if deleted:
            _log.info("old tables deleted", count=deleted)
        return deleted

    # ------------------------------------------------------------ People

    async def new_person(self, name: str) -> PersonRow:
        """Creates a person."""
        now = self.clock.now()
        row = PersonRow(new_id(), clean_name(name), now, now)
        await self.store.add_person(row)
        return row

    async def rename(self, person: PersonRow, name: str) -> PersonRow:
        """Renames a person, here and at the tables they are at."""
        name = clean_name(name)
        await self.store.rename_person(person.id, name, self.clock.now())
        if self.peers is not None:
            for row in await self.store.visited(person.id):
                if not row.closed and self.peers.has_elsewhere(row.id):
                    await self.find(row.code)
        for session in self._with(person.id):
            guest = session.state.guest_of(person.id)
            if guest is not None and session.state.closed is None and not session.state.guests[guest].removed:
                await session.submit(guest, lambda s, by, at: acts.rename(s, by, at, name))
        return PersonRow(person.id, name, person.made, self.clock.now())

    def _with(self, person: str) -> list[Session]:
        return [each for each in self.sessions.values() if each.state.guest_of(person) is not None]

    async def data_of(self, person: PersonRow) -> Json:
        """Everything that is stored about a person."""
        games = await self.store.games_of(person.id, limit=10_000)
        tables = []
        for row in await self.store.visited(person.id):
            bodies = [body for _, body in await self.store.entries(row.id)]
            found = [msgspec.json.decode(body) for body in bodies]
            guests = [each.get("person") for each in found if each["is"] in ("opened", "joined")]
            number = guests.index(person.id) if person.id in guests else None
            own = [each for each in found if number is not None and each.get("by") == number]
            tables.append({"code": row.code, "game": row.game, "opened": row.opened, "entries": _without_seeds(own)})
        return {
            "person": {"id": person.id, "name": person.name, "made": person.made, "seen": person.seen},
            "tables": tables,
            "games": [game_summary(row, person.id, self.engines.kits) for row in games],
            "puzzles": [asdict(row) for row in await self.store.puzzles_of(person.id)],
            "practice": [asdict(row) for row in await self.store.practice_of(person.id)],
        }

    async def forget(self, person: PersonRow) -> None:
        """Deletes a person: they leave their tables, and their name and id are removed from every log."""
        for row in await self.store.visited(person.id):
            session = None if row.closed else await self.find(row.code)
            if session is not None:
                guest = session.state.guest_of(person.id)
                if guest is not None and session.state.closed is None:
                    if not session.state.guests[guest].removed:
                        await session.leave(guest, stays=False)
                    await session.by_table(lambda _, at, guest=guest: e.Forgotten(at=at, guest=guest))  # type: ignore[misc]
            bodies = await self.store.entries(row.id)
            await self.store.rewrite(row.id, without_person(bodies, person.id))
        await self.store.forget_person(person.id)

    # ------------------------------------------------------------ Finished games

    async def finished(self, game: str) -> tuple[GameRow, list[str]]:
        """A finished game and its part of the log."""
        row = await self.store.game(game)
        if row is None:
            raise not_found("no_such_game", field="game", given=game[:40])
        entries = await self.store.entries(row.table, row.first_seq - 1, row.last_seq)
        return row, [body for _, body in entries]

    async def record(self, game: str) -> Json:
        """The file of a finished game."""
        return await asyncio.to_thread(record_of, *await self.finished(game), self.engines.kits)


def _open(session: Session) -> Session:
    """The session, unless its table is closed."""
    if session.state.closed is not None:
        raise not_found("no_such_table", field="code", given=session.state.code)
    return session


def game_summary(row: GameRow, person: str, kits: Kits) -> Json:
    """A game in the list of a person's games."""
    own = next((each for each in row.players if each.person == person), None)
    return {
        "id": row.id,
        "game": row.game,
        "what": row.what,
        "began": row.began,
        "ended": row.ended,
        "result": own.result if own is not None else "open",
        "score": own.score if own is not None else None,
        "players": [
            {
                "player": each.player,
                "name": shown_name(each, kits.get(row.game)),
                "bot": bot_of(each, kits.get(row.game)),
                "result": each.result,
            }
            for each in row.players
        ],
    }


def without_person(bodies: Sequence[tuple[int, str]], person: str) -> list[tuple[int, str]]:
    """The entries that name a person, with name and id replaced."""
    replacement = "gone-" + new_id()
    changed: list[tuple[int, str]] = []
    number, guests = None, 0
    for seq, body in bodies:
        entry = e.decode(body)
        if isinstance(entry, e.Opened | e.Joined):
            if entry.person == person:
                number = guests
                changed.append((seq, e.encode(msgspec.structs.replace(entry, person=replacement, name=DELETED_NAME))))
            elif isinstance(entry, e.Joined) and entry.made_by == person:
                changed.append((seq, e.encode(msgspec.structs.replace(entry, made_by=""))))
            guests += 1
        elif isinstance(entry, e.Renamed) and number is not None and entry.by == number:
            changed.append((seq, e.encode(msgspec.structs.replace(entry, name=DELETED_NAME))))
    return changed


def _without_seeds(found: list[Json]) -> list[Json]:
    """Without seeds, which belong to games that may still run."""
    return [
        {name: value for name, value in each.items() if name not in ("seed", "next_seed", "setup")} for each in found
    ]
