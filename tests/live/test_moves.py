"""The way into a table and the way out: a request is checked, made durable, applied, and sent to all; once."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.live.room import Room, in_a_room, move_of, set_up, settled, until
from threefold.game import Refusal, Step
from threefold.live import acts
from threefold.live import entries as e
from threefold.live.audience import Subscriber, Update
from threefold.live.notices import MatchFound, Remark
from threefold.live.session import Session
from threefold.live.store import StoreDown
from threefold.storage import open_store

HELLO = Remark(guest=0, sort="phrase", what="hello", at=1)


class Asked:
    """A move that was asked for, and what became of it."""

    def __init__(self, session: Session, subscriber: Subscriber, move: str, n: int, game: int | None = None) -> None:
        self.answers: list[Exception | None] = []
        act = session.move(subscriber, move, game)
        session.submit_soon(subscriber.guest, act, self.answers.append, subscriber=subscriber, n=n)

    @property
    def refused(self) -> str | None:
        """The key of the refusal."""
        (problem,) = self.answers
        return problem.text.key if isinstance(problem, Refusal) else None


async def done(asked: Asked) -> None:
    """Returns when it is known what became of it."""
    await until(lambda: asked.answers)


async def awaited(session: Session, subscribers: list[Subscriber]) -> tuple[Subscriber, str]:
    """Whose turn it is, and a move they can make."""
    player = session.decisions()[0][0].player
    assert player is not None
    assert session.state.current is not None
    guest = session.state.current.who[player]
    return next(each for each in subscribers if each.guest == guest), await move_of(session, player)


async def a_game(room: Room, *names: str, **more: Any) -> tuple[Session, list[Subscriber]]:
    session, subscribers = await room.playing(*names, **more)
    await set_up(session)
    await settled()
    return session, subscribers


def sent(session: Session, subscriber: Subscriber) -> list[Update]:
    """Everything that is sent to a connection from now on."""
    updates: list[Update] = []
    session.audience.update_for(subscriber, session.clock.now())
    subscriber.send = updates.append
    return updates


def test_a_move_is_sent_to_all_when_it_is_durable_and_never_before(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await a_game(room, "Ann", "Bob", "Cid")
        updates = {each.guest: sent(session, each) for each in subscribers}
        subscriber, move = await awaited(session, subscribers)
        before = session.state.seq
        asked = Asked(session, subscriber, move, 1)
        assert asked.answers == []
        assert session.state.seq == before
        await done(asked)
        assert asked.answers == [None]
        await settled()
        seq, body = (await room.lobby.store.entries(session.id))[-1]
        entry = e.decode(body)
        assert isinstance(entry, e.Moved)
        assert (seq, entry.by, entry.client) == (before + 1, subscriber.guest, subscriber.client)
        assert (entry.n, entry.move) == (1, move)
        for each in subscribers:
            (update,) = updates[each.guest]
            assert update.seq == seq
            assert update.ack == (1 if each is subscriber else 0)
            assert update.view is not None
            assert msgspec.json.decode(update.view)["viewer"] == session.state.viewer(each.guest)
            assert [number for number, _ in update.events or ()] == [seq]

    in_a_room(tmp_path, test)


def test_a_connection_that_does_not_read_is_sent_the_present_when_it_does(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await a_game(room, "Ann", "Bob", "Cid")
        slow = subscribers[0]
        updates = sent(session, slow)
        slow.writable = False
        before = session.state.seq
        for number in range(1, 6):
            subscriber, move = await awaited(session, subscribers)
            await done(Asked(session, subscriber, move, number))
        session.announce(HELLO)
        await settled()
        assert updates == []
        session.audience.resume(slow)
        (update,) = updates
        assert (update.seq, update.notes) == (session.state.seq, [HELLO])
        assert [number for number, _ in update.events or ()] == list(range(before + 1, session.state.seq + 1))

    in_a_room(tmp_path, test)


def test_news_of_one_turn_goes_out_with_the_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await a_game(room, "Ann", "Bob", "Cid")
        updates = {each.guest: sent(session, each) for each in subscribers}
        apply = session.mailbox._apply
        number = 0

        async def move_with(news: Callable[[], None]) -> list[Update]:
            """A move, and other news in the same turn of the loop; returns what each connection was sent."""
            nonlocal number
            number += 1

            def applied(entry: e.Entry, step: Step[Any] | None) -> None:
                apply(entry, step)
                news()

            monkeypatch.setattr(session.mailbox, "_apply", applied)
            for each in updates.values():
                each.clear()
            subscriber, move = await awaited(session, subscribers)
            await done(Asked(session, subscriber, move, number))
            await settled()
            monkeypatch.setattr(session.mailbox, "_apply", apply)
            assert all(len(each) == 1 for each in updates.values())
            return [updates[each.guest][0] for each in subscribers]

        for update in await move_with(lambda: session.announce(HELLO)):
            assert (update.notes, update.view is not None, len(update.events or ())) == ([HELLO], True, 1)
        for update in await move_with(session.table_changed):
            assert update.table is not None
            assert update.view is not None
        notes = [update.notes for update in await move_with(lambda: session.audience.note(subscribers[1], "yours"))]
        assert notes == [(), ["yours"], ()]
        closing = await move_with(lambda: session.audience.close(subscribers[2], "closed"))
        assert [update.closed for update in closing] == [None, None, "closed"]

    in_a_room(tmp_path, test)


def test_what_cannot_be_is_refused_at_once_and_dealt_with(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await a_game(room, "Ann", "Bob")
        subscriber, move = await awaited(session, subscribers)
        other = next(each for each in subscribers if each is not subscriber)
        assert Asked(session, subscriber, "no such move", 1).refused == "karma.refusal.not_a_move"
        assert subscriber.ack == 0, "a refusal is acknowledged by the connection, once it is answered"
        assert Asked(session, subscriber, move, 2, game=77).refused == "live.refusal.another_game"
        assert Asked(session, other, move, 1).refused is not None
        taken = Asked(session, subscriber, move, 3)
        await until(lambda: taken.answers)
        again = Asked(session, subscriber, move, 3)
        assert again.answers == [None], "the same message twice is one move"
        assert session.state.running is not None
        assert subscriber.ack == 3
        await session.by_table(lambda _, at: e.Closed(at=at, reason="host"))
        assert Asked(session, subscriber, move, 4).refused == "live.refusal.table_is_closed"

    in_a_room(tmp_path, test)


def test_of_a_rush_of_moves_one_is_made_and_the_others_are_refused_in_order(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await a_game(room, "Ann", "Bob", "Cid")
        subscriber, move = await awaited(session, subscribers)
        pages = [
            await session.attach(session.state.guests[subscriber.guest].person, "Ann", f"page {i}", None)
            for i in range(5)
        ]
        order: list[tuple[int, Exception | None]] = []

        def done(i: int) -> Callable[[Exception | None], None]:
            return lambda problem: order.append((i, problem))

        before = session.state.seq
        for i, page in enumerate(pages):
            session.submit_soon(page.guest, session.move(page, move, None), done(i), subscriber=page, n=1)
        await until(lambda: len(order) == len(pages))
        assert [i for i, _ in order] == [0, 1, 2, 3, 4]
        made = [i for i, problem in order if problem is None]
        assert made[0] == 0
        assert all(isinstance(problem, Refusal) for _, problem in order if problem is not None)
        assert session.state.seq == before + len(made)
        assert [page.ack for page in pages] == [int(i in made) for i in range(len(pages))]

    in_a_room(tmp_path, test)


def test_a_move_that_another_process_forestalled_is_looked_at_again(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await a_game(room, "Ann", "Bob")
        subscriber, move = await awaited(session, subscribers)
        muted = e.Muted(at=1, by=0, guest=1, muted=True)
        asked = Asked(session, subscriber, move, 1)
        await until(lambda: asked.answers)
        subscriber, move = await awaited(session, subscribers)
        await room.lobby.store.append(session.id, session.state.seq + 1, e.encode(muted))  # this process knows nothing
        asked, before = Asked(session, subscriber, move, 2), session.state.seq
        late = Asked(session, subscriber, "no such move", 3)  # waits behind the one that is looked at again
        await until(lambda: asked.answers and late.answers)
        assert asked.answers == [None]
        assert late.refused is not None
        assert session.state.guests[1].muted
        assert session.state.seq == before + 2
        subscriber, move = await awaited(session, subscribers)
        player = session.state.viewer(subscriber.guest)
        theirs = e.Moved(at=2, by=subscriber.guest, player=player, move=move)
        await room.lobby.store.append(session.id, session.state.seq + 1, e.encode(theirs))
        asked = Asked(session, next(each for each in subscribers if each is not subscriber), "no such move", 9)
        assert asked.refused is not None
        asked = Asked(session, subscriber, move, 4)  # is made already, by the same player elsewhere
        await until(lambda: asked.answers)
        assert session.state.seq == before + 3 + (asked.answers == [None])

    in_a_room(tmp_path, test)


def test_a_store_that_is_down_is_told_and_the_table_goes_on_afterwards(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await a_game(room, "Ann", "Bob")
        subscriber, move = await awaited(session, subscribers)
        store: Any = room.lobby.store
        write, before = store.commits.write, session.state.seq

        async def fail(_: object) -> None:
            raise StoreDown

        store.commits.write = fail
        asked = Asked(session, subscriber, move, 1)
        await until(lambda: asked.answers)
        assert isinstance(asked.answers[0], StoreDown)
        assert session.state.seq == before
        assert subscriber.ack == 0
        store.commits.write = write
        asked = Asked(session, subscriber, move, 1)
        await until(lambda: asked.answers)
        assert asked.answers == [None]
        assert subscriber.ack == 1

    in_a_room(tmp_path, test)


def test_a_move_that_breaks_the_rules_engine_is_answered_and_frees_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await a_game(room, "Ann", "Bob")
        subscriber, move = await awaited(session, subscribers)
        with monkeypatch.context() as broken:
            broken.setattr(session.state, "guests", None)
            (problem,) = Asked(session, subscriber, move, 1).answers
            assert isinstance(problem, TypeError)
        asked = Asked(session, subscriber, move, 1)
        await until(lambda: asked.answers)
        assert asked.answers == [None]

    in_a_room(tmp_path, test)


def test_a_failing_connection_does_not_stop_the_others(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await a_game(room, "Ann", "Bob", "Cid")
        updates = [sent(session, each) for each in subscribers[1:]]

        def broken(_: Update) -> None:
            raise ConnectionError

        subscribers[0].send = broken
        subscriber, move = await awaited(session, subscribers)
        await done(Asked(session, subscriber, move, 1))
        await settled()
        assert [len(each) for each in updates] == [1, 1]

    in_a_room(tmp_path, test)


def test_news_of_one_turn_of_the_loop_is_sent_together(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, subscribers = await a_game(room, "Ann", "Bob")
        updates = sent(session, subscribers[1])
        session.announce(HELLO)
        session.announce(MatchFound("ABCDE"))
        session.table_changed()
        assert updates == []
        await asyncio.sleep(0)
        (update,) = updates
        assert update.notes == [HELLO, MatchFound("ABCDE")]
        assert update.table is not None
        assert update.view is None

    in_a_room(tmp_path, test)


def test_moves_that_wait_when_the_server_stops_are_written_and_answered(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        asked = []
        for _ in range(5):
            session, subscribers = await a_game(room, "Ann", "Bob")
            asked.append((session, Asked(session, *await awaited(session, subscribers), 1)))
        await room.lobby.store.close()
        for session, each in asked:
            assert each.answers == [None]
            assert session.state.running is not None
        subscriber, move = await awaited(session, subscribers)
        (problem,) = Asked(session, subscriber, move, 2).answers
        assert isinstance(problem, RuntimeError)
        room.lobby.store = await open_store(str(tmp_path / "room.sqlite"))
        assert [len(await room.lobby.store.entries(each.id)) for each, _ in asked] == [
            each.state.seq for each, _ in asked
        ]

    in_a_room(tmp_path, test)


def test_a_table_keeps_no_finished_games_once_they_are_noted(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        setup = {"variant": "small_deck", "options": {"cooldown_ms": 0, "call": "with take", "auto_deal": True}}
        person = await room.lobby.new_person("Zoe")
        settings = e.Settings(seats=2, pace="fast")
        session = await room.lobby.make(person, "set", setup, settings, bots=("perfect", "perfect"), start=True)
        for number in (1, 2, 3):
            await until(lambda: session.report()["playing"]["id"])
            assert session.state.games == number
            assert session.state.finished == []
            await session.by_table(lambda s, at: acts.start(s, None, at))

    in_a_room(tmp_path, test)
