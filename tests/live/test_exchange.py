"""Several processes on one PostgreSQL, here as several lobbies: what one writes and who is there, the others know."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.live.room import does, until
from tests.storage.postgres import EMPTY, postgresql, run_sql
from threefold.live import acts, exchange, keeper
from threefold.live import notices as n
from threefold.live.entries import Settings
from threefold.live.lobby import Lobby
from threefold.live.session import Session
from threefold.live.store import BanRow, PersonRow
from threefold.live.telling import Line
from threefold.web.hall import Hall
from threefold.web.opening import opened
from threefold.web.settings import ServerSettings

__all__ = ["postgresql"]
Json = Any


def lost(_: list[str]) -> None:
    """What is sent this way reaches nobody."""


@asynccontextmanager
async def process(path: Path, address: str) -> AsyncIterator[Hall]:
    async with opened(ServerSettings(data_dir=path, database=address)) as hall:
        yield hall


def with_processes(path: Path, address: str, test: Callable[[Hall, Hall], Awaitable[None]]) -> None:
    async def run() -> None:
        await run_sql(address, *EMPTY)
        async with process(path, address) as one, process(path, address) as two:
            await test(one, two)

    asyncio.run(run())


async def shared_table(one: Hall, two: Hall, **more: Any) -> tuple[Session, Session, Line, Line]:
    """A table with Ann in the first process and Bob in the second, both seated."""
    ann, bob = await one.lobby.new_person("Ann"), await two.lobby.new_person("Bob")
    settings = Settings(**{"seats": 2, "pace": "fast", "grace_s": 1, **more})
    here = await one.lobby.make(ann, "karma", {"edition": "mini_round", "options": {"turn_limit": 40}}, settings)
    there = await two.lobby.session(here.sitting.code)
    a = await here.attach(ann.id, "Ann", "a", None)
    b = await there.attach(bob.id, "Bob", "b", None)
    await two.lobby.store.visit(bob.id, there.id)
    await there.submit(b.guest, does(acts.sit, None))
    await until(lambda: here.sitting.seq == there.sitting.seq)
    return here, there, a, b


def test_what_one_process_writes_the_other_knows_by_notices_and_who_is_there_too(
    tmp_path: Path, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "POLL_S", 3600.0)

    async def test(one: Hall, two: Hall) -> None:
        here, there, _, b = await shared_table(one, two)
        await until(lambda: here.presence.here == there.presence.here == {0, 1})
        await here.submit(0, acts.start)
        await until(lambda: there.sitting.running is not None)
        there.detach(b)
        await until(lambda: here.presence.here == {0})
        assert here.presence.absent_since(1) is not None
        assert abs(here.presence.since[1] - there.presence.since[1]) < 5_000
        assert there.stands_back

    with_processes(tmp_path, postgresql, test)


def test_lost_notices_are_healed(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Hall, two: Hall) -> None:
        here, there, *_ = await shared_table(one, two)
        assert one.exchange is not None
        assert two.exchange is not None
        one.exchange.wire.send = lost  # type: ignore[method-assign,assignment]
        await here.submit(0, acts.start)
        await until(lambda: there.sitting.seq == here.sitting.seq)
        assert two.exchange.counts.healed >= 1

    with_processes(tmp_path, postgresql, test)


def test_who_comes_from_another_process_is_told_nothing_old_and_nothing_twice(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Hall, two: Hall) -> None:
        here, there, a, _ = await shared_table(one, two)
        await here.submit(0, acts.start)
        await until(lambda: there.sitting.seq == here.sitting.seq)
        assert one.exchange is not None
        one.exchange.wire.send = lost  # type: ignore[method-assign,assignment]
        playing = here.sitting.running
        assert playing is not None
        await here.submit(0, does(acts.move, playing.game.decisions(playing.table)[0].moves[0]))
        assert there.sitting.seq < here.sitting.seq
        here.detach(a)
        line = await there.attach(here.sitting.guests[0].person, "Ann", "a", here.sitting.seq)
        assert there.sitting.seq == line.seen == here.sitting.seq
        update = there.update(line)
        assert update is not None
        assert (update.seq, update.events) == (here.sitting.seq, [])

    with_processes(tmp_path, postgresql, test)


def test_presence_that_was_missed_is_asked_for(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Hall, two: Hall) -> None:
        here, there, a, _ = await shared_table(one, two)
        assert one.exchange is not None
        assert two.exchange is not None
        await until(lambda: there.presence.here == {0, 1})
        sent = one.exchange.counts.sent
        send, one.exchange.wire.send = one.exchange.wire.send, lost  # type: ignore[method-assign,assignment]
        here.detach(a)
        await until(lambda: one.exchange is not None and one.exchange.counts.sent > sent)
        one.exchange.wire.send = send  # type: ignore[method-assign]
        assert there.presence.here == {0, 1}
        await until(lambda: there.presence.here == {1})

    with_processes(tmp_path, postgresql, test)


def test_when_all_are_ready_in_different_processes_one_rematch_begins(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Hall, two: Hall) -> None:
        here, there, _, b = await shared_table(one, two)
        await here.submit(0, acts.start)
        await until(lambda: there.sitting.running is not None)
        await there.leave(b.guest, b, 1, stays=True)
        await here.leave(0, None, 0, stays=True)
        await until(lambda: here.sitting.running is None and there.sitting.running is None)
        for session, guest in ((here, 0), (there, 1)):
            await session.submit(guest, does(acts.sit, None))
        await until(lambda: here.sitting.seq == there.sitting.seq)
        await there.set_ready(1, ready=True)
        await until(lambda: here.ready == {1})
        await there.set_ready(1, ready=False)
        await until(lambda: here.ready == set())
        await asyncio.gather(here.set_ready(0, ready=True), there.set_ready(1, ready=True))
        await until(lambda: here.sitting.games == there.sitting.games == 2)
        await there.submit(1, acts.pause)  # whatever was begun before is in the log before this
        await until(lambda: here.sitting.seq == there.sitting.seq)
        assert here.sitting.games == there.sitting.games == 2
        assert here.ready == there.ready == set()

    with_processes(tmp_path, postgresql, test)


def test_words_reach_every_process(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Hall, two: Hall) -> None:
        here, there, a, b = await shared_table(one, two)
        await until(lambda: here.presence.here == {0, 1})
        here.say({"is": "said", "guest": 0, "sort": "phrase", "what": "hello", "at": 1})
        await until(lambda: b.notes)
        assert (
            list(b.notes) == list(a.notes) == [{"is": "said", "guest": 0, "sort": "phrase", "what": "hello", "at": 1}]
        )
        assert there.sitting.seq == here.sitting.seq, "words are not kept"

    with_processes(tmp_path, postgresql, test)


def test_only_one_process_lets_bots_play_while_both_live(
    tmp_path: Path, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "BACK_UP_MS", 3_600_000)  # on a busy machine the other would step in

    async def test(one: Hall, two: Hall) -> None:
        asked = {"one": 0, "two": 0}

        def counting(lobby: Lobby, name: str) -> None:
            think = lobby.thinker.think

            async def counted(*given: Any) -> Any:
                asked[name] += 1
                return await think(*given)

            lobby.thinker.think = counted  # type: ignore[method-assign,assignment]

        counting(one.lobby, "one")
        counting(two.lobby, "two")
        here, there, *_ = await shared_table(one, two, seats=4)
        for _ in range(2):
            await here.submit(0, does(acts.bot_sits, None, "careful"))
        await until(lambda: there.presence.here == {0, 1} and here.presence.here == {0, 1})
        assert (here.stands_back, there.stands_back) == (False, True)
        await here.submit(0, acts.start)
        await until(lambda: here.sitting.playing is not None and here.sitting.playing.moves >= 2)
        await until(lambda: there.sitting.seq == here.sitting.seq)
        assert asked["one"] >= 2
        assert asked["two"] == 0

    with_processes(tmp_path, postgresql, test)


def test_a_removed_person_is_hung_up_wherever_they_are(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Hall, two: Hall) -> None:
        here, _, _, b = await shared_table(one, two)
        await here.remove(0, 1, None, 0)
        await until(lambda: b.closed == "removed")

    with_processes(tmp_path, postgresql, test)


def test_a_ban_holds_in_every_process_at_once_and_cuts_lines(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Hall, two: Hall) -> None:
        here, there, a, b = await shared_table(one, two)
        for hall, session, line, address in ((one, here, a, "192.0.2.1"), (two, there, b, "192.0.2.2")):
            hall.lines[line] = session, session.sitting.guests[line.guest].person, address
        person = there.sitting.guests[1].person
        await one.store.add_ban(BanRow("b1", person, None, "Bob", "Be kind.", 1, None, addresses_too=True))
        assert one.exchange is not None
        one.exchange.bans_changed()
        await until(lambda: b.closed == "banned")
        assert (b.words, a.closed) == ("Be kind.", None)
        await until(lambda: "192.0.2.2" in one.bans.addresses)
        assert set(one.bans.addresses) == {"192.0.2.2"}, "of the banned person alone"
        for line, hall in ((a, one), (b, two)):
            del hall.lines[line]

    with_processes(tmp_path, postgresql, test)


def test_a_closed_table_is_closed_in_every_process(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Hall, two: Hall) -> None:
        here, there, _, b = await shared_table(one, two)
        await one.lobby.close_table(here, 0)
        await until(lambda: b.closed == "closed")
        assert await two.lobby.find(there.sitting.code) is None
        await two.lobby.tidy()
        assert there.id not in two.lobby.by_id
        row = await two.lobby.store.table(there.sitting.code)
        assert row is not None
        assert row.closed

    with_processes(tmp_path, postgresql, test)


def test_a_forgotten_person_is_nobody_in_every_process_and_play_goes_on(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Hall, two: Hall) -> None:
        here, there, a, b = await shared_table(one, two)
        await here.submit(0, acts.start)
        await until(lambda: there.sitting.running is not None)
        person = await one.lobby.store.person(there.sitting.guests[1].person)
        assert person is not None
        await one.lobby.forget(person)
        await until(lambda: b.closed == "forgotten")
        for session in (here, there):
            assert (session.sitting.guests[1].name, session.sitting.guests[1].person) == ("–", "")
        bodies = " ".join(body for _, body in await one.lobby.store.entries(here.id))
        assert person.id not in bodies
        assert "Bob" not in bodies
        assert a.closed is None
        await until(lambda: here.sitting.running is not None and here.sitting.running.by_bot(1))

    with_processes(tmp_path, postgresql, test)


def test_a_new_name_is_shown_where_the_person_plays_whichever_process_was_told(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Hall, two: Hall) -> None:
        bob = await two.lobby.new_person("Bob")
        there = await two.lobby.make(bob, "karma", {}, Settings())
        await until(lambda: one.lobby.neighbours is not None and one.lobby.neighbours.somewhere(there.id))
        await one.lobby.rename(PersonRow(bob.id, "Bob", 0, 0), "Robert")
        await until(lambda: there.sitting.guests[0].name == "Robert")

    with_processes(tmp_path, postgresql, test)


def test_a_process_that_goes_hands_its_games_over(tmp_path: Path, postgresql: str) -> None:
    """A game of bots alone runs in one process; when that goes, another lets it go on."""

    async def run() -> None:
        await run_sql(postgresql, *EMPTY)
        async with process(tmp_path, postgresql) as stays:
            async with AsyncExitStack() as stack:
                goes = await stack.enter_async_context(process(tmp_path, postgresql))
                ann = await goes.lobby.new_person("Ann")
                made = await goes.lobby.make(
                    ann, "karma", {}, Settings(seats=2), bots=("careful", "careful"), start=True
                )
                await until(lambda: stays.exchange is not None and stays.exchange.somewhere(made.id))
                await until(lambda: made.sitting.playing is not None and made.sitting.playing.moves > 0)
                assert made.id not in stays.lobby.by_id
            await until(lambda: made.id in stays.lobby.by_id)
            seq = made.sitting.seq
            await until(lambda: stays.lobby.by_id[made.id].sitting.seq > seq)

    asyncio.run(run())


def test_a_process_that_says_nothing_any_more_has_nobody(
    tmp_path: Path, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "SILENT_S", 1.5)

    async def test(one: Hall, two: Hall) -> None:
        here, *_ = await shared_table(one, two)
        assert two.exchange is not None
        await until(lambda: here.presence.here == {0, 1})
        two.exchange.wire.send = lost  # type: ignore[method-assign,assignment]
        await until(lambda: here.presence.here == {0})
        assert one.exchange is not None
        assert not one.exchange.peers

    with_processes(tmp_path, postgresql, test)


def test_many_notices_go_in_few_payloads_that_postgresql_takes() -> None:
    told = [
        n.At(f"table-{i}", i, lines=True, loaded=1, games=1, here=dict.fromkeys(range(20), 100), ready=(1, 2))
        for i in range(300)
    ]
    payloads = n.packed("me", told)
    assert all(len(each.encode()) <= n.LARGEST for each in payloads)
    assert len(payloads) < 12
    assert [notice for each in payloads for notice in (n.unpacked(each) or ("", []))[1]] == told
    assert n.unpacked('["x",[["from another version"]]]') is None
