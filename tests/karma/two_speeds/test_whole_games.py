"""Plain and compiled, whole random games, step by step."""

import os
import subprocess
import sys

import pytest

from benchmarks import karma_playouts as playouts
from tests.karma.laws.setups import ALL_RULES, Rules, seatings
from tests.karma.two_speeds.comparing import AUTOMATIC, BY_HAND, BothSpeeds, compare_games, table_bytes
from threefold.karma import new
from threefold.karma.deal import deal_from
from threefold.karma.simulation.deal import shuffle_and_deal
from threefold.karma.table import Moves, Table, Tape
from threefold.records import blank
from threefold.shuffle import random_from

GAMES = {"fast": 2, "default": 8, "thorough": 100}[os.environ.get("THREEFOLD_PROFILE", "default")]


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_whole_games_agree_in_tables_events_and_legal_moves_at_both_speeds(rules: Rules) -> None:
    seen = compare_games(rules, GAMES)
    assert seen.games == GAMES * len(seatings(rules)) * len((AUTOMATIC, BY_HAND))
    assert seen.moves > 100 * GAMES
    assert seen.draw_offers > 0


@pytest.mark.slow
def test_compiled_code_stays_within_the_bounds_of_its_records() -> None:
    command = [sys.executable, "-m", "tests.karma.two_speeds.comparing", "--games", "1"]
    environment = {**os.environ, "THREEFOLD_BOUNDSCHECK": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Compared(") == len(ALL_RULES) + 1


@pytest.mark.slow
def test_bounds_checks_would_notice_an_index_outside() -> None:
    program = (
        "from tests.karma.laws.setups import ALL_RULES\n"
        "from tests.karma.two_speeds.comparing import BothSpeeds\n"
        "from tests.karma import compiled\n"
        "game = BothSpeeds(ALL_RULES[0].setup(2, 'v1:a'), seed='v1:a')\n"
        "compiled.first_awaited(game.ts, 1)\n"
    )
    environment = {**os.environ, "THREEFOLD_BOUNDSCHECK": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "IndexError" in done.stderr


@pytest.mark.rule("K1", "K4", "K5")
@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_playouts_deal_a_seed_as_a_table_of_people_deals_it(rules: Rules) -> None:
    for players in seatings(rules):
        for number in range(5):
            seed = f"v1:deal-{number}"
            setup = rules.setup(players, seed)
            table = blank(Table, deal=None)
            shuffle_and_deal(deal_from(setup).edition, table, random_from(seed), players)
            assert table_bytes(table) == table_bytes(new(setup))
            assert BothSpeeds(setup, seed=seed).ts.tobytes() == table_bytes(table)


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_the_same_generator_plays_the_same_games_at_both_speeds(rules: Rules) -> None:
    setup = rules.setup(4, "v1:a", turn_limit=300)
    edition = deal_from(setup).edition
    table, moves, tape, random = blank(Table, deal=None), blank(Moves), blank(Tape), random_from("v1:a", "playout")
    records = playouts.records(edition, random)
    ts, rs = records[1], records[4]
    made = playouts.play_games([edition], [table], [moves], [tape], [random], 4, 6)
    assert playouts.play_games_compiled(*records, 4, 6) == made
    assert rs[0]["word"].tolist() == random.word
    assert ts.tobytes() == table_bytes(table)


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_a_table_that_has_seen_a_game_deals_the_next_like_a_new_one(rules: Rules) -> None:
    setup = rules.setup(4, "v1:b", turn_limit=300)
    edition = deal_from(setup).edition
    used = blank(Table, deal=None)
    playouts.play_games([edition], [used], [blank(Moves)], [blank(Tape)], [random_from("v1:a", "playout")], 4, 2)
    shuffle_and_deal(edition, used, random_from("v1:b"), 4)
    fresh = new(setup)
    used.pending[:] = fresh.pending  # what lies beyond the sizes is never read
    used.discard_pile[:] = fresh.discard_pile
    assert table_bytes(used) == table_bytes(fresh)
