"""Several processes on one PostgreSQL, here as several lobbies: what one writes and who is there, the others know."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.live.room import does, until
from tests.storage.postgres import EMPTY, postgresql, run_sql
from threefold.live import acts, cluster, scheduler
from threefold.live import notices as n
from threefold.live.audience import Subscriber
from threefold.live.entries import Abandoned, Settings
from threefold.live.lobby import Lobby
from threefold.live.notices import Remark
from threefold.live.session import Session
from threefold.live.store import BanRow, PersonRow
from threefold.web.lifespan import open_server
from threefold.web.server import Server
from threefold.web.settings import ServerSettings

__all__ = ["postgresql"]
Json = Any


def lost(_: list[str]) -> None:
    """What is sent this way reaches nobody."""


@asynccontextmanager
async def process(path: Path, address: str, **overrides: Any) -> AsyncIterator[Server]:
    settings = {"countdown_ms": 0, **overrides}
    async with open_server(ServerSettings(data_dir=path, database=address, **settings)) as server:
        yield server


def with_processes(path: Path, address: str, test: Callable[[Server, Server], Awaitable[None]]) -> None:
    async def run() -> None:
        await run_sql(address, *EMPTY)
        async with process(path, address) as one, process(path, address) as two:
            await test(one, two)

    asyncio.run(run())


async def shared_table(one: Server, two: Server, **more: Any) -> tuple[Session, Session, Subscriber, Subscriber]:
    """A table with Ann in the first process and Bob in the second, both seated."""
    ann, bob = await one.lobby.new_person("Ann"), await two.lobby.new_person("Bob")
    settings = Settings(**{"seats": 2, "pace": "fast", "grace_s": 1, **more})
    here = await one.lobby.make(ann, "karma", {"edition": "mini_round", "options": {"turn_limit": 40}}, settings)
    there = await two.lobby.session(here.state.code)
    a = await here.attach(ann.id, "Ann", "a", None)
    b = await there.attach(bob.id, "Bob", "b", None)
    await two.lobby.store.visit(bob.id, there.id)
    await there.submit(b.guest, does(acts.sit, None))
    await until(lambda: here.state.seq == there.state.seq)
    return here, there, a, b


def test_what_one_process_writes_the_other_knows_by_notices_and_who_is_there_too(
    tmp_path: Path, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "POLL_S", 3600.0)

    async def test(one: Server, two: Server) -> None:
        here, there, _, b = await shared_table(one, two)
        await until(lambda: here.presence.here == there.presence.here == {0, 1})
        await here.submit(0, acts.start)
        await until(lambda: there.state.running is not None)
        there.detach(b)
        await until(lambda: here.presence.here == {0})
        assert here.presence.absent_since(1) is not None
        assert abs(here.presence.since[1] - there.presence.since[1]) < 5_000
        assert there.stands_back

    with_processes(tmp_path, postgresql, test)


def test_lost_notices_are_healed(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Server, two: Server) -> None:
        here, there, *_ = await shared_table(one, two)
        assert one.cluster is not None
        assert two.cluster is not None
        one.cluster.bus.send = lost  # type: ignore[method-assign,assignment]
        await here.submit(0, acts.start)
        await until(lambda: there.state.seq == here.state.seq)
        await until(lambda: two.cluster is not None and two.cluster.counts.caught_up >= 1)

    with_processes(tmp_path, postgresql, test)


def test_a_table_that_cannot_be_read_does_not_hold_up_the_others(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Server, two: Server) -> None:
        tables = [await shared_table(one, two) for _ in range(3)]
        assert one.cluster is not None
        one.cluster.bus.send = lost  # type: ignore[method-assign,assignment]
        never: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def refresh() -> int:
            return await never

        tables[0][1].mailbox.refresh = refresh  # type: ignore[method-assign]
        for here, *_ in tables:
            await here.submit(0, acts.start)
        for here, there, *_ in tables[1:]:
            await until(lambda here=here, there=there: there.state.seq == here.state.seq)  # type: ignore[misc]
        assert two.cluster is not None
        healed = two.cluster.counts.caught_up
        here, there, *_ = tables[1]
        await here.by_table(lambda _, at: Abandoned(at=at, reason="nobody_left"))
        await until(lambda: there.state.running is None)
        assert two.cluster.counts.caught_up > healed, "and polling goes on"
        never.set_result(0)

    with_processes(tmp_path, postgresql, test)


def test_who_comes_from_another_process_is_told_nothing_old_and_nothing_twice(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Server, two: Server) -> None:
        here, there, a, _ = await shared_table(one, two)
        await here.submit(0, acts.start)
        await until(lambda: there.state.seq == here.state.seq)
        assert one.cluster is not None
        one.cluster.bus.send = lost  # type: ignore[method-assign,assignment]
        playing = here.state.running
        assert playing is not None
        await here.submit(0, does(acts.move, playing.game.decisions(playing.table)[0].moves[0]))
        assert there.state.seq < here.state.seq
        here.detach(a)
        subscriber = await there.attach(here.state.guests[0].person, "Ann", "a", here.state.seq)
        assert there.state.seq == subscriber.seen == here.state.seq
        update = there.audience.update_for(subscriber, there.clock.now())
        assert update is not None
        assert (update.seq, update.events) == (here.state.seq, [])

    with_processes(tmp_path, postgresql, test)


def test_presence_that_was_missed_is_asked_for(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Server, two: Server) -> None:
        here, there, a, _ = await shared_table(one, two)
        assert one.cluster is not None
        assert two.cluster is not None
        await until(lambda: there.presence.here == {0, 1})
        sent = one.cluster.counts.sent
        send, one.cluster.bus.send = one.cluster.bus.send, lost  # type: ignore[method-assign,assignment]
        here.detach(a)
        await until(lambda: one.cluster is not None and one.cluster.counts.sent > sent)
        one.cluster.bus.send = send  # type: ignore[method-assign]
        assert there.presence.here == {0, 1}
        await until(lambda: there.presence.here == {1})

    with_processes(tmp_path, postgresql, test)


def test_the_host_lets_a_bot_play_for_somebody_who_was_connected_to_another_process(
    tmp_path: Path, postgresql: str
) -> None:
    async def test(one: Server, two: Server) -> None:
        here, there, _, b = await shared_table(one, two, grace_s=0)
        await here.submit(0, acts.start)
        await until(lambda: there.state.running is not None)
        there.detach(b)
        await until(lambda: here.presence.here == {0})
        playing = here.state.running
        assert playing is not None
        before = playing.moves
        await here.stand_in(0, 1)
        await until(lambda: playing.moves > before, "for the bot to move")
        await until(lambda: there.state.seq == here.state.seq)
        shown = [each.report()["playing"]["players"][1]["bot_from"] for each in (here, there)]
        assert shown[0] is not None
        assert shown[0] == shown[1]
        again = await there.attach(here.state.guests[1].person, "Bob", "again", None)
        await until(lambda: here.presence.here == {0, 1})
        assert again.guest == 1
        assert here.report()["playing"]["players"][1]["bot_from"] is None

    with_processes(tmp_path, postgresql, test)


def test_when_all_are_ready_in_different_processes_one_rematch_begins(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Server, two: Server) -> None:
        here, there, _, b = await shared_table(one, two)
        await here.submit(0, acts.start)
        await until(lambda: there.state.running is not None)
        await there.leave(b.guest, stays=True, subscriber=b, n=1)
        await here.leave(0, stays=True)
        await until(lambda: here.state.running is None and there.state.running is None)
        for session, guest in ((here, 0), (there, 1)):
            await session.submit(guest, does(acts.sit, None))
        await until(lambda: here.state.seq == there.state.seq)
        await there.set_ready(1, ready=True)
        await until(lambda: here.presence.ready == {1})
        await there.set_ready(1, ready=False)
        await until(lambda: here.presence.ready == set())
        await asyncio.gather(here.set_ready(0, ready=True), there.set_ready(1, ready=True))
        await until(lambda: here.state.games == there.state.games == 2)
        await there.submit(1, acts.pause)  # whatever was begun before is in the log before this
        await until(lambda: here.state.seq == there.state.seq)
        assert here.state.games == there.state.games == 2
        assert here.presence.ready == there.presence.ready == set()

    with_processes(tmp_path, postgresql, test)


def test_words_reach_every_process(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Server, two: Server) -> None:
        here, there, a, b = await shared_table(one, two)
        await until(lambda: here.presence.here == {0, 1})
        here.announce(Remark(guest=0, sort="phrase", what="hello", at=1))
        await until(lambda: b.notes)
        assert list(b.notes) == list(a.notes) == [Remark(guest=0, sort="phrase", what="hello", at=1)]
        assert there.state.seq == here.state.seq, "words are not kept"

    with_processes(tmp_path, postgresql, test)


def test_only_one_process_lets_bots_play_while_both_live(
    tmp_path: Path, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "BACK_UP_MS", 3_600_000)  # on a busy machine the other would step in

    async def test(one: Server, two: Server) -> None:
        asked = {"one": 0, "two": 0}

        def counting(lobby: Lobby, name: str) -> None:
            choose = lobby.bots.choose

            async def counted(*overrides: Any) -> Any:
                asked[name] += 1
                return await choose(*overrides)

            lobby.bots.choose = counted  # type: ignore[method-assign,assignment]

        counting(one.lobby, "one")
        counting(two.lobby, "two")
        here, there, *_ = await shared_table(one, two, seats=4)
        for _ in range(2):
            await here.submit(0, does(acts.bot_sits, None, "careful"))
        await until(lambda: there.presence.here == {0, 1} and here.presence.here == {0, 1})
        assert (here.stands_back, there.stands_back) == (False, True)
        await here.submit(0, acts.start)
        await until(lambda: here.state.current is not None and here.state.current.moves >= 2)
        await until(lambda: there.state.seq == here.state.seq)
        assert asked["one"] >= 2
        assert asked["two"] == 0

    with_processes(tmp_path, postgresql, test)


def test_a_removed_person_is_hung_up_wherever_they_are(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Server, two: Server) -> None:
        here, _, _, b = await shared_table(one, two)
        await here.remove(0, 1)
        await until(lambda: b.closed == "removed")

    with_processes(tmp_path, postgresql, test)


def test_a_ban_holds_in_every_process_at_once_and_cuts_lines(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Server, two: Server) -> None:
        here, there, a, b = await shared_table(one, two)
        for server, session, subscriber, address in ((one, here, a, "192.0.2.1"), (two, there, b, "192.0.2.2")):
            server.subscribers[subscriber] = session, session.state.guests[subscriber.guest].person, address
        person = there.state.guests[1].person
        await one.store.add_ban(BanRow("b1", person, None, "Bob", "Be kind.", 1, None, addresses_too=True))
        assert one.cluster is not None
        one.cluster.bans_changed()
        await until(lambda: b.closed == "banned")
        assert (b.closed_words, a.closed) == ("Be kind.", None)
        await until(lambda: "192.0.2.2" in one.bans.addresses)
        assert set(one.bans.addresses) == {"192.0.2.2"}, "of the banned person alone"
        for subscriber, server in ((a, one), (b, two)):
            del server.subscribers[subscriber]

    with_processes(tmp_path, postgresql, test)


def test_a_closed_table_is_closed_in_every_process(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Server, two: Server) -> None:
        here, there, _, b = await shared_table(one, two)
        await one.lobby.close_table(here, 0)
        await until(lambda: b.closed == "closed")
        assert await two.lobby.find(there.state.code) is None
        await two.lobby.tidy()
        assert there.id not in two.lobby.by_id
        row = await two.lobby.store.table(there.state.code)
        assert row is not None
        assert row.closed

    with_processes(tmp_path, postgresql, test)


def test_a_forgotten_person_is_nobody_in_every_process_and_play_goes_on(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Server, two: Server) -> None:
        here, there, a, b = await shared_table(one, two)
        await here.submit(0, acts.start)
        await until(lambda: there.state.running is not None)
        person = await one.lobby.store.person(there.state.guests[1].person)
        assert person is not None
        await one.lobby.forget(person)
        await until(lambda: b.closed == "forgotten")
        for session in (here, there):
            assert (session.state.guests[1].name, session.state.guests[1].person) == ("–", "")
        bodies = " ".join(body for _, body in await one.lobby.store.entries(here.id))
        assert person.id not in bodies
        assert "Bob" not in bodies
        assert a.closed is None
        await until(lambda: here.state.running is not None and here.state.running.by_bot(1))

    with_processes(tmp_path, postgresql, test)


def test_a_new_name_is_shown_where_the_person_plays_whichever_process_was_told(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Server, two: Server) -> None:
        bob = await two.lobby.new_person("Bob")
        there = await two.lobby.make(bob, "karma", {}, Settings())
        await until(lambda: one.lobby.peers is not None and one.lobby.peers.has_elsewhere(there.id))
        await one.lobby.rename(PersonRow(bob.id, "Bob", 0, 0), "Robert")
        await until(lambda: there.state.guests[0].name == "Robert")

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
                await until(lambda: stays.cluster is not None and stays.cluster.has_elsewhere(made.id))
                await until(lambda: made.state.current is not None and made.state.current.moves > 0)
                assert made.id not in stays.lobby.by_id
            await until(lambda: made.id in stays.lobby.by_id)
            seq = made.state.seq
            await until(lambda: stays.lobby.by_id[made.id].state.seq > seq)

    asyncio.run(run())


def test_a_process_that_says_nothing_any_more_has_nobody(
    tmp_path: Path, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "SILENT_S", 1.5)

    async def test(one: Server, two: Server) -> None:
        here, *_ = await shared_table(one, two)
        assert two.cluster is not None
        await until(lambda: here.presence.here == {0, 1})
        two.cluster.bus.send = lost  # type: ignore[method-assign,assignment]
        await until(lambda: here.presence.here == {0})
        assert one.cluster is not None
        assert not one.cluster.peers

    with_processes(tmp_path, postgresql, test)


def test_many_notices_go_in_few_payloads_that_postgresql_takes() -> None:
    here: dict[int, int | None] = dict.fromkeys(range(20), 100)
    happened = [
        n.TablePresence(f"table-{i}", i, connected=True, loaded=1, games=1, here=here, ready=(1, 2)) for i in range(300)
    ]
    payloads = n.payloads("me", happened)
    assert all(len(each.encode()) <= n.LARGEST for each in payloads)
    assert len(payloads) < 12
    assert [notice for each in payloads for notice in (n.decode(each) or ("", []))[1]] == happened
    assert n.decode('["x",[["from another version"]]]') is None
