"""K16 to K21: runs of identical cards, what they clear, and playing again."""

import pytest

from tests.karma.rules.steps import (
    HOUSE,
    after,
    again,
    brought_back,
    cleared,
    code,
    drew,
    ended,
    flipped,
    house,
    left,
    moved_up,
    moves,
    pile_given,
    played,
    question,
    refused,
    reversed_by,
    turn,
    went_out,
)
from threefold import karma

TWO_DECKS = 'classic {"decks":2}'
TRIPLES = "classic_alternative_triples"
LEAVING_BOTTOMS_UP = code("bottoms_up", leaves=True)

# ---------------------------------------------------------------- K16


@pytest.mark.rule("K16", "K19")
def test_three_identical_cards_in_one_play_clear_the_whole_pile_and_their_player_plays_again() -> None:
    step = after("classic; 0 hand 7 7 7 8; 1 hand 9; turn 0; pile 3 5", 0, "play 7 7 7")
    assert step.events == [played(0, "7", 3), cleared(0, "3 5 7 7 7"), again(0)]
    assert step.lies == "0 hand 8; 1 hand 9; turn 0"
    assert karma.state(step.table)["removed"].count("7") == 3


@pytest.mark.rule("K16")
def test_whoever_plays_the_last_of_a_run_over_several_turns_clears_and_plays_again() -> None:
    step = after("classic; 0 hand 7 8; 1 hand 7 9; 2 hand 7 10; turn 0; pile 3", 0, "play 7")
    assert step.events == [played(0, "7"), turn(1)]
    step = after(step, 1, "play 7")
    assert step.events == [played(1, "7"), turn(2)]
    step = after(step, 2, "play 7")
    assert step.events == [played(2, "7"), cleared(2, "3 7 7 7"), again(2)]


@pytest.mark.rule("K16")
def test_a_pair_on_top_and_one_more_by_another_player_clear() -> None:
    step = after("classic; 0 hand 7 8; 1 hand 9; turn 0; pile 12 7 7", 0, "play 7")
    assert step.events == [played(0, "7"), cleared(0, "12 7 7 7"), again(0)]


@pytest.mark.rule("K16")
def test_two_do_not_clear_where_three_are_needed_and_do_in_mini_round() -> None:
    lying = "0 hand 7 7 8; 1 hand 9; turn 0; pile 3"
    assert after(f"classic; {lying}", 0, "play 7 7").events == [played(0, "7", 2), turn(1)]
    assert after(f"mini_round; {lying}", 0, "play 7 7").events == [played(0, "7", 2), cleared(0, "3 7 7"), again(0)]


@pytest.mark.rule("K16")
def test_in_mini_round_the_second_of_two_players_clears() -> None:
    step = after("mini_round; 0 hand 7 8; 1 hand 9; turn 0; pile 3 7", 0, "play 7")
    assert step.events == [played(0, "7"), cleared(0, "3 7 7"), again(0)]


@pytest.mark.rule("K16")
@pytest.mark.parametrize(("on_pile", "played_now"), [("", "7 7 7 7"), ("7 7", "7 7"), ("7", "7 7 7 7 7")])
def test_with_two_decks_more_than_that_number_clears_as_well(on_pile: str, played_now: str) -> None:
    step = after(f"{TWO_DECKS}; 0 hand {played_now} 8; 1 hand 9; turn 0; pile 3 {on_pile}", 0, f"play {played_now}")
    whole = f"3 {on_pile} {played_now}"
    assert step.events == [played(0, "7", len(played_now.split())), cleared(0, whole), again(0)]


@pytest.mark.rule("K16")
def test_another_card_between_breaks_the_run() -> None:
    step = after("classic; 0 hand 7 8; 1 hand 9; turn 0; pile 7 7 TAB", 0, "play 7")
    assert step.events == [played(0, "7"), turn(1)]


@pytest.mark.rule("K16")
@pytest.mark.parametrize("clear", [2, 4])
def test_a_house_edition_says_how_many_clear(clear: int) -> None:
    edition = house(clear=clear, numbers={"copies": 6})
    step = after(f"{edition}; 0 hand 7 7 7 8; 1 hand 9; turn 0; pile {'7 ' * (clear - 1)}", 0, "play 7")
    assert step.events[-1] == again(0)
    step = after(f"{edition}; 0 hand 7 7 7 8; 1 hand 9; turn 0; pile {'7 ' * (clear - 2)}", 0, "play 7")
    assert step.events[-1] == turn(1)


@pytest.mark.rule("K16", "K20", "K31")
def test_a_full_run_of_cards_that_leave_is_laid_first_and_clears() -> None:
    step = after("classic; 0 hand GIV GIV GIV 8; 1 hand 9; turn 0; pile 5", 0, "play GIV GIV GIV")
    assert step.events == [played(0, "GIV", 3), cleared(0, "5 GIV GIV GIV"), again(0)]
    assert step.lies == "0 hand 8; 1 hand 9; turn 0"


@pytest.mark.rule("K16", "K9")
def test_three_face_up_cards_clear_like_three_hand_cards() -> None:
    step = after("classic; 0 up 7 7 7 down 8 . .; 1 hand 9; turn 0", 0, "play 7 7 7")
    assert step.events == [played(0, "7", 3, of="face_up"), cleared(0, "7 7 7"), again(0)]


# ---------------------------------------------------------------- K17


@pytest.mark.rule("K17")
def test_two_kinds_of_karma_card_are_not_identical_though_both_are_worth_zero() -> None:
    step = after("classic; 0 hand BOT 8; 1 hand 9; turn 0; pile BOT TAB", 0, "play BOT")
    assert step.events == [played(0, "BOT"), moved_up(0, "BOT"), turn(1)]
    step = after(f"{HOUSE}; 0 hand LOS 8; 1 hand 9; turn 0; pile ONE ONE", 0, "play LOS", "decline")
    assert step.events[-1] == turn(1)


@pytest.mark.rule("K17")
def test_karma_cards_of_the_same_kind_make_a_run() -> None:
    step = after("classic; 0 hand LOW 8; 1 hand 9; turn 0; pile 4 LOW LOW", 0, "play LOW")
    assert step.events == [played(0, "LOW"), cleared(0, "4 LOW LOW LOW"), again(0)]


@pytest.mark.rule("K17")
def test_two_designs_with_the_same_powers_are_two_kinds() -> None:
    edition = house(code("value_zero", name="One"), code("value_zero", name="Two"))
    step = after(f"{edition}; 0 hand D2 8; 1 hand 9; turn 0; pile D1 D1", 0, "play D2")
    assert step.events == [played(0, "D2"), turn(1)]
    step = after(f"{edition}; 0 hand D1 8; 1 hand 9; turn 0; pile D1 D1", 0, "play D1")
    assert step.events == [played(0, "D1"), cleared(0, "D1 D1 D1"), again(0)]


# ---------------------------------------------------------------- K18


@pytest.mark.rule("K18", "K42")
def test_a_card_moved_up_does_not_itself_complete_a_clear() -> None:
    edition = house(LEAVING_BOTTOMS_UP)
    step = after(f"{edition}; 0 hand D1 8; 1 hand 9; turn 0; pile 7 5 7 7", 0, "play D1")
    assert step.events == [played(0, "D1"), left(0, "D1"), moved_up(0, "7"), turn(1)]
    assert step.lies == "0 hand 8; 1 hand 9; turn 1; pile 5 7 7 7"


@pytest.mark.rule("K18", "K42")
def test_a_card_moved_up_counts_for_later_plays() -> None:
    step = after("classic; 0 hand BOT 8; 1 hand 7 7 9; turn 0; pile 7 5", 0, "play BOT")
    assert step.events == [played(0, "BOT"), moved_up(0, "7"), turn(1)]
    step = after(step, 1, "play 7 7")
    assert step.events == [played(1, "7", 2), cleared(1, "5 BOT 7 7 7"), again(1)]


@pytest.mark.rule("K18", "K42")
def test_in_mini_round_a_bottoms_up_that_meets_another_does_not_clear() -> None:
    step = after("mini_round; 0 hand BOT 8; 1 hand 9; turn 0; pile BOT 7", 0, "play BOT")
    assert step.events == [played(0, "BOT"), moved_up(0, "BOT"), turn(1)]
    assert step.lies == "0 hand 8; 1 hand 9; turn 1; pile 7 BOT BOT"


@pytest.mark.rule("K18")
def test_a_long_run_that_bottoms_up_made_clears_with_the_next_identical_card() -> None:
    edition = house(LEAVING_BOTTOMS_UP, clear=2, numbers={"copies": 4})
    step = after(f"{edition}; 0 hand 7 8; 1 hand 9; turn 0; pile 5 7 7", 0, "play 7")
    assert step.events == [played(0, "7"), cleared(0, "5 7 7 7"), again(0)]


@pytest.mark.rule("K18")
def test_a_card_that_left_the_game_does_not_break_a_run() -> None:
    step = after("second_edition; 0 hand PAS 8; 1 hand 9 10; 2 hand 7 10; turn 0; pile 7 7", 0, "play PAS")
    step = after(step, 1, "play 7")
    assert step.events == [played(1, "7"), cleared(1, "7 7 7"), again(1)]


@pytest.mark.rule("K18")
def test_cards_that_left_the_game_do_not_count_for_a_run() -> None:
    step = after("second_edition; 0 hand OWN OWN 8; 1 hand 9; 2 hand OWN 10; turn 0; pile 5", 0, "play OWN")
    step = after(step, 2, "play OWN")
    step = after(step, 0, "play OWN")
    assert step.events == [played(0, "OWN"), left(0, "OWN"), reversed_by(0, -1), turn(2)]
    assert step.lies == "0 hand 8; 1 hand 9; 2 hand 10; turn 2; direction -1; pile 5"


@pytest.mark.rule("K18", "K41")
def test_two_plays_one_after_the_other_can_form_a_run() -> None:
    step = after("mini_round; 0 hand TAB up TAB 7 8; 1 hand 9; turn 0; pile 5", 0, "play TAB", "play TAB")
    assert step.events == [played(0, "TAB"), played(0, "TAB", of="face_up"), cleared(0, "5 TAB TAB"), again(0)]
    assert step.lies == "0 up . 7 8; 1 hand 9; turn 0"


# ---------------------------------------------------------------- K19


@pytest.mark.rule("K19", "K11")
def test_whoever_plays_again_draws_first() -> None:
    step = after("classic; 0 hand 7 8; 1 hand 9; turn 0; pile 7 7; draw 1 2 3", 0, "play 7")
    assert step.events == [played(0, "7"), cleared(0, "7 7 7"), drew(0, "1 2"), again(0)]
    assert moves(step) == ["play 1", "play 2", "play 8"]


@pytest.mark.rule("K19")
def test_a_player_who_went_out_with_the_clearing_card_does_not_play_again() -> None:
    step = after("classic; 0 hand 7; 1 hand 9; 2 hand 10; turn 0; pile 7 7", 0, "play 7")
    assert step.events == [played(0, "7"), cleared(0, "7 7 7"), went_out(0), turn(1)]
    assert step.lies == "0; 1 hand 9; 2 hand 10; turn 1"
    assert moves(step) == ["play 9"]


@pytest.mark.rule("K19")
def test_a_player_whose_clearing_card_was_the_last_but_who_draws_plays_again() -> None:
    step = after("classic; 0 hand 7; 1 hand 9; turn 0; pile 7 7; draw 4", 0, "play 7")
    assert step.events == [played(0, "7"), cleared(0, "7 7 7"), drew(0, "4"), again(0)]


@pytest.mark.rule("K19")
def test_playing_again_may_clear_again_and_is_not_carried_into_the_next_turn() -> None:
    step = after("classic; 0 hand 7 8 8 8 9 10; 1 hand 10; turn 0; pile 7 7", 0, "play 7", "play 8 8 8", "play 9")
    assert [each for each in step.events if each["event"] == "turn_began"] == [again(0), again(0), turn(1)]


@pytest.mark.rule("K19", "K12a")
def test_in_the_second_edition_one_who_plays_again_with_an_empty_hand_has_drawn() -> None:
    step = after("second_edition; 0 hand 7 up 8 9 10; 1 hand 10; turn 0; pile 7 7; draw 4", 0, "play 7")
    assert step.events == [played(0, "7"), cleared(0, "7 7 7"), drew(0, "4"), again(0)]


# ---------------------------------------------------------------- K20


@pytest.mark.rule("K20")
@pytest.mark.parametrize("card", ["GIV", "TAB", "BOT", "EXC", "SEA", "CLR", "LOS", "PAS", "ONE", "OWN", "LOW", "711"])
def test_a_karma_card_that_completes_a_clear_clears_and_its_own_effect_does_not_happen(card: str) -> None:
    step = after(f"{HOUSE}; 0 hand {card} {card} {card} 8; 1 hand 9; turn 0; pile 5", 0, f"play {card} {card} {card}")
    assert step.events == [played(0, card, 3), cleared(0, f"5 {card} {card} {card}"), again(0)]
    assert question(step) == (0, "play")


@pytest.mark.rule("K20", "K41")
def test_a_clear_by_a_table_card_drops_what_was_still_to_come_of_the_card_it_was_played_with() -> None:
    edition = house(code("play_table_card", "reverse", {"power": "draw_cards", "n": 2, "whom": "everyone_else"}))
    position = f"{edition}; 0 hand D1 up 8 8 8; 1 hand 9; 2 hand 10; turn 0; pile 5; draw 1 2 3 4 5"
    step = after(position, 0, "play D1", "play 8 8 8")
    assert step.events == [
        played(0, "D1"),
        played(0, "8", 3, of="face_up"),
        cleared(0, "5 D1 8 8 8"),
        drew(0, "1 2 3"),
        again(0),
    ]
    undisturbed = after(position, 0, "play D1", "play 8")
    assert "direction_reversed" in [each["event"] for each in undisturbed.events]


@pytest.mark.rule("K20", "K41")
def test_a_flipped_table_card_that_completes_a_clear_has_no_effect_either() -> None:
    step = after("mini_round; 0 hand TAB down TAB 7 8; 1 hand 9; turn 0; pile 5", 0, "play TAB", "flip 1")
    assert step.events == [played(0, "TAB"), flipped(0, 1, "TAB"), cleared(0, "5 TAB TAB"), again(0)]


# ---------------------------------------------------------------- K21


@pytest.mark.rule("K21")
def test_with_alternative_triples_only_the_run_leaves_and_the_rest_goes_to_a_player_of_choice() -> None:
    step = after(f"{TRIPLES}; 0 hand 7 8; 1 hand 9; 2; turn 0; pile 3 LOW 7 7", 0, "play 7")
    assert step.events == [played(0, "7"), cleared(0, "7 7 7")]
    assert question(step) == (0, "choose")
    assert moves(step) == ["choose 1", "choose 2"]
    given = after(step, 0, "choose 1")
    assert given.events == [pile_given(0, 1, "3 LOW"), again(0)]
    assert given.lies == "0 hand 8; 1 hand 3 9 LOW; 2; turn 0"


@pytest.mark.rule("K21", "K22")
def test_the_rest_can_be_given_to_a_player_without_cards() -> None:
    step = after(f"{TRIPLES}; 0 hand 7 8; 1 hand 9; 2; turn 0; pile 3 7 7", 0, "play 7", "choose 2")
    assert step.events[-3:] == [pile_given(0, 2, "3"), brought_back(2), again(0)]


@pytest.mark.rule("K21", "K32")
def test_the_rest_must_be_given_and_not_to_oneself() -> None:
    step = after(f"{TRIPLES}; 0 hand 7 8; 1 hand 9; turn 0; pile 3 7 7", 0, "play 7")
    assert refused(step, 0, "decline") == "K32"
    assert refused(step, 0, "choose 0") == "K33"


@pytest.mark.rule("K21")
def test_with_nothing_left_to_give_no_one_is_chosen() -> None:
    step = after(f"{TRIPLES}; 0 hand 7 8; 1 hand 9; turn 0; pile 7 7", 0, "play 7")
    assert step.events == [played(0, "7"), cleared(0, "7 7 7"), again(0)]


@pytest.mark.rule("K21")
def test_all_cards_of_a_longer_run_leave_and_none_of_them_is_given() -> None:
    edition = f'{TRIPLES} {{"decks":2}}'
    step = after(f"{edition}; 0 hand 7 7 7 8; 1 hand 9; turn 0; pile 3 7 7", 0, "play 7 7 7", "choose 1")
    assert step.events == [played(0, "7", 3), cleared(0, "7 7 7 7 7"), pile_given(0, 1, "3"), again(0)]


@pytest.mark.rule("K21", "K19")
def test_giving_comes_before_drawing() -> None:
    step = after(f"{TRIPLES}; 0 hand 7 8; 1 hand 9; turn 0; pile 3 7 7; draw 1 2", 0, "play 7", "choose 1")
    assert step.events == [played(0, "7"), cleared(0, "7 7 7"), pile_given(0, 1, "3"), drew(0, "1 2"), again(0)]


@pytest.mark.rule("K21", "K19")
def test_the_rest_is_given_even_by_a_player_who_has_gone_out() -> None:
    step = after(f"{TRIPLES}; 0 hand 7; 1 hand 9; 2 hand 4; turn 0; pile 3 7 7", 0, "play 7", "choose 2")
    assert step.events == [played(0, "7"), cleared(0, "7 7 7"), pile_given(0, 2, "3"), went_out(0), turn(1)]


@pytest.mark.rule("K21", "K20")
def test_a_table_card_that_completes_a_triple_drops_what_was_pending_but_the_rest_is_given() -> None:
    edition = house(code("play_table_card", "reverse"), clear_does="give")
    step = after(f"{edition}; 0 hand D1 2 up 8 8 8; 1 hand 9; turn 0; pile 5", 0, "play D1", "play 8 8 8", "choose 1")
    assert step.events[-3:] == [cleared(0, "8 8 8"), pile_given(0, 1, "5 D1"), again(0)]
    assert step.table.direction == 1


@pytest.mark.rule("K21", "K23")
def test_the_game_can_end_with_the_rest_of_a_pile() -> None:
    step = after(f"{TRIPLES}; 0 hand 7; 1 hand 9; turn 0; pile 3 7 7", 0, "play 7", "choose 1")
    assert step.events[-3:] == [pile_given(0, 1, "3"), went_out(0), ended("one_left", 1)]
