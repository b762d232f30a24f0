"""Finished games as files, what verifying finds, and what is stored about a person."""

import copy
import hashlib
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.live.room import Room, does, in_a_room, move_of, set_up, until
from threefold.game import Refusal
from threefold.games import KITS
from threefold.live import acts
from threefold.live import entries as e
from threefold.live.record import bot_of, game_id, shown_name, verify
from threefold.live.session import Session
from threefold.live.store import BanRow, GameRow, PlayerRow
from threefold.storage.sqlite.store import SqliteStore

Json = Any


def test_the_id_of_a_game_is_keyed_with_its_seed_and_games_of_version_one_keep_theirs() -> None:
    plain = hashlib.sha256(b"table/1").hexdigest()[:24]
    assert game_id("table", 1, "v1:a") == game_id("table", 1, "v1:b") == plain
    ids = {game_id("table", number, seed) for number in (1, 2) for seed in ("v2:a", "v2:b")}
    assert len(ids) == 4
    assert plain not in ids


async def finished(room: Room, **more: Any) -> tuple[Session, Json]:
    """A short game, played to its end, and its record."""
    session, _ = await room.playing("Ann", "Bob", setup={"options": {"turn_limit": 3}}, **more)
    await set_up(session)
    while session.state.running is not None:
        player = session.decisions()[0][0].player
        assert player is not None
        await session.submit(player, does(acts.move, await move_of(session, player)))
    await until(lambda: session.report()["playing"]["id"])
    return session, await room.lobby.record(session.report()["playing"]["id"])


def test_a_finished_game_replays_and_its_shuffle_is_the_one_that_was_promised(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, record = await finished(room)
        again = json.loads(json.dumps(record))
        found = verify(again)
        assert found.problems == ()
        assert found.ending == session.report()["playing"]["ending"]
        assert record["commitment"] == session.report()["playing"]["commitment"]
        assert [each["name"] for each in record["players"]] == ["Ann", "Bob"]

    in_a_room(tmp_path, test)


def other_seed(record: Json) -> None:
    record["commitment"] = "sha256:" + "0" * 64


def own_deck(record: Json) -> None:
    record["saved"]["deck"] = [str(n) for n in range(1, 17) for _ in range(3)] + ["GIV", "TAB", "BOT", "LOW"] * 3


def other_ending(record: Json) -> None:
    record["ending"]["losers"] = [0]


def fewer_moves(record: Json) -> None:
    record["saved"]["moves"].pop()


@pytest.mark.parametrize(
    ("change", "found"),
    [(other_seed, "commitment"), (other_ending, "ending"), (fewer_moves, "replay")],
)
def test_a_record_that_was_changed_is_found_out(tmp_path: Path, change: Callable[[Json], None], found: str) -> None:
    async def test(room: Room) -> None:
        _, record = await finished(room)
        changed = copy.deepcopy(record)
        change(changed)
        assert found in verify(changed).problems

    in_a_room(tmp_path, test)


def test_a_record_with_cards_laid_by_hand_or_a_move_that_cannot_be_is_not_sound(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        _, record = await finished(room)
        changed = copy.deepcopy(record)
        own_deck(changed)
        try:
            assert "deck" in verify(changed).problems
        except Refusal as refused:
            assert "replay" in refused.text.key  # noqa: PT017 (either way it is found out)
        changed = copy.deepcopy(record)
        changed["saved"]["moves"][0]["move"] = "pick up"
        with pytest.raises(Refusal):
            verify(changed)
        wrongs: list[Json] = [None, {}, [], {"record": 1}, {**record, "saved": 3}, {**record, "record": 99}]
        for wrong in wrongs:
            with pytest.raises(Refusal):
                verify(wrong)

    in_a_room(tmp_path, test)


def test_my_games_my_data_and_being_forgotten(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await finished(room)
        store = room.lobby.store
        bob = await store.person(session.state.guests[1].person)
        assert bob is not None
        await store.visit(bob.id, session.id)
        data = await room.lobby.data_of(bob)
        assert data["person"]["name"] == "Bob"
        assert [each["what"] for each in data["games"]] == ["house"] or data["games"][0]["game"] == "karma"
        assert any(each["is"] == "moved" for each in data["tables"][0]["entries"])
        assert "v1:" not in json.dumps(data), "no seeds, not even of the next game"
        await room.lobby.forget(bob)
        assert await store.person(bob.id) is None
        kept = json.dumps(await store.entries(session.id))
        assert "Bob" not in kept
        assert bob.id not in kept
        again = await room.lobby.session(session.state.code)
        assert again.state.guests[1].name == "–"
        assert again.state.guests[0].name == "Ann"

    in_a_room(tmp_path, test)


def test_a_name_changed_is_changed_at_the_tables(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", "Bob")
        bob = await room.lobby.store.person(session.state.guests[1].person)
        assert bob is not None
        await room.lobby.rename(bob, "ann")
        assert [guest.name for guest in session.state.guests] == ["Ann", "ann 2"]
        await session.attach(bob.id, "Bobby", "later", None)
        assert session.state.guests[1].name == "Bobby", "who comes back has the name of now"

    in_a_room(tmp_path, test)


def test_there_is_no_record_of_a_game_that_nobody_finished(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", "Bob")
        assert session.report()["playing"]["id"] is None
        with pytest.raises(Refusal):
            await room.lobby.record("nothing")

    in_a_room(tmp_path, test)


def test_the_name_of_a_deleted_person_is_in_no_file_of_the_database(tmp_path: Path) -> None:
    name = "Zebediah Quux"

    def traces() -> list[str]:
        return [each.name for each in tmp_path.iterdir() if name.encode() in each.read_bytes()]

    async def test(room: Room) -> None:
        session, (ann, _) = await room.table(name, "Bob")
        person = await room.lobby.store.person(session.state.guests[ann.guest].person)
        assert person is not None
        await room.lobby.store.add_ban(BanRow("b", person.id, None, name, "", 1, None))
        await room.lobby.rename(person, name + " II")
        await session.submit(0, acts.start)
        await session.leave(0, stays=False)
        for number in range(60):  # rows that move pages about
            await room.lobby.new_person(f"Somebody {number}")
        assert traces()
        await room.lobby.forget(person)
        assert traces() == []

    in_a_room(tmp_path, test)
    assert traces() == []


def test_a_bot_is_shown_by_its_name_also_where_an_older_row_has_its_level() -> None:
    rows = [PlayerRow(i, None, name, "won") for i, name in enumerate(("careful", "careful", "Cleo", "–"))]
    rows[0] = replace(rows[0], person="a")
    assert [shown_name(each, KITS["karma"]) for each in rows] == ["careful", "Berta", "Cleo", "–"]
    assert [bot_of(each, KITS["karma"]) for each in rows] == [None, "careful", "careful", None]


def test_a_table_that_is_loaded_again_records_only_the_games_that_the_store_does_not_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded: list[str] = []
    record_game = SqliteStore.record_game

    async def counted(store: SqliteStore, row: GameRow) -> None:
        await record_game(store, row)
        recorded.append(row.id)

    monkeypatch.setattr(SqliteStore, "record_game", counted)

    async def play(room: Room) -> None:
        session, _ = await finished(room)
        for _ in range(2):
            await session.submit(0, acts.start)
            await session.by_table(lambda _, at: e.Abandoned(at=at, reason="nobody_left"))
        await until(lambda: len(recorded) == 3)

    async def load(room: Room) -> None:
        (row,) = await room.lobby.store.tables()
        session = await room.lobby.session(row.code)
        assert session.state.finished == []
        assert session.report()["playing"]["id"] is not None

    in_a_room(tmp_path, play)
    in_a_room(tmp_path, load)
    assert len(recorded) == 3, "none is recorded a second time"
    with closing(sqlite3.connect(tmp_path / "room.sqlite")) as raw:
        raw.execute("DELETE FROM games WHERE id = ?", (recorded[2],))
        raw.execute("DELETE FROM players WHERE game_id = ?", (recorded[2],))
        raw.commit()
    in_a_room(tmp_path, load)
    assert recorded[3:] == recorded[2:3], "the one that is missing is recorded"
