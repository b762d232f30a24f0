"""Matchmaking over HTTP: the public list, quick matches, and the previews of table links."""

import asyncio
import html
import re
from pathlib import Path

import httpx
import pytest

from tests.waiting import until, wait_until
from tests.web.server import Guest, Server, cookie_of, fetched
from threefold.live.identity import Signer
from threefold.web.limits import RATES
from threefold.web.page import STATIC
from threefold.web.preview_picture import picture

HOSTILE = ('"><img src=x>', "<script>1</script>", "' onload='x", "&lt;b&gt;", "</head><body>", "Jörg 中文")


def test_a_table_that_everybody_may_find_is_listed_while_somebody_is_there(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as (ann, bob):
            made = ann.post("/api/tables", json={"game": "karma", "seats": 3, "bots": ["careful"], "listed": True})
            hidden = ann.post("/api/tables", json={"game": "karma", "seats": 3}).json()["code"]
            code = made.json()["code"]
            guest = await Guest(server, code, cookie=cookie_of(ann)).open()
            await guest.until(lambda: guest.table is not None)
            await until(lambda: code in listed(bob))
            (row,) = (each for each in bob.get("/api/tables").json() if each["code"] == code)
            assert (row["host"], row["playing"]) == ("Ann", False)
            assert [each["name"] is None for each in row["seats"]] == [False, False, True]
            assert [each["bot"] for each in row["seats"]] == [None, "careful", None]
            assert hidden not in bob.get("/api/tables").text
            await guest.ask("change", settings={**guest.table["settings"], "listed": False})
            await until(lambda: code not in listed(bob))
            await guest.ask("change", settings={**guest.table["settings"], "listed": True})
            await until(lambda: code in listed(bob))
            await guest.close()
            await until(lambda: code not in listed(bob), "nobody is there")

    asyncio.run(test())


def listed(client: httpx.Client) -> list[str]:
    return [each["code"] for each in client.get("/api/tables").json()]


def test_two_who_ask_for_anybody_play_each_other(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as (ann, bob):
            first = ann.post("/api/match", json={"game": "set"}).json()
            assert first["waiting"]
            waits = await Guest(server, first["code"], cookie=cookie_of(ann)).open()
            found: dict[str, object] = {}

            def match() -> bool:
                found.update(bob.post("/api/match", json={"game": "set"}).json())
                return not found["waiting"]

            await until(lambda: waits.table is not None and waits.table["settings"]["quick_match"])
            await until(match, "for the match")
            assert found["code"] == first["code"]
            await waits.until(lambda: [seat["guest"] for seat in waits.table["seats"]] == [0, 1])
            other = await Guest(server, first["code"], cookie=cookie_of(bob)).open()
            for each in (waits, other):
                await each.ask("ready")
            await waits.until(lambda: waits.view is not None)
            for each in (waits, other):
                await each.close()

    asyncio.run(test())


def test_a_match_needs_a_person_and_a_game(server: Server) -> None:
    with server.people("Ann") as (ann,):
        assert httpx.post(server.url + "/api/match", json={"game": "karma"}, timeout=60).status_code == 401
        assert ann.post("/api/match", json={"game": "chess"}).json()["field"] == "game"
        assert ann.post("/api/match", json={}).status_code == 400


# ---------------------------------------------------------------- Previews


def tags_of(page: str) -> dict[str, str]:
    head = page.partition("</head>")[0]
    return {
        name: html.unescape(content)
        for name, content in re.findall(r'<meta property="([^"]+)" content="([^"]*)" />', head)
    }


@pytest.fixture
def page_is_built() -> None:
    if not (STATIC / "index.html").is_file():
        pytest.fail("the page is not built: python hatch_build.py")


@pytest.mark.usefixtures("page_is_built")
def test_a_table_link_previews_game_host_and_seats_and_never_the_code(server: Server) -> None:
    with server.people("Ann") as (ann,):
        code = ann.post("/api/tables", json={"game": "karma", "seats": 4, "bots": ["careful"]}).json()["code"]
    page = fetched(f"{server.url}/t/{code}")
    tags = tags_of(page.text)
    assert tags["og:title"] == "Ann invites you to Karma"
    assert tags["og:description"] == "2 of 4 seated"
    assert code not in page.text
    assert code.lower() not in page.text.lower().replace("-", "")
    assert page.headers["cache-control"] == "no-cache"
    german = tags_of(fetched(f"{server.url}/t/{code}", headers={"accept-language": "fr, de-AT;q=0.8"}).text)
    assert german["og:title"] == "Ann lädt dich zu Karma ein"
    drawn = fetched(tags["og:image"])
    assert drawn.headers["content-type"] == "image/png"
    assert drawn.content.startswith(b"\x89PNG")
    assert "immutable" in drawn.headers["cache-control"]
    assert code not in tags["og:image"]


@pytest.mark.usefixtures("page_is_built")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_text(server: Server, name: str) -> None:
    with server.client() as client:
        shown = client.post("/api/me", json={"name": name}).json()["name"]
        code = client.post("/api/tables", json={"game": "set", "variant": "full", "seats": 2}).json()["code"]
        page = client.get(f"/t/{code}").text
    assert tags_of(page)["og:title"] == f"{shown} invites you to SET"
    assert page.count("<head>") == page.count("</head>") == page.count("<body>") == 1
    assert "<img" not in page
    assert page.count("<script") == fetched(server.url + "/").text.count("<script")
    assert fetched(tags_of(page)["og:image"]).status_code == 200


@pytest.mark.usefixtures("page_is_built")
def test_a_link_that_leads_nowhere_has_no_preview_and_guessing_is_limited(tmp_path: Path) -> None:
    with Server(tmp_path) as limited, limited.people("Ann") as (ann,):
        code = ann.post("/api/tables", json={"game": "karma", "seats": 2}).json()["code"]
        for _ in range(70):
            assert not tags_of(fetched(f"{limited.url}/t/BBBBBB").text)
        assert not tags_of(fetched(f"{limited.url}/t/{code}").text), "after so many guesses nothing is looked up"
        assert fetched(f"{limited.url}/t/%00").status_code in {400, 404}


@pytest.mark.usefixtures("page_is_built")
def test_a_strange_host_header_gets_no_picture(server: Server) -> None:
    with server.people("Ann") as (ann,):
        code = ann.post("/api/tables", json={"game": "karma", "seats": 2}).json()["code"]
        tags = tags_of(ann.get(f"/t/{code}", headers={"host": "x'onload='y"}).text)
    assert "og:image" not in tags
    assert tags["og:title"] == "Ann invites you to Karma"


def test_a_picture_shows_only_what_the_server_signed_and_is_limited(tmp_path: Path) -> None:
    with Server(tmp_path) as own:
        for name in ("x.png", "x", Signer("another key").preview(["karma", "Ann", 1, 2]) + ".png"):
            assert fetched(f"{own.url}/preview/{name}").status_code == 404
        key = own_key(own)
        path = "/preview/" + Signer(key).preview(["karma", "Ann", 1, 2]) + ".png"
        with own.client() as client:
            answers = [client.get(path).status_code for _ in range(RATES["previews"].amount + 5)]
    assert answers.count(200) == RATES["previews"].amount
    assert answers[-1] == 429


def own_key(server: Server) -> str:
    wait_until((server.data_dir / "secrets.json").exists)
    found = re.search(r'"signing_key":\s*"([^"]+)"', (server.data_dir / "secrets.json").read_text("utf-8"))
    assert found is not None
    return found.group(1)


@pytest.mark.parametrize(("host", "seated", "seats"), [("", 0, 1), ("W" * 20, 12, 99), ("中文", 1, 2), ("Ann", 2, 4)])
def test_a_picture_can_be_drawn_for_any_name_and_any_table(host: str, seated: int, seats: int) -> None:
    assert picture("Karma", host, seated, seats).startswith(b"\x89PNG")
