"""The end, the longer game, players who leave, and solitaire: S16 to S22."""

import pytest

from tests.setgame.tables import NO_SET, THE_SET, after, events, layout, named, names, refused, table
from threefold import setgame
from threefold.game import Ending
from threefold.setgame.cards import format_card
from threefold.setgame.positions import format_position, parse_position
from threefold.setgame.table import Table
from threefold.shuffle import key_of, shuffle_keyed

LAST = "full; players 3; layout ONE_SET; deck; control 1 6000; score 2 0 1"


@pytest.mark.rule("S16")
def test_once_the_deck_is_empty_play_ends_when_the_table_sees_no_set_and_what_remains_lies() -> None:
    start = table(LAST)
    happened = events(start, 1, THE_SET, 10)
    assert names(happened) == ["set_taken", "game_ended"]
    assert happened[1] == {"event": "game_ended", "reason": "no_set_left", "winners": [0], "scores": [2, 1, 1]}
    ended = after(start, (1, THE_SET, 10))
    assert layout(ended)[:3] == [None, None, None], "gaps stay gaps"
    assert ended.laid == 9
    assert setgame.decisions(ended) == setgame.anytime(ended) == []


@pytest.mark.rule("S16")
def test_once_the_deck_is_empty_play_ends_when_all_agree_though_there_may_be_a_set() -> None:
    start = table("full; players 2; layout ONE_SET; deck")
    happened = events(after(start, (0, "agree", 1)), 1, "agree", 2)
    assert names(happened) == ["agreed_no_set", "all_agreed", "game_ended"]
    assert happened[2]["reason"] == "agreed"


@pytest.mark.rule("S16")
def test_while_a_set_is_left_play_goes_on_without_a_deck() -> None:
    start = table("full; players 2; layout 1RSD 1RTD 1ROD 2RSD 2RTD 2ROD; deck; control 0 9")
    lying = after(start, (0, THE_SET, 1))
    assert setgame.ending(lying) is None
    assert layout(lying) == [None, None, None, "2RSD", "2RTD", "2ROD"]
    assert after(lying, (1, "call", 2), (1, "take 2RSD 2RTD 2ROD", 3)).ending


@pytest.mark.rule("S16")
def test_the_highest_score_wins_and_ties_are_shared() -> None:
    ended = after(table(LAST.replace("score 2 0 1", "score 1 0 1")), (1, THE_SET, 10))
    assert setgame.ending(ended) == Ending("no_set_left", (0, 1, 2), (), (1, 1, 1))
    shown = setgame.view(ended, None)["ending"]
    assert shown is not None
    assert shown["winners"] == [0, 1, 2]


@pytest.mark.rule("S16")
@pytest.mark.parametrize("move", ["call", "agree", "time up", "away", "leave", THE_SET])
def test_when_the_game_is_over_nothing_is_accepted(move: str) -> None:
    ended = after(table(LAST), (1, THE_SET, 10))
    assert refused(ended, None if move == "time up" else 0, move, 20) == ("game_is_over", "S16")


LONGER = "longer_game; players 3; layout ONE_SET; deck; control 0 6000; dealer 1; now 5"


@pytest.mark.rule("S17")
def test_the_deal_passes_to_the_left_and_the_deck_is_reshuffled_until_everybody_has_dealt() -> None:
    lying = after(table(LONGER), (0, THE_SET, 100))
    assert lying.next_deal_at == 2100
    for deal, dealer in ((2, 2), (3, 0)):
        happened = events(lying, None, "time up", lying.next_deal_at)
        assert names(happened) == ["reshuffled", "deal_began", "cards_laid"]
        assert named(happened, "deal_began") == {"event": "deal_began", "deal": deal, "player": dealer}
        lying = after(lying, (None, "time up", lying.next_deal_at))
        assert (lying.dealer, lying.deals, lying.laid, lying.deck_size) == (dealer, deal, 12, 69)
        assert lying.score[:3] == [1, 0, 0], "the total goes on"
        assert lying.taken_size == 0
        lying = run_out(lying)
    assert setgame.ending(lying) == Ending("agreed", (0,), (), (1, 0, 0))


def run_out(lying: Table) -> Table:
    """Ends a deal by taking all cards away and agreeing."""
    position = "; ".join("deck" if part.startswith("deck ") else part for part in format_position(lying).split("; "))
    return after(table(position), *((player, "agree", lying.now + 1) for player in range(3)))


@pytest.mark.rule("S17")
def test_between_two_deals_calls_are_refused_and_the_last_deal_is_told_to_be_over() -> None:
    happened = events(table(LONGER), 0, THE_SET, 100)
    assert happened[-1] == {"event": "deal_ended", "reason": "no_set_left", "deal": 1}
    paused = after(table(LONGER), (0, THE_SET, 100))
    assert refused(paused, 1, "call", 5000) == ("between_deals", "S17")
    assert refused(paused, None, "time up", 2099) == ("not_yet", "S17")
    (waiting,) = setgame.decisions(paused)
    assert waiting.as_json()["for"] == "next deal"
    assert setgame.view(paused, 0)["next_deal_at"] == 2100


@pytest.mark.rule("S17")
def test_the_deal_passes_over_those_who_have_left() -> None:
    paused = after(table(LONGER), (0, THE_SET, 100), (2, "leave", 200))
    assert after(paused, (None, "time up", 2100)).dealer == 0
    over = after(table(LONGER), (2, "leave", 50), (0, THE_SET, 100), (None, "time up", 2100))
    assert run_out_of_two(over).ending


def run_out_of_two(lying: Table) -> Table:
    position = "; ".join("deck" if part.startswith("deck ") else part for part in format_position(lying).split("; "))
    return after(table(position), (0, "agree", 9000), (1, "agree", 9001))


NOBODY_DEALS = (
    "longer_game; players 2; layout 1RSD 1RTD; deck; next_deal_at 2000; score 3 1; dealer 0; first_dealer 0; deals 1"
)


@pytest.mark.rule("S17")
def test_in_the_pause_the_game_is_over_at_once_when_nobody_is_left_to_deal() -> None:
    paused = table(NOBODY_DEALS)
    happened = events(paused, 1, "leave", 0)
    assert happened == [
        {"event": "left", "player": 1, "cards": [], "areas": [], "places": []},
        {"event": "game_ended", "reason": "no_set_left", "winners": [0], "scores": [3, 1]},
    ]
    over = after(paused, (1, "leave", 0))
    assert refused(over, None, "time up", 2000) == ("game_is_over", "S16")
    assert setgame.ending(after(paused, (0, "leave", 0), (None, "time up", 2000))) is None, "player 1 has yet to deal"
    with_set = table(NOBODY_DEALS.replace("1RTD", "1RTD 1ROD"))
    assert setgame.ending(after(with_set, (1, "leave", 0))) == Ending("agreed", (0,), (), (3, 1))


@pytest.mark.rule("S17")
def test_a_deal_in_progress_is_played_out_though_nobody_is_left_to_deal() -> None:
    lying = after(table(LONGER.replace("control 0 6000; ", "")), (2, "leave", 50), (0, "leave", 60))
    assert setgame.ending(lying) is None
    ended = after(lying, (1, "call", 70), (1, THE_SET, 80))
    assert setgame.ending(ended) == Ending("no_set_left", (1,), (), (0, 1, 0))


@pytest.mark.rule("S16", "S18", "T10")
@pytest.mark.parametrize(
    ("lying", "moves"),
    [
        ("full; players 2; layout ONE_SET; control 1 6000", [(0, "leave", 1), (1, "leave", 2)]),
        ("full; players 4; layout ONE_SET; agreed 0 1", [(2, "leave", 1), (3, "leave", 2), (0, "leave", 3)]),
        ("full; players 2; layout ONE_SET; deck; agreed 0", [(1, "agree", 1)]),
        ("full; players 3; layout ONE_SET; deck; control 1 6000", [(1, THE_SET, 10)]),
        (NOBODY_DEALS, [(1, "leave", 5)]),
        (
            (
                "twenty_twenty; players 3; layout 1RSD 1RSO 1RTD 1RTO 1PSD 1PSO; personal 0 1PTD; personal 1 1PTO; "
                "personal 2 2RSD; agreed 1; score 5 0 0; away 0"
            ),
            [(1, "call", 1), (2, "leave", 2), (0, "leave", 3)],
        ),
    ],
)
def test_nothing_is_awaited_any_more_when_a_game_is_over(lying: str, moves: list[tuple[int, str, int]]) -> None:
    ended = after(table(lying), *moves)
    if setgame.ending(ended) is None:
        ended = after(ended, *((player, "leave", 99) for player in range(ended.players) if not ended.left[player]))
    for shown in (setgame.state(ended), setgame.view(ended, 0)):
        assert [shown[name] for name in ("control", "call_deadline", "agreement_deadline", "next_deal_at")] == [
            None
        ] * 4
        assert shown["agreed"] == []


@pytest.mark.rule("S17")
def test_reshuffles_follow_the_seed_also_with_an_explicit_deck() -> None:
    deck = setgame.state(setgame.new({"variant": "longer_game", "players": 2, "seed": "v1:x"}))
    names_dealt = deck["layout"] + deck["deck"]
    for seed, same in (("v1:a", True), ("v1:b", False)):
        first, second = (
            setgame.new({"variant": "longer_game", "players": 2, "dealer": 0, "seed": each, "deck": names_dealt})
            for each in ("v1:a", seed)
        )
        assert layout(first) == layout(second)
        assert (second_deal(first) == second_deal(second)) is same


@pytest.mark.rule("S17", "T8")
@pytest.mark.parametrize(
    ("seed", "laid"),
    [
        ("v1:kept", "3RTD 1PTS 2GSO 2GTD 3GOO 1GOO 2RSS 1PTO 1ROD 3GSO 3PSD 1GOD"),
        ("v2:kept", "3ROD 3ROS 1GTD 1PSS 3PTO 3PTS 3GOO 1PSO 2GTD 2GTS 3RSD 1ROO"),
    ],
)
def test_each_version_of_a_seed_keeps_its_reshuffles_for_ever(seed: str, laid: str) -> None:
    lying = setgame.new({"variant": "longer_game", "players": 2, "dealer": 0, "seed": seed})
    assert " ".join(str(card) for card in second_deal(lying)) == laid


@pytest.mark.rule("S17")
def test_the_reshuffles_of_version_two_come_from_the_keyed_stream() -> None:
    keyed = setgame.new({"variant": "longer_game", "players": 2, "dealer": 0, "seed": "v2:kept"})
    deck = list(range(81))
    shuffle_keyed(deck, 81, key_of("v2:kept", "reshuffles"), 1)
    laid = [format_card(card) for card in deck[:12]]
    assert second_deal(keyed) == laid
    assert second_deal(parse_position(format_position(keyed))) == laid, "a position keeps the key"


def second_deal(lying: Table) -> list[str | None]:
    at = 0
    while lying.deals == 1:
        at += 1000
        if lying.next_deal_at >= 0:
            lying = after(lying, (None, "time up", at + 2000))
        elif lying.deck_size and lying.places == 21:
            cards = setgame.hint(lying, 0, 3)
            lying = after(lying, (0, "call", at), (0, "take " + " ".join(cards), at))
        else:
            lying = after(lying, (0, "agree", at), (1, "agree", at))
    return layout(lying)


@pytest.mark.rule("S18")
def test_a_player_who_leaves_fails_an_open_call_and_keeps_what_was_scored() -> None:
    start = table("full; players 3; layout ONE_SET; control 1 6000; score 0 4 0")
    happened = events(start, 1, "leave", 10)
    assert names(happened) == ["call_failed", "point_lost", "left"]
    assert happened[0]["failure"] == "left"
    lying = after(start, (1, "leave", 10))
    assert lying.score[1] == 3
    assert lying.control == -1
    for move in ("call", "agree", "back", "leave", "away"):
        assert refused(lying, 1, move, 20) == ("has_left", "S18")
    assert setgame.view(lying, 1)["left"] == [1]
    assert setgame.view(lying, 1)["anytime"] == []
    ended = after(lying, (0, "call", 20), (0, THE_SET, 21))
    assert ended.score[:3] == [1, 3, 0]


@pytest.mark.rule("S18")
def test_who_stays_alone_plays_on_and_the_game_is_over_when_everybody_has_left() -> None:
    lying = after(table("full; players 2; layout ONE_SET; score 0 2"), (1, "leave", 1), (0, "call", 2), (0, THE_SET, 3))
    assert lying.score[:2] == [1, 2]
    ended = after(lying, (0, "leave", 4))
    assert setgame.ending(ended) == Ending("all_left", (1,), (), (1, 2))


ALONE = "solitaire; players 1; layout ONE_SET"


@pytest.mark.rule("S20")
@pytest.mark.parametrize("cards", ["NO_SET", "ONE_SET"])
def test_alone_three_more_cards_cost_a_penalty_whether_or_not_there_was_a_set(cards: str) -> None:
    start = table(f"solitaire; players 1; layout {cards}; deck 3GSS 3GSO 3GSD")
    happened = events(start, 0, "more cards", 1)
    assert names(happened)[:2] == ["penalty_added", "cards_laid"]
    assert happened[0] == {"event": "penalty_added", "player": 0, "penalty": 1}
    lying = after(start, (0, "more cards", 1))
    assert lying.places == 15
    assert setgame.view(lying, 0)["penalty"] == 1
    assert lying.score[0] == 0


@pytest.mark.rule("S20")
def test_more_cards_are_for_solitaire_and_agreeing_is_not() -> None:
    assert refused(table(ALONE), 0, "agree", 1) == ("no_agreement_alone", "S20")
    assert refused(table("full; players 2; layout ONE_SET"), 0, "more cards", 1) == ("only_alone", "S20")


@pytest.mark.rule("S15", "S20")
def test_alone_no_more_than_21_cards_are_laid() -> None:
    lying = after(table(ALONE), *((0, "more cards", at) for at in range(3)))
    assert lying.places == 21
    assert refused(lying, 0, "more cards", 5) == ("always_a_set", "S15")


ENDGAME = "solitaire; players 1; layout 1RSD 1RTD 1ROD 2RSD 2RTD 2ROD 1GSS; deck"


@pytest.mark.rule("S21")
@pytest.mark.parametrize(
    ("position", "works_off"),
    [
        ("solitaire; players 1; layout ONE_SET; deck; penalty 1", True),
        ("solitaire; players 1; layout ONE_SET; deck", False),
        ("solitaire; players 1; layout ONE_SET; deck 3GSS 3GSO 3GSD; penalty 1", False),
    ],
)
def test_the_view_says_whether_a_set_would_work_off_a_penalty(position: str, works_off: object) -> None:
    assert setgame.view(table(position), 0)["works_off"] is works_off


@pytest.mark.rule("S21")
def test_each_set_among_the_last_cards_takes_off_one_penalty_and_the_game_is_won_if_none_is_left() -> None:
    start = table(f"{ENDGAME}; penalty 2")
    happened = events(start, 0, THE_SET, 1)
    assert named(happened, "penalty_worked_off")["penalty"] == 1
    ended = after(start, (0, THE_SET, 1), (0, "take 2RSD 2RTD 2ROD", 2))
    assert setgame.ending(ended) == Ending("no_set_left", (0,), (), (2,))
    lost = after(table(f"{ENDGAME}; penalty 3"), (0, THE_SET, 1), (0, "take 2RSD 2RTD 2ROD", 2))
    assert setgame.ending(lost) == Ending("no_set_left", (), (0,), (2,))


@pytest.mark.rule("S21")
def test_a_set_found_before_the_last_cards_takes_off_no_penalty() -> None:
    with_deck = table(f"{ALONE}; deck 3GSS 3GSO 3GSD; penalty 1")
    assert after(with_deck, (0, THE_SET, 1)).penalty == 1
    fifteen = table(f"solitaire; players 1; layout {NO_SET} 1ROD 3GSS 3GSO; deck; penalty 1")
    assert after(fifteen, (0, THE_SET, 1)).penalty == 1


@pytest.mark.rule("S21")
def test_asking_for_cards_with_an_empty_deck_ends_the_game_without_a_penalty() -> None:
    ended = after(table(ENDGAME), (0, "more cards", 1))
    assert setgame.ending(ended) == Ending("no_more_cards", (0,), (), (0,))
    assert names(events(table(f"{ENDGAME}; penalty 1"), 0, "more cards", 1)) == ["game_ended"]
    assert setgame.ending(after(table(f"{ENDGAME}; penalty 1"), (0, "more cards", 1))) == Ending(
        "no_more_cards", (), (0,), (0,)
    )


@pytest.mark.rule("S22")
def test_alone_a_wrong_set_lowers_the_score_not_the_penalty_and_nobody_has_to_wait_or_call() -> None:
    start = table(f"{ALONE}; penalty 1")
    lying = after(start, (0, "take 1RSD 1RTD 1RSO", 1))
    assert (lying.score[0], lying.lost[0], lying.penalty) == (-1, 1, 1)
    assert refused(lying, 0, "call", 1) == ("no_call_alone", "S22")
    assert after(lying, (0, THE_SET, 1)).score[0] == 0


@pytest.mark.rule("S18")
def test_alone_leaving_loses_the_game() -> None:
    assert setgame.ending(after(table(ALONE), (0, "leave", 1))) == Ending("all_left", (), (0,), (0,))
