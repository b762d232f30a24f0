"""How often is often enough: windows that end, counts that are forgotten, and a server that allows more."""

import math

import pytest

from threefold.web import limits
from threefold.web.limits import RATES, Limits, TooOften, Windows
from threefold.web.settings import ServerSettings


def test_a_window_ends_and_the_count_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("threefold.web.limits.time.monotonic", lambda: now[0])
    windows = Windows()
    assert [windows.incr("a", 2) for _ in range(3)] == [1, 2, 3]
    assert windows.get("a") == 3
    now[0] += 2
    assert windows.get("a") == 0
    assert windows.incr("a", 2) == 1


def test_counts_whose_window_is_over_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("threefold.web.limits.time.monotonic", lambda: now[0])
    monkeypatch.setattr(limits, "SWEEP_AT", 10)
    windows = Windows()
    windows._sweep_at = 10
    for number in range(10):
        windows.incr(f"old {number}", 1)
    now[0] += 1
    windows.incr("new", 1)
    assert windows.reset() == 1


def test_a_server_may_allow_more_and_lines_are_told_how_much() -> None:
    most = RATES["tables"].amount
    for times in (1, 3):
        some = Limits(ServerSettings(rates=times))
        assert all(some.allows("tables", "ann") for _ in range(times * most))
        with pytest.raises(TooOften):
            some.check("tables", "ann")
        assert some.allows("tables", "bob")
        assert some.messages == (times * RATES["messages"].amount, 2.0)
    free = Limits(ServerSettings(rates=0))
    assert all(free.allows("tables", "ann") for _ in range(10 * most))
    assert free.messages[0] == math.inf


def test_sockets_are_counted_while_they_are_open() -> None:
    some = Limits(ServerSettings(sockets_per_address=3, sockets_per_person=2))
    some.open_socket("here", "ann")
    some.open_socket("here", "ann")
    with pytest.raises(TooOften):
        some.open_socket("there", "ann")
    some.open_socket("here", "bob")
    with pytest.raises(TooOften):
        some.open_socket("here", "bob")
    some.close_socket("here", "ann")
    some.open_socket("here", "bob")
