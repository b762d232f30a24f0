"""The load client, a process of its own: opens tables of four and plays at them, the same for every contestant.

python -m benchmarks.server.load CONTESTANT PORT [CORE]     then a JSON request a line, each answered by a line:
{"do": "open", "tables": 25}, {"do": "play", "seconds": 5, "rate": 0, "pid": 1234}, {"do": "close"}
`pid` is the server's: what a round costs is read at the moments between which its moves are counted.

One move is on its way at each table at any moment. It counts when its sender has the acknowledgement and all four have
been told; then the next is made, at once (rate 0) or when it is due. A delay counts from when the move was due.
"""

import asyncio
import gc
import json
import os
import random
import resource
import sys
import time
from typing import Any

import uvloop

from benchmarks.server.lines import Line, Lost
from benchmarks.server.opening import LOBBY_AFTER, OPENINGS, Web
from benchmarks.server.processes import cpu_seconds

Json = Any
AT_ONCE = 24
"""So many tables are opened at the same time."""
SETTLES_S = 10
now = time.perf_counter


class Table:
    """Four lines and the move that is on its way."""

    def __init__(self, lines: list[Line], load: "Load") -> None:
        self.lines, self.load = lines, load
        self.mover: Line | None = None
        self.want = 0
        self.missing: set[Line] = set()
        self.due = 0.0
        self.acked = False
        self.game_over = False
        for line in lines:
            line.told = self.told

    def act(self, due: float) -> None:
        """The next move, or the next game."""
        self.due = due
        self.want = max(line.seq for line in self.lines) + 1
        self.missing, self.acked = set(self.lines), False
        mover = next((line for line in self.lines if line.can_move()), None)
        self.game_over = mover is None
        if mover is None:
            self.mover = self.lines[0]
            self.lines[0].again()
        else:
            self.mover = mover
            mover.move()

    def told(self, line: Line) -> None:
        """A line has heard something."""
        if self.mover is None:
            return
        if line is self.mover and not self.acked and line.ack >= line.number:
            self.acked = True
            if not self.game_over:
                self.load.acks.append(now() - self.due)
        if line.seq >= self.want:
            self.missing.discard(line)
        if self.acked and not self.missing:
            self.mover = None
            self.load.done(self)


class Load:
    """All tables, and what was measured at them."""

    def __init__(self, contestant: str, port: int) -> None:
        self.contestant, self.port = contestant, port
        self.tables: list[Table] = []
        self.acks: list[float] = []
        self.moves = 0
        self.until = 0.0
        self.every: float | None = None
        """Seconds between a table's moves; None: as soon as can be."""

    async def open(self, tables: int) -> Json:
        """Opens tables, some at a time."""
        web = Web(self.port + LOBBY_AFTER.get(self.contestant, 0))
        turn = asyncio.Semaphore(AT_ONCE)

        async def one(number: int) -> None:
            async with turn:
                lines = await OPENINGS[self.contestant](web, self.port, f"t{number}")
            self.tables.append(Table(lines, self))

        async with asyncio.TaskGroup() as group:
            for number in range(tables):
                group.create_task(one(number))
        gc.collect()
        gc.freeze()
        return {"sockets": sum(len(table.lines) for table in self.tables)}

    def done(self, table: Table) -> None:
        """A move was made and told to all; the table goes on."""
        self.moves += not table.game_over
        present = now()
        if self.every is None or table.game_over:
            if present < self.until:
                table.act(present)
            return
        due = max(table.due + self.every, present - 10 * self.every)
        if due < self.until:
            asyncio.get_running_loop().call_later(max(0.0, due - present), table.act, due)

    async def play(self, seconds: float, rate: float, pid: int) -> Json:
        """Plays, and says what came of it; `rate` is in moves a second at all tables together."""
        loop, began, cpu = asyncio.get_running_loop(), now(), time.process_time()
        lines = [line for table in self.tables for line in table.lines]
        self.acks, self.moves, self.until = [], 0, began + seconds
        size, messages = sum(line.bytes for line in lines), sum(line.messages for line in lines)
        self.every = len(self.tables) / rate if rate else None
        for table in self.tables:
            wait = random.random() * (self.every or 0)  # noqa: S311 (any will do)
            loop.call_later(wait, table.act, began + wait)
        cost = cpu_seconds(pid)
        await asyncio.sleep(seconds)
        moves, acks, elapsed = self.moves, sorted(self.acks), now() - began
        cost = cpu_seconds(pid) - cost
        used = time.process_time() - cpu
        await self._settle()
        messages = sum(line.messages for line in lines) - messages
        return {
            "moves": moves,
            "moves_per_s": moves / elapsed,
            "moves_per_cpu_s": moves / cost if cost else None,
            "server_cpu_share": cost / elapsed,
            "ack_p50_ms": quantile(acks, 0.5),
            "ack_p99_ms": quantile(acks, 0.99),
            "client_cpu_share": used / elapsed,
            "message_bytes": (sum(line.bytes for line in lines) - size) / max(1, messages),
        }

    async def _settle(self) -> None:
        """Waits for the answers that are still on their way."""
        for _ in range(SETTLES_S * 50):
            stuck = sum(table.mover is not None for table in self.tables)
            if not stuck:
                return
            await asyncio.sleep(0.02)
        raise Lost(f"{stuck} tables wait for an answer")

    def close(self) -> None:
        """Hangs up everywhere."""
        for table in self.tables:
            for line in table.lines:
                line.end()
        self.tables.clear()


def quantile(ordered: list[float], share: float) -> float | None:
    """In milliseconds."""
    return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else None


async def converse(load: Load) -> None:
    """Does what is asked, line by line."""
    loop = asyncio.get_running_loop()
    problems: list[str] = []
    loop.set_exception_handler(lambda _, context: problems.append(repr(context.get("exception") or context)))
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        asked = json.loads(line)
        try:
            match asked["do"]:
                case "open":
                    answer = await load.open(asked["tables"])
                case "play":
                    answer = await load.play(asked["seconds"], asked["rate"], asked["pid"])
                case _:
                    load.close()
                    answer = {}
        except Exception as problem:  # noqa: BLE001 (the asker is told, whatever it is)
            answer = {"problem": repr(problem)}
        print(json.dumps({**answer, **({"problem": problems[0]} if problems else {})}), flush=True)


def main() -> None:
    """Reads where to play."""
    contestant, port, *core = sys.argv[1:]
    if core:
        os.sched_setaffinity(0, {int(core[0])})
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    gc.set_threshold(100_000, 50, 100)
    uvloop.run(converse(Load(contestant, int(port))))


if __name__ == "__main__":
    main()
