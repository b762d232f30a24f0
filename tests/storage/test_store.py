"""The durable log and what is kept beside it: the same tests on SQLite and on PostgreSQL."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]  # it has no types
import pytest
import sqlalchemy as sa

from tests.storage.postgres import EMPTY, run_sql
from tests.waiting import until
from threefold.live.store import (
    CodeTaken,
    Conflict,
    GameRow,
    PersonRow,
    PlayerRow,
    PracticeRow,
    PuzzleRow,
    Store,
    StoreDown,
    TableRow,
)
from threefold.storage import open_store
from threefold.storage.group_commit import INTERVAL_S, Append, Keys
from threefold.storage.log import SqlLog
from threefold.storage.migrate import HEAD, MIGRATIONS, upgrade
from threefold.storage.postgres.store import CONNECTIONS, LOG_CONNECTIONS, PostgresStore
from threefold.storage.schema import meta
from threefold.storage.sqlite import connection
from threefold.storage.sqlite.connection import connect
from threefold.storage.sqlite.store import SqliteStore

ROW = TableRow("t1", "BCDFGH", "karma", listed=True, opened=10, touched=20)
GAME = GameRow(
    "g1", "t1", 1, "karma", "classic", 1, 5, 9, 2, 7, {"reason": "one_left"},
    (PlayerRow(0, "ann", "Ann", "won"), PlayerRow(1, None, "careful", "lost", 3)),
)  # fmt: skip


def with_store(address: str, test: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await open_store(address)
        try:
            await test(store)
        finally:
            await store.close()

    asyncio.run(run())


def test_what_was_appended_is_there_in_order_after_closing_and_opening(address: str) -> None:
    async def write(store: Store) -> None:
        for seq in (1, 2, 3):
            await store.append("t", seq, f'{{"n":{seq},"é":"“x”\\u0000"}}')

    async def read(store: Store) -> None:
        assert [seq for seq, _ in await store.entries("t")] == [1, 2, 3]
        assert (await store.entries("t", 1, 2)) == [(2, '{"n":2,"é":"“x”\\u0000"}')]
        assert await store.entries("nobody") == []

    with_store(address, write)
    with_store(address, read)


def test_the_same_entry_can_be_written_once(address: str) -> None:
    async def test(store: Store) -> None:
        await store.append("t", 1, "first")
        with pytest.raises(Conflict):
            await store.append("t", 1, "second")
        assert await store.entries("t") == [(1, "first")]

    with_store(address, test)


def test_of_many_who_write_the_same_entry_at_once_one_succeeds(address: str) -> None:
    async def test(store: Store) -> None:
        other = await open_store(address)
        for seq in range(1, 21):
            writers = [each.append("t", seq, f"{i}") for i in range(5) for each in (store, other)]
            found = await asyncio.gather(*writers, return_exceptions=True)
            assert sum(each is None for each in found) == 1
            assert all(each is None or isinstance(each, Conflict) for each in found)
        await other.close()
        assert [seq for seq, _ in await store.entries("t")] == list(range(1, 21))

    with_store(address, test)


def test_appends_that_wait_together_share_a_commit_and_keep_their_own_fate(address: str) -> None:
    async def test(store: Store) -> None:
        await store.append("t5", 1, "before")
        found = await asyncio.gather(*(store.append(f"t{i}", 1, "x") for i in range(300)), return_exceptions=True)
        assert [i for i, each in enumerate(found) if each is not None] == [5]
        assert isinstance(found[5], Conflict)

    with_store(address, test)


def test_callbacks_are_called_in_order_each_with_its_own_result(address: str) -> None:
    async def test(store: Store) -> None:
        await store.append("t5", 1, "before")
        commits: list[int] = []
        store.measure = lambda entries, _: commits.append(entries)
        shown: list[tuple[int, Exception | None]] = []
        for i in (*range(40), 7):  # the last is there twice in the same commit
            store.append_soon(f"t{i}", 1, f"{len(shown)}", partial(lambda i, problem: shown.append((i, problem)), i))
        assert shown == []
        await store.append("last", 1, "x")
        assert [i for i, _ in shown] == [*range(40), 7]
        assert [i for i, problem in shown if problem is not None] == [5, 7]
        assert all(isinstance(problem, Conflict) for _, problem in shown if problem is not None)
        assert sum(commits) == 42
        assert len(commits) <= 2
        assert len(await store.entries("t7")) == 1

    with_store(address, test)


def test_a_failing_callback_does_not_stop_the_others(address: str) -> None:
    async def test(store: Store) -> None:
        broken: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: broken.append(context["exception"]))
        shown: list[Exception | None] = []
        store.append_soon("a", 1, "x", lambda _: list[None]().pop())
        store.append_soon("b", 1, "x", shown.append)
        await store.append("c", 1, "x")
        assert shown == [None]
        assert [type(each) for each in broken] == [IndexError]

    with_store(address, test)


def test_commits_keep_an_interval_under_load_and_the_first_goes_at_once(address: str) -> None:
    async def test(store: Store) -> None:
        began: list[float] = []
        assert isinstance(store, SqlLog)
        write, loop = store.commits.write, asyncio.get_running_loop()

        async def timed(batch: Sequence[Append]) -> Keys | None:
            began.append(loop.time())
            return await write(batch)

        store.commits.write = timed
        for seq in range(1, 22):
            await store.append("t", seq, "x")
        gaps = sorted(after - before for before, after in pairwise(began))
        assert gaps[len(gaps) // 2] >= 0.8 * INTERVAL_S  # a loop's timer may be a little early
        waits: list[float] = []
        for seq in range(22, 42):  # one of them finds this process undisturbed, however busy the machine is
            await asyncio.sleep(2 * INTERVAL_S)
            asked = loop.time()
            await store.append("t", seq, "x")
            waits.append(began[-1] - asked)
        assert min(waits) < INTERVAL_S / 2

    with_store(address, test)


def test_closing_writes_what_waits_and_then_takes_no_more(address: str) -> None:
    async def test() -> None:
        store = await open_store(address)
        waiting = [asyncio.create_task(store.append("t", seq, "x")) for seq in (1, 2, 3)]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*waiting)
        with pytest.raises(RuntimeError):
            await store.append("t", 4, "x")

    asyncio.run(test())

    async def look(store: Store) -> None:
        assert len(await store.entries("t")) == 3

    with_store(address, look)


def test_a_writer_whose_connection_breaks_gets_another(postgresql: str) -> None:
    async def test(store: Store) -> None:
        await store.append("broken", 1, "x")
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        await run_sql(postgresql, others)
        with pytest.raises(StoreDown):
            await store.append("broken", 2, "x")
        await store.append("broken", 2, "x")
        assert len(await store.entries("broken")) == 2

    asyncio.run(run_sql(postgresql, *EMPTY))
    with_store(postgresql, test)


def test_the_log_is_read_while_hundreds_of_others_wait_for_the_database(postgresql: str) -> None:
    async def test(store: Store) -> None:
        assert isinstance(store, PostgresStore)
        await store.add_table(ROW, "first")
        sleep = sa.text("SELECT pg_sleep(3600)")
        waiting = [asyncio.create_task(store.query(lambda each: each.execute(sleep))) for _ in range(100)]
        await until(lambda: store._engine.pool.status().endswith(f"Current Checked out connections: {CONNECTIONS}"))
        await store.append("t1", 2, "second")
        assert await store.entries("t1") == [(1, "first"), (2, "second")]
        assert await store.grown({"t1": 0}) == ["t1"]
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    asyncio.run(run_sql(postgresql, *EMPTY))
    with_store(postgresql, test)


def test_many_who_read_the_log_share_its_connections(postgresql: str) -> None:
    async def test(store: Store) -> None:
        assert isinstance(store, PostgresStore)
        process = sa.text("SELECT pg_backend_pid()")
        reads = [store.read_log(lambda each: each.execute(process).scalar_one()) for _ in range(100)]
        assert len(set(await asyncio.gather(*reads))) <= LOG_CONNECTIONS

    with_store(postgresql, test)


def test_two_processes_that_write_to_the_same_tables_never_wait_for_each_other(postgresql: str) -> None:
    """The other one has written to the first table, and writes to the second while this one waits for the first."""
    insert = "INSERT INTO log (table_id, seq, body) VALUES ($1, 1, 'theirs') ON CONFLICT DO NOTHING"
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"

    async def test(store: Store) -> None:
        other, looking = await asyncpg.connect(postgresql), await asyncpg.connect(postgresql)
        async with other.transaction():
            await other.execute(insert, "a")
            ours = [asyncio.ensure_future(store.append(table, 1, "ours")) for table in ("b", "a")]
            while not await looking.fetchval(waiting):
                pass
            await other.execute(insert, "b")
        problems = await asyncio.gather(*ours, return_exceptions=True)
        assert [type(each) for each in problems] == [Conflict, Conflict]
        for each in (other, looking):
            await each.close()

    asyncio.run(run_sql(postgresql, *EMPTY))
    with_store(postgresql, test)


def test_a_sqlite_writer_that_fails_gets_a_new_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        await store.append("t", 1, "x")
        with monkeypatch.context() as patch:
            patch.setattr(connection, "connect", lambda _: sqlite3.connect(tmp_path / "no such folder" / "x"))
            with pytest.raises(ZeroDivisionError):
                await store.transact(lambda _: 1 // 0)
            with pytest.raises(StoreDown):
                await store.append("t", 2, "x")
            assert store.errors == {"OperationalError": 1}
        await store.append("t", 2, "x")
        assert len(await store.entries("t")) == 2

    with_store(str(tmp_path / "x.sqlite"), test)


def test_a_table_is_found_by_its_code_which_no_other_can_have(address: str) -> None:
    async def test(store: Store) -> None:
        await store.add_table(ROW, "opened")
        assert await store.table("BCDFGH") == ROW
        assert await store.entries("t1") == [(1, "opened")]
        with pytest.raises(CodeTaken):
            await store.add_table(TableRow("t2", "BCDFGH", "set", listed=False, opened=1, touched=1), "x")
        assert await store.entries("t2") == []
        assert await store.table("XXXXXX") is None

    with_store(address, test)


def test_tables_are_listed_if_they_want_and_while_they_are_open(address: str) -> None:
    async def test(store: Store) -> None:
        await store.add_table(ROW, "x")
        await store.add_table(TableRow("t2", "ZZZZZZ", "set", listed=False, opened=30, touched=30), "x")
        assert [row.id for row in await store.tables()] == ["t2", "t1"]
        assert [row.id for row in await store.tables(listed=True)] == ["t1"]
        await store.touch("t2", 40, playing=True)
        assert [row.id for row in await store.tables(playing=True)] == ["t2"]
        await store.relist("t2", listed=True)
        await store.touch("t1", 41, playing=False, closed=True)
        assert [row.id for row in await store.tables(listed=True)] == ["t2"]

    with_store(address, test)


def test_people_are_kept_renamed_and_forgotten(address: str) -> None:
    async def test(store: Store) -> None:
        await store.add_person(PersonRow("ann", "Ann", 1, 1))
        await store.rename_person("ann", "Anna", 5)
        assert await store.person("ann") == PersonRow("ann", "Anna", 1, 5)
        await store.add_table(ROW, "x")
        await store.visit("ann", "t1")
        await store.visit("ann", "t1")
        assert [row.id for row in await store.visited("ann")] == ["t1"]
        await store.record_game(GAME)
        assert [row.id for row in await store.games_of("ann")] == ["g1"]
        await store.forget_person("ann")
        assert await store.person("ann") is None
        assert await store.visited("ann") == []
        assert await store.games_of("ann") == []
        game = await store.game("g1")
        assert game is not None
        assert (game.players[0].person, game.players[0].name) == (None, "–")

    with_store(address, test)


@pytest.mark.parametrize("how", ["forgotten", "expired"])
def test_a_deleted_name_is_in_no_file_while_the_store_is_open(tmp_path: Path, how: str) -> None:
    name = "Wilhelmina of the many letters"

    def files_with(text: str) -> list[str]:
        return [file.name for file in tmp_path.iterdir() if text.encode() in file.read_bytes()]

    async def test(store: Store) -> None:
        await store.add_person(PersonRow("ann", name, 1, 1))
        await store.add_table(ROW, f"{name} opened")
        await store.record_game(replace(GAME, players=(PlayerRow(0, "ann", name, "won"),)))
        assert files_with(name)
        if how == "forgotten":
            await store.rewrite("t1", [(1, "somebody opened")])
        await store.forget_person("ann")
        if how == "expired":
            await store.expire(30, 30)
        assert files_with(name) == []

    with_store(str(tmp_path / "threefold.sqlite"), test)


def test_a_transfer_link_works_once_and_only_the_newest(address: str) -> None:
    async def test(store: Store) -> None:
        await store.add_person(PersonRow("ann", "Ann", 1, 1))
        await store.set_nonce("ann", "old")
        await store.set_nonce("ann", "new")
        assert not await store.spend_nonce("ann", "old")
        assert await store.spend_nonce("ann", "new")
        assert not await store.spend_nonce("ann", "new")

    with_store(address, test)


def test_the_first_look_at_a_puzzle_and_its_first_solution_count(address: str) -> None:
    async def test(store: Store) -> None:
        looks = await asyncio.gather(*(store.look_at_puzzle("ann", "basic", "2026-11-02", 50) for _ in range(8)))
        assert {row.began for row in looks} == {50}
        assert (await store.look_at_puzzle("ann", "basic", "2026-11-02", 70)).began == 50
        assert (await store.look_at_puzzle("ann", "basic", "2026-11-02", 40)).began == 40
        await store.solve_puzzle("ann", PuzzleRow("basic", "2026-11-02", 40, 60, 100))
        await store.solve_puzzle("ann", PuzzleRow("basic", "2026-11-02", 40, 10, 110))
        await store.look_at_puzzle("ann", "basic", "2026-11-02", 1)
        await store.look_at_puzzle("ben", "advanced", "2026-11-02", 1)
        assert await store.puzzles_of("ann") == [PuzzleRow("basic", "2026-11-02", 40, 60, 100)]
        for name, day, milliseconds in (
            ("cleo", "2026-11-02", 20),
            ("dov", "2026-11-02", 90),
            ("eve", "2026-11-03", 5),
        ):
            await store.look_at_puzzle(name, "basic", day, 1)
            await store.solve_puzzle(name, PuzzleRow("basic", day, 1, milliseconds, 100))
        assert await store.times_of_puzzle("basic", "2026-11-02") == [20, 60, 90]
        await store.forget_person("ann")
        assert await store.puzzles_of("ann") == []
        assert len(await store.puzzles_of("ben")) == 1

    with_store(address, test)


def test_practice_adds_up_and_a_layout_counts_once(address: str) -> None:
    async def test(store: Store) -> None:
        for milliseconds, asked in ((500, 10), (500, 10), (300, 20), (900, 30), (100, 25)):
            await store.practise("ann", 3, milliseconds, asked)
        await store.practise("ann", 1, 70, 40)
        assert await store.practice_of("ann") == [PracticeRow(1, 1, 70, 70, 40), PracticeRow(3, 3, 1700, 300, 30)]
        await store.forget_person("ann")
        assert await store.practice_of("ann") == []

    with_store(address, test)


def test_a_finished_game_is_noted_once(address: str) -> None:
    async def test(store: Store) -> None:
        await store.record_game(GAME)
        await store.record_game(GAME)
        found = await store.game("g1")
        assert found is not None
        assert (found.ending, [each.result for each in found.players]) == ({"reason": "one_left"}, ["won", "lost"])
        assert await store.game("g2") is None

    with_store(address, test)


def test_old_tables_expire_and_those_with_games_when_the_games_do(address: str) -> None:
    async def test(store: Store) -> None:
        await store.add_table(ROW, "x")
        await store.add_table(TableRow("t2", "ZZZZZZ", "set", listed=False, opened=10, touched=20), "x")
        await store.add_table(TableRow("t3", "WWWWWW", "set", listed=False, opened=10, touched=99), "x")
        await store.record_game(GAME)
        assert await store.expire(50, 0) == 1
        assert [row.id for row in await store.tables()] == ["t3"]
        assert await store.entries("t2") == []
        assert await store.entries("t1") == [(1, "x")]
        assert await store.game("g1") is not None
        assert await store.expire(50, 50) == 1
        assert await store.entries("t1") == []
        assert await store.game("g1") is None

    with_store(address, test)


def test_entries_can_be_rewritten(address: str) -> None:
    async def test(store: Store) -> None:
        for seq in (1, 2):
            await store.append("t", seq, "Ann")
        await store.rewrite("t", [(2, "–")])
        assert await store.entries("t") == [(1, "Ann"), (2, "–")]

    with_store(address, test)


def test_migrations_make_the_schema_that_the_code_reads(address: str) -> None:
    made, wanted = sa.create_engine("sqlite://"), sa.create_engine("sqlite://")
    with made.begin() as empty:
        upgrade(empty)
    meta.create_all(wanted)

    def shape(engine: sa.Engine) -> object:
        look = sa.inspect(engine)
        return {
            name: (
                [(column["name"], str(column["type"]), column["nullable"]) for column in look.get_columns(name)],
                look.get_pk_constraint(name)["constrained_columns"],
                sorted(tuple(index["column_names"]) for index in look.get_indexes(name)),
            )
            for name in look.get_table_names()
            if name != "alembic_version"
        }

    assert shape(made) == shape(wanted)
    made.dispose()
    wanted.dispose()
    newest = max(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))
    assert newest == HEAD
    for _ in range(2):
        with_store(address, _nothing)


async def _nothing(_: Store) -> None:
    return


def test_several_processes_may_bring_an_empty_database_up_to_date_at_once(postgresql: str) -> None:
    async def test() -> None:
        await run_sql(postgresql, *EMPTY)
        stores = await asyncio.gather(*(open_store(postgresql) for _ in range(3)))
        await asyncio.gather(*(store.close() for store in stores))

    asyncio.run(test())


def test_an_address_says_which_database_it_is(address: str) -> None:
    async def test(store: Store) -> None:
        assert store.name == ("postgresql" if "://" in address else "sqlite")
        assert (store.shared is None) == (store.name == "sqlite")

    with_store(address, test)
    with pytest.raises(ValueError, match="mysql"):
        asyncio.run(open_store("mysql://a@b/c"))


def test_the_sqlite_file_is_its_owners_alone_and_commits_reach_the_disk(tmp_path: Path) -> None:
    async def test(store: Store) -> None:
        await store.append("t", 1, "x")
        with closing(connect(file)) as opened:
            found = [opened.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
        assert found == ["wal", 2]
        assert "secure_delete=ON" in connection.PRAGMAS, "builds of SQLite differ in what they do by themselves"

    file = tmp_path / "new" / "x.sqlite"
    with_store(str(file), test)
    assert file.stat().st_mode & 0o777 == 0o600


def test_several_processes_may_try_to_write_at_once(address: str) -> None:
    async def test(store: Store) -> None:
        await asyncio.gather(*(store.try_writing() for _ in range(8)))
        store.trouble = "for example"
        assert await store.answers()
        assert store.trouble is None, "it could be written"

    with_store(address, test)


def test_a_log_is_compacted_and_goes_on_with_its_numbers(address: str) -> None:
    async def test(store: Store) -> None:
        for seq in range(1, 1203):
            store.append_soon("t", seq, f"{seq}", lambda _: None)
        await store.append("t", 1203, "last")
        await store.compact("t", [*range(2, 1201)], [(1201, "changed")])
        rest = [(1, "1"), (1201, "changed"), (1202, "1202"), (1203, "last")]
        assert await store.entries("t") == rest
        assert await store.entries("t", limit=2) == rest[:2]
        assert await store.entries("t", 1, limit=1) == rest[1:2]
        await store.append("t", 1204, "next")
        with pytest.raises(Conflict):
            await store.append("t", 1204, "again")

    with_store(address, test)


def test_the_public_list_has_valid_rows_of_open_listed_tables_the_newest_first(address: str) -> None:
    async def test(store: Store) -> None:
        tables = [
            TableRow(f"t{i}", f"BCDFG{letter}", "karma", listed=True, opened=i, touched=i)
            for i, letter in enumerate("BCDF")
        ]
        for row in tables:
            await store.add_table(row, "x")
            await store.list_table(row.id, f"body {row.id}", 100)
        await store.list_table("t0", "new body", 200)
        assert await store.listed_tables(50, 10) == ["body t3", "body t2", "body t1", "new body"]
        assert await store.listed_tables(50, 2) == ["body t3", "body t2"]
        assert await store.listed_tables(100, 10) == ["new body"], "the others have expired"
        await store.touch("t3", 60, playing=False, closed=True)
        await store.relist("t2", listed=False)
        await store.unlist_table("t1")
        assert await store.listed_tables(50, 10) == ["new body"]
        await store.visit("ann", "t0")
        await store.forget_person("ann")
        assert await store.listed_tables(50, 10) == [], "a list may name somebody who was deleted"

    with_store(address, test)


def test_of_many_who_look_for_a_match_at_once_each_meets_another(address: str) -> None:
    async def test(store: Store) -> None:
        codes = {f"t{i}": f"BCDF{a}{b}" for i, (a, b) in enumerate(zip("BCDFGHJK", "KJHGFDCB", strict=True))}
        for table, code in codes.items():
            await store.add_table(TableRow(table, code, "karma", listed=False, opened=1, touched=1), "x")
        claims = await asyncio.gather(*(store.claim_match("karma", f"p{each}", 10, each, 100) for each in codes))
        assert sum(each is not None for each in claims) == len(codes) // 2
        assert len({each for each in claims if each is not None}) == len(codes) // 2, "each is met once"
        assert await store.claim_match("karma", "late", 10) is None, "nobody is left over"

    with_store(address, test)


def test_an_offer_is_for_others_in_the_same_game_until_it_expires(address: str) -> None:
    async def test(store: Store) -> None:
        await store.add_table(ROW, "x")
        assert await store.claim_match("karma", "ann", 10, ROW.id, 50) is None
        assert await store.offer_of("karma", "ann", 10) == ROW.code
        for game, person, now in (("set", "bob", 10), ("karma", "ann", 10), ("karma", "bob", 50)):
            assert await store.claim_match(game, person, now) is None
        assert await store.claim_match("karma", "bob", 10) == ROW.code
        assert await store.claim_match("karma", "cem", 10) is None, "it was taken"
        await store.claim_match("karma", "ann", 10, ROW.id, 50)
        await store.withdraw_offer(ROW.id)
        assert await store.claim_match("karma", "bob", 10) is None
        await store.claim_match("karma", "ann", 10, ROW.id, 50)
        await store.forget_expired(50)
        assert await store.offer_of("karma", "ann", 10) is None

    with_store(address, test)
