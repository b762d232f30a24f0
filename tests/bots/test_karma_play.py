"""How the Karma bots play: single decisions."""

from collections import Counter
from typing import Any

import pytest

from threefold import karma
from threefold.bots import any_legal_move
from threefold.games import KITS
from threefold.shuffle import random_from


def chosen(bot: str, position: str, player: int = 0) -> str:
    """What a bot does in a position."""
    choice = KITS["karma"].bots[bot](karma.view(karma.new({"position": position}), player), random_from("v1:x"))
    assert choice is not None
    return choice.move


@pytest.mark.parametrize("bot", ["careful", "sharp"])
def test_low_cards_go_first_and_identical_ones_together(bot: str) -> None:
    position = "classic; 0 hand 4 4 9 GIV up 1 2 3; 1 hand 5 5 5; pile 2; draw 1 1; turn 0"
    assert chosen(bot, position) == "play 4 4"


@pytest.mark.parametrize("bot", ["careful", "sharp"])
def test_karma_cards_are_kept_while_a_number_fits(bot: str) -> None:
    assert chosen(bot, "classic; 0 hand 12 GIV TAB; 1 hand 5 5 5; pile 11; turn 0") == "play 12"


@pytest.mark.parametrize("bot", ["beginner", "careful", "sharp"])
def test_no_policy_picks_up_when_it_can_play(bot: str) -> None:
    position = "classic; 0 hand GIV 3 3; 1 hand 5 5 5; pile TAB 11; draw 1 1 2 2; turn 0"
    assert chosen(bot, position) == "play GIV"


@pytest.mark.parametrize("bot", ["beginner", "careful", "sharp"])
def test_no_policy_picks_up_twelve_cards_while_it_holds_bottoms_up_however_long_the_game(bot: str) -> None:
    pile = "1 1 2 2 4 4 6 6 7 7 8 11"
    position = f"classic; 0 hand BOT 3 3; 1 hand 5 5 5; pile {pile}; turn 0"
    view: dict[str, Any] = {**karma.view(karma.new({"position": position}), 0), "turns": 900}
    assert {"play BOT", "pick up"} <= set(view["moves"])
    random = random_from("v1:long")
    choices = [KITS["karma"].bots[bot](view, random) for _ in range(300)]
    assert "pick up" not in {choice.move for choice in choices if choice is not None}


def test_a_beginner_never_picks_up_when_it_can_play_and_takes_care_two_times_in_three() -> None:
    position = "classic; 0 hand 4 9 GIV up 1 2 3; 1 hand 5 5 5; pile 2; draw 1 1; turn 0"
    view = karma.view(karma.new({"position": position}), 0)
    random = random_from("v1:beginner")
    plays = Counter(KITS["karma"].bots["beginner"](view, random).move for _ in range(900))  # type: ignore[union-attr]
    assert set(plays) == {"play 4", "play 9", "play GIV"}
    assert 0.7 < plays["play 4"] / 900 < 0.85


def test_sharp_clears_when_it_can() -> None:
    assert chosen("sharp", "classic; 0 hand 4 9 3; 1 hand 5 5 5; pile 1 9 9; draw 7 7; turn 0") == "play 9"


@pytest.mark.parametrize("bot", ["careful", "sharp"])
def test_the_pile_goes_to_whoever_is_nearest_to_going_out(bot: str) -> None:
    seats = "0 hand 3 3 GIV; 1 hand 5 5 6 7; 2 hand 8; 3 hand 9 9 10"
    assert chosen(bot, f"classic; {seats}; pile 12 13; pending give_pile; turn 0") == "choose 2"


@pytest.mark.parametrize("bot", ["careful", "sharp"])
def test_hands_are_exchanged_with_whoever_holds_fewest(bot: str) -> None:
    seats = "0 hand 3 3 4 4; 1 hand 5 5 6 7; 2 hand 8 up 4; 3 hand 9 9 10"
    assert chosen(bot, f"second_edition; {seats}; pile 12 13; pending exchange_hands; turn 0") == "choose 2"


def test_sharp_sits_down_in_the_place_of_somebody_who_is_out() -> None:
    seats = "0 hand 3 3 4 4; 1 hand 5; 2; 3 hand 9 9 10"
    assert chosen("sharp", f"second_edition; {seats}; pending change_seats; turn 0") == "choose 2"


@pytest.mark.parametrize("bot", ["careful", "sharp"])
def test_the_highest_and_karma_cards_lie_face_up(bot: str) -> None:
    view = karma.view(karma.new({"edition": "classic", "players": 2, "seed": "v1:face"}), 0)
    hand = sorted(view["seats"][0]["hand"] or (), key=lambda code: int(code) if code.isdigit() else 99)
    choice = KITS["karma"].bots[bot](view, random_from("v1:x"))
    assert choice is not None
    assert sorted(choice.move.split()[2:]) == sorted(hand[3:])


def test_a_bot_without_a_move_waits() -> None:
    table = karma.new({"position": "classic; 0 hand 3; 1 hand 5; turn 1"})
    assert KITS["karma"].bots["sharp"](karma.view(table, 0), random_from("v1:x")) is None
    assert any_legal_move(karma.view(table, 0), random_from("v1:x")) is None


def test_bots_think_as_long_as_people_would() -> None:
    choice = KITS["karma"].bots["careful"](
        karma.view(karma.new({"position": "classic; 0 hand 3; 1 hand 5; turn 0"}), 0), random_from("v1:x")
    )
    assert choice is not None
    assert 500 <= choice.after_ms <= 3000
