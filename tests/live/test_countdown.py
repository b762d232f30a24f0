"""Fair starts: everybody sees the countdown, anybody can stop it, and all are dealt their cards at the same moment."""

import asyncio
from pathlib import Path

import pytest

from tests.live.room import Room, does, in_a_room, until
from tests.live.test_cluster import process, shared_table
from tests.storage.postgres import EMPTY, postgresql, run_sql
from threefold.game import Refusal
from threefold.live import acts
from threefold.live import entries as e
from threefold.live.countdown import LATEST_MS
from threefold.live.session import Session
from threefold.live.state import fold

__all__ = ["postgresql"]
COUNTDOWN = 3_000


async def start(session: Session, guest: int = 0) -> None:
    await session.submit(guest, session.start)


def counts_down(session: Session) -> bool:
    return session.report()["countdown"] is not None and session.state.running is None


def test_the_host_starts_a_countdown_and_the_game_begins_at_its_end_with_one_entry(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob")
        await start(session)
        assert session.report()["countdown"] == {"by": 0, "starts": room.clock.now() + COUNTDOWN}
        await start(session)  # a second press changes nothing
        await room.clock.forward(COUNTDOWN - 1)
        assert counts_down(session)
        await room.clock.forward(1)
        await until(lambda: session.state.running is not None)
        assert session.report()["countdown"] is None
        bodies = [e.decode(body) for _, body in await session.store.entries(session.id)]
        assert sum(isinstance(entry, e.Started) for entry in bodies) == 1
        assert sum(isinstance(entry, e.Counting) for entry in bodies) == 1

    in_a_room(tmp_path, test, countdown_ms=COUNTDOWN)


def test_it_begins_by_itself_when_all_who_sit_are_ready_and_bots_always_are(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob", bots=("careful",))
        await session.set_ready(0, ready=True)
        assert not counts_down(session)
        await session.set_ready(1, ready=True)
        assert session.report()["countdown"]["by"] is None
        await room.clock.forward(COUNTDOWN)
        await until(lambda: session.state.running is not None)

    in_a_room(tmp_path, test, countdown_ms=COUNTDOWN)


def test_who_is_alone_still_waits_for_company_when_ready(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", seats=2)
        await session.set_ready(0, ready=True)
        assert session.state.running is None
        assert session.report()["ready"] == [0]

    in_a_room(tmp_path, test, countdown_ms=COUNTDOWN)


def test_anybody_with_a_seat_can_wait_and_others_cannot(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob", seats=3)
        watcher = await room.lobby.new_person("Wim")
        guest = (await session.attach(watcher.id, "Wim", "w", None)).guest
        await start(session)
        with pytest.raises(Refusal):
            await session.set_ready(guest, ready=False)
        assert counts_down(session)
        await session.set_ready(1, ready=False)
        await room.clock.forward(COUNTDOWN)
        assert session.report()["countdown"] is None
        assert session.state.running is None
        await session.set_ready(1, ready=False)  # there is nothing to stop any more

    in_a_room(tmp_path, test, countdown_ms=COUNTDOWN)


@pytest.mark.parametrize(
    ("guest", "act"),
    [
        (0, does(acts.bot_sits, 2, "careful")),
        (1, acts.stand),
        (1, does(acts.sit, 2)),
        (0, does(acts.change, {"edition": "mini_round"}, None)),
        (0, does(acts.remove, 1)),
        (1, does(acts.leave, stays=False)),
    ],
    ids=["a bot sits", "somebody stands", "somebody moves", "other rules", "somebody is removed", "somebody leaves"],
)
def test_other_players_or_other_rules_end_it(tmp_path: Path, guest: int, act: acts.Act) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob", seats=3)
        await start(session)
        await session.submit(guest, act)
        await room.clock.forward(COUNTDOWN)
        assert session.report()["countdown"] is None
        assert session.state.running is None

    in_a_room(tmp_path, test, countdown_ms=COUNTDOWN)


def test_who_joins_to_watch_or_reloads_does_not_end_it_and_sees_it(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.table("Ann", "Bob")
        await start(session)
        session.detach(subscribers[1])
        again = await session.attach(session.state.guests[1].person, "Bob", "page of Bob", None)
        update = session.audience.update_for(again, session.clock.now())
        assert update is not None
        assert update.table["countdown"]["starts"] == room.clock.now() + COUNTDOWN
        await room.clock.forward(COUNTDOWN)
        await until(lambda: session.state.running is not None)

    in_a_room(tmp_path, test, countdown_ms=COUNTDOWN)


def test_a_game_of_one_person_starts_at_once_with_bots_or_programs(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        with_bots, _ = await room.table("Ann", bots=("careful", "careful"))
        await start(with_bots)
        assert with_bots.state.running is not None
        with_program, _ = await room.table("Bob", seats=2)
        robot = await with_program.attach("program-1", "Robot", "r", None, program=True, made_by="bob")
        await with_program.submit(robot.guest, does(acts.sit, None))
        await start(with_program)
        assert with_program.state.running is not None

    in_a_room(tmp_path, test, countdown_ms=COUNTDOWN)


def test_it_survives_a_restart_and_one_that_was_missed_by_far_is_void(tmp_path: Path) -> None:
    async def begun(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob")
        codes.append(session.state.code)
        await start(session)

    async def continued(room: Room) -> None:
        session = await room.lobby.session(codes[0])
        assert session.state.counting is not None
        await room.clock.forward(COUNTDOWN)
        await until(lambda: session.state.running is not None)

    async def missed(room: Room) -> None:
        await room.clock.forward(COUNTDOWN + LATEST_MS + 1)
        session = await room.lobby.session(codes[1])
        await until(lambda: session.state.counting is None)
        assert session.state.running is None

    codes: list[str] = []
    for test in (begun, continued, begun, missed):
        in_a_room(tmp_path, test, countdown_ms=COUNTDOWN)


def test_without_a_countdown_everything_starts_at_once(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob")
        await start(session)
        assert session.state.running is not None
        assert fold(await session.store.entries(session.id)).counting is None

    in_a_room(tmp_path, test, countdown_ms=0)


def test_two_processes_count_together_and_deal_once(tmp_path: Path, postgresql: str) -> None:
    async def run() -> None:
        await run_sql(postgresql, *EMPTY)
        async with (
            process(tmp_path, postgresql, countdown_ms=300) as one,
            process(tmp_path, postgresql, countdown_ms=300) as two,
        ):
            here, there, _, b = await shared_table(one, two)
            await start(here)
            await until(lambda: there.state.counting is not None)
            await there.set_ready(b.guest, ready=False)
            await until(lambda: here.state.counting is None)
            assert here.state.running is None
            await start(here)
            await until(lambda: here.state.games == there.state.games == 1)
            assert here.state.seq == there.state.seq

    asyncio.run(run())
