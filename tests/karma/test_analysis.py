"""The analysis of a finished game: its terms add up, it sees what the player could know, and it names blunders."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.karma.laws.setups import ALL_RULES, Rules
from threefold.games import KITS
from threefold.karma.analysis import AnalysisForm, analyse
from threefold.karma.exchanging import exchanged
from threefold.karma.fast.search import CompiledDesk
from threefold.karma.notation import parse_move
from threefold.karma.search import PlainDesk
from threefold.karma.table import FACE_DOWN, SET_UP, Table
from threefold.karma.valuation import Position, position, value
from threefold.shuffle import below, random_from

KIT = KITS["karma"]
Moves = list[tuple[int | None, str, Table, Any]]


def played(setup: dict[str, Any], bot: str = "sharp") -> tuple[Table, Moves]:
    """A whole game between equal bots."""
    first = table = KIT.game.new(setup)
    random, moves = random_from(setup["seed"], "bots"), Moves()
    while decisions := KIT.game.decisions(table):
        player = decisions[0].player
        choice = KIT.bots[bot](KIT.game.view(table, player), random)
        assert choice is not None
        step = KIT.game.play(table, player, choice.move)
        table = step.table
        moves.append((player, choice.move, table, step.events))
    return first, moves


def analysed(first: Table, moves: Moves, **more: Any) -> AnalysisForm:
    return analyse(CompiledDesk, first, moves, seed="v1:analysis", **{"redeals": 60, **more})


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_the_terms_of_every_player_add_up_to_the_outcome(rules: Rules) -> None:
    first, moves = played(rules.setup(3, "v1:terms", turn_limit=150))
    analysis = analysed(first, moves)
    ending = KIT.game.ending(moves[-1][2])
    assert ending is not None
    for curve, each in zip(analysis["losing"], analysis["summaries"], strict=True):
        assert len(curve) == len(moves) + 1
        assert each["outcome"] == (each["player"] in ending.losers)
        assert abs(each["start"] + each["luck"] + each["errors"] + each["others"] - each["outcome"]) < 1e-9
        assert each["adjusted"] == each["outcome"] - each["luck"]
        assert each["errors"] >= 0


def test_the_same_seed_gives_the_same_analysis_in_any_number_of_threads() -> None:
    first, moves = played({"edition": "classic", "players": 3, "seed": "v1:same"})
    assert analysed(first, moves, threads=2) == analysed(first, moves)


def test_some_players_are_analysed_with_all_redeals() -> None:
    first, moves = played({"edition": "mini_round", "players": 3, "seed": "v1:one"})
    (summary,) = analysed(first, moves, players=[2])["summaries"]
    assert summary["player"] == 2
    assert summary["outcome"] == (moves[-1][2].loser == 2)


def test_progress_ends_at_one_and_never_goes_back() -> None:
    first, moves = played({"edition": "mini_round", "players": 2, "seed": "v1:progress"})
    seen = list[float]()
    analysed(first, moves, redeals=4, on_progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1


def positions(rules: Rules) -> Iterator[tuple[Table, int, int | None]]:
    """Tables of a game, a player at each, and the move this player is about to make."""
    first, moves = played(rules.setup(4, "v1:positions", turn_limit=150))
    random, table = random_from("v1:positions", "who"), first
    for mover, text, after, _ in moves:
        player = below(random, 4)
        yield table, player, parse_move(first.deal.edition, text) if player == mover else None
        table = after


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_a_value_does_not_change_with_cards_that_the_player_cannot_know(rules: Rules) -> None:
    desk, random, compared = CompiledDesk(), random_from("v1:leak"), 0
    for table, player, move in positions(rules):
        if table.giving_from == FACE_DOWN or table.awaits == SET_UP:
            continue
        seen, other = position(table, player, move), position(exchanged(table, player, random), player, move)
        assert (seen is None) == (other is None)
        if seen is not None and other is not None:
            compared += 1
            assert estimated(desk, seen) == estimated(desk, other)
    assert compared > 20


def estimated(desk: Any, seen: Position) -> Any:
    return value(desk, seen, 8, random_from("v1:value"))


def test_both_speeds_value_positions_alike() -> None:
    plain, fast = PlainDesk(), CompiledDesk()
    rules = next(each for each in ALL_RULES if each.name == "second_edition")
    for number, (table, player, move) in enumerate(positions(rules)):
        if number % 9 == 0 and (seen := position(table, player, move)) is not None:
            again = position(table, player, move)
            assert again is not None
            assert estimated(plain, seen) == estimated(fast, again)


def test_a_blunder_is_among_the_named_errors() -> None:
    """Whoever could go out by playing the last card picks up the pile instead."""
    first = KIT.game.new(
        {
            "position": "classic; 0 hand 9; 1 hand 4 5 6 up 11 12 13 down 2 3 4; 2 hand 7 8 10 up 14 15 16 down 5 6 8; "
            "turn 0; pile 1 2 2 3 3 4 5 6 7 7 8"
        }
    )
    step = KIT.game.play(first, 0, "pick up")
    (error,) = analysed(first, [(0, "pick up", step.table, step.events)], players=[0], redeals=200)["decisions"]
    assert (error["move"], error["made"], error["best"]) == (1, "pick up", "play 9")
    assert error["error"] > 0.15
