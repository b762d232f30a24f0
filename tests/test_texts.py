"""Sentences are keys with parameters: how a parameter reads, how a choice is made, and that none is left over."""

import ast
import re
from pathlib import Path

import pytest

import threefold
from tests.karma.test_refusals import parameters_in
from threefold.texts import LANGUAGES, PARAMETERS, Names, Text, _Formatter, catalogue, say

SOURCE = Path(threefold.__file__).parent
MIND_READING = Names(players=("Ada", "Ben", "Cleo"), cards={"D1": "Whirl"})


def spoken(sentence: object, viewer: int | None = None, **parameters: object) -> str:
    """A sentence that is in no catalogue, said as those in it are."""
    sentences = {**catalogue(), "test": sentence}
    return _Formatter(sentences, LANGUAGES["en"], viewer, MIND_READING).say("test", parameters)


# ---------------------------------------------------------------- How parameters read


@pytest.mark.parametrize(
    ("sentence", "parameters", "viewer", "words"),
    [
        ("{player}", {"player": 0}, None, "Ada"),
        ("{player}", {"player": 0}, 0, "you"),
        ("{player}", {"player": 7}, 0, "player 7"),
        ("{to} {other} {loser}", {"to": 0, "other": 1, "loser": 2}, 1, "Ada you Cleo"),
        ("{players}", {"players": []}, None, ""),
        ("{winners}", {"winners": [0]}, None, "Ada"),
        ("{winners}", {"winners": [0, 1]}, 1, "Ada and you"),
        ("{losers}", {"losers": [0, 1, 2]}, None, "Ada, Ben and Cleo"),
        ("{card}", {"card": "7"}, None, "7"),
        ("{card}", {"card": "ONE"}, None, "Give a Card"),
        ("{card}", {"card": "D1"}, None, "Whirl"),
        ("{card}", {"card": "D2"}, None, "D2"),
        ("{cards}", {"cards": ["7", "7", "GIV", "7"]}, None, "three 7s and Give the Pile to a Friend"),
        ("{cards}", {"cards": ["8", "11", "1", "711"]}, None, "an 8, an 11, a 1 and 7 to 11"),
        ("{cards}", {"cards": ["7"] * 7}, None, "7 × 7"),
        ("{cards}", {"cards": ["BOT", "D1", "BOT", "D1"]}, None, "two Bottoms Up cards and two Whirl cards"),
        ("{one_card}", {"card": "8"}, None, "an 8"),
        ("{copies}", {"card": "10", "count": 3}, None, "three 10s"),
        ("{run}", {"cards": ["10", "4", "10", "10"]}, None, "two 10s"),
        ("{rest}", {"cards": ["10", "4", "10", "10"]}, None, "a 10 and a 4"),
        ("{run}{rest}", {"cards": []}, None, ""),
        ("{movers}", {"moved": [{"player": 1}, {"player": 0}]}, 0, "Ben and you"),
        ("{margin}", {"n": 15}, None, "0.015"),
        ("{margin}", {"n": 12345}, None, "12.345"),
        ("{copies}", {"card": "10"}, None, "–"),
        ("{failing}", {"failing": [{"key": "you"}, {"key": "player", "parameters": {"n": 2}}]}, None, "you player 2"),
        ("{power}", {"power": "reverse"}, None, "reverse the direction of play"),
        ("{powers}", {"powers": ["reverse", "draw_cards"]}, None, "reverse the direction of play; draw cards"),
        ("{location}", {"location": "face_up"}, None, "your face-up cards"),
        ("{count} {n} {most}", {"count": 3, "n": 4, "most": 5}, None, "3 4 5"),
        ("{given}", {"given": "<b>"}, None, "<b>"),
        ("{card}", {"card": None}, None, "–"),
        ("{card}", {}, None, "–"),
        ("no parameters", {}, None, "no parameters"),
    ],
)
def test_how_a_parameter_reads_is_decided_by_its_name(
    sentence: str, parameters: dict[str, object], viewer: int | None, words: str
) -> None:
    assert spoken(sentence, viewer, **parameters) == words


CHOICE = {"by": "count", "none": "none", "one": "one", "2": "two", "other": "{count}"}


@pytest.mark.parametrize(
    ("choice", "parameters", "viewer", "words"),
    [
        (CHOICE, {"count": None}, None, "none"),
        (CHOICE, {}, None, "none"),
        (CHOICE, {"count": 1}, None, "one"),
        (CHOICE, {"count": 2}, None, "two"),
        (CHOICE, {"count": 3}, None, "3"),
        (CHOICE, {"count": 0}, None, "0"),
        ({"by": "cards", "none": "-", "one": "1", "other": "+"}, {"cards": []}, None, "-"),
        ({"by": "cards", "none": "-", "one": "1", "other": "+"}, {"cards": ["7"]}, None, "1"),
        ({"by": "cards", "none": "-", "one": "1", "other": "+"}, {"cards": ["7", "8"]}, None, "+"),
        ({"by": "cards", "2": "two", "other": "+"}, {"cards": ["7", "8"]}, None, "two"),
        ({"by": "rest", "none": "-", "other": "+"}, {"cards": ["7", "7"]}, None, "-"),
        ({"by": "winners", "you": "you", "one": "1", "other": "+"}, {"winners": [2]}, 2, "you"),
        ({"by": "winners", "you": "you", "one": "1", "other": "+"}, {"winners": [2]}, 1, "1"),
        ({"by": "winners", "you": "you", "one": "1", "other": "+"}, {"winners": [1, 2]}, 1, "+"),
        ({"by": "winners", "one": "1", "other": "+"}, {"winners": [2]}, 2, "1"),
        ({"by": "player", "you": "you", "other": "they"}, {"player": 0}, 0, "you"),
        ({"by": "player", "you": "you", "other": "they"}, {"player": 0}, 1, "they"),
        ({"by": "player", "you": "you", "other": "they"}, {"player": 0}, None, "they"),
        ({"by": "player", "one": "wrong", "other": "player 1"}, {"player": 1}, None, "player 1"),
        ({"by": "fits", "true": "yes", "other": "no"}, {"fits": True}, None, "yes"),
        ({"by": "fits", "true": "yes", "other": "no"}, {"fits": False}, None, "no"),
        ({"by": "way", "left": "L", "other": "R"}, {"way": "left"}, None, "L"),
        ({"by": "way", "none": "nowhere", "other": "R"}, {"way": ""}, None, "nowhere"),
        ({"by": "way", "left": {"by": "n", "one": "1", "other": "{n}"}, "other": "R"}, {"way": "left", "n": 4}, 0, "4"),
    ],
)
def test_a_choice_is_made_by_one_parameter(
    choice: object, parameters: dict[str, object], viewer: int | None, words: str
) -> None:
    assert spoken(choice, viewer, **parameters) == words


def test_a_sentence_begins_with_a_capital_and_a_mere_word_does_not() -> None:
    assert say(Text("karma.event.went_out", {"player": 3})) == "Player 3 has no cards left and is safe!"
    assert say(Text("player", {"n": 3})) == "player 3"


def test_a_text_travels_as_key_and_parameters() -> None:
    assert Text("list", {"first": 1}).as_json() == {"key": "list", "parameters": {"first": 1}}
    assert Text("you").as_json() == {"key": "you"}


def test_there_is_no_language_without_a_catalogue() -> None:
    assert next(iter(LANGUAGES)) == "en"
    with pytest.raises(ValueError, match="there are en, de, es"):
        catalogue("tlh")


# ---------------------------------------------------------------- The catalogue


def leaves(sentence: object) -> list[str]:
    if isinstance(sentence, str):
        return [sentence]
    assert isinstance(sentence, dict)
    assert set(sentence) >= {"by", "other"}, "a choice has a parameter and a last resort"
    return [leaf for branch, each in sentence.items() if branch != "by" for leaf in leaves(each)]


@pytest.mark.parametrize("key", sorted(catalogue()))
def test_every_sentence_is_well_formed(key: str) -> None:
    for sentence in leaves(catalogue()[key]):
        assert sentence.strip() == sentence
        assert "  " not in sentence
        assert not re.search(r"[.!?] \{(player|to|other|loser|card|power|location)\}", sentence), "not capitalised"
    for name in parameters_in(catalogue()[key]):
        assert name.isidentifier()


def test_no_parameter_is_read_in_a_way_that_does_not_exist() -> None:
    readers = {name for name in dir(_Formatter) if not name.startswith("_")}
    types = [each.partition(":") for each in PARAMETERS.values()]
    assert {kind for kind, _, _ in types} <= readers | {"number"}
    for _, _, start in types:
        assert not start or any(key.startswith(f"{start}.") for key in catalogue()), start


# ---------------------------------------------------------------- The source and the catalogue


def keys_in(path: Path) -> set[str]:
    """The keys that a file names whole, as `Text("…")`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Text" and node.args:
            key = node.args[0]
            if isinstance(key, ast.Constant):
                found.add(str(key.value))
    return found


def refusals_in(path: Path, name: str) -> set[str]:
    """The last words of keys that a file hands to its function of this name."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name and node.args:
            found |= {each.value for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant)}
    return {each for each in found if isinstance(each, str)}


def test_every_key_in_the_source_is_in_the_catalogue() -> None:
    for path in SOURCE.rglob("*.py"):
        assert keys_in(path) <= set(catalogue()), path
    beginnings = {
        "karma/refusals.py": ("refuse", "karma.refusal."),
        "karma/design.py": ("_refuse", "karma.design."),
        "karma/deal.py": ("refuse", "setup."),
        "karma/editions.py": ("refuse", "setup."),
        "karma/positions.py": ("refuse", "setup."),
        "engine.py": ("refuse", "setup."),
        "fields.py": ("refuse", "setup."),
        "saved.py": ("refuse", "setup."),
    }
    for file, (function, beginning) in beginnings.items():
        keys = {beginning + each for each in refusals_in(SOURCE / file, function) if not each.startswith("K")}
        assert keys <= set(catalogue()), file


def test_every_refusal_of_karma_in_the_catalogue_is_in_the_source() -> None:
    source = "".join(path.read_text("utf-8") for path in (SOURCE / "karma").glob("*.py"))
    for key in catalogue():
        if key.startswith(("karma.refusal.", "karma.setup.", "karma.design.")):
            assert re.search(rf"[\"'.]{key.rpartition('.')[2]}[\"']", source), key
