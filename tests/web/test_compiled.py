"""A server gets the compiled Karma ready while it is already playing."""

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.waiting import wait_until
from tests.web.server import Guest, Server, fetched, guests
from tests.web.test_whole_games import all_games

Json = Any


def is_compiled(server: Server) -> bool:
    return "threefold_compiled 1.0" in fetched(f"{server.url}/metrics").text


def until_compiled(server: Server) -> None:
    def is_done() -> bool:
        hurry(server)
        return is_compiled(server)

    wait_until(is_done, "for the compiler", seconds=600)


def hurry(server: Server) -> None:
    """Beside other tests, a compiler of low priority would hardly ever get a turn; where that is allowed, it does."""
    assert server.process is not None
    for children in Path(f"/proc/{server.process.pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in children.read_text().split():
                os.setpriority(os.PRIO_PROCESS, int(child), 0)


async def begun(server: Server, people: list[httpx.Client]) -> str:
    """A table at which a game has begun."""
    plan = {"game": "karma", "edition": "classic", "seats": 2, "options": {"turn_limit": 100}}
    code: str = people[0].post("/api/tables", json=plan).json()["code"]
    async with guests(server, code, people) as found:
        await found[1].ask("sit")
        await found[0].ask("start")
        for each in found:
            await each.until(lambda each=each: each.view)  # type: ignore[misc]
            await each.ask("move", move=each.view["view"]["moves"][0])
    return code


async def ended(server: Server, code: str, people: list[httpx.Client]) -> None:
    """The game at this table goes on to its end."""

    async def play(each: Guest) -> None:
        await each.play("careful")
        await each.until(lambda: each.over)

    async with guests(server, code, people) as found:
        await asyncio.gather(*map(play, found))


@pytest.mark.slow
def test_a_new_server_answers_at_once_and_is_compiled_when_its_compiler_is_done(tmp_path: Path) -> None:
    environment = {"THREEFOLD_COMPILED": "1", "THREEFOLD_CACHE": str(tmp_path / "cache"), "THREEFOLD_RATES": "0"}
    with Server(tmp_path / "data", **environment) as server, server.people("Ada", "Ben") as people:
        assert not is_compiled(server)
        plain = asyncio.run(begun(server, people))
        until_compiled(server)
        asyncio.run(ended(server, plain, people))  # plain to its end
        quick, again = asyncio.run(begun(server, people)), asyncio.run(begun(server, people))
        asyncio.run(ended(server, quick, people))
        server.stop()
        server.start()
        until_compiled(server)
        asyncio.run(ended(server, again, people))  # from the log


@pytest.mark.slow
def test_whole_games_at_a_compiled_server_are_kept_and_verified(tmp_path: Path) -> None:
    seats = (("classic", 4), ("second_edition", 6), ("mini_round", 2), ("classic_alternative_triples", 3))
    plans: list[Json] = [
        {"game": "karma", "edition": edition, "seats": players, "options": {"turn_limit": 400}}
        for edition, players in seats
    ]
    with Server(tmp_path, THREEFOLD_COMPILED="1", THREEFOLD_RATES="0") as server:
        until_compiled(server)
        asyncio.run(all_games(server, plans))
