"""The two speeds agree step by step, and whole games of every variant end at both."""

import os
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from benchmarks import set_playouts as playouts
from benchmarks.set_playouts import PERFECT_PLAYERS, RANDOM_PLAYERS, Choice, Report
from tests.setgame import compiled
from tests.setgame.tables import SETUPS, wander
from threefold import setgame
from threefold.compiling import to_records
from threefold.records import blank, flat
from threefold.setgame import refusals
from threefold.setgame.cards import CARD_NAMES
from threefold.setgame.moves import CALL, LEAVE, TAKE, TIME_UP, take_of, what_of
from threefold.setgame.notation import ENDINGS, parse_move
from threefold.setgame.positions import parse_position
from threefold.setgame.simulation.deal import shuffle_and_deal
from threefold.setgame.table import GOES_ON, NONE, TAPE, Table, Variant, open_tape
from threefold.setgame.turn import make_move
from threefold.setgame.variants import VARIANTS, with_options
from threefold.shuffle import random_from

POLICIES = (RANDOM_PLAYERS, PERFECT_PLAYERS)
LONGEST = 20_000


def variant_of(setup: dict[str, Any]) -> Variant:
    return with_options(VARIANTS[setup["variant"]], setup.get("options", {}))


def numbers(records: Any) -> list[int]:
    """A compiled record as its numbers in memory."""
    found: list[int] = records.view(np.int64).tolist()
    return found


def assert_same(table: Table, records: Any) -> None:
    assert flat(table) == numbers(records)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("setup", SETUPS)
def test_whole_games_of_simulated_players_are_the_same_step_by_step(setup: dict[str, Any], policy: int) -> None:
    v, players = variant_of(setup), setup["players"]
    vs, ts, tapes, choices = (
        compiled.variant_records(v),
        compiled.blank_tables(1),
        compiled.blank_tape(TAPE),
        to_records([blank(Choice)]),
    )
    table = blank(Table, deal=None)
    tape, choice = open_tape(), blank(Choice)
    for game in range(3):
        plain_random = random_from(f"v1:{game}")
        rs = compiled.random_records(plain_random)
        tape.size = tapes[0]["size"] = 0
        shuffle_and_deal(v, table, tape, plain_random, players)
        compiled.shuffle_and_deal(vs, ts, 0, tapes, rs, players)
        made = 0
        while table.ending == GOES_ON and made < 400:
            assert_same(table, ts)
            playouts.choose(v, table, plain_random, policy, choice)
            playouts.choose_compiled(vs, ts, 0, rs, policy, choices)
            assert flat(choice) == numbers(choices)
            assert refusals.refusal(v, table, choice.player, choice.move, choice.at) == refusals.ACCEPTED
            make_move(v, table, tape, choice.player, choice.move, choice.at)
            compiled.make_move(vs, ts, 0, tapes, choice.player, choice.move, choice.at)
            assert tape.row[: tape.size] == tapes[0]["row"][: tapes[0]["size"]].tolist()
            made += 1
        assert_same(table, ts)
        assert plain_random.word == numbers(rs)


@pytest.mark.parametrize("setup", SETUPS)
def test_whole_games_of_people_are_the_same_step_by_step_and_so_are_refusals(setup: dict[str, Any]) -> None:
    chance = random.Random(3)  # noqa: S311 (a test may be predictable)
    ts = compiled.blank_tables(1)
    tapes = compiled.blank_tape(TAPE)
    vs = compiled.variant_records(variant_of(setup))
    for seed in range(4):
        for number, wandered in enumerate(wander(setup, seed, 120)):
            before, (player, text, at) = wandered.before, wandered.move
            if number == 0:
                lay_out(before, ts)
            who = NONE if player is None else player
            move = parse_move(text)
            assert compiled.refusal(vs, ts, 0, who, move, at) == refusals.ACCEPTED
            for _ in range(5):
                other = chance.choice([*range(CALL, LEAVE + 1), take_of(*(chance.randrange(81) for _ in range(3)))])
                anyone, then = chance.randrange(before.players), before.now + chance.choice((-1, 0, 2000, 9000))
                plain = refusals.refusal(before.deal.variant, before, anyone, other, then)
                assert compiled.refusal(vs, ts, 0, anyone, other, then) == plain
            compiled.make_move(vs, ts, 0, tapes, who, move, at)
            assert_same(wandered.step.table, ts)


def test_the_reshuffles_of_version_two_are_the_same_at_both_speeds() -> None:
    table = setgame.new({"variant": "longer_game", "players": 2, "seed": "v2:both"})
    ts = compiled.blank_tables(1)
    lay_out(table, ts)
    records = compiled.variant_records(table.deal.variant), ts, 0, compiled.blank_tape(TAPE)
    for deal in (2, 3):
        table.next_deal_at = ts["next_deal_at"][0] = table.now
        table.deals = ts["deals"][0] = 1
        make_move(table.deal.variant, table, open_tape(), NONE, TIME_UP, table.now)
        compiled.make_move(*records, NONE, TIME_UP, table.now)
        assert table.reshuffles == deal - 1
        assert_same(table, ts)


def lay_out(table: Table, records: Any) -> None:
    records.view(np.int64)[:] = flat(table)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("setup", SETUPS)
def test_whole_games_end(setup: dict[str, Any], policy: int) -> None:
    v = variant_of(setup)
    games = 100 if v.personal else 2000
    report = playouts.simulate(v, setup["players"], policy, games, random_from("v1:ends"))
    assert report["games"] == sum(report["endings"]) == games
    assert report["endings"][GOES_ON] == 0
    assert report["longest"] < LONGEST
    if v.personal:
        assert report["endings"][next(code for code, name in ENDINGS.items() if name == "target_reached")] == games
    elif policy == PERFECT_PLAYERS:
        assert report["lost"] == 0


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("setup", SETUPS)
def test_the_plain_and_the_compiled_report_of_the_same_games_are_the_same(setup: dict[str, Any], policy: int) -> None:
    v, players, games = variant_of(setup), setup["players"], 1 if setup["variant"] == "twenty_twenty" else 3
    seed = "v1:report"
    report = blank(Report)
    table = blank(Table, deal=None)
    tape = open_tape()
    tape.room = 0
    playouts.play_games([v], [table], [tape], [random_from(seed)], [blank(Choice)], [report], policy, players, games)
    assert playouts.simulate(v, players, policy, games, random_from(seed)) == {
        name: getattr(report, name) for name in Report.__slots__
    }


@pytest.mark.rule("S15")
def test_random_players_call_where_no_more_cards_may_be_laid() -> None:
    lying = parse_position("solitaire; players 1; layout " + " ".join(CARD_NAMES[:21]))
    choice, chance = blank(Choice), random_from("v1:21")
    for _ in range(200):
        playouts.choose(lying.deal.variant, lying, chance, RANDOM_PLAYERS, choice)
        assert what_of(choice.move) == TAKE


def test_simulation_writes_no_events() -> None:
    tape = compiled.blank_tape()
    vs, ts = compiled.variant_records(VARIANTS["full"]), compiled.blank_tables(1)
    compiled.shuffle_and_deal(vs, ts, 0, tape, compiled.random_records(random_from("v1:a")), 2)
    assert tape[0]["size"] == 0


def test_no_event_is_ever_lost_for_want_of_room_on_the_tape() -> None:
    longest = 0
    for setup in SETUPS:
        for seed in range(6):
            for wandered in wander(setup, seed, 60):
                longest = max(longest, sum(len(event.facts.get("cards", "-")) + 1 for event in wandered.step.events))
    assert longest < TAPE / 2
    assert setgame.rules_version == 2


@pytest.mark.slow
def test_compiled_rules_never_reach_beyond_their_records() -> None:
    again = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", __file__, "-k", "step_by_step"]
    environment = {**os.environ, "THREEFOLD_BOUNDSCHECK": "1"}
    done = subprocess.run(again, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
