"""Lessons use the real rules: each can be finished, a wrong try is refused, nothing is stored."""

from typing import Any

import pytest

from tests.web.server import Server
from threefold.games import KITS
from threefold.lessons import LEARNER
from threefold.live.lessons import attempt
from threefold.setgame.notation import card_of
from threefold.setgame.search import all_sets

Json = Any

LESSONS = {name: kit.lessons for name, kit in KITS.items()}
WAYS: dict[str, dict[str, list[str]]] = {
    "karma": {
        "higher": ["play 7"],
        "same": ["play 10 10"],
        "give": ["play GIV", "choose 1"],
        "asks": ["play 3"],
        "table": ["play TAB", "play 2"],
        "bottoms": ["play BOT"],
        "clear": ["play 12"],
        "pick_up": ["pick up"],
        "face_up": ["play 9"],
        "out": ["flip 2"],
    },
    "set": {
        "same": ["take 1RSO 2RSO 3RSO"],
        "different": ["take 1RSD 2PTO 3GOS"],
        "wrong": ["take 1GSS 2GSS 3PSS"],
        "third": ["take 1PTS 2PTO 3PTD"],
        "find": ["take 1GSD 2GTD 3GOD"],
        "call": ["call", "take 2RSS 2PSO 2GSD"],
        "none": ["agree"],
        "fifteen": ["take 1PTS 1GSO 1ROD"],
        "end": ["take 3ROS 3PTS 3GSS"],
    },
}
"""A way through every lesson."""
REFUSED = {
    ("karma", "higher"): ("play 3", "K7"),
    ("karma", "asks"): ("play 8", "K43"),
    ("karma", "pick_up"): ("play 5", "K7"),
    ("karma", "face_up"): ("flip 1", "K6"),
    ("set", "call"): ("take 2RSS 2PSO 2GSD", "S11"),
}
CASES = [(game, lesson) for game, all_of_them in LESSONS.items() for lesson in all_of_them]


def test_every_lesson_has_a_way_and_there_are_as_many_as_fit_two_minutes() -> None:
    assert {game: [each.key for each in lessons] for game, lessons in LESSONS.items()} == {
        game: list(ways) for game, ways in WAYS.items()
    }
    assert all(8 <= len(lessons) <= 10 for lessons in LESSONS.values())


@pytest.mark.parametrize(("game", "lesson"), CASES, ids=lambda each: getattr(each, "key", each))
def test_a_lesson_is_done_by_its_way_and_not_before(game: str, lesson: Any) -> None:
    way = WAYS[game][lesson.key]
    for made in range(len(way)):
        outcome = attempt(KITS[game].game, lesson, way[:made])
        assert not outcome.done
        assert outcome.refused is None
    assert attempt(KITS[game].game, lesson, way).done


@pytest.mark.parametrize("lesson", LESSONS["set"], ids=lambda each: each.key)
def test_a_layout_to_learn_with_holds_the_sets_it_should(lesson: Any) -> None:
    laid = [card for card in attempt(KITS["set"].game, lesson, ()).view["layout"] if card is not None]
    count = len(all_sets([card_of(card) for card in laid]))
    assert count == {"none": 0, "call": 2}.get(lesson.key, 1)
    assert set(lesson.point) <= set(laid)


def test_the_way_of_the_lessons_is_legal_at_the_table_and_wrong_tries_are_truly_refused(server: Server) -> None:
    with server.client() as nobody:
        for game, ways in WAYS.items():
            shown = nobody.get(f"/api/lessons/{game}").json()
            assert [each["key"] for each in shown] == list(ways)
            assert all(each["view"]["viewer"] == LEARNER for each in shown)
            for key, way in ways.items():
                answer = nobody.post(f"/api/lessons/{game}/{key}", json={"moves": way}).json()
                assert answer["done"], key
                assert answer["events"][0]["says"]
        for (game, key), (move, clause) in REFUSED.items():
            answer = nobody.post(f"/api/lessons/{game}/{key}", json={"moves": [move]}).json()
            assert answer["refused"]["clause"] == clause
            assert answer["refused"]["message"]
            assert not answer["done"]
        assert nobody.cookies.get("threefold") is None


def test_what_is_no_lesson_and_what_is_too_much_are_refused(server: Server) -> None:
    with server.client() as nobody:
        unknown = nobody.post("/api/lessons/karma/flying", json={"moves": []})
        assert (unknown.status_code, unknown.json()["text"]["key"]) == (404, "live.refusal.no_such_lesson")
        many = nobody.post("/api/lessons/set/find", json={"moves": ["call"] * 7})
        assert (many.status_code, many.json()["text"]["key"]) == (400, "setup.too_many")
        assert nobody.get("/api/lessons/poker").status_code == 400
