"""Moves and positions as text."""

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.setgame.tables import SETUPS, table, wander
from threefold import karma, setgame
from threefold.game import BadSetup, IllegalMove
from threefold.setgame import moves as m
from threefold.setgame.cards import CARD_NAMES
from threefold.setgame.notation import WORDS, card_of, format_move, parse_move
from threefold.setgame.positions import format_position, parse_position


@pytest.mark.parametrize("what", WORDS)
def test_a_move_is_read_as_it_is_written(what: int) -> None:
    assert parse_move(format_move(what)) == what


@given(st.permutations(range(81)))
def test_a_take_is_read_as_it_is_written(cards: list[int]) -> None:
    move = m.take_of(*cards[:3])
    assert parse_move(format_move(move)) == move
    assert format_move(move) == "take " + " ".join(CARD_NAMES[card] for card in cards[:3])


@given(st.text(max_size=40))
def test_any_text_is_a_move_or_refused(text: str) -> None:
    with suppress(IllegalMove):
        assert parse_move(format_move(parse_move(text))) == parse_move(text)


def test_a_card_is_read_in_capitals_or_not() -> None:
    assert card_of("2rto") == card_of("2RTO")


def without_setup(state: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if name != "setup"}


@given(st.sampled_from(SETUPS), st.integers(0, 2**32))
def test_every_table_of_a_game_is_read_as_it_is_written(setup: dict[str, Any], seed: int) -> None:
    for wandered in wander(setup, seed, 25):
        now = wandered.step.table
        text = format_position(now)
        again = parse_position(text)
        assert without_setup(setgame.state(again)) == without_setup(setgame.state(now))
        assert format_position(again) == text
        assert setgame.decisions(again) == setgame.decisions(now)
        assert setgame.setup(again) == {"position": text}


def test_a_position_plays_on_as_the_game_it_was_taken_from() -> None:
    *_, last = wander(SETUPS[7], 4, 30)
    again = parse_position(format_position(last.before))
    step = setgame.play(again, *last.move)
    assert step.events == last.step.events


def test_a_position_may_leave_out_what_is_as_usual() -> None:
    lying = table("full; players 2; layout ONE_SET")
    assert lying.deck_size == 81 - 12
    assert lying.deals == 1
    assert setgame.new({"position": "full; players 2; deck"}).deck_size == 0
    assert table("full\nplayers 2\n\nlayout ONE_SET").players == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ultra; players 2",
        "full {; players 2",
        "full; layout 1RSD",
        "full; players 1",
        "full; players two",
        "full; players",
        "full; players 2; layout 1RSD 1RSD",
        "full; players 2; layout 9XXX",
        "small_deck; players 2; layout 1RTD",
        "full; players 2; layout 1RSD; deck 1RSD",
        "full; players 2; deck 1RSD 1RSD",
        "full; players 2; taken 2 1RSD 1RTD 1ROD",
        "full; players 2; taken 1 1RSD 1RTD",
        "full; players 2; score 1 2 3",
        "full; players 2; away 7",
        "full; players 2; control 0",
        "full; players 2; ended badly",
        "full; players 2; random 1 2",
        "full; players 2; weather fine",
        "full; layout " + " ".join(CARD_NAMES[:22]) + "; players 2",
    ],
)
def test_what_is_no_position_is_refused_and_the_part_is_named(text: str) -> None:
    with pytest.raises(BadSetup) as refused:
        parse_position(text)
    assert str(refused.value)


PAGES = Path(__file__).parents[2] / "docs" / "reference"


@pytest.mark.parametrize(("page", "new"), [("notation.md", karma.new), ("set-notation.md", setgame.new)])
def test_the_position_that_a_page_shows_can_be_played_on(page: str, new: Callable[[dict[str, str]], object]) -> None:
    (position,) = re.findall(r"^    (.*; .*)$", (PAGES / page).read_text("utf-8"), re.MULTILINE)
    assert new({"position": position})
