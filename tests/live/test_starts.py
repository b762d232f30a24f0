"""A server starts at once: the running games are loaded in the background, and those that people ask for first."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.live.room import BotsHere, HandClock, Room, does, in_a_room, move_of, room, until
from threefold.live import acts, lobby
from threefold.live.lobby import Lobby
from threefold.live.session import Session
from threefold.live.store import StoreDown
from threefold.storage import open_store


async def three_games(path: Path) -> list[str]:
    """The codes of three tables whose games run, in the order in which a start loads them."""
    async with room(path) as opened:
        codes = []
        for host, guest in (("Ann", "Bob"), ("Cid", "Dee"), ("Eve", "Fay")):
            session, _ = await opened.playing(host, guest)
            codes.append(session.state.code)
            await opened.clock.forward(1000)
        return [row.code for row in await opened.lobby.store.tables(playing=True)]


class Loading:
    """Lets a test decide when each table is loaded."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[str] = []
        self.may_go_on = asyncio.Event()
        load = Session.load

        async def loaded(table: str, *arguments: Any, **named: Any) -> Session:
            self.asked.append(table)
            if len(self.asked) == 1:
                await self.may_go_on.wait()
            return await load(table, *arguments, **named)

        monkeypatch.setattr(Session, "load", loaded)


def test_a_start_does_not_wait_for_the_running_games_and_people_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        codes = await three_games(tmp_path)
        store = await open_store(str(tmp_path / "room.sqlite"))
        tables = Lobby(store, HandClock(), BotsHere())
        loading = Loading(monkeypatch)
        await tables.open()
        await until(lambda: loading.asked, "for the first table to be loaded")
        assert (tables.loading, tables.sessions) == (3, {})
        wanted = await tables.session(codes[-1])
        assert wanted.state.running is not None
        await wanted.submit(0, does(acts.move, await move_of(wanted, 0)))
        assert list(tables.sessions) == [codes[-1]], "the last table is there, and the first one still is not"
        loading.may_go_on.set()
        await until(lambda: not tables.loading, "for the other tables")
        assert set(tables.sessions) == set(codes)
        assert len(loading.asked) == 3, "none is loaded twice"
        await tables.close()
        await store.close()

    asyncio.run(run())


def test_a_lobby_can_be_closed_while_it_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        await three_games(tmp_path)
        store = await open_store(str(tmp_path / "room.sqlite"))
        tables = Lobby(store, HandClock(), BotsHere())
        loading = Loading(monkeypatch)
        await tables.open()
        await until(lambda: loading.asked, "for the first table to be loaded")
        await tables.close()
        assert len(loading.asked) == 1
        await store.close()

    asyncio.run(run())


def test_loading_goes_on_after_the_store_was_down_and_after_a_table_that_cannot_be_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(three_games(tmp_path))
    problems: list[Exception] = [StoreDown("it does not answer"), ValueError("broken")]
    load = Session.load

    async def loaded(*arguments: Any, **named: Any) -> Session:
        if problems:
            raise problems.pop(0)
        return await load(*arguments, **named)

    monkeypatch.setattr(Session, "load", loaded)
    monkeypatch.setattr(lobby, "LOAD_AGAIN_MS", 0)

    async def test(opened: Room) -> None:
        assert len(opened.lobby.sessions) == 2

    with capture_logs() as logs:
        in_a_room(tmp_path, test)
    assert [each["event"] for each in logs if each["log_level"] == "error"] == ["a running game could not be loaded"]
