"""A cluster to break: a PostgreSQL and several server processes, with functions that kill and start them."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Self

from tests.soak.audit import Down
from tests.soak.history import now
from tests.storage.postgres import PostgreSQL, run_sql, running
from tests.web.server import NURSERY, ServerOftenCut

ERROR = re.compile(r'"level": "(error|critical)"|^Traceback|Task exception was never retrieved')
UNUSABLE = "the database cannot be used"
"""What a server logs when the database fails, once for each trouble."""
NOTICED_WITHIN_S = 2.0
"""A request that began while the database was stopped may fail this long after it was back."""
CUT_LISTENERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'threefold notices'"


def is_expected(line: str, downs: Sequence[Down]) -> bool:
    """Does this line of a log only say that the database cannot be used, at a time in which it was stopped?"""
    try:
        entry = json.loads(line)
    except ValueError:
        return False
    if entry["event"] != UNUSABLE:
        return False
    at = datetime.fromisoformat(entry["timestamp"]).timestamp()
    return any(began <= at <= ended + NOTICED_WITHIN_S for began, ended in downs)


class Node(ServerOftenCut):
    """A numbered server process, in its own process group, so Ctrl-C does not reach it."""

    def __init__(self, number: int, data_dir: Path, **environment: str) -> None:
        super().__init__(data_dir, **environment)
        self.number = number
        self.log = data_dir / f"process-{number}.log"
        self.up = False

    def complaints(self, downs: Sequence[Down] = ()) -> list[str]:
        """The errors in the log of this process, except that the database cannot be used while it is stopped."""
        lines = self.log.read_text("utf-8").splitlines()
        return [line for line in lines if ERROR.search(line) and not is_expected(line, downs)]

    def start(self) -> Self:
        if self.process is None:
            environment = {**os.environ, **self.environment}
            pipe = subprocess.PIPE
            command = [sys.executable, "-c", NURSERY]
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    command, text=True, env=environment, stdin=pipe, stdout=pipe, stderr=log, start_new_session=True
                )
        try:
            super().start()
        except AssertionError as problem:
            raise AssertionError(f"{problem}: {self.log.read_text('utf-8')[-2000:]}") from None
        self.up = True
        return self

    def kill(self) -> None:
        if self.up:
            self.up = False
            super().kill()

    def hand_over(self) -> None:
        """Stops the server gracefully, as for an upgrade."""
        assert self.process is not None
        assert self.process.stdout is not None
        if self.up:
            self.up = False
            os.kill(self.child, signal.SIGTERM)
            assert self.process.stdout.readline() == "gone\n"

    def kill_in_hand_over(self, seconds: float) -> None:
        """Kills the server this long after it was asked to stop."""
        if self.up:
            os.kill(self.child, signal.SIGTERM)
            time.sleep(seconds)
            self.up = False
            super().kill()

    def stop(self) -> None:
        """Kills the process and all its children."""
        if self.process is not None:
            self.up = False
            os.killpg(self.process.pid, signal.SIGKILL)
            self._gone()
            if self.process.stdin is not None:
                self.process.stdin.close()


class Cluster:
    """The whole cluster. It counts the failures and records the times in which the database was down."""

    def __init__(self, nodes: list[Node], database: PostgreSQL | None) -> None:
        self.nodes = nodes
        self.database = database
        self.downs: list[Down] = []
        self.done: dict[str, int] = {
            "killed": 0,
            "killed while handing over": 0,
            "handed over": 0,
            "database stopped": 0,
            "notices cut": 0,
        }
        self._one_at_a_time = asyncio.Lock()
        """Prevents starting a process while the database is stopped."""

    @property
    def up(self) -> list[Node]:
        """The processes that are running."""
        return [each for each in self.nodes if each.up]

    async def _again(self, node: Node, how: str, end: Callable[[], None], after: float) -> None:
        self.done[how] += 1
        await asyncio.to_thread(end)
        await asyncio.sleep(after)
        async with self._one_at_a_time:
            await asyncio.to_thread(node.start)

    async def kill(self, node: Node, after: float) -> None:
        """Kills a process, and starts it again a while later."""
        await self._again(node, "killed", node.kill, after)

    async def kill_in_hand_over(self, node: Node, after: float) -> None:
        """Asks a process to stop, and kills it while it does."""
        await self._again(node, "killed while handing over", lambda: node.kill_in_hand_over(after / 10), after)

    async def hand_over(self, node: Node, after: float) -> None:
        """Stops a process gracefully, and starts it again a while later."""
        await self._again(node, "handed over", node.hand_over, after)

    async def stop_database(self, seconds: float, *, crash: bool) -> None:
        """Stops the database under load, and starts it again."""
        assert self.database is not None
        async with self._one_at_a_time:
            self.done["database stopped"] += 1
            began = now()
            try:
                await asyncio.to_thread(self.database.stop, crash=crash)
                await asyncio.sleep(seconds)
                await asyncio.to_thread(self.database.start)
            finally:
                self.downs.append((began, now()))

    async def cut_notices(self) -> None:
        """Closes every connection that listens for notices."""
        if self.database is not None:
            async with self._one_at_a_time:
                self.done["notices cut"] += 1
                await run_sql(self.database.address, CUT_LISTENERS)


@contextmanager
def cluster(folder: Path, processes: int, *, sqlite: bool = False, **environment: str) -> Iterator[Cluster]:
    """A new cluster, removed afterwards with all its processes."""
    with ExitStack() as stack:
        database = None if sqlite else stack.enter_context(running())
        if database is not None:
            environment["THREEFOLD_DATABASE"] = database.address
        nodes = [Node(number, folder, **environment) for number in range(1 if sqlite else processes)]
        for each in nodes:
            stack.callback(each.stop)
            each.start()
        yield Cluster(nodes, database)
