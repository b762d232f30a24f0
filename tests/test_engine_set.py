"""Requests of the engine protocol that are SET's own."""

import json
from typing import Any

import pytest

from threefold.engine import Engine

SET = ["1RSD", "2RSD", "3RSD"]


def ask(**request: Any) -> Any:
    return Engine().answer_line(json.dumps({"id": 7, **request}).encode())


@pytest.mark.rule("S2")
def test_three_cards_are_judged_and_the_third_card_is_named() -> None:
    assert ask(do="why_not", cards=SET) == {"id": 7, "ok": True, "is_set": True, "why_not": [], "third_card": "3RSD"}


@pytest.mark.rule("S3")
def test_a_wrong_set_is_explained_feature_by_feature() -> None:
    answer = ask(do="why_not", cards=["1RSD", "2RSO", "3PSO"])
    assert answer["is_set"] is False
    assert answer["why_not"] == ["Colour: 2 red, 1 purple.", "Shape: 2 ovals, 1 diamond."]


def test_all_sets_among_some_cards_are_listed_with_their_difficulty() -> None:
    answer = ask(do="sets", cards=[*SET, "1GSD"])
    assert (answer["count"], answer["sets"]) == (1, [{"cards": SET, "difficulty": 1}])


@pytest.mark.rule("P1")
def test_a_puzzle_shows_its_sets_only_when_they_are_asked_for() -> None:
    hidden, shown = ask(do="puzzle", date="2026-11-15"), ask(do="puzzle", date="2026-11-15", solved=True)
    assert "sets" not in hidden["puzzle"]
    assert len(shown["puzzle"]["sets"]) == hidden["puzzle"]["count"] == 4


def test_a_practice_puzzle_comes_from_its_seed_and_number() -> None:
    first, again, other = (ask(do="puzzle", kind="advanced", seed="v1:a", number=n)["puzzle"] for n in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"do": "sets", "cards": ["1RSD", "1RSD"]}, "twice"),
        ({"do": "sets", "cards": []}, "1 to 81"),
        ({"do": "sets", "cards": ["7RSD"]}, "no card"),
        ({"do": "sets", "cards": "1RSD"}, "list"),
        ({"do": "why_not", "cards": ["1RSD"]}, "Number of cards must be 3, not 1."),
        ({"do": "puzzle", "date": "2026-02-30"}, "2026-11-15"),
        ({"do": "puzzle", "date": "2026-02-03", "seed": "v1:a"}, "not both"),
        ({"do": "puzzle"}, "Request puzzle needs one of these fields: date, seed"),
        ({"do": "puzzle", "kind": "hard", "seed": "v1:a"}, "basic, advanced"),
        ({"do": "puzzle", "seed": "a"}, "v1:"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_sentence_that_helps(request_: dict[str, Any], message: str) -> None:
    answer = ask(**request_)
    assert answer["ok"] is False
    assert message in answer["error"]["message"]
