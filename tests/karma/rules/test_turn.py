"""K6 to K15: where cards are played from, what may be played, picking up, drawing, flipping, whose turn is next."""

import pytest

from tests.karma.rules.steps import (
    HOUSE,
    after,
    brought_back,
    did_not_draw,
    drew,
    flipped,
    house,
    left,
    moves,
    picked_up,
    played,
    question,
    refused,
    turn,
    went_out,
)
from threefold.karma.cards import PRINTED_CODES

BY_HAND = 'classic {"draw":"by hand"}'
WAITING = house(table_cards_need_empty_draw_pile=True)

# ---------------------------------------------------------------- K6


@pytest.mark.rule("K6")
def test_while_there_are_hand_cards_only_they_are_played() -> None:
    assert moves("classic; 0 hand 7 up 9 GIV 4 down 1 2 3; 1 hand 5; turn 0") == ["play 7"]
    assert refused("classic; 0 hand 7 up 9 GIV 4; 1 hand 5; turn 0", 0, "play 9") == "K6"
    assert refused("classic; 0 hand 7 up 9 down 4; 1 hand 5; turn 0", 0, "flip 1") == "K6"


@pytest.mark.rule("K6")
def test_when_the_hand_is_empty_face_up_cards_are_played_even_while_cards_can_be_drawn() -> None:
    assert moves("classic; 0 up 9 GIV 4 down 1 2 3; 1 hand 5; turn 0; draw 1 2") == ["play 9", "play GIV", "play 4"]
    assert refused("classic; 0 up 9 GIV 4 down 1 2 3; 1 hand 5; turn 0", 0, "flip 1") == "K6"


@pytest.mark.rule("K6")
def test_when_face_up_cards_are_gone_too_face_down_cards_are_flipped() -> None:
    assert moves("classic; 0 down 1 . 3; 1 hand 5; turn 0; pile 5") == ["flip 1", "flip 3", "pick up"]
    assert refused("classic; 0 down 1 . 3; 1 hand 5; turn 0; pile 5", 0, "flip 2") == "K13"
    assert refused("classic; 0 down 1 . 3; 1 hand 5; turn 0; pile 5", 0, "play 1") == "K13"


@pytest.mark.rule("K6")
@pytest.mark.parametrize("cards", ["up 9 10 11 down 1 2 3", "down 1 2 3"])
def test_in_the_second_edition_table_cards_wait_until_the_draw_pile_is_gone(cards: str) -> None:
    playing = f"second_edition; 0 hand 7 {cards}; 1 hand 8 8; turn 1; pile 4; draw 6 10 12"
    assert refused(after(playing, 1, "play 8"), 0, "flip 1") == "K6"
    gone = f"second_edition; 0 {cards}; 1 hand 5; turn 0; pile 4"
    assert moves(gone) != ["pick up"], "with the draw pile gone, table cards are next"


@pytest.mark.rule("K6")
def test_a_house_edition_can_let_table_cards_wait() -> None:
    wait, go = house(table_cards_need_empty_draw_pile=True), house(table_cards_need_empty_draw_pile=False)
    lying = "0 up 9 10 11; 1 hand 5 7 7 8; turn 1; pile 4; draw 6"
    assert moves(after(f"{wait}; {lying}", 1, "play 5")) == ["play 6", "pick up"]
    assert moves(after(f"{go}; {lying}", 1, "play 5")) == ["play 9", "play 10", "play 11", "pick up"]


# ---------------------------------------------------------------- K7 and K8


@pytest.mark.rule("K7")
def test_a_number_may_be_played_on_an_equal_or_lower_one_and_not_on_a_higher() -> None:
    assert moves("classic; 0 hand 6 7 8; 1 hand 5; turn 0; pile 2 7") == ["play 7", "play 8", "pick up"]
    assert refused("classic; 0 hand 6 7 8; 1 hand 5; turn 0; pile 2 7", 0, "play 6") == "K7"


@pytest.mark.rule("K7", "K8")
def test_the_same_holds_for_face_up_cards() -> None:
    assert moves("classic; 0 up 6 8 GIV; 1 hand 5; turn 0; pile 7") == ["play 8", "play GIV", "pick up"]
    assert moves("classic; 0 up 6 5 GIV; 1 hand 5; turn 0; pile LOW") == ["play 5", "play GIV", "pick up"]
    assert refused("classic; 0 up 6 8 GIV; 1 hand 5; turn 0; pile 7", 0, "play 6") == "K7"


@pytest.mark.rule("K7")
def test_only_the_top_card_is_played_on() -> None:
    assert moves("classic; 0 hand 3 16; 1 hand 5; turn 0; pile 16 2") == ["play 3", "play 16", "pick up"]


@pytest.mark.rule("K7")
def test_the_highest_number_goes_on_the_highest_and_the_lowest_on_the_lowest() -> None:
    assert moves("classic; 0 hand 15 16; 1 hand 5; turn 0; pile 16") == ["play 16", "pick up"]
    assert moves("classic; 0 hand 1 2; 1 hand 5; turn 0; pile 1") == ["play 1", "play 2", "pick up"]


@pytest.mark.rule("K7")
def test_any_card_may_be_played_on_an_empty_pile() -> None:
    assert moves("classic; 0 hand 1 16 GIV; 1 hand 5; turn 0") == ["play 1", "play 16", "play GIV"]


@pytest.mark.rule("K7", "K31")
@pytest.mark.parametrize("zero", ["TAB", "BOT", "LOS", "ONE"])
def test_any_card_may_be_played_on_a_card_worth_zero(zero: str) -> None:
    assert moves(f"{HOUSE}; 0 hand 1 16 EXC; 1 hand 5; turn 0; pile 16 {zero}") == [
        "play 1",
        "play 16",
        "play EXC",
        "pick up",
    ]


@pytest.mark.rule("K7")
def test_a_play_lays_the_card_on_the_pile_and_the_next_player_plays_on_it() -> None:
    step = after("classic; 0 hand 7 8; 1 hand 6 9; turn 0; pile 5", 0, "play 7")
    assert step.events == [played(0, "7"), turn(1)]
    assert step.lies == "0 hand 8; 1 hand 6 9; turn 1; pile 5 7"
    assert moves(step) == ["play 9", "pick up"]


@pytest.mark.rule("K8")
@pytest.mark.parametrize("top", ["", "1", "16", "TAB", "BOT", "LOW", "LOS", "711", "ONE"])
def test_a_karma_card_may_be_played_on_anything(top: str) -> None:
    for karma_card in PRINTED_CODES:
        assert f"play {karma_card}" in moves(f"{HOUSE}; 0 hand {karma_card} 5; 1 hand 5; turn 0; pile {top}")


# ---------------------------------------------------------------- K9


@pytest.mark.rule("K9")
def test_two_or_more_identical_cards_may_be_played_at_once() -> None:
    position = "classic; 0 hand 7 7 8; 1 hand 5; turn 0; pile 5"
    assert moves(position) == ["play 7", "play 7 7", "play 8", "pick up"]
    step = after(position, 0, "play 7 7")
    assert step.events == [played(0, "7", 2), turn(1)]
    assert step.lies == "0 hand 8; 1 hand 5; turn 1; pile 5 7 7"


@pytest.mark.rule("K9")
def test_identical_face_up_cards_may_be_played_at_once_and_the_others_keep_their_places() -> None:
    position = "classic; 0 up 7 8 7; 1 hand 5; turn 0; pile 5"
    assert moves(position) == ["play 7", "play 8", "play 7 7", "pick up"]
    step = after(position, 0, "play 7 7")
    assert step.events == [played(0, "7", 2, of="face_up"), turn(1)]
    assert step.lies == "0 up . 8 .; 1 hand 5; turn 1; pile 5 7 7"
    assert after(position, 0, "play 7").lies == "0 up . 8 7; 1 hand 5; turn 1; pile 5 7"


@pytest.mark.rule("K9")
def test_identical_cards_are_never_played_from_two_locations_at_once() -> None:
    position = "classic; 0 hand 7 up 7 8 9; 1 hand 5; turn 0; pile 5"
    assert moves(position) == ["play 7", "pick up"]
    assert refused(position, 0, "play 7 7") == "K9"


@pytest.mark.rule("K9", "K17")
def test_cards_that_are_not_identical_are_not_played_together() -> None:
    assert refused("classic; 0 hand 7 8 LOW BOT; 1 hand 5; turn 0", 0, "play 7 8") == "K17"
    assert refused("classic; 0 hand 7 8 LOW BOT; 1 hand 5; turn 0", 0, "play LOW BOT") == "K17"
    assert refused("classic; 0 hand 7 8; 1 hand 5; turn 0", 0, "play 7 7") == "K9"


# ---------------------------------------------------------------- K10


@pytest.mark.rule("K10", "K14")
def test_whoever_picks_up_takes_the_whole_pile_into_the_hand_and_the_next_player_starts_a_new_one() -> None:
    step = after("classic; 0 hand 2 3 4; 1 hand 6; turn 0; pile 5 GIV 9", 0, "pick up")
    assert step.events == [picked_up(0, "5 GIV 9"), turn(1)]
    assert step.lies == "0 hand 2 3 4 5 9 GIV; 1 hand 6; turn 1"
    assert moves(step) == ["play 6"]


@pytest.mark.rule("K10")
def test_the_pile_may_be_picked_up_by_choice() -> None:
    assert moves("second_edition; 0 hand 9 CLR; 1 hand 5; turn 0; pile 5") == ["play 9", "play CLR", "pick up"]


@pytest.mark.rule("K10")
@pytest.mark.parametrize("edition", ["classic", "classic_alternative_triples", "second_edition", "mini_round"])
def test_an_empty_pile_cannot_be_picked_up(edition: str) -> None:
    assert moves(f"{edition}; 0 hand 9; 1 hand 5; turn 0") == ["play 9"]
    assert refused(f"{edition}; 0 hand 9; 1 hand 5; turn 0", 0, "pick up") == "K10"


@pytest.mark.rule("K10", "K14")
def test_table_cards_lie_untouched_while_a_pile_is_picked_up() -> None:
    step = after("classic; 0 up 3 . . down 1 . .; 1 hand 6; turn 0; pile 5", 0, "pick up")
    assert step.events == [picked_up(0, "5"), turn(1)]
    assert step.lies == "0 hand 5 up 3 . . down 1 . .; 1 hand 6; turn 1"


# ---------------------------------------------------------------- K11


@pytest.mark.rule("K11")
def test_the_turn_ends_by_drawing_until_three_are_held() -> None:
    step = after("classic; 0 hand 7 7 8; 1 hand 5; turn 0; draw 1 2 3 4", 0, "play 7 7")
    assert step.events == [played(0, "7", 2), drew(0, "1 2"), turn(1)]
    assert step.lies == "0 hand 1 2 8; 1 hand 5; turn 1; pile 7 7; draw 3 4"


@pytest.mark.rule("K11")
def test_drawing_stops_when_the_draw_pile_is_gone() -> None:
    step = after("classic; 0 hand 7 7 8; 1 hand 5; turn 0; draw 1", 0, "play 7 7")
    assert step.events == [played(0, "7", 2), drew(0, "1"), turn(1)]
    assert step.lies == "0 hand 1 8; 1 hand 5; turn 1; pile 7 7"


@pytest.mark.rule("K11")
@pytest.mark.parametrize("hand", ["7 8 9 10", "7 8 9 10 11"])
def test_with_three_or_more_left_nobody_draws(hand: str) -> None:
    step = after(f"classic; 0 hand {hand}; 1 hand 5; turn 0; draw 1 2", 0, "play 7")
    assert step.events == [played(0, "7"), turn(1)]


@pytest.mark.rule("K11")
def test_after_picking_up_less_than_three_one_draws_as_well() -> None:
    step = after("classic; 0 up 2 3 4 down 5 6 7; 1 hand 5; turn 0; pile 9; draw 1 2 3", 0, "pick up")
    assert step.events == [picked_up(0, "9"), drew(0, "1 2"), turn(1)]


@pytest.mark.rule("K11")
def test_after_picking_up_enough_one_does_not_draw() -> None:
    step = after("classic; 0 hand 2; 1 hand 5; turn 0; pile 9 10; draw 1 2 3", 0, "pick up")
    assert step.events == [picked_up(0, "9 10"), turn(1)]


@pytest.mark.rule("K11")
def test_the_others_do_not_draw_in_ones_turn() -> None:
    step = after("classic; 0 hand 7 8; 1 hand 5; turn 0; draw 1 2 3", 0, "play 7")
    assert step.lies == "0 hand 1 2 8; 1 hand 5; turn 1; pile 7; draw 3"


# ---------------------------------------------------------------- K12


@pytest.mark.rule("K12")
def test_drawing_by_hand_is_offered_after_the_play_and_may_be_left_out() -> None:
    step = after(f"{BY_HAND}; 0 hand 7 8 9; 1 hand 5; turn 0; draw 1 2", 0, "play 7")
    assert step.events == [played(0, "7")]
    assert question(step) == (0, "draw")
    assert moves(step) == ["draw", "end turn"]
    assert after(step, 0, "draw").events == [drew(0, "1"), turn(1)]
    forgotten = after(step, 0, "end turn")
    assert forgotten.events == [did_not_draw(0), turn(1)]
    assert forgotten.lies == "0 hand 8 9; 1 hand 5; turn 1; pile 7; draw 1 2"


@pytest.mark.rule("K12")
def test_whoever_did_not_draw_plays_the_next_turn_from_what_is_left_and_then_draws_up_to_three() -> None:
    step = after(f"{BY_HAND}; 0 hand 8 9; 1 hand 5; turn 0; pile 7; draw 1 2 3", 0, "play 8", "draw")
    assert step.events == [played(0, "8"), drew(0, "1 2"), turn(1)]


@pytest.mark.rule("K12", "K6")
def test_whoever_did_not_draw_with_an_empty_hand_plays_table_cards_next() -> None:
    position = f"{BY_HAND}; 0 hand 7 up 8 9 10; 1 hand 5; turn 0; draw 1 2"
    step = after(position, 0, "play 7", "end turn")
    assert step.events == [played(0, "7"), did_not_draw(0), turn(1)]
    assert moves(f"{BY_HAND}; 0 up 8 9 10; 1 hand 5; turn 0; pile 7; draw 1 2")[:3] == ["play 8", "play 9", "play 10"]


@pytest.mark.rule("K12")
@pytest.mark.parametrize("position", ["0 hand 7 8 9 10; 1 hand 5; turn 0; draw 1", "0 hand 7 8; 1 hand 5; turn 0"])
def test_nothing_is_offered_to_whom_holds_three_or_when_the_draw_pile_is_gone(position: str) -> None:
    assert after(f"{BY_HAND}; {position}", 0, "play 7").events == [played(0, "7"), turn(1)]


@pytest.mark.rule("K12")
def test_drawing_by_hand_is_offered_after_picking_up_too() -> None:
    step = after(f"{BY_HAND}; 0 up 1 . .; 1 hand 5; turn 0; pile 7; draw 1 2", 0, "pick up")
    assert step.events == [picked_up(0, "7")]
    assert moves(step) == ["draw", "end turn"]


@pytest.mark.rule("K12", "K19")
def test_the_draw_before_a_play_again_is_offered_in_the_same_way() -> None:
    step = after(f"{BY_HAND}; 0 hand 7 8; 1 hand 5; turn 0; pile 7 7; draw 1 2", 0, "play 7")
    assert moves(step) == ["draw", "end turn"]
    assert after(step, 0, "draw").events == [drew(0, "1 2"), turn(0, again=True)]
    forgotten = after(step, 0, "end turn")
    assert forgotten.events == [did_not_draw(0), turn(0, again=True)]
    assert forgotten.lies == "0 hand 8; 1 hand 5; turn 0; draw 1 2"


@pytest.mark.rule("K12")
def test_nobody_draws_before_having_played() -> None:
    position = f"{BY_HAND}; 0 hand 7 8; 1 hand 5; turn 0; draw 1 2"
    assert refused(position, 0, "draw") == "K11"
    assert refused(position, 0, "end turn") == "K11"
    assert refused(after(position, 0, "play 7"), 0, "play 8") == "K12"


@pytest.mark.rule("K12a")
@pytest.mark.parametrize("move", ["pick up", "play 9"])
def test_whoever_begins_a_turn_with_an_empty_hand_draws_first_whatever_lies_on_the_pile(move: str) -> None:
    step = after("second_edition; 0 hand 9 10 11 12; 1 up 1 2 3; turn 0; draw 5 6 7 8; pile 3", 0, move)
    assert step.events[-2:] == [turn(1), drew(1, "5 6 7")]
    assert moves(step) == (["play 5", "play 6", "play 7"] if move == "pick up" else ["pick up"])


@pytest.mark.rule("K12a")
def test_with_fewer_than_three_left_in_the_draw_pile_they_draw_what_there_is() -> None:
    step = after("second_edition; 0 hand 9 10 11 12; 1 up 1 2 3; turn 0; draw 16; pile 3", 0, "play 9")
    assert step.events == [played(0, "9"), turn(1), drew(1, "16")]
    assert moves(step) == ["play 16", "pick up"]


@pytest.mark.rule("K12a", "K45", "K50")
def test_three_players_whose_hands_were_passed_and_exchanged_away_draw_on_a_pile() -> None:
    passed = after(
        "second_edition; 0 up 1 2 3; 1 hand PAS 9 10 11 up 4 5 6; 2 hand 12 up 7 8 9; turn 1; pile 3; draw 13 14 15 16",
        1,
        "play PAS",
    )
    assert passed.events[-3:] == [drew(1, "13 14"), turn(2), drew(2, "15 16")]
    assert moves(passed) == ["play 15", "play 16", "pick up"]
    exchanged = after(
        "second_edition; 0 up 1 2 3; 1 hand EXC 9 10 11 up 4 5 6; 2 up 7 8 9; turn 1; pile 3; draw 13 14 15 16 16 16 2",
        1,
        "play EXC",
        "choose 0",
    )
    assert exchanged.events[-3:] == [drew(1, "13 14 15"), turn(2), drew(2, "16 16 16")]
    assert moves(exchanged) == ["play 16", "play 16 16", "play 16 16 16", "pick up"]


@pytest.mark.rule("K12a", "K48")
def test_a_lost_turn_is_no_turn_to_draw_for() -> None:
    step = after(
        "second_edition; 0 hand 9 10 11 12; 1 up 1 2 3; 2 hand 13; turn 0; lost 0 1 0; draw 5 6 7 8; pile 3",
        0,
        "play 9",
    )
    assert step.events[-1] == turn(2)
    assert not any(each["event"] == "cards_drawn" for each in step.events)


@pytest.mark.rule("K12a", "K41", "K51")
def test_the_middle_of_a_turn_begins_none() -> None:
    table_card = after(f"{WAITING}; 0 hand TAB up 8 9 10; 1 hand 5; turn 0; pile 3; draw 5 6 7", 0, "play TAB")
    assert question(table_card) == (0, "table_card")
    giving = after(f"{WAITING}; 0 hand ONE up 8 9 10; 1 hand 5; turn 0; pile 3; draw 5 6 7", 0, "play ONE")
    assert giving.events[-2:] == [drew(0, "5 6 7"), turn(1)], "no location is open, so nothing is given"


@pytest.mark.rule("K12a", "K22")
def test_a_player_without_any_card_is_out_and_gets_no_turn_to_draw_in() -> None:
    step = after("second_edition; 0 hand 9 10 11 12; 1; 2 hand 13; turn 0; draw 5 6 7 8; pile 3", 0, "play 9")
    assert step.events[-1] == turn(2)


@pytest.mark.rule("K12a", "K12")
def test_a_forgotten_draw_is_made_up_for_at_the_beginning_of_the_next_turn() -> None:
    by_hand = 'second_edition {"draw":"by hand"}'
    forgotten = after(
        f"{by_hand}; 0 hand 7 up 8 . .; 1 hand 9 9; turn 0; pile 5; draw 1 2 3 4", 0, "play 7", "end turn"
    )
    assert forgotten.events[-2:] == [did_not_draw(0), turn(1)]
    back = after(after(forgotten, 1, "play 9"), 1, "end turn")
    assert question(back) == (0, "draw")
    assert moves(back) == ["draw"]
    assert refused(back, 0, "pick up") == refused(back, 0, "play 8") == "K12a"
    assert moves(after(back, 0, "draw")) == ["pick up"]


@pytest.mark.rule("K12a")
def test_a_player_who_can_play_a_table_card_does_not_draw_first() -> None:
    step = after("classic; 0 hand 9 10 11 12; 1 up 1 2 3; turn 0; draw 5 6 7 8; pile 3", 0, "pick up")
    assert step.events == [picked_up(0, "3"), turn(1)]


@pytest.mark.rule("K12a")
def test_drawing_by_hand_that_is_a_move_and_the_only_one() -> None:
    by_hand = 'second_edition {"draw":"by hand"}'
    step = after(f"{by_hand}; 0 hand 9 10 11 12; 1 up 1 2 3; turn 0; draw 5 6 7 8; pile 3", 0, "pick up")
    assert question(step) == (1, "draw")
    assert moves(step) == ["draw"]
    assert refused(step, 1, "end turn") == "K12a"
    drawn = after(step, 1, "draw")
    assert drawn.events == [drew(1, "5 6 7")]
    assert question(drawn) == (1, "play")


@pytest.mark.rule("K12a", "K12", "K19")
def test_whoever_did_not_draw_before_playing_again_and_cannot_play_must_draw_after_all() -> None:
    by_hand = 'second_edition {"draw":"by hand"}'
    step = after(f"{by_hand}; 0 hand 7 up 8 . .; 1 hand 9; turn 0; pile 7 7; draw 1 2 3", 0, "play 7", "end turn")
    assert step.events[-2:] == [did_not_draw(0), turn(0, again=True)]
    assert moves(step) == ["draw"]


@pytest.mark.rule("K12a")
def test_a_player_without_any_card_may_not_end_a_turn_undrawn_while_the_draw_pile_lasts() -> None:
    step = after(f"{BY_HAND}; 0 hand 7; 1 hand 5; turn 0; draw 1 2", 0, "play 7")
    assert moves(step) == ["draw"]
    assert refused(step, 0, "end turn") == "K12a"
    assert after(step, 0, "draw").events == [drew(0, "1 2"), turn(1)]


# ---------------------------------------------------------------- K13


@pytest.mark.rule("K13")
def test_a_flipped_card_that_may_be_played_is_played() -> None:
    step = after("classic; 0 down 4 9 2; 1 hand 5; turn 0; pile 7", 0, "flip 2")
    assert step.events == [flipped(0, 2, "9"), turn(1)]
    assert step.lies == "0 down 4 . 2; 1 hand 5; turn 1; pile 7 9"


@pytest.mark.rule("K13")
def test_a_flipped_card_that_may_not_be_played_is_picked_up_with_the_pile() -> None:
    step = after("classic; 0 down 4 9 2; 1 hand 5; turn 0; pile 3 7", 0, "flip 3")
    assert step.events == [flipped(0, 3, "2", fits=False), picked_up(0, "3 7 2"), turn(1)]
    assert step.lies == "0 hand 2 3 7 down 4 9 .; 1 hand 5; turn 1"


@pytest.mark.rule("K13")
def test_a_flipped_card_that_may_not_be_played_has_no_effect_of_its_own_and_the_flipper_draws() -> None:
    step = after("classic; 0 down 4 9 2; 1 hand 5; turn 0; pile LOW; draw 6 6", 0, "flip 2")
    assert step.events == [flipped(0, 2, "9", fits=False), picked_up(0, "LOW 9"), drew(0, "6"), turn(1)]


@pytest.mark.rule("K13")
def test_on_an_empty_pile_any_flipped_card_is_played() -> None:
    step = after("classic; 0 down 1 9 2; 1 hand 5; turn 0", 0, "flip 1")
    assert step.events == [flipped(0, 1, "1"), turn(1)]


@pytest.mark.rule("K13")
def test_a_flipped_karma_card_is_played_with_all_its_effects() -> None:
    step = after("second_edition; 0 down PAS 9 2; 1 hand 5 6; 2 hand 8; turn 0; pile 16", 0, "flip 1")
    assert step.events[:2] == [flipped(0, 1, "PAS"), left(0, "PAS")]
    assert step.lies == "0 hand 5 6 down . 9 2; 1 hand 8; 2; turn 1; pile 16"
    assert step.events[-2:] == [went_out(2), turn(1)]


@pytest.mark.rule("K13", "K16")
def test_a_flipped_card_can_complete_a_run() -> None:
    step = after("classic; 0 down 7 9 2; 1 hand 5; turn 0; pile 3 7 7", 0, "flip 1")
    assert step.lies == "0 down . 9 2; 1 hand 5; turn 0"


# ---------------------------------------------------------------- K14 and K15


@pytest.mark.rule("K14")
def test_cards_picked_up_must_be_played_before_table_cards_again() -> None:
    picked = after("classic; 0 down 4 9 2; 1 hand 5 6; turn 0; pile 3 7", 0, "flip 3")
    assert moves(after(picked, 1, "play 5")) == ["play 7", "pick up"]


@pytest.mark.rule("K14", "K40")
def test_cards_received_must_be_played_before_table_cards_again() -> None:
    given = after("classic; 0 hand GIV 4; 1 up 8 9 10; turn 0; pile 3 7", 0, "play GIV", "choose 1")
    assert moves(given) == ["play 3", "play 7"]


@pytest.mark.rule("K15")
def test_play_goes_to_the_left_round_the_table() -> None:
    position = "classic; 0 hand 1 5; 1 hand 2 5; 2 hand 3 5; turn 0"
    step = after(position, 0, "play 1")
    assert step.events[-1] == turn(1)
    step = after(step, 1, "play 2")
    assert step.events[-1] == turn(2)
    assert after(step, 2, "play 3").events[-1] == turn(0)


@pytest.mark.rule("K15")
def test_players_without_cards_are_skipped() -> None:
    step = after("classic; 0 hand 1 5; 1; 2; 3 hand 3 5; turn 0", 0, "play 1")
    assert step.events == [played(0, "1"), turn(3)]


@pytest.mark.rule("K15")
def test_a_player_brought_back_has_turns_again() -> None:
    step = after("classic; 0 hand GIV 5; 1; 2 hand 3 5; turn 0; pile 4", 0, "play GIV", "choose 1")
    assert step.events[-2:] == [brought_back(1), turn(1)]


@pytest.mark.rule("K15")
def test_nobody_plays_out_of_turn() -> None:
    assert refused("classic; 0 hand 1 5; 1 hand 2 5; turn 0", 1, "play 2") == "K15"
