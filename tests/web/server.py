"""A server of its own for tests: a real process on a loopback port, and people who talk to it."""

import asyncio
import gc
import json
import logging
import os
import re
import secrets
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import httpx
import structlog
import uvicorn
import websockets
from websockets.asyncio.client import ClientConnection, connect

from tests.games.war import KIT as WAR
from tests.waiting import PATIENCE_S, wait_until
from threefold.games import KITS as GAMES_ON_OFFER
from threefold.live.bot_runner import choice_of
from threefold.web.app import create_app
from threefold.web.settings import ServerSettings

Json = Any
KITS = GAMES_ON_OFFER.with_kit(WAR)
"""The games that a test server may have."""
COMMAND = [sys.executable, "-m", "threefold"]
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Everything stays on loopback, without certificates; loading them takes 80 ms for each client."""


class Server:
    """`threefold serve`, started and ended by the test."""

    def __init__(self, data_dir: Path, *, host: str = "127.0.0.1", **environment: str) -> None:
        self.data_dir = data_dir
        self.host = host
        self.environment = {
            "THREEFOLD_COUNTDOWN_MS": "0",
            "THREEFOLD_SOCKETS_PER_PERSON": "200",
            "THREEFOLD_SOCKETS_PER_ADDRESS": "2000",
        } | environment
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> Self:
        """Starts it and waits until it answers. After the first time the port stays the same."""
        command = [*COMMAND, "serve", "--host", self.host, "--port", str(self.port), "--data-dir", str(self.data_dir)]
        environment = {**os.environ, **self.environment}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        self._answers(self.process.stdout.readline())
        return self

    def _answers(self, line: str) -> None:
        """Waits until the server that has told its address answers there."""
        assert self.process is not None
        found = re.search(r":(\d+)/", line)
        assert found is not None, line
        self.port = int(found.group(1))
        wait_until(self._is_healthy, "for the server to answer")

    def _is_healthy(self) -> bool:
        assert self.process is not None
        try:
            return httpx.get(f"{self.url}/api/health", timeout=PATIENCE_S, verify=NO_TLS).is_success
        except httpx.HTTPError:
            assert self.process.poll() is None, "the server ended by itself"
            return False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def memory(self) -> int:
        """Bytes in use."""
        assert self.process is not None
        statm = Path(f"/proc/{self.process.pid}/statm")
        if statm.exists():  # a bare Debian has no `ps`
            return int(statm.read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
        shown = subprocess.run(["ps", "-o", "rss=", "-p", str(self.process.pid)], capture_output=True, check=True)
        return 1024 * int(shown.stdout)

    def kill(self) -> None:
        """As a power cut does."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self._gone()

    def stop(self) -> None:
        """As Ctrl-C does."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self._gone()

    def _gone(self) -> None:
        assert self.process is not None
        self.process.wait(timeout=PATIENCE_S)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def client(self, cookie: str = "") -> httpx.Client:
        """Somebody's browser."""
        return httpx.Client(base_url=self.url, timeout=PATIENCE_S, headers={"Cookie": cookie} if cookie else {})

    @contextmanager
    def people(self, *names: str) -> Iterator[list[httpx.Client]]:
        """People with cookies."""
        with ExitStack() as stack:
            found = []
            for name in names:
                client = stack.enter_context(httpx.Client(base_url=self.url, timeout=PATIENCE_S))
                client.post("/api/me", json={"name": name}).raise_for_status()
                found.append(client)
            yield found


NURSERY = """
import os, sys
import uvicorn, uvloop, threefold.web.app
from threefold.cli import app
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        app(line.split())
    print(child, flush=True)
    os.waitpid(child, 0)
    print("gone", flush=True)
"""


def port_of_its_own() -> int:
    """A free port that no connection is given while its server is away: those have higher numbers."""
    while True:
        with socket.socket() as tried, suppress(OSError):
            tried.bind(("127.0.0.1", 15_000 + secrets.randbelow(17_000)))
            port: int = tried.getsockname()[1]
            return port


class ServerOftenCut(Server):
    """The same server, forked from a process that has loaded everything: to be killed and started many times."""

    def __init__(self, data_dir: Path, **environment: str) -> None:
        super().__init__(data_dir, **environment)
        self.port = port_of_its_own()
        self.child = 0

    def start(self) -> Self:
        if self.process is None:
            environment = {**os.environ, **self.environment}
            pipe = subprocess.PIPE
            command = [sys.executable, "-c", NURSERY]
            self.process = subprocess.Popen(command, text=True, env=environment, stdin=pipe, stdout=pipe)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"serve --port {self.port} --data-dir {self.data_dir}\n")
        self.process.stdin.flush()
        lines = sorted(self.process.stdout.readline() for _ in range(2))
        self.child = int(lines[0])
        self._answers(lines[1])
        return self

    def kill(self) -> None:
        assert self.process is not None
        assert self.process.stdout is not None
        os.kill(self.child, signal.SIGKILL)
        assert self.process.stdout.readline() == "gone\n"

    def stop(self) -> None:
        if self.process is not None:
            self.kill()
            assert self.process.stdin is not None
            self.process.stdin.close()
            self._gone()


class ServerInThread(Server):
    """The same server in a thread of this process, so that a test can look inside."""

    def __init__(self, data_dir: Path, ws: str = "threefold.web.table_socket:TableSocket", **config: Any) -> None:
        super().__init__(data_dir)
        self.before = gc.get_threshold(), structlog.get_config(), logging.root.handlers[:], logging.root.level
        app = create_app(ServerSettings(data_dir=data_dir, rates=0, countdown_ms=0))
        config = {"http": "threefold.web.http_connection:HttpConnection", "loop": "uvloop", "ws": ws} | config
        self.server = uvicorn.Server(uvicorn.Config(app, log_config=None, **config))
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # unread data is noticed soon
        self.listener.bind(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.server.run, args=([self.listener],))

    def start(self) -> Self:
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive()
            time.sleep(0.01)
        return self

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive()
        threshold, notes, handlers, level = self.before
        gc.unfreeze()
        gc.set_threshold(*threshold)
        structlog.configure(**notes)
        logging.basicConfig(handlers=handlers, level=level, force=True)


def fetched(url: str, **more: Any) -> httpx.Response:
    """Somebody without a cookie asks; httpx alone would give up after five seconds."""
    return httpx.get(url, timeout=PATIENCE_S, **more)


def cookie_of(client: httpx.Client) -> str:
    """The cookie as a header."""
    return "; ".join(f"{name}={value}" for name, value in client.cookies.items())


class Guest:
    """Somebody at a table: remembers what was told last, and every byte that came."""

    def __init__(
        self,
        server: Server,
        code: str,
        *,
        cookie: str | None = None,
        token: str | None = None,
        reach: Callable[[int], Awaitable[socket.socket]] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.server = server
        self.headers = headers or {}
        self.reach = reach
        self.code = code
        self.cookie = cookie
        self.token = token
        self.client = os.urandom(6).hex()
        self.n = 0
        self.sent: dict[int, Json] = {}
        self.raw: list[bytes] = []
        self.received: list[Json] = []
        self.welcome: Json = None
        self.table: Json = None
        self.view: Json = None
        self.seq = 0
        self.ack = 0
        self.probes = 0
        """Probes answered: the table knows the way by them."""
        self.changed = asyncio.Condition()
        self.socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None

    async def open(self, *, since: int | None = None) -> Self:
        """Opens the line and says hello."""
        headers = {**self.headers, "Cookie": self.cookie} if self.cookie else self.headers
        address = f"ws://127.0.0.1:{self.server.port}/api/tables/{self.code}/socket"
        way: Json = {} if self.reach is None else {"sock": await self.reach(self.server.port)}
        self.socket = await connect(
            address, additional_headers=headers, compression=None, max_size=None, open_timeout=PATIENCE_S, **way
        )
        await self.send({"is": "hello", "protocol": 1, "client": self.client, "since": since, "token": self.token})
        self._reader = asyncio.create_task(self._read())
        await self.until(lambda: self.welcome is not None or self.closed)
        return self

    async def _read(self) -> None:
        assert self.socket is not None
        try:
            async for text in self.socket:
                raw = text.encode() if isinstance(text, str) else text
                message = json.loads(raw)
                if message["is"] == "probe":
                    await self.probed(message["mark"])
                    continue
                self._take(raw, message)
                async with self.changed:
                    self.changed.notify_all()
        except (websockets.ConnectionClosed, ConnectionError):
            pass
        async with self.changed:
            self.changed.notify_all()

    def _take(self, raw: bytes, message: Json) -> None:
        self.raw.append(raw)
        self.received.append(message)
        self.seq = max(self.seq, message.get("seq", 0))
        self.ack = max(self.ack, message.get("ack", 0))
        if message["is"] == "welcome":
            self.welcome = message
        elif message["is"] == "table":
            self.table = message
        elif message["is"] == "view":
            self.view = message

    async def probed(self, mark: str) -> None:
        """Answers the table, which measures the way."""
        await self.send({"is": "probed", "mark": mark})
        self.probes += 1
        async with self.changed:
            self.changed.notify_all()

    async def measured(self, probes: int) -> None:
        """Returns when the table has heard the answers to this many probes: the ping behind them is acknowledged."""
        if self.server.environment.get("THREEFOLD_FAIR_WINDOW_MS") != "0":  # without a window nothing is measured
            await self.until(lambda: self.probes >= probes)
            await self.ask("ping")

    async def send(self, message: Json) -> None:
        assert self.socket is not None
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def ask(self, what: str, **fields: Json) -> int:
        """Sends a numbered message and waits until it is dealt with; gives its number."""
        self.n += 1
        n = self.n
        self.sent[n] = {"is": what, "n": n, **fields}
        try:
            await self.send(self.sent[n])
        except websockets.ConnectionClosed:
            return n
        await self.until(lambda: self.ack >= n or self.closed)
        return n

    async def resume(self) -> None:
        """Opens the line again after a break, as the same page; what was not acknowledged is sent again."""
        await self.close()
        self.welcome = None
        await self.open(since=self.seq)
        self.ack = max(self.ack, self.welcome["ack"])
        for n in range(self.ack + 1, self.n + 1):
            await self.send(self.sent[n])

    async def refused(self, what: str, **fields: Json) -> Json:
        """Sends a message that is to be refused; gives the refusal."""
        n = await self.ask(what, **fields)
        await self.until(lambda: any(each["is"] == "refused" and each["n"] == n for each in self.received))
        return next(each for each in reversed(self.received) if each["is"] == "refused" and each["n"] == n)

    async def until(self, condition: Callable[[], Any], seconds: float = PATIENCE_S) -> None:
        """Waits until something is true of what was told."""
        async with asyncio.timeout(seconds), self.changed:
            await self.changed.wait_for(condition)

    def last(self, what: str) -> Json:
        return next((each for each in reversed(self.received) if each["is"] == what), None)

    @property
    def closed(self) -> bool:
        return self._reader is not None and self._reader.done()

    async def drop(self) -> None:
        """Goes away without a word."""
        if self.socket is not None:
            self.socket.transport.abort()
        await self.close()

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()
        if self._reader is not None:
            await asyncio.gather(self._reader, return_exceptions=True)

    async def reload(self) -> None:
        """Leaves and comes back as a page does that is loaded again: a new client, knowing the last seq."""
        await self.close()
        self.client, self.n, self.ack, self.welcome = os.urandom(6).hex(), 0, 0, None
        await self.open(since=self.seq)

    @property
    def over(self) -> bool:
        playing = None if self.table is None else self.table["playing"]
        return playing is not None and playing["over"]

    async def play(self, bot: str, *, moves: int = 100_000, number: int = 1) -> int:
        """Plays as a bot would, until the game is over or so many moves were made; gives how many."""
        made, looked = 0, (-1, -1)
        while made < moves:
            await self.until(lambda seen=looked: self.ready_for(number, seen) or self.ended(number) or self.closed)  # type: ignore[misc]
            if self.ended(number) or self.closed:
                break
            looked = (self.view["game"], self.view["seq"])
            choice = choice_of(KITS[self.view["view"]["game"]].reference, bot, self.view["view"])
            if choice is not None:
                await self.ask("move", move=choice.move, game=number)
                made += 1
        return made

    def ended(self, number: int) -> bool:
        playing = None if self.table is None else self.table["playing"]
        return playing is not None and (playing["number"] > number or (playing["number"] == number and playing["over"]))

    def ready_for(self, number: int, looked: tuple[int, int]) -> bool:
        view = self.view
        if view is None or view["game"] != number or (view["game"], view["seq"]) == looked:
            return False
        return bool(view["view"].get("moves") or view["view"].get("take"))


@asynccontextmanager
async def guests(server: Server, code: str, clients: list[httpx.Client]) -> AsyncIterator[list[Guest]]:
    """People with cookies, all at one table."""
    found = [Guest(server, code, cookie=cookie_of(client)) for client in clients]
    try:
        for each in found:
            await each.open()
        yield found
    finally:
        for each in found:
            await each.close()
