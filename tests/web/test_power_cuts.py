"""The server is killed in the middle of games, again and again. Nothing that was acknowledged is lost."""

import asyncio
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.web.leaks import Told, log_of
from tests.web.server import Guest, Server, cookie_of
from threefold.live import entries as e

Json = Any
CUTS = 20
TABLES = 4


async def plays_on(guest: Guest, dice: random.Random) -> None:
    """Plays game after game until the line breaks, now and then what is not allowed."""
    while not guest.closed:
        number = guest.table["playing"]["number"]
        if guest.table["playing"]["over"]:
            await guest.ask("ready")
            await guest.until(lambda number=number: guest.table["playing"]["number"] > number or guest.closed)  # type: ignore[misc]
            continue
        if dice.random() < 0.05:
            await guest.ask("move", move="play 99")
        await guest.play("random", moves=5, number=number)


async def evening_of_cuts(server: Server) -> None:
    dice = random.Random(20)  # noqa: S311 (when the cuts come)
    with server.people(*(f"P{i}" for i in range(2 * TABLES))) as people:
        found: list[Guest] = []
        for i in range(TABLES):
            made = people[2 * i].post("/api/tables", json={"game": "karma", "edition": "mini_round", "seats": 2})
            pair = [Guest(server, made.json()["code"], cookie=cookie_of(each)) for each in people[2 * i : 2 * i + 2]]
            for each in pair:
                await each.open()
            await pair[1].ask("sit")
            await pair[0].ask("start")
            for each in pair:
                await each.until(lambda each=each: each.view is not None)  # type: ignore[misc]
            found += pair
        acks: list[int] = []
        for _ in range(CUTS):
            playing = [asyncio.create_task(plays_on(each, dice)) for each in found]
            await asyncio.sleep(dice.uniform(0.15, 0.45))
            server.kill()
            await asyncio.gather(*playing)
            acks.append(sum(each.ack for each in found))
            server.start()
            await asyncio.gather(*(each.resume() for each in found))
            await asyncio.gather(*(each.until(lambda each=each: each.ack >= each.n) for each in found))  # type: ignore[misc]
        for each in found:
            await each.close()
        assert acks == sorted(acks)
        assert acks[-1] > acks[0] + CUTS, "there was play between the cuts"
        await asyncio.to_thread(audit, server.data_dir, found)


def audit(data_dir: Path, found: list[Guest]) -> None:
    """No acknowledged message is lost or there twice, the log has no gap, and it gives the Views that were sent."""
    for code in {each.code for each in found}:
        entries = log_of(data_dir, code)
        told = Told(entries)
        for guest in (each for each in found if each.code == code):
            refused = {each["n"] for each in guest.told if each["is"] == "refused"}
            moves = {n for n, message in guest.sent.items() if message["is"] == "move"}
            written = [each.n for each in entries if isinstance(each, e.Moved) and each.client == guest.client]
            assert len(written) == len(set(written)), "a message was done twice"
            lost = {n for n in moves if n <= guest.ack} - set(written) - refused
            assert not lost, f"acknowledged and lost: {lost}"
            for message in guest.told:
                if message["is"] == "view":
                    sent = msgspec.json.decode(msgspec.json.encode(message["view"]))
                    viewer = sent["viewer"]
                    assert sent == msgspec.json.decode(told.views[message["seq"], viewer])


@pytest.mark.slow
def test_twenty_power_cuts_under_load_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    with Server(tmp_path, THREEFOLD_RATES="0") as server:
        asyncio.run(evening_of_cuts(server))
