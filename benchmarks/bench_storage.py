"""Benchmark of storage: durable appends, replaying a table from its log, and a move with the Views of all players.

./run bench storage            all figures
./run bench storage --json     one object: one_by_one_per_s, grouped_per_s, group_factor,
                               bare_sqlite_per_s, fold_500_ms, move_four_views_us

Appends go to SQLite with synchronous=FULL in a temporary folder on the disk of the working copy. Single and grouped
appends alternate in the same run, through the same store; a bare loop over Python's sqlite3 module, one transaction per
entry, serves as a baseline. Here commits follow each other at once; a server waits 3 ms.
`--postgresql ADDRESS` also measures that database.
Replays and moves are computed in one thread: their times are processor time.
"""

import argparse
import asyncio
import json
import random
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from statistics import median

from threefold.karma import KARMA
from threefold.live import entries as e
from threefold.live.sitting import folded
from threefold.storage import Database

ROUNDS = 5
SECONDS = 1.0
APPENDERS = 256
BODY = e.encode(e.Moved(at=1_700_000_000_000, by=2, client="0123456789ab", n=123, player=2, move="play 7 7"))
MOVES = 500

Append = Callable[[str, int, str], Awaitable[None]]


async def appended(append: Append, appenders: int, name: str) -> float:
    """Acknowledged appends per second: each client waits for its entry before it sends the next."""
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
    """Single and grouped appends, in alternating rounds."""
    store = Database(address, pace_s=0)
    await store.open()
    singly, plain, together = [], [], []
    for number in range(ROUNDS):
        singly.append(await appended(store.append, 1, f"one{number}-{time.monotonic()}"))
        if folder is not None:
            plain.append(await asyncio.to_thread(plainly, folder / "plain.sqlite"))
        together.append(await appended(store.append, APPENDERS, f"many{number}-{time.monotonic()}"))
    await store.close()
    one = median(singly)
    figures = {"one_by_one_per_s": one, "grouped_per_s": median(together), "group_factor": median(together) / one}
    return figures | ({"bare_sqlite_per_s": median(plain)} if plain else {})


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
        e.Opened(at=1, by=0, code="BCDFGH", game="karma", given={}, settings=settings, person="p0", name="A", seed=seed)
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
        sitting = folded(log)
        times.append(time.process_time() - began)
    assert sitting.playing is not None
    assert sitting.playing.moves == MOVES
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
