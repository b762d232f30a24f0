"""SQLite's write-ahead journal: entries are durable in it, and readable before and after a checkpoint."""

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from threefold.live.store import Conflict, Store, TableRow
from threefold.storage import open_store
from threefold.storage.group_commit import Append
from threefold.storage.sqlite import journal
from threefold.storage.sqlite.backup import back_up, check
from threefold.storage.sqlite.connection import connect
from threefold.storage.sqlite.journal import WriteAheadJournal


def with_store(file: Path, test: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await open_store(str(file))
        try:
            await test(store)
        finally:
            await store.close()

    asyncio.run(run())


def rows(file: Path, what: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(what).fetchall()


def entry(table: str, seq: int, body: str = "x") -> Append:
    return Append(table, seq, body, lambda _: None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An empty database."""

    async def nothing(_: Store) -> None:
        return

    with_store(tmp_path / "x.sqlite", nothing)
    return tmp_path / "x.sqlite"


def test_an_entry_is_durable_in_the_journal_and_read_from_there_until_a_checkpoint(file: Path) -> None:
    async def test(store: Store) -> None:
        for seq in (1, 2, 3):
            await store.append("t", seq, f"{seq}")
        assert rows(file, "SELECT * FROM log") == []
        assert await store.entries("t") == [(1, "1"), (2, "2"), (3, "3")]
        assert await store.entries("t", 1, 2) == [(2, "2")]
        assert rows(file, "SELECT table_id, seq, body FROM entries ORDER BY seq") == [
            ("t", i, f"{i}") for i in (1, 2, 3)
        ]

    with_store(file, test)
    assert rows(file, "SELECT seq, body FROM log ORDER BY seq") == [(1, "1"), (2, "2"), (3, "3")]
    assert rows(file, "SELECT entries FROM journal") == [("[]",)]


def test_checkpoints_run_while_the_tables_go_on(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "CHECKPOINT_AT_LEAST", 40)
    monkeypatch.setattr(journal, "CHECKPOINT_PER_TABLE", 3)
    monkeypatch.setattr(journal, "CHECKPOINT_STEP", 7)

    async def test(store: Store) -> None:
        async def play(table: str) -> None:
            for seq in range(1, 61):
                await store.append(table, seq, f"{table} {seq}")
                assert [each for each, _ in await store.entries(table)] == list(range(1, seq + 1))

        await asyncio.gather(*(play(f"t{i}") for i in range(10)))
        assert len(rows(file, "SELECT * FROM log")) > 300

    with_store(file, test)
    assert len(rows(file, "SELECT * FROM log")) == 600
    assert {(table, body) for table, body in rows(file, "SELECT table_id, body FROM log WHERE seq = 60")} == {
        (f"t{i}", f"t{i} 60") for i in range(10)
    }


def test_two_processes_that_write_and_checkpoint_write_each_entry_once(file: Path) -> None:
    dice = random.Random(3)  # noqa: S311 (any order will do)
    with closing(connect(file)) as one, closing(connect(file)) as two:
        both = [WriteAheadJournal(one), WriteAheadJournal(two)]
        last = dict.fromkeys(["a", "b", "c"], 0)
        for number in range(400):
            who, table = dice.choice(both), dice.choice(list(last))
            seq = last[table] + dice.choice((0, 1, 1))
            new = who.append([entry(table, seq, f"{number}")]) is None
            assert new == (seq > last[table])
            last[table] = max(last[table], seq)
            if dice.random() < 0.1:
                who.checkpoint_some()
            for each in both:
                unfiled = [seq for seq, _ in each.unfiled(table)]
                log = [row[0] for row in one.execute("SELECT seq FROM log WHERE table_id = ?", (table,))]
                assert sorted({*unfiled, *log}) == list(range(1, last[table] + 1))
        both[0].checkpoint()
        both[1].checkpoint()
        assert dict(one.execute("SELECT table_id, count(*) FROM log GROUP BY 1")) == last


def test_a_late_append_conflicts_even_after_another_process_has_emptied_the_journal(file: Path) -> None:
    with closing(connect(file)) as one, closing(connect(file)) as two:
        slow, quick = WriteAheadJournal(one), WriteAheadJournal(two)
        assert slow.append([entry("t", 1)]) is None
        assert quick.append([entry("t", 2, "first"), entry("u", 1)]) is None
        quick.checkpoint()
        assert slow.append([entry("t", 2, "second"), entry("u", 2)]) == {("u", 2)}
        slow.checkpoint()
        assert rows(file, "SELECT body FROM log WHERE table_id = 't' AND seq = 2") == [("first",)]


def test_a_power_cut_during_a_checkpoint_loses_nothing_and_doubles_nothing(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "CHECKPOINT_STEP", 5)
    with closing(connect(file)) as connection:
        cut = WriteAheadJournal(connection)
        for seq in range(1, 5):
            cut.append([entry(f"t{i}", seq, f"{i} {seq}") for i in range(6)])
        cut.checkpoint_some()
        assert cut.append([entry("t0", 5, "0 5")]) is None
        assert 0 < len(rows(file, "SELECT * FROM log")) < 24

    async def test(store: Store) -> None:
        for i in range(6):
            wanted = [(seq, f"{i} {seq}") for seq in range(1, 5)] + ([(5, "0 5")] if i == 0 else [])
            assert await store.entries(f"t{i}") == wanted
        with pytest.raises(Conflict):
            await store.append("t0", 5, "again")
        await store.append("t0", 6, "on")

    with_store(file, test)
    assert rows(file, "SELECT count(*) FROM log") == [(26,)]


def test_rewritten_entries_leave_no_copy_in_the_journal(file: Path) -> None:
    async def test(store: Store) -> None:
        await store.append("t", 1, "Ann")
        await store.append("t", 2, "Ann")
        await store.rewrite("t", [(1, "–"), (2, "–")])
        assert await store.entries("t") == [(1, "–"), (2, "–")]
        assert rows(file, "SELECT entries FROM journal") == [("[]",)]

    with_store(file, test)


def test_expired_tables_leave_nothing_in_the_journal(file: Path) -> None:
    async def test(store: Store) -> None:
        await store.add_table(TableRow("t", "BCDFGH", "karma", listed=False, opened=1, touched=1), "opened")
        await store.append("t", 2, "x")
        assert await store.expire(before=10, keep_games_after=0) == 1
        assert await store.entries("t") == []
        assert rows(file, "SELECT * FROM entries") == []

    with_store(file, test)


def test_a_backup_contains_the_journal_and_old_backups_without_one_are_counted_too(file: Path, tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        await store.append("t", 1, "x")
        await store.append("t", 2, "x")
        assert back_up(file, tmp_path / "copy.sqlite") == 2

    with_store(file, test)
    with closing(sqlite3.connect(tmp_path / "old.sqlite")) as old:
        old.execute("CREATE TABLE log (table_id, seq, body)")
        old.execute("INSERT INTO log VALUES ('t', 1, 'x')")
        old.commit()
    assert check(tmp_path / "old.sqlite") == 1
