"""The speed of storage: durable appends, reads, a game restored from its log, a move with all Views.

./run bench storage            all figures
./run bench storage --json     one object

Appends go to SQLite with synchronous=FULL in a temporary folder on the disk of the working copy. What each speed-up of
storage/ gains, in alternating rounds:
- group_factor: 256 tasks that append at once, against one; here commits follow one another at once. Beside them,
  bare_sqlite_per_s is a loop of Python's own sqlite3 with one transaction per entry. `--postgresql ADDRESS` measures
  that database as well.
- journal_factor: processor time of an append straight into the log table, against one through the write-ahead journal.
- reads_per_s_1_readers, _2_ and _8_: whole logs read with this many reader threads.
fold_500_ms and move_four_views_us are pure computation in one thread, in processor time.
"""

import argparse
import asyncio
import json
import random
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median

from threefold.karma import KARMA
from threefold.live import entries as e
from threefold.live.state import fold
from threefold.live.store import answer
from threefold.storage import open_store
from threefold.storage.group_commit import INTERVAL_S, Append, GroupCommit
from threefold.storage.sqlite import store as sqlite_store
from threefold.storage.sqlite.connection import connect

ROUNDS = 5
SECONDS = 1.0
APPENDERS = 256
BODY = e.encode(e.Moved(at=1_700_000_000_000, by=2, client="0123456789ab", n=123, player=2, move="play 7 7"))
MOVES = 500

Appending = Callable[[str, int, str], Awaitable[None]]


async def appended(append: Appending, appenders: int, name: str) -> float:
    """Acknowledged appends a second: each appender waits for its entry before it sends the next."""
    until, done = time.perf_counter() + SECONDS, 0

    async def one(table: str) -> None:
        nonlocal done
        seq = 0
        while time.perf_counter() < until:
            seq += 1
            await append(table, seq, BODY)
            done += 1

    began = time.perf_counter()
    await asyncio.gather(*(one(f"{name}-{i}") for i in range(appenders)))
    return done / (time.perf_counter() - began)


def plainly(path: Path) -> float:
    """The same with only Python's sqlite3 module and one transaction per entry."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS log (t TEXT, s INTEGER, b TEXT, PRIMARY KEY (t, s)) WITHOUT ROWID"
        )
        name, seq, began = str(time.monotonic()), 0, time.perf_counter()
        while time.perf_counter() - began < SECONDS:
            seq += 1
            connection.execute("INSERT INTO log VALUES (?, ?, ?)", (name, seq, BODY))
        return seq / (time.perf_counter() - began)


async def appends(address: str, folder: Path | None) -> dict[str, float]:
    """One by one and in groups, in alternating rounds."""
    store = await open_store(address, commit_interval_s=0)
    singly, plain, grouped = [], [], []
    for number in range(ROUNDS):
        singly.append(await appended(store.append, 1, f"one{number}-{time.monotonic()}"))
        if folder is not None:
            plain.append(await asyncio.to_thread(plainly, folder / "plain.sqlite"))
        grouped.append(await appended(store.append, APPENDERS, f"many{number}-{time.monotonic()}"))
    await store.close()
    one = median(singly)
    figures = {"one_by_one_per_s": one, "grouped_per_s": median(grouped), "group_factor": median(grouped) / one}
    return figures | ({"bare_sqlite_per_s": median(plain)} if plain else {})


async def journal_factor(folder: Path) -> dict[str, float]:
    """Processor time of a durable append: through the journal, checkpoints included, and straight into the log."""
    store = await open_store(str(folder / "journal.sqlite"))
    await (await open_store(str(folder / "direct.sqlite"))).close()
    connection = connect(folder / "direct.sqlite")
    thread = ThreadPoolExecutor(1)

    def insert(batch: Sequence[Append]) -> None:
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO log VALUES (?, ?, ?)", [each[:3] for each in batch])

    async def write(batch: Sequence[Append]) -> None:
        await asyncio.get_running_loop().run_in_executor(thread, insert, batch)

    direct = GroupCommit(write, INTERVAL_S)

    async def append(table: str, seq: int, body: str) -> None:
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        direct.append_soon(table, seq, body, partial(answer, waiter))
        await waiter

    async def cpu_us(append: Appending, name: str) -> float:
        began_cpu, began = time.process_time(), time.perf_counter()
        per_s = await appended(append, APPENDERS, name)
        return 1e6 * (time.process_time() - began_cpu) / (per_s * (time.perf_counter() - began))

    journal_us, direct_us = [], []
    for number in range(ROUNDS):
        journal_us.append(await cpu_us(store.append, f"t{number}"))
        direct_us.append(await cpu_us(append, f"t{number}"))
    await direct.close()
    await store.close()
    thread.shutdown()
    connection.close()
    one, other = median(journal_us), median(direct_us)
    return {"journal_append_cpu_us": one, "direct_append_cpu_us": other, "journal_factor": other / one}


async def reads(folder: Path) -> dict[str, float]:
    """Logs of 200 entries read per second by 32 tasks, with one, two and eight reader threads."""
    usual, per_s = sqlite_store.READERS, dict[int, list[float]]()
    for number in range(ROUNDS):
        for readers in (1, 2, 8):
            sqlite_store.READERS = readers
            store = await open_store(str(folder / "reads.sqlite"))
            if number == 0 and readers == 1:
                for seq in range(1, 201):
                    store.append_soon("t", seq, BODY, lambda _: None)
            until, done = time.perf_counter() + SECONDS / 2, 0

            async def read() -> None:
                nonlocal done
                while time.perf_counter() < until:  # noqa: B023 (it is called in this turn of the loop)
                    await store.entries("t")  # noqa: B023
                    done += 1

            await asyncio.gather(*(read() for _ in range(32)))
            per_s.setdefault(readers, []).append(done / (SECONDS / 2))
            await store.close()
    sqlite_store.READERS = usual
    return {f"reads_per_s_{readers}_readers": median(each) for readers, each in per_s.items()}


def a_log() -> list[str]:
    """The log of a table with a game of 500 moves."""
    dice = random.Random(1)  # noqa: S311 (a random game)
    while True:
        seed = f"v1:{dice.randrange(10**9)}"
        table = KARMA.new({"players": 4, "seed": seed})
        setup = KARMA.setup(table)
        moves: list[tuple[int, str]] = []
        while len(moves) < MOVES and KARMA.ending(table) is None:
            decision = KARMA.decisions(table)[0]
            assert decision.player is not None
            moves.append((decision.player, dice.choice(decision.moves)))
            table = KARMA.play(table, *moves[-1]).table
        if len(moves) == MOVES:
            break
    settings = e.Settings(seats=4)
    entries: list[e.Entry] = [
        e.Opened(at=1, by=0, code="BCDFGH", game="karma", setup={}, settings=settings, person="p0", name="A", seed=seed)
    ]
    entries += [e.Joined(at=1, by=i, person=f"p{i}", name=f"P{i}") for i in (1, 2, 3)]
    entries += [e.Sat(at=1, by=i, seat=i) for i in range(4)]
    entries.append(e.Started(at=2, by=0, rules=KARMA.rules_version, setup=setup, seats=[0, 1, 2, 3], next_seed="v1:x"))
    entries += [
        e.Moved(at=3 + i, by=player, client="0123456789ab", n=i, player=player, move=move)
        for i, (player, move) in enumerate(moves)
    ]
    return [e.encode(each) for each in entries]


def fold_ms(log: list[str]) -> float:
    """The median time to replay a table from its log."""
    times = []
    for _ in range(15):
        began = time.process_time()
        state = fold(enumerate(log, 1))
        times.append(time.process_time() - began)
    assert state.current is not None
    assert state.current.moves == MOVES
    return 1e3 * median(times)


def move_us(log: list[str]) -> float:
    """The mean time of a move (check, play, and four Views): the median over many games."""
    times = []
    entries = [e.decode(each) for each in log]
    started = next(each for each in entries if isinstance(each, e.Started))
    moves = [each for each in entries if isinstance(each, e.Moved)]
    for _ in range(15):
        table = KARMA.new(started.setup)
        began = time.process_time()
        for each in moves:
            table = KARMA.play(table, each.player, each.move).table
            for viewer in range(4):
                KARMA.view(table, viewer)
        times.append((time.process_time() - began) / len(moves))
    return 1e6 * median(times)


def main() -> None:
    """Measures and prints."""
    options = argparse.ArgumentParser(description="How fast tables are kept.")
    options.add_argument("--json", action="store_true")
    options.add_argument("--postgresql", help="postgresql://… to be measured too")
    chosen = options.parse_args()
    folder = Path(tempfile.mkdtemp(prefix=".bench-storage-", dir=Path(__file__).parent))
    try:
        figures = asyncio.run(appends(str(folder / "bench.sqlite"), folder))
        figures |= asyncio.run(journal_factor(folder)) | asyncio.run(reads(folder))
        if chosen.postgresql:
            there = asyncio.run(appends(chosen.postgresql, None))
            figures |= {f"postgresql_{name}": value for name, value in there.items()}
    finally:
        shutil.rmtree(folder)
    log = a_log()
    figures |= {"fold_500_ms": fold_ms(log), "move_four_views_us": move_us(log)}
    figures = {name: round(value, 1) for name, value in figures.items()}
    if chosen.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:32} {value:12,.1f}")


if __name__ == "__main__":
    main()
