"""A third game: registering its kit is enough to create a table, play it live, replay, verify and simulate it."""

import asyncio
from pathlib import Path

import pytest

from tests.games.war import KIT
from tests.rule_coverage import ROOT
from tests.web.server import Server, guests
from threefold.engine import Engine
from threefold.game import BadSetup
from threefold.games import KITS
from threefold.kit import Kits
from threefold.live.record import verify
from threefold.saved import load
from threefold.simulation import compare, simulate
from threefold.simulation.report import report_page

WITH_WAR = KITS.with_kit(KIT)


def test_a_registry_with_one_more_game_leaves_the_other_as_it_is() -> None:
    assert [*WITH_WAR] == [*KITS, "war"]
    assert "war" not in KITS


def test_a_part_that_not_every_game_has_comes_from_the_first_game_that_has_it() -> None:
    assert WITH_WAR.offering(lambda kit: kit.puzzles) == (KITS["set"], KITS["set"].puzzles)
    assert WITH_WAR.offering(lambda kit: kit.designs) == (KITS["karma"], KITS["karma"].designs)
    assert Kits((KIT,)).offering(lambda kit: kit.puzzles) is None


def test_the_engine_protocol_plays_it() -> None:
    engine = Engine(WITH_WAR)
    opened = engine.answer({"do": "new", "game": "war", "edition": "short", "seed": "v1:a"})
    moves = 0
    while opened["decisions"]:
        decision = opened["decisions"][0]
        move = {"table": opened["table"], "player": decision["player"], "move": decision["moves"][0]}
        opened = engine.answer({"do": "play", **move})
        moves += 1
    assert moves == 20
    assert opened["ending"]["reason"] == "cards_gone"
    with pytest.raises(BadSetup, match="karma, set"):
        Engine().answer({"do": "new", "game": "war", "seed": "v1:a"})


def test_it_is_simulated_through_its_rules_and_bots_and_the_same_seed_gives_the_same_result() -> None:
    first, again = (
        simulate("war", "short", players=["any", "any"], games=300, seed="war", workers=1, kits=WITH_WAR)
        for _ in range(2)
    )
    assert first.as_json() == again.as_json()
    assert first.games == 300
    assert first.moves == 300 * 20
    assert 0.35 < first.bots["any"].value < 0.65


def test_its_result_is_shown_compared_and_reported_as_that_of_any_game() -> None:
    side = {"game": "war", "rules": "short", "players": ["any", "any"], "kits": WITH_WAR}
    compared = compare(side, {**side, "rules": "long"}, games=20, workers=1)
    assert compared["moves a game"].difference.value == 4 * (13 - 5)
    result = compared.first
    assert [row["moves"] for row in result.game_rows()] == [20] * 20
    assert [type(each).__name__ for each in result.summary()] == ["Grid", "Fact"]
    page = report_page(result)
    assert "war, short" in page
    assert page.count("<svg") == 2


def test_people_and_bots_play_it_on_a_server_that_was_given_the_kit(tmp_path: Path) -> None:
    asyncio.run(played_live(tmp_path))


async def played_live(data_dir: Path) -> None:
    with (
        Server(data_dir, THREEFOLD_KITS=KIT.reference, PYTHONPATH=f"{ROOT / 'src'}:{ROOT}") as server,
        server.people("Ada", "Ben") as people,
    ):
        offered = {each["game"]: each for each in people[0].get("/api/games").json()}
        assert [way["edition"] for way in offered["war"]["ways"]] == ["long", "short"]
        assert offered["war"]["stand_in"] == "any"
        made = people[0].post("/api/tables", json={"game": "war", "edition": "short", "seats": 2})
        assert made.status_code == 201, made.text
        async with guests(server, made.json()["code"], people) as (ada, ben):
            await ben.ask("sit")
            await ada.ask("start")
            await asyncio.gather(ada.play("any"), ben.play("any"))
            for each in (ada, ben):
                await each.until(lambda each=each: each.over and each.table["playing"]["id"])  # type: ignore[misc]
            game = ada.table["playing"]["id"]
        record = people[0].get(f"/api/games/{game}").json()
        assert verify(record, WITH_WAR).problems == ()
        assert len(load(record["saved"], WITH_WAR).moves) == 20
        assert people[0].get(f"/api/games/{game}/verify").json()["sound"]
        shown = people[1].get(f"/api/games/{game}/replay?viewer=1").json()
        assert shown["what"] == "short"
        assert len(shown["timeline"]["steps"]) == 20
        assert shown["timeline"]["first"]["game"] == "war"
        bots = people[0].post("/api/tables", json={"game": "war", "seats": 2, "bots": ["any", "any"], "start": True})
        assert bots.status_code == 201, bots.text
