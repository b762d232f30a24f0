"""Text and JSON round trips, at every step of a game; and the same game from the same seed in every process."""

import json
import os
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from tests.karma.laws.model import spread_memory
from tests.karma.laws.same_seed import digest_of_a_game
from tests.karma.laws.setups import ALL_RULES
from tests.karma.laws.walks import Moment, Picker, moments, often, setups, tables
from threefold import karma, saved
from threefold.karma import Table
from threefold.karma.positions import format_position, parse_position
from threefold.karma.table import NONE, OVER, SET_UP
from threefold.records import copied, flat


def what_matters(table: Table) -> list[int]:
    """All numbers of a table but those that nobody reads any more."""
    tidy = copied(table)
    for pile, size in (
        (tidy.draw_pile, tidy.draw_size),
        (tidy.discard_pile, tidy.discard_size),
        (tidy.pending, tidy.pending_size),
    ):
        pile[size:] = [0] * (len(pile) - size)
    for seat in range(len(tidy.hand)):
        for rows in (tidy.face_up, tidy.face_down, tidy.chosen):
            if seat >= tidy.players or (rows is tidy.chosen and tidy.awaits != SET_UP):
                rows[seat][:] = [NONE] * 3
    for seat in range(tidy.players, len(tidy.hand)):
        tidy.seat_of[seat] = tidy.player_at[seat] = 0
    spread_memory(tidy)
    return flat(tidy)


@often
@given(tables())
def test_a_position_is_read_as_it_is_written(table: Table) -> None:
    text = format_position(table)
    again = parse_position(text)
    assert what_matters(again) == what_matters(table)
    assert format_position(again) == text


@often
@given(tables())
def test_a_position_looks_to_everybody_like_the_table_it_was_written_from(table: Table) -> None:
    again = karma.new({"position": format_position(table)})
    for viewer in (None, *range(table.players)):
        assert karma.view(again, viewer) == karma.view(table, viewer)
    assert karma.state(again) == karma.state(table)


@often
@given(moments())
def test_a_game_goes_on_from_a_position_as_it_would_have_gone_on(moment: Moment) -> None:
    again = Moment(parse_position(format_position(moment.table)), moment.player, moment.move)
    one, two = moment.step(), again.step()
    assert what_matters(one.table) == what_matters(two.table)
    assert one.events == two.events


@often
@given(setups(), st.integers(0, 40), st.integers(0, 9_999))
def test_a_saved_game_replays_at_every_step(setup: dict[str, object], moves: int, seed: int) -> None:
    table, made, pick = karma.new(setup), [], Picker(f"v1:{seed}")
    happened = []
    for _ in range(moves):
        if table.awaits == OVER:
            break
        decision = pick.one_of(karma.decisions(table))
        made.append(saved.Move(decision.player, pick.one_of(decision.moves)))
        step = karma.play(table, decision.player, made[-1].move)
        table = step.table
        happened.append(list(step.events))
    text = json.dumps(saved.save(karma.KARMA, table, made))
    replay = saved.load(json.loads(text))
    assert flat(replay.table) == flat(table)
    assert [list(events) for events in replay.events] == happened
    assert json.dumps(saved.save(replay.game, replay.table, replay.moves)) == text


@often
@given(tables(), st.integers(0, 9))
def test_a_game_saved_from_a_position_replays_too(table: Table, seed: int) -> None:
    start = karma.new({"position": format_position(table)})
    made: list[saved.Move] = []
    at, pick = start, Picker(f"v1:{seed}")
    while karma.decisions(at) and len(made) < 3:
        decision = pick.one_of(karma.decisions(at))
        made.append(saved.Move(decision.player, pick.one_of(decision.moves)))
        at = karma.play(at, decision.player, made[-1].move).table
    assert flat(saved.load(json.loads(json.dumps(saved.save(karma.KARMA, at, made)))).table) == flat(at)


@often
@given(tables())
def test_views_events_and_states_are_json(table: Table) -> None:
    for what in (karma.state(table), *(karma.view(table, viewer) for viewer in (None, *range(table.players)))):
        assert json.loads(json.dumps(what)) == what


def test_the_same_seed_gives_the_same_game_in_another_process() -> None:
    here = [digest_of_a_game(rules, 3, "v1:everywhere") for rules in ALL_RULES]
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-m", "tests.karma.laws.same_seed", "3", "v1:everywhere"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == here
    assert len(set(here)) == len(here)
