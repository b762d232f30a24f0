"""Finished games over HTTP: replays for every player, checks, reviews, lists and statistics of a person's games."""

import asyncio
import json
from collections.abc import Sequence
from itertools import product
from typing import Any

import httpx
import pytest

from tests.finished import KARMA_WAYS, NOW, SET_WAYS, Played, planted, play_out
from tests.waiting import wait_until
from tests.web.server import Server, fetched
from threefold.live.record import game_id, verify
from threefold.storage import open_store

Json = Any


def planted_for(server: Server, client: httpx.Client, games: Sequence[tuple[Played, list[str], Json]]) -> list[str]:
    """Games of this person, in the running server's database."""
    return planted(server.data_dir / "threefold.sqlite", client.get("/api/me/data").json()["person"], games)


def karma(most: int = 3000, **more: Json) -> tuple[Played, list[str], Json]:
    return play_out("karma", KARMA_WAYS["mini_round"], ["careful"] * 3, most=most), ["careful"] * 3, more


def full_set(**more: Json) -> tuple[Played, list[str], Json]:
    return play_out("set", SET_WAYS["full"], ["human5"] * 3), ["human5"] * 3, more


def test_a_finished_game_is_replayed_for_everybody_who_has_the_link(server: Server) -> None:
    with server.people("Ann", "Bob") as (ann, bob):
        (game,) = planted_for(server, ann, [karma()])
        shown = bob.get(f"/api/games/{game}/replay").json()
        assert (shown["game"], shown["what"], shown["you"]) == ("karma", "mini_round", None)
        assert [(each["name"], each["bot"]) for each in shown["players"]][:2] == [("Ann", None), ("Berta", "careful")]
        assert all(seat["hand"] for seat in shown["timeline"]["first"]["seats"])
        own = ann.get(f"/api/games/{game}/replay", params={"viewer": "0"}).json()
        assert own["you"] == 0
        assert [seat["hand"] is not None for seat in own["timeline"]["first"]["seats"]].count(True) == 1
        record = ann.get(f"/api/games/{game}").json()
        assert len(own["timeline"]["steps"]) == len(record["saved"]["moves"])
        assert own["commitment"] == record["commitment"]
        assert ann.get(f"/api/games/{game}/verify").json()["sound"] is True
        assert verify(record).problems == ()


@pytest.mark.parametrize("viewer", ["7", "-1", "all", "²", "1.0", ""])
def test_a_viewer_that_cannot_be_is_refused(server: Server, viewer: str) -> None:
    with server.people("Ann") as (ann,):
        (game,) = planted_for(server, ann, [karma()])
        answer = ann.get(f"/api/games/{game}/replay", params={"viewer": viewer})
        assert answer.status_code == 400
        assert answer.json()["field"] == "viewer"


def test_nothing_of_a_running_game_can_be_replayed(server: Server) -> None:
    with server.people("Ann") as (ann,):
        made = ann.post("/api/tables", json={"game": "karma", "seats": 2, "bots": ["careful"], "start": True}).json()
        shown = ann.get(f"/api/tables/{made['code']}").json()["playing"]
        assert (shown["over"], shown["id"], shown["seed"]) == (False, None, None)

        async def table() -> str:
            store = await open_store(str(server.data_dir / "threefold.sqlite"))
            try:
                row = await store.table(made["code"])
                assert row is not None
                return row.id
            finally:
                await store.close()

        guesses = [game_id(asyncio.run(table()), 1, seed) for seed in ("v1:", "v2:", "v2:guessed")]
        for guessed, what in product(guesses, ("", "/replay", "/replay?viewer=0", "/review", "/verify")):
            assert ann.get(f"/api/games/{guessed}{what}").status_code == 404
            assert ann.get(f"/api/games/{made['code']}{what}").status_code == 404


def test_a_game_that_was_left_in_its_middle_replays_as_far_as_it_went(server: Server) -> None:
    with server.people("Ann") as (ann,):
        (game,) = planted_for(server, ann, [karma(most=20)])
        shown = ann.get(f"/api/games/{game}/replay").json()
        assert len(shown["timeline"]["steps"]) == 20
        assert shown["ending"] is None
        assert shown["players"][0]["result"] == "left"
        assert ann.get(f"/api/games/{game}/verify").json()["sound"] is True


def test_a_game_of_other_rules_is_not_replayed_but_can_be_fetched(server: Server) -> None:
    with server.people("Ann") as (ann,):
        (game,) = planted_for(server, ann, [karma(rules=99)])
        shown = ann.get(f"/api/games/{game}/replay").json()
        assert (shown["timeline"], shown["rules"]) == (None, 99)
        record = ann.get(f"/api/games/{game}?download=true")
        assert record.json()["replay_hash"] is None
        assert "attachment" in record.headers["content-disposition"]
        checked = ann.get(f"/api/games/{game}/verify").json()
        assert (checked["sound"], checked["texts"][0]["key"]) == (False, "live.verify.other_rules")
        refused = ann.post("/api/verify", json=record.json())
        assert (refused.status_code, refused.json()["text"]["key"]) == (400, "setup.other_rules")


def test_a_game_of_set_is_looked_back_on_and_one_of_karma_is_not_yet(server: Server) -> None:
    with server.people("Ann", "Bob") as (ann, bob):
        game, other = planted_for(server, ann, [full_set(), karma()])
        review = ann.get(f"/api/games/{game}/review").json()
        assert [each["you"] for each in review["players"]] == [True, False, False]
        assert [each["you"] for each in bob.get(f"/api/games/{game}/review").json()["players"]] == [False] * 3
        assert review["close"]
        assert {each["margin_ms"] for each in review["close"]} == {40}
        frames = ann.get(f"/api/games/{game}/replay").json()["timeline"]["steps"]
        settled = [i for i, step in enumerate(frames, 1) if step["events"][0]["event"] == "call_settled"]
        assert settled == [each["move"] for each in review["close"]]
        taken = [each for each in review["report"]["sets"] if each["outcome"] == "taken"]
        assert len(taken) == sum(each["summary"]["found"] for each in review["players"])
        refused = ann.get(f"/api/games/{other}/review")
        assert (refused.status_code, refused.json()["text"]["key"]) == (404, "live.refusal.no_review")


def test_my_games_are_listed_in_pages_and_by_what_i_ask_for(server: Server) -> None:
    with server.people("Ann") as (ann,):
        games = [karma(at=NOW + i * 1_000_000) for i in range(3)] + [full_set(at=NOW + 9_000_000)]
        ids = planted_for(server, ann, [*games, karma(most=9, at=NOW - 1_000_000)])

        def my_games(**wanted: Json) -> list[str]:
            return [each["id"] for each in ann.get("/api/me/games", params=wanted).json()]

        assert my_games() == [ids[3], ids[2], ids[1], ids[0], ids[4]]
        assert my_games(limit=2, offset=1) == [ids[2], ids[1]]
        assert my_games(game="set") == my_games(what="full") == [ids[3]]
        assert my_games(result="left") == [ids[4]]
        assert my_games(since=NOW, until=NOW + 9_000_000) == [ids[2], ids[1], ids[0]]
        assert ann.get("/api/me/games", params={"result": "splendid"}).status_code == 400


def test_my_games_add_up(server: Server) -> None:
    with server.people("Ann") as (ann,):
        nothing = ann.get("/api/me/stats").json()
        assert (nothing["games"], nothing["results"], nothing["figures"]["set"]["fastest"]) == (0, [], None)
        (game, _) = planted_for(server, ann, [full_set(), karma()])
        stats = ann.get("/api/me/stats", params={"minutes_ahead": 60}).json()
        assert stats["games"] == 2
        review = ann.get(f"/api/games/{game}/review").json()
        assert stats["figures"]["set"]["found"] == review["players"][0]["summary"]["found"]
        assert stats["figures"]["set"]["times"] == review["players"][0]["summary"]["times"]
        assert ann.delete("/api/me").status_code == 204
    assert fetched(f"{server.url}/api/me/stats").status_code == 401


def test_the_figures_of_a_live_game_are_kept_when_it_ends(server: Server) -> None:
    with server.people("Ann") as (ann,):
        table = {"game": "set", "variant": "small_deck", "seats": 2, "bots": ["perfect", "perfect"], "pace": "fast"}
        made = ann.post("/api/tables", json={**table, "start": True}).json()
        playing: Json = {}

        def is_over() -> bool:
            playing.update(ann.get(f"/api/tables/{made['code']}").json()["playing"])
            return playing["id"] is not None

        wait_until(is_over, "for the end of the game")
        shown = ann.get(f"/api/games/{playing['id']}/replay").json()
        assert json.dumps(shown["ending"]) == json.dumps(playing["ending"])
        assert ann.get(f"/api/games/{playing['id']}/review").json()["report"]["took_ms"] >= 0
