"""Karma's part of `threefold play`: enough decks for the players, and a drawing that shows no hidden card."""

import pytest

from threefold.game import Json
from threefold.karma import KARMA
from threefold.karma.terminal import TERMINAL


@pytest.mark.parametrize(
    ("edition", "players", "options"),
    [
        ("classic", 6, None),
        ("classic", 7, {"decks": 2}),
        ("mini_round", 4, None),
        ("mini_round", 5, {"decks": 2}),
        ("classic", 99, {"decks": 2}),
        ("unknown", 99, None),
    ],
)
def test_there_are_as_many_decks_as_the_players_need(edition: str, players: int, options: Json) -> None:
    setup = TERMINAL.setup(edition, players)
    assert setup == {"edition": edition, "players": players, **({"options": options} if options else {})}


def test_a_drawing_shows_what_the_player_may_see() -> None:
    table = KARMA.new({"position": "classic; 0 hand 7 TAB up 3 . 12 down 5 . 2; 1 hand 4 9; turn 0; draw 8 10"})
    drawing = TERMINAL.draw(KARMA.view(table, 0), ("You", "Ada"))
    assert drawing.title == "Karma, classic"
    assert drawing.rows == [("→ 0 You", "7 TAB", "3 · 12", "▒ · ▒"), ("  1 Ada", "2 cards", "· · ·", "· · ·")]
    assert drawing.facts == {"pile": "empty", "asks for": "anything", "draw pile": "2"}
