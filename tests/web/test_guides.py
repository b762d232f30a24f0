"""Guides over HTTP: every published one, those of tables, and what is refused."""

import json
from typing import Any

import pytest

from tests.web.server import Server
from threefold.games import KITS
from threefold.web.guides import LONGEST_SETUP

Json = Any


def test_every_published_guide_is_served_with_the_list_of_all(server: Server) -> None:
    with server.client() as nobody:
        for game, kit in KITS.items():
            assert kit.guides is not None
            for way in kit.guides.ways():
                shown = nobody.get(f"/api/guides/{game}/{way}").json()
                assert shown["ways"] == list(kit.guides.ways())
                assert len(shown["sections"]) == len(kit.guides.guide(way, {}))
                assert all(section["blocks"] for section in shown["sections"])
        assert nobody.cookies.get("threefold") is None


def test_a_guide_of_a_table_is_about_its_set_up(server: Server) -> None:
    setup = {"edition": {"karma": {"LOS": 2}, "clear": 5}, "options": {"turn_limit": 70}}
    with server.client() as nobody:
        shown = nobody.get("/api/guides/karma/house", params={"setup": json.dumps(setup)}).json()
    texts = [text for section in shown["sections"] for block in section["blocks"] for text in block["words"]]
    assert {"key": "rules.karma.turn_limit", "parameters": {"n": 70}} in texts
    cards = [block["figure"][0]["cards"] for block in shown["sections"][-2]["blocks"] if block["title"]]
    assert cards == [["LOS"]]


@pytest.mark.parametrize(
    ("path", "setup", "key"),
    [
        ("karma/poker", None, "setup.not_one_of"),
        ("poker/classic", None, "setup.not_one_of"),
        ("set/poker", None, "setup.not_one_of"),
        ("karma/house", "no JSON", "setup.not_an_object"),
        ("karma/house", "[]", "setup.not_an_object"),
        ("karma/house", '{"edition":' * 600, "setup.not_an_object"),
        ("karma/house", '{"edition": null}', "setup.not_one_of"),
        ("karma/classic", '{"seed": "v1:a"}', "setup.unknown_field"),
        ("karma/house", '{"edition": {"numbers": {"from": 1, "to": 2}}}', "karma.setup.too_few_cards"),
        ("set/full", '{"options": {"layout": 9}}', "set.setup.option_not_here"),
        ("set/full", " " * (LONGEST_SETUP + 1), "live.refusal.bad_field"),
    ],
)
def test_a_guide_to_nothing_is_refused_with_a_sentence(server: Server, path: str, setup: str | None, key: str) -> None:
    with server.client() as nobody:
        answer = nobody.get(f"/api/guides/{path}", params={} if setup is None else {"setup": setup})
    assert (answer.status_code, answer.json()["text"]["key"]) == (400, key)
