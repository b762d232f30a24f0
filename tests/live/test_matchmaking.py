"""Matchmaking: tables that everybody may find, and quick matches; here with one process, below with two."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.live.room import Room, does, in_a_room, until
from tests.live.test_cluster import with_processes
from tests.storage.postgres import postgresql
from threefold.live import acts, announcing
from threefold.live import entries as e
from threefold.live.announcing import LISTED_MS, OFFERED_MS, READ_EVERY_MS, RENEW_OFFER_MS
from threefold.live.audience import Subscriber
from threefold.live.lobby import Lobby
from threefold.live.notices import MatchFound
from threefold.live.session import Session
from threefold.live.store import PersonRow
from threefold.web.server import Server

__all__ = ["postgresql"]
Json = Any


async def listed(lobby: Lobby) -> list[Json]:
    """The list as it is now."""
    return [json.loads(each) for each in await lobby.store.listed_tables(lobby.clock.now(), 60)]


async def listing(lobby: Lobby, code: str) -> Json:
    return next((each for each in await listed(lobby) if each["code"] == code), None)


async def has_all(lobby: Lobby) -> bool:
    return any(each["seats"][2]["name"] == "Bob" for each in await listed(lobby))


def test_a_listed_table_shows_game_rules_seats_and_host_and_a_private_one_nothing(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        private, _ = await room.table("Eve", seats=3)
        session, _ = await room.table("Ann", "Bob", seats=4, bots=("sharp",), listed=True, turn_clock_s=30)
        await until(lambda: has_all(room.lobby), "for the list")
        rows = await listed(room.lobby)
        assert [each["code"] for each in rows] == [session.state.code]
        assert rows[0]["host"] == "Ann"
        assert rows[0]["seats"] == [
            {"name": "Ann", "bot": None},
            {"name": "Fenn", "bot": "sharp"},
            {"name": "Bob", "bot": None},
            {"name": None, "bot": None},
        ]
        assert [each["key"] for each in rows[0]["rules"]] == [
            "page.edition.classic",
            "live.rule.seats",
            "live.rule.turn_clock",
            "live.rule.fast_bots",
        ]
        assert rows[0].keys() == {"code", "game", "host", "rules", "seats", "playing"}
        assert private.state.code not in json.dumps(rows)

    in_a_room(tmp_path, test)


def test_a_table_leaves_the_list_when_it_is_full_and_comes_back(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await room.table("Ann", seats=2, listed=True)
        code = session.state.code
        await until(lambda: listing(room.lobby, code))
        await session.submit(0, does(acts.bot_sits, None, "careful"))
        await until(lambda: gone(room.lobby, code))
        await session.submit(0, does(acts.bot_stands, 1))
        await until(lambda: listing(room.lobby, code))
        session.detach(subscribers[0])
        await until(lambda: gone(room.lobby, code), "nobody is there any more")

    in_a_room(tmp_path, test)


async def gone(lobby: Lobby, code: str) -> bool:
    return await listing(lobby, code) is None


async def is_running(lobby: Lobby, code: str) -> bool:
    row = await listing(lobby, code)
    return row is not None and row["playing"]


def test_a_running_game_is_there_to_watch_without_a_card(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob", listed=True)
        code = session.state.code
        await until(lambda: is_running(room.lobby, code))
        row = await listing(room.lobby, code)
        assert [each["name"] for each in row["seats"]] == ["Ann", "Bob"]
        assert "hand" not in json.dumps(row)

    in_a_room(tmp_path, test)


@pytest.mark.parametrize("by", ["host", "operator", "unlisted"])
def test_a_table_that_is_closed_or_hidden_leaves_the_list_at_once(tmp_path: Path, by: str) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", seats=2, listed=True)
        await until(lambda: listing(room.lobby, session.state.code))
        if by == "host":
            await room.lobby.close_table(session, 0)
        elif by == "operator":
            await room.lobby.close_by_operator(session.state.code, "Good night.")
        else:
            await room.lobby.store.relist(session.id, listed=False)
        assert await gone(room.lobby, session.state.code)

    in_a_room(tmp_path, test)


def test_the_row_of_a_process_that_died_expires_and_a_living_one_renews_it(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", seats=2, listed=True)
        await until(lambda: listing(room.lobby, session.state.code))
        for _ in range(8):
            await room.clock.forward(LISTED_MS // 4)
            await until(lambda: listing(room.lobby, session.state.code), "renewed")
        await room.lobby._schedulers[session.state.code].stop()  # as if the process had died
        await room.clock.forward(LISTED_MS + 1)
        assert await gone(room.lobby, session.state.code)

    in_a_room(tmp_path, test)


def test_however_many_people_look_the_list_is_read_once_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(room: Room) -> None:
        reads = 0
        read = room.lobby.store.listed_tables

        async def counted(now: int, limit: int) -> list[str]:
            nonlocal reads
            reads += 1
            return await read(now, limit)

        monkeypatch.setattr(room.lobby.store, "listed_tables", counted)
        await asyncio.gather(*(room.lobby.open_tables.read() for _ in range(50)))
        assert reads == 1
        await room.clock.forward(READ_EVERY_MS)
        await room.lobby.open_tables.read()
        assert reads == 2

    in_a_room(tmp_path, test)


# ---------------------------------------------------------------- Quick matches


@asynccontextmanager
async def waiting(lobby: Lobby, name: str, game: str = "karma") -> AsyncIterator[tuple[PersonRow, Session, Subscriber]]:
    """Somebody who waits for a match, connected to their table."""
    person = await lobby.new_person(name)
    session, matched = await lobby.match(person, game)
    assert not matched
    subscriber = await session.attach(person.id, person.name, name, None)
    await until(lambda: lobby.store.offer_of(game, person.id, lobby.clock.now()), f"for the offer of {name}")
    yield person, session, subscriber
    session.detach(subscriber)


def test_the_second_who_asks_sits_down_with_the_first(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        async with waiting(room.lobby, "Ann") as (_, session, _):
            bob = await room.lobby.new_person("Bob")
            other, matched = await room.lobby.match(bob, "karma")
            assert matched
            assert other is session
            assert [seat.guest for seat in session.state.seats] == [0, 1]
            cem = await room.lobby.new_person("Cem")
            third, matched = await room.lobby.match(cem, "karma")
            assert not matched
            assert third is not session

    in_a_room(tmp_path, test)


def test_nobody_is_matched_with_themselves_or_in_another_game(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        async with waiting(room.lobby, "Ann") as (ann, session, _):
            again, matched = await room.lobby.match(ann, "karma")
            assert (again, matched) == (session, False)
            bob = await room.lobby.new_person("Bob")
            _, matched = await room.lobby.match(bob, "set")
            assert not matched

    in_a_room(tmp_path, test)


def test_who_has_closed_the_page_cancelled_or_taken_a_bot_is_not_matched(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        async with waiting(room.lobby, "Ann"):
            pass
        bob = await room.lobby.new_person("Bob")
        assert not (await room.lobby.match(bob, "karma"))[1]
        async with waiting(room.lobby, "Cem") as (_, session, _):
            await room.lobby.close_table(session, 0)
            assert not (await room.lobby.match(await room.lobby.new_person("Dov"), "karma"))[1]
        async with waiting(room.lobby, "Eve") as (eve, session, _):
            await session.submit(0, does(acts.bot_sits, None, "careful"))
            await until(lambda: nobody_offers(room.lobby, eve))
            assert not (await room.lobby.match(await room.lobby.new_person("Fay"), "karma"))[1]

    async def nobody_offers(lobby: Lobby, person: PersonRow) -> bool:
        return await lobby.store.offer_of("karma", person.id, lobby.clock.now()) is None

    in_a_room(tmp_path, test)


def test_two_who_began_to_wait_at_the_same_moment_meet_at_one_of_their_tables(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        people = [await room.lobby.new_person(name) for name in ("Ann", "Bob")]
        settings = e.Settings(seats=2, quick_match=True)
        sessions = [await room.lobby.make(each, "karma", {}, settings) for each in people]
        subscribers = [
            await session.attach(each.id, each.name, each.name, None)
            for session, each in zip(sessions, people, strict=True)
        ]

        def matched() -> list[MatchFound]:
            return [note for each in subscribers for note in each.notes]

        for _ in range(20):
            await room.clock.forward(RENEW_OFFER_MS)
            if matched():
                break
        codes = {session.state.code for session in sessions}
        assert len(matched()) == 1
        kept = next(each for each in sessions if each.state.code == matched()[0].code)
        await until(lambda: [seat.guest for seat in kept.state.seats] == [0, 1])
        (closed,) = (each for each in sessions if each is not kept)
        await until(lambda: closed.state.closed is not None)
        assert codes == {kept.state.code, closed.state.code}

    in_a_room(tmp_path, test)


def test_an_offer_that_nobody_renews_is_void(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        async with waiting(room.lobby, "Ann") as (ann, session, _):
            await room.lobby._schedulers[session.state.code].stop()
            await room.clock.forward(OFFERED_MS + 1)
            assert await room.lobby.store.offer_of("karma", ann.id, room.clock.now()) is None
            await room.lobby.tidy()

    in_a_room(tmp_path, test)


def test_a_match_is_for_the_first_game_only(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        async with waiting(room.lobby, "Ann") as (_, session, _):
            assert announcing.waits_for_match(session)
            await session.submit(0, does(acts.bot_sits, None, "careful"))
            await session.submit(0, acts.start)
            await session.leave(0, stays=False)
            await until(lambda: session.state.running is None)
            await session.submit(0, does(acts.bot_stands, 1))
            await session.submit(0, does(acts.sit, None))
            assert not announcing.waits_for_match(session)

    in_a_room(tmp_path, test)


# ---------------------------------------------------------------- Two processes


def test_a_table_opened_in_one_process_is_found_from_the_other(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Server, two: Server) -> None:
        ann = await one.lobby.new_person("Ann")
        session = await one.lobby.make(ann, "karma", {}, e.Settings(seats=2, listed=True))
        subscriber = await session.attach(ann.id, "Ann", "a", None)
        await until(lambda: listing(two.lobby, session.state.code))
        assert session.id not in two.lobby.by_id, "nothing has to be loaded for the list"
        session.detach(subscriber)
        await until(lambda: gone(two.lobby, session.state.code))

    with_processes(tmp_path, postgresql, test)


def test_people_in_two_processes_are_matched_and_one_who_left_is_not(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Server, two: Server) -> None:
        async with waiting(one.lobby, "Ann") as (_, session, _):
            bob = await two.lobby.new_person("Bob")
            other, matched = await two.lobby.match(bob, "karma")
            assert matched
            assert other.id == session.id
            await until(lambda: [seat.guest for seat in session.state.seats] == [0, 1])
        async with waiting(one.lobby, "Cem") as (_, session, subscriber):
            session.detach(subscriber)
            dov = await two.lobby.new_person("Dov")
            await until(lambda: cem_is_away(two, session.id))
            assert not (await two.lobby.match(dov, "karma"))[1]

    def cem_is_away(two: Server, table: str) -> bool:
        assert two.cluster is not None
        reports = [peer.tables[table] for peer in two.cluster.peers.values() if table in peer.tables]
        return all(not report.here for report in reports)

    with_processes(tmp_path, postgresql, test)


def test_of_many_who_look_for_a_match_at_once_all_but_the_odd_one_are_paired(tmp_path: Path, postgresql: str) -> None:
    async def test(one: Server, two: Server) -> None:
        lobbies = [one.lobby, two.lobby] * 4
        people = [await lobby.new_person(f"P{i}") for i, lobby in enumerate(lobbies)]
        tables: dict[str, set[str]] = {}

        async def plays(lobby: Lobby, person: PersonRow) -> None:
            session, _ = await lobby.match(person, "karma")
            while True:
                subscriber = await session.attach(person.id, person.name, person.id, None)

                def settled(session: Session = session, subscriber: Subscriber = subscriber) -> bool:
                    seated = {seat.guest for seat in session.state.seats}
                    return bool(subscriber.notes) or None not in seated

                await until(settled, f"for a partner of {person.name}")
                if not subscriber.notes:
                    tables.setdefault(session.id, set()).add(person.id)
                    return
                session = await lobby.session(subscriber.notes[0].code)

        await asyncio.gather(*(plays(*each) for each in zip(lobbies, people, strict=True)))
        assert sorted(map(len, tables.values())) == [2] * 4

    with_processes(tmp_path, postgresql, test)
