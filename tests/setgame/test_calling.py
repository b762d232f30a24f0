"""Laying out, calling, taking: S10 to S13."""

import pytest

from tests.setgame.tables import THE_SET, WRONG, after, events, layout, named, names, refused, table
from threefold import setgame
from threefold.texts import Text, say

OPEN = "full; players 3; layout ONE_SET; deck 2PTD 2PTO 2PSD 3GSS 3GSO 3GSD"
CALLED = f"{OPEN}; control 1 6000"


@pytest.mark.rule("S10")
@pytest.mark.parametrize(
    ("variant", "options", "laid"),
    [("full", {}, 12), ("small_deck", {}, 12), ("small_deck", {"layout": 9}, 9), ("longer_game", {}, 12)],
)
def test_twelve_cards_are_laid_and_nine_of_the_small_deck_on_request(
    variant: str, options: dict[str, int], laid: int
) -> None:
    new = setgame.new({"variant": variant, "players": 2, "options": options})
    assert new.places == new.laid == laid
    assert new.deck_size == new.deal.variant.cards - laid


@pytest.mark.rule("S10")
def test_the_first_card_of_the_deck_lies_at_the_first_place() -> None:
    deck = setgame.new({"variant": "full", "players": 2, "seed": "v1:any"})
    order = layout(deck)
    assert [deck.deck[place] for place in range(12)] == deck.layout[:12]
    assert order[0] is not None


@pytest.mark.rule("S11")
def test_nobody_takes_before_calling() -> None:
    assert refused(table(OPEN), 0, THE_SET, 10) == ("not_called", "S11")
    assert refused(table(OPEN), 0, "give up", 10) == ("not_called", "S11")


@pytest.mark.rule("S11")
def test_the_first_call_gets_control_until_that_player_has_finished() -> None:
    called = events(table(OPEN), 1, "call", 500)
    assert called == [{"event": "called", "player": 1, "deadline": 6500}]
    lying = after(table(OPEN), (1, "call", 500))
    assert setgame.view(lying, None)["control"] == 1
    assert setgame.view(lying, None)["call_deadline"] == 6500
    assert refused(lying, 0, THE_SET, 501) == ("somebody_has_control", "S11")
    assert setgame.play(lying, 1, THE_SET, 502).table.score[:3] == [0, 1, 0]


@pytest.mark.rule("S11")
def test_everybody_may_call_and_agree_as_there_are_no_turns() -> None:
    awaited = {(each.player, each.question) for each in setgame.decisions(table(OPEN))}
    assert awaited == {(player, question) for player in range(3) for question in ("call", "agree")}


@pytest.mark.rule("S11")
def test_a_table_may_let_a_take_be_its_own_call_with_the_same_price_for_a_wrong_one() -> None:
    lying = table(OPEN.replace("full", 'full {"call": "with take"}'))
    assert refused(lying, 0, "call", 10) == ("call_by_taking", "S11")
    assert setgame.play(lying, 0, THE_SET, 10).table.score[:3] == [1, 0, 0]
    wrong = setgame.play(lying, 2, WRONG, 10).table
    assert wrong.score[:3] == [0, 0, -1]
    assert refused(wrong, 2, THE_SET, 2009) == ("too_soon", "S13")
    assert setgame.play(wrong, 2, THE_SET, 2010).table.score[:3] == [0, 0, 0]
    assert setgame.play(wrong, 0, THE_SET, 10).table.score[:3] == [1, 0, -1]


@pytest.mark.rule("S12")
def test_a_set_scores_one_point_goes_to_the_player_and_is_replaced_in_the_same_places_lowest_first() -> None:
    start = table(
        "full; players 2; layout 1RSO 1ROD 1RTO 1RSD 1PSD 1PSO 1PTD 1PTO 2RSD 2RSO 1RTD 2RTO; "
        "deck 3GSS 3GSO 3GSD 2PTD; control 0 6000"
    )
    happened = events(start, 0, "take 1RTD 1RSD 1ROD", 100)
    assert happened == [
        {
            "event": "set_taken",
            "player": 0,
            "points": 1,
            "score": 1,
            "cards": ["1RTD", "1RSD", "1ROD"],
            "areas": ["layout"] * 3,
            "places": [11, 4, 2],
        },
        {"event": "cards_laid", "cards": ["3GSS", "3GSO", "3GSD"], "areas": ["layout"] * 3, "places": [2, 4, 11]},
    ]
    lying = after(start, (0, "take 1RTD 1RSD 1ROD", 100))
    assert layout(lying)[1] == "3GSS"
    assert layout(lying)[3] == "3GSO"
    assert layout(lying)[10] == "3GSD"
    assert setgame.view(lying, 1)["taken"] == [{"player": 0, "cards": ["1RTD", "1RSD", "1ROD"]}]
    assert lying.control == -1
    assert lying.call_deadline == -1


@pytest.mark.rule("S12")
@pytest.mark.parametrize(
    ("move", "key"),
    [
        ("take 1RSD 1RTD 2PTD", "taken"),  # in the deck: not on the table now
        ("take 1RSD 1RTD 1RTD", "not_different"),
        ("take 1RTD 1RSD 1RTD", "not_different"),
        ("take 1RSD 1RSD 1RTD", "not_different"),
        ("take 1RSD 1RTD", "not_three_cards"),
        ("take 1RSD", "not_three_cards"),
        ("take", "not_three_cards"),
        ("take 1RSD 1RTD 1ROD 1RSO", "not_three_cards"),
        ("take 1RSD 1RTD 9XYZ", "no_such_card"),
    ],
)
def test_a_take_that_does_not_name_three_different_cards_on_the_table_costs_nothing(move: str, key: str) -> None:
    start = table(CALLED)
    assert refused(start, 1, move, 100) == (key, "S12")
    assert setgame.play(start, 1, THE_SET, 6000).table.score[1] == 1, "the caller's time runs on"


@pytest.mark.rule("S12")
def test_a_card_of_another_deck_is_not_on_the_table() -> None:
    small = setgame.new({"variant": "small_deck", "players": 2, "options": {"call": "with take"}})
    assert refused(small, 0, "take 1RSD 2RSD 3RTD", 0) == ("not_in_deck", "S12")
    assert refused(small, 0, "take 3RTD 2RSD 1RSD", 0) == ("not_in_deck", "S12")
    assert refused(small, 0, "take 2RSD 3RTD 1RSD", 0) == ("not_in_deck", "S12")


@pytest.mark.rule("S12")
def test_a_claim_on_cards_just_taken_is_refused_as_taken_and_a_wrong_set_is_an_event_that_costs() -> None:
    lying = after(table(CALLED), (1, THE_SET, 100), (0, "call", 101))
    assert refused(lying, 0, "take 1RSD 1RTO 1PSD", 102) == ("taken", "S12")
    explained = setgame.explain(lying, 0, "take 1RSD 1RTO 1PSD", 102)
    assert explained is not None
    assert explained.text.parameters == {"cards": ["1RSD"]}
    wrong = events(lying, 0, "take 1RSO 1RTO 1PSD", 102)
    assert names(wrong) == ["wrong_set", "call_failed", "point_lost"]


@pytest.mark.rule("S13", "S3")
def test_a_wrong_set_loses_one_point_says_why_and_the_cards_go_back() -> None:
    start = table(CALLED)
    happened = events(start, 1, WRONG, 6000)
    assert named(happened, "wrong_set") == {
        "event": "wrong_set",
        "player": 1,
        "cards": ["1RSD", "1RTD", "1RSO"],
        "areas": ["layout"] * 3,
        "places": [1, 2, 4],
        "failing": [
            {"key": "set.why_not.shading.solid.striped", "parameters": {"feature": "shading"}},
            {"key": "set.why_not.shape.diamond.oval", "parameters": {"feature": "shape"}},
        ],
    }
    assert named(happened, "call_failed") == {
        "event": "call_failed",
        "player": 1,
        "failure": "wrong_set",
        "may_call_from": 8000,
    }
    assert named(happened, "point_lost") == {"event": "point_lost", "player": 1, "score": -1}
    lying = after(start, (1, WRONG, 6000))
    assert layout(lying) == layout(start)
    assert lying.lost[1] == 1


@pytest.mark.rule("S3")
def test_a_wrong_set_is_told_with_the_quick_check() -> None:
    wrong = named(events(table(CALLED), 1, WRONG, 6000), "wrong_set")
    sentence = say(Text("set.event.wrong_set", wrong), viewer=0)
    assert sentence.endswith("Not a SET. Shading: 2 solid, 1 striped. Shape: 2 diamonds, 1 oval.")


@pytest.mark.rule("S13")
def test_the_caller_may_give_up_which_counts_as_having_none() -> None:
    happened = events(table(CALLED), 1, "give up", 300)
    assert names(happened) == ["call_failed", "point_lost"]
    assert happened[0]["failure"] == "gave_up"


@pytest.mark.rule("S13")
def test_a_take_at_the_deadline_counts_and_a_later_one_is_refused() -> None:
    start = table(CALLED)
    assert setgame.play(start, 1, THE_SET, 6000).table.score[1] == 1
    assert refused(start, 1, THE_SET, 6001) == ("time_is_over", "S13")


@pytest.mark.rule("S13")
def test_time_is_up_from_the_deadline_on_and_counts_as_having_none() -> None:
    start = table(CALLED)
    assert refused(start, None, "time up", 5999) == ("not_yet", "S13")
    happened = events(start, None, "time up", 6000)
    assert names(happened) == ["call_failed", "point_lost"]
    assert happened[0]["failure"] == "time_up"
    assert happened[0]["may_call_from"] == 8000
    assert refused(table(OPEN), None, "time up", 9999) == ("nothing_runs", "S13")
    assert refused(start, 1, "time up", 6000) == ("nobodys_move", "S13")


@pytest.mark.rule("S13")
def test_the_deadline_is_what_the_table_has_agreed_on() -> None:
    start = table('full {"call_ms": 250}; players 2; layout ONE_SET')
    assert events(start, 0, "call", 1000)[0]["deadline"] == 1250
    waiting = [each.as_json() for each in setgame.decisions(after(start, (0, "call", 1000))) if each.player is None]
    assert waiting == [{"player": None, "question": "time up", "moves": ["time up"], "deadline": 1250, "for": "call"}]


@pytest.mark.rule("S13")
@pytest.mark.parametrize("move", ["call", "agree", "ask", "more cards", "give up", THE_SET])
def test_during_a_call_nobody_else_can_do_anything(move: str) -> None:
    assert refused(table(CALLED), 0, move, 100) == ("somebody_has_control", "S11")


@pytest.mark.rule("S13")
@pytest.mark.parametrize("move", ["call", "agree", "ask", "more cards"])
def test_during_a_call_the_caller_can_only_take_or_give_up(move: str) -> None:
    assert refused(table(CALLED), 1, move, 100) == ("has_called", "S13")
    asked = {each.question for each in setgame.decisions(table(CALLED)) if each.player is not None}
    assert asked == {"take", "give up"}


@pytest.mark.rule("S13")
def test_after_a_failed_call_the_same_player_must_wait_and_others_need_not() -> None:
    failed = after(table(CALLED), (1, "give up", 300))
    assert refused(failed, 1, "call", 2299) == ("too_soon", "S13")
    assert setgame.play(failed, 1, "call", 2300).table.control == 1
    assert setgame.play(failed, 0, "call", 300).table.control == 0
    waiting = [each for each in setgame.decisions(failed) if each.question == "call"]
    assert [dict(each.details) for each in waiting] == [{}, {"not_before": 2300}, {}]


@pytest.mark.rule("S13")
def test_scores_may_go_below_zero_and_the_highest_wins_even_then() -> None:
    start = table("full; players 2; layout ONE_SET; deck; score -3 -2")
    ended = after(start, (0, "agree", 1), (1, "agree", 2))
    ending = setgame.ending(ended)
    assert ending is not None
    assert ending.winners == (1,)
    assert ending.scores == (-3, -2)


@pytest.mark.rule("S12")
def test_decisions_describe_a_take_and_do_not_list_it() -> None:
    (take,) = (each for each in setgame.decisions(table(CALLED)) if each.question == "take")
    assert take.as_json() == {
        "player": 1,
        "question": "take",
        "take": 3,
        "from": layout(table(CALLED)),
        "deadline": 6000,
    }
    own = setgame.view(table(CALLED), 1)
    assert own["take"] is not None
    assert own["take"]["from"] == layout(table(CALLED))
    assert own["moves"] == ["give up"]
    assert setgame.view(table(CALLED), 0)["take"] is None


def test_a_take_that_must_wait_says_when() -> None:
    lying = after(table(OPEN.replace("full", 'full {"call": "with take"}')), (2, WRONG, 10))
    takes = [each for each in setgame.decisions(lying) if each.question == "take"]
    assert [each.details.get("not_before") for each in takes] == [None, None, 2010]


def test_a_caller_whose_time_is_over_is_not_asked_to_take() -> None:
    late = after(table(CALLED), (0, "away", 7000))
    assert {each.question for each in setgame.decisions(late)} == {"give up", "time up"}


@pytest.mark.parametrize("at", [None, -1, True, 1.5, 2**53])
def test_a_move_needs_its_time(at: int | None) -> None:
    assert refused(table(OPEN), 0, "call", at) == ("no_time", None)


def test_time_never_goes_back() -> None:
    lying = after(table(OPEN), (0, "away", 500))
    assert refused(lying, 1, "call", 499) == ("time_went_back", None)
    assert refused(lying, None, "time up", 499) == ("time_went_back", None)
    assert setgame.play(lying, 1, "call", 500).table.now == 500


@pytest.mark.parametrize("player", [-1, 3, None, True, "1"])
def test_a_move_is_somebodys(player: int | None) -> None:
    assert refused(table(OPEN), player, "call", 0) == ("no_such_player", None)


@pytest.mark.parametrize("move", ["", "buzz", "taken 1RSD 1RTD 1ROD", "call me", "time  upp"])
def test_what_is_no_move_is_said_to_be_none(move: str) -> None:
    assert refused(table(OPEN), 0, move, 0) == ("not_a_move", None)


def test_moves_may_be_written_carelessly() -> None:
    assert after(table(OPEN), (0, " CALL ", 0), (0, "Take  1rsd 1Rtd 1ROD", 1)).score[0] == 1


@pytest.mark.rule("S11")
@pytest.mark.parametrize("first", [0, 1])
def test_of_two_who_race_exactly_one_gets_control_in_either_order(first: int) -> None:
    second = 1 - first
    lying = after(table(OPEN), (first, "call", 700))
    assert lying.control == first
    assert refused(lying, second, "call", 700) == ("somebody_has_control", "S11")


@pytest.mark.rule("S12")
@pytest.mark.parametrize("first", [0, 1])
def test_of_two_who_race_for_cards_one_gets_them_and_the_other_is_told_taken(first: int) -> None:
    lying = after(table(OPEN.replace("full", 'full {"call": "with take"}')), (first, THE_SET, 700))
    assert lying.score[:3] == [1 - first, first, 0]
    assert refused(lying, 1 - first, "take 1RTD 1ROD 1RSD", 700) == ("taken", "S12")
