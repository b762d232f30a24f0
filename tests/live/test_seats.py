"""Seats, the host's powers, names; leaving without breaking the game; rematches and scores."""

import re
from pathlib import Path

import pytest

from tests.live.room import Room, does, in_a_room, move_of, set_up, until
from threefold.game import Refusal
from threefold.live import acts
from threefold.live import entries as e
from threefold.live.refusals import NotAllowed
from threefold.live.session import Session
from threefold.live.state import CLIENTS_PER_GUEST, commitment, fold


async def refusal_of(session: Session, guest: int, act: object) -> str:
    before = session.state.seq
    with pytest.raises(Refusal) as found:
        await session.submit(guest, act)  # type: ignore[arg-type]
    assert session.state.seq == before, "a refused act writes nothing"
    return found.value.text.key.removeprefix("live.refusal.")


def test_the_maker_is_host_and_sits_and_others_take_free_seats(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob", seats=3)
        assert session.state.host == 0
        assert [seat.guest for seat in session.state.seats] == [0, 1, None]
        await session.submit(1, does(acts.sit, 2))
        assert [seat.guest for seat in session.state.seats] == [0, None, 1]
        assert await refusal_of(session, 1, does(acts.sit, 0)) == "seat_is_taken"
        assert await refusal_of(session, 1, does(acts.sit, 9)) == "no_such_seat"
        await session.submit(1, acts.stand)
        assert await refusal_of(session, 1, acts.stand) == "not_seated"

    in_a_room(tmp_path, test)


def test_only_the_host_starts_seats_bots_changes_removes_mutes_and_passes_the_role_on(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob", seats=3)
        hosts_alone = {
            "start": acts.start,
            "bot_sits": does(acts.bot_sits, None, "careful"),
            "bot_stands": does(acts.bot_stands, 2),
            "change": does(acts.change, None, e.Settings(seats=4)),
            "remove": does(acts.remove, 0),
            "mute": does(acts.mute, 0, muted=True),
            "pass_host": does(acts.pass_host, 1),
        }
        for act in hosts_alone.values():
            assert await refusal_of(session, 1, act) == "only_host"
        await session.submit(0, does(acts.bot_sits, None, "careful"))
        assert session.state.seats[2].bot == "careful"
        assert await refusal_of(session, 0, does(acts.bot_sits, None, "careful")) == "no_free_seat"
        assert await refusal_of(session, 0, does(acts.bot_sits, None, "nobody")) == "no_such_bot"
        await session.submit(0, does(acts.bot_stands, 2))
        assert await refusal_of(session, 0, does(acts.bot_stands, 2)) == "no_bot_there"
        await session.submit(0, does(acts.change, {"edition": "mini_round"}, e.Settings(seats=4, chat=True)))
        assert (session.state.setup, len(session.state.seats)) == ({"edition": "mini_round"}, 4)
        await session.submit(0, does(acts.mute, 1, muted=True))
        assert session.state.guests[1].muted
        await session.submit(0, does(acts.pass_host, 1))
        assert await refusal_of(session, 0, acts.start) == "only_host"
        await session.submit(1, acts.start)
        assert session.state.running is not None

    in_a_room(tmp_path, test)


def test_a_removed_person_stays_out_and_a_bot_plays_on(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.playing("Ann", "Bob", "Cem")
        await session.remove(0, 1)
        assert subscribers[1].closed == "removed"
        session.detach(subscribers[1])
        person = session.state.guests[1].person
        with pytest.raises(NotAllowed) as refused:
            await session.attach(person, "Bob", "again", None)
        assert refused.value.text.key == "live.refusal.removed"
        assert session.state.running is not None
        assert session.state.running.by_bot(1)
        assert all(each["guest"] != 1 for each in session.report()["guests"])
        assert await refusal_of(session, 0, does(acts.remove, 1)) == "removed_already"
        assert await refusal_of(session, 0, does(acts.remove, 0)) == "not_oneself"

    in_a_room(tmp_path, test)


def test_names_are_unique_at_a_table(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "ＡＮＮ", "ann ")
        assert [guest.name for guest in session.state.guests] == ["Ann", "ANN 2", "ann 3"]

    in_a_room(tmp_path, test)


def test_who_leaves_karma_is_played_for_by_a_bot_to_the_end_and_has_left(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob", "Cem", setup={"options": {"turn_limit": 60}})
        await session.leave(1, stays=False)
        await session.leave(2, stays=True)
        assert session.state.viewer(2) is None, "who has conceded sees what all may see"
        assert [seat.guest for seat in session.state.seats] == [0, None, None]

        def ann_is_awaited() -> bool:
            return any(each.player == 0 for each in session.decisions()[0])

        while True:
            await until(lambda: session.state.running is None or ann_is_awaited())
            if session.state.running is None:
                break
            await session.submit(0, does(acts.move, await move_of(session, 0)))
        playing = session.state.current
        assert playing is not None
        assert playing.is_over
        assert [each["result"] for each in session.report()["playing"]["players"]][1:] == ["left", "left"]
        assert session.state.tallies["guest", 1, ""].left == 1

    in_a_room(tmp_path, test)


def test_who_leaves_set_leaves_the_game_itself(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob", "Cem", game="set", setup={"variant": "full"})
        await session.leave(1, stays=False)
        assert session.state.current is not None
        assert session.state.current.game.view(session.state.current.table, None)["left"] == [1]
        await session.leave(0, stays=True)
        await session.leave(2, stays=False)
        assert session.state.current.ending["reason"] == "all_left"

    in_a_room(tmp_path, test)


def test_a_game_that_everybody_has_left_is_ended_openly(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", bots=("random", "random"))
        await session.leave(0, stays=False)
        await until(lambda: session.state.running is None)
        assert session.report()["playing"]["ending"] is None
        assert session.report()["playing"]["seed"] is not None

    in_a_room(tmp_path, test)


def test_late_comers_watch_and_sit_at_the_next_game(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob", seats=3, setup={"options": {"turn_limit": 1}})
        late = await room.lobby.new_person("Cem")
        subscriber = await session.attach(late.id, late.name, "c", None)
        assert session.state.viewer(subscriber.guest) is None
        await session.submit(subscriber.guest, does(acts.sit, None))
        assert session.state.viewer(subscriber.guest) is None
        assert await refusal_of(session, 0, does(acts.sit, None)) == "plays_already"
        assert await refusal_of(session, 0, acts.stand) == "plays_now"
        assert await refusal_of(session, subscriber.guest, does(acts.move, "pick up")) == "does_not_play"
        await set_up(session)
        while session.state.running is not None:
            player = session.decisions()[0][0].player
            assert player is not None
            await session.submit(player, does(acts.move, await move_of(session, player)))
        await session.submit(0, acts.start)
        assert session.state.viewer(subscriber.guest) == 2

    in_a_room(tmp_path, test)


def test_a_rematch_keeps_seats_passes_the_deal_and_keeps_the_scores(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob", seats=4, setup={"options": {"turn_limit": 1}})
        await session.submit(1, does(acts.sit, 3))
        await session.submit(0, acts.start)
        dealers = []
        for game in range(1, 4):
            playing = session.state.running
            assert playing is not None
            dealers.append(playing.seats[playing.setup["dealer"]])
            await set_up(session)
            while session.state.running is not None:
                player = session.decisions()[0][0].player
                assert player is not None
                await session.submit([0, 1][player], does(acts.move, await move_of(session, player)))
            assert sum(tally.games for tally in session.state.tallies.values()) == 2 * game
            await session.set_ready(0, ready=True)
            assert session.state.running is None
            await session.set_ready(1, ready=True)
        assert dealers[0] != dealers[1] != dealers[2]
        assert set(dealers) == {0, 3}
        assert [seat.guest for seat in session.state.seats] == [0, None, None, 1]

    in_a_room(tmp_path, test)


def test_options_are_checked_and_the_field_is_named(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob")
        wrong = {
            "seats": (None, e.Settings(seats=40)),
            "turn_clock_s": (None, e.Settings(turn_clock_s=7)),
            "grace_s": (None, e.Settings(grace_s=-1)),
            "options.decks": ({"options": {"decks": 9}}, None),
            "edition": ({"edition": "none"}, None),
        }
        for field, (setup, settings) in wrong.items():
            with pytest.raises(Refusal) as refused:
                await session.submit(0, does(acts.change, setup, settings))
            named = getattr(refused.value, "field", None) or refused.value.text.parameters["field"]
            assert named == field
        with pytest.raises(Refusal):
            await session.submit(0, does(acts.change, {"seed": "v1:mine"}, None))
        await session.submit(0, acts.start)
        assert await refusal_of(session, 0, does(acts.change, None, e.Settings())) == "game_runs"
        assert await refusal_of(session, 0, acts.start) == "game_runs"

    in_a_room(tmp_path, test)


def test_too_few_cannot_start(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", seats=4)
        assert await refusal_of(session, 0, acts.start) == "wrong_number_of_players"

    in_a_room(tmp_path, test)


def test_the_hash_of_the_seed_is_shown_before_the_start_and_the_seed_after_the_end(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob", setup={"options": {"turn_limit": 1}})
        promised = session.report()["next_commitment"]
        await session.submit(0, acts.start)
        shown = session.report()["playing"]
        assert (shown["commitment"], shown["seed"]) == (promised, None)
        assert session.state.current is not None
        seed = session.state.current.setup["seed"]
        assert re.fullmatch(r"v2:[0-9a-f]{32}", seed), "128 random bits for the keyed stream"
        assert session.state.next_seed.startswith("v2:"), "the next game too"
        assert seed not in str(session.report())
        await set_up(session)
        while session.state.running is not None:
            player = session.decisions()[0][0].player
            assert player is not None
            await session.submit(player, does(acts.move, await move_of(session, player)))
        assert commitment(session.report()["playing"]["seed"]) == promised

    in_a_room(tmp_path, test)


def test_a_table_is_the_fold_of_its_log_and_the_same_after_a_restart(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob", "Cem", chat=True)
        await set_up(session)
        await session.submit(0, does(acts.mute, 2, muted=True))
        again = fold(await room.lobby.store.entries(session.id))
        assert again.seq == session.state.seq
        assert again.guests == session.state.guests
        assert again.running is not None
        assert session.state.running is not None
        for viewer in (None, 0, 1, 2):
            game = again.running.game
            assert game.view(again.running.table, viewer) == game.view(session.state.running.table, viewer)

    in_a_room(tmp_path, test)


def test_two_processes_may_serve_the_same_table(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob")
        other = await Session.load(session.id, session.store, session.clock, session.bots)
        await session.submit(0, does(acts.move, await move_of(session, 0)))
        await other.submit(1, does(acts.move, await move_of(other, 1)))
        assert other.state.seq == session.state.seq + 1
        await session.mailbox.refresh()
        assert session.state.seq == other.state.seq
        with pytest.raises(Refusal):
            await session.submit(0, does(acts.move, "face up 1 2 3"))

    in_a_room(tmp_path, test)


def test_the_same_message_sent_twice_is_done_once(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.playing("Ann", "Bob")
        move = await move_of(session, 0)
        await session.submit(0, does(acts.move, move), subscriber=subscribers[0], n=7)
        before = session.state.seq
        await session.submit(0, does(acts.move, move), subscriber=subscribers[0], n=7)
        assert session.state.seq == before
        back = await session.attach(session.state.guests[0].person, "Ann", subscribers[0].client, None)
        assert back.ack == 7, "who comes back learns what was done"

    in_a_room(tmp_path, test)


def test_nobody_can_make_the_table_forget_the_messages_of_others(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.playing("Ann", "Bob")
        move = await move_of(session, 0)
        await session.submit(0, does(acts.move, move), subscriber=subscribers[0], n=7)
        eve = await room.lobby.new_person("Eve")
        for page in range(100):
            subscriber = await session.attach(eve.id, "Eve", f"page {page}", None)
            name = f"Eve {page}"
            await session.submit(subscriber.guest, does(acts.rename, name), subscriber=subscriber, n=1)
            session.detach(subscriber)
        before = session.state.seq
        await session.submit(0, does(acts.move, move), subscriber=subscribers[0], n=7)
        assert session.state.seq == before, "the move sent again is not made again"
        assert len(session.state.guests[2].handled) == CLIENTS_PER_GUEST

    in_a_room(tmp_path, test)


def test_a_table_of_other_rules_is_closed_openly_and_never_replayed_differently(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob")
        rows = await room.lobby.store.entries(session.id)
        old = [(seq, body.replace('"rules":2', '"rules":1')) for seq, body in rows if '"is":"started"' in body]
        await room.lobby.store.rewrite(session.id, old)
        again = await Session.load(session.id, session.store, session.clock, session.bots)
        assert again.state.running is None
        assert (await room.lobby.store.entries(session.id))[-1][1].count("other_rules") == 1

    in_a_room(tmp_path, test)


def test_a_bot_has_a_name_that_no_person_at_the_table_has(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("otto", bots=("sharp", "careful", "careful"))
        report = session.report()
        assert [each["name"] for each in report["seats"]] == [None, "Fenn", "Greta", "Olga"]
        assert [each["name"] for each in report["playing"]["players"]] == ["otto", "Fenn", "Greta", "Olga"]

    in_a_room(tmp_path, test)


def test_a_bot_keeps_its_name_until_a_person_comes_who_has_it(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", bots=("careful", "careful"))
        assert [each["name"] for each in session.report()["seats"]] == [None, "Otto", "Greta"]
        await session.submit(0, does(acts.bot_stands, 1))
        assert [each["name"] for each in session.report()["seats"]] == [None, None, "Greta"]
        greta = await room.lobby.new_person("Greta")
        await session.attach(greta.id, greta.name, "page of Greta", None)
        assert [each["name"] for each in session.report()["seats"]] == [None, None, "Otto"]

    in_a_room(tmp_path, test)
