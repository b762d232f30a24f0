"""K30 to K33 and the printed cards, K40 to K51."""

import pytest

from tests.karma.rules.steps import (
    HOUSE,
    after,
    again,
    brought_back,
    card_given,
    cleared,
    code,
    declined,
    drew,
    ended,
    flipped,
    gift_chosen,
    hands_exchanged,
    hands_passed,
    house,
    left,
    moved_up,
    moves,
    nothing_to_do,
    picked_up,
    pile_given,
    played,
    question,
    refused,
    reversed_by,
    seats_changed,
    turn,
    turn_lost,
    turns_to_lose,
    went_out,
)
from threefold import karma

# ---------------------------------------------------------------- K30


@pytest.mark.rule("K30")
def test_several_identical_karma_cards_at_once_act_once() -> None:
    step = after(f"{HOUSE}; 0 hand OWN OWN 8; 1 hand 9; 2 hand 4; turn 0; pile 5", 0, "play OWN OWN")
    assert step.events == [played(0, "OWN", 2), left(0, "OWN", 2), reversed_by(0, -1), turn(2)]


@pytest.mark.rule("K30", "K48")
def test_two_lose_a_turn_at_once_cost_one_turn() -> None:
    step = after(f"{HOUSE}; 0 hand LOS LOS 8; 1 hand 9; 2 hand 4; turn 0", 0, "play LOS LOS", "choose 2")
    assert step.events[1:] == [turns_to_lose(0, 2), turn(1)]


@pytest.mark.rule("K30", "K41")
def test_two_play_a_table_card_at_once_give_one_such_play() -> None:
    step = after("classic; 0 hand TAB TAB up 7 8 9; 1 hand 9; turn 0", 0, "play TAB TAB", "play 7")
    assert step.events == [played(0, "TAB", 2), played(0, "7", of="face_up"), turn(1)]


# ---------------------------------------------------------------- K31


@pytest.mark.rule("K31")
@pytest.mark.parametrize("card", ["GIV", "OWN", "EXC", "SEA", "CLR", "PAS"])
def test_a_card_marked_leaves_goes_out_of_the_game_when_played(card: str) -> None:
    step = after(f"{HOUSE}; 0 hand {card} 8; 1 hand 9 10; 2 hand 4 5; turn 0", 0, f"play {card}")
    assert step.events[:2] == [played(0, card), left(0, card)]
    assert karma.state(step.table)["removed"].count(card) == 3
    assert karma.state(step.table)["discard_pile"] == []


@pytest.mark.rule("K31")
@pytest.mark.parametrize("card", ["TAB", "BOT", "LOS", "ONE"])
def test_a_card_marked_zero_stays_on_the_pile_and_counts_as_zero(card: str) -> None:
    step = after(f"{HOUSE}; 0 hand {card} 8 9; 1 hand 1 16; 2 hand 4 5; turn 0", 0, f"play {card}")
    if question(step)[0] == 0:
        step = after(step, 0, "decline")
    assert karma.state(step.table)["discard_pile"] == [card]
    assert moves(step) == ["play 1", "play 16", "pick up"]


@pytest.mark.rule("K31")
@pytest.mark.parametrize(
    ("under", "playable"),
    [
        ("LOW", ["play 5", "pick up"]),
        ("711", ["play 7", "play 11", "pick up"]),
        ("11", ["play 11", "play 12", "pick up"]),
        ("TAB", ["play 5", "play 6", "play 7", "play 11", "play 12", "pick up"]),
    ],
)
def test_what_the_card_under_a_leaving_card_asks_for_binds_the_next_player(under: str, playable: list[str]) -> None:
    step = after(f"{HOUSE}; 0 hand OWN 8; 1 hand 5 6 7 11 12; turn 0; pile 3 {under}", 0, "play OWN")
    assert moves(step) == playable


@pytest.mark.rule("K31")
def test_with_no_card_under_it_the_next_player_starts_a_new_pile() -> None:
    step = after(f"{HOUSE}; 0 hand OWN 8; 1 hand 5 12; turn 0", 0, "play OWN")
    assert moves(step) == ["play 5", "play 12"]


# ---------------------------------------------------------------- K32 and K33


@pytest.mark.rule("K32")
@pytest.mark.parametrize("card", ["TAB", "LOS", "ONE"])
def test_what_a_card_allows_may_be_declined(card: str) -> None:
    step = after(f"{HOUSE}; 0 hand {card} 8 9; 1 hand 1; turn 0; pile 5", 0, f"play {card}")
    assert moves(step)[-1] == "decline"
    power = {"TAB": "play_table_card", "LOS": "lose_turns", "ONE": "give_cards"}[card]
    step = after(step, 0, "decline")
    assert step.events == [declined(0, power), turn(1)]
    assert step.lies == f"0 hand 8 9; 1 hand 1; turn 1; pile 5 {card}"


@pytest.mark.rule("K32")
@pytest.mark.parametrize("card", ["GIV", "EXC", "SEA"])
def test_what_a_card_requires_may_not_be_declined(card: str) -> None:
    step = after(f"{HOUSE}; 0 hand {card} 8; 1 hand 1; 2; turn 0; pile 5", 0, f"play {card}")
    assert moves(step) == ["choose 1", "choose 2"]
    assert refused(step, 0, "decline") == "K32"


@pytest.mark.rule("K32")
def test_a_card_picked_to_be_given_must_be_given() -> None:
    step = after(f"{HOUSE}; 0 hand ONE 8 9; 1 hand 1; turn 0; pile 5", 0, "play ONE", "give 8")
    assert moves(step) == ["choose 1"]
    assert refused(step, 0, "decline") == "K32"


@pytest.mark.rule("K32")
def test_a_choice_with_no_possible_target_is_skipped() -> None:
    step = after(f"{HOUSE}; 0 hand TAB; 1 hand 1; 2 hand 2; turn 0; pile 5", 0, "play TAB")
    assert step.events == [played(0, "TAB"), nothing_to_do(0, "play_table_card"), went_out(0), turn(1)]
    step = after(f"{HOUSE}; 0 hand ONE; 1 hand 1; 2 hand 2; turn 0; pile 5", 0, "play ONE")
    assert step.events == [played(0, "ONE"), nothing_to_do(0, "give_cards"), went_out(0), turn(1)]


@pytest.mark.rule("K32", "K33", "K48")
def test_a_loss_that_nobody_can_have_is_skipped() -> None:
    edition = house(
        code("exchange_hands", "play_table_card", {"power": "lose_turns", "n": 1, "whom": "one"}, leaves=True)
    )
    position = f"{edition}; 0 hand D1 3; 1 hand 9 10; turn 0; pile 5"
    step = after(position, 0, "play D1", "choose 1", "decline")
    assert moves(step) == ["choose 1", "decline"]
    position = f"{edition}; 0 hand D1; 1 hand 9 10; turn 0; pile 5"
    step = after(position, 0, "play D1", "choose 1", "play 9")
    assert step.events[-3:] == [nothing_to_do(0, "lose_turns"), went_out(1), ended("one_left", 0)]


@pytest.mark.rule("K33")
@pytest.mark.parametrize("card", ["GIV", "EXC", "SEA"])
def test_any_player_means_any_other_player_out_or_not(card: str) -> None:
    step = after(f"{HOUSE}; 0 hand 3; 1 hand {card} 8; 2; 3 down 4 . .; turn 1; pile 5", 1, f"play {card}")
    assert moves(step) == ["choose 0", "choose 2", "choose 3"]
    assert refused(step, 1, "choose 1") == "K33"
    assert refused(step, 1, "choose 4") == "K33"


@pytest.mark.rule("K33", "K51")
def test_a_card_is_given_to_any_other_player_out_or_not() -> None:
    step = after(f"{HOUSE}; 0 hand 3; 1 hand ONE 8; 2; turn 1; pile 5", 1, "play ONE", "give 8")
    assert moves(step) == ["choose 0", "choose 2"]


@pytest.mark.rule("K33", "K48")
def test_lose_a_turn_names_only_players_who_hold_cards() -> None:
    step = after(f"{HOUSE}; 0 hand 3; 1 hand LOS 8; 2; 3 down 4 . .; turn 1; pile 5", 1, "play LOS")
    assert moves(step) == ["choose 0", "choose 3", "decline"]
    assert refused(step, 1, "choose 2") == "K33"


# ---------------------------------------------------------------- K40


@pytest.mark.rule("K40")
def test_the_whole_pile_goes_to_the_hand_of_another_player_and_the_card_leaves() -> None:
    step = after("classic; 0 hand GIV 8; 1 hand 9; 2 hand 4; turn 0; pile 3 LOW 5", 0, "play GIV", "choose 2")
    assert step.events == [played(0, "GIV"), left(0, "GIV"), pile_given(0, 2, "3 LOW 5"), turn(1)]
    assert step.lies == "0 hand 8; 1 hand 9; 2 hand 3 4 5 LOW; turn 1"
    assert moves(step) == ["play 9"]


@pytest.mark.rule("K40")
def test_play_goes_on_with_the_next_player_even_if_they_received_the_pile() -> None:
    step = after("classic; 0 hand GIV 8; 1 hand 9; 2 hand 4; turn 0; pile 3 5", 0, "play GIV", "choose 1")
    assert step.events[-1] == turn(1)
    assert moves(step) == ["play 3", "play 5", "play 9"]


@pytest.mark.rule("K40", "K60")
def test_play_goes_on_in_the_direction_of_play() -> None:
    position = f"{HOUSE}; 0 hand GIV 8; 1 hand 9; 2 hand 4; turn 0; direction -1; pile 3"
    assert after(position, 0, "play GIV", "choose 1").events[-1] == turn(2)


@pytest.mark.rule("K40")
def test_with_no_pile_there_is_nothing_to_give() -> None:
    step = after("classic; 0 hand GIV 8; 1 hand 9; turn 0", 0, "play GIV")
    assert step.events == [played(0, "GIV"), left(0, "GIV"), nothing_to_do(0, "give_pile"), turn(1)]


@pytest.mark.rule("K40", "K30")
def test_two_at_once_give_the_pile_once_and_both_leave() -> None:
    step = after("classic; 0 hand GIV GIV 8; 1 hand 9; turn 0; pile 5", 0, "play GIV GIV", "choose 1")
    assert step.events == [played(0, "GIV", 2), left(0, "GIV", 2), pile_given(0, 1, "5"), turn(1)]


# ---------------------------------------------------------------- K41


@pytest.mark.rule("K41")
def test_a_face_up_card_may_be_played_early_and_need_not_match_the_card_under_it() -> None:
    step = after("classic; 0 hand TAB 8 up 1 2 LOW down 3 4 5; 1 hand 9; turn 0; pile 16", 0, "play TAB")
    assert question(step) == (0, "table_card")
    assert moves(step) == ["play 1", "play 2", "play LOW", "decline"]
    step = after(step, 0, "play 1")
    assert step.events == [played(0, "1", of="face_up"), turn(1)]
    assert step.lies == "0 hand 8 up . 2 LOW down 3 4 5; 1 hand 9; turn 1; pile 16 TAB 1"
    assert moves(step) == ["play 9", "pick up"]


@pytest.mark.rule("K41")
def test_when_face_up_cards_are_gone_a_face_down_card_is_flipped_and_always_played() -> None:
    step = after("classic; 0 hand TAB 8 down 3 . 5; 1 hand 9; turn 0; pile LOW 16", 0, "play TAB")
    assert moves(step) == ["flip 1", "flip 3", "decline"]
    step = after(step, 0, "flip 1")
    assert step.events == [flipped(0, 1, "3"), turn(1)]
    assert step.lies == "0 hand 8 down . . 5; 1 hand 9; turn 1; pile LOW 16 TAB 3"


@pytest.mark.rule("K41")
def test_with_no_table_cards_the_hand_is_played_from() -> None:
    step = after("classic; 0 hand TAB 2 2 8; 1 hand 9; turn 0; pile 16", 0, "play TAB")
    assert moves(step) == ["play 2", "play 2 2", "play 8", "decline"]
    step = after(step, 0, "play 2 2")
    assert step.events == [played(0, "2", 2), turn(1)]


@pytest.mark.rule("K41", "K9")
def test_identical_cards_of_that_one_location_may_go_together() -> None:
    step = after("classic; 0 hand TAB 7 up 7 2 7; 1 hand 9; turn 0; pile 16", 0, "play TAB")
    assert moves(step) == ["play 7", "play 2", "play 7 7", "decline"]
    assert after(step, 0, "play 7 7").events == [played(0, "7", 2, of="face_up"), turn(1)]
    assert refused(step, 0, "play 7 7 7") == "K41"


@pytest.mark.rule("K41", "K6")
def test_it_need_not_wait_for_the_draw_pile_to_be_gone() -> None:
    position = f"{house(table_cards_need_empty_draw_pile=True)}; 0 hand TAB up 1 . .; 1 hand 9; turn 0; draw 5 6 7 8"
    step = after(position, 0, "play TAB", "play 1")
    assert step.events == [played(0, "TAB"), played(0, "1", of="face_up"), drew(0, "5 6 7"), turn(1)]


@pytest.mark.rule("K41")
def test_the_karma_effect_of_the_table_card_happens() -> None:
    step = after("classic; 0 hand TAB 8 up GIV . .; 1 hand 9; turn 0; pile 5", 0, "play TAB", "play GIV")
    assert question(step) == (0, "choose")
    step = after(step, 0, "choose 1")
    assert step.events == [pile_given(0, 1, "5 TAB"), turn(1)]


@pytest.mark.rule("K41")
def test_a_table_card_can_be_another_of_its_kind_and_then_one_more_is_played() -> None:
    position = "classic; 0 hand TAB 8 up TAB . . down 4 . .; 1 hand 9; turn 0; pile 5"
    step = after(position, 0, "play TAB", "play TAB")
    assert moves(step) == ["flip 1", "decline"]
    step = after(step, 0, "flip 1")
    assert step.events == [flipped(0, 1, "4"), turn(1)]


@pytest.mark.rule("K41", "K13")
def test_a_flipped_card_can_be_another_of_its_kind() -> None:
    step = after("classic; 0 down TAB 4 6; 1 hand 9; turn 0; pile 5", 0, "flip 1", "flip 2")
    assert step.events == [flipped(0, 1, "TAB"), flipped(0, 2, "4"), turn(1)]


@pytest.mark.rule("K41", "K22")
def test_with_no_other_card_nothing_is_played() -> None:
    step = after("classic; 0 hand TAB; 1 hand 9; turn 0; pile 5", 0, "play TAB")
    assert step.events[1:] == [nothing_to_do(0, "play_table_card"), went_out(0), ended("one_left", 1)]


@pytest.mark.rule("K41", "K11")
def test_one_draws_only_after_the_table_card() -> None:
    step = after("classic; 0 hand TAB 7 up 1 . .; 1 hand 9; turn 0; draw 5 6", 0, "play TAB", "play 1")
    assert step.events[-2:] == [drew(0, "5 6"), turn(1)]


# ---------------------------------------------------------------- K42


@pytest.mark.rule("K42")
@pytest.mark.parametrize(
    ("bottom", "playable"),
    [
        ("7", ["play 7", "play 16", "pick up"]),
        ("LOW", ["play 1", "play 5", "pick up"]),
        ("711", ["play 7", "pick up"]),
        ("BOT", ["play 1", "play 5", "play 7", "play 16", "pick up"]),
        ("TAB", ["play 1", "play 5", "play 7", "play 16", "pick up"]),
        ("LOS", ["play 1", "play 5", "play 7", "play 16", "pick up"]),
        ("ONE", ["play 1", "play 5", "play 7", "play 16", "pick up"]),
    ],
)
def test_the_bottom_card_moves_up_and_the_next_player_plays_on_it(bottom: str, playable: list[str]) -> None:
    step = after(f"{HOUSE}; 0 hand BOT 8; 1 hand 1 5 7 16; turn 0; pile {bottom} 3 16", 0, "play BOT")
    assert step.events == [played(0, "BOT"), moved_up(0, bottom), turn(1)]
    assert step.lies == f"0 hand 8; 1 hand 1 5 7 16; turn 1; pile 3 16 BOT {bottom}"
    assert moves(step) == playable


@pytest.mark.rule("K42")
def test_on_an_empty_pile_it_is_its_own_bottom_card_and_zero() -> None:
    step = after("classic; 0 hand BOT 8; 1 hand 1 16; turn 0", 0, "play BOT")
    assert step.events == [played(0, "BOT"), moved_up(0, "BOT"), turn(1)]
    assert step.lies == "0 hand 8; 1 hand 1 16; turn 1; pile BOT"
    assert moves(step) == ["play 1", "play 16", "pick up"]


@pytest.mark.rule("K42", "K30")
def test_two_at_once_move_one_card() -> None:
    step = after("classic; 0 hand BOT BOT 8; 1 hand 9; turn 0; pile 3 4 5", 0, "play BOT BOT")
    assert step.lies == "0 hand 8; 1 hand 9; turn 1; pile 4 5 BOT BOT 3"


@pytest.mark.rule("K42")
def test_a_karma_card_that_comes_up_does_not_act_again() -> None:
    step = after(f"{HOUSE}; 0 hand BOT 8; 1 hand 9; turn 0; pile LOS 5", 0, "play BOT")
    assert step.events == [played(0, "BOT"), moved_up(0, "LOS"), turn(1)]


# ---------------------------------------------------------------- K43 and K49


@pytest.mark.rule("K43")
def test_five_or_below_asks_for_one_to_five_or_a_karma_card() -> None:
    step = after(f"{HOUSE}; 0 hand LOW 8; 1 hand 1 5 6 16 EXC; turn 0; pile 12", 0, "play LOW")
    assert step.events == [played(0, "LOW"), turn(1)]
    assert moves(step) == ["play 1", "play 5", "play EXC", "pick up"]
    assert refused(step, 1, "play 6") == "K43"


@pytest.mark.rule("K43")
def test_after_a_number_play_goes_on_from_that_number() -> None:
    step = after("classic; 0 hand 3 8; 1 hand 2 3 4 16; turn 0; pile 12 LOW", 0, "play 3")
    assert moves(step) == ["play 3", "play 4", "play 16", "pick up"]


@pytest.mark.rule("K49")
def test_seven_to_eleven_asks_for_seven_to_eleven_or_a_karma_card() -> None:
    step = after("second_edition; 0 hand 711 8; 1 hand 6 7 11 12 EXC; turn 0; pile 12", 0, "play 711")
    assert step.events == [played(0, "711"), turn(1)]
    assert moves(step) == ["play 7", "play 11", "play EXC", "pick up"]
    assert refused(step, 1, "play 6") == refused(step, 1, "play 12") == "K49"


@pytest.mark.rule("K49")
def test_after_a_number_between_play_goes_on_from_that_number_without_a_highest() -> None:
    step = after("second_edition; 0 hand 9 8; 1 hand 8 9 12 16; turn 0; pile 12 711", 0, "play 9")
    assert moves(step) == ["play 9", "play 12", "play 16", "pick up"]


@pytest.mark.rule("K43", "K49", "K13")
@pytest.mark.parametrize(("top", "card"), [("LOW", "6"), ("711", "6"), ("711", "12")])
def test_a_flipped_number_that_was_not_asked_for_is_picked_up(top: str, card: str) -> None:
    step = after(f"{HOUSE}; 0 down {card} . .; 1 hand 9; turn 0; pile {top}", 0, "flip 1")
    assert step.events == [flipped(0, 1, card, fits=False), picked_up(0, f"{top} {card}"), turn(1)]


# ---------------------------------------------------------------- K44


@pytest.mark.rule("K44", "K60")
def test_create_your_karma_does_what_the_table_decided_and_leaves() -> None:
    lying = "0 hand OWN 8; 1 hand 9; 2 hand 4; turn 0; pile 5"
    step = after(f'second_edition {{"create_your_karma":"reverse"}}; {lying}', 0, "play OWN")
    assert step.events == [played(0, "OWN"), left(0, "OWN"), reversed_by(0, -1), turn(2)]
    idea = code({"power": "lose_turns", "n": 2, "whom": "next"}, leaves=True, name="Rest")
    step = after(f'second_edition {{"create_your_karma":"{idea}"}}; {lying}', 0, "play OWN")
    assert step.events == [played(0, "OWN"), left(0, "OWN"), turns_to_lose(0, 1, 2), turn_lost(1, 1), turn(2)]
    assert karma.card_names(step.table) == {"OWN": "Rest"}


@pytest.mark.rule("K44")
def test_without_a_decision_it_reverses() -> None:
    step = after("second_edition; 0 hand OWN 8; 1 hand 9; 2 hand 4; turn 0; pile 5", 0, "play OWN")
    assert step.events[2] == reversed_by(0, -1)


# ---------------------------------------------------------------- K45


@pytest.mark.rule("K45")
def test_two_players_exchange_hands_and_table_cards_stay() -> None:
    position = "second_edition; 0 hand EXC 8 8 up 1 2 3; 1 hand 9 up 4 5 6; 2 hand 7; turn 0; pile 5"
    step = after(position, 0, "play EXC", "choose 1")
    assert step.events == [played(0, "EXC"), left(0, "EXC"), hands_exchanged(0, 1), turn(1)]
    assert step.lies == "0 hand 9 up 1 2 3; 1 hand 8 8 up 4 5 6; 2 hand 7; turn 1; pile 5"


@pytest.mark.rule("K45")
def test_an_exchange_is_made_even_if_one_has_no_hand_cards() -> None:
    step = after("second_edition; 0 hand EXC up 1 2 3; 1 hand 9 10; turn 0; pile 5", 0, "play EXC", "choose 1")
    assert step.lies == "0 hand 9 10 up 1 2 3; 1; turn 0; ended one_left 0; pile 5"
    step = after("second_edition; 0 hand EXC 7 8; 1 up 1 2 3; turn 0; pile 5", 0, "play EXC", "choose 1")
    assert step.lies == "0; 1 hand 7 8 up 1 2 3; turn 0; ended one_left 1; pile 5"


@pytest.mark.rule("K45")
def test_an_exchange_of_two_empty_hands_is_an_exchange() -> None:
    step = after("second_edition; 0 hand EXC up 1 2 3; 1 up 4 5 6; turn 0; pile 5", 0, "play EXC", "choose 1")
    assert step.events[-2:] == [hands_exchanged(0, 1), turn(1)]


@pytest.mark.rule("K45", "K11")
def test_after_an_exchange_one_draws_up_to_three_and_the_other_does_not() -> None:
    step = after("second_edition; 0 hand EXC 7 8; 1 hand 9; turn 0; pile 5; draw 1 2 3", 0, "play EXC", "choose 1")
    assert step.events[-2:] == [drew(0, "1 2"), turn(1)]
    assert step.lies == "0 hand 1 2 9; 1 hand 7 8; turn 1; pile 5; draw 3"


@pytest.mark.rule("K45", "K46")
def test_hands_are_exchanged_between_the_places_where_the_players_sit() -> None:
    position = f"{HOUSE}; 0 player 1 hand EXC 8; 1 player 2 hand 9; 2 player 0 hand 7; turn 1; pile 5"
    step = after(position, 1, "play EXC", "choose 0")
    assert step.lies == "0 player 1 hand 7; 1 player 2 hand 9; 2 player 0 hand 8; turn 2; pile 5"


# ---------------------------------------------------------------- K46


@pytest.mark.rule("K46")
def test_two_players_trade_places_and_own_what_lies_there() -> None:
    position = "second_edition; 0 hand SEA 8 up 1 2 3; 1 hand 9; 2 hand 7 down 4 . .; turn 0; pile 5"
    step = after(position, 0, "play SEA", "choose 2")
    assert step.events == [
        played(0, "SEA"),
        left(0, "SEA"),
        seats_changed(0, (0, 0, 2), (2, 2, 0)),
        turn(1),
    ]
    assert step.lies == ("0 player 2 hand 8 up 1 2 3; 1 hand 9; 2 player 0 hand 7 down 4 . .; turn 1; pile 5")
    step = after(step, 1, "pick up")
    assert step.events[-1] == turn(0, seat=2)
    assert moves(step) == ["play 7"]


@pytest.mark.rule("K46")
def test_play_goes_on_from_the_place_the_card_was_played_at_even_if_that_is_oneself_again() -> None:
    step = after("second_edition; 0 hand SEA 8; 1 hand 9; 2 hand 7; turn 0; pile 5", 0, "play SEA", "choose 1")
    assert step.events[-1] == turn(0, seat=1)
    assert moves(step) == ["play 9", "pick up"]
    assert after(step, 0, "pick up").events[-1] == turn(2)


@pytest.mark.rule("K46", "K60")
def test_play_goes_on_from_there_against_the_clock_too() -> None:
    position = f"{HOUSE}; 0 hand SEA 8; 1 hand 9; 2 hand 7; turn 0; direction -1; pile 5"
    assert after(position, 0, "play SEA", "choose 1").events[-1] == turn(2)
    assert after(position, 0, "play SEA", "choose 2").events[-1] == turn(0, seat=2)


@pytest.mark.rule("K46", "K11")
def test_one_draws_at_the_new_place_and_the_old_one_is_not_refilled() -> None:
    position = "second_edition; 0 hand SEA 8; 1 hand 9; 2 hand 7; turn 0; pile 5; draw 1 2 3"
    step = after(position, 0, "play SEA", "choose 2")
    assert step.events[-2:] == [drew(0, "1 2", seat=2), turn(1)]
    assert step.lies == "0 player 2 hand 8; 1 hand 9; 2 player 0 hand 1 2 7; turn 1; pile 5; draw 3"


@pytest.mark.rule("K46", "K12")
def test_drawing_by_hand_one_draws_at_the_new_place_too() -> None:
    position = 'second_edition {"draw":"by hand"}; 0 hand SEA 8 9 10; 1 hand 9; 2 hand 7; turn 0; pile 5; draw 1 2 3'
    step = after(position, 0, "play SEA", "choose 2")
    assert moves(step) == ["draw", "end turn"]
    assert after(step, 0, "draw").events == [drew(0, "1 2", seat=2), turn(1)]


@pytest.mark.rule("K46", "K22")
def test_trading_places_with_a_player_who_is_out_puts_oneself_out_unless_one_draws() -> None:
    step = after("second_edition; 0 hand SEA 8; 1; 2 hand 7; turn 0; pile 5", 0, "play SEA", "choose 1")
    assert step.events[-3:] == [went_out(0), brought_back(1), turn(2)]
    step = after("second_edition; 0 hand SEA 8; 1; 2 hand 7; turn 0; pile 5; draw 3", 0, "play SEA", "choose 1")
    assert step.events[-3:] == [drew(0, "3", seat=1), brought_back(1), turn(0, seat=1)]


@pytest.mark.rule("K46")
def test_who_has_moved_plays_from_the_new_place_in_later_turns() -> None:
    position = f"{HOUSE}; 0 player 1 hand 8 9; 1 player 0 hand 10; turn 1; pile 5"
    step = after(position, 1, "play 8")
    assert step.events == [played(1, "8", seat=0), turn(0, seat=1)]


# ---------------------------------------------------------------- K47


@pytest.mark.rule("K47", "K19")
def test_the_whole_pile_leaves_the_game_and_one_plays_another_card() -> None:
    step = after("second_edition; 0 hand CLR 8; 1 hand 9; turn 0; pile 5 711 9", 0, "play CLR")
    assert step.events == [played(0, "CLR"), left(0, "CLR"), cleared(0, "5 711 9", "power"), again(0)]
    assert step.lies == "0 hand 8; 1 hand 9; turn 0"
    assert moves(step) == ["play 8"]


@pytest.mark.rule("K47")
def test_on_an_empty_pile_it_clears_nothing_but_itself_and_one_plays_again() -> None:
    step = after("second_edition; 0 hand CLR 8; 1 hand 9; turn 0", 0, "play CLR")
    assert step.events == [played(0, "CLR"), left(0, "CLR"), cleared(0, "", "power"), again(0)]


@pytest.mark.rule("K47", "K19")
def test_one_draws_before_the_other_card_and_does_not_play_it_when_out() -> None:
    step = after("second_edition; 0 hand CLR; 1 hand 9; turn 0; pile 5; draw 1 2 3 4", 0, "play CLR")
    assert step.events[-2:] == [drew(0, "1 2 3"), again(0)]
    step = after("second_edition; 0 hand CLR; 1 hand 9; 2 hand 8; turn 0; pile 5", 0, "play CLR")
    assert step.events[-2:] == [went_out(0), turn(1)]


@pytest.mark.rule("K47", "K6")
def test_the_other_card_follows_the_order_of_locations() -> None:
    step = after("second_edition; 0 hand CLR up 8 . . down 3 . .; 1 hand 9; turn 0; pile 5", 0, "play CLR")
    assert moves(step) == ["play 8"]


# ---------------------------------------------------------------- K48


@pytest.mark.rule("K48")
def test_the_picked_player_loses_the_next_turn_they_would_have() -> None:
    step = after("second_edition; 0 hand LOS 8; 1 hand 9; 2 hand 7; turn 0; pile 5", 0, "play LOS", "choose 1")
    assert step.events == [played(0, "LOS"), turns_to_lose(0, 1), turn_lost(1), turn(2)]
    assert step.lies == "0 hand 8; 1 hand 9; 2 hand 7; turn 2; pile 5 LOS"


@pytest.mark.rule("K48")
def test_between_two_players_the_loss_of_a_turn_is_another_turn_for_oneself() -> None:
    step = after("second_edition; 0 hand LOS 8; 1 hand 9; turn 0; pile 5", 0, "play LOS", "choose 1")
    assert step.events[-2:] == [turn_lost(1), turn(0)]


@pytest.mark.rule("K48")
def test_several_played_separately_add_up() -> None:
    position = "second_edition; 0 hand LOS 8; 1 hand LOS 9; 2 hand 7; turn 0; pile 5"
    step = after(after(position, 0, "play LOS", "choose 2"), 1, "play LOS", "choose 2")
    assert step.events[1:] == [turns_to_lose(1, 2), turn_lost(2, 1), turn(0)]
    assert step.table.lost_turns[:3] == [0, 0, 1]


@pytest.mark.rule("K48", "K46")
def test_the_loss_follows_the_person_through_a_change_of_seats() -> None:
    position = "second_edition; 0 hand SEA 8; 1 hand 9; 2 hand 6 7; turn 0; lost 0 0 1; pile 5"
    step = after(position, 0, "play SEA", "choose 2")
    assert step.events[-1] == turn(1)
    step = after(step, 1, "pick up")
    assert step.events[-1] == turn(0, seat=2)
    assert after(step, 0, "play 7").events == [played(0, "7", seat=2), turn_lost(2), turn(1)]


@pytest.mark.rule("K48", "K22")
def test_the_loss_follows_the_person_through_going_out() -> None:
    position = f"{HOUSE}; 0 hand 8 GIV; 1; 2 hand 7; turn 0; lost 0 1 0; pile 5"
    step = after(position, 0, "play 8")
    assert step.events == [played(0, "8"), turn(2)]
    assert step.table.lost_turns[1] == 1
    step = after(position, 0, "play GIV", "choose 1")
    assert step.events[-3:] == [brought_back(1), turn_lost(1), turn(2)]


@pytest.mark.rule("K48")
def test_everyone_can_have_turns_to_lose_and_they_are_lost_round_after_round() -> None:
    step = after(f"{HOUSE}; 0 hand 8 9; 1 hand 9; 2 hand 7; turn 0; lost 1 2 1; pile 5", 0, "play 8")
    assert step.events[1:] == [turn_lost(1, 1), turn_lost(2), turn_lost(0), turn_lost(1), turn(2)]


@pytest.mark.rule("K48")
def test_very_many_turns_can_still_be_lost() -> None:
    step = after("second_edition; 0 hand 7 8; 1 hand 9; 2 hand 9; turn 0; lost 0 900 0; pile 5", 0, "play 7")
    assert step.events[-2:] == [turn_lost(1, 899), turn(2)]


# ---------------------------------------------------------------- K50


@pytest.mark.rule("K50")
@pytest.mark.parametrize("direction", [1, -1])
def test_all_hands_go_one_place_to_the_physical_right_whatever_the_direction(direction: int) -> None:
    position = f"{HOUSE}; 0 hand PAS 8 up 1 . .; 1 hand 9 9; 2 hand 7; 3 hand 6; turn 0; direction {direction}; pile 5"
    step = after(position, 0, "play PAS")
    assert step.events == [
        played(0, "PAS"),
        left(0, "PAS"),
        hands_passed(0, "right"),
        turn(1 if direction == 1 else 3),
    ]
    assert step.lies.startswith("0 hand 9 9 up 1 . .; 1 hand 7; 2 hand 6; 3 hand 8; ")


@pytest.mark.rule("K50")
def test_players_who_are_out_pass_none_and_may_receive() -> None:
    step = after("second_edition; 0 hand PAS; 1 hand 9; 2; 3 hand 6; turn 0; pile 5", 0, "play PAS")
    assert step.lies == "0 hand 9; 1; 2 hand 6; 3; turn 2; pile 5"
    assert step.events[-4:] == [went_out(1), brought_back(2), went_out(3), turn(2)]


@pytest.mark.rule("K50", "K45")
def test_between_two_players_a_pass_is_an_exchange() -> None:
    step = after("second_edition; 0 hand PAS 8; 1 hand 9 10; turn 0; pile 5", 0, "play PAS")
    assert step.lies == "0 hand 9 10; 1 hand 8; turn 1; pile 5"


# ---------------------------------------------------------------- K51


@pytest.mark.rule("K51")
def test_a_hand_card_is_given_and_becomes_a_hand_card() -> None:
    position = "second_edition; 0 hand ONE 8 9 up 1 . .; 1 up 4 . .; turn 0; pile 5"
    step = after(position, 0, "play ONE")
    assert question(step) == (0, "give")
    assert moves(step) == ["give 8", "give 9", "decline"]
    step = after(step, 0, "give 9", "choose 1")
    assert step.events == [gift_chosen(0, "9"), card_given(0, 1, "9"), turn(1)]
    assert step.lies == "0 hand 8 up 1 . .; 1 hand 9 up 4 . .; turn 1; pile 5 ONE"


@pytest.mark.rule("K51", "K6")
def test_a_face_up_card_is_given_when_the_hand_is_empty() -> None:
    step = after("second_edition; 0 hand ONE up 8 9 8 down 1 2 3; 1 hand 4; turn 0; pile 5", 0, "play ONE")
    assert moves(step) == ["give 8", "give 9", "decline"]
    step = after(step, 0, "give 8", "choose 1")
    assert step.lies == "0 up . 9 8 down 1 2 3; 1 hand 4 8; turn 1; pile 5 ONE"


@pytest.mark.rule("K51", "K27")
def test_a_face_down_card_is_given_unseen_when_only_those_are_left() -> None:
    step = after("second_edition; 0 hand ONE down 8 . 9; 1 hand 4; turn 0; pile 5", 0, "play ONE")
    assert moves(step) == ["give face down 1", "give face down 3", "decline"]
    step = after(step, 0, "give face down 3", "choose 1")
    assert step.events == [
        gift_chosen(0, None, of="face_down", place=3),
        card_given(0, 1, "9", of="face_down", place=3),
        turn(1),
    ]
    assert step.lies == "0 down 8 . .; 1 hand 4 9; turn 1; pile 5 ONE"


@pytest.mark.rule("K51", "K6")
def test_if_no_location_is_open_nothing_is_given() -> None:
    step = after("second_edition; 0 hand ONE up 8 9 10; 1 hand 4; turn 0; pile 5; draw 1 2 3", 0, "play ONE")
    assert step.events == [played(0, "ONE"), nothing_to_do(0, "give_cards"), drew(0, "1 2 3"), turn(1)]


@pytest.mark.rule("K51", "K22")
def test_giving_the_last_card_away_puts_one_out() -> None:
    step = after("second_edition; 0 hand ONE 8; 1; 2 hand 4; turn 0; pile 5", 0, "play ONE", "give 8", "choose 1")
    assert step.events[-3:] == [went_out(0), brought_back(1), turn(1)]


@pytest.mark.rule("K51", "K30")
def test_two_at_once_give_one_card() -> None:
    step = after("second_edition; 0 hand ONE ONE 8 9; 1 hand 4; turn 0", 0, "play ONE ONE", "give 8", "choose 1")
    assert step.events[-1] == turn(1)
