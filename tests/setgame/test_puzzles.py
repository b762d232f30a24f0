"""Puzzles: P1 and P2."""

import subprocess
import sys
from datetime import date, timedelta

import pytest

from threefold.game import BadSetup, IllegalMove
from threefold.puzzles import day_of
from threefold.setgame.cards import format_cards
from threefold.setgame.puzzles import KINDS, Puzzle, Solving, daily, guess, practice
from threefold.setgame.search import all_sets, difficulty
from threefold.texts import Text, say

DAY = date(2026, 3, 14)


def words(cards: tuple[int, ...]) -> list[str]:
    return format_cards(list(cards))


@pytest.mark.rule("P1")
@pytest.mark.parametrize(("name", "deck", "cards", "sets"), [("basic", 27, 9, 4), ("advanced", 81, 12, 6)])
def test_every_day_has_a_basic_and_an_advanced_puzzle_with_just_so_many_sets(
    name: str, deck: int, cards: int, sets: int
) -> None:
    seen = set()
    for days in range(120):
        puzzle = daily(name, DAY + timedelta(days))
        assert len(set(puzzle.cards)) == cards
        assert max(puzzle.cards) < deck
        assert all_sets(puzzle.cards) == list(puzzle.sets)
        assert len(puzzle.sets) == sets
        seen.add(puzzle.cards)
    assert len(seen) == 120


@pytest.mark.rule("P1")
def test_the_puzzle_of_a_day_is_the_same_for_everyone_and_for_ever() -> None:
    code = (
        "from datetime import date; from threefold.setgame.puzzles import daily; "
        "print(daily('basic', date(2026, 3, 14)).cards, daily('advanced', date(2026, 3, 14)).cards)"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert other == f"{daily('basic', DAY).cards} {daily('advanced', DAY).cards}\n"
    assert " ".join(words(daily("basic", DAY).cards)) == "2GSO 2PSO 1RSO 3PSO 1RSD 3RSS 2GSS 2RSO 2RSS"
    assert (
        " ".join(words(daily("advanced", DAY).cards)) == "2GOD 3RTD 3PTS 3ROD 3GTO 1GSS 2GTO 3RTS 1GTD 1RSO 1PSD 3RTO"
    )


@pytest.mark.rule("P1")
def test_the_day_is_that_of_utc() -> None:
    assert day_of(0) == date(1970, 1, 1)
    assert day_of(86_399_999) == date(1970, 1, 1)
    assert day_of(86_400_000) == date(1970, 1, 2)


def test_there_are_as_many_practice_puzzles_as_wanted() -> None:
    puzzles = [practice("advanced", "v1:me", number) for number in range(30)]
    assert len({puzzle.cards for puzzle in puzzles}) == 30
    assert practice("advanced", "v1:me", 7) == puzzles[7]
    assert practice("basic", "v1:me") != practice("basic", "v1:you")


def test_a_puzzle_is_as_hard_as_its_sets_together() -> None:
    puzzle = daily("advanced", DAY)
    assert puzzle.difficulties == tuple(difficulty(*each) for each in puzzle.sets)
    assert all(1 <= each <= 4 for each in puzzle.difficulties)
    assert puzzle.difficulty == sum(puzzle.difficulties)
    shown = puzzle.as_json()
    assert "sets" not in shown, "the solution stays hidden"
    assert shown["count"] == 6
    assert [each["difficulty"] for each in puzzle.as_json(solved=True)["sets"]] == list(puzzle.difficulties)


def test_only_known_sorts_of_puzzle_are_made() -> None:
    with pytest.raises(BadSetup) as refused:
        daily("enormous", DAY)
    assert refused.value.clause == "P1"
    assert all(name in str(refused.value) for name in KINDS)


def started() -> tuple[Puzzle, Solving]:
    puzzle = daily("basic", DAY)
    return puzzle, Solving(puzzle, began=1000)


@pytest.mark.rule("P2")
def test_a_puzzle_is_solved_when_all_its_sets_are_found_and_the_time_is_told() -> None:
    puzzle, solving = started()
    for number, each in enumerate(puzzle.sets, 1):
        solving, happened = guess(solving, words(each[::-1]), 1000 + 500 * number)
        assert happened[0].name == "puzzle_set_found"
        assert happened[0].facts["count"] == 4 - number
    assert [event.name for event in happened] == ["puzzle_set_found", "puzzle_solved"]
    assert happened[1].facts == {"milliseconds": 2000, "wrong": 0}
    assert solving.solved_in == 2000
    with pytest.raises(IllegalMove) as refused:
        guess(solving, words(puzzle.sets[0]), 4000)
    assert refused.value.text.key == "set.refusal.puzzle_is_solved"


@pytest.mark.rule("P2")
def test_a_set_found_twice_is_pointed_out() -> None:
    puzzle, solving = started()
    once, _ = guess(solving, words(puzzle.sets[0]), 1500)
    twice, happened = guess(once, words(puzzle.sets[0]), 1600)
    assert twice == once
    assert [event.name for event in happened] == ["puzzle_set_again"]


@pytest.mark.rule("P2", "S3")
def test_wrong_tries_are_counted_and_explained() -> None:
    puzzle, solving = started()
    a, b, _ = puzzle.sets[0]
    other = next(card for card in puzzle.cards if card not in puzzle.sets[0])
    solving, happened = guess(solving, words((a, b, other)), 1500)
    assert solving.wrong == happened[0].facts["wrong"] == 1
    assert "two " in say(Text("set.event.puzzle_wrong_set", happened[0].facts))


@pytest.mark.rule("P2")
def test_what_is_no_try_is_refused_and_not_counted() -> None:
    puzzle, solving = started()
    a, b, c = words(puzzle.sets[0])
    strange = next(name for name in ("1RTD", "2RTD") if name not in words(puzzle.cards))
    for names, key in (([a, b], "not_three_cards"), ([a, a, b], "not_different"), ([a, b, strange], "not_in_puzzle")):
        with pytest.raises(IllegalMove) as refused:
            guess(solving, names, 1)
        assert refused.value.text.key == f"set.refusal.{key}"
    assert guess(solving, [a, b, c], 1500)[0].wrong == 0
