"""Looking back on a game of SET: every layout, every SET, who found it after how long, and what was missed."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.setgame.tables import SETUPS, THE_SET, WRONG, Move, table, wander
from threefold import setgame
from threefold.setgame.review import review, times_by_features
from threefold.setgame.table import Table

Json = Any
TWO = "full; players 2; layout ONE_SET; deck 3GSS 3GSO 3GSD"


def looked_back(start: Table, *moves: Move) -> Json:
    """The report on a game that was played by hand, and each player's figures."""
    after = []
    now = start
    for player, move, at in moves:
        step = setgame.play(now, player, move, at)
        now = step.table
        after.append((at, now, step.events))
    reviewed = review(start, after)
    return {**reviewed["report"], "figures": reviewed["figures"]}


def test_a_set_is_found_when_it_is_called_and_lies_until_it_is_taken() -> None:
    report = looked_back(table(TWO), (1, "call", 4000), (1, THE_SET, 5500))
    (found,) = (each for each in report["sets"] if each["outcome"] == "taken")
    assert set(found["cards"]) == {"1RSD", "1RTD", "1ROD"}
    assert (found["player"], found["found_ms"], found["since"], found["until"]) == (1, 4000, 0, 5500)
    assert found["features"] == 1
    first, second = report["layouts"]
    assert (first["since"], first["until"], first["move"], first["taken"]) == (0, 5500, 0, first["sets"][0])
    assert (second["since"], second["move"]) == (5500, 2)
    assert report["figures"][1] == {"times": [[1, 4000]], "wrong": 0, "missed": 0, "took_ms": 5500}
    assert report["figures"][0]["times"] == []


def test_a_wrong_try_is_told_with_its_reasons_and_one_without_cards_with_its_failure() -> None:
    report = looked_back(table(TWO), (0, "call", 100), (0, WRONG, 900), (1, "call", 1000), (1, "give up", 1500))
    wrong, given_up = report["wrong"]
    assert (wrong["player"], wrong["failure"], wrong["at"], wrong["move"]) == (0, "wrong_set", 900, 2)
    assert wrong["failing"]
    assert (given_up["player"], given_up["failure"], given_up["cards"]) == (1, "gave_up", [])
    assert [each["wrong"] for each in report["figures"]] == [1, 1]
    assert len(report["layouts"]) == 1, "nothing on the table has changed"


def test_a_set_that_lay_there_while_all_agreed_that_there_is_none_was_missed() -> None:
    report = looked_back(table(TWO), (0, "agree", 3000), (1, "agree", 7000))
    (lay,) = (each for each in report["sets"] if each["since"] == 0)
    assert (lay["overlooked"], lay["outcome"], lay["until"]) == (True, "left", 7000)
    assert [each["missed"] for each in report["figures"]] == [1, 1]


def test_a_set_whose_card_goes_with_another_is_broken_and_not_missed() -> None:
    start = table(
        "full; players 2; layout 1RSD 1RTD 1ROD 2ROD 3ROD 1PSO 2PTO 2GTO 2POD 3RTS 2GOS 2POS; deck 3GSS 2GSO 1PSD"
    )
    report = looked_back(start, (0, "call", 10), (0, "take 1RSD 1RTD 1ROD", 20))
    outcomes = {tuple(sorted(each["cards"])): each["outcome"] for each in report["sets"] if each["since"] == 0}
    assert outcomes[("1ROD", "2ROD", "3ROD")] == "broken"
    assert report["figures"][1]["missed"] == 0, "what came with the last move was there for no time"


def test_in_solitaire_asking_for_more_cards_overlooks_what_lies() -> None:
    start = table("solitaire; players 1; layout ONE_SET; deck 3GSS 3GSO 3GSD")
    report = looked_back(start, (0, "more cards", 800), (0, THE_SET, 2000))
    (found,) = (each for each in report["sets"] if each["outcome"] == "taken")
    assert (found["overlooked"], found["found_ms"]) == (True, 2000)
    assert report["figures"][0]["missed"] == sum(
        each["outcome"] == "left" and each["until"] > each["since"] for each in report["sets"]
    )


def test_with_personal_cards_a_set_is_within_the_reach_of_its_owner() -> None:
    start = table(
        "twenty_twenty; players 2; layout 1RSD 1RTD 2PSO 3PTO 1GTS 2GOS;"
        " personal 0 1ROD 2RSD 2RSO 3GSO 1PTD 3RTS; personal 1 2PTD 1PSS 3GOD 2GSD 1POO 3RSO"
    )
    report = looked_back(start, (0, "call", 700), (0, "take 1RSD 1RTD 1ROD", 1000))
    (found,) = (each for each in report["sets"] if each["outcome"] == "taken")
    assert (found["reach"], found["player"], found["found_ms"]) == ([0], 0, 700)
    assert report["layouts"][0]["personal"][0][:2] == ["1ROD", "2RSD"]


def test_times_are_sorted_by_the_number_of_differing_features() -> None:
    one, two, three, four = times_by_features([[1, 900], [1, 300], [3, 50]])
    assert (one["count"], one["best_ms"], one["median_ms"]) == (2, 300, 600)
    assert (two["count"], two["best_ms"], two["median_ms"]) == (0, None, None)
    assert three["best_ms"] == 50
    assert four["features"] == 4
    assert [each["features"] for each in times_by_features([[5, 100], [2, 70]])] == [1, 2, 3, 4, 5]


def test_in_a_chain_a_set_that_does_not_continue_it_is_broken_and_not_missed() -> None:
    start = table("chain; players 2; layout 1RSD 1RTD 1ROD 2GSS 2GTS 2GOS 1PSO 3PTO 1GTO 2ROS 3RTS 2POO")
    report = looked_back(start, (0, THE_SET, 900))
    outcomes = {frozenset(each["cards"]): each["outcome"] for each in report["sets"] if each["since"] == 0}
    assert outcomes[frozenset({"1RSD", "1RTD", "1ROD"})] == "taken"
    assert outcomes[frozenset({"2GSS", "2GTS", "2GOS"})] == "broken"
    previous = {"1RSD", "1RTD", "1ROD"}
    left = [each for each in report["sets"] if each["outcome"] == "left"]
    assert left
    assert all(len(previous & set(each["cards"])) == 1 for each in left), "only these still continue the chain"
    assert report["figures"][1]["missed"] == sum(each["until"] > each["since"] for each in left)
    assert previous <= set(report["layouts"][1]["cards"])


@given(st.sampled_from(SETUPS), st.integers(0, 2**32))
def test_every_set_taken_is_in_its_layout_and_the_times_add_up(setup: Json, seed: int) -> None:
    first = setgame.new({**setup, "seed": f"v1:{seed}"})
    steps = [(each.move[2], each.step.table, each.step.events) for each in wander(setup, seed, 80)]
    reviewed = review(first, steps)
    report = reviewed["report"]
    layouts, sets = report["layouts"], report["sets"]
    happened = [
        (event.facts["player"], set(event.facts["cards"]))
        for _, _, events in steps
        for event in events
        if event.name == "set_taken"
    ]
    taken = [each for each in sets if each["outcome"] == "taken"]
    assert sorted((each["player"], sorted(each["cards"])) for each in taken) == sorted(
        (p, sorted(c)) for p, c in happened
    )
    for layout in layouts:
        assert layout["since"] <= layout["until"]
        cards = {*layout["cards"], *(card for row in layout["personal"] for card in row)}
        for i in layout["sets"]:
            assert set(sets[i]["cards"]) <= cards
            assert sets[i]["since"] <= layout["since"] <= layout["until"] <= sets[i]["until"]
        if layout["taken"] is not None:
            assert layout["taken"] in layout["sets"]
    ends = [layout["taken"] for layout in layouts if layout["taken"] is not None]
    assert sorted(ends) == [i for i, each in enumerate(sets) if each["outcome"] == "taken"]
    for one, next_one in pairwise(layouts):
        assert one["until"] <= next_one["since"]
        if one["deal"] == next_one["deal"]:
            assert one["until"] == next_one["since"], "within a deal something always lies there"
    for each in taken:
        assert 0 <= each["found_ms"] <= each["until"] - each["since"]
    assert sum(len(each["times"]) for each in reviewed["figures"]) == len(happened)
    failed = [event for _, _, events in steps for event in events if event.name == "call_failed"]
    assert len(report["wrong"]) == len(failed)
