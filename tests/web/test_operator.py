"""The operator's interface: token, tables, people, bans that hold at once, metrics, and logs without secrets."""

import asyncio
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import httpx
import pytest

from tests.storage.postgres import EMPTY, run_sql
from tests.waiting import PATIENCE_S, until
from tests.web.server import COMMAND, Guest, Server, cookie_of, fetched
from threefold.live import entries as e
from threefold.live.measures import Histogram, Measures
from threefold.storage import open_store

Json = Any


def token_of(server: Server) -> str:
    return str(json.loads((server.data_dir / "secrets.json").read_text("utf-8"))["operator_token"])


@pytest.fixture
def operator(server: Server) -> Iterator[httpx.Client]:
    headers = {"authorization": f"Bearer {token_of(server)}"}
    with httpx.Client(base_url=f"{server.url}/api/operator", headers=headers, timeout=PATIENCE_S) as client:
        yield client


soon = asyncio.to_thread
ROUTES = [
    ("GET", "load"), ("GET", "tables"), ("POST", "tables/BBBBBB/close"), ("GET", "people"), ("GET", "bans"),
    ("POST", "bans"), ("DELETE", "bans/x"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), ROUTES)
@pytest.mark.parametrize("authorization", ["", "Bearer", "Bearer guess", "Basic guess"])
def test_without_the_token_nothing_is_told_or_done(server: Server, method: str, path: str, authorization: str) -> None:
    answer = httpx.request(
        method, f"{server.url}/api/operator/{path}", headers={"authorization": authorization}, json={}
    )
    assert answer.status_code == 403
    assert answer.json()["text"]["key"] == "live.refusal.not_operator"


def test_the_command_shows_the_token(server: Server) -> None:
    printed = subprocess.run(
        [*COMMAND, "operator-token", "--data-dir", str(server.data_dir)], capture_output=True, text=True, check=True
    )
    assert printed.stdout.strip() == token_of(server)


def test_tables_and_people_are_found_sorted_and_paged(server: Server, operator: httpx.Client) -> None:
    with server.people("Quentina Xu", "Xuan") as people:
        code = people[0].post("/api/tables", json={"game": "set", "variant": "full"}).json()["code"]
        page = operator.get("/tables", params={"search": code.lower()}).json()
        assert (page["total"], [each["code"] for each in page["tables"]]) == (1, [code])
        assert page["tables"][0]["guests"] == 1
        assert operator.get("/tables", params={"search": f"{code} karma"}).json()["total"] == 0
        assert operator.get("/tables", params={"search": "%"}).json()["total"] == 0
        listed = operator.get("/tables", params={"order": "code", "search": "set"}).json()["tables"]
        assert [each["code"] for each in listed] == sorted(each["code"] for each in listed)
        named = operator.get("/people", params={"search": "xu", "order": "name"}).json()["people"]
        assert [each["name"] for each in named] == ["Quentina Xu", "Xuan"]
        assert operator.get("/people", params={"search": "quentina"}).json()["people"][0]["tables"] == 1
        assert operator.get("/people", params={"page": 9999}).json()["people"] == []
        assert operator.get("/tables", params={"order": "seed"}).status_code == 400
        load = operator.get("/load").json()
        assert load["tables"] >= 1
        assert load["database"] == "sqlite"
        assert load["processes"] == []


def test_a_closed_table_says_why_and_is_gone(server: Server, operator: httpx.Client) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            code = ann.post("/api/tables", json={"game": "karma"}).json()["code"]
            guest = await Guest(server, code, cookie=cookie_of(ann)).open()
            await asyncio.to_thread(operator.post, f"/tables/{code}/close", json={"words": "  Time  for\tbed. "})
            await guest.until(lambda: guest.closed)
            assert guest.received[-1] == {"is": "bye", "reason": "operator", "words": "Time for bed."}
            assert (await asyncio.to_thread(ann.get, f"/api/tables/{code}")).status_code == 404
            again = await asyncio.to_thread(operator.post, f"/tables/{code}/close", json={})
            assert again.status_code == 404
            too_long = await asyncio.to_thread(operator.post, f"/tables/{code}/close", json={"words": "x" * 201})
            assert too_long.json()["field"] == "words"
            await guest.close()

    asyncio.run(test())


def test_a_banned_person_is_cut_off_kept_out_and_let_in_again(server: Server, operator: httpx.Client) -> None:
    async def test() -> None:
        with server.people("Bannister") as (ben,):
            code = ben.post("/api/tables", json={"game": "karma"}).json()["code"]
            guest = await Guest(server, code, cookie=cookie_of(ben)).open()
            person = (await soon(operator.get, "/people", params={"search": "bannister"})).json()["people"][0]["person"]
            made = (
                await asyncio.to_thread(
                    operator.post, "/bans", json={"person": person, "hours": 2, "words": "Be kind."}
                )
            ).json()
            assert made["name"] == "Bannister"
            await guest.until(lambda: guest.closed)
            assert guest.received[-1] == {"is": "bye", "reason": "banned", "words": "Be kind."}
            out = ben.get("/api/me")
            assert (out.status_code, out.json()["text"]["parameters"]["hours"]) == (403, 2)
            await guest.reload()
            assert guest.received[-1]["text"]["key"] == "live.refusal.banned_for"
            assert (await soon(operator.get, "/people", params={"search": "bannister"})).json()["people"][0]["banned"]
            with Server(server.data_dir, THREEFOLD_RATES="0") as later:
                assert (await soon(fetched, later.url + "/api/me", cookies=ben.cookies)).status_code == 403
            assert (await soon(operator.delete, f"/bans/{made['id']}")).status_code == 204
            assert (await soon(operator.delete, f"/bans/{made['id']}")).status_code == 404
            await until(lambda: ben.get("/api/me").status_code == 200, "for the ban to be lifted")
            await guest.reload()
            assert guest.welcome is not None
            await guest.close()

    asyncio.run(test())


@pytest.mark.parametrize(
    ("ban", "field"),
    [
        ({}, "person"),
        ({"person": "x", "address": "192.0.2.1"}, "person"),
        ({"person": "nobody"}, "person"),
        ({"address": "somewhere"}, "address"),
        ({"address": "192.0.2.1", "hours": 0}, "hours"),
        ({"address": "192.0.2.1", "words": "x" * 201}, "words"),
    ],
)
def test_a_ban_that_makes_no_sense_is_refused(operator: httpx.Client, ban: Json, field: str) -> None:
    answer = operator.post("/bans", json=ban)
    assert answer.status_code in (400, 404)
    assert answer.json()["field"] == field


def test_an_address_is_banned_as_the_proxy_tells_it_and_guesses_are_counted(tmp_path: Path) -> None:
    """Behind a proxy on this machine: its header says from where somebody comes; a header of others says nothing."""
    command = [*COMMAND, "serve", "--port", "0", "--data-dir", str(tmp_path), "--proxy"]

    class Proxied(Server):
        def start(self) -> Self:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert self.process.stdout is not None
            self._answers(self.process.stdout.readline())
            return self

    with Proxied(tmp_path) as server:

        def ask(path: str, address: str, **more: str) -> httpx.Response:
            return fetched(server.url + path, headers={"x-forwarded-for": address, **more})

        key = {"authorization": f"Bearer {token_of(server)}"}
        made = httpx.post(server.url + "/api/operator/bans", headers=key, json={"address": "192.0.2.7"})
        assert made.status_code == 201
        assert ask("/api/games", "192.0.2.7").status_code == 403
        assert ask("/api/games", "192.0.2.7").json()["text"]["key"] == "live.refusal.banned"
        assert ask("/api/games", "192.0.2.8").status_code == 200
        assert ask("/api/games", "192.0.2.7, 192.0.2.8").status_code == 200, "what a browser claims counts for nothing"
        assert ask("/metrics", "192.0.2.8").status_code == 403
        assert fetched(server.url + "/metrics").status_code == 403, "behind a proxy the token is always needed"
        assert ask("/metrics", "192.0.2.8", **key).status_code == 200
        statuses = [ask("/api/operator/load", "192.0.2.9", authorization="Bearer guess").status_code for _ in range(12)]
        assert statuses == [403] * 10 + [429] * 2
        assert ask("/api/operator/load", "192.0.2.9", **key).status_code == 429, "then no token is compared at all"
        assert ask("/api/operator/load", "192.0.2.10", **key).status_code == 200


def test_metrics_count_what_happens(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            plan = {"game": "karma", "edition": "mini_round", "seats": 2, "bots": ["careful"], "start": True}
            code = ann.post("/api/tables", json={**plan, "pace": "fast"}).json()["code"]
            guest = await Guest(server, code, cookie=cookie_of(ann)).open()
            await guest.play("careful", moves=2)
            await guest.refused("move", move="play 99")
            await guest.close()

    asyncio.run(test())
    text = fetched(server.url + "/metrics").text
    for name in (
        'threefold_moves_total{game="karma",result="accepted"}',
        'threefold_moves_total{game="karma",result="refused"}',
        "threefold_refusals_total{",
        'threefold_ack_seconds_bucket{le="0.025"}',
        "threefold_commit_entries_count",
        "threefold_bot_seconds_count",
        "threefold_loop_lag_seconds_count",
        "threefold_build_info{",
    ):
        assert name in text
    assert fetched(server.url + "/metrics", headers={"x-forwarded-for": "192.0.2.1"}).status_code == 403


def test_measures_know_the_slowest_and_the_quantiles() -> None:
    measures = Measures()
    for i in range(200):
        measures.handled("karma", f"T{i}", "Move", i / 1000, None if i % 2 else "karma.refusal.x")
    assert [each.table for each in measures.slowest()[:2]] == ["T199", "T198"]
    assert len(measures.slowest()) == 50
    assert measures.moves == {("karma", "accepted"): 100, ("karma", "refused"): 100}
    histogram = Histogram((1, 2))
    for value in (0.5, 1, 1.5, 9):
        histogram.observe(value)
    assert (histogram.counts, histogram.quantile(0.5), histogram.quantile(0.99)) == ([2, 1, 1], 1.5, 9)
    assert Histogram().quantile(0.5) is None


class Noted(Server):
    """A server that logs to a file."""

    def start(self) -> Self:
        command = [*COMMAND, "serve", "--port", "0", "--data-dir", str(self.data_dir)]
        with (self.data_dir / "log").open("wb") as log:
            environment = {**os.environ, **self.environment}
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        assert self.process.stdout is not None
        self._answers(self.process.stdout.readline())
        return self


async def evening(server: Server, code: str, people: list[httpx.Client]) -> list[str]:
    """A game with chat, a program, a transfer, mistakes; gives every secret that went over the wire."""
    pair = [await Guest(server, code, cookie=cookie_of(each)).open() for each in people]
    await pair[1].ask("sit")
    await pair[0].ask("start")
    await pair[0].ask("chat", text="swordfish at midnight")
    await pair[0].refused("move", move="play zebra")
    await pair[0].send("{ no json")
    await asyncio.gather(*(each.play("careful") for each in pair))
    program = people[0].post(f"/api/tables/{code}/tokens", json={"name": "Automaton"}).json()["token"]
    player = await Guest(server, code, token=program).open()
    transfer = people[0].post("/api/me/transfer").json()["token"]
    assert people[1].get(f"/transfer/{transfer}").status_code in (200, 404)
    people[1].post("/api/me/redeem", json={"token": transfer + "x"})
    people[0].get("/api/operator/load", headers={"authorization": "Bearer guessed-by-somebody"})
    people[0].get("/api/games/nothing")
    for each in (*pair, player):
        await each.close()
    cookies = [value for each in people for value in each.cookies.values()]
    tokens = [each.welcome["token"] for each in (*pair, player)]
    return [
        *cookies,
        *tokens,
        program,
        transfer,
        "guessed-by-somebody",
        "swordfish",
        "Xaverine",
        "Yolandine",
        "Automaton",
    ]


async def seeds_of(address: str, code: str) -> list[str]:
    store = await open_store(address)
    row = await store.table(code)
    assert row is not None
    seeds: list[str] = []
    for _, body in await store.entries(row.id):
        entry = e.decode(body)
        if isinstance(entry, e.Opened):
            seeds.append(entry.seed)
        elif isinstance(entry, e.Started):
            seeds += [entry.next_seed, str(entry.setup["seed"])]
    await store.close()
    return seeds


def test_an_evening_leaves_no_secret_in_the_log(tmp_path: Path, postgresql: str) -> None:
    asyncio.run(run_sql(postgresql, *EMPTY))
    address = postgresql.replace("threefold@", "threefold:hunter2%21hunter@")
    plan = {"game": "karma", "edition": "mini_round", "seats": 2, "options": {"turn_limit": 30}, "chat": True}
    settings = {"THREEFOLD_LOG": "json", "THREEFOLD_LOG_LEVEL": "debug", "THREEFOLD_DATABASE": address}
    with Noted(tmp_path, **settings) as server:
        with server.people("Xaverine", "Yolandine") as people:
            code = people[0].post("/api/tables", json=plan).json()["code"]
            secrets = asyncio.run(evening(server, code, people))
            named = people[0].get("/api/me", headers={"x-request-id": "given-by-the-proxy"})
            assert named.headers["x-request-id"] == "given-by-the-proxy"
        keys = json.loads((tmp_path / "secrets.json").read_text("utf-8"))
        secrets += [*keys.values(), "hunter2%21hunter", "hunter2!hunter"]
    secrets += asyncio.run(seeds_of(postgresql, code))
    log = (tmp_path / "log").read_text("utf-8")
    lines = [json.loads(line) for line in log.splitlines()]
    requests = [line for line in lines if line["event"] == "request"]
    assert len(requests) > 8
    assert all(line["request"] for line in requests)
    assert "given-by-the-proxy" in {line["request"] for line in requests}
    assert "/transfer/{token}" in {line["path"] for line in requests}, "paths are patterns"
    assert len(secrets) > 15
    assert [secret for secret in secrets if secret in log] == []
