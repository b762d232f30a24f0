"""The modes that the sheets do not have: position, move, events."""

from typing import Any, cast

import pytest

from tests.setgame.tables import NO_SET, after, events, layout, named, names, refused, step, table
from threefold import setgame
from threefold.setgame.cards import CARD_NAMES, CARD_OF, NAMES
from threefold.setgame.forms import TakeForm
from threefold.setgame.positions import format_position
from threefold.setgame.search import count_sets, sets_of
from threefold.setgame.variants import GROUPS, ROWS, VARIANTS

MODES = (*GROUPS["speed"], *GROUPS["other"])


def new(variant: str, players: int = 2, seed: str = "v1:a", **options: Any) -> Any:
    return setgame.new({"variant": variant, "players": players, "seed": seed, "options": options})


def take_of_first_set(lying: Any, player: int = 0) -> str:
    return " ".join(["take", *(NAMES[card] for card in sets_of(lying.deal.variant, lying, player)[0])])


def play_all(lying: Any, player: int = 0, until: int = 1_000) -> Any:
    """Takes SETs until there is none left, one a second."""
    for second in range(1, until):
        time_ms = lying.deal.variant.time_ms
        if setgame.ending(lying) is not None or 0 < time_ms < second * 1000:
            break
        lying = setgame.play(lying, player, take_of_first_set(lying), second * 1000).table
    return lying


def test_every_variant_is_in_one_group() -> None:
    assert sorted(name for names_of_group in GROUPS.values() for name in names_of_group) == sorted(VARIANTS)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("players", [1, 20])
def test_one_to_twenty_play_a_mode_and_nobody_is_asked_whether_there_is_no_set(mode: str, players: int) -> None:
    lying = new(mode, players)
    seen = setgame.view(lying, 0)
    assert seen["moves"] == seen["flags"]["moves"] == []
    assert seen["take"] is not None
    assert refused(lying, 0, "agree", 1) == ("always_a_set", "S15")


# ---------------------------------------------------------------- Sprint


@pytest.mark.rule("M1")
def test_the_first_with_ten_points_wins_and_nothing_is_refilled() -> None:
    lying = table(
        f"sprint; players 2; layout {'1RSD 1RTD 1ROD 1RSO 1RTO 1PSD 1PSO 1PTD 1PTO 2RSD 2RSO 2RTO'}; score 9 3"
    )
    made = step(lying, 0, "take 1RSD 1RTD 1ROD", 5)
    ended = setgame.ending(made.table)
    assert ended is not None
    assert (ended.reason, ended.winners, ended.scores) == ("target_reached", (0,), (10, 3))
    assert layout(made.table)[:3] == [None] * 3
    assert refused(made.table, 1, "take 1RSO 1RTO 1PSD", 6) == ("game_is_over", "S16")


@pytest.mark.rule("M1")
@pytest.mark.parametrize("goal", [10, 20, 30])
def test_a_sprint_can_be_played_alone_and_goes_to_its_goal_although_the_deck_is_smaller(goal: int) -> None:
    for cards in (81, 27):
        end = play_all(new("sprint", 1, goal=goal, cards=cards))
        ended = setgame.ending(end)
        assert ended is not None
        assert (ended.reason, ended.winners, ended.scores) == ("target_reached", (0,), (goal,))
        assert end.now == goal * 1000


@pytest.mark.rule("M1", "S13")
def test_a_wrong_set_takes_a_point_back_and_alone_nobody_waits() -> None:
    lying = table("sprint; players 1; layout ONE_SET; score 9")
    told = events(lying, 0, "take 1RSD 1RTD 1RSO", 5)
    assert names(told) == ["wrong_set", "call_failed", "point_lost"]
    assert named(told, "point_lost")["score"] == 8
    assert named(told, "call_failed")["may_call_from"] == 0


@pytest.mark.rule("M2")
@pytest.mark.parametrize("variant", ["sprint", "time_attack", "puzzle_run", "mega"])
def test_the_layout_always_holds_a_set(variant: str) -> None:
    for seed in range(12):
        lying = new(variant, 1, f"v1:{seed}")
        for second in range(1, 25):
            cards = [card for card in lying.layout[: lying.places] if card >= 0]
            if setgame.ending(lying) is not None:
                break
            assert len(cards) == lying.deal.variant.layout
            assert count_sets(cards) > 0
            lying = setgame.play(lying, 0, take_of_first_set(lying), second * 1000).table


@pytest.mark.rule("M2")
def test_the_first_card_that_leaves_a_set_changes_places_with_the_last_new_card() -> None:
    first = NO_SET.split()
    rest = sorted(set(CARD_NAMES) - set(first))
    lying = setgame.new({"variant": "sprint", "players": 1, "seed": "v1:a", "deck": [*first, *rest]})
    fitting = next(name for name in rest if count_sets([CARD_OF[card] for card in (*first[:11], name)]))
    assert layout(lying) == [*first[:11], fitting]
    assert setgame.state(lying)["deck"] == [first[11] if name == fitting else name for name in rest]


@pytest.mark.rule("M3")
def test_the_cards_of_sets_are_used_again() -> None:
    lying = new("sprint", 1, goal=30)
    told: list[str] = []
    for second in range(1, 30):
        made = setgame.play(lying, 0, take_of_first_set(lying), second * 1000)
        told += [event.name for event in made.events]
        lying = made.table
    assert "reshuffled" in told
    assert lying.deck_size + lying.discard_size + lying.laid == 81


@pytest.mark.rule("M4")
@pytest.mark.parametrize(
    ("mode", "cards"), [(row.name, cards) for row in ROWS for cards in row.choices.get("cards", ())]
)
def test_a_small_deck_is_an_option_of_the_mode(mode: str, cards: int) -> None:
    lying = new(mode, cards=cards)
    assert lying.deck_size + lying.laid == cards
    end = play_all(lying)
    assert setgame.ending(end) is not None or lying.deal.variant.time_ms


@pytest.mark.rule("S18")
def test_who_leaves_a_mode_alone_has_not_won_it() -> None:
    ended = setgame.ending(after(table("sprint; players 1; layout ONE_SET; score 9"), (0, "leave", 1)))
    assert ended is not None
    assert (ended.reason, ended.winners, ended.losers) == ("all_left", (), (0,))


# ---------------------------------------------------------------- Time attack


@pytest.mark.rule("M11")
@pytest.mark.parametrize("minutes", [1, 2, 5])
def test_the_time_ends_the_game_by_a_move_with_its_time(minutes: int) -> None:
    lying = new("time_attack", time_ms=minutes * 60_000)
    end = minutes * 60_000
    (clock,) = (each for each in setgame.decisions(lying) if each.player is None)
    assert clock.details == {"deadline": end, "for": "game"}
    assert setgame.view(lying, 0)["ends_at"] == end
    lying = after(lying, (1, take_of_first_set(lying), end))  # exactly at the end it counts
    assert refused(lying, 0, take_of_first_set(lying), end + 1) == ("game_time_is_over", "M11")
    told = events(lying, None, "time up", end)
    assert names(told) == ["game_ended"]
    assert (told[0]["reason"], told[0]["winners"], told[0]["scores"]) == ("time_over", [1], [0, 1])


@pytest.mark.rule("M11")
def test_time_is_not_up_before_the_end_and_an_open_call_costs_nothing_then() -> None:
    lying = new("time_attack", time_ms=60_000, call="first")
    assert refused(lying, None, "time up", 59_999) == ("not_yet", "M11")
    called = after(lying, (0, "call", 58_000))
    assert setgame.decisions(called)[-1].details == {"deadline": 60_000, "for": "game"}
    ended = after(called, (None, "time up", 60_000))
    assert ended.score[:2] == [0, 0]
    earlier = after(lying, (0, "call", 50_000))
    assert setgame.decisions(earlier)[-1].details == {"deadline": 56_000, "for": "call"}
    assert after(earlier, (None, "time up", 56_000)).score[:2] == [-1, 0]


# ---------------------------------------------------------------- UltraSet, Quads, Ghost, Mega

NO_ULTRASET = "1RSD 1RSO 1RSS 1PSD 2RSD 3GSD 1RTD 2GTO 3PTS"


@pytest.mark.rule("M21")
def test_two_pairs_with_the_same_third_card_are_an_ultraset() -> None:
    cards = "1RSO 1RSS 2RSD 3RSD"  # both pairs are completed by 1RSD
    lying = table(f"ultraset; players 2; layout {cards} 1GTO 2PTS 3GOS 1POD 3PTO")
    told = events(lying, 1, f"take {cards}", 5)
    assert named(told, "set_taken")["cards"] == cards.split()
    told = events(lying, 1, "take 1RSO 1RSS 2RSD 1GTO", 5)
    assert named(told, "wrong_set")["failing"] == [{"key": "set.why_not.of_4"}]


@pytest.mark.rule("S12", "M21")
def test_a_take_names_as_many_cards_as_a_set_has() -> None:
    lying = new("ultraset")
    first = layout(lying)
    assert refused(lying, 0, f"take {first[0]} {first[1]} {first[2]}", 1) == ("not_three_cards", "S12")
    of_three = new("sprint")
    cards = " ".join(str(card) for card in layout(of_three)[:4])
    assert refused(of_three, 0, f"take {cards}", 1) == ("not_three_cards", "S12")


@pytest.mark.rule("M22")
def test_among_nine_cards_without_an_ultraset_a_tenth_is_laid_and_above_nine_fewer_are_replaced() -> None:
    deck = [*NO_ULTRASET.split(), *sorted(set(CARD_NAMES) - set(NO_ULTRASET.split()))]
    lying = setgame.new({"variant": "ultraset", "players": 1, "seed": "v1:a", "deck": deck})
    assert layout(lying) == deck[:10]
    made = step(lying, 0, take_of_first_set(lying), 1)
    new_cards = [name for event in made.events if event.name == "cards_laid" for name in event.facts["cards"]]
    assert len(new_cards) == made.table.places - 6
    assert made.table.laid == made.table.places in (9, 10)


@pytest.mark.rule("M51")
def test_quads_are_judged_feature_by_feature() -> None:
    lying = table("quads; players 2; layout 1RD 2RO 3GS 4GC 1RO 1RS 2YD 3YO 4PS")
    told = events(lying, 0, "take 1RD 2RO 3GS 4GC", 1)
    assert named(told, "set_taken")["points"] == 1
    failing = named(events(lying, 0, "take 1RD 1RO 1RS 2YD", 1), "wrong_set")["failing"]
    assert [each["key"] for each in failing] == [
        "set.why_not.number.uneven",
        "set.why_not.colour.uneven",
        "set.why_not.shape.uneven",
    ]
    assert refused(lying, 0, "take 1RD 2RO 3GS 1RSD", 1) == ("not_in_deck", "S12")


@pytest.mark.rule("M61")
def test_three_pairs_whose_third_cards_are_a_set_are_a_ghost() -> None:
    six = "1RSO 1RSS 1RTO 1RTS 1ROO 1ROS"  # pairs completed by 1RSD, 1RTD and 1ROD, which are a SET
    lying = table(f"ghost; players 2; layout {six} 2PSD 3GSD 2PTO 3GOS 1PTD 2GOD")
    assert named(events(lying, 0, f"take {six}", 1), "set_taken")["score"] == 1
    wrong = named(events(lying, 0, "take 1RSO 1RSS 1RTO 1RTS 1ROO 2PSD", 1), "wrong_set")
    assert wrong["failing"] == [{"key": "set.why_not.of_6"}]


@pytest.mark.rule("M71")
def test_mega_has_a_fifth_feature_and_says_what_fails_in_it() -> None:
    lying = table(
        "mega; players 2; layout 1RSD 1RSDF 1RSDD 1RSO 1RTOF 1PSD 1PSO 1PTD 1PTO 2RSD 2RSO 2RTO 2RTS 3GSD 3GTO"
    )
    assert setgame.view(lying, 0)["flags"]["features"][-1] == "frame"
    assert named(events(lying, 0, "take 1RSD 1RSDF 1RSDD", 1), "set_taken")["score"] == 1
    failing = named(events(lying, 0, "take 1RSD 1RSO 1RTOF", 1), "wrong_set")["failing"]
    assert failing[-1]["key"] == "set.why_not.frame.unframed.framed"
    assert layout(lying)[1] == "1RSDF"


# ---------------------------------------------------------------- Chain

CHAIN = "chain; players 2; layout 2RSO 3RSO 1RTO 1ROO 2PSD 3GTS 1GTD 2GOS 3PTO 1PTS 3PSO 2POD; previous 1RSO 1RTS 1ROD"


@pytest.mark.rule("M31")
def test_a_set_uses_exactly_one_card_of_the_previous_one_and_takes_its_place() -> None:
    lying = table(CHAIN)
    assert cast("TakeForm", setgame.view(lying, 0)["take"])["from"][-3:] == ["1RSO", "1RTS", "1ROD"]
    made = step(lying, 0, "take 2RSO 1RSO 3RSO", 1)
    assert setgame.view(made.table, 0)["previous"] == ["2RSO", "1RSO", "3RSO"]
    assert made.table.laid == 12
    taken = next(event for event in made.events if event.name == "set_taken")
    assert taken.facts["areas"] == ["layout", "previous", "layout"]
    assert refused(made.table, 0, "take 1RTO 1ROO 2PSD", 2) == ("not_in_chain", "M31")
    assert refused(made.table, 0, "take 2RSO 1RSO 3RSO", 2) == ("not_in_chain", "M31")
    assert refused(made.table, 0, "take 1RTS 1RTO 1ROO", 2) == ("taken", "S12")
    assert setgame.state(table(format_position(made.table)))["previous"] == ["2RSO", "1RSO", "3RSO"]


@pytest.mark.rule("M32")
def test_a_chain_that_cannot_go_on_begins_anew_and_ends_when_there_is_no_set() -> None:
    lying = table("chain; players 2; layout 2RSO 3RSO 2GTD 2GOD 2GSD; previous 1RSO 1RTS 1ROD; deck")
    told = events(lying, 0, "take 2RSO 3RSO 1RSO", 1)
    assert names(told) == ["set_taken", "chain_broken"]
    begun = after(lying, (0, "take 2RSO 3RSO 1RSO", 1))
    assert names(events(begun, 1, "take 2GTD 2GOD 2GSD", 2)) == ["set_taken", "chain_broken", "game_ended"]


# ---------------------------------------------------------------- Puzzle run


@pytest.mark.rule("M41")
def test_all_sets_of_a_layout_are_found_before_the_next_one_comes() -> None:
    lying = new("puzzle_run", 1, rounds=3)
    first = layout(lying)
    left = setgame.view(lying, 0)["sets_left"]
    assert left > 0
    for second in range(1, left + 1):
        assert layout(lying) == first
        made = step(lying, 0, take_of_first_set(lying), second)
        lying = made.table
    told = [event.seen_by(None) for event in made.events]
    assert names(told)[:3] == ["set_taken", "layout_done", "cards_laid"]
    assert (named(told, "layout_done")["deal"], named(told, "layout_done")["n"]) == (1, 3)
    assert setgame.view(lying, 0)["deal"] == 2
    assert not set(layout(lying)) & set(first)
    end = setgame.ending(play_all(lying))
    assert end is not None
    assert end.reason == "all_found"


@pytest.mark.rule("M42")
def test_a_set_that_was_found_is_refused_without_penalty_in_any_order_of_its_cards() -> None:
    lying = table("puzzle_run; players 2; layout 1RSD 2RSD 3RSD 1RSO 2RSO 3RSO 1PSD 1PTO 2PTO 3GOS 2GTS 1GOD")
    found = after(lying, (0, "take 1RSD 2RSD 3RSD", 1))
    assert refused(found, 1, "take 3RSD 1RSD 2RSD", 2) == ("found_already", "M42")
    assert setgame.view(found, 1)["taken"] == [{"player": 0, "cards": ["1RSD", "2RSD", "3RSD"]}]
    assert setgame.hint(found, 1, 3) != ["1RSD", "2RSD", "3RSD"]
    assert setgame.state(table(format_position(found)))["taken"] == setgame.state(found)["taken"]


# ---------------------------------------------------------------- Any table


@pytest.mark.rule("M81")
def test_a_classroom_sees_scores_when_the_game_is_over() -> None:
    lying = table('sprint {"classroom": true}; players 2; layout ONE_SET; score 8 2; sets 8 2; lost 0 1')
    seen = setgame.view(lying, 0)
    assert seen["flags"]["classroom"]
    assert (seen["scores"], seen["sets"], seen["points_lost"], seen["taken"]) == ([], [], [], [])
    told = events(lying, 0, "take 1RSD 1RTD 1ROD", 1)
    assert (named(told, "set_taken")["points"], named(told, "set_taken")["score"]) == (0, 0)
    assert "point_lost" not in names(events(lying, 1, "take 1RSD 1RTD 1RSO", 1))
    over = table('sprint {"classroom": true}; players 2; layout ONE_SET; score 9 2; sets 9 2')
    made = step(over, 0, "take 1RSD 1RTD 1ROD", 1)
    assert setgame.view(made.table, 1)["scores"] == [10, 2]
    assert made.events[-1].facts["scores"] == [10, 2]


@pytest.mark.rule("M82")
def test_together_all_have_one_score_and_win_together() -> None:
    lying = table('sprint {"together": true}; players 3; layout ONE_SET; score 9 9 9')
    wrong = after(lying, (2, "take 1RSD 1RTD 1RSO", 1))
    assert wrong.score[:3] == [8, 8, 8]
    ended = setgame.ending(after(lying, (1, "take 1RSD 1RTD 1ROD", 1)))
    assert ended is not None
    assert (ended.winners, ended.scores) == ((0, 1, 2), (10, 10, 10))


@pytest.mark.rule("M81", "M82")
@pytest.mark.parametrize("variant", [row.name for row in ROWS])
def test_any_table_can_be_classroom_or_together_and_names_it_only_then(variant: str) -> None:
    players = VARIANTS[variant].fewest_players
    for option in ("classroom", "together"):
        assert setgame.setup(new(variant, players, "v1:a", **{option: True}))["options"][option] is True
        assert option not in setgame.setup(new(variant, players))["options"]
