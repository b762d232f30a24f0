"""What the clock does: absences, grace, turn clocks, pauses, hosts who are gone, bots alone, tables that expire."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.live.room import (
    HandClock,
    Room,
    awaited,
    does,
    in_a_room,
    move_of,
    set_up,
    settled,
    until,
    until_turn_of,
)
from threefold.game import Refusal
from threefold.live import acts
from threefold.live import entries as e
from threefold.live.lobby import DAY, UNLOAD_AFTER_MS
from threefold.live.session import Session


def test_others_see_who_is_away(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.table("Ann", "Bob")
        session.detach(subscribers[1])
        await room.clock.forward(5)
        shown = {each["guest"]: (each["here"], each["away_since"]) for each in session.report()["guests"]}
        assert shown[0] == (True, None)
        assert shown[1][0] is False
        update = session.audience.update_for(subscribers[0], session.clock.now())
        assert update is not None
        assert update.table["guests"][1]["here"] is False

    in_a_room(tmp_path, test)


def test_after_the_grace_period_a_bot_plays_for_who_is_away_until_they_are_back(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.playing("Ann", "Bob", grace_s=60)
        await set_up(session)
        await until_turn_of(session, 1)
        session.detach(subscribers[1])
        before = session.state.seq
        await room.clock.forward(59_000)
        assert session.state.seq == before, "the grace period is not over"
        await room.clock.forward(1_001)
        await until(lambda: session.state.seq > before)
        await session.attach(session.state.guests[1].person, "Bob", "back", None)
        await settled()
        await until_turn_of(session, 1)
        before = session.state.seq
        await room.clock.forward(120_000)
        assert session.state.seq == before, "who is back plays again"

    in_a_room(tmp_path, test)


def test_who_comes_back_before_the_bot_has_moved_plays_themselves(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.playing("Ann", "Bob", grace_s=10, pace="human")
        await set_up(session)
        await until_turn_of(session, 1)
        session.detach(subscribers[1])
        await room.clock.forward(10_001)
        before = session.state.seq
        await session.attach(session.state.guests[1].person, "Bob", "back", None)
        await room.clock.forward(60_000)
        await settled()
        assert session.state.seq == before

    in_a_room(tmp_path, test)


def test_a_bot_that_breaks_makes_a_legal_move_all_the_same(tmp_path: Path) -> None:
    class Broken:
        async def choose(self, *_: object) -> None:
            raise ZeroDivisionError

    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", bots=("careful",))
        session.bots = Broken()
        await session.submit(0, acts.start)
        before = session.state.seq
        await settled()
        await room.clock.forward(1_000)
        await until(lambda: session.state.seq > before)

    in_a_room(tmp_path, test)


def test_a_table_where_nobody_is_waits(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.playing("Ann", bots=("careful",), grace_s=1)
        await set_up(session)
        await until(lambda: awaited(session) == [0] or session.state.seq > 8)
        await until(lambda: 0 in awaited(session))
        await until_turn_of(session, 0)
        session.detach(subscribers[0])
        before = session.state.seq
        await room.clock.forward(500_000)
        assert session.state.seq == before, "closing the laptop loses nothing"

    in_a_room(tmp_path, test)


def test_grace_of_zero_means_never(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.playing("Ann", "Bob", grace_s=0)
        await set_up(session)
        await until_turn_of(session, 1)
        session.detach(subscribers[1])
        before = session.state.seq
        await room.clock.forward(3_600_000)
        assert session.state.seq == before

    in_a_room(tmp_path, test)


@pytest.mark.parametrize("seconds", [30, 60, 180])
def test_when_the_turn_clock_runs_out_a_careful_move_is_made(tmp_path: Path, seconds: int) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.playing("Ann", "Bob", turn_clock_s=seconds)
        await set_up(session)
        await until_turn_of(session, 0)
        update = session.audience.update_for(subscribers[0], session.clock.now())
        assert update is not None
        assert update.turn_ends == room.clock.now() + 1000 * seconds
        before = session.state.seq
        await room.clock.forward(1000 * seconds - 1)
        assert session.state.seq == before
        await room.clock.forward(1)
        await until(lambda: session.state.seq > before)
        rows = await room.lobby.store.entries(session.id, before)
        assert '"hand":"clock"' in rows[0][1]

    in_a_room(tmp_path, test)


def test_a_pause_stops_clocks_and_moves_and_any_player_ends_it(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob", turn_clock_s=30)
        await set_up(session)
        await room.clock.forward(10_000)
        await session.submit(1, acts.pause)
        assert session.report()["playing"]["paused"] == {"by": 1, "since": room.clock.now()}
        before = session.state.seq
        await room.clock.forward(500_000)
        assert session.state.seq == before
        player = awaited(session)[0]
        assert player is not None
        move = await move_of(session, player)
        for act, key in ((does(acts.move, move), "paused"), (acts.pause, "paused_already")):
            with pytest.raises(Refusal) as refused:
                await session.submit(player, act)
            assert refused.value.text.key == f"live.refusal.{key}"
        await session.submit(0, acts.resume)
        await room.clock.forward(19_000)
        assert session.state.seq == before + 1, "ten seconds had passed before the pause"
        await room.clock.forward(1_001)
        await until(lambda: session.state.seq > before + 1)

    in_a_room(tmp_path, test)


def test_pauses_are_counted(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob")
        for _ in range(acts.MOST_PAUSES):
            await session.submit(0, acts.pause)
            await session.submit(1, acts.resume)
        with pytest.raises(Refusal):
            await session.submit(0, acts.pause)
        with pytest.raises(Refusal):
            await session.submit(0, acts.resume)

    in_a_room(tmp_path, test)


def test_set_hides_its_layout_while_paused_and_its_time_stands_still(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.playing("Ann", "Bob", game="set", setup={"variant": "full"})
        await room.clock.forward(1000)
        await session.submit(0, does(acts.move, "call"))
        await session.submit(1, acts.pause)
        for subscriber in subscribers:
            update = session.audience.update_for(subscriber, session.clock.now())
            assert update is not None
            assert update.view is not None
            assert b"layout" not in update.view.replace(b'"layout":12', b"")
            assert update.events is None
        before = session.state.seq
        await room.clock.forward(60_000)
        assert session.state.seq == before, "the caller's time stands still"
        late = await session.attach(session.state.guests[0].person, "Ann", "again", 0)
        update = session.audience.update_for(late, session.clock.now())
        assert update is not None
        assert update.events is None
        await session.submit(1, acts.resume)
        await room.clock.forward(5_999)
        assert session.state.seq == before + 1
        await room.clock.forward(1)
        playing = session.state.current
        assert playing is not None
        await until(lambda: playing.game.view(playing.table, None)["points_lost"] == [1, 0])

    in_a_room(tmp_path, test)


def test_in_set_who_is_absent_is_away_and_does_not_block_agreement(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.playing("Ann", "Bob", "Cem", game="set", setup={"variant": "full"})
        session.detach(subscribers[2])
        await room.clock.forward(9_000)
        assert session.state.current is not None
        playing = session.state.current
        assert playing.game.view(playing.table, None)["away"] == []
        await room.clock.forward(1_001)
        await until(lambda: playing.game.view(playing.table, None)["away"] == [2])
        laid = len(playing.game.view(playing.table, None)["layout"])
        for guest in (0, 1):
            await session.submit(guest, does(acts.move, "agree"))
        assert len(playing.game.view(playing.table, None)["layout"]) == laid + 3
        await session.attach(session.state.guests[2].person, "Cem", "back", None)
        await until(lambda: playing.game.view(playing.table, None)["away"] == [])

    in_a_room(tmp_path, test)


def test_the_host_role_passes_on_when_the_host_is_gone(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.table("Ann", "Bob", "Cem")
        await session.submit(1, acts.stand)
        session.detach(subscribers[0])
        await room.clock.forward(59_999)
        assert session.state.host == 0
        await room.clock.forward(2)
        await until(lambda: session.state.host == 2)  # best somebody who sits

    in_a_room(tmp_path, test)


def test_bots_alone_play_at_once_and_under_a_turn_limit(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        ann = await room.lobby.new_person("Ann")
        fast = e.Settings(seats=2, pace="fast")
        session = await room.lobby.make(ann, "karma", {}, fast, bots=("random", "random"))
        await session.submit(0, acts.start)
        assert session.state.current is not None
        assert session.state.current.setup["options"]["turn_limit"] == acts.BOT_TURN_LIMIT
        before = session.state.seq
        await until(lambda: session.state.seq > before + 5)

    in_a_room(tmp_path, test)


def test_bots_take_their_time_unless_the_table_is_fast(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", bots=("random",), pace="human")
        await settled()
        before = session.state.seq
        await room.clock.forward(100)
        assert session.state.seq == before
        await room.clock.forward(60_000)
        await until(lambda: session.state.seq == before + 1)

    in_a_room(tmp_path, test)


def test_bots_that_are_asked_together_think_together(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", bots=("random", "random", "random"), pace="human")
        await settled()
        before = session.state.seq
        await room.clock.forward(60_000)
        await until(lambda: session.state.seq == before + 3)  # all three have chosen their face-up cards

    in_a_room(tmp_path, test)


def test_the_position_that_comes_again_and_again_is_pointed_out(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob")
        assert session.state.running is not None
        session.state.running.moves = 1000
        for _ in range(2):
            session._look_for_repetition()
            assert not session.report()["playing"]["repeated"]
        session._look_for_repetition()
        assert session.report()["playing"]["repeated"]

    in_a_room(tmp_path, test)


def test_a_table_that_is_made_or_closed_while_old_ones_are_looked_for_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(room: Room) -> None:
        old, _ = await room.table("Ann", "Abe")
        new: list[Session] = []
        still_open = room.lobby.store.still_open

        async def meanwhile(tables: Sequence[str]) -> set[str]:
            found = await still_open(tables)
            new.append((await room.table("Bob", "Bea"))[0])
            await room.lobby.close_by_operator(old.state.code, "")
            return found

        monkeypatch.setattr(room.lobby.store, "still_open", meanwhile)
        await room.lobby.tidy()
        (made,) = new
        assert room.lobby.sessions == {made.state.code: made}
        assert all(subscriber.closed is None for subscriber in made.audience.subscribers)

    in_a_room(tmp_path, test)


def test_idle_tables_rest_and_come_back_as_they_were_and_old_ones_are_forgotten(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.playing("Ann", "Bob")
        code, seq = session.state.code, session.state.seq
        for subscriber in subscribers:
            session.detach(subscriber)
        await settled()
        room.clock.time += UNLOAD_AFTER_MS
        await room.lobby.tidy()
        assert room.lobby.sessions == {}
        again = await room.lobby.session(code.lower())
        assert again.state.seq == seq
        now = room.clock.now()

        async def is_touched() -> bool:
            row = await room.lobby.store.table(code)
            return row is not None and row.touched >= now

        await until(is_touched, "for the tables' list to say when it was touched")
        room.clock.time += 31 * DAY
        again.idle_since = 0
        assert await room.lobby.tidy() == 1
        with pytest.raises(Refusal) as refused:
            await room.lobby.session(code)
        assert refused.value.text.key == "live.refusal.no_such_table"

    in_a_room(tmp_path, test, expire_days=30)


async def with_the_clock_set_back(room: Room, session: Session) -> Session:
    """The table after a restart, during which the machine's clock was set back by an hour. Everybody comes back."""
    for subscriber in list(session.audience.subscribers):
        session.detach(subscriber)
    await room.lobby._unload(session)
    room.clock.time -= 3_600_000
    again = await room.lobby.session(session.state.code)
    for guest in session.state.guests:
        await again.attach(guest.person, guest.name, "again", None)
    return again


def test_a_game_of_set_goes_on_after_the_clock_was_set_back(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob", game="set", setup={"options": {"call_ms": 3000}})
        await room.clock.forward(5_000)
        await session.submit(0, does(acts.move, "call"))
        session = await with_the_clock_set_back(room, session)
        running = session.state.running
        assert running is not None
        before = running.time(session.clock.now())
        assert before >= 5_000
        await room.clock.forward(3_001)
        assert running.time(session.clock.now()) == before + 3_001, "game time goes on from the last entry"
        await until(lambda: running.game.view(running.table, None)["control"] is None, "for the call to run out")
        rows = [e.decode(body) for _, body in await room.lobby.store.entries(session.id)]
        assert [each.at for each in rows] == sorted(each.at for each in rows)

    in_a_room(tmp_path, test)


def test_a_turn_clock_goes_on_after_the_clock_was_set_back(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob", turn_clock_s=30)
        await set_up(session)
        await room.clock.forward(1_000)
        session = await with_the_clock_set_back(room, session)
        before = session.state.seq
        await room.clock.forward(29_000)
        assert session.state.seq == before
        await room.clock.forward(1_001)
        await until(lambda: session.state.seq > before, "for the clock to move")

    in_a_room(tmp_path, test)


def test_processes_whose_clocks_differ_keep_the_order_of_the_log(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob")
        slow = HandClock()
        slow.time = room.clock.time - 5_000
        other = await Session.load(session.id, session.store, slow, session.bots)
        for here in (other, session, other):
            await here.mailbox.refresh()
            slow.time += 10
            room.clock.time += 10
            await here.submit(0, does(acts.pause if here.state.running.paused_at is None else acts.resume))  # type: ignore[union-attr]
        rows = [e.decode(body).at for _, body in await room.lobby.store.entries(session.id)]
        assert rows == sorted(rows)

    in_a_room(tmp_path, test)
