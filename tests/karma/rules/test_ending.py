"""K22 to K24: going out, coming back, and the ways a game ends."""

import pytest

from tests.karma.rules.steps import (
    HOUSE,
    WITHDRAWN,
    After,
    after,
    again,
    agreed_to_draw,
    brought_back,
    card_given,
    cleared,
    code,
    drew,
    ended,
    face_up_chosen,
    hands_exchanged,
    hands_passed,
    house,
    lay,
    left,
    moves,
    offered_draw,
    picked_up,
    pile_given,
    played,
    refused,
    seats_changed,
    turn,
    turn_lost,
    went_out,
)
from threefold import karma
from threefold.game import Ending

LIMITED = 'classic {"turn_limit":3}'
AT_ANY_TIME = {
    "set-up": "classic; 0 hand 1 2 3 4 5 6; 1 hand 7 8 9 10 11 12; set-up",
    "a turn": "classic; 0 hand 7 8; 1 hand 9; turn 0; pile 5",
    "a power": "classic; 0 hand 8; 1 hand 9; turn 0; pile 5; pending give_pile",
    "drawing": 'classic {"draw":"by hand"}; 0 hand 8; 1 hand 9; drawing; turn 0; pile 5; draw 1 2 3',
    "having to draw": 'second_edition {"draw":"by hand"}; 0 up 8 . .; 1 hand 9; must draw; turn 0; draw 1 2 3',
    "a gift": f"{HOUSE}; 0 hand 8; 1 hand 9; turn 0; pile ONE; pending give_cards 1; giving hand 8",
}
"""What a table waits for -> a position that waits for it."""


def anytime(position: str | After) -> dict[int | None, list[str]]:
    table = position.table if isinstance(position, After) else lay(position)
    return {each.player: list(each.moves) for each in karma.anytime(table)}


# ---------------------------------------------------------------- K22


@pytest.mark.rule("K22")
@pytest.mark.parametrize(
    ("cards", "move"),
    [("hand 7", "play 7"), ("up 7 . .", "play 7"), ("down . 7 .", "flip 2"), ("hand 7 7", "play 7 7")],
)
def test_with_no_card_left_anywhere_you_are_out(cards: str, move: str) -> None:
    step = after(f"classic; 0 {cards}; 1 hand 9; 2 hand 4; turn 0; pile 5", 0, move)
    assert step.events[1:] == [went_out(0), turn(1)]
    assert karma.view(step.table, None)["out"] == [0]


@pytest.mark.rule("K22")
@pytest.mark.parametrize("cards", ["hand 7 8", "hand 7 up . 8 .", "hand 7 down . . 8"])
def test_with_a_card_left_at_any_location_you_are_not_out(cards: str) -> None:
    step = after(f"classic; 0 {cards}; 1 hand 9; 2 hand 4; turn 0; pile 5", 0, "play 7")
    assert step.events == [played(0, "7"), turn(1)]


@pytest.mark.rule("K22", "K11")
def test_whoever_draws_is_not_out() -> None:
    step = after("classic; 0 hand 7; 1 hand 9; 2 hand 4; turn 0; pile 5; draw 6", 0, "play 7")
    assert step.events == [played(0, "7"), drew(0, "6"), turn(1)]


@pytest.mark.rule("K22", "K40")
def test_a_pile_brings_a_player_back() -> None:
    step = after("classic; 0 hand GIV 8; 1; 2 hand 4; turn 0; pile 5", 0, "play GIV", "choose 1")
    assert step.events == [played(0, "GIV"), left(0, "GIV"), pile_given(0, 1, "5"), brought_back(1), turn(1)]
    assert karma.view(step.table, None)["out"] == []


@pytest.mark.rule("K22", "K51")
def test_a_card_brings_a_player_back() -> None:
    step = after("second_edition; 0 hand ONE 8 9; 1; 2 hand 4; turn 0", 0, "play ONE", "give 8", "choose 1")
    assert step.events[-3:] == [card_given(0, 1, "8"), brought_back(1), turn(1)]


@pytest.mark.rule("K22", "K45")
def test_an_exchange_brings_a_player_back_and_can_put_the_other_out() -> None:
    step = after("second_edition; 0 hand EXC 8; 1; 2 hand 4; turn 0; pile 3", 0, "play EXC", "choose 1")
    assert step.events[-4:] == [hands_exchanged(0, 1), went_out(0), brought_back(1), turn(1)]


@pytest.mark.rule("K22", "K50")
def test_a_pass_brings_a_player_back() -> None:
    step = after("second_edition; 0 hand PAS 8 9; 1; 2 hand 4; turn 0; pile 3", 0, "play PAS")
    assert step.events[-4:] == [hands_passed(0, "right"), went_out(0), brought_back(1), turn(1)]


@pytest.mark.rule("K22", "K46")
def test_a_change_of_seats_brings_a_player_back_and_puts_the_other_out() -> None:
    step = after("second_edition; 0 hand SEA up 8 . .; 1; 2 hand 4; turn 0; pile 3", 0, "play SEA", "choose 1")
    assert step.events[-4:] == [
        seats_changed(0, (0, 0, 1), (1, 1, 0)),
        went_out(0),
        brought_back(1),
        turn(2),
    ]


@pytest.mark.rule("K22")
def test_going_out_and_coming_back_within_one_play_is_no_news() -> None:
    edition = house(code("exchange_hands", leaves=True))
    step = after(f"{edition}; 0 hand D1; 1 hand 9; 2 hand 4; turn 0; pile 5", 0, "play D1", "choose 1")
    assert step.events[-3:] == [hands_exchanged(0, 1), went_out(1), turn(2)]


# ---------------------------------------------------------------- K23


@pytest.mark.rule("K23")
def test_the_game_ends_when_one_player_is_left_with_cards_who_loses_and_all_others_win() -> None:
    step = after("classic; 0 hand 7; 1 hand 9; 2; turn 0; pile 5", 0, "play 7")
    assert step.events == [played(0, "7"), went_out(0), ended("one_left", 1)]
    assert karma.ending(step.table) == Ending("one_left", (0, 2), (1,))
    assert karma.decisions(step.table) == karma.anytime(step.table) == []
    assert step.lies == "0; 1 hand 9; 2; turn 0; ended one_left 1; pile 5 7"


@pytest.mark.rule("K23")
def test_the_one_who_plays_can_be_the_one_who_loses() -> None:
    step = after("second_edition; 0 hand EXC 8 9; 1 hand 4; turn 0; pile 5", 0, "play EXC", "choose 1")
    assert step.events[-1] == turn(1)
    step = after("second_edition; 0 hand EXC up 9 . .; 1 hand 4; turn 0; pile 5", 0, "play EXC", "choose 1")
    assert step.events[-2:] == [went_out(1), ended("one_left", 0)]
    assert karma.ending(step.table) == Ending("one_left", (1,), (0,))


@pytest.mark.rule("K23")
def test_the_game_does_not_end_before_the_effects_of_the_last_card() -> None:
    step = after("classic; 0 hand GIV; 1 hand 9; 2; turn 0; pile 5", 0, "play GIV")
    assert karma.ending(step.table) is None
    step = after(step, 0, "choose 2")
    assert step.events == [pile_given(0, 2, "5"), went_out(0), brought_back(2), turn(1)]


@pytest.mark.rule("K23", "K11")
def test_the_game_does_not_end_before_drawing() -> None:
    step = after("classic; 0 hand 7; 1 hand 9; turn 0; pile 5; draw 6", 0, "play 7")
    assert step.events == [played(0, "7"), drew(0, "6"), turn(1)]


@pytest.mark.rule("K23", "K12")
def test_the_game_does_not_end_while_a_player_without_cards_has_still_to_draw_by_hand() -> None:
    step = after('classic {"draw":"by hand"}; 0 hand 7; 1 hand 9; turn 0; pile 5; draw 6', 0, "play 7")
    assert karma.ending(step.table) is None
    assert after(step, 0, "draw").events == [drew(0, "6"), turn(1)]


@pytest.mark.rule("K23", "K61")
def test_with_nobody_left_nobody_loses() -> None:
    edition = house(code("exchange_hands", "play_table_card", leaves=True))
    step = after(f"{edition}; 0 hand D1; 1 hand 9; turn 0; pile 5", 0, "play D1", "choose 1", "play 9")
    assert step.events[-3:] == [went_out(0), went_out(1), ended("nobody_left")]
    assert karma.ending(step.table) == Ending("nobody_left", (0, 1), ())
    assert step.lies == "0; 1; turn 0; ended nobody_left; pile 5 9"


@pytest.mark.rule("K23")
@pytest.mark.parametrize("move", ["play 9", "pick up", "choose 1", "offer draw"])
def test_nothing_is_played_after_the_end(move: str) -> None:
    over = "classic; 0; 1 hand 9; turn 0; ended one_left 1; pile 5"
    assert refused(over, 1, move) == "K23"


# ---------------------------------------------------------------- K24: the limit on turns


@pytest.mark.rule("K24")
def test_reaching_the_limit_on_turns_ends_the_game_with_no_loser() -> None:
    step = after(f"{LIMITED}; 0 hand 7 8; 1 hand 9; 2; turn 0; turns 3; pile 5", 0, "play 7")
    assert step.events == [played(0, "7"), ended("turn_limit")]
    assert karma.ending(step.table) == Ending("turn_limit", (2,), ())


@pytest.mark.rule("K24")
def test_the_last_turn_before_the_limit_is_played() -> None:
    step = after(f"{LIMITED}; 0 hand 7 8; 1 hand 9; turn 0; turns 2; pile 5", 0, "play 7")
    assert step.events == [played(0, "7"), turn(1)]
    assert after(step, 1, "pick up").events == [picked_up(1, "5 7"), ended("turn_limit")]


@pytest.mark.rule("K24", "K19")
def test_a_play_again_counts_as_a_turn() -> None:
    step = after(f"{LIMITED}; 0 hand 7 8 9; 1 hand 9; turn 0; turns 2; pile 7 7", 0, "play 7")
    assert step.events == [played(0, "7"), cleared(0, "7 7 7"), again(0)]
    assert after(step, 0, "play 8").events == [played(0, "8"), ended("turn_limit")]
    step = after(f"{LIMITED}; 0 hand 7 8 9; 1 hand 9; turn 0; turns 3; pile 7 7", 0, "play 7")
    assert step.events == [played(0, "7"), cleared(0, "7 7 7"), ended("turn_limit")]


@pytest.mark.rule("K24", "K48")
def test_a_lost_turn_does_not_count() -> None:
    step = after(f"{LIMITED}; 0 hand 7 8 9; 1 hand 9; turn 0; turns 2; lost 0 1; pile 5", 0, "play 7")
    assert step.events == [played(0, "7"), turn_lost(1), turn(0)]
    assert step.table.turns == 3


@pytest.mark.rule("K24", "K23")
def test_a_game_that_ends_by_its_last_turn_has_a_loser_all_the_same() -> None:
    step = after(f"{LIMITED}; 0 hand 7; 1 hand 9; turn 0; turns 3; pile 5", 0, "play 7")
    assert step.events == [played(0, "7"), went_out(0), ended("one_left", 1)]


@pytest.mark.rule("K24")
@pytest.mark.parametrize("options", ["", ' {"turn_limit":0}', ' {"turn_limit":null}'])
def test_at_a_table_of_people_there_is_no_limit(options: str) -> None:
    step = after(f"classic{options}; 0 hand 7 8; 1 hand 9; turn 0; turns 999999; pile 5", 0, "play 7")
    assert step.events == [played(0, "7"), turn(1)]


# ---------------------------------------------------------------- K24: draws


@pytest.mark.rule("K24")
@pytest.mark.parametrize("position", AT_ANY_TIME.values(), ids=AT_ANY_TIME)
def test_all_who_hold_cards_can_agree_on_a_draw_at_any_time(position: str) -> None:
    assert anytime(position) == {0: ["offer draw"], 1: ["offer draw"]}
    offered = after(position, 1, "offer draw")
    assert offered.events == [offered_draw(1)]
    assert anytime(offered) == {0: ["agree draw"]}
    assert karma.decisions(offered.table) == karma.decisions(lay(position))
    agreed = after(offered, 0, "agree draw")
    assert agreed.events == [agreed_to_draw(0), ended("draw_agreed")]
    assert karma.ending(agreed.table) == Ending("draw_agreed", (), ())
    assert karma.decisions(agreed.table) == []


@pytest.mark.rule("K24")
@pytest.mark.parametrize("position", AT_ANY_TIME.values(), ids=AT_ANY_TIME)
def test_any_play_withdraws_an_offered_draw(position: str) -> None:
    offered = after(position, 1, "offer draw")
    step = after(offered, 0, moves(offered, 0)[0])
    assert step.events[0] == WITHDRAWN
    assert step.seen_by(None)[0] == step.seen_by(1)[0] == WITHDRAWN
    assert "agree draw" not in str(anytime(step))
    assert karma.view(step.table, 0)["draw_agreed"] == []


@pytest.mark.rule("K24", "K3")
def test_choosing_face_up_cards_goes_on_after_an_offer() -> None:
    step = after(after(AT_ANY_TIME["set-up"], 0, "offer draw"), 1, "face up 7 8 9")
    assert step.events == [WITHDRAWN, face_up_chosen(1, "7 8 9")]


@pytest.mark.rule("K24")
def test_it_takes_everyone_who_holds_cards_and_nobody_else() -> None:
    position = "classic; 0 hand 7 8; 1; 2 hand 9; 3 down 4 . .; turn 0; pile 5"
    assert refused(position, 1, "offer draw") == "K24"
    step = after(position, 2, "offer draw")
    assert refused(step, 1, "agree draw") == "K24"
    step = after(step, 0, "agree draw")
    assert step.events == [agreed_to_draw(0)]
    assert karma.view(step.table, None)["draw_agreed"] == [0, 2]
    step = after(step, 3, "agree draw")
    assert step.events == [agreed_to_draw(3), ended("draw_agreed")]
    assert karma.ending(step.table) == Ending("draw_agreed", (1,), ())


@pytest.mark.rule("K24")
def test_one_offers_once_and_agrees_only_to_an_offer() -> None:
    position = "classic; 0 hand 7 8; 1 hand 9; 2 hand 10; turn 0; pile 5"
    assert refused(position, 0, "agree draw") == "K24"
    step = after(position, 0, "offer draw")
    for player, move in ((0, "offer draw"), (0, "agree draw"), (1, "offer draw")):
        assert refused(step, player, move) == "K24"


@pytest.mark.rule("K24")
def test_after_a_withdrawal_all_are_asked_anew() -> None:
    step = after("classic; 0 hand 7 8; 1 hand 9; turn 0; pile 5", 0, "offer draw")
    step = after(step, 0, "play 7")
    assert anytime(step) == {0: ["offer draw"], 1: ["offer draw"]}
    assert after(step, 1, "offer draw").events == [offered_draw(1)]


@pytest.mark.rule("K24")
def test_a_game_that_goes_on_withdraws_nothing_that_was_not_offered() -> None:
    assert after("classic; 0 hand 7 8; 1 hand 9; turn 0", 0, "play 7").events == [played(0, "7"), turn(1)]
