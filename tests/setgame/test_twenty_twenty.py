"""20/20 SET: T1 to T10."""

import pytest

from tests.setgame.tables import after, cards_everywhere, events, layout, named, names, refused, table
from threefold import setgame
from threefold.game import Ending
from threefold.setgame.cards import CARD_NAMES

CENTRE = "1RSD 1RTD 1ROD 2GSS 2GTO 3PSD"
"""Holds one SET, the first three."""
MINE = "2RSD 2RTD 3GSS 1PTO 1POO 1POS"
YOURS = "2ROD 3GTO 3GOO 2PSO 2PTS 2POD"
HAND = f"twenty_twenty; players 2; layout {CENTRE}; personal 0 {MINE}; personal 1 {YOURS}"
DECK = "deck 3RSS 3RTS 3ROS 2RSS 2RTS 2ROS 1GSD 1GTD 1GOD"


@pytest.mark.rule("T1")
def test_six_cards_go_to_each_player_one_at_a_time_from_the_dealers_left_and_six_to_the_centre() -> None:
    new = setgame.new({"variant": "twenty_twenty", "players": 3, "dealer": 1, "seed": "v1:a", "deck": list(CARD_NAMES)})
    assert [new.personal[player][:6] for player in (2, 0, 1)] == [
        [0, 3, 6, 9, 12, 15],
        [1, 4, 7, 10, 13, 16],
        [2, 5, 8, 11, 14, 17],
    ]
    assert new.layout[:6] == [18, 19, 20, 21, 22, 23]
    assert new.deck_size == 81 - 18 - 6
    seen = setgame.view(new, None)
    assert seen["centre"][0] == CARD_NAMES[18], "all lies open"
    assert seen["personal"][2][:2] == [CARD_NAMES[0], CARD_NAMES[3]]
    assert seen["personal"][2][6:] == [None, None, None]
    assert seen["target"] == 30


@pytest.mark.rule("T2")
def test_a_set_of_the_centre_needs_no_personal_card() -> None:
    lying = table(f"{HAND}; {DECK}; control 0 6000")
    after_it = after(lying, (0, "take 1RSD 1RTD 1ROD", 1))
    assert after_it.sets[0] == 1
    assert after_it.personal_size[0] == 6


@pytest.mark.rule("T2")
def test_a_set_may_mix_personal_cards_and_centre_or_be_all_personal() -> None:
    own = table(
        "twenty_twenty; players 2; layout 1RSD 1RTD 1ROD 2GSS 2GTO 3PSD; personal 0 2RSD 2RTD 2ROD 3GSS; "
        "personal 1 3GTO; control 0 9; deck"
    )
    assert after(own, (0, "take 2RSD 2RTD 2ROD", 1)).personal_size[:2] == [1, 1]
    both = table(
        "twenty_twenty; players 2; layout 1RSD 1RTD 1ROD 2GSS 2GTO 3PSD; personal 0 2RSD 3RSD 3GSS; "
        "personal 1 3GTO; control 0 9; deck 1GSS"
    )
    assert after(both, (0, "take 1RSD 2RSD 3RSD", 1)).personal_size[:2] == [1, 1]


@pytest.mark.rule("T2")
def test_never_from_another_players_cards() -> None:
    lying = table(f"{HAND}; {DECK}; control 0 6000")
    assert refused(lying, 0, "take 2RSD 2RTD 2ROD", 1) == ("not_yours", "T2")
    assert refused(lying, 0, "take 2ROD 2RTD 2RSD", 1) == ("not_yours", "T2")
    assert refused(lying, 0, "take 2RTD 2ROD 2RSD", 1) == ("not_yours", "T2")
    (take,) = (each for each in setgame.decisions(lying) if each.question == "take")
    assert take.details["from"] == [*CENTRE.split(), *MINE.split()]


@pytest.mark.rule("T3")
def test_calling_control_and_time_are_as_in_the_full_game() -> None:
    called = after(table(f"{HAND}; {DECK}"), (0, "call", 100))
    assert called.call_deadline == 6100
    for move in ("call", "agree", "ask", "take 1RSD 1RTD 1ROD"):
        assert refused(called, 1, move, 200) == ("somebody_has_control", "T3")
    for move in ("call", "agree", "ask"):
        assert refused(called, 0, move, 200) == ("has_called", "T3")
    late = after(called, (None, "time up", 6100))
    assert late.personal_size[:2] == [7, 6]
    assert late.score[:2] == [0, 0], "a card takes the place of the lost point"
    assert refused(late, 0, "call", 6200) == ("too_soon", "S13")


@pytest.mark.rule("T4")
def test_the_set_goes_to_the_discard_pile_and_only_the_centre_is_refilled_in_its_places() -> None:
    lying = table(HAND.replace("3PSD", "3RSD") + f"; {DECK}; control 0 6000")
    happened = events(lying, 0, "take 3RSD 1RSD 2RSD", 1)
    assert names(happened) == ["set_taken", "cards_laid"]
    assert happened[0]["areas"] == ["centre", "centre", "personal"]
    assert happened[0]["places"] == [6, 1, 1]
    assert happened[0]["points"] == happened[0]["score"] == 0
    assert happened[1]["cards"] == ["3RSS", "3RTS"]
    assert happened[1]["areas"] == ["centre", "centre"]
    assert happened[1]["places"] == [1, 6]
    after_it = after(lying, (0, "take 3RSD 1RSD 2RSD", 1))
    seen = setgame.view(after_it, 1)
    assert seen["discard_pile"] == ["3RSD", "1RSD", "2RSD"]
    assert seen["personal"][0][:2] == [None, "2RTD"]
    assert seen["scores"] == [0, 0]


@pytest.mark.rule("T4")
def test_three_personal_cards_leave_the_centre_as_it_is() -> None:
    own = table(
        f"twenty_twenty; players 2; layout {CENTRE}; personal 0 2RSD 2RTD 2ROD 3GSS; "
        "personal 1 3GTO; control 0 9; deck 3RSS"
    )
    assert names(events(own, 0, "take 2RSD 2RTD 2ROD", 1)) == ["set_taken"]
    assert layout(after(own, (0, "take 2RSD 2RTD 2ROD", 1))) == CENTRE.split()


@pytest.mark.rule("T5")
def test_a_wrong_call_returns_the_cards_and_brings_one_more_personal_card() -> None:
    lying = table(f"{HAND}; {DECK}; control 0 6000")
    happened = events(lying, 0, "take 1RSD 1RTD 2RSD", 1)
    assert names(happened) == ["wrong_set", "call_failed", "personal_card_given"]
    assert happened[2] == {
        "event": "personal_card_given",
        "player": 0,
        "gift": "penalty",
        "cards": ["3RSS"],
        "areas": ["personal"],
        "places": [7],
    }
    wrong = after(lying, (0, "take 1RSD 1RTD 2RSD", 1))
    assert layout(wrong) == CENTRE.split()
    assert wrong.personal_size[0] == 7


@pytest.mark.rule("T5")
def test_with_nine_cards_there_is_no_penalty_card() -> None:
    nine = table(HAND.replace(MINE, f"{MINE} 3RSS 3RTS 3ROS") + "; control 0 6000")
    happened = events(nine, 0, "give up", 1)
    assert names(happened) == ["call_failed", "no_penalty_card"]
    assert after(nine, (0, "give up", 1)).personal_size[0] == 9


@pytest.mark.rule("T6")
def test_a_player_may_ask_for_one_more_card_up_to_nine_and_that_withdraws_agreement() -> None:
    lying = after(table(f"{HAND}; {DECK}"), (1, "agree", 1))
    happened = events(lying, 0, "ask", 2)
    assert names(happened) == ["agreement_withdrawn", "personal_card_given"]
    assert happened[1]["gift"] == "asked"
    for at in (2, 3, 4):
        lying = after(lying, (0, "ask", at))
    assert lying.personal_size[0] == 9
    assert refused(lying, 0, "ask", 5) == ("most_personal", "T6")
    assert {each.player for each in setgame.decisions(lying) if each.question == "ask"} == {1}


@pytest.mark.rule("T6")
def test_a_card_asked_for_lies_at_the_first_free_place() -> None:
    lying = table(HAND.replace(MINE, "2RSD . 3GSS") + f"; {DECK}")
    assert events(lying, 0, "ask", 1)[0]["places"] == [2]


@pytest.mark.rule("T6")
def test_there_is_nothing_to_ask_for_without_personal_cards() -> None:
    assert refused(table("full; players 2; layout ONE_SET"), 0, "ask", 1) == ("no_personal_cards", "T6")


@pytest.mark.rule("T7")
def test_all_agree_and_the_centre_is_replaced_and_shuffled_into_the_deck_without_the_discard_pile() -> None:
    start = table(f"{HAND}; {DECK}; discard 3PSS 3PTS 3POS")
    happened = events(after(start, (0, "agree", 1)), 1, "agree", 2)
    assert names(happened) == ["agreed_no_set", "all_agreed", "centre_removed", "cards_laid", "reshuffled"]
    assert named(happened, "centre_removed")["cards"] == CENTRE.split()
    assert named(happened, "cards_laid")["cards"] == ["3RSS", "3RTS", "3ROS", "2RSS", "2RTS", "2ROS"]
    assert named(happened, "cards_laid")["places"] == [1, 2, 3, 4, 5, 6]
    assert named(happened, "reshuffled") == {"event": "reshuffled", "shuffled": "removed_into_deck", "count": 9}
    lying = after(start, (0, "agree", 1), (1, "agree", 2))
    rest = setgame.state(lying)["deck"]
    assert sorted(rest) == sorted([*CENTRE.split(), "1GSD", "1GTD", "1GOD"])
    assert setgame.view(lying, None)["discard_pile"] == ["3PSS", "3PTS", "3POS"]
    assert lying.removed_size == 0


@pytest.mark.rule("T7")
@pytest.mark.parametrize(("deck", "joins"), [(7, False), (6, True), (5, True)])
def test_the_discard_pile_joins_if_the_deck_held_six_cards_or_fewer_before_the_new_six_were_laid(
    deck: int,
    joins: bool,  # noqa: FBT001 (a parameter of the test)
) -> None:
    start = table(f"{HAND}; {' '.join(DECK.split()[: deck + 1])}; discard 3PSS 3PTS 3POS")
    lying = after(start, (0, "agree", 1), (1, "agree", 2))
    assert (lying.discard_size == 0) is joins
    assert lying.deck_size == deck + (3 if joins else 0)
    assert cards_everywhere(lying) == cards_everywhere(start)


@pytest.mark.rule("T7")
def test_two_centres_do_not_alternate_for_ever() -> None:
    lying = table(f"{HAND}; {' '.join(DECK.split()[:7])}; discard 3PSS 3PTS 3POS")
    seen = set()
    for at in range(12):
        lying = after(lying, (0, "agree", at), (1, "agree", at))
        seen |= set(layout(lying))
    assert {"3PSS", "3PTS", "3POS"} <= seen


@pytest.mark.rule("T7", "S14")
def test_a_table_that_deals_by_itself_counts_the_deck_at_each_change() -> None:
    start = table(NOBODY_CAN.replace("personal 2 2RTS", "personal 2 2RTS; deck 3RSD 1POS 2GTD 3GTS 1GTD 3PTO 2POS"))
    happened = events(start, 0, "leave", 1)
    shuffles = [each["shuffled"] for each in happened if each["event"] == "reshuffled"]
    assert shuffles[0] == "removed_into_deck", "seven cards in the deck: the discard pile stays"
    assert cards_everywhere(after(start, (0, "leave", 1))) == cards_everywhere(start)


@pytest.mark.rule("T7", "T8")
def test_a_short_deck_takes_the_discard_pile_first_and_then_the_removed_cards() -> None:
    start = table(f"{HAND}; deck 3RSS 3RTS; discard 3PSS 3PTS 3POS")
    happened = events(after(start, (0, "agree", 1)), 1, "agree", 2)
    assert names(happened) == [
        "agreed_no_set",
        "all_agreed",
        "centre_removed",
        "cards_laid",
        "reshuffled",
        "cards_laid",
        "reshuffled",
        "cards_laid",
        "reshuffled",
    ]
    assert [each["shuffled"] for each in happened if each["event"] == "reshuffled"] == [
        "discard_pile",
        "removed_cards",
        "removed_into_deck",
    ]
    lying = after(start, (0, "agree", 1), (1, "agree", 2))
    assert lying.laid == 6
    assert cards_everywhere(lying) == cards_everywhere(start)


@pytest.mark.rule("T7")
def test_a_table_may_change_the_centre_by_itself_as_long_as_nobody_can_make_a_set() -> None:
    for seed in range(40):
        new = setgame.new(
            {"variant": "twenty_twenty", "players": 2, "seed": f"v1:{seed}", "options": {"auto_deal": True}}
        )
        assert any(setgame.hint(new, player, 3) for player in range(2))


@pytest.mark.rule("T8")
def test_when_a_card_is_needed_and_the_deck_is_empty_the_discard_pile_with_the_set_just_made_is_used() -> None:
    start = table(f"{HAND}; deck; control 0 6000")
    happened = events(start, 0, "take 1RSD 1RTD 1ROD", 1)
    assert names(happened) == ["set_taken", "reshuffled", "cards_laid"]
    assert named(happened, "reshuffled")["shuffled"] == "discard_pile"
    assert sorted(named(happened, "cards_laid")["cards"]) == ["1ROD", "1RSD", "1RTD"]


@pytest.mark.rule("T8")
def test_asking_for_a_card_reshuffles_the_discard_pile_when_the_deck_is_empty() -> None:
    start = table(f"{HAND}; deck; discard 3PSS 3PTS 3POS")
    assert names(events(start, 0, "ask", 1)) == ["reshuffled", "personal_card_given"]


OUT = (
    f"twenty_twenty; players 3; layout {CENTRE}; personal 0 2RSD 2RTD 2ROD; personal 1 {MINE[10:]}; "
    "personal 2 3GTO 3GOO; control 0 6000; now 50"
)


@pytest.mark.rule("T9")
def test_the_first_without_personal_cards_scores_what_the_others_hold_and_nothing_is_refilled() -> None:
    start = table(OUT)
    happened = events(start, 0, "take 2RSD 2RTD 2ROD", 100)
    assert names(happened) == ["set_taken", "hand_won"]
    assert happened[1] == {"event": "hand_won", "player": 0, "points": 6, "score": 6, "deal": 1}
    won = after(start, (0, "take 2RSD 2RTD 2ROD", 100))
    assert refused(won, 1, "call", 100) == ("between_deals", "T9")
    assert refused(won, 1, "ask", 100) == ("between_deals", "T9")
    assert refused(won, None, "time up", 2099) == ("not_yet", "T9")
    mixed = table(OUT.replace("2RSD 2RTD 2ROD", "2RSD 3RSD"))
    assert layout(after(mixed, (0, "take 1RSD 2RSD 3RSD", 100)))[0] is None


@pytest.mark.rule("T10")
def test_all_cards_are_shuffled_and_the_deal_passes_to_the_left() -> None:
    won = after(table(OUT), (0, "take 2RSD 2RTD 2ROD", 100))
    happened = events(won, None, "time up", 2100)
    assert names(happened) == ["reshuffled", "deal_began", *["personal_cards_dealt"] * 3, "cards_laid"]
    assert named(happened, "deal_began") == {"event": "deal_began", "deal": 2, "player": 1}
    lying = after(won, (None, "time up", 2100))
    assert cards_everywhere(lying) == list(range(81))
    assert lying.score[:3] == [6, 0, 0]


@pytest.mark.rule("T10")
def test_first_to_ten_points_times_the_players_wins_the_game() -> None:
    short = after(table(f"{OUT}; score 23 0 0"), (0, "take 2RSD 2RTD 2ROD", 100))
    assert setgame.ending(short) is None
    happened = events(table(f"{OUT}; score 24 29 0"), 0, "take 2RSD 2RTD 2ROD", 100)
    assert names(happened) == ["set_taken", "hand_won", "game_ended"]
    assert happened[2]["winners"] == [0]
    reached = after(table(f"{OUT}; score 24 29 0"), (0, "take 2RSD 2RTD 2ROD", 100))
    assert setgame.ending(reached) == Ending("target_reached", (0,), (), (30, 29, 0))


@pytest.mark.rule("T10")
def test_the_target_stays_when_a_player_leaves_and_that_players_cards_are_discarded() -> None:
    start = table(f"{OUT.replace('control 0 6000; ', '')}; {DECK}")
    happened = events(start, 2, "leave", 100)
    assert happened == [
        {"event": "left", "player": 2, "cards": ["3GTO", "3GOO"], "areas": ["personal"] * 2, "places": [1, 2]}
    ]
    lying = after(start, (2, "leave", 100))
    assert setgame.view(lying, None)["discard_pile"] == ["3GTO", "3GOO"]
    assert setgame.view(lying, None)["target"] == 30
    won = after(lying, (0, "call", 200), (0, "take 2RSD 2RTD 2ROD", 300))
    assert won.score[0] == 4
    dealt = after(won, (None, "time up", 2300))
    assert dealt.personal_size[:3] == [6, 6, 0]


@pytest.mark.rule("T10")
def test_who_leaves_during_a_call_gets_no_penalty_card() -> None:
    happened = events(table(OUT), 0, "leave", 100)
    assert names(happened) == ["call_failed", "left"]


@pytest.mark.rule("T10")
def test_the_last_one_left_wins() -> None:
    ended = after(table(f"{OUT}; score 5 0 0"), (0, "leave", 100), (1, "leave", 100))
    assert setgame.ending(ended) == Ending("last_one_left", (2,), (), (5, 0, 0))


NOBODY_CAN = (
    'twenty_twenty {"auto_deal": true}; players 3; layout 3RSO 3GSO 3PTS 2GSO 1RTS 2PSD; '
    "personal 0 1GOS 1GSD 1GTO; personal 1 1GOD; personal 2 2RTS"
)
"""Only player 0 can make a SET."""


@pytest.mark.rule("S14", "T7")
def test_the_centre_is_dealt_anew_when_the_only_player_who_could_make_a_set_leaves() -> None:
    start = table(NOBODY_CAN)
    assert setgame.hint(start, 0, 3)
    happened = events(start, 0, "leave", 1)
    assert names(happened)[:4] == ["left", "centre_removed", "cards_laid", "reshuffled"]
    lying = after(start, (0, "leave", 1))
    assert any(setgame.hint(lying, player, 3) for player in (1, 2))


@pytest.mark.rule("S14", "T7")
def test_a_centre_that_the_table_changes_withdraws_what_was_agreed() -> None:
    agreed = after(table(NOBODY_CAN), (1, "agree", 1))
    happened = events(agreed, 0, "leave", 2)
    assert names(happened)[:3] == ["left", "agreement_withdrawn", "centre_removed"]
    assert after(agreed, (0, "leave", 2)).agreed[:3] == [0, 0, 0]


FRUITLESS = (
    'twenty_twenty {"auto_deal": true}; players 3; layout 1RSD 1RSO 1RTD 1RTO 1PSD 1PSO; '
    "personal 0 1PTD; personal 1 1PTO; personal 2 2RSD; deck 2RSO 2RTD"
)
"""Among these eleven cards there is no SET at all."""


@pytest.mark.rule("S14", "T7")
@pytest.mark.parametrize(
    ("player", "move"), [(0, "ask"), (0, "agree"), (0, "away"), (0, "leave"), (0, "call"), (0, "give up"), (0, "back")]
)
def test_after_twenty_fruitless_changes_any_move_makes_the_table_look_again(player: int, move: str) -> None:
    start = table(FRUITLESS)
    if move == "give up":
        start = table(FRUITLESS + "; control 0 6000")
    if move == "back":
        start = table(FRUITLESS + "; away 0")
    happened = events(start, player, move, 1)
    assert names(happened).count("centre_removed") == (0 if move == "call" else 20), "a call comes first"
    assert cards_everywhere(after(start, (player, move, 1))) == cards_everywhere(start)


@pytest.mark.rule("T8")
def test_where_no_card_is_left_nobody_can_ask_and_there_is_no_penalty_card() -> None:
    start = table(f"{HAND}; deck; control 0 6000")
    assert names(events(start, 0, "give up", 1)) == ["call_failed", "no_penalty_card"]
    assert refused(after(start, (0, "give up", 1)), 1, "ask", 2) == ("no_card_left", "T8")


@pytest.mark.rule("T10")
def test_somebody_who_has_left_takes_nothing() -> None:
    start = table(NOBODY_CAN.replace('"auto_deal": true', '"call": "with take"'))
    assert names(events(start, 0, "leave", 1)) == ["left"]
    assert setgame.hint(after(start, (0, "leave", 1)), 1) == []
