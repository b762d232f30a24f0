"""A room for tests: a real SQLite log, bots that think here, and a clock that is moved by hand."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests import waiting
from threefold.bots import Choice
from threefold.kit import Kit
from threefold.live import acts
from threefold.live import entries as e
from threefold.live.acts import Act
from threefold.live.audience import Subscriber
from threefold.live.bot_runner import choice_of
from threefold.live.lobby import Lobby
from threefold.live.session import Session
from threefold.storage import open_store

START = 1_000_000
Json = Any


class BotsHere:
    """Runs bots in this process."""

    async def choose(self, kit: Kit, bot: str, view: Mapping[str, Json]) -> Choice | None:
        return choice_of(kit.reference, bot, view)


class HandClock:
    """Time that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = START
        self.waiting: set[asyncio.Event] = set()

    def now(self) -> int:
        return self.time

    async def wait(self, event: asyncio.Event, until: int | None) -> None:
        moved = asyncio.Event()
        self.waiting.add(moved)
        try:
            while not event.is_set() and (until is None or self.time < until):
                moved.clear()
                tasks = [asyncio.create_task(each.wait()) for each in (event, moved)]
                try:
                    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for task in tasks:
                        task.cancel()
        finally:
            self.waiting.discard(moved)

    async def forward(self, ms: int) -> None:
        """Moves the clock, and lets everybody do what is due."""
        self.time += ms
        for each in list(self.waiting):
            each.set()
        await settled()


until = waiting.until


async def settled(rounds: int = 12) -> None:
    """Lets everything run that can."""
    for _ in range(rounds):
        await asyncio.sleep(0.004)


class Room:
    """A lobby with a hand clock."""

    def __init__(self, lobby: Lobby, clock: HandClock) -> None:
        self.lobby = lobby
        self.clock = clock

    async def table(
        self, *names: str, game: str = "karma", setup: Json = None, bots: tuple[str, ...] = (), **settings: Any
    ) -> tuple[Session, list[Subscriber]]:
        """A table at which these people sit, the first of them host, with their subscribers open."""
        people = [await self.lobby.new_person(name) for name in names]
        chosen = e.Settings(**{"seats": len(names) + len(bots), "pace": "fast", **settings})
        session = await self.lobby.make(people[0], game, setup or {}, chosen, bots=bots)
        subscribers = [await session.attach(each.id, each.name, f"page of {each.name}", None) for each in people]
        for subscriber in subscribers[1:]:
            await session.submit(subscriber.guest, lambda s, by, at: acts.sit(s, by, at, None))
        return session, subscribers

    async def playing(self, *names: str, **more: Any) -> tuple[Session, list[Subscriber]]:
        """The same, with a game begun."""
        session, subscribers = await self.table(*names, **more)
        await session.submit(0, acts.start)
        return session, subscribers


@asynccontextmanager
async def room(path: Path, **settings: Any) -> AsyncIterator[Room]:
    store, clock = await open_store(str(path / "room.sqlite")), HandClock()
    lobby = Lobby(store, clock, BotsHere(), **settings)
    await lobby.open()
    await until(lambda: not lobby.loading, "for the running games")
    try:
        yield Room(lobby, clock)
    finally:
        await lobby.close()
        await lobby.store.close()


def in_a_room(path: Path, test: Callable[[Room], Awaitable[None]], **settings: Any) -> None:
    async def run() -> None:
        async with room(path, **settings) as found:
            await test(found)

    asyncio.run(run())


def does(act: Callable[..., Any], *arguments: Any, **named: Any) -> Act:
    """The act with its arguments."""
    return lambda s, by, at: act(s, by, at, *arguments, **named)


async def move_of(session: Session, player: int) -> str:
    """A legal move of a player."""
    return next(each.moves[0] for each in session.decisions()[0] if each.player == player)


async def set_up(session: Session) -> None:
    """Everybody picks the first face-up cards there are."""
    for player in range(len(session.state.current.who)):  # type: ignore[union-attr]
        guest = session.state.current.who[player]  # type: ignore[union-attr]
        if guest is not None:
            move = await move_of(session, player)
            await session.submit(guest, does(acts.move, move))


def awaited(session: Session) -> list[int | None]:
    return [each.player for each in session.decisions()[0]]


async def until_turn_of(session: Session, player: int) -> None:
    """The others play until it is this player's turn."""
    while awaited(session) != [player]:
        other = awaited(session)[0]
        assert other is not None
        await session.submit(other, does(acts.move, await move_of(session, other)))
