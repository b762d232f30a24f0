"""Checks before a request: malformed origins and paths, guessed codes, rates by kind of act, local metrics."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.raw_socket import new_table
from tests.web.server import Guest, Server, cookie_of, fetched, guests
from tests.web.test_operator import token_of
from threefold.web.encoding import LARGEST_NUMBER, number_of
from threefold.web.limits import RATES


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with its usual limits."""
    with Server(tmp_path_factory.mktemp("limited")) as running:
        yield running


def refused_at_hello(guest: Guest) -> str:
    key: str = guest.last("refused")["text"]["key"]
    return key


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//[x]"])
def test_a_malformed_origin_is_a_bad_request(server: Server, origin: str) -> None:
    with server.people("Ann") as (ann,):
        answer = ann.post("/api/me", json={"name": "Ann"}, headers={"origin": origin})
        assert (answer.status_code, answer.json()["field"]) == (400, "origin")


@pytest.mark.parametrize(
    "path", ["/%00", "/plain/%00.css", "/assets/a%00b.js", "/api/games/%00", "/api/tables/%00BBBBB"]
)
def test_a_null_byte_in_a_path_is_a_bad_request(server: Server, path: str) -> None:
    assert fetched(server.url + path).status_code == 400


def test_metrics_without_a_token_are_for_this_machine_under_its_own_name(server: Server) -> None:
    for host in (f"127.0.0.1:{server.port}", "localhost", f"LOCALHOST:{server.port}", "[::1]", "[::1]:8033"):
        assert fetched(server.url + "/metrics", headers={"host": host}).status_code == 200, host
    for host in ("rebound.example", f"rebound.example:{server.port}", "localhost.example", ""):
        assert fetched(server.url + "/metrics", headers={"host": host}).status_code == 403, host


def test_files_of_the_page_are_rate_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(tmp_path) as own, own.client() as client:
        statuses = [client.get("/plain").status_code for _ in range(RATES["files"].amount + 5)]
        assert statuses.count(429) == 5
        assert client.get("/api/health").status_code == 200


def test_codes_are_not_guessed_on_any_route(tmp_path: Path) -> None:
    async def test(own: Server) -> None:
        with own.people("Ann") as (ann,):
            code = new_table(ann)
            cookie = cookie_of(ann)
            for _ in range(100):
                assert ann.get(f"/api/tables/{code}").status_code == 200, "a code that exists costs nothing"
            for _ in range(RATES["codes"].amount // 2):
                guess = await Guest(own, "BBBBBB", cookie=cookie).open()
                assert refused_at_hello(guess) == "live.refusal.no_such_table"
            for _ in range(RATES["codes"].amount // 2):
                assert ann.get("/api/tables/BBBBBB").status_code == 404
            for wrong in ("BBBBBB", code):
                guess = await Guest(own, wrong, cookie=cookie).open()
                assert refused_at_hello(guess) == "live.refusal.too_many_requests"
                assert ann.post(f"/api/tables/{wrong}/tokens", json={"name": "Robot"}).status_code == 429
                assert ann.get(f"/api/tables/{wrong}/qr.svg").status_code == 429
                assert ann.get(f"/api/tables/{wrong}").status_code == 429

    with Server(tmp_path) as own:
        asyncio.run(test(own))


def test_arrangements_have_a_rate_of_their_own(limited: Server) -> None:
    async def test() -> None:
        with limited.people("Ann", "Bob") as people:
            async with guests(limited, new_table(people[0]), people) as (ann, bob):
                keys = set()
                for number in range(RATES["arrangements"].amount + 5):
                    n = await bob.ask("stand" if number % 2 else "sit")
                    keys |= {each["text"]["key"] for each in bob.received if each["is"] == "refused" and each["n"] == n}
                    if number % 20 == 19:
                        await asyncio.sleep(RATES["messages"].get_expiry())  # that limit is not tested here
                assert keys == {"live.refusal.too_fast"}
                assert bob.seq <= RATES["arrangements"].amount + 10
                await ann.ask("sit", seat=0)
                assert ann.last("refused") is None or ann.last("refused")["text"]["key"] != "live.refusal.too_fast"
                await bob.ask("react", reaction="👍")
                assert bob.last("said") is not None, "other messages are still welcome"

    asyncio.run(test())


def test_explain_says_nothing_during_a_pause(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            code = people[0].post("/api/tables", json={"game": "set", "seats": 2}).json()["code"]
            async with guests(server, code, people) as (ann, bob):
                await bob.ask("sit")
                await ann.ask("start")
                await ann.ask("pause")
                refusal = await ann.refused("explain", move="take 1 2 3")
                assert refusal["text"]["key"] == "live.refusal.paused"
                assert ann.last("explained") is None
                await ann.ask("resume")
                await ann.ask("explain", move="take 1 2 3")
                await ann.until(lambda: ann.last("explained"))

    asyncio.run(test())


def test_a_malformed_message_with_a_number_is_acknowledged(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            guest = await Guest(server, new_table(ann), cookie=cookie_of(ann)).open()
            for n, text in enumerate(
                ('{"is":"dance","n":1}', '{"is":"sit","seat":"x","n":2}', '{"is":"move","n":3}'), 1
            ):
                await guest.send(text)
                await guest.until(lambda n=n: guest.ack >= n)  # type: ignore[misc]
                assert guest.last("refused")["n"] == n
            guest.n = 3
            await guest.resume()
            assert guest.welcome["ack"] == 0, "a refusal is not in the log"
            await guest.close()

    asyncio.run(test())


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ('{"is":"dance","n":7}', 7),
        ('{"is":"dance","n":true}', 0),  # Python counts True as a number; an ack must not
        ('{"is":"dance","n":1.5}', 0),
        ('{"is":"dance","n":-1}', 0),
        (f'{{"is":"dance","n":{LARGEST_NUMBER + 1}}}', 0),
        ('{"is":"dance","n":"1"}', 0),
        ("[1]", 0),
        ("{", 0),
        ("[" * 5000, 0),
    ],
)
def test_only_a_whole_number_is_the_number_of_a_malformed_message(text: str, n: int) -> None:
    found = number_of(text.encode())
    assert (found, type(found)) == (n, int)


def test_a_transfer_link_says_which_person_the_device_becomes(server: Server) -> None:
    with server.people("Ann") as (ann,), server.client() as other:
        token = ann.post("/api/me/transfer").json()["token"]
        for _ in range(2):
            shown = other.post("/api/me/transfer/person", json={"token": token})
            assert shown.json()["name"] == "Ann"
            assert not other.cookies, "looking changes nothing"
        assert other.post("/api/me/redeem", json={"token": token}).json()["name"] == "Ann"
        assert other.post("/api/me/transfer/person", json={"token": token + "x"}).status_code == 400


def test_transfer_links_are_not_guessed_on_any_route(tmp_path: Path) -> None:
    routes = ("/api/me/transfer/person", "/api/me/redeem")
    with Server(tmp_path) as own, own.people("Ann") as (ann,), own.client() as other:
        token = ann.post("/api/me/transfer").json()["token"]
        for number in range(RATES["codes"].amount):
            assert other.post(routes[number % 2], json={"token": f"{token}{number}"}).status_code == 400
        for route in routes:
            assert other.post(route, json={"token": token}).status_code == 429


def test_a_refusal_that_never_arrived_is_given_again_or_covered_by_a_later_ack(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            async with guests(server, new_table(people[0]), people) as (ann, bob):
                await ann.ask("sit", seat=0)
                assert (await bob.refused("sit", seat=0))["n"] == bob.n
                bob.ack = 0  # as if the connection had broken before the refusal arrived
                bob.received.clear()
                await bob.resume()
                await bob.until(lambda: bob.ack == 1)
                assert bob.last("refused")["n"] == 1, "it is checked anew"
                await bob.ask("sit", seat=1)
                bob.ack = 0
                bob.received.clear()
                await bob.resume()
                assert bob.ack == 2, "the log has the second message, so the first one is settled too"
                await bob.ask("ping")
                assert bob.last("refused") is None

    asyncio.run(test())


def test_a_ban_covers_the_programs_that_a_person_created(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Mallory") as (ann, mallory):
            code = new_table(ann)
            token = mallory.post(f"/api/tables/{code}/tokens", json={"name": "Robot"}).json()["token"]
            robot = await Guest(server, code, token=token).open()
            key = {"authorization": f"Bearer {token_of(server)}"}
            people = ann.get("/api/operator/people?search=mallory", headers=key).json()["people"]
            ban = {"person": people[0]["person"], "words": "No."}
            made = ann.post("/api/operator/bans", json=ban, headers=key).json()
            await robot.until(lambda: robot.closed)
            assert robot.received[-1] == {"is": "bye", "reason": "banned", "words": "No."}
            again = await Guest(server, code, token=token).open()
            assert refused_at_hello(again) == "live.refusal.banned"
            ann.delete(f"/api/operator/bans/{made['id']}", headers=key)

    asyncio.run(test())
