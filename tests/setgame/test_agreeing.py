"""Agreeing that there is no SET, and more than twelve cards: S14 and S15."""

import pytest

from tests.setgame.tables import NO_SET, after, events, layout, named, names, refused, table
from threefold import setgame

FOUR = "full; players 4; layout NO_SET; deck 3GSS 3GSO 3GSD 2GSS 2GSO 2GSD"
FIFTEEN = f"{NO_SET} 1ROD 3GSO 3GSD"


@pytest.mark.rule("S14")
def test_three_more_cards_are_laid_when_all_have_agreed_one_by_one() -> None:
    lying = after(table(FOUR), (0, "agree", 1), (2, "agree", 2), (1, "agree", 3))
    assert lying.places == 12
    happened = events(lying, 3, "agree", 4)
    assert names(happened) == ["agreed_no_set", "all_agreed", "cards_laid"]
    assert happened[0] == {"event": "agreed_no_set", "player": 3, "count": 4, "n": 4}
    assert happened[1]["by_time"] is False
    assert happened[2]["cards"] == ["3GSS", "3GSO", "3GSD"]
    assert happened[2]["places"] == [13, 14, 15]
    assert after(lying, (3, "agree", 4)).agreed[:4] == [0, 0, 0, 0]


@pytest.mark.rule("S14")
def test_nobody_agrees_twice() -> None:
    lying = after(table(FOUR), (0, "agree", 1))
    assert refused(lying, 0, "agree", 2) == ("agreed_already", "S14")
    assert {each.player for each in setgame.decisions(lying) if each.question == "agree"} == {1, 2, 3}


@pytest.mark.rule("S14")
def test_a_call_withdraws_what_was_agreed() -> None:
    lying = after(table(FOUR), (0, "agree", 1), (1, "agree", 2), (2, "agree", 3))
    assert lying.agreement_deadline == 30_003
    happened = events(lying, 3, "call", 5)
    assert names(happened) == ["agreement_withdrawn", "called"]
    called = after(lying, (3, "call", 5))
    assert called.agreed[:4] == [0, 0, 0, 0]
    assert called.agreement_deadline == -1


@pytest.mark.rule("S14")
def test_a_take_that_is_its_own_call_withdraws_what_was_agreed_even_if_it_is_wrong() -> None:
    lying = table(FOUR.replace("full", 'full {"call": "with take"}'))
    happened = events(after(lying, (0, "agree", 1)), 1, "take 1RSD 1RSO 1RTD", 2)
    assert names(happened)[:2] == ["agreement_withdrawn", "wrong_set"]
    assert names(events(lying, 1, "take 1RSD 1RSO 1RTD", 2))[0] == "wrong_set", "nothing to withdraw, nothing said"


@pytest.mark.rule("S14")
def test_agreement_stands_even_where_a_set_was_there() -> None:
    start = table("full; players 2; layout ONE_SET; deck 3GSS 3GSO 3GSD")
    assert after(start, (0, "agree", 1), (1, "agree", 2)).places == 15


@pytest.mark.rule("S14")
def test_once_more_than_half_have_agreed_the_others_agree_by_staying_silent_until_the_deadline() -> None:
    half = after(table(FOUR), (0, "agree", 100), (1, "agree", 150))
    assert half.agreement_deadline == -1, "half is not enough"
    happened = events(half, 2, "agree", 200)
    assert names(happened) == ["agreed_no_set", "agreement_timed"]
    assert happened[1]["deadline"] == 30_200
    most = after(half, (2, "agree", 200))
    assert setgame.view(most, None)["agreement_deadline"] == 30_200
    assert refused(most, None, "time up", 30_199) == ("not_yet", "S14")
    (waiting,) = (each.as_json() for each in setgame.decisions(most) if each.player is None)
    assert waiting["deadline"] == 30_200
    assert waiting["for"] == "agreement"
    happened = events(most, None, "time up", 30_200)
    assert names(happened) == ["all_agreed", "cards_laid"]
    assert happened[0]["by_time"] is True


@pytest.mark.rule("S14")
def test_the_time_of_the_silent_does_not_begin_anew_when_another_agrees() -> None:
    five = table(FOUR.replace("players 4", "players 5"))
    most = after(five, (0, "agree", 1), (1, "agree", 2), (2, "agree", 3))
    assert after(most, (3, "agree", 9)).agreement_deadline == most.agreement_deadline == 30_003


@pytest.mark.rule("S14")
def test_of_two_players_both_must_agree_themselves() -> None:
    one = after(table("full; players 2; layout NO_SET"), (0, "agree", 1))
    assert one.agreement_deadline == -1
    assert refused(one, None, "time up", 99_999) == ("nothing_runs", "S13")


@pytest.mark.rule("S14")
@pytest.mark.parametrize(
    "lying",
    [
        "full; players 4; layout ONE_SET; deck",
        "longer_game; players 4; layout ONE_SET; deck",
        (
            "twenty_twenty; players 4; layout 1RSD 1RSO 1RTD 1RTO 1PSD 1PSO; "
            "personal 0 1PTD; personal 1 1PTO; personal 2 2RSD; personal 3 2RSO; deck"
        ),
    ],
)
def test_silence_never_counts_while_the_deck_is_empty_so_it_ends_no_game(lying: str) -> None:
    most = after(table(lying), (0, "agree", 1), (1, "agree", 2), (2, "agree", 3))
    assert most.agreement_deadline == -1
    assert refused(most, None, "time up", 99_999) == ("nothing_runs", "S13")
    assert after(most, (3, "agree", 4)).agreed[:4] == [0, 0, 0, 0], "all of them can still agree"


@pytest.mark.rule("S14")
def test_a_table_may_turn_silence_off() -> None:
    off = table(FOUR.replace("full", 'full {"agreement_ms": "off"}'))
    assert setgame.view(off, None)["options"]["agreement_ms"] == "off"
    most = after(off, (0, "agree", 1), (1, "agree", 2), (2, "agree", 3))
    assert most.agreement_deadline == -1
    assert after(most, (3, "agree", 4)).places == 15
    new = setgame.new({"variant": "full", "players": 3, "seed": "v1:a", "options": {"agreement_ms": "off"}})
    assert setgame.setup(new)["options"]["agreement_ms"] == "off"
    assert setgame.state(setgame.new(setgame.setup(new))) == setgame.state(new)


@pytest.mark.rule("S14", "S16")
def test_the_only_player_present_may_still_end_the_game_by_agreeing() -> None:
    lying = after(table("full; players 3; layout ONE_SET; deck"), (1, "away", 1), (2, "leave", 2))
    assert setgame.ending(after(lying, (0, "agree", 3))) is not None


@pytest.mark.rule("S14")
def test_a_call_after_the_deadline_still_comes_before_time_is_up_if_the_table_hears_it_first() -> None:
    most = after(table(FOUR), (0, "agree", 1), (1, "agree", 2), (3, "agree", 3))
    assert after(most, (2, "call", 40_000)).control == 2


@pytest.mark.rule("S14")
def test_players_who_are_away_do_not_count() -> None:
    away = after(table(FOUR), (3, "away", 1), (2, "away", 2))
    assert setgame.view(away, None)["away"] == [2, 3]
    happened = events(after(away, (0, "agree", 3)), 1, "agree", 4)
    assert happened[0]["n"] == 2
    assert named(happened, "all_agreed")


@pytest.mark.rule("S14")
def test_the_last_who_has_not_agreed_can_go_away_and_so_let_it_stand() -> None:
    lying = after(table(FOUR), (0, "agree", 1), (1, "agree", 2), (2, "agree", 3))
    assert names(events(lying, 3, "away", 4)) == ["went_away", "all_agreed", "cards_laid"]
    assert names(events(lying, 3, "leave", 4)) == ["left", "all_agreed", "cards_laid"]


@pytest.mark.rule("S14")
def test_the_share_is_counted_anew_when_players_go_and_come_and_regaining_it_starts_a_new_time() -> None:
    two = after(table(FOUR), (0, "agree", 1), (1, "agree", 1))
    three_there = after(two, (3, "away", 2))
    assert three_there.agreement_deadline == 30_002, "two of three"
    happened = events(three_there, 3, "back", 4)
    assert happened == [{"event": "came_back", "player": 3}, {"event": "agreement_timed", "deadline": None}]
    again = after(three_there, (3, "back", 4))
    assert again.agreement_deadline == -1, "half is not enough"
    assert after(again, (2, "away", 500)).agreement_deadline == 30_500
    assert after(three_there, (0, "away", 600)).agreement_deadline == -1, "one of two"


@pytest.mark.rule("S14")
def test_who_goes_away_has_agreed_to_nothing_when_back() -> None:
    lying = after(table(FOUR), (0, "agree", 1), (0, "away", 2), (0, "back", 3))
    assert lying.agreed[:4] == [0, 0, 0, 0]
    assert setgame.view(lying, None)["away"] == []


@pytest.mark.rule("S14")
def test_a_table_where_everybody_is_away_waits() -> None:
    lying = after(table(FOUR), *((player, "away", player) for player in range(4)))
    assert lying.places == 12
    assert setgame.decisions(lying) == []
    assert [each.moves for each in setgame.anytime(lying)] == [("back", "leave")] * 4


@pytest.mark.rule("S14")
@pytest.mark.parametrize("move", ["call", "agree", "ask", "more cards", "give up", "take 1RSD 1RSO 1RTD"])
def test_who_is_away_comes_back_first(move: str) -> None:
    away = after(table(FOUR), (3, "away", 1))
    assert refused(away, 3, move, 2) == ("is_away", "S14")
    assert refused(away, 3, "away", 2) == ("away_already", "S14")
    assert refused(away, 2, "back", 2) == ("not_away", "S14")


@pytest.mark.rule("S14")
def test_a_table_may_deal_by_itself_as_soon_as_there_is_no_set() -> None:
    lying = table('full {"auto_deal": true}; players 2; layout NO_SET; deck 1RSS 2PSD 1ROD 2GSS 2GSO 2GSD')
    lying = after(lying, (0, "agree", 1), (1, "agree", 1))
    assert lying.places == 15, "1ROD makes a SET"
    happened = events(after(lying, (0, "call", 2)), 0, "take 1RSD 1RTD 1ROD", 3)
    assert names(happened) == ["set_taken", "cards_moved", "cards_laid"]
    assert happened[2]["cards"] == ["2GSS", "2GSO", "2GSD"]


@pytest.mark.rule("S14")
def test_a_table_that_deals_by_itself_begins_with_a_set() -> None:
    for seed in range(60):
        new = setgame.new({"variant": "full", "players": 2, "seed": f"v1:{seed}", "options": {"auto_deal": True}})
        assert setgame.hint(new, 0, 3)


@pytest.mark.parametrize("variant", ["full", "small_deck", "longer_game", "twenty_twenty"])
def test_a_table_that_deals_by_itself_asks_nobody_whether_there_is_no_set(variant: str) -> None:
    for deals in (True, False):
        setup = {"variant": variant, "players": 2, "seed": "v1:1", "options": {"auto_deal": deals}}
        assert ("agree" in setgame.view(setgame.new(setup), 0)["flags"]["moves"]) is not deals


@pytest.mark.rule("S15")
def test_above_twelve_nothing_is_replaced_and_the_last_places_move_into_the_gaps_in_order() -> None:
    start = table(f"full; players 2; layout {FIFTEEN}; deck 3GSS 2GSO 2GSD; control 0 9")
    happened = events(start, 0, "take 1RSD 1RTD 1ROD", 1)
    assert names(happened) == ["set_taken", "cards_moved"]
    assert happened[1] == {
        "event": "cards_moved",
        "cards": ["3GSO", "3GSD"],
        "from_places": [14, 15],
        "to_places": [1, 3],
    }
    lying = after(start, (0, "take 1RSD 1RTD 1ROD", 1))
    assert layout(lying) == ["3GSO", "1RSO", "3GSD", *NO_SET.split()[3:]]
    assert lying.places == lying.laid == 12
    assert lying.deck_size == 3


@pytest.mark.rule("S15")
def test_nothing_moves_when_the_last_three_places_are_the_ones_taken() -> None:
    start = table(f"full; players 2; layout {NO_SET} 3GSS 3GSO 3GSD; control 0 9")
    assert names(events(start, 0, "take 3GSS 3GSO 3GSD", 1)) == ["set_taken"]
    assert layout(after(start, (0, "take 3GSS 3GSO 3GSD", 1))) == NO_SET.split()


@pytest.mark.rule("S15")
def test_repeated_agreement_adds_three_each_time_up_to_21_and_is_refused_there() -> None:
    lying = table("full; players 2; layout NO_SET")
    for places in (15, 18, 21):
        lying = after(lying, (0, "agree", places), (1, "agree", places))
        assert lying.places == places
    assert refused(lying, 0, "agree", 99) == ("always_a_set", "S15")
    assert {each.question for each in setgame.decisions(lying)} == {"call"}


@pytest.mark.rule("S15")
def test_above_nine_of_a_small_layout_nothing_is_replaced_either() -> None:
    start = table(
        'small_deck {"layout": 9}; players 2; layout 1RSD 1RSO 1RSS 1PSD 1PSO 2RSD 2RSO 2PSD 2PSO; '
        "deck 3GSS 3GSO 1GSS 2GSS 3RSD 3RSO; control 0 9"
    )
    lying = after(start, (0, "give up", 1), (0, "agree", 2), (1, "agree", 3), (1, "call", 4))
    assert lying.places == 12
    lying = after(lying, (1, "take 1RSD 1RSO 1RSS", 5))
    assert layout(lying) == ["3GSS", "3GSO", "1GSS", *["1PSD", "1PSO", "2RSD", "2RSO", "2PSD", "2PSO"]]
    assert lying.deck_size == 3


@pytest.mark.rule("S15")
def test_with_an_empty_deck_21_cards_may_be_agreed_on() -> None:
    lying = table("full; players 2; layout NO_SET 3GSS 3GSO 3GSD 2GSS 2GSO 2GSD 1GSS 1GSO 1GSD; deck")
    assert after(lying, (0, "agree", 1), (1, "agree", 2)).ending
