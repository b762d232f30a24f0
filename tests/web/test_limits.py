"""Limits: windows that end, counts that are removed, open sockets, open files, and a server that allows more."""

import gc
import math
import resource

import pytest

from threefold.web import limits
from threefold.web.limits import RATES, Limits, TooOften, Windows, network_of
from threefold.web.process import RESERVED_FILES, freeze_loaded_objects, raise_file_limit
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


def test_sockets_are_counted_by_person_and_by_address_while_they_are_open() -> None:
    some = Limits(ServerSettings(sockets_per_address=3, sockets_per_person=2))
    for add, subtract, most in (
        (some.open_person, some.close_person, 2),
        (some.open_address, some.close_address, 3),
    ):
        for _ in range(most):
            add("one")
        with pytest.raises(TooOften):
            add("one")
        add("another")
        subtract("one")
        add("one")


def test_ipv6_addresses_are_counted_by_their_network() -> None:
    some = Limits(ServerSettings(sockets_per_address=2))
    some.open_address("2001:db8::1")
    some.open_address("2001:db8::ffff:2")
    with pytest.raises(TooOften):
        some.open_address("2001:db8::3")
    some.open_address("2001:db8:0:1::1")
    assert all(some.allows("people", f"2001:db8::{i:x}") for i in range(RATES["people"].amount))
    assert not some.allows("people", "2001:db8::abcd")
    assert network_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert network_of("192.0.2.1") == "192.0.2.1"
    assert network_of("not:an:address") == "not:an:address"


def test_a_server_is_nearly_full_at_nine_tenths_of_the_possible_connections() -> None:
    some = Limits(ServerSettings())
    assert not some.is_nearly_full(10**6)
    some.most_connections = 100
    assert not some.is_nearly_full(90)
    assert some.is_nearly_full(91)


def test_the_soft_limit_of_open_files_is_raised_to_the_hard_one() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 500), hard))
        most = raise_file_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
        assert most == (None if hard == resource.RLIM_INFINITY else hard - RESERVED_FILES)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_collection_of_garbage_is_small_so_that_nobody_waits_for_it() -> None:
    sizes: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            sizes.append(info["collected"])

    before = gc.get_threshold()
    freeze_loaded_objects()
    gc.callbacks.append(note)
    try:
        for _ in range(20_000):
            cycle: list[object] = []
            cycle.append(cycle)
    finally:
        gc.callbacks.remove(note)
        gc.unfreeze()
        gc.set_threshold(*before)
    assert sum(sizes) > 10_000
    assert max(sizes) < 5_000
