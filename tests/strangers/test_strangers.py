"""A stranger adds a card, an edition, a variant and a language by one row each, and all of them work."""

import json
from pathlib import Path

import pytest

from tests.rule_coverage import ROOT
from tests.strangers.copies import CARD, EDITION, LANGUAGE, VARIANT, Change, copy_with, run

PROTOCOL = """
import json, sys
from threefold.engine import Engine
engine = Engine()
print(json.dumps([engine.answer(request) for request in json.loads(sys.argv[1])]))
"""
SPEEDS = """
import sys
from threefold.karma import KARMA
from threefold.karma.fast import FAST_KARMA
from threefold.serialising import PlainSerialiser
from threefold.shuffle import below, random_from

json_of, seen = PlainSerialiser(KARMA), set()
setup = {"edition": "camp_fire", "players": 2, "seed": "v1:fire", "options": {"turn_limit": 150}}
plain, fast, random = KARMA.new(setup), FAST_KARMA.new(setup), random_from("v1:fire", "picks")
while decisions := KARMA.decisions(plain):
    decision = decisions[below(random, len(decisions))]
    move = decision.moves[below(random, len(decision.moves))]
    step, fast_step = KARMA.play(plain, decision.player, move), FAST_KARMA.play(fast, decision.player, move)
    plain, fast = step.table, fast_step.table
    assert FAST_KARMA.json_views(fast, [None, 0, 1]) == json_of.json_views(plain, [None, 0, 1])
    assert list(fast_step.events) == list(step.events)
    seen.update(event.facts["card"] for event in step.events if event.name == "cards_played")
assert "FIR" in seen, seen
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_with(tmp_path_factory.mktemp("stranger"), CARD, EDITION, VARIANT, LANGUAGE)


def answers(copy: Path, *requests: object) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(run(copy, "-c", PROTOCOL, json.dumps(requests)))
    return found


def generated(copy: Path, name: str) -> str:
    return (copy / "frontend" / "src" / "generated" / name).read_text("utf-8")


@pytest.mark.parametrize("change", [CARD, EDITION, VARIANT, LANGUAGE], ids=["card", "edition", "variant", "language"])
def test_each_recipe_touches_one_file_beside_tests_and_texts(change: Change) -> None:
    assert len(change.rows) == 1
    recipes = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert all(file.removeprefix("src/threefold/") in recipes for file in change.rows)


def test_a_thirteenth_card_is_in_the_engine_protocol_and_in_the_page(copy: Path) -> None:
    house = {"karma": {"FIR": 6}, "numbers": {"copies": 3}}
    position = f"{json.dumps(house)}; 0 hand 7 FIR; 1 hand 4 9; turn 0; pile 5; draw 8 10"
    new, played = answers(
        copy,
        {"do": "new", "game": "karma", "position": position},
        {"do": "play", "table": "t1", "player": 0, "move": "play FIR"},
    )
    assert "play FIR" in str(new["decisions"])
    assert "You play Fire" in str(played["events"]) or "Fire" in str(played["events"])
    assert '"code": "FIR", "clause": "K52", "mark": "0", "picture": "🔥"' in generated(copy, "karma.ts")


def test_an_edition_is_offered_and_played_with_its_own_clearing_count(copy: Path) -> None:
    editions, _, view = answers(
        copy,
        {"do": "editions"},
        {"do": "new", "game": "karma", "edition": "camp_fire", "players": 2, "seed": "v1:a"},
        {"do": "view", "table": "t1", "player": 0},
    )
    assert "camp_fire" in str(editions)
    assert view["view"]["clears_at"] == 4  # type: ignore[index]
    assert '"edition": "camp_fire"' in generated(copy, "karmaSetup.ts")


@pytest.mark.slow
def test_the_card_and_the_edition_play_the_same_at_both_speeds(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THREEFOLD_CACHE", str(tmp_path))
    run(copy, "-c", SPEEDS)


def test_a_variant_says_by_its_flags_what_it_does(copy: Path) -> None:
    variants, _, view = answers(
        copy,
        {"do": "variants"},
        {"do": "new", "game": "set", "variant": "quick_nine", "players": 2, "seed": "v1:a"},
        {"do": "view", "table": "t1", "player": 0},
    )
    assert "quick_nine" in str(variants)
    shown = view["view"]
    assert shown["flags"]["call_first"] is False  # type: ignore[index]
    assert shown["flags"]["layout"] == 9  # type: ignore[index]
    assert len(shown["layout"]) == 9  # type: ignore[index]
    assert shown["take"] is not None  # type: ignore[index]
    assert '"variant": "quick_nine"' in generated(copy, "setSetup.ts")
    assert '"quick_nine"' in generated(copy, "set.ts")


def test_a_language_is_its_folder_and_one_list(copy: Path) -> None:
    program = "from threefold.texts import Text, say; print(say(Text('card.FIR'), language='fr'))"
    assert run(copy, "-c", program).strip() == "Fire"
    assert 'export const LANGUAGES = ["en", "de", "es", "fr"] as const;' in generated(copy, "texts.ts")
