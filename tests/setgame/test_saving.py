"""Whole games of SET are saved and loaded like those of Karma."""

import json
from typing import Any

import pytest

from tests.setgame.tables import SETUPS, wander
from threefold import setgame
from threefold.game import BadSetup
from threefold.saved import Move, load, save


@pytest.mark.parametrize("setup", SETUPS)
def test_a_saved_game_replays_move_by_move(setup: dict[str, Any]) -> None:
    wandered = list(wander(setup, 8, 60))
    moves = [Move(*each.move) for each in wandered]
    last = wandered[-1].step.table
    replay = load(json.loads(json.dumps(save(setgame.SET, last, moves))))
    assert setgame.state(replay.table) == setgame.state(last)
    assert list(replay.moves) == moves
    assert [list(each) for each in replay.events] == [list(each.step.events) for each in wandered]


def test_a_saved_game_whose_times_run_backwards_is_refused() -> None:
    start = setgame.new({"variant": "full", "players": 2})
    with pytest.raises(BadSetup) as refused:
        load(save(setgame.SET, start, [Move(0, "call", 5), Move(0, "give up", 4)]))
    assert "Time does not go back" in str(refused.value)
