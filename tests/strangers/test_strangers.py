"""A stranger adds a card, an edition, a variant or a language by one row, each in a copy of its own, and it works."""

import json
from pathlib import Path

import pytest

from tests.rule_coverage import ROOT
from tests.strangers.copies import CARD, CHANGES, EDITION, LANGUAGE, VARIANT, Change, copy_with, run, touched

PROTOCOL = """
import json, sys
from threefold.engine import Engine
engine = Engine()
print(json.dumps([engine.answer(request) for request in json.loads(sys.argv[1])]))
"""
SPEEDS = """
import json, sys
from threefold.karma import KARMA
from threefold.karma.fast import FAST_KARMA
from threefold.serialising import PlainSerialiser
from threefold.shuffle import below, random_from

json_of = PlainSerialiser(KARMA)
for edition, card in json.loads(sys.argv[1]):
    seen = set()
    setup = {"edition": edition, "players": 2, "seed": "v1:fire", "options": {"turn_limit": 150}}
    plain, fast, random = KARMA.new(setup), FAST_KARMA.new(setup), random_from("v1:fire", "picks")
    while decisions := KARMA.decisions(plain):
        decision = decisions[below(random, len(decisions))]
        move = decision.moves[below(random, len(decision.moves))]
        step, fast_step = KARMA.play(plain, decision.player, move), FAST_KARMA.play(fast, decision.player, move)
        plain, fast = step.table, fast_step.table
        assert FAST_KARMA.json_views(fast, [None, 0, 1]) == json_of.json_views(plain, [None, 0, 1])
        assert list(fast_step.events) == list(step.events)
        seen.update(event.facts["card"] for event in step.events if event.name == "cards_played")
    assert card in seen, seen
"""


HOUSE = {"karma": {"FIR": 6}, "numbers": {"copies": 3}}


@pytest.fixture(scope="module")
def copy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean copy with the one change that the test names."""
    return copy_with(tmp_path_factory.mktemp("stranger"), request.param)


def in_a_copy_with(change: Change) -> pytest.MarkDecorator:
    (name,) = (name for name, each in CHANGES.items() if each is change)
    return pytest.mark.parametrize("copy", [pytest.param(change, id=name)], indirect=True)


def answers(copy: Path, *requests: object) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(run(copy, "-c", PROTOCOL, json.dumps(requests)))
    return found


def generated(copy: Path, name: str) -> str:
    return (copy / "frontend" / "src" / "generated" / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("copy", "change"), [(each, each) for each in CHANGES.values()], ids=CHANGES, indirect=["copy"]
)
def test_each_recipe_touches_one_file_beside_texts_and_generated_facts(copy: Path, change: Change) -> None:
    texts = {f"src/threefold/texts/en/{part}.json" for part in change.texts}
    english = ROOT / "src" / "threefold" / "texts" / "en"
    texts |= {f"src/threefold/texts/{code}/{path.name}" for code in change.languages for path in english.iterdir()}
    changed = {file for file in touched(copy) if not file.startswith("frontend/src/generated/")}
    assert changed == {*change.rows, *texts}
    assert len(change.rows) == 1
    recipes = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert all(file.removeprefix("src/threefold/") in recipes for file in change.rows)


@in_a_copy_with(CARD)
def test_a_thirteenth_card_is_in_the_engine_protocol_and_in_the_page(copy: Path) -> None:
    position = f"{json.dumps(HOUSE)}; 0 hand 7 FIR; 1 hand 4 9; turn 0; pile 5; draw 8 10"
    new, played = answers(
        copy,
        {"do": "new", "game": "karma", "position": position},
        {"do": "play", "table": "t1", "player": 0, "move": "play FIR"},
    )
    assert "play FIR" in str(new["decisions"])
    assert "Fire" in str(played["events"])
    assert '"code": "FIR", "clause": "K52", "mark": "0", "picture": "🔥"' in generated(copy, "karma.ts")


@in_a_copy_with(EDITION)
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
def test_the_card_and_the_edition_play_the_same_at_both_speeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THREEFOLD_CACHE", str(tmp_path / "cache"))
    both = copy_with(tmp_path, CARD, EDITION)  # one copy, because compiling takes half a minute
    run(both, "-c", SPEEDS, json.dumps([(HOUSE, "FIR"), ("camp_fire", "CLR")]))


@in_a_copy_with(VARIANT)
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


GUIDES = """\
import sys
from threefold.games import KITS
from threefold.texts import LANGUAGES, say

game, way = sys.argv[1:]
for language in LANGUAGES:
    for section in KITS[game].guides.guide(way, {}):
        print(say(section.title, language=language))
        for block in section.blocks:
            figures = [words for group in block.figure for words in group.words]
            print(" ".join(say(each, language=language) for each in [*block.words, *figures]))
"""


@in_a_copy_with(EDITION)
def test_an_edition_has_its_guide_by_itself_in_every_language(copy: Path) -> None:
    guide = run(copy, "-c", GUIDES, "karma", "camp_fire")
    assert "{" not in guide
    assert "The numbers go from 3 to 12, with 2 cards of each." in guide
    assert "Spiel die Karte, mit der 4 gleiche obenauf liegen" in guide


@in_a_copy_with(VARIANT)
def test_a_variant_has_its_guide_by_itself_in_every_language(copy: Path) -> None:
    guide = run(copy, "-c", GUIDES, "set", "quick_nine")
    assert "{" not in guide
    assert "Lay 9 cards face up on the table" in guide
    assert "27 Karten" in guide
    assert "Call it first!" not in guide


@in_a_copy_with(LANGUAGE)
def test_a_language_is_its_folder_and_one_list(copy: Path) -> None:
    program = "from threefold.texts import Text, say; print(say(Text('page.home.play_now'), language='fr'))"
    assert run(copy, "-c", program).strip() == "Jouer"
    assert 'export const LANGUAGES = ["en", "de", "es", "fr"] as const;' in generated(copy, "texts.ts")
