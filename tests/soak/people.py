"""A simulated client: it plays, misbehaves like people and their networks do, and records everything."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
import msgspec
import websockets
from websockets.asyncio.client import ClientConnection, connect

from tests.soak import history as h
from tests.soak.cluster import Cluster
from tests.web.server import NO_TLS
from threefold.games import KITS
from threefold.live.bot_runner import choice_of

Json = Any
PATIENCE_S = 90
FLOOD = 100
"""Messages in one flood: over the rate limit, but not enough to load the machine."""
IDLE_S = 0.25
"""A client with nothing to do looks again after this time, or as soon as something changes."""
AGAIN_S = 0.5
"""A client that sees nothing new after a move tries again after this time."""
POLICIES = {"karma": ("careful", "random"), "set": ("perfect", "human3")}
NONSENSE = (
    "{",
    '"hello"',
    '{"is": "dance"}',
    '{"is": "move"}',
    '{"is": "move", "move": 7}',
    '{"is": "sit", "seat": "first"}',
    '{"is": "hello", "protocol": 1, "client": "again"}',
)


_decode = msgspec.json.Decoder().decode
_encoder = msgspec.json.Encoder()


def _encoded(message: Json) -> str:
    return _encoder.encode(message).decode()


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Behaviour of a client: seconds between moves, seconds per connection, and probabilities."""

    think_s: float = 0.5
    stays_s: float = 20.0
    arrange_s: float = 1.2
    """Seconds between two arrangements, whose usual rate limit is one a second."""
    fill_seats_s: float = 2.0
    """A host waits this long for the others to sit down."""
    twice: float = 0.05
    nonsense: float = 0.02
    illegal: float = 0.03
    flood: float = 0.002
    pause: float = 0.004
    concede: float = 0.002
    long_away: float = 0.1


class Visitor:
    """A person with a cookie at one table, in one browser page after another."""

    def __init__(
        self,
        cluster: Cluster,
        notebook: h.Notebook,
        code: str,
        *,
        cookie: str,
        address: str,
        dice: random.Random,
        behaviour: Behaviour,
        watches: bool = False,
    ) -> None:
        self.cluster = cluster
        self.notebook = notebook
        self.code = code
        self.cookie = cookie
        self.address = address
        self.dice = dice
        self.behaviour = behaviour
        self.watches = watches
        self.back = asyncio.Event()
        """Set when clients must reconnect at once."""
        self.ending = asyncio.Event()
        self.absent = False
        """Stays away until it is cleared."""
        self.opened = 0
        self.reloads = 0
        self.acknowledged = 0
        self._arranged_at = self._moved_until = 0.0
        self._moved_at = (0, 0)
        self._seats_free_since = 0.0
        self.table: Json = None
        self.view: Json = None
        self.you: int | None = None
        self._changed = asyncio.Event()
        self._socket: ClientConnection | None = None
        self._connection = 0
        self._seq = 0
        self._new_page()

    def _new_page(self) -> None:
        self.client = f"{self.dice.getrandbits(48):012x}"
        self.n = self.ack = 0
        self.answered_at = 0.0
        self.pending: dict[int, str] = {}

    # ------------------------------------------------------------ Coming and going

    async def live(self) -> None:
        """Connects, plays, disconnects and reconnects until the campaign ends."""
        while not self.ending.is_set():
            if self.absent:
                await asyncio.sleep(0.05)
                continue
            try:
                await self._stay(self._until_bored)
            except (OSError, websockets.WebSocketException, TimeoutError):
                await asyncio.sleep(self.dice.uniform(0.1, 0.4))
                continue
            if not self.ending.is_set():
                await self._go()

    async def _go(self) -> None:
        away = self.dice.uniform(0.0, 0.6)
        if self.dice.random() < self.behaviour.long_away:
            away = self.dice.uniform(3.0, 14.0)
        if self.dice.random() < 0.4:
            self.reloads += 1
            self._new_page()
        try:
            await asyncio.wait_for(self.back.wait(), away)
        except TimeoutError:
            return

    async def say_goodbye(self, linger: asyncio.Event) -> None:
        """Sends nothing new; waits for all answers, then stays connected and watches."""
        until = h.now() + PATIENCE_S
        while h.now() < until and not linger.is_set():
            try:
                await self._stay(lambda: self._answered(until, linger))
            except (OSError, websockets.WebSocketException, TimeoutError):
                await asyncio.sleep(0.2)
        self.notebook.note(h.Waited(h.now(), self.client, self.n))

    async def close_table(self) -> None:
        """Closes the table for good, as its host."""
        await self._stay(lambda: self.ask("close_table"))

    async def _answered(self, until: float, linger: asyncio.Event) -> None:
        while not self._closed() and h.now() < until and not linger.is_set():
            await self._wait(lambda: not self.pending, 0.1)
            await asyncio.sleep(0.05)

    async def _stay(self, what: Callable[[], Any]) -> None:
        """One connection, from `hello` to its end."""
        node = self.dice.choice(self.cluster.up or self.cluster.nodes)
        address = f"ws://127.0.0.1:{node.port}/api/tables/{self.code}/socket"
        headers = {"Cookie": self.cookie}
        async with connect(
            address, additional_headers=headers, compression=None, local_addr=(self.address, 0), open_timeout=5
        ) as socket:
            since = self._seq
            hello = {"is": "hello", "protocol": 1, "client": self.client, "since": since}
            await socket.send(_encoded(hello))
            welcome = _decode(await asyncio.wait_for(socket.recv(), 10))
            if welcome["is"] != "welcome":
                raise TimeoutError(welcome.get("message"))
            self._socket, self.you, self._connection = socket, welcome["you"], self.notebook.new_connection()
            opened = h.Opened(h.now(), self._connection, welcome["you"], self.client, node.number, since)
            self.notebook.note(opened)
            self.opened += 1
            self._dealt(welcome["ack"], opened.at, welcome=True)
            reader = asyncio.create_task(self._read(socket))
            try:
                for n in sorted(self.pending):
                    self.notebook.note(h.Sent(h.now(), self.client, n, "again", again=True))
                    await socket.send(self.pending[n])
                await what()
            except websockets.ConnectionClosed:
                pass
            finally:
                if self.dice.random() < 0.5:
                    socket.transport.abort()
                self._socket = None
                self._hung_up()
                reader.cancel()
                await asyncio.gather(reader, return_exceptions=True)

    def _hung_up(self) -> None:
        """Records the end of the connection, once."""
        if self._connection:
            self.notebook.note(h.Closed(h.now(), self._connection))
            self._connection = 0

    def _closed(self) -> bool:
        return self._socket is None or self._socket.state is not websockets.State.OPEN

    # ------------------------------------------------------------ Listening

    async def _read(self, socket: ClientConnection) -> None:
        connection = self._connection
        try:
            async for text in socket:
                message = _decode(text)
                if message["is"] == "probe":
                    await socket.send(_encoded({"is": "probed", "mark": message["mark"]}))
                else:
                    self._hear(connection, message)
        except websockets.ConnectionClosed:
            pass
        self._hung_up()
        self._changed.set()

    def _hear(self, connection: int, message: Json) -> None:
        at = h.now()
        match message["is"]:
            case "table":
                self.table = message
                self.notebook.note(h.Shown(at, connection, message["seq"], table=h.digest(h.of_the_log(message))))
            case "view":
                self._look(at, connection, message)
            case "ack":
                self.notebook.note(h.Shown(at, connection, message["seq"]))
            case "refused" if message["n"]:
                self.notebook.note(h.Refused(at, self.client, message["n"], message["text"]["key"]))
        self._dealt(message.get("ack", 0), at)
        self._changed.set()

    def _look(self, at: float, connection: int, message: Json) -> None:
        self.view = message
        self._seq = message["seq"]
        events = message["events"]
        note = h.Shown(
            at,
            connection,
            message["seq"],
            view=h.digest(message["view"]),
            game=message["game"],
            viewer=message["view"]["viewer"],
            events=events if events is None else [(each["seq"], h.digest(each["events"])) for each in events],
        )
        self.notebook.note(note)

    def _dealt(self, ack: int, at: float, *, welcome: bool = False) -> None:
        if ack > self.ack:
            self.acknowledged += ack - self.ack
            self.ack, self.answered_at = ack, at
            self.notebook.note(h.Acked(at, self.client, ack, welcome))
            self.pending = {n: text for n, text in self.pending.items() if n > ack}

    async def _wait(self, condition: Callable[[], bool], seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                while not condition() and not self._closed():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return

    # ------------------------------------------------------------ Speaking

    async def ask(self, what: str, **fields: Json) -> None:
        """Sends a numbered message, sometimes twice, and waits a while for the answer."""
        assert self._socket is not None
        self.n += 1
        text = _encoded({"is": what, "n": self.n, **fields})
        self.pending[self.n] = text
        self.notebook.note(h.Sent(h.now(), self.client, self.n, what))
        await self._socket.send(text)
        if self.dice.random() < self.behaviour.twice:
            await self._socket.send(text)
        n = self.n
        if self.dice.random() > 0.1:
            await self._wait(lambda: self.ack >= n, 3)

    async def _until_bored(self) -> None:
        until = h.now() + self.dice.expovariate(1 / self.behaviour.stays_s)
        while h.now() < until and not self._closed() and not self.ending.is_set() and not self.absent:
            await asyncio.sleep(self.dice.uniform(0.2, 1.8) * self.behaviour.think_s)
            if self.table is not None and not self._closed():
                asked = self.n
                await self._misbehave()
                await self._act()
                if self.n == asked:
                    self._changed.clear()
                    await self._wait(self._changed.is_set, IDLE_S)

    async def _misbehave(self) -> None:
        assert self._socket is not None
        behaviour, chance = self.behaviour, self.dice.random
        if chance() < behaviour.nonsense:
            await self._socket.send(self.dice.choice(NONSENSE))
        if chance() < behaviour.flood:
            for _ in range(FLOOD):
                await self._socket.send('{"is": "ping", "sent": 1}')
        if self.watches or self.table["playing"] is None or self.table["playing"]["over"]:
            return
        if chance() < behaviour.illegal:
            await self.ask("move", move=self.dice.choice(("play 99", "take 1 2 3", "", "dance", "call")))
        if chance() < behaviour.pause:
            await self.ask("pause")
        if chance() < behaviour.concede:
            await self.ask("concede")

    async def _act(self) -> None:
        table, playing = self.table, self.table["playing"]
        if self.watches or self._closed():
            return
        plays = playing is not None and not playing["over"]
        if not plays:
            await self._arrange(table)
        elif playing["paused"] is not None:
            await self.ask("resume")
        elif self.view is not None and self.view["game"] == playing["number"]:
            await self._move(playing["number"])

    async def _arrange(self, table: Json) -> None:
        """Sits down, then starts the next game; not more often than the server allows."""
        seated = any(seat["guest"] == self.you for seat in table["seats"])
        hosts = table["host"] == self.you
        if h.now() > self._seats_free_since + 4 * self.behaviour.fill_seats_s:
            self._seats_free_since = h.now()
        if (
            seated and not hosts and self.you in table["ready"]
        ) or h.now() < self._arranged_at + self.behaviour.arrange_s:
            return
        if (
            hosts
            and h.now() < self._seats_free_since + self.behaviour.fill_seats_s
            and any(seat["guest"] is None and seat["bot"] is None for seat in table["seats"])
        ):
            return
        self._arranged_at = h.now()
        if not seated:
            await self.ask("sit", seat=None)
        else:
            await (self.ask("start") if hosts else self.ask("ready", ready=True))

    async def _move(self, number: int) -> None:
        view = self.view["view"]
        if view["viewer"] != self._player() or not (view.get("moves") or view.get("take")):
            return
        if self._moved_at == (shown := (number, self.view["seq"])) and h.now() < self._moved_until:
            return  # the answer to the last move is on its way
        self._moved_at, self._moved_until = shown, h.now() + AGAIN_S
        choice = choice_of(KITS[view["game"]].reference, self.dice.choice(POLICIES[view["game"]]), view)
        if choice is not None:
            await self.ask("move", move=choice.move, game=number)

    def _player(self) -> int | None:
        players = self.table["playing"]["players"]
        return next((i for i, each in enumerate(players) if each["guest"] == self.you and not each["left"]), None)


async def a_cookie(cluster: Cluster, name: str, address: str) -> httpx.AsyncClient:
    """A new client with its own address, because rate limits count by address."""
    transport = httpx.AsyncHTTPTransport(local_address=address, retries=2, verify=NO_TLS)
    client = httpx.AsyncClient(base_url=cluster.nodes[0].url, transport=transport, timeout=30, verify=NO_TLS)
    try:
        (await client.post("/api/me", json={"name": name})).raise_for_status()
    except httpx.HTTPError:
        await client.aclose()
        raise
    return client
