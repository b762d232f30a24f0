"""A fault inside the rules stops its table alone: people are answered, the log has a reference, other tables go on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.live.room import Room, does, in_a_room, move_of, settled
from threefold.game import Refusal
from threefold.games import KITS
from threefold.live import acts
from threefold.live.session import Session

STOPPED = "live.refusal.table_has_stopped"


@contextmanager
def failing(monkeypatch: pytest.MonkeyPatch, name: str, game: str, fails: Callable[..., bool]) -> Iterator[None]:
    """The rules of a game with one function that raises whenever `fails` says so."""
    rules: Any = KITS[game].game
    whole = getattr(rules, name)

    def broken(*arguments: Any) -> Any:
        if fails(*arguments):
            raise IndexError("list index out of range")
        return whole(*arguments)

    target = rules if game == "set" else type(rules)
    with monkeypatch.context() as patched:
        patched.setattr(target, name, broken if game == "set" else staticmethod(broken))
        yield


async def refusal_of(session: Session, move: str) -> Refusal:
    with pytest.raises(Refusal) as refused:
        await session.submit(0, does(acts.move, move))
    return refused.value


def test_a_move_that_breaks_the_rules_is_refused_with_a_reference_and_other_tables_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(room: Room) -> None:
        broken, subscribers = await room.playing("Ann", "Bob")
        healthy, _ = await room.playing("Cid", "Dee", "Eve")
        move = await move_of(broken, 0)
        with failing(monkeypatch, "play", "karma", lambda table, *_: table.players == 2), capture_logs() as logs:
            seq = broken.state.seq
            refused = await refusal_of(broken, move)
            assert refused.text.key == STOPPED
            (line,) = (each for each in logs if each["log_level"] == "error")
            assert line["reference"] == refused.text.parameters["given"]
            assert line["table"] == broken.state.code
            assert broken.state.seq == seq, "nothing was written"
            await healthy.submit(0, does(acts.move, await move_of(healthy, 0)))
        act = broken.move(subscribers[0], move, None)
        with pytest.raises(Refusal) as again:
            await broken.submit(0, act)
        assert again.value.text.parameters == refused.text.parameters, "the table has stopped, and says why"
        await broken.submit(0, does(acts.rename, "Anna"))
        reloaded = await Session.load(broken.id, broken.store, broken.clock, broken.bots)
        await reloaded.submit(0, does(acts.move, move))

    in_a_room(tmp_path, test)


@pytest.mark.parametrize("name", ["play", "decisions"])
def test_a_clock_that_breaks_the_rules_stops_its_table_and_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    async def test(room: Room) -> None:
        broken, _ = await room.playing("Ann", "Bob", game="set", setup={"variant": "full"})
        healthy, _ = await room.playing("Cid", "Dee", "Eve", game="set", setup={"variant": "full"})
        await broken.submit(0, does(acts.move, "call"))
        await healthy.submit(0, does(acts.move, "call"))
        await settled()
        with failing(monkeypatch, name, "set", lambda table, *_: table.players == 2), capture_logs() as logs:
            broken._decisions = None
            for _ in range(4):
                await room.clock.forward(7_000)
        assert [each["log_level"] for each in logs].count("error") == 1
        assert broken.stopped is not None
        assert healthy.state.current is not None
        assert healthy.state.current.table.score[0] == -1, "its time was up"

    in_a_room(tmp_path, test)


def test_a_log_that_breaks_the_rules_keeps_only_its_table_from_loading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(room: Room) -> None:
        broken, _subscribers = await room.playing("Ann", "Bob", listed=True)
        healthy, _ = await room.playing("Cid", "Dee", "Eve", listed=True)
        await broken.submit(0, does(acts.move, await move_of(broken, 0)))
        await room.lobby._unload(broken)
        with failing(monkeypatch, "play", "karma", lambda table, *_: table.players == 2), capture_logs() as logs:
            with pytest.raises(Refusal) as refused:
                await room.lobby.session(broken.state.code)
            assert refused.value.text.key == STOPPED
            assert logs[-1]["reference"] == refused.value.text.parameters["given"]
            assert await room.lobby.find(healthy.state.code) is healthy

    in_a_room(tmp_path, test)


def test_an_entry_of_another_process_that_breaks_the_rules_stops_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob")
        other = await Session.load(session.id, session.store, session.clock, session.bots)
        await session.submit(0, does(acts.move, await move_of(session, 0)))
        with failing(monkeypatch, "play", "karma", lambda *_: True):
            assert await other.mailbox.refresh() == 1
        assert other.stopped is not None
        assert session.stopped is None

    in_a_room(tmp_path, test)
