"""The bots that search: the same at both speeds, blind to hidden cards, guarded, in time, and stronger than `sharp`."""

from collections.abc import Callable, Iterator

import pytest

from tests.karma.laws.setups import ALL_RULES, Rules
from threefold import karma
from threefold.games import KITS
from threefold.karma.bot_view import read_view
from threefold.karma.exchanging import exchanged
from threefold.karma.fast import search as compiled
from threefold.karma.fast.search import CompiledDesk
from threefold.karma.notation import format_move
from threefold.karma.rollouts import LOST, POPULATION, Search, best_move, drop_hopeless, halve, population
from threefold.karma.search import LEVELS, Level, PlainDesk, Thinking, spend, think
from threefold.karma.table import FACE_DOWN, Table
from threefold.records import blank
from threefold.shuffle import Random, below, random_from

BUDGET = Level(16)


def game(rules: Rules, players: int, turn_limit: int = 60) -> Iterator[tuple[Table, int]]:
    """Every awaited player of a whole game of `sharp`, with the table."""
    table = karma.new(rules.setup(players, "v1:search", turn_limit=turn_limit))
    random = random_from("v1:search", "choices")
    while decisions := karma.decisions(table):
        player = decisions[0].player
        assert player is not None
        yield table, player
        choice = KITS["karma"].bots["sharp"](karma.view(table, player), random)
        assert choice is not None
        table = karma.play(table, player, choice.move).table


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_plain_and_compiled_searches_find_the_same_moves(rules: Rules) -> None:
    plain, desk, pick = PlainDesk(), CompiledDesk(), random_from("v1:some")
    searched = 0
    for table, player in game(rules, 3):
        if below(pick, 4):
            continue
        twins = random_from("v1:both", f"{searched}"), random_from("v1:both", f"{searched}")
        seen = read_view(karma.view(table, player))
        assert think(plain, BUDGET, *seen, twins[0]) == think(desk, BUDGET, *seen, twins[1])
        searched += seen[2].count > 1
        if seen[2].count > 1:
            assert twins[0].word == desk.rs["word"][0].tolist()
            assert plain.search.lost[: seen[2].count] == desk.ss["lost"][0][: seen[2].count].tolist()
    assert searched > 3


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_no_search_notices_when_hidden_cards_are_exchanged(rules: Rules) -> None:
    random, desk = random_from("v1:exchange"), CompiledDesk()
    for table, player in game(rules, 4):
        if table.giving_from != FACE_DOWN:
            chosen = [
                think(desk, LEVELS["hard"], *read_view(karma.view(each, player)), random_from("v1:same"))
                for each in (table, exchanged(table, player, random))
            ]
            assert chosen[0] == chosen[1]


def searched(redeals: int, *results: tuple[int, int]) -> Search:
    """A search after some redeals: by move, in how many of them it lost less than the usual one, and in how many more.

    The first move is that of `sharp`.
    """
    search = blank(Search)
    search.redeals, search.patience, search.least_gain = redeals, 10, 3
    for i, (better, worse) in enumerate(results):
        search.gained[i] = (better - worse) * LOST
        search.squares[i] = (better + worse) * LOST * LOST
        search.left[i] = i
    search.left_count = len(results)
    return search


@pytest.mark.parametrize(
    ("results", "best"),
    [
        ([(0, 0), (0, 10)], 0),
        ([(0, 0), (10, 10)], 0),
        ([(0, 0), (13, 10)], 0),  # less than one standard error
        ([(0, 0), (2, 0)], 1),  # two games where nothing else was different
        ([(0, 0), (1, 0)], 0),
        ([(0, 0), (16, 10)], 1),
        ([(0, 0), (30, 20), (20, 5)], 2),
        ([(0, 0), (40, 36), (12, 9)], 0),
    ],
)
def test_a_search_leaves_the_move_of_sharp_only_for_a_gain_of_more_than_a_standard_error(
    results: list[tuple[int, int]], best: int
) -> None:
    assert best_move(searched(100, *results)) == best


@pytest.mark.parametrize(
    ("redeals", "results", "left"),
    [
        (100, [(0, 0), (20, 20), (5, 20)], [0, 1]),  # clearly worse
        (100, [(0, 0), (0, 0), (20, 10)], [0, 2]),  # makes no difference
        (8, [(0, 0), (0, 0), (0, 1)], [0, 1, 2]),  # too early to tell
        (100, [(0, 0), (40, 10)], [1]),  # so clearly better that the search is over
        (100, [(0, 0), (40, 10), (12, 10)], [0, 1, 2]),
    ],
)
def test_a_search_drops_moves_that_are_no_use_any_more(
    redeals: int, results: list[tuple[int, int]], left: list[int]
) -> None:
    search = searched(redeals, *results)
    drop_hopeless(search)
    assert search.left[: search.left_count] == left


def test_halving_keeps_the_usual_move_and_the_better_half_of_the_others() -> None:
    search = searched(100, (0, 0), (5, 6), (10, 2), (1, 20), (7, 6), (3, 3))
    halve(search)
    assert search.left[: search.left_count] == [0, 2, 4]
    halve(search)
    assert search.left[: search.left_count] == [0, 2]
    halve(search)
    assert search.left[: search.left_count] == [0, 2]


class SlowDesk(PlainDesk):
    """A desk on which every redeal takes a tenth of a second."""

    def __init__(self, moves: int) -> None:
        self.left, self.redeals = moves, 0

    def try_redeals(self, redeals: int, *, drops: bool = True) -> int:  # noqa: ARG002 (as in a real desk)
        self.redeals += redeals
        return self.left

    def halve(self) -> int:
        self.left = (self.left + 1) // 2
        return self.left

    def best(self) -> int:
        return 0

    def clock(self) -> float:
        return self.redeals / 10


@pytest.mark.parametrize(("level", "redeals"), [(Level(400), 16 + 33 + 66), (Level(4_000, 250), 4)])
def test_a_search_spends_its_budget_or_stops_at_its_deadline(level: Level, redeals: int) -> None:
    desk = SlowDesk(8)
    assert spend(desk, level, 8, desk.clock) == (0, desk.redeals)
    assert desk.redeals == redeals


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_a_search_that_stops_after_the_same_redeals_finds_the_same_move(rules: Rules) -> None:
    desk, random = CompiledDesk(), random_from("v1:stops")
    for number, (table, player) in enumerate(game(rules, 4)):
        seen = read_view(karma.view(table, player))
        budget = 40 + below(random, 200)
        found = think(desk, Level(budget), *seen, random_from("v1:same", f"{number}"))
        stopped = Level(budget, redeals=found.redeals)
        assert think(desk, stopped, *seen, random_from("v1:same", f"{number}")) == found
        if found.redeals > 1:
            hurried = think(desk, Level(budget, redeals=1 + below(random, found.redeals)), *seen, random)
            assert hurried.redeals <= found.redeals


def test_compiled_searches_release_the_lock() -> None:
    assert compiled._try_redeals.targetoptions["nogil"]


def test_opponents_are_like_sharp_and_all_different() -> None:
    rows = population()
    assert len({tuple(row) for row in rows}) == POPULATION


@pytest.mark.parametrize("name", LEVELS)
def test_a_process_without_a_compiler_searches_in_plain_python(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threefold.karma.search.PLAIN_ROLLOUTS", 4)
    bot = Thinking("threefold.no_such_module").bot(name)
    table = karma.new({"edition": "mini_round", "players": 3, "seed": "v1:plain", "options": {"turn_limit": 40}})
    moves = 0
    while decisions := karma.decisions(table):
        player = decisions[0].player
        assert player is not None
        choice = bot(karma.view(table, player), random_from("v1:plain", f"{moves}"))
        assert choice is not None
        table = karma.play(table, player, choice.move).table
        moves += 1
    assert moves > 5


def losses(think_like: Callable[[Table, int, Random], str], games: int) -> int:
    """How many games of Classic against three `sharp` the player loses, from every seat in turn."""
    lost = 0
    for number in range(games):
        table = karma.new({"edition": "classic", "players": 4, "seed": f"v1:strong-{number}"})
        random = random_from("v1:strong", f"{number}")
        while decisions := karma.decisions(table):
            player = decisions[0].player
            assert player is not None
            if player == number % 4:
                move = think_like(table, player, random)
            else:
                choice = KITS["karma"].bots["sharp"](karma.view(table, player), random)
                assert choice is not None
                move = choice.move
            table = karma.play(table, player, move).table
        lost += table.loser == number % 4
    return lost


def test_hard_loses_far_less_than_its_share_against_sharp() -> None:
    desk = CompiledDesk()

    def hard(table: Table, player: int, random: Random) -> str:
        edition, view, moves = read_view(karma.view(table, player))
        return format_move(edition, moves.move[think(desk, LEVELS["hard"], edition, view, moves, random).index])

    assert losses(hard, 40) <= 5


def test_a_search_without_memory_forgets_what_the_view_remembers() -> None:
    desk = CompiledDesk()
    edition, view, moves = read_view(karma.view(karma.new({"edition": "classic", "players": 2, "seed": "v1:x"}), 0))
    view.known[1][0] = 1
    think(desk, Level(4), edition, view, moves, random_from("v1:x"))
    assert desk.vs["known"][0].sum() == 1
    think(desk, Level(4, remembers=False), edition, view, moves, random_from("v1:x"))
    assert desk.vs["known"][0].sum() == 0
