"""The contestants as processes: ours with a log on the disk, the peers from npm with everything in memory."""

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import hatch_build
from benchmarks.server.processes import memory_kb

Json = Any
ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PEERS = ROOT / ".bench" / "server-peers"
FILES = ("package.json", "package-lock.json", ".npmrc")
STARTS_WITHIN_S = 60
COMPILES_WITHIN_S = 180
ENDS_WITHIN_S = 20
MANY = "1000000"


def install_peers() -> Path:
    """Installs the peers, as locked, unless they are there; gives the folder of Node."""
    folder, npm = hatch_build.node_and_npm()
    wanted = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in FILES)).hexdigest()
    ready = PEERS / ".ready"
    if not ready.exists() or ready.read_text("utf-8") != wanted:
        print("threefold: installing the peers from npm", file=sys.stderr, flush=True)
        PEERS.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            (PEERS / name).write_bytes((HERE / name).read_bytes())
        command = [*npm, "install", "--no-save", "--no-audit", "--ignore-scripts", "--loglevel=error"]
        subprocess.run(command, cwd=PEERS, env=hatch_build.environment(folder), check=True, stdout=sys.stderr)
        ready.write_text(wanted, "utf-8")
    return folder


def free_port() -> int:
    """A port that is free, and the one after it too."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port: int = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port


@dataclass(slots=True)
class Cores:
    """Where the server and the load client run; None: wherever there is room."""

    server: int | None
    client: int | None


def cores() -> Cores:
    """One core each, where there are two."""
    found = sorted(os.sched_getaffinity(0))
    return Cores(found[0], found[1]) if len(found) > 1 else Cores(None, None)


def ours(port: int, data: Path, _: Path) -> tuple[list[str], dict[str, str]]:
    """`threefold serve` as it is, with room for thousands of sockets from one address."""
    room = {"THREEFOLD_RATES": MANY, "THREEFOLD_SOCKETS_PER_ADDRESS": MANY, "THREEFOLD_COUNTDOWN_MS": "0"}
    return [sys.executable, "-m", "threefold", "serve", "--port", str(port), "--data-dir", str(data)], room


def earlier(folder: Path) -> Callable[[int, Path, Path], tuple[list[str], dict[str, str]]]:
    """Threefold from another checkout, run by the same Python: for comparing with an earlier state."""

    def start(port: int, data: Path, node: Path) -> tuple[list[str], dict[str, str]]:
        command, room = ours(port, data, node)
        return command, {**room, "PYTHONPATH": str(folder / "src")}

    return start


def boardgame(port: int, _: Path, node: Path) -> tuple[list[str], dict[str, str]]:
    """boardgame.io in memory."""
    return [str(node / "node"), str(HERE / "boardgame.cjs"), f"{PEERS}/", str(port)], {"NODE_ENV": "production"}


def colyseus(port: int, _: Path, node: Path) -> tuple[list[str], dict[str, str]]:
    """Colyseus in memory."""
    return [str(node / "node"), str(HERE / "colyseus.mjs"), f"{PEERS}/", str(port)], {"NODE_ENV": "production"}


CONTESTANTS: dict[str, Callable[[int, Path, Path], tuple[list[str], dict[str, str]]]] = {
    "threefold": ours,
    "boardgame.io": boardgame,
    "colyseus": colyseus,
}


class Failed(Exception):
    """A contestant or its load client did not do what it should."""


class Contest:
    """A contestant's server and the load client that plays there."""

    def __init__(self, name: str, port: int, server: subprocess.Popen[bytes], client: subprocess.Popen[str]) -> None:
        self.name, self.port, self.server, self.client = name, port, server, client
        self.before_kb = 0
        self.sockets = 0

    def ask(self, **what: Json) -> Json:
        """Tells the client what to do, and waits for its answer."""
        assert self.client.stdin is not None
        assert self.client.stdout is not None
        self.client.stdin.write(json.dumps(what) + "\n")
        self.client.stdin.flush()
        line = self.client.stdout.readline()
        answer = json.loads(line) if line else {"problem": "the load client ended"}
        if "problem" in answer:
            raise Failed(f"{self.name}: {answer['problem']}")
        return answer

    def open(self, sockets: int) -> None:
        """Opens the sockets, after a table has been played at and left, so that all code has run once."""
        self.ask(do="open", tables=1)
        self.ask(do="play", seconds=1.5, rate=0, pid=self.server.pid)
        self.ask(do="close")
        time.sleep(0.5)
        self.before_kb = memory_kb(self.server.pid)
        self.sockets = self.ask(do="open", tables=sockets // 4)["sockets"]

    def round(self, seconds: float, rate: float = 0) -> Json:
        """One round, with what it cost the server."""
        return self.ask(do="play", seconds=seconds, rate=rate, pid=self.server.pid)

    def kb_per_socket(self) -> float:
        """Memory that came with the sockets and the play on them."""
        return (memory_kb(self.server.pid) - self.before_kb) / self.sockets


@contextmanager
def contest(name: str, node: Path, where: Cores) -> Iterator[Contest]:
    """Starts a contestant and a load client; both are gone afterwards, and so is what was stored."""
    port = free_port()
    with tempfile.TemporaryDirectory(dir=PEERS.parent) as made, (Path(made) / "server.log").open("w+") as log:
        command, more = CONTESTANTS[name](port, Path(made), node)
        server = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **more}, stdout=log, stderr=log)
        if where.server is not None:
            os.sched_setaffinity(server.pid, {where.server})
        core = [] if where.client is None else [str(where.client)]
        client = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.server.load", name.partition(" ")[0], str(port), *core],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            wait_for(name, port, server)
            if name.startswith("threefold"):
                wait_until_compiled(port)
            yield Contest(name, port, server, client)
        except Failed as problem:
            if not str(problem).startswith(name):
                raise
            log.seek(0)
            raise Failed(f"{problem}\n{log.read()[-2000:]}") from None
        finally:
            end(client)
            end(server)


def wait_for(name: str, port: int, server: subprocess.Popen[bytes]) -> None:
    """Returns when the server answers."""
    until = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < until and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise Failed(f"{name} did not start")


def wait_until_compiled(port: int) -> None:
    """Returns when games that begin are played compiled: at the first start that takes half a minute."""
    until = time.monotonic() + COMPILES_WITHIN_S
    while time.monotonic() < until:
        with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            if b"threefold_compiled 1.0" in answer.read():
                return
        time.sleep(0.2)
    raise Failed("threefold was not compiled")


def end(process: subprocess.Popen[Any]) -> None:
    """Ends a process, kindly if it can be."""
    for each in (process.stdin, process.stdout):
        if each is not None:
            each.close()
    for how in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            process.send_signal(how)
            try:
                process.wait(ENDS_WITHIN_S)
            except subprocess.TimeoutExpired:
                continue
