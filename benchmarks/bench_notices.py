"""The cost of notices between processes: appends to PostgreSQL with and without them, and the delay of a notice.

./run bench notices            all figures, from a PostgreSQL that is started for it
./run bench notices --json     one object: appends_per_s, appends_told_per_s, share, notice_p50_ms, notice_p99_ms,
                               count_us

256 tables append at once, each waiting for its entry before the next; rounds with and without a notice for every
entry alternate in the same run. The sender also receives the notices, so this is the worst case: a server sends notices
only about tables that another process has in memory. `count_us` is the cost of the metrics per message.
"""

import argparse
import asyncio
import json
import sys
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.storage.postgres import throw_away
from threefold.live import notices as n
from threefold.live.measures import Measures
from threefold.live.store import Store
from threefold.storage import open_store

ROUNDS = 5
SECONDS = 1.0
TABLES = 256
NOTICES = 500
MESSAGES = 200_000
BODY = '{"is":"moved","at":1700000000000,"by":2,"client":"0123456789ab","n":123,"player":2,"move":"play 7 7"}'


async def appended(store: Store, name: str) -> float:
    """Acknowledged appends a second."""
    until, done = time.perf_counter() + SECONDS, 0

    async def one(table: str) -> None:
        nonlocal done
        seq = 0
        while time.perf_counter() < until:
            seq += 1
            await store.append(table, seq, BODY)
            done += 1

    began = time.perf_counter()
    await asyncio.gather(*(one(f"{name}-{i}") for i in range(TABLES)))
    return done / (time.perf_counter() - began)


async def measured(address: str) -> dict[str, float]:
    """Appends without and with notices in turns, then single notices."""
    store = await open_store(address)
    shared = store.shared
    assert shared is not None
    notices, received = shared.notices(), asyncio.Event()
    await notices.open(lambda _: received.set(), lambda: None)
    without: list[float] = []
    with_notices: list[float] = []
    for turn in range(ROUNDS):
        shared.on_commit = None
        without.append(await appended(store, f"without-{turn}"))
        shared.on_commit = lambda new: notices.send(n.payloads("bench", [n.Wrote(*each) for each in new]))
        with_notices.append(await appended(store, f"with-{turn}"))
    await asyncio.sleep(0.5)
    took = []
    for _ in range(NOTICES):
        received.clear()
        began = time.perf_counter()
        notices.send(n.payloads("bench", [n.Wrote("a-table", 1)]))
        await received.wait()
        took.append(1000 * (time.perf_counter() - began))
    await notices.close()
    await store.close()
    took.sort()
    return {
        "appends_per_s": median(without),
        "appends_told_per_s": median(with_notices),
        "share": median(with_notices) / median(without),
        "notice_p50_ms": took[NOTICES // 2],
        "notice_p99_ms": took[NOTICES * 99 // 100],
    }


def count_us() -> float:
    """Microseconds of processor time to count one message."""
    measures = Measures()
    for _ in range(100):
        measures.handled("karma", "BBBBBB", "Move", 1.0, None)
    began = time.process_time()
    for _ in range(MESSAGES):
        measures.handled("karma", "BBBBBB", "Move", 0.003, None)
    return 1e6 * (time.process_time() - began) / MESSAGES


def main() -> None:
    """Measures and prints."""
    options = argparse.ArgumentParser(description="The cost of notices between processes.")
    options.add_argument("--json", action="store_true")
    options.add_argument("--postgresql", help="postgresql://… instead of one that is started for it")
    chosen = options.parse_args()
    if chosen.postgresql:
        figures = asyncio.run(measured(chosen.postgresql))
    else:
        with throw_away() as address:
            figures = asyncio.run(measured(address))
    figures = {name: round(value, 2) for name, value in (figures | {"count_us": count_us()}).items()}
    if chosen.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:32} {value:12,.2f}")


if __name__ == "__main__":
    main()
