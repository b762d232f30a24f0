"""How long a server takes to start with many tables in its database: `./run bench start`.

Each table has a game of Karma between two people with a few moves; at some of them the game still runs, and those are
loaded at the start. A second figure is a long log: one table with many arrangements, loaded while others wait.
"""

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path

from threefold.karma import KARMA
from threefold.live import entries as e
from threefold.live.bot_runner import BotWorkers
from threefold.live.clock import WallClock
from threefold.live.loading import load_state
from threefold.live.lobby import Lobby
from threefold.live.store import TableRow
from threefold.storage import open_store

LETTERS = "BCDFGHJKLM"
AT = 1_700_000_000_000


def code_of(number: int) -> str:
    """A table code for each number."""
    return "".join(LETTERS[int(digit)] for digit in f"{number:06d}")


def log_of(code: str) -> list[str]:
    """A table at which a game has begun."""
    setup = KARMA.setup(KARMA.new({"players": 2, "seed": f"v2:{code}"}))
    settings = e.Settings(seats=2)
    started = e.Started(at=AT, by=0, rules=KARMA.rules_version, setup=setup, seats=[0, 1], next_seed="v2:x")
    entries: list[e.Entry] = [
        e.Opened(at=AT, by=0, code=code, game="karma", setup={}, settings=settings, person="a", name="A", seed="v2:x"),
        e.Joined(at=AT, by=1, person="b", name="B"),
        e.Sat(at=AT, by=0, seat=0),
        e.Sat(at=AT, by=1, seat=1),
        started,
    ]
    return [e.encode(each) for each in entries]


async def fill(file: Path, tables: int, playing: int) -> None:
    """Writes the tables; at the first `playing` of them the game runs."""
    store = await open_store(str(file))
    try:
        for number in range(tables):
            code = code_of(number)
            first, *rest = log_of(code)
            row = TableRow(f"t{number}", code, "karma", listed=False, opened=AT, touched=AT, playing=number < playing)
            await store.add_table(row, first)
            await asyncio.gather(*(store.append(row.id, seq, body) for seq, body in enumerate(rest, 2)))
    finally:
        await store.close()


async def start(file: Path) -> tuple[float, float, int]:
    """Seconds until the lobby is open, seconds until all running games are in memory, and their number."""
    began = time.perf_counter()
    store = await open_store(str(file))
    lobby = Lobby(store, WallClock(), BotWorkers(), expire_days=100_000)
    await lobby.open()
    open_s = time.perf_counter() - began
    while lobby.loading:  # noqa: ASYNC110 (only here does anybody wait for it)
        await asyncio.sleep(0.01)
    loaded_s, loaded = time.perf_counter() - began, len(lobby.sessions)
    await lobby.close()
    await store.close()
    return open_s, loaded_s, loaded


async def long_log(file: Path, entries: int) -> tuple[float, float]:
    """Seconds to load a log of arrangements, and the longest that others had to wait meanwhile, in milliseconds."""
    store = await open_store(str(file))
    try:
        first, *rest = log_of("ZZZZZZ")[:3]
        await store.add_table(TableRow("long", "ZZZZZZ", "karma", listed=False, opened=AT, touched=AT), first)
        bodies = [*rest, *([e.encode(e.Stood(at=AT, by=0)), e.encode(e.Sat(at=AT, by=0, seat=0))] * (entries // 2))]
        for first_seq in range(0, len(bodies), 1000):
            part = enumerate(bodies[first_seq : first_seq + 1000], first_seq + 2)
            await asyncio.gather(*(store.append("long", seq, body) for seq, body in part))
        longest = 0.0

        async def others() -> None:
            nonlocal longest
            while True:
                began = time.perf_counter()
                await asyncio.sleep(0)
                longest = max(longest, time.perf_counter() - began)

        other = asyncio.create_task(others())
        began = time.perf_counter()
        await load_state(store, "long", AT)
        seconds = time.perf_counter() - began
        other.cancel()
        return seconds, 1000 * longest
    finally:
        await store.close()


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="./run bench start", description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--playing", type=int, default=1000, help="tables at which a game runs")
    parser.add_argument("--entries", type=int, default=100_000, help="length of the long log")
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="threefold-start-") as folder:
        file = Path(folder) / "threefold.sqlite"
        asyncio.run(fill(file, arguments.tables, arguments.playing))
        open_s, loaded_s, loaded = asyncio.run(start(file))
        load_s, waited_ms = asyncio.run(long_log(file, arguments.entries))
    figures = {
        "tables": arguments.tables,
        "loaded": loaded,
        "start_s": round(open_s, 2),
        "loaded_s": round(loaded_s, 2),
        "long_log_entries": arguments.entries,
        "long_log_s": round(load_s, 2),
        "others_waited_ms": round(waited_ms, 1),
    }
    print(json.dumps(figures) if arguments.json else "\n".join(f"{name} {value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
