"""Players who are away: when a bot takes over, what the host can do about it, and games in which only bots are left."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.live.room import Room, awaited, does, in_a_room, set_up, settled, until, until_turn_of
from threefold.game import Refusal
from threefold.live import acts
from threefold.live import entries as e
from threefold.live.audience import Subscriber
from threefold.live.scheduler import HURRIED_THOUGHT_MS
from threefold.live.session import Session

ENDLESS = {"options": {"turn_limit": 400}}


def shown(session: Session, player: int) -> Any:
    return session.report()["playing"]["players"][player]["bot_from"]


async def refusal_of(asking: Callable[[], Any]) -> str:
    with pytest.raises(Refusal) as refused:
        await asking()
    return refused.value.text.key.removeprefix("live.refusal.")


async def entries_of(room: Room, session: Session) -> list[e.Entry]:
    return [e.decode(body) for _, body in await room.lobby.store.entries(session.id)]


# ---------------------------------------------------------------- When a bot takes over


def test_everybody_is_told_at_once_when_a_bot_takes_over_also_on_the_own_turn(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, (ann, bob) = await room.playing("Ann", "Bob", grace_s=42)
        watcher = await room.lobby.new_person("Zoe")
        zoe = await session.attach(watcher.id, "Zoe", "z", None)
        await set_up(session)
        await until_turn_of(session, 1)
        assert shown(session, 1) is None
        for each in (ann, zoe):
            session.audience.update_for(each, session.clock.now())
        session.detach(bob)
        for each in (ann, zoe):
            update = session.audience.update_for(each, session.clock.now())
            assert update is not None
            happened = update.table["playing"]["players"]
            assert [each["bot_from"] for each in happened] == [None, room.clock.now() + 42_000]
        await session.attach(session.state.guests[1].person, "Bob", "back", None)
        assert shown(session, 1) is None

    in_a_room(tmp_path, test)


@pytest.mark.parametrize(
    ("setup", "pauses", "leaves"),
    [
        pytest.param({"grace_s": 0}, False, False, id="grace of zero means never"),
        pytest.param({"grace_s": 42}, True, False, id="nothing happens during a pause"),
        pytest.param({"grace_s": 42}, False, True, id="a table where nobody is waits"),
        pytest.param({"grace_s": 42, "game": "set"}, False, False, id="SET goes on without them"),
    ],
)
def test_no_bot_is_announced_where_none_takes_over(tmp_path: Path, setup: Any, *, pauses: bool, leaves: bool) -> None:
    async def test(room: Room) -> None:
        session, (ann, bob) = await room.playing("Ann", "Bob", **setup)
        session.detach(bob)
        if pauses:
            await session.submit(0, acts.pause)
        if leaves:
            session.detach(ann)
        assert shown(session, 1) is None

    in_a_room(tmp_path, test)


# ---------------------------------------------------------------- The host lets a bot play


@pytest.mark.parametrize("grace_s", [0, 3600])
def test_the_host_lets_a_bot_play_at_once_until_the_player_is_back(tmp_path: Path, grace_s: int) -> None:
    async def test(room: Room) -> None:
        session, (_, bob) = await room.playing("Ann", "Bob", grace_s=grace_s, setup=ENDLESS)
        await set_up(session)
        await until_turn_of(session, 1)
        session.detach(bob)
        await room.clock.forward(1_000)
        before = session.state.seq
        await session.stand_in(0, 1)
        await until(lambda: session.state.seq > before + 1, "for the bot to move")
        assert shown(session, 1) == room.clock.now()
        logged = (await entries_of(room, session))[before]
        assert logged == e.StoodIn(at=room.clock.now(), by=0, guest=1)
        await session.stand_in(0, 1)  # a second time changes nothing
        assert sum(isinstance(each, e.StoodIn) for each in await entries_of(room, session)) == 1

        await room.clock.forward(1_000)
        back = await session.attach(session.state.guests[1].person, "Bob", "back", None)
        await settled()
        await until_turn_of(session, 1)
        before = session.state.seq
        await room.clock.forward(60_000)
        assert session.state.seq == before, "who is back plays again"
        session.detach(back)
        await room.clock.forward(60_000)
        assert session.state.seq == before, "what the host said was about the first time"

    in_a_room(tmp_path, test)


def test_a_host_who_watches_lets_a_bot_play_where_all_players_are_away(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, (_, bob, cem) = await room.playing("Ann", "Bob", "Cem", setup=ENDLESS, grace_s=5)
        await session.leave(0, stays=True)
        session.detach(bob)
        session.detach(cem)
        await room.clock.forward(10_000)
        before = session.state.seq
        await room.clock.forward(10_000)
        assert session.state.seq == before, "the game waits"
        await session.stand_in(0, 1)
        await until(lambda: session.state.seq > before + 1, "for the bot to move")

    in_a_room(tmp_path, test)


def test_only_the_host_can_and_only_for_players_who_are_away(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, (_, bob, _) = await room.table("Ann", "Bob", "Cem")
        assert await refusal_of(lambda: session.stand_in(0, 1)) == "no_game_runs"
        await session.submit(0, acts.start)
        assert await refusal_of(lambda: session.stand_in(0, 1)) == "guest_is_here"
        session.detach(bob)
        assert await refusal_of(lambda: session.stand_in(2, 1)) == "only_host"
        assert await refusal_of(lambda: session.stand_in(0, 9)) == "no_such_guest"
        await session.leave(1, stays=False)
        assert await refusal_of(lambda: session.stand_in(0, 1)) == "guest_does_not_play"

    in_a_room(tmp_path, test)


def test_in_a_game_against_time_no_bot_stands_in(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, (_, bob) = await room.playing("Ann", "Bob", game="set")
        session.detach(bob)
        assert await refusal_of(lambda: session.stand_in(0, 1)) == "no_stand_in"

    in_a_room(tmp_path, test)


# ---------------------------------------------------------------- Leaving


def test_when_the_host_leaves_somebody_else_is_host_at_once(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob", "Cem")
        await session.submit(1, acts.stand)
        await session.leave(0, stays=False)
        assert session.state.host == 2, "best somebody who sits"
        assert [seat.guest for seat in session.state.seats] == [None, None, 2]

    in_a_room(tmp_path, test)


def test_who_gives_up_against_bots_watches_the_rest_and_it_ends_when_they_go(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, (ann,) = await room.playing("Ann", bots=("random", "random"), pace="human")
        await session.leave(0, stays=True)
        before = session.state.seq
        for _ in range(5):
            await room.clock.forward(1_000)
        assert session.state.seq > before
        assert session.state.running is not None
        session.detach(ann)
        await room.clock.forward(9_999)
        assert session.state.running is not None, "a page that is being reloaded is not gone"
        await room.clock.forward(1)
        await until(lambda: session.state.running is None)
        assert session.report()["playing"]["ending"] is None

    in_a_room(tmp_path, test)


# ---------------------------------------------------------------- Only bots are left


def is_out(session: Session) -> bool:
    return session.state.running is not None and 0 in acts.players_out(session.state, session.state.running)


async def time_passes_until(room: Room, condition: Callable[[], bool]) -> None:
    """Moves the clock on, so that bots make their moves, until a condition holds."""
    for _ in range(2_000):
        if condition():
            return
        await room.clock.forward(1_000)
    raise AssertionError("2,000 seconds passed in vain")


async def until_out(room: Room, session: Session) -> None:
    """Ann plays on until she has no cards left, or the game is over."""

    def is_over_for_ann_or_her_turn() -> bool:
        return session.state.running is None or is_out(session) or 0 in awaited(session)

    while session.state.running is not None and not is_out(session):
        await time_passes_until(room, is_over_for_ann_or_her_turn)
        if 0 in awaited(session):
            await session.submit(0, does(acts.move, await good_move(session)))


async def good_move(session: Session) -> str:
    running = session.state.running
    assert running is not None
    choice = await session.bots.choose(session.state.kit, "sharp", running.game.view(running.table, 0))
    assert choice is not None
    return choice.move


async def out_against_bots(room: Room) -> tuple[Session, Subscriber]:
    """Ann has no cards left; the bots, who play badly, still do. She plays until she has not lost."""
    setup = {"edition": "mini_round"}
    session, (ann,) = await room.table("Ann", bots=("random", "random", "random"), setup=setup, pace="human")
    while session.state.running is None:
        await session.submit(0, acts.start)
        await until_out(room, session)
    return session, ann


def test_a_person_who_was_in_the_game_skips_to_the_end_by_real_moves_that_the_log_has(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", bots=("random", "random"), pace="human", setup=ENDLESS)
        assert await refusal_of(lambda: session.submit(0, acts.skip)) == "people_play"
        watcher = await room.lobby.new_person("Zoe")
        zoe = await session.attach(watcher.id, "Zoe", "z", None)
        await session.leave(0, stays=True)
        assert await refusal_of(lambda: session.submit(zoe.guest, acts.skip)) == "was_not_in_game"
        await settled()
        before = session.state.seq
        await asyncio.gather(session.submit(0, acts.skip), session.submit(0, acts.skip))  # the second changes nothing
        await until(lambda: session.state.running is None, "for the game to be over")
        assert session.state.current is not None
        assert session.state.current.ending is not None
        entries = (await entries_of(room, session))[before:]
        assert isinstance(entries[0], e.Skipped)
        assert all(isinstance(each, e.Moved) and each.hand == "bot" for each in entries[1:])
        assert len(entries) > 10

    in_a_room(tmp_path, test)


def test_bots_hurry_where_no_person_is_left(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", bots=("random", "random"), pace="human", setup=ENDLESS)
        await session.leave(0, stays=True)
        await room.clock.forward(60_000)  # what was planned before
        await until(lambda: session.state.running is not None and session.state.running.moves > 0)
        for _ in range(5):
            await settled()
            before = session.state.seq
            await room.clock.forward(HURRIED_THOUGHT_MS)
            await until(lambda: session.state.seq == before + 1)  # noqa: B023 (waited for at once)

    in_a_room(tmp_path, test)


def test_who_is_out_can_skip_to_the_end(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await out_against_bots(room)
        await session.submit(0, acts.skip)
        await until(lambda: session.state.running is None, "for the bots to finish")
        assert session.report()["playing"]["players"][0]["result"] == "won"

    in_a_room(tmp_path, test)


@pytest.mark.slow
def test_who_is_out_and_leaves_keeps_the_win(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, ann = await out_against_bots(room)
        assert await refusal_of(lambda: session.leave(0, stays=True)) == "has_finished"
        await session.leave(0, stays=False)
        session.detach(ann)
        await time_passes_until(room, lambda: session.state.running is None)
        assert session.report()["playing"]["players"][0]["result"] == "won"
        assert [seat.guest for seat in session.state.seats] == [None, None, None, None]

    in_a_room(tmp_path, test)
