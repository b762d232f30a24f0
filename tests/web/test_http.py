"""The HTTP interface: people, tables, games, puzzles, designs, refusals, and headers for browsers."""

import asyncio
import json
import re
import stat
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.web.server import Guest, Server, cookie_of, fetched
from threefold.live.record import verify
from threefold.setgame.cards import format_cards
from threefold.setgame.puzzles import daily

Json = Any


def problem(response: httpx.Response, status: int) -> Json:
    """A mistake is answered with a sentence, its key and the field."""
    assert response.status_code == status, response.text
    body = response.json()
    assert set(body) == {"message", "text", "field", "clause"}
    assert body["message"]
    return body


def test_a_person_is_a_name_and_a_signed_cookie(server: Server) -> None:
    with server.client() as client:
        problem(client.get("/api/me"), 401)
        made = client.post("/api/me", json={"name": "  Ann\u202e "})
        assert made.json()["name"] == "Ann"
        cookie = made.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert client.get("/api/me").json()["name"] == "Ann"
        assert client.post("/api/me", json={"name": "Anna"}).json()["name"] == "Anna"
        forged = client.cookies["threefold"].rpartition(".")[0] + ".forged"
        assert fetched(f"{server.url}/api/me", cookies={"threefold": forged}).status_code == 401


def test_a_table_is_made_in_one_request_with_code_link_and_qr_code(server: Server) -> None:
    with server.people("Ann") as (ann,):
        made = ann.post("/api/tables", json={"game": "karma", "seats": 3, "bots": ["careful"], "listed": True})
        assert made.status_code == 201
        code = made.json()["code"]
        assert re.fullmatch("[BCDFGHJKLMNPQRSTVWXZ]{6}", code)
        assert made.json()["path"] == f"/t/{code}"
        shown = ann.get(f"/api/tables/{code}").json()
        assert [(seat["guest"], seat["bot"]) for seat in shown["seats"]] == [(0, None), (None, "careful"), (None, None)]
        picture = ann.get(made.json()["qr"])
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert b"<svg" in picture.content
        assert code in [each["code"] for each in ann.get("/api/me/tables").json()]
        assert ann.get(f"/t/{code}").status_code == 200


def test_my_tables_say_who_i_am_there_and_whose_turn_it_is(server: Server) -> None:
    with server.people("Ann") as (ann,):
        start = {"game": "karma", "seats": 2, "bots": ["careful"], "start": True}
        code = ann.post("/api/tables", json=start).json()["code"]
        lobby = ann.post("/api/tables", json={"game": "karma", "seats": 2}).json()["code"]
        mine = {each["code"]: each for each in ann.get("/api/me/tables").json()}
        assert (mine[lobby]["you"], mine[lobby]["awaited"]) == (0, [])
        running = mine[code]
        player = next(i for i, each in enumerate(running["playing"]["players"]) if each["guest"] == running["you"])
        assert player in running["awaited"], "everybody chooses face-up cards first"


def test_a_private_table_is_not_listed_and_a_wrong_code_finds_nothing(server: Server) -> None:
    with server.people("Ann") as (ann,):
        code = ann.post("/api/tables", json={"game": "set", "variant": "full", "seats": 2}).json()["code"]
        assert code not in [each["code"] for each in ann.get("/api/tables").json()]
        assert problem(ann.get("/api/tables/BBBBBB"), 404)["field"] == "code"
        assert problem(ann.get("/api/tables/abc"), 400)["field"] == "code"


def test_house_editions_and_designed_cards_can_be_played(server: Server) -> None:
    with server.people("Ann") as (ann,):
        design = {"name": "Swirl", "picture": "🌀", "leaves": True, "powers": [{"power": "reverse"}]}
        checked = ann.post("/api/designs", json={"design": design})
        assert checked.status_code == 200, checked.text
        code = checked.json()["code"]
        assert ann.get(f"/api/designs/{code}").json()["design"]["name"] == "Swirl"
        house = {"karma": {"GIV": 2}, "designs": [{"code": code}]}
        made = ann.post(
            "/api/tables", json={"game": "karma", "edition": house, "seats": 2, "bots": ["random"], "start": True}
        )
        assert made.status_code == 201, made.text
        wrong = {"karma": {"GIV": 99}}
        refused = problem(ann.post("/api/tables", json={"game": "karma", "edition": wrong, "seats": 2}), 400)
        assert refused["field"] == "edition.karma.GIV"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "game"),
        ({"game": "chess"}, "game"),
        ({"game": "karma", "seats": "four"}, "seats"),
        ({"game": "karma", "seats": 99}, "seats"),
        ({"game": "karma", "edition": "none"}, "edition"),
        ({"game": "karma", "options": {"decks": 5}}, "options.decks"),
        ({"game": "karma", "bots": ["nobody"]}, "bot"),
        ({"game": "karma", "bots": ["random"] * 9}, "bots"),
        ({"game": "karma", "turn_clock_s": 31}, "turn_clock_s"),
        ({"game": "karma", "grace_s": -1}, "grace_s"),
        ({"game": "karma", "pace": "slow"}, "pace"),
        ({"game": "karma", "seed": "v1:x"}, "seed"),
    ],
)
def test_a_mistake_in_a_request_names_the_field(server: Server, body: Json, field: str) -> None:
    with server.people("Ann") as (ann,):
        assert problem(ann.post("/api/tables", json=body), 400)["field"] == field


def test_what_is_no_json_or_far_too_large_is_refused_politely(server: Server) -> None:
    with server.people("Ann") as (ann,):
        headers = {"content-type": "application/json"}
        for body in (b"", b"{", b"[]", b"\xff\xfe", b"null", b"[" * 5000):
            problem(ann.post("/api/tables", content=body, headers=headers), 400)
        problem(ann.post("/api/verify", content=b'{"x":"' + b"y" * 1_100_000 + b'"}', headers=headers), 413)
        problem(ann.get("/api/nothing"), 404)
        problem(ann.put("/api/me"), 405)


def test_a_second_device_becomes_the_same_person_by_a_link_that_works_once(server: Server) -> None:
    with server.people("Ann") as (ann,), server.client() as phone:
        made = ann.post("/api/me/transfer").json()
        assert phone.get(made["path"]).status_code == 200, "looking at the link does not use it up"
        assert phone.post("/api/me/redeem", json={"token": made["token"]}).json()["name"] == "Ann"
        assert phone.get("/api/me").json() == ann.get("/api/me").json()
        assert problem(phone.post("/api/me/redeem", json={"token": made["token"]}), 400)["field"] == "token"
        problem(phone.post("/api/me/redeem", json={"token": "x"}), 400)


def test_other_sites_cannot_ask_in_somebodys_name(server: Server) -> None:
    with server.people("Ann") as (ann,):
        for origin in ("http://evil.example", "null", f"http://127.0.0.1:{server.port + 1}"):
            refused = ann.post("/api/tables", json={"game": "karma"}, headers={"origin": origin})
            assert problem(refused, 403)["field"] == "origin"
        assert ann.post("/api/me", json={"name": "Ann"}, headers={"origin": server.url}).status_code == 200


def test_browsers_are_told_to_load_nothing_from_elsewhere(server: Server) -> None:
    for path in ("/", "/api/health", "/api/nothing", "/t/BBBBBB", "/api/openapi.json"):
        headers = fetched(server.url + path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
    assert fetched(server.url + "/api/health").headers["cache-control"] == "no-store"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    in_the_clear = fetched(server.url + "/", headers={"host": "game.local"})
    assert "cross-origin-opener-policy" not in in_the_clear.headers


def test_the_head_alone_is_that_of_the_whole_answer(server: Server) -> None:
    for path in ("/", "/api/health"):
        whole, head = fetched(server.url + path), httpx.head(server.url + path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"] == whole.headers["content-type"]
    assert httpx.head(server.url + "/api/me").status_code == 401


def test_the_plain_page_says_what_is_here_and_all_its_links_lead_somewhere(server: Server) -> None:
    page = fetched(server.url + "/plain")
    assert page.headers["content-type"].startswith("text/html")
    assert "<script" not in page.text
    for link in re.findall(r'(?:href|src)="(/[^"]*)"', page.text):
        assert fetched(server.url + link).status_code == 200, link
    for path in ("/plain/..%2fapp.py", "/assets/../app.py", "/..%2f..%2fetc%2fpasswd", "/app.py"):
        assert fetched(server.url + path).status_code == 404, path


def test_the_games_their_ways_and_bots_are_told(server: Server) -> None:
    games = {each["game"]: each for each in fetched(server.url + "/api/games").json()}
    assert {each["edition"] for each in games["karma"]["ways"]} >= {"classic", "mini_round"}
    assert {each["variant"] for each in games["set"]["ways"]} >= {"full", "twenty_twenty"}
    assert games["karma"]["bots"] == ["beginner", "careful", "sharp", "hard", "expert"]
    assert games["set"]["bots"] == ["human1", "human2", "human3", "human4", "human5"]


def test_puzzles_are_of_today_or_before(server: Server) -> None:
    today = fetched(server.url + "/api/puzzles/basic").json()
    assert len(today["cards"]) == 9
    assert today["sets"] is None, "the solution is not revealed"
    before = fetched(server.url + "/api/puzzles/advanced?day=2024-02-29").json()
    assert (before["day"], len(before["cards"])) == ("2024-02-29", 12)
    assert problem(fetched(server.url + "/api/puzzles/basic?day=2999-01-01"), 404)["field"] == "day"
    assert problem(fetched(server.url + "/api/puzzles/basic?day=soon"), 400)["field"] == "day"
    problem(fetched(server.url + "/api/puzzles/enormous"), 400)


def test_a_puzzle_is_solved_try_by_try_and_a_wrong_one_is_explained(server: Server) -> None:
    day = {"day": "2024-02-29"}
    puzzle = daily("basic", date(2024, 2, 29))
    sets = [format_cards(list(each)) for each in puzzle.sets]
    wrong = next(
        list(each) for each in combinations(format_cards(list(puzzle.cards)), 3) if set(each) not in map(set, sets)
    )
    with server.client() as client:
        answer = client.post("/api/puzzles/basic", params=day, json={"cards": wrong}).json()
        assert answer["left"] == 4
        assert answer["events"][0]["failing"]
        assert answer["events"][0]["says"]
        for number, cards in enumerate(sets, 1):
            tried = client.post("/api/puzzles/basic", params=day, json={"cards": cards, "found": sets[: number - 1]})
            assert tried.json()["left"] == 4 - number
        assert tried.json()["events"][-1]["event"] == "puzzle_solved"
        problem(client.post("/api/puzzles/basic", params=day, json={"cards": ["1RSD"]}), 400)
        problem(client.post("/api/puzzles/basic", params=day, json={"cards": sets[0], "found": [["x"]]}), 400)


def test_bots_sit_at_any_table_at_once_also_when_nobody_else_is_there(server: Server) -> None:
    plan = {"game": "karma", "edition": "mini_round", "seats": 2, "bots": ["careful", "random"], "pace": "fast"}
    with server.people("Ann") as (ann,):
        code = ann.post("/api/tables", json={**plan, "start": True}).json()["code"]

        async def watched() -> Json:
            guest = await Guest(server, code, cookie=cookie_of(ann)).open()
            await guest.until(lambda: guest.over and guest.table["playing"]["id"])
            await guest.close()
            return guest.table["playing"]

        playing = asyncio.run(watched())
        record = ann.get(f"/api/games/{playing['id']}?download=true")
        assert "attachment" in record.headers["content-disposition"]
        assert verify(record.json()).problems == ()
        assert set(record.json()["hands"]) == {"bot"}
        answer = ann.post("/api/verify", json=record.json()).json()
        assert answer["sound"]
        changed = {**record.json(), "commitment": "sha256:0"}
        assert not ann.post("/api/verify", json=changed).json()["sound"]
        endless = {**record.json(), "saved": {**record.json()["saved"], "moves": [{"player": 0, "move": "x"}] * 6000}}
        assert problem(ann.post("/api/verify", json=endless), 400)["field"] == "saved.moves"


def test_my_games_my_data_and_being_forgotten(server: Server) -> None:
    plan = {"game": "karma", "edition": "mini_round", "seats": 2, "bots": ["random"], "pace": "fast", "start": True}
    with server.people("Ann") as (ann,):
        code = ann.post("/api/tables", json={**plan, "options": {"turn_limit": 10}}).json()["code"]

        async def played() -> None:
            guest = await Guest(server, code, cookie=cookie_of(ann)).open()
            await guest.play("careful")
            await guest.until(lambda: guest.over and guest.table["playing"]["id"])
            await guest.close()

        asyncio.run(played())
        games = ann.get("/api/me/games").json()
        assert [(each["game"], each["what"]) for each in games] == [("karma", "mini_round")]
        assert {each["name"]: each["bot"] for each in games[0]["players"]} == {"Ann": None, "Olga": "careful"}
        data = ann.get("/api/me/data")
        assert "attachment" in data.headers["content-disposition"]
        assert data.json()["person"]["name"] == "Ann"
        assert [each["name"] for each in data.json()["games"][0]["players"]] == ["Ann", "Olga"]
        assert ann.delete("/api/me").status_code == 204
        problem(ann.get("/api/me"), 401)
        assert ann.get(f"/api/games/{games[0]['id']}").json()["players"][0]["name"] == "–"
        assert ann.get(f"/api/tables/{code}").json()["guests"][0]["name"] == "–"


def test_everything_is_limited_in_how_often(tmp_path: Path) -> None:
    with Server(tmp_path) as limited, limited.people("Ann") as (ann,):
        answers = [ann.post("/api/tables", json={"game": "karma", "seats": 2}).status_code for _ in range(25)]
        assert answers.count(201) == 20
        assert answers[-1] == 429
        codes = [ann.get("/api/tables/BBBBBB").status_code for _ in range(70)]
        assert codes.count(404) == 60, "nobody finds a table by trying codes"
        people = [httpx.post(limited.url + "/api/me", json={"name": f"P{i}"}).status_code for i in range(35)]
        assert people.count(429) >= 5


def test_secrets_and_the_database_are_made_at_the_first_start_and_are_their_owners_alone(server: Server) -> None:
    for name in ("secrets.json", "threefold.sqlite"):
        assert stat.S_IMODE((server.data_dir / name).stat().st_mode) == 0o600


def test_the_interface_describes_itself(server: Server) -> None:
    described = fetched(server.url + "/api/openapi.json").json()
    for path in ("/api/tables", "/api/games/{game}", "/api/puzzles/{kind}", "/api/designs", "/api/me/data"):
        assert path in described["paths"], path
    assert json.dumps(described).count('"$ref"') > 20
