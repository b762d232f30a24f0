"""Two server processes on one PostgreSQL, real ones: people sit at the same table through either, and either may go."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.soak.cluster import Cluster, Node, cluster
from tests.storage.postgres import EMPTY, PostgreSQL, run_sql
from tests.waiting import PATIENCE_S, until
from tests.web.server import COMMAND, Guest, Server, cookie_of, fetched
from threefold.live import entries as e
from threefold.live.record import verify
from threefold.storage import open_store

Json = Any
PLAN = {"game": "karma", "edition": "mini_round", "seats": 4, "options": {"turn_limit": 60}, "grace_s": 0}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two processes and their database, which can be killed and started again."""
    with cluster(tmp_path_factory.mktemp("site"), 2) as found:
        yield found


async def asked(server: Server, path: str) -> httpx.Response:
    return await asyncio.to_thread(fetched, server.url + path)


async def know_each_other(*servers: Server) -> None:
    """Returns when each process counts all of them, and no more: one that was killed is counted a while longer."""

    async def counts_all(server: Server) -> bool:
        return f"threefold_processes {len(servers)}.0" in (await asked(server, "/metrics")).text

    for each in servers:
        await until(partial(counts_all, each), f"for {len(servers)} processes")


async def seated(servers: list[Server], people: list[httpx.Client], plan: Json) -> list[Guest]:
    """People at one table, each through their own server, with a game begun."""
    code = people[0].post("/api/tables", json=plan).json()["code"]
    found = [
        await Guest(server, code, cookie=cookie_of(each)).open() for server, each in zip(servers, people, strict=True)
    ]
    for each in found[1:]:
        await each.ask("sit")
    await found[0].ask("start")
    return found


async def log_of(address: str, code: str) -> list[e.Entry]:
    store = await open_store(address)
    try:
        row = await store.table(code)
        assert row is not None
        rows = await store.entries(row.id)
    finally:
        await store.close()
    assert [seq for seq, _ in rows] == list(range(1, len(rows) + 1)), "no gap and no duplicate"
    return [e.decode(body) for _, body in rows]


async def audit(address: str, found: list[Guest]) -> None:
    """Everything acknowledged is in the log, once."""
    entries = await log_of(address, found[0].code)
    for guest in found:
        refused = {each["n"] for each in guest.received if each["is"] == "refused"}
        moves = {n for n, message in guest.sent.items() if message["is"] == "move" and n <= guest.ack}
        written = [each.n for each in entries if isinstance(each, e.Moved) and each.client == guest.client]
        assert len(written) == len(set(written)), "a message was done twice"
        assert moves - refused <= set(written), "acknowledged and lost"


async def played_to_the_end(client: httpx.Client, found: list[Guest], address: str) -> None:
    for each in found:
        await each.until(lambda each=each: each.ended(1))  # type: ignore[misc]
    await found[0].until(lambda: found[0].table["playing"]["id"] is not None)
    record = (await asyncio.to_thread(client.get, f"/api/games/{found[0].table['playing']['id']}")).json()
    assert verify(record).problems == ()
    await audit(address, found)
    for each in found:
        await each.close()


def test_four_people_at_two_processes_play_a_game_to_its_end(site: Cluster) -> None:
    async def test(one: Server, two: Server, address: str) -> None:
        with one.people("Ann", "Ben", "Cleo", "Dan") as people:
            found = await seated([one, one, two, two], people, PLAN)
            ann, _, cleo, _ = found
            await cleo.until(lambda: all(each["here"] for each in cleo.table["guests"]))
            await cleo.ask("phrase", phrase="good_luck")
            await ann.until(lambda: ann.last("said") is not None)
            await asyncio.gather(*(each.play("careful") for each in found))
            await played_to_the_end(people[0], found, address)
        await know_each_other(one, two)

    assert site.database is not None
    asyncio.run(test(site.nodes[0], site.nodes[1], site.database.address))


@pytest.mark.parametrize("how", ["handed over", "killed"])
def test_when_a_process_goes_in_the_middle_its_people_play_on_at_the_other(site: Cluster, how: str) -> None:
    async def test(one: Node, two: Node, address: str) -> None:
        with two.people("Ann", "Ben", "Cleo", "Dan") as people:
            found = await seated([one, one, two, two], people, PLAN)
            playing = [asyncio.create_task(each.play("careful")) for each in found]
            await found[3].until(lambda: found[3].seq > 25)
            await asyncio.to_thread(one.hand_over if how == "handed over" else one.kill)
            await asyncio.gather(*playing[:2])
            if how == "handed over":
                assert [each.received[-1] for each in found[:2]] == [
                    {"is": "bye", "reason": "restart", "words": ""}
                ] * 2
            for each in found[:2]:
                each.server = two
                await each.resume()
            playing[:2] = [asyncio.create_task(each.play("careful")) for each in found[:2]]
            await asyncio.gather(*playing)
            await played_to_the_end(people[0], found, address)
            assert (await asked(two, "/api/ready")).status_code == 200
        await asyncio.to_thread(one.start)

    assert site.database is not None
    asyncio.run(test(site.nodes[0], site.nodes[1], site.database.address))


async def is_ready(server: Server) -> bool:
    return (await asked(server, "/api/ready")).status_code == 200


def test_while_postgresql_is_gone_nothing_is_acknowledged_and_then_all_goes_on(site: Cluster) -> None:
    async def restless(guest: Guest) -> None:
        """Plays on whatever happens: comes back when the line breaks, and sends again what was not acknowledged."""
        while not guest.ended(1):
            if guest.closed:
                await asyncio.sleep(0.1)
                try:
                    await guest.resume()
                except (OSError, TypeError, TimeoutError):  # no welcome: not yet
                    continue
            await guest.play("careful", moves=2)

    async def test(one: Server, two: Server, database: PostgreSQL) -> None:
        with one.people("Ann", "Ben", "Cleo", "Dan") as people:
            found = await seated([one, one, two, two], people, PLAN | {"options": {"turn_limit": 120}})
            playing = [asyncio.create_task(restless(each)) for each in found]
            await found[0].until(lambda: found[0].seq > 15)
            await asyncio.to_thread(database.stop, crash=False)
            gone = await asked(one, "/api/ready")
            assert gone.status_code == 503
            assert gone.json()["text"]["key"] == "live.refusal.store_down"
            refused = await asyncio.to_thread(people[1].get, "/api/me")
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
            assert not await is_ready(two)
            before = [each.ack for each in found]
            for server in (one, two, one, two):
                assert not await is_ready(server)
            assert [each.ack for each in found] == before
            await asyncio.to_thread(database.start)
            await asyncio.gather(*playing)
            for each in found:
                await each.until(lambda each=each: each.ended(1))  # type: ignore[misc]
            for server in (one, two):
                await until(partial(is_ready, server), "for a process that is ready again")
            await audit(database.address, found)
            for each in found:
                await each.close()

    assert site.database is not None
    asyncio.run(test(site.nodes[0], site.nodes[1], site.database))


@pytest.mark.slow
def test_several_workers_serve_one_port(tmp_path: Path, postgresql: str) -> None:
    asyncio.run(run_sql(postgresql, *EMPTY))
    environment = {"THREEFOLD_RATES": "0", "THREEFOLD_DATABASE": postgresql, "THREEFOLD_WORKERS": "2"}

    async def test(server: Server) -> None:
        with server.people("Ann", "Ben", "Cleo", "Dan") as people:
            found = await seated([server] * 4, people, PLAN)
            await asyncio.gather(*(each.play("careful") for each in found))
            await played_to_the_end(people[0], found, postgresql)
        await know_each_other(server, server)

    with Server(tmp_path, **environment) as server:
        asyncio.run(test(server))
        assert server.process is not None
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=PATIENCE_S) == 0
        server._gone()


def refused_start(*arguments: str, **environment: str) -> str:
    command = [*COMMAND, "serve", "--port", "0", *arguments]
    outcome = subprocess.run(
        command, capture_output=True, text=True, timeout=2 * PATIENCE_S, check=False, env={**os.environ, **environment}
    )
    assert outcome.returncode != 0
    return outcome.stdout + outcome.stderr


def test_a_server_that_is_asked_to_go_tells_everybody_and_ends_well(tmp_path: Path) -> None:
    async def test(server: Server) -> None:
        with server.people("Ann") as (ann,):
            code = ann.post("/api/tables", json=PLAN).json()["code"]
            guest = await Guest(server, code, cookie=cookie_of(ann)).open()
            assert server.process is not None
            server.process.send_signal(signal.SIGTERM)
            await guest.until(lambda: guest.closed)
            assert guest.received[-1]["reason"] == "restart"
            await guest.close()

    with Server(tmp_path) as server:
        asyncio.run(test(server))
        assert server.process is not None
        assert server.process.wait(timeout=PATIENCE_S) == 0
        server._gone()


def test_several_workers_on_sqlite_are_refused_in_words(tmp_path: Path) -> None:
    assert "need PostgreSQL" in refused_start("--workers", "2", "--data-dir", str(tmp_path))


def test_a_process_with_another_key_does_not_start_on_the_same_database(tmp_path: Path, postgresql: str) -> None:
    asyncio.run(run_sql(postgresql, *EMPTY))
    with Server(tmp_path, THREEFOLD_DATABASE=postgresql):
        outcome = refused_start("--data-dir", str(tmp_path / "elsewhere"), THREEFOLD_DATABASE=postgresql)
    assert "THREEFOLD_SECRETS_FILE" in outcome
    assert "another signing key" in outcome
    assert "short" not in refused_start("--data-dir", str(tmp_path), THREEFOLD_SECRET="short")
