"""Guests: how many fit at a table, the programs of a person, and who goes when somebody is removed."""

from pathlib import Path
from typing import Any

import pytest

from tests.live.room import Room, does, in_a_room, settled, until
from threefold.game import Json, Refusal
from threefold.live import acts
from threefold.live.audience import Update
from threefold.live.report import table_report
from threefold.live.session import Session
from threefold.live.state import fold


async def refused(session: Session, person: str, **more: str | bool) -> str:
    with pytest.raises(Refusal) as refusal:
        await session.attach(person, "Somebody", f"page of {person}", None, **more)  # type: ignore[arg-type]
    return refusal.value.text.key


def test_only_guests_who_are_here_or_sit_take_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "MOST_GUESTS", 4)

    async def test(room: Room) -> None:
        session, (ann, _) = await room.table("Ann", "Bob", seats=3)
        for number in range(20):  # visitors who go again leave their place to the next
            visitor = await session.attach(f"visitor {number}", "Visitor", "page", None)
            session.detach(visitor)
        crowd = [await session.attach(f"watcher {number}", "Watcher", "page", None) for number in range(2)]
        assert await refused(session, "one more") == "live.refusal.table_is_full"
        assert await refused(session, "visitor 3") == "live.refusal.table_is_full", "coming back needs a place too"
        again = await session.attach("watcher 1", "Watcher", "second page", None)
        assert again.guest == crowd[1].guest, "a second page of the same guest takes no place"
        session.detach(ann)
        assert await refused(session, "one more") == "live.refusal.table_is_full", "a seat keeps its guest's place"
        ann = await session.attach(session.state.guests[0].person, "Ann", "page", None)
        await session.remove(0, crowd[0].guest)
        session.detach(crowd[0])
        await session.attach("one more", "Somebody", "page", None)

    in_a_room(tmp_path, test)


def test_a_crowd_that_has_gone_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threefold.live.report.MOST_SHOWN", 5)

    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob")
        for number in range(10):
            session.detach(await session.attach(f"visitor {number}", "Visitor", "page", None))
        session.detach(next(iter(session.audience.subscribers)))
        shown = [each["guest"] for each in session.report()["guests"]]
        assert shown == [0, 1]

    in_a_room(tmp_path, test)


def test_a_person_has_a_limited_number_of_programs_at_a_table(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob")
        ann, bob = (guest.person for guest in session.state.guests)
        programs = [
            await session.attach(f"program {number}", "Robot", "page", None, program=True, made_by=ann)
            for number in range(acts.MOST_PROGRAMS)
        ]
        assert await refused(session, "another", program=True, made_by=ann) == "live.refusal.too_many_programs"
        await session.attach("of Bob", "Robot", "page", None, program=True, made_by=bob)
        session.detach(programs[0])
        await session.attach("another", "Robot", "page", None, program=True, made_by=ann)

    in_a_room(tmp_path, test)


def test_with_a_person_their_programs_are_removed(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, (_, bob) = await room.table("Ann", "Bob", seats=4)
        person = session.state.guests[bob.guest].person
        robot = await session.attach("robot", "Robot", "page", None, program=True, made_by=person)
        other = await session.attach("other", "Other", "page", None, program=True, made_by="somebody else")
        await session.submit(robot.guest, does(acts.sit, None))
        await session.submit(0, acts.start)
        await session.remove(0, bob.guest)
        assert [guest.removed for guest in session.state.guests] == [False, True, True, False]
        assert session.state.running is not None
        assert session.state.running.people() == [0]
        assert (bob.closed, robot.closed, other.closed) == ("removed", "removed", None)
        assert await refused(session, "robot", program=True, made_by=person) == "live.refusal.removed"
        assert await refused(session, "new robot", program=True, made_by=person) == "live.refusal.removed"
        again = fold(await room.lobby.store.entries(session.id))
        assert [guest.removed for guest in again.guests] == [False, True, True, False]

    in_a_room(tmp_path, test)


def test_nobody_is_held_to_be_a_guest_who_was_deleted(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob")
        bob = await room.lobby.store.person(session.state.guests[1].person)
        assert bob is not None
        robot = await session.attach("robot", "Robot", "page", None, program=True, made_by=bob.id)
        await session.remove(0, 1)
        await room.lobby.store.visit(bob.id, session.id)
        await room.lobby.forget(bob)
        assert session.state.guests[robot.guest].made_by == ""
        await session.attach("new", "New", "page", None)
        assert bob.id not in "".join(body for _, body in await room.lobby.store.entries(session.id))

    in_a_room(tmp_path, test)


def test_a_table_report_is_made_once_for_a_crowd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Json] = []

    def report(*arguments: Any, **more: Any) -> Json:
        made.append(table_report(*arguments, **more))
        return made[-1]

    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob")
        updates: list[Update] = []
        for number in range(30):
            watcher = await session.attach(f"watcher {number}", "Watcher", "page", None)
            watcher.send = updates.append
            session.audience.resume(watcher)
        await settled()
        monkeypatch.setattr("threefold.live.session.table_report", report)
        updates.clear()
        session.table_changed()
        await until(lambda: len(updates) == 30)
        assert sorted(each.table["you"] for each in updates) == list(range(2, 32))
        assert len(made) == 1
        await session.submit(1, does(acts.stand))
        await until(lambda: len(updates) == 60)
        assert [seat["guest"] for seat in updates[-1].table["seats"]] == [0, None], "the next change has its own"

    in_a_room(tmp_path, test)
