"""The server is killed in the middle of games, again and again. Nothing that was acknowledged is lost."""

import asyncio
import os
import random
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.storage.postgres import EMPTY, run_sql
from tests.waiting import until
from tests.web.leaks import Told, log_of
from tests.web.server import Guest, Server, ServerOftenCut, cookie_of
from threefold.live import entries as e
from threefold.live.record import verify

Json = Any
CUTS = int(os.environ.get("THREEFOLD_CUTS", "20"))
"""More of them by hand: THREEFOLD_CUTS=200."""
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
        acks = [0]
        for _ in range(CUTS):
            playing = [asyncio.create_task(plays_on(each, dice)) for each in found]
            enough = sum(each.ack for each in found) + dice.randint(10, 60)
            await until(lambda enough=enough: sum(each.ack for each in found) >= enough, "for play")  # type: ignore[misc]
            server.kill()
            await asyncio.gather(*playing)
            acks.append(sum(each.ack for each in found))
            server.start()
            await asyncio.gather(*(each.resume() for each in found))
            await asyncio.gather(*(each.until(lambda each=each: each.ack >= each.n) for each in found))  # type: ignore[misc]
        for each in found:
            await each.close()
        assert acks == sorted(acks)
        await asyncio.to_thread(audit, server.data_dir, found)


def audit(data_dir: Path, found: list[Guest]) -> None:
    """No acknowledged message is lost or there twice, the log has no gap, and it gives the Views that were sent."""
    for code in {each.code for each in found}:
        entries = log_of(data_dir, code)
        happened = Told(entries)
        for guest in (each for each in found if each.code == code):
            refused = {each["n"] for each in guest.received if each["is"] == "refused"}
            moves = {n for n, message in guest.sent.items() if message["is"] == "move"}
            written = [each.n for each in entries if isinstance(each, e.Moved) and each.client == guest.client]
            assert len(written) == len(set(written)), "a message was done twice"
            lost = {n for n in moves if n <= guest.ack} - set(written) - refused
            assert not lost, f"acknowledged and lost: {lost}"
            for message in guest.received:
                if message["is"] == "view":
                    sent = msgspec.json.decode(msgspec.json.encode(message["view"]))
                    viewer = sent["viewer"]
                    assert sent == msgspec.json.decode(happened.views[message["seq"], viewer])


def children_of(process: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{process}/task")
    if tasks.exists():  # a bare Debian has no `ps`
        return [int(child) for each in tasks.glob("*/children") for child in each.read_text("ascii").split()]
    shown = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [line.split() for line in shown.splitlines()]
    return [int(child) for child, parent in pairs if int(parent) == process]


def alive(process: int) -> bool:
    if Path("/proc/self/stat").exists():
        with suppress(OSError):
            return Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
        return False
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return bool(shown.stdout.strip()) and not shown.stdout.startswith("Z")


def test_after_a_power_cut_no_worker_is_left_behind_and_bots_play_on(tmp_path: Path) -> None:
    plan = {"game": "karma", "edition": "mini_round", "seats": 2, "bots": ["careful"], "pace": "fast", "start": True}

    async def test(server: Server) -> None:
        with server.people("Ann") as (ann,):
            code = ann.post("/api/tables", json=plan).json()["code"]
            guest = await Guest(server, code, cookie=cookie_of(ann)).open()
            await guest.play("careful", moves=3)
            assert server.process is not None
            workers = children_of(server.process.pid)
            assert workers, "bots think in processes of their own"
            server.kill()
            await until(lambda: not any(alive(each) for each in workers), "for the workers to end")
            server.start()
            await guest.resume()
            await guest.play("careful", moves=3)
            await guest.close()

    with Server(tmp_path, THREEFOLD_RATES="0") as server:
        asyncio.run(test(server))


@pytest.mark.slow
def test_on_postgresql_tables_come_back_as_they_were(tmp_path: Path, postgresql: str) -> None:
    plan = {"game": "karma", "edition": "mini_round", "seats": 2, "options": {"turn_limit": 100}}

    async def test(server: Server) -> None:
        with server.people("Ann", "Bob") as people:
            code = people[0].post("/api/tables", json=plan).json()["code"]
            pair = [await Guest(server, code, cookie=cookie_of(each)).open() for each in people]
            await pair[1].ask("sit")
            await pair[0].ask("start")
            for cut in range(3):
                for each in pair:
                    await each.until(lambda each=each: each.view is not None)  # type: ignore[misc]
                playing = [asyncio.create_task(each.play("careful", moves=10)) for each in pair]
                enough = pair[0].seq + 3 * (cut + 1)
                await pair[0].until(lambda enough=enough: pair[0].seq >= enough or pair[0].over)  # type: ignore[misc]
                server.kill()
                await asyncio.gather(*playing)
                server.start()
                before = [(each.view["seq"], each.view["view"]) for each in pair]
                for each in pair:
                    each.view = None
                await asyncio.gather(*(each.resume() for each in pair))
                for each, (seq, view) in zip(pair, before, strict=True):
                    await each.until(lambda each=each: each.view is not None)  # type: ignore[misc]
                    assert each.view["seq"] >= seq
                    assert each.view["seq"] > seq or each.view["view"] == view
            await asyncio.gather(*(each.play("careful") for each in pair))
            await pair[0].until(lambda: pair[0].over and pair[0].table["playing"]["id"])
            record = people[0].get(f"/api/games/{pair[0].table['playing']['id']}").json()
            assert verify(record).problems == ()
            for each in pair:
                await each.close()

    asyncio.run(run_sql(postgresql, *EMPTY))
    with ServerOftenCut(tmp_path, THREEFOLD_RATES="0", THREEFOLD_DATABASE=postgresql) as server:
        asyncio.run(test(server))


@pytest.mark.slow
def test_twenty_power_cuts_under_load_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    with ServerOftenCut(tmp_path, THREEFOLD_RATES="0") as server:
        asyncio.run(evening_of_cuts(server))
