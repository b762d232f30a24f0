"""One clock for all: set at the start, then slewed, never back."""

import time
from itertools import pairwise

import pytest

from threefold.live.clock import JUMP_S, SLEW, SharedClock


class Machine:
    """The machine's two clocks, moved by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at = 1000.0
        monkeypatch.setattr(time, "monotonic", lambda: self.at)
        monkeypatch.setattr(time, "time", lambda: 5000.0 + self.at)


def test_the_first_look_counts_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    Machine(monkeypatch)
    clock = SharedClock()
    assert clock.now() == 6_000_000
    clock.correct(-250)
    assert clock.now() == 5_999_750


def test_later_looks_move_it_slowly_and_never_back(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    clock = SharedClock()
    clock.correct(0)
    clock.correct(-100)
    seen = [clock.now()]
    for _ in range(300):
        machine.at += 0.01
        seen.append(clock.now())
    assert seen == sorted(seen)
    steps = [b - a for a, b in pairwise(seen)]
    assert min(steps) >= 10 * (1 - SLEW) - 1
    assert abs(seen[-1] - (6_003_000 - 100)) <= 1
    clock.correct(100)
    machine.at += 1
    assert abs(clock.now() - (6_004_000 - 100 + 50)) <= 1
    machine.at += 60
    assert abs(clock.now() - (6_064_000 + 100)) <= 1


def test_after_a_long_sleep_it_is_set_forward_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    clock = SharedClock()
    clock.correct(0)
    clock.correct(1000 * (JUMP_S + 1))
    assert clock.now() == 6_003_000
    clock.correct(-60_000)
    machine.at += 1
    assert abs(clock.now() - 6_003_950) <= 1
