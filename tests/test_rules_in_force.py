"""The rules in force: what a table tells its players before a game, in a few words each, from the game's own kit."""

from typing import Any

import pytest

from tests.games.war import KIT as WAR
from threefold.games import KITS
from threefold.kit import Kits
from threefold.texts import LANGUAGES, say

Json = Any
ALL = Kits((*KITS.values(), WAR))
HOUSE = {"karma": {"OWN": 1, "GIV": 2}, "clear": 2}
STAYS = KITS["karma"].designs.from_json(  # type: ignore[union-attr]
    {"name": "Swirl", "picture": "🌀", "leaves": True, "powers": [{"power": "reverse"}]}
)["code"]
CASES: list[tuple[str, Json, list[str]]] = [
    ("karma", {}, ["Classic"]),
    ("karma", {"edition": "mini_round", "options": {"draw": "by hand"}}, ["Mini Round", "Draw cards by hand"]),
    ("karma", {"edition": "second_edition"}, ["Second Edition", "Own card: reverse direction"]),
    (
        "karma",
        {"edition": "second_edition", "options": {"create_your_karma": STAYS, "decks": 2}},
        ["Second Edition", "Own card: your design", "2 decks"],
    ),
    (
        "karma",
        {"edition": HOUSE, "options": {"create_your_karma": "move left", "turn_limit": 60}},
        ["House edition", "A pair clears", "Own card: move one seat left", "At most 60 turns"],
    ),
    ("karma", {"options": {"copies": {"GIV": 1}}}, ["Classic", "Own mix of cards"]),
    ("set", {}, ["Full deck", "Press SET! first, then 6 s"]),
    ("set", {"variant": "solitaire"}, ["Solitaire"]),
    (
        "set",
        {"variant": "small_deck", "options": {"call": "with take", "auto_deal": True, "layout": 9}},
        ["Small deck", "Tap three cards", "Deals automatically", "9 cards on the table"],
    ),
    ("set", {"options": {"call_ms": 2500}}, ["Full deck", "Press SET! first, then 2.5 s"]),
    ("war", {"edition": "short"}, ["page.edition.short"]),
]


@pytest.mark.parametrize(("game", "setup", "words"), CASES)
def test_each_game_says_its_rules_in_a_few_words(game: str, setup: Json, words: list[str]) -> None:
    assert [say(each) for each in ALL[game].rules_in_force(setup)] == words


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_every_language(language: str) -> None:
    for game, setup, _ in CASES[:-1]:
        for text in KITS[game].rules_in_force(setup):
            assert say(text, language=language) != text.key


def test_a_set_up_that_is_no_longer_allowed_still_has_a_name() -> None:
    assert [say(each) for each in KITS["karma"].rules_in_force({"options": {"decks": 99}})] == ["Classic"]


@pytest.mark.parametrize("kit", ALL.values(), ids=lambda kit: kit.name)
def test_the_set_up_of_a_quick_match_can_be_played_by_two(kit: Any) -> None:
    kit.game.new({**kit.quick_match, "players": 2, "seed": "v2:match"})
