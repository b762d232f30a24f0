"""Lessons use the real rules: each can be finished from anywhere, a wrong try is explained, nothing is stored."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest

from tests.web.server import Server
from threefold.game import event_text
from threefold.games import KITS
from threefold.karma.editions import EDITIONS
from threefold.lessons import LEARNER, Lesson
from threefold.live.lessons import Attempt, attempt
from threefold.setgame.cards import format_cards
from threefold.setgame.notation import card_of
from threefold.setgame.search import all_sets
from threefold.texts import LANGUAGES, catalogue, say
from threefold.web.lessons import MOST_MOVES

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
        "choose": ["face up 14 16 LOW"],
        "face_up": ["play 9"],
        "out": ["flip 2"],
        "seven_to_eleven": ["play 8"],
        "clear_card": ["play CLR"],
        "lose_a_turn": ["play LOS", "choose 1"],
        "give_a_card": ["play ONE", "give 2", "choose 1"],
        "exchange": ["play EXC", "choose 1"],
        "pass_right": ["play PAS"],
        "change_seat": ["play SEA", "choose 1"],
        "own": ["play OWN"],
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


def test_every_lesson_has_a_way_and_a_chapter_has_as_many_as_fit_two_minutes() -> None:
    assert {game: [each.key for each in lessons] for game, lessons in LESSONS.items()} == {
        game: list(ways) for game, ways in WAYS.items()
    }
    for lessons in LESSONS.values():
        chapters = [each.chapter for each in lessons]
        assert sorted(chapters, key=list(dict.fromkeys(chapters)).index) == chapters, "a chapter is in one piece"
        assert all(8 <= chapters.count(each) <= 11 for each in chapters)


def test_the_lessons_cover_the_choice_of_face_up_cards_and_every_card_of_two_editions() -> None:
    played = {move.split(" ")[1] for way in WAYS["karma"].values() for move in way if move.startswith("play")}
    faced = {"LOW", "711"}  # a lesson plays on them
    for edition in ("classic", "second_edition"):
        assert set(EDITIONS[edition].karma) <= played | faced
    assert any(lesson.event == "face_up_chosen" for lesson in LESSONS["karma"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "lesson"), CASES, ids=lambda each: getattr(each, "key", each))
def test_a_lesson_has_its_sentences_in_every_language(language: str, game: str, lesson: Lesson) -> None:
    sentences = catalogue(language)
    for key in (f"page.learn.{game}.{lesson.key}", f"page.learn.{game}.{lesson.key}.done"):
        assert key in sentences
        assert language == "en" or sentences[key] != catalogue()[key]
    assert f"page.learn.chapter.{lesson.chapter}" in sentences


def legal_moves(view: Json) -> Iterator[str]:
    """Every move that the View offers; SET's takes are too many to be listed there."""
    yield from view["moves"]
    if view.get("take"):
        for cards in combinations([card for card in view["take"]["from"] if card], 3):
            yield f"take {' '.join(cards)}"


def walk(game: str, lesson: Lesson, moves: Sequence[str] = ()) -> Iterator[tuple[Sequence[str], Attempt]]:
    """Every way through a lesson, move by move, until it is done or begins again."""
    outcome = attempt(KITS[game].game, lesson, moves)
    assert outcome.refused is None, moves
    yield moves, outcome
    if not moves or outcome.continues:
        offered = list(legal_moves(outcome.view))
        assert offered, "nothing can be done"
        for move in offered:
            yield from walk(game, lesson, [*moves, move])


@pytest.mark.parametrize(("game", "lesson"), CASES, ids=lambda each: getattr(each, "key", each))
def test_every_legal_move_of_a_lesson_leads_on_or_is_answered(game: str, lesson: Lesson) -> None:
    """No dead ends: a move completes the lesson, asks something else, or is told before the lesson begins again."""
    steps = list(walk(game, lesson))
    done = [moves for moves, outcome in steps if outcome.done]
    assert done
    for moves, outcome in steps[1:]:
        assert len(moves) <= MOST_MOVES
        assert not (outcome.done and outcome.continues)
        said = [say(event_text(game, each), viewer=LEARNER) for each in outcome.events]
        assert all(said), moves
        assert said or outcome.continues, "the learner hears what the move did"
        if outcome.continues:
            assert any(list(way[: len(moves)]) == list(moves) for way in done), f"no way on after {moves}"


@pytest.mark.parametrize("lesson", LESSONS["set"], ids=lambda each: each.key)
def test_every_real_set_completes_a_lesson_that_asks_for_one(lesson: Lesson) -> None:
    start = attempt(KITS["set"].game, lesson, ())
    laid = [card_of(card) for card in start.view["layout"] if card is not None]
    call = ["call"] if "call" in start.view["moves"] else []
    for triple in all_sets(laid):
        assert attempt(KITS["set"].game, lesson, [*call, f"take {' '.join(format_cards(list(triple)))}"]).done


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
    assert count == {"none": 0, "wrong": 0, "call": 2}.get(lesson.key, 1)
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


def test_a_try_comes_with_the_advice_of_the_table(server: Server) -> None:
    advice = KITS["karma"].advice
    assert advice is not None
    wasted = Lesson("wasted", "classic; 0 hand 2 GIV; 1 hand 8 9; turn 0", "pile_given")
    tried_in_vain = attempt(KITS["karma"].game, wasted, ["play GIV"])
    assert advice.warning(tried_in_vain.seen, tried_in_vain.events) is not None
    with server.client() as nobody:
        tried = nobody.post("/api/lessons/karma/give", json={"moves": ["play GIV"]}).json()
    assert tried["warning"] is None, "the pile of the lesson can be given away"


def test_what_is_no_lesson_and_what_is_too_much_are_refused(server: Server) -> None:
    with server.client() as nobody:
        unknown = nobody.post("/api/lessons/karma/flying", json={"moves": []})
        assert (unknown.status_code, unknown.json()["text"]["key"]) == (404, "live.refusal.no_such_lesson")
        many = nobody.post("/api/lessons/set/find", json={"moves": ["call"] * 7})
        assert (many.status_code, many.json()["text"]["key"]) == (400, "setup.too_many")
        assert nobody.get("/api/lessons/poker").status_code == 400
