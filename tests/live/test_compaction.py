"""Compaction: a compacted log folds to the same table; loading a long log lets other tables play."""

import asyncio
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.live.room import Room, does, in_a_room
from threefold.engines import Engines
from threefold.game import Refusal
from threefold.live import acts, loading
from threefold.live import entries as e
from threefold.live.compaction import Compaction, Numbered, compact
from threefold.live.loading import load_state
from threefold.live.state import TableState, folding

SEATS = 4


def act_of(kind: str, guest: int, seat: int) -> Any:
    return {
        "sit": does(acts.sit, seat),
        "stand": acts.stand,
        "bot": does(acts.bot_sits, seat, "careful"),
        "bot stands": does(acts.bot_stands, seat),
        "mute": does(acts.mute, guest, muted=seat % 2 == 0),
        "leave": does(acts.leave, stays=False),
        "pass": does(acts.pass_host, seat % 3),
        "change": does(acts.change, None, e.Settings(seats=2 + seat)),
        "options": lambda s, by, at: acts.change(s, by, at, None, replace(s.settings, grace_s=guest)),
        "start": acts.start,
    }[kind]


KINDS = (
    ["sit"] * 8
    + ["stand"] * 8
    + ["bot", "bot", "bot stands", "bot stands", "mute", "mute", "leave", "pass", "change", "start"]
    + ["options"] * 4
)
ASKED = st.tuples(st.sampled_from(KINDS), st.integers(0, 2), st.integers(0, SEATS - 1), st.integers(0, 20))


def logged(asked: list[tuple[str, int, int, int]]) -> list[Numbered]:
    """The log of a table at which this was asked; what is refused is not in it."""
    first = acts.opened(1, "BBBBBB", "karma", {}, e.Settings(seats=SEATS), "0", "Guest 0")
    log: list[e.Entry] = [first, *(e.Joined(at=1, by=i, person=str(i), name=f"Guest {i}") for i in (1, 2))]
    state = TableState()
    for entry in log:
        state.apply(entry)
    for n, (kind, guest, seat, page) in enumerate(asked, 1):
        by = state.host if kind in ("bot", "bot stands", "mute", "pass", "change", "options", "start") else guest
        try:
            made = act_of(kind, guest, seat)(state, by, n)
        except Refusal:
            continue
        if made is not None:
            values = {name: getattr(made, name) for name in made.__struct_fields__}
            numbered = type(made)(**{**values, "client": f"page {page}" if page else "", "n": n if page else 0})
            state.apply(numbered)
            log.append(numbered)
    return list(enumerate(log, 1))


def compacted(log: list[Numbered], before: int) -> list[Numbered]:
    found = compact(log, before)
    changed = dict(found.changed)
    assert not changed.keys() & set(found.gone)
    return [(seq, changed.get(seq, entry)) for seq, entry in log if seq not in found.gone]


def table_of(log: list[Numbered]) -> dict[str, Any]:
    *_, state = folding(log)
    shown = {
        each.name: getattr(state, each.name) for each in fields(TableState) if each.name not in ("current", "engines")
    }
    current = state.current
    return {
        **shown,
        "finished": len(state.finished),
        "handled": [list(guest.handled.items()) for guest in state.guests],
        "current": current and (current.number, current.who, current.bots, current.seats, current.quit, current.setup),
    }


@given(st.lists(ASKED, max_size=60), st.integers(0, 80))
def test_a_compacted_log_folds_to_the_same_table(asked: list[tuple[str, int, int, int]], before: int) -> None:
    log = logged(asked)
    shorter = compacted(log, before)
    assert table_of(shorter) == table_of(log)
    assert shorter[-1] == log[-1], "the last entry stays: the next number follows from it"
    assert table_of(compacted(shorter, before)) == table_of(log), "also when it is compacted again"


def test_sitting_and_standing_for_a_day_leaves_next_to_nothing() -> None:
    log = logged([("sit", 1, 2, 1), ("stand", 1, 0, 1)] * 1000 + [("start", 0, 0, 0)])
    assert len(log) > 2000
    assert len(compacted(log, 10**6)) < 10


def test_changing_options_for_a_day_leaves_next_to_nothing() -> None:
    log = logged([("options", guest, 0, 1) for guest in (1, 2)] * 1000 + [("start", 0, 0, 0)])
    assert len(log) > 2000
    shorter = compacted(log, 10_000)
    assert len(shorter) < 10
    assert table_of(shorter) == table_of(log)


def test_a_change_that_takes_a_seat_away_stays() -> None:
    fewer, more = ("change", 0, 0, 0), ("change", 0, 2, 0)
    log = logged([("sit", 1, 3, 0), fewer, more, ("mute", 1, 0, 0)])
    assert len(log) == 7
    assert table_of(compacted(log, 10_000)) == table_of(log), "the guest of the fourth seat stands"


def test_a_long_log_is_compacted_when_its_table_is_loaded_a_day_later(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, (_, bob) = await room.table("Ann", "Bob", seats=3)
        for _ in range(300):
            await session.submit(bob.guest, acts.stand)
            await session.submit(bob.guest, does(acts.sit, 2))
        store, now = room.lobby.store, room.clock.now()
        before = await store.entries(session.id)
        early = await load_state(store, session.id, now)
        assert await store.entries(session.id) == before, "another process may still have to read them"
        late = await load_state(store, session.id, now + 2 * loading.COMPACT_AFTER_MS)
        after = await store.entries(session.id)
        assert len(after) < 20
        again = await load_state(store, session.id, now)
        assert early.seats == late.seats == again.seats
        assert early.seq == again.seq == before[-1][0]
        await session.submit(bob.guest, acts.stand)
        assert (await store.entries(session.id))[-1][0] == before[-1][0] + 1, "the table goes on with its numbers"

    in_a_room(tmp_path, test)


def test_a_long_log_of_today_is_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(room: Room) -> None:
        session, (_, bob) = await room.table("Ann", "Bob", seats=3)
        for _ in range(loading.COMPACT_AT_LEAST // 2):
            await session.submit(bob.guest, acts.stand)
            await session.submit(bob.guest, does(acts.sit, 2))
        searched: list[int] = []

        def watched(log: list[Numbered], before: int) -> Compaction:
            searched.append(before)
            return compact(log, before)

        monkeypatch.setattr(loading, "compact", watched)
        store, now = room.lobby.store, room.clock.now()
        await load_state(store, session.id, now)
        assert not searched
        await load_state(store, session.id, now + loading.COMPACT_AFTER_MS + 1)
        assert searched

    in_a_room(tmp_path, test)


def test_a_long_log_is_folded_in_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "SLICE_S", -1.0)
    monkeypatch.setattr(loading, "PAGE", 7)

    async def test(room: Room) -> None:
        session, (_, bob) = await room.table("Ann", "Bob", seats=3)
        for _ in range(20):
            await session.submit(bob.guest, acts.stand)
            await session.submit(bob.guest, does(acts.sit, 2))
        turns = 0
        turns_before: list[int] = []

        def watched(log: list[Numbered], engines: Engines) -> Iterator[TableState]:
            for state in folding(log, engines):
                turns_before.append(turns)
                yield state

        monkeypatch.setattr(loading, "folding", watched)

        async def others() -> None:
            nonlocal turns
            while True:
                await asyncio.sleep(0)
                turns += 1

        other = asyncio.create_task(others())
        state = await load_state(room.lobby.store, session.id, room.clock.now())
        other.cancel()
        assert len(turns_before) > 40
        assert len(set(turns_before)) == len(turns_before), "somebody else had a turn after every entry"
        assert state.seats == session.state.seats

    in_a_room(tmp_path, test)


def test_what_changes_nothing_is_not_logged(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, (_, bob) = await room.table("Ann", "Bob")
        before = session.state.seq
        await session.submit(0, does(acts.change, None, session.state.settings))
        await session.submit(0, does(acts.mute, bob.guest, muted=False))
        await session.submit(bob.guest, does(acts.rename, "Bob"))
        await session.submit(bob.guest, acts.stand)
        after = session.state.seq
        await session.submit(bob.guest, does(acts.leave, stays=False))
        assert (before, after) == (after - 1, session.state.seq), "only Bob's standing up is logged"

    in_a_room(tmp_path, test)
