"""The short way of a move: checked, written, applied and told without a task; and the long way where that cannot be."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.live.room import Room, in_a_room, move_of, set_up, settled, until
from threefold.game import Refusal, Step
from threefold.live import acts
from threefold.live import entries as e
from threefold.live.session import Session
from threefold.live.store import StoreDown
from threefold.live.telling import Line, Update
from threefold.storage import open_store


class Asked:
    """What became of a move."""

    def __init__(self, session: Session, line: Line, move: str, n: int) -> None:
        self.answers: list[Exception | None] = []
        session.move_soon(line, move, None, n, self.answers.append)

    @property
    def refused(self) -> str | None:
        """The key of the refusal."""
        (problem,) = self.answers
        return problem.text.key if isinstance(problem, Refusal) else None


async def done(asked: Asked) -> None:
    """Returns when it is known what became of it."""
    await until(lambda: asked.answers)


async def awaited(session: Session, lines: list[Line]) -> tuple[Line, str]:
    """Whose turn it is, and a move they can make."""
    player = session.decided()[0][0].player
    assert player is not None
    assert session.sitting.playing is not None
    guest = session.sitting.playing.who[player]
    return next(line for line in lines if line.guest == guest), await move_of(session, player)


async def a_game(room: Room, *names: str, **more: Any) -> tuple[Session, list[Line]]:
    session, lines = await room.playing(*names, **more)
    await set_up(session)
    await settled()
    return session, lines


def told(session: Session, line: Line) -> list[Update]:
    """All that a line is told from now on, as soon as it rings."""
    found: list[Update] = []

    def ring() -> None:
        update = session.update(line)
        if update is not None:
            found.append(update)

    session.update(line)
    line.ring = ring
    return found


def test_a_move_is_told_to_all_when_it_is_durable_and_never_before(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, lines = await a_game(room, "Ann", "Bob", "Cid")
        heard = {line.guest: told(session, line) for line in lines}
        line, move = await awaited(session, lines)
        before = session.sitting.seq
        asked = Asked(session, line, move, 1)
        assert asked.answers == []
        assert session.sitting.seq == before
        await until(lambda: asked.answers)
        assert asked.answers == [None]
        seq, body = (await room.lobby.store.entries(session.id))[-1]
        entry = e.decode(body)
        assert isinstance(entry, e.Moved)
        assert (seq, entry.by, entry.client, entry.n, entry.move) == (before + 1, line.guest, line.client, 1, move)
        for each in lines:
            (update,) = heard[each.guest]
            assert update.seq == seq
            assert update.ack == (1 if each is line else 0)
            assert update.view is not None
            assert msgspec.json.decode(update.view)["viewer"] == session.sitting.viewer(each.guest)
            assert [some["seq"] for some in update.events or ()] == [seq]

    in_a_room(tmp_path, test)


def test_a_move_is_shown_in_fewer_steps_to_whom_it_is_all_that_is_new(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, lines = await a_game(room, "Ann", "Bob", "Cid")
        people = {line.guest: session.sitting.guests[line.guest] for line in lines}
        others = [await session.attach(each.person, each.name, "other page", None) for each in people.values()]
        await settled()
        heard = {line.guest: told(session, line) for line in others}
        shown: dict[int, list[bytes]] = {line.guest: [] for line in lines}

        def show(guest: int, view: bytes) -> bool:
            shown[guest].append(view)
            return True

        for each in lines:
            told(session, each)
            each.show = partial(show, each.guest)
        for number in range(1, 30):
            line, move = await awaited(session, lines)
            await done(Asked(session, line, move, number))
            for each in lines:
                (update,), (text,) = heard[each.guest], shown[each.guest]
                found = msgspec.json.decode(text)
                assert found.pop("ack") == each.dealt
                assert found == {
                    "is": "view",
                    "seq": update.seq,
                    "game": update.number,
                    "view": msgspec.json.decode(update.view or b"null"),
                    "events": update.events,
                    "time": update.time,
                    "turn_ends": None,
                }
                heard[each.guest].clear()
                shown[each.guest].clear()
        stuck, last = lines[0], lines[0].seen
        stuck.show = lambda _: False
        line, move = await awaited(session, lines)
        await done(Asked(session, line, move, 30))
        assert (stuck.woken, stuck.seen) == (True, last), "who does not read is told later"
        late = session.update(stuck)
        assert late is not None
        assert [each["seq"] for each in late.events or ()] == [session.sitting.seq]

    in_a_room(tmp_path, test)


def test_what_else_is_new_is_told_together_with_the_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(room: Room) -> None:
        session, lines = await a_game(room, "Ann", "Bob", "Cid")
        shown: dict[int, list[bytes]] = {line.guest: [] for line in lines}
        heard = {line.guest: told(session, line) for line in lines}

        def show(guest: int, view: bytes) -> bool:
            shown[guest].append(view)
            return True

        for each in lines:
            session.update(each)
            each.show = partial(show, each.guest)
        apply = session._apply
        number = 0

        async def move_with(news: Callable[[], None]) -> None:
            """A move, and something else that is new before anybody is told of it."""
            nonlocal number
            number += 1

            def applied(entry: e.Entry, step: Step[Any] | None) -> None:
                apply(entry, step)
                news()

            monkeypatch.setattr(session, "_apply", applied)
            for each in lines:
                shown[each.guest].clear()
                heard[each.guest].clear()
            line, move = await awaited(session, lines)
            await done(Asked(session, line, move, number))
            monkeypatch.setattr(session, "_apply", apply)

        def counts() -> list[tuple[int, int]]:
            return [(len(shown[each.guest]), len(heard[each.guest])) for each in lines]

        await move_with(lambda: None)
        assert counts() == [(1, 0)] * 3
        await move_with(lambda: session.say("hello"))
        assert counts() == [(0, 1)] * 3
        for (update,) in heard.values():
            assert (update.notes, update.view is not None, len(update.events or ())) == (["hello"], True, 1)
        await move_with(session.tell)
        assert counts() == [(0, 1)] * 3
        assert all(update.table is not None and update.view is not None for (update,) in heard.values())
        await move_with(lambda: lines[1].note("yours"))
        assert counts() == [(1, 0), (0, 1), (1, 0)]
        await move_with(lambda: None)
        assert counts() == [(1, 0)] * 3
        await move_with(lambda: session.hang_up(lines[2], "closed"))
        assert counts() == [(1, 0), (1, 0), (0, 1)]
        assert heard[lines[2].guest][0].closed == "closed"

    in_a_room(tmp_path, test)


def test_what_cannot_be_is_refused_at_once_and_dealt_with(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, lines = await a_game(room, "Ann", "Bob")
        line, move = await awaited(session, lines)
        other = next(each for each in lines if each is not line)
        assert Asked(session, line, "no such move", 1).refused == "karma.refusal.not_a_move"
        assert line.dealt == 1
        answers: list[Exception | None] = []
        session.move_soon(line, move, 77, 2, answers.append)
        assert isinstance(answers[0], Refusal)
        assert answers[0].text.key == "live.refusal.another_game"
        assert Asked(session, other, move, 1).refused is not None
        taken = Asked(session, line, move, 3)
        await until(lambda: taken.answers)
        again = Asked(session, line, move, 3)
        assert again.answers == [None], "the same message twice is one move"
        assert session.sitting.running is not None
        assert line.dealt == 3
        await session.by_table(lambda _, at: e.Closed(at=at, reason="host"))
        assert Asked(session, line, move, 4).refused == "live.refusal.table_is_closed"

    in_a_room(tmp_path, test)


def test_of_a_rush_of_moves_one_is_made_and_the_others_are_refused_in_order(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, lines = await a_game(room, "Ann", "Bob", "Cid")
        line, move = await awaited(session, lines)
        pages = [
            await session.attach(session.sitting.guests[line.guest].person, "Ann", f"page {i}", None) for i in range(5)
        ]
        order: list[tuple[int, Exception | None]] = []

        def done(i: int) -> Callable[[Exception | None], None]:
            return lambda problem: order.append((i, problem))

        before = session.sitting.seq
        for i, page in enumerate(pages):
            session.move_soon(page, move, None, 1, done(i))
        await until(lambda: len(order) == len(pages))
        assert [i for i, _ in order] == [0, 1, 2, 3, 4]
        made = [i for i, problem in order if problem is None]
        assert made[0] == 0
        assert all(isinstance(problem, Refusal) for _, problem in order if problem is not None)
        assert session.sitting.seq == before + len(made)
        assert all(page.dealt == 1 for page in pages)

    in_a_room(tmp_path, test)


def test_a_move_that_another_process_forestalled_is_looked_at_again(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, lines = await a_game(room, "Ann", "Bob")
        line, move = await awaited(session, lines)
        muted = e.Muted(at=1, by=0, guest=1, muted=True)
        asked = Asked(session, line, move, 1)
        await until(lambda: asked.answers)
        line, move = await awaited(session, lines)
        await room.lobby.store.append(
            session.id, session.sitting.seq + 1, e.encode(muted)
        )  # this process knows nothing
        asked, before = Asked(session, line, move, 2), session.sitting.seq
        late = Asked(session, line, "no such move", 3)  # waits behind the one that is looked at again
        await until(lambda: asked.answers and late.answers)
        assert asked.answers == [None]
        assert late.refused is not None
        assert session.sitting.guests[1].muted
        assert session.sitting.seq == before + 2
        line, move = await awaited(session, lines)
        player = session.sitting.viewer(line.guest)
        theirs = e.Moved(at=2, by=line.guest, player=player, move=move)
        await room.lobby.store.append(session.id, session.sitting.seq + 1, e.encode(theirs))
        asked = Asked(session, next(each for each in lines if each is not line), "no such move", 9)
        assert asked.refused is not None
        asked = Asked(session, line, move, 4)  # is made already, by the same player elsewhere
        await until(lambda: asked.answers)
        assert session.sitting.seq == before + 3 + (asked.answers == [None])

    in_a_room(tmp_path, test)


def test_a_store_that_is_down_is_told_and_the_table_goes_on_afterwards(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, lines = await a_game(room, "Ann", "Bob")
        line, move = await awaited(session, lines)
        store: Any = room.lobby.store
        write, before = store.commits.write, session.sitting.seq

        async def fail(_: object) -> None:
            raise StoreDown

        store.commits.write = fail
        asked = Asked(session, line, move, 1)
        await until(lambda: asked.answers)
        assert isinstance(asked.answers[0], StoreDown)
        assert session.sitting.seq == before
        assert line.dealt == 0
        store.commits.write = write
        asked = Asked(session, line, move, 1)
        await until(lambda: asked.answers)
        assert asked.answers == [None]
        assert line.dealt == 1

    in_a_room(tmp_path, test)


def test_a_move_that_breaks_the_rules_engine_is_answered_and_frees_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(room: Room) -> None:
        session, lines = await a_game(room, "Ann", "Bob")
        line, move = await awaited(session, lines)
        with monkeypatch.context() as broken:
            broken.setattr(session.sitting, "guests", None)
            (problem,) = Asked(session, line, move, 1).answers
            assert isinstance(problem, TypeError)
        asked = Asked(session, line, move, 1)
        await until(lambda: asked.answers)
        assert asked.answers == [None]

    in_a_room(tmp_path, test)


def test_one_broken_line_does_not_silence_the_others(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, lines = await a_game(room, "Ann", "Bob", "Cid")
        heard = [told(session, line) for line in lines[1:]]
        session.update(lines[0])

        def broken() -> None:
            raise ConnectionError

        lines[0].ring = broken
        line, move = await awaited(session, lines)
        asked = Asked(session, line, move, 1)
        await until(lambda: asked.answers)
        assert [len(each) for each in heard] == [1, 1]

    in_a_room(tmp_path, test)


def test_what_happens_in_one_turn_of_the_loop_is_told_together(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, lines = await a_game(room, "Ann", "Bob")
        heard = told(session, lines[1])
        session.say("one")
        session.say("two")
        session.tell()
        assert heard == []
        await asyncio.sleep(0)
        (update,) = heard
        assert update.notes == ["one", "two"]
        assert update.table is not None
        assert update.view is None

    in_a_room(tmp_path, test)


def test_moves_that_wait_when_the_server_stops_are_written_and_answered(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        asked = []
        for _ in range(5):
            session, lines = await a_game(room, "Ann", "Bob")
            asked.append((session, Asked(session, *await awaited(session, lines), 1)))
        await room.lobby.store.close()
        for session, each in asked:
            assert each.answers == [None]
            assert session.sitting.running is not None
        line, move = await awaited(session, lines)
        (problem,) = Asked(session, line, move, 2).answers
        assert isinstance(problem, RuntimeError)
        room.lobby.store = await open_store(str(tmp_path / "room.sqlite"))
        assert [len(await room.lobby.store.entries(each.id)) for each, _ in asked] == [
            each.sitting.seq for each, _ in asked
        ]

    in_a_room(tmp_path, test)


def test_a_table_keeps_no_finished_games_once_they_are_noted(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        given = {"variant": "small_deck", "options": {"cooldown_ms": 0, "call": "with take", "auto_deal": True}}
        person = await room.lobby.new_person("Zoe")
        settings = e.Settings(seats=2, pace="fast")
        session = await room.lobby.make(person, "set", given, settings, bots=("perfect", "perfect"), start=True)
        for number in (1, 2, 3):
            await until(lambda: session.report()["playing"]["id"])
            assert session.sitting.games == number
            assert session.sitting.finished == []
            await session.by_table(lambda s, at: acts.start(s, None, at))

    in_a_room(tmp_path, test)
