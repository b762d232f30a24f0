"""K60 to K63: the two printed ideas, and every power of the vocabulary on a designed card."""

import pytest

from tests.karma.rules.steps import (
    after,
    again,
    brought_back,
    card_given,
    cleared,
    code,
    declined,
    drew,
    flipped,
    gift_chosen,
    hands_exchanged,
    hands_passed,
    house,
    lay,
    left,
    moved_up,
    moves,
    nothing_to_do,
    peeked_at,
    pile_given,
    played,
    question,
    refused,
    reversed_by,
    seats_changed,
    swapped,
    turn,
    turn_lost,
    turns_to_lose,
    went_out,
)
from threefold import karma
from threefold.game import Json
from threefold.karma.cards import PRINTED, PRINTED_IDEAS, KarmaCard, OnPile

FOUR = "1 hand 9; 2 hand 10; 3 hand 11"
"""Three others with a card each."""


def power(name: str, **parameters: Json) -> dict[str, Json]:
    return {"power": name, **parameters}


def designed(*powers: str | dict[str, Json], leaves: bool = True) -> str:
    """A house edition whose card D1 has these powers."""
    return house(code(*powers, leaves=leaves))


# ---------------------------------------------------------------- K60


@pytest.mark.rule("K60")
def test_reverse_turns_the_direction_of_play_and_turns_it_back() -> None:
    step = after(f"second_edition; 0 hand OWN 8; {FOUR}; turn 0; pile 5", 0, "play OWN")
    assert step.events[-2:] == [reversed_by(0, -1), turn(3)]
    step = after(after(step, 3, "pick up"), 2, "play 10")
    assert step.events[-1] == turn(1)
    step = after(f"second_edition; 0 hand OWN 8; {FOUR}; turn 0; direction -1; pile 5", 0, "play OWN")
    assert step.events[-2:] == [reversed_by(0, 1), turn(1)]


@pytest.mark.rule("K60", "K46")
def test_everyone_moves_one_seat_to_the_left_and_leaves_all_cards() -> None:
    position = 'second_edition {"create_your_karma":"move left"}; 0 hand OWN 8 up 1 . .; 1 hand 9; 2; turn 0; pile 5'
    step = after(position, 0, "play OWN")
    assert step.events[2:] == [
        seats_changed(0, (0, 0, 1), (1, 1, 2), (2, 2, 0)),
        went_out(1),
        brought_back(2),
        turn(0, seat=1),
    ]
    assert step.lies == "0 player 2 hand 8 up 1 . .; 1 player 0 hand 9; 2 player 1; turn 0; pile 5"


@pytest.mark.rule("K60", "K46")
def test_after_all_moved_left_play_goes_on_from_the_place_the_card_was_played_at() -> None:
    options = 'second_edition {"create_your_karma":"move left"}'
    step = after(f"{options}; 0 hand OWN 8; {FOUR}; turn 0; pile 5", 0, "play OWN")
    assert step.events[-1] == turn(0, seat=1)
    step = after(f"{options}; 0 hand OWN 8; {FOUR}; turn 0; direction -1; pile 5", 0, "play OWN")
    assert step.events[-1] == turn(2, seat=3)


@pytest.mark.rule("K60", "K11")
def test_after_all_moved_one_draws_at_the_new_place() -> None:
    options = 'second_edition {"create_your_karma":"move left"}'
    step = after(f"{options}; 0 hand OWN 8; {FOUR}; turn 0; pile 5; draw 1 2 3", 0, "play OWN")
    assert step.events[-2:] == [drew(0, "1 2", seat=1), turn(0, seat=1)]


# ---------------------------------------------------------------- K61: seats and hands


@pytest.mark.rule("K61")
@pytest.mark.parametrize(
    ("n", "way", "seats"),
    [(1, "left", [3, 0, 1, 2]), (1, "right", [1, 2, 3, 0]), (2, "left", [2, 3, 0, 1]), (3, "right", [3, 0, 1, 2])],
)
def test_seats_rotate_left_or_right_by_n(n: int, way: str, seats: list[int]) -> None:
    edition = designed(power("rotate_seats", n=n, way=way))
    step = after(f"{edition}; 0 hand D1 8; {FOUR}; turn 0; pile 5", 0, "play D1")
    assert step.table.player_at[:4] == seats
    moved = {(each["player"], each["from"]): each["to"] for each in step.events[2]["moved"]}
    assert moved == {(player, player): seats.index(player) for player in range(4)}


@pytest.mark.rule("K61")
@pytest.mark.parametrize("way", ["left", "right"])
def test_seats_that_rotate_all_the_way_round_are_as_they_were(way: str) -> None:
    edition = designed(power("rotate_seats", n=4, way=way))
    step = after(f"{edition}; 0 hand D1 8; {FOUR}; turn 0; pile 5", 0, "play D1")
    assert step.table.player_at[:4] == step.table.seat_of[:4] == [0, 1, 2, 3]
    assert step.events[-1] == turn(1)


@pytest.mark.rule("K61", "K50")
@pytest.mark.parametrize(("way", "hands"), [("left", "11 8 9 10"), ("right", "9 10 11 8")])
def test_hands_rotate_left_or_right(way: str, hands: str) -> None:
    edition = designed(power("rotate_hands", way=way))
    step = after(f"{edition}; 0 hand D1 8; {FOUR}; turn 0; pile 5", 0, "play D1")
    assert step.events[2] == hands_passed(0, way)
    assert step.lies.startswith("; ".join(f"{seat} hand {card}" for seat, card in enumerate(hands.split())) + "; ")


@pytest.mark.rule("K61", "K46")
def test_exchanging_hands_after_changing_seats_is_done_at_the_new_place() -> None:
    edition = designed("change_seats", "exchange_hands")
    step = after(f"{edition}; 0 hand D1 8; {FOUR}; turn 0; pile 5", 0, "play D1", "choose 2", "choose 3")
    assert step.events[2:] == [seats_changed(0, (0, 0, 2), (2, 2, 0)), hands_exchanged(0, 3), turn(1)]
    assert step.lies.startswith("0 player 2 hand 8; 1 hand 9; 2 player 0 hand 11; 3 hand 10; ")


# ---------------------------------------------------------------- K61: the pile


@pytest.mark.rule("K61", "K40")
def test_a_designed_card_that_stays_gives_itself_away_with_the_pile() -> None:
    step = after(f"{designed('give_pile', leaves=False)}; 0 hand D1 8; {FOUR}; turn 0", 0, "play D1", "choose 2")
    assert step.events == [played(0, "D1"), pile_given(0, 2, "D1"), turn(1)]


@pytest.mark.rule("K61", "K47")
def test_a_designed_card_can_clear_the_pile_and_play_again_itself_included() -> None:
    step = after(f"{designed('clear_pile', leaves=False)}; 0 hand D1 8; {FOUR}; turn 0; pile 5", 0, "play D1")
    assert step.events == [played(0, "D1"), cleared(0, "5 D1", "power"), again(0)]


@pytest.mark.rule("K61", "K47", "K46")
def test_whoever_changes_seats_and_clears_plays_again_at_the_new_place() -> None:
    edition = designed("change_seats", "clear_pile")
    step = after(f"{edition}; 0 hand D1 8; {FOUR}; turn 0; pile 5", 0, "play D1", "choose 2")
    assert step.events[-2:] == [cleared(0, "5", "power"), again(0, seat=2)]
    assert moves(step) == ["play 10"]
    assert after(step, 0, "play 10").events[-1] == turn(3)


@pytest.mark.rule("K61", "K46", "K19")
def test_whoever_goes_out_by_changing_seats_does_not_play_again_and_play_goes_on_from_the_old_place() -> None:
    edition = designed("change_seats", "clear_pile")
    step = after(f"{edition}; 0 hand D1 8; 1 hand 9; 2; 3 hand 11; turn 0; pile 5", 0, "play D1", "choose 2")
    assert step.events[-3:] == [went_out(0), brought_back(2), turn(1)]


@pytest.mark.rule("K61", "K42")
def test_a_card_that_leaves_brings_the_bottom_up_or_has_nothing_to_move() -> None:
    edition = designed("bottoms_up")
    step = after(f"{edition}; 0 hand D1 8; {FOUR}; turn 0; pile 3 4 5", 0, "play D1")
    assert step.events == [played(0, "D1"), left(0, "D1"), moved_up(0, "3"), turn(1)]
    assert step.table.discard_pile[:3] == [3, 4, 2]
    step = after(f"{edition}; 0 hand D1 8; {FOUR}; turn 0", 0, "play D1")
    assert step.events == [played(0, "D1"), left(0, "D1"), nothing_to_do(0, "bottoms_up"), turn(1)]


@pytest.mark.rule("K61")
@pytest.mark.parametrize(("low", "high"), [(3, 4), (9, 9), (1, 16)])
def test_a_designed_card_asks_for_its_range(low: int, high: int) -> None:
    edition = designed(power("ask_for", low=low, high=high), leaves=False)
    numbers = " ".join(str(number) for number in range(1, 17))
    step = after(f"{edition}; 0 hand D1 8; 1 hand {numbers} EXC; turn 0; pile 16", 0, "play D1")
    asked = [f"play {number}" for number in range(low, high + 1)]
    assert moves(step) == [*asked, "play EXC", "pick up"]
    if high < 16:
        assert refused(step, 1, "play 16") == "K61"


@pytest.mark.rule("K61", "K31")
@pytest.mark.parametrize("powers", [("value_zero",), ("reverse",), ("peek_face_down", "value_zero")])
def test_a_designed_card_that_stays_and_asks_for_nothing_is_worth_zero(powers: tuple[str, ...]) -> None:
    step = after(f"{designed(*powers, leaves=False)}; 0 hand D1 8; 1 hand 1 16; turn 0; pile 16", 0, "play D1")
    assert moves(step) == ["play 1", "play 16", "pick up"]
    assert karma.state(step.table)["discard_pile"] == ["16", "D1"]


# ---------------------------------------------------------------- K61: lost turns


@pytest.mark.rule("K61", "K48")
@pytest.mark.parametrize("n", [1, 2, 3])
def test_one_chosen_player_loses_n_turns(n: int) -> None:
    edition = designed(power("lose_turns", n=n, whom="one"))
    step = after(f"{edition}; 0 hand D1 8; {FOUR}; turn 0; pile 5", 0, "play D1")
    assert moves(step) == ["choose 1", "choose 2", "choose 3", "decline"]
    assert after(step, 0, "choose 2").events == [turns_to_lose(0, 2, n), turn(1)]
    assert after(step, 0, "decline").events == [declined(0, "lose_turns"), turn(1)]


@pytest.mark.rule("K61", "K33")
@pytest.mark.parametrize(("direction", "loser"), [(1, 2), (-1, 3)])
def test_the_next_player_who_holds_cards_loses_turns(direction: int, loser: int) -> None:
    edition = designed(power("lose_turns", n=2, whom="next"))
    position = f"{edition}; 0 hand D1 8; 1; 2 hand 10; 3 hand 11; turn 0; direction {direction}; pile 5"
    step = after(position, 0, "play D1")
    assert step.events[2:] == [turns_to_lose(0, loser, 2), turn_lost(loser, 1), turn(5 - loser)]


@pytest.mark.rule("K61")
def test_the_next_player_follows_the_direction_as_it_is_at_that_moment() -> None:
    lying = f"0 hand D1 8; {FOUR}; turn 0; pile 5"
    lose = power("lose_turns", n=1, whom="next")
    step = after(f"{designed('reverse', lose)}; {lying}", 0, "play D1")
    assert step.events[2:] == [reversed_by(0, -1), turns_to_lose(0, 3), turn_lost(3), turn(2)]
    step = after(f"{designed(lose, 'reverse')}; {lying}", 0, "play D1")
    assert step.events[2:] == [turns_to_lose(0, 1), reversed_by(0, -1), turn(3)]


@pytest.mark.rule("K61", "K46")
def test_the_next_player_is_counted_from_the_place_the_card_was_played_at() -> None:
    edition = designed("change_seats", power("lose_turns", n=1, whom="next"))
    step = after(f"{edition}; 0 hand D1 8; {FOUR}; turn 0; pile 5", 0, "play D1", "choose 2")
    assert step.events[-3:] == [turns_to_lose(0, 1), turn_lost(1), turn(0, seat=2)]


@pytest.mark.rule("K61", "K33")
def test_everyone_else_who_holds_cards_loses_turns() -> None:
    edition = designed(power("lose_turns", n=1, whom="everyone_else"))
    step = after(f"{edition}; 0 hand D1 8; 1 hand 9; 2; 3 hand 11; turn 0; pile 5", 0, "play D1")
    assert step.events[2:] == [turns_to_lose(0, 1), turns_to_lose(0, 3), turn_lost(1), turn_lost(3), turn(0)]


@pytest.mark.rule("K61", "K48")
def test_two_powers_of_one_card_add_up() -> None:
    lose = power("lose_turns", n=1, whom="next")
    step = after(f"{designed(lose, lose, lose)}; 0 hand D1 8; {FOUR}; turn 0; pile 5", 0, "play D1")
    assert step.events[2:] == [*[turns_to_lose(0, 1)] * 3, turn_lost(1, 2), turn(2)]


# ---------------------------------------------------------------- K61: giving


@pytest.mark.rule("K61", "K51")
def test_cards_are_given_one_by_one_each_to_a_receiver_of_its_own() -> None:
    edition = designed(power("give_cards", n=2))
    step = after(f"{edition}; 0 hand D1 6 7 8; {FOUR}; turn 0; pile 5", 0, "play D1", "give 6", "choose 1")
    assert question(step) == (0, "give")
    assert moves(step) == ["give 7", "give 8", "decline"]
    step = after(step, 0, "give 8", "choose 3")
    assert step.events == [gift_chosen(0, "8"), card_given(0, 3, "8"), turn(1)]


@pytest.mark.rule("K61", "K51")
def test_giving_may_stop_at_any_of_them() -> None:
    edition = designed(power("give_cards", n=3))
    step = after(f"{edition}; 0 hand D1 6 7 8; {FOUR}; turn 0; pile 5", 0, "play D1")
    assert after(step, 0, "decline").events == [declined(0, "give_cards"), turn(1)]
    step = after(step, 0, "give 6", "choose 1", "give 7", "choose 1")
    assert after(step, 0, "decline").events == [declined(0, "give_cards"), turn(1)]


@pytest.mark.rule("K61", "K51")
def test_giving_goes_on_from_the_next_location_and_stops_when_there_is_none() -> None:
    edition = designed(power("give_cards", n=3))
    step = after(f"{edition}; 0 hand D1 6 up 7 . .; {FOUR}; turn 0; pile 5", 0, "play D1", "give 6", "choose 1")
    assert moves(step) == ["give 7", "decline"]
    step = after(step, 0, "give 7", "choose 1")
    assert step.events[1:] == [
        card_given(0, 1, "7", of="face_up"),
        nothing_to_do(0, "give_cards"),
        went_out(0),
        turn(1),
    ]


@pytest.mark.rule("K61", "K51")
def test_what_comes_after_giving_comes_after_all_of_it() -> None:
    edition = designed(power("give_cards", n=2), "reverse")
    step = after(f"{edition}; 0 hand D1 6 7 8; {FOUR}; turn 0; pile 5", 0, "play D1", "give 6", "choose 1")
    assert "direction_reversed" not in [each["event"] for each in step.events]
    assert after(step, 0, "decline").events == [declined(0, "give_cards"), reversed_by(0, -1), turn(3)]


# ---------------------------------------------------------------- K61: drawing


@pytest.mark.rule("K61")
def test_one_draws_n_cards_and_up_to_three_only_if_that_was_not_enough() -> None:
    edition = designed(power("draw_cards", n=2, whom="self"))
    step = after(f"{edition}; 0 hand D1 6 7; {FOUR}; turn 0; pile 5; draw 1 2 3 4", 0, "play D1")
    assert step.events[2:] == [drew(0, "1 2"), turn(1)]
    step = after(f"{edition}; 0 hand D1; {FOUR}; turn 0; pile 5; draw 1 2 3 4", 0, "play D1")
    assert step.events[2:] == [drew(0, "1 2"), drew(0, "3"), turn(1)]


@pytest.mark.rule("K61")
def test_one_chosen_player_draws_and_that_may_not_be_declined() -> None:
    edition = designed(power("draw_cards", n=6, whom="one"))
    step = after(f"{edition}; 0 hand D1 6 7 8; {FOUR}; turn 0; pile 5; draw 1", 0, "play D1", "choose 1")
    assert step.events[2:] == [drew(1, "1"), turn(1)]
    step = after(f"{edition}; 0 hand D1 6 7 8; {FOUR}; turn 0; pile 5; draw 1 2 3 4", 0, "play D1")
    assert moves(step) == ["choose 1", "choose 2", "choose 3"]
    assert refused(step, 0, "decline") == "K32"
    step = after(step, 0, "choose 3")
    assert step.events == [drew(3, "1 2 3 4"), turn(1)]
    assert step.lies == "0 hand 6 7 8; 1 hand 9; 2 hand 10; 3 hand 1 2 3 4 11; turn 1; pile 5"


@pytest.mark.rule("K61")
def test_everyone_else_draws_in_the_direction_of_play_while_there_are_cards() -> None:
    edition = designed(power("draw_cards", n=2, whom="everyone_else"))
    step = after(f"{edition}; 0 hand D1 6 7 8; {FOUR}; turn 0; pile 5; draw 1 2 3 4 5", 0, "play D1")
    assert step.events[2:] == [drew(1, "1 2"), drew(2, "3 4"), drew(3, "5"), turn(1)]
    position = f"{edition}; 0 hand D1 6 7 8; {FOUR}; turn 0; direction -1; pile 5; draw 1 2 3"
    assert after(position, 0, "play D1").events[2:] == [drew(3, "1 2"), drew(2, "3"), turn(3)]


@pytest.mark.rule("K61", "K22")
@pytest.mark.parametrize(("whom", "answers"), [("one", ("choose 2",)), ("everyone_else", ())])
def test_others_draw_whether_they_are_out_or_not_and_are_back_with_what_they_draw(
    whom: str, answers: tuple[str, ...]
) -> None:
    edition = designed(power("draw_cards", n=1, whom=whom))
    position = f"{edition}; 0 hand D1 6 7 8; 1 hand 9; 2; turn 0; pile 5; draw 1 2 3"
    step = after(position, 0, "play D1", *answers)
    assert step.events[-3:] == [drew(2, "1" if whom == "one" else "2"), brought_back(2), turn(1)]


@pytest.mark.rule("K61", "K46")
def test_everyone_else_is_never_oneself_even_after_changing_seats() -> None:
    edition = designed("change_seats", power("draw_cards", n=1, whom="everyone_else"))
    position = f"{edition}; 0 hand D1 6 7 8; {FOUR}; turn 0; pile 5; draw 1 2 3"
    step = after(position, 0, "play D1", "choose 1")
    assert step.events[3:6] == [drew(2, "1"), drew(3, "2"), drew(1, "3", seat=0)]


@pytest.mark.rule("K61", "K32")
@pytest.mark.parametrize("whom", ["self", "one", "everyone_else"])
def test_with_the_draw_pile_gone_nobody_draws_and_nobody_is_chosen(whom: str) -> None:
    edition = designed(power("draw_cards", n=1, whom=whom))
    step = after(f"{edition}; 0 hand D1 6 7 8; {FOUR}; turn 0; pile 5", 0, "play D1")
    assert step.events[2:] == [nothing_to_do(0, "draw_cards"), turn(1)]


# ---------------------------------------------------------------- K61: table cards


@pytest.mark.rule("K61", "K41")
def test_a_designed_card_that_leaves_can_let_one_play_a_table_card() -> None:
    edition = designed("play_table_card")
    step = after(f"{edition}; 0 hand D1 6 up 1 . .; {FOUR}; turn 0; pile 16", 0, "play D1", "play 1")
    assert step.events == [played(0, "D1"), left(0, "D1"), played(0, "1", of="face_up"), turn(1)]
    step = after(f"{edition}; 0 hand D1 6 down 1 . .; {FOUR}; turn 0; pile 16", 0, "play D1", "flip 1")
    assert step.events == [played(0, "D1"), left(0, "D1"), flipped(0, 1, "1"), turn(1)]


@pytest.mark.rule("K61", "K20", "K62")
def test_the_powers_of_a_table_card_act_before_those_still_to_come() -> None:
    edition = house(code("play_table_card", "reverse", leaves=True), code(power("lose_turns", n=1, whom="next")))
    step = after(f"{edition}; 0 hand D1 6 up D2 . .; {FOUR}; turn 0; pile 5", 0, "play D1", "play D2")
    assert step.events[2:] == [
        played(0, "D2", of="face_up"),
        turns_to_lose(0, 1),
        reversed_by(0, -1),
        turn(3),
    ]


@pytest.mark.rule("K61")
def test_one_may_peek_at_one_of_ones_own_face_down_cards() -> None:
    edition = designed("peek_face_down")
    step = after(f"{edition}; 0 hand D1 6 down 3 . 4; {FOUR}; turn 0; pile 5", 0, "play D1")
    assert question(step) == (0, "peek")
    assert moves(step) == ["peek 1", "peek 3", "decline"]
    assert after(step, 0, "peek 3").events == [peeked_at(0, 3, "4"), turn(1)]
    assert after(step, 0, "decline").events == [declined(0, "peek_face_down"), turn(1)]
    step = after(f"{edition}; 0 hand D1 6; {FOUR}; turn 0; pile 5", 0, "play D1")
    assert step.events[2:] == [nothing_to_do(0, "peek_face_down"), turn(1)]


@pytest.mark.rule("K61")
def test_one_may_swap_a_face_up_card_with_a_different_hand_card() -> None:
    edition = designed("swap_face_up")
    step = after(f"{edition}; 0 hand D1 6 7 up 6 9 6; 1 hand 4; turn 0; pile 5", 0, "play D1")
    assert question(step) == (0, "swap")
    assert moves(step) == ["swap 6 7", "swap 9 6", "swap 9 7", "decline"]
    swap = after(step, 0, "swap 6 7")
    assert swap.events == [swapped(0, 1, "6", "7"), turn(1)]
    assert swap.lies == "0 hand 6 6 up 7 9 6; 1 hand 4; turn 1; pile 5"
    swap = after(step, 0, "swap 9 6")
    assert swap.events == [swapped(0, 2, "9", "6"), turn(1)]
    assert swap.lies == "0 hand 7 9 up 6 6 6; 1 hand 4; turn 1; pile 5"
    assert after(step, 0, "decline").events == [declined(0, "swap_face_up"), turn(1)]
    step = after(f"{edition}; 0 hand D1 6 7 up . 9 .; 1 hand 4; turn 0; pile 5", 0, "play D1")
    assert moves(step) == ["swap 9 6", "swap 9 7", "decline"]


@pytest.mark.rule("K61")
@pytest.mark.parametrize("cards", ["hand D1 6 up 6 . 6", "hand D1 6 down 7 . .", "hand D1 up 6 . ."])
def test_identical_cards_are_not_swapped_nor_what_is_not_there(cards: str) -> None:
    step = after(f"{designed('swap_face_up')}; 0 {cards}; 1 hand 4; turn 0; pile 5", 0, "play D1")
    assert step.events[2] == nothing_to_do(0, "swap_face_up")


@pytest.mark.rule("K61")
def test_powers_act_in_the_order_of_the_card() -> None:
    edition = designed("reverse", power("rotate_hands", way="left"), power("draw_cards", n=1, whom="self"))
    step = after(f"{edition}; 0 hand D1 8; {FOUR}; turn 0; pile 5; draw 1 2 3", 0, "play D1")
    assert step.events[2:] == [reversed_by(0, -1), hands_passed(0, "left"), drew(0, "1"), drew(0, "2"), turn(3)]


# ---------------------------------------------------------------- K62


@pytest.mark.rule("K62")
def test_the_twelve_printed_cards_are_rows_of_the_same_vocabulary() -> None:
    rows = {card.code: [(each.power.name, each.parameters()) for each in card.powers] for card in PRINTED}
    assert rows == {
        "GIV": [("give_pile", {})],
        "TAB": [("play_table_card", {})],
        "BOT": [("bottoms_up", {})],
        "LOW": [("ask_for", {"low": 1, "high": 5})],
        "OWN": [("reverse", {})],
        "EXC": [("exchange_hands", {})],
        "SEA": [("change_seats", {})],
        "CLR": [("clear_pile", {})],
        "LOS": [("lose_turns", {"n": 1, "whom": "one"})],
        "711": [("ask_for", {"low": 7, "high": 11})],
        "PAS": [("rotate_hands", {"way": "right"})],
        "ONE": [("give_cards", {"n": 1})],
    }
    assert list(PRINTED_IDEAS) == ["reverse", "move left"]


@pytest.mark.rule("K62")
@pytest.mark.parametrize("card", PRINTED, ids=[card.code for card in PRINTED])
def test_a_design_with_a_printed_cards_powers_plays_like_that_card(card: KarmaCard) -> None:
    powers = [power(each.power.name, **each.parameters()) for each in card.powers]
    edition = designed(*powers, leaves=card.on_pile is OnPile.LEAVES)
    lying = "0 hand {card} 3 8 up 1 . 2 down . 4 .; 1 hand 9; 2; 3 hand 11 5; turn 0; pile 6 2 12"
    printed = after(f"{edition}; {lying.format(card=card.code)}", 0, f"play {card.code}")
    design = after(f"{edition}; {lying.format(card='D1')}", 0, "play D1")
    assert as_if(design.events, card.code) == printed.events
    if moves(printed) == moves(design) and question(printed)[0] == 0:
        for move in moves(printed):
            assert as_if(after(design, 0, move).events, card.code) == after(printed, 0, move).events
    assert question(printed) == question(design)


def as_if(events: list[Json], code: str) -> list[Json]:
    """The events, with D1 called by another card's code."""
    return [{name: code if fact == "D1" else fact for name, fact in each.items()} for each in events]


# ---------------------------------------------------------------- K63


@pytest.mark.rule("K63", "K1")
def test_a_house_edition_holds_all_printed_cards_and_designs_together() -> None:
    table = lay(f"{designed('reverse')}; 0 hand 1; 1 hand 2; turn 0")
    printed = ["GIV", "TAB", "BOT", "LOW", "OWN", "EXC", "SEA", "CLR", "LOS", "711", "PAS", "ONE"]
    assert [card.code for card in table.deal.edition.cards][16:] == [*printed, "D1"]
