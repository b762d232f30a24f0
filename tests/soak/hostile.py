"""Hostile clients, in a process of their own: messages from a grammar of the protocol, and raw frames.

The grammar is the protocol's own list of messages. A message is valid, mutated, out of order, or uses numbers, client
names and tokens of others. `python -m tests.soak.hostile` reads an `Order` from standard input and prints a `Tally`.
"""

import asyncio
import json
import os
import random
import sys
from collections import Counter
from typing import Any

import msgspec
from websockets.frames import Opcode

from tests.web.raw_socket import masked, request
from threefold.web import protocol as p

Json = Any
WORDS = (
    "",
    "careful",
    "play 7",
    "take 1 2 3",
    "call",
    "hello",
    "👍",
    "x" * 300,
    "\u0000",
    "classic",
    "\ud7ff",
    "Ω" * 50,
)
NUMBERS = (-1, 0, 1, 2, 3, 7, 99, 200, 2**31, 2**53 - 1, 2**53, 2**70)
SCRAPS = (
    b"",
    b"{",
    b"[]",
    b"null",
    b'"hello"',
    b'{"is":',
    b"\xff\xfe",
    b'{"n":1}',
    b"[" * 5000,
    b'{"is":"move","n":1e400}',
)
NICE = 10
"""Attackers have processors of their own; here they must not take those of the server."""
PER_CONNECTION = 250
"""Most messages on one connection: about as many as a flooding client gets through before it is cut off."""


class Order(msgspec.Struct):
    """What to attack, and how much."""

    port: int
    codes: list[str]
    people: list[tuple[str, str]]
    """Cookie and address of each hostile client."""
    tokens: list[str]
    """Tokens of others, for other tables."""
    clients: list[str]
    """Names of other people's pages."""
    count: int
    seed: int
    at_once: int = 8


class Tally(msgspec.Struct):
    """What was sent."""

    messages: int = 0
    connections: int = 0
    refused: int = 0
    """Connections that were not accepted."""
    kinds: dict[str, int] = {}


class Grammar:
    """Writes messages."""

    def __init__(self, order: Order, dice: random.Random) -> None:
        self.order = order
        self.dice = dice
        self.kinds = [each for each in p.ClientMessage.__subclasses__() if each is not p.CloseTable]

    def message(self) -> tuple[str, bytes]:
        """A message, and what is wrong with it."""
        dice = self.dice
        what = dice.choices(("valid", "mutated", "scrap"), (5, 4, 1))[0]
        if what == "scrap":
            return what, dice.choice(SCRAPS)
        kind = dice.choice(self.kinds)
        fields = {each.name: self.value(each.name, each.type) for each in msgspec.structs.fields(kind)}
        message = {"is": kind.__struct_config__.tag, **fields, "n": self.number()}
        if what == "mutated":
            self.mutate(message)
        return what, json.dumps(message).encode("utf-8", "surrogatepass")

    def value(self, name: str, kind: Any) -> Json:
        dice = self.dice
        if name == "token":
            return dice.choice((None, *self.order.tokens))
        if name == "client":
            return dice.choice((*self.order.clients, "mine"))
        if kind is bool:
            return dice.random() < 0.5
        if kind in (int, int | None):
            return dice.choice((0, 1, 2, 3, None) if kind is not int else (0, 1, 2, 3))
        if kind is str:
            return dice.choice(WORDS)
        return None

    def number(self) -> Json:
        """A message number: mostly a small one, as another page would use."""
        return self.dice.choice(NUMBERS) if self.dice.random() < 0.1 else self.dice.randrange(0, 300)

    def mutate(self, message: dict[str, Json]) -> None:
        dice, name = self.dice, self.dice.choice(list(message))
        match dice.randrange(5):
            case 0:
                del message[name]
            case 1:
                message[name] = dice.choice((None, [], {}, True, 1.5, *NUMBERS, *WORDS))
            case 2:
                message[dice.choice(("extra", "by", "at", "hand", "seed"))] = dice.choice(WORDS)
            case 3:
                message[name] = [message[name]] * dice.randrange(1, 40)
            case _:
                message["is"] = dice.choice(("", "dance", "opened", "moved", "welcome", "closed"))

    def frame(self) -> bytes:
        """Bytes that no client library would send."""
        dice = self.dice
        data = dice.randbytes(dice.randrange(0, 200))
        match dice.randrange(6):
            case 0:
                return masked(data, Opcode.CONT)
            case 1:
                return masked(data[:120], Opcode.PING)
            case 2:
                return masked(data, Opcode.TEXT, last=False)
            case 3:
                return data
            case 4:
                return masked(data, Opcode.BINARY)
            case _:
                return bytes([0x81 | dice.randrange(0, 127), dice.randrange(0, 256)]) + data


async def attack(order: Order) -> Tally:
    """Sends that many messages, on a few connections at a time."""
    tally, kinds = Tally(), Counter[str]()

    async def again(number: int) -> None:
        dice = random.Random(f"{order.seed}/{number}")  # noqa: S311 (hostile, not secret)
        grammar = Grammar(order, dice)
        while tally.messages < order.count:
            try:
                await connection(order, grammar, dice, tally, kinds)
            except (OSError, asyncio.IncompleteReadError, TimeoutError):
                await asyncio.sleep(0.01)

    await asyncio.gather(*(again(number) for number in range(order.at_once)))
    tally.kinds = dict(kinds)
    return tally


async def connection(order: Order, grammar: Grammar, dice: random.Random, tally: Tally, kinds: Counter[str]) -> None:
    """One connection: from the handshake until it is cut off or has sent enough."""
    cookie, address = dice.choice(order.people)
    code = dice.choice(order.codes)
    reader, writer = await asyncio.open_connection("127.0.0.1", order.port, local_addr=(address, 0))
    tally.connections += 1
    drain = None
    try:
        writer.write(request(order.port, code, cookie if dice.random() < 0.9 else "threefold=stolen"))
        async with asyncio.timeout(10):
            if b" 101 " not in await reader.readuntil(b"\r\n\r\n"):
                tally.refused += 1
                await asyncio.sleep(0.05)
                return
        drain = asyncio.create_task(_swallow(reader))
        if dice.random() < 0.9:
            client = dice.choice((*order.clients, "mine"))
            writer.write(masked(json.dumps({"is": "hello", "protocol": 1, "client": client}).encode()))
        raw = dice.random() < 0.15
        for _ in range(dice.randrange(1, PER_CONNECTION)):
            if drain.done() or writer.is_closing() or tally.messages >= order.count:
                break
            what, data = ("raw", grammar.frame()) if raw else grammar.message()
            writer.write(data if raw else masked(data))
            tally.messages += 1
            kinds[what] += 1
            if dice.random() < 0.1:
                await writer.drain()
                await asyncio.sleep(0)
        async with asyncio.timeout(2):
            await writer.drain()
    finally:
        if drain is not None:
            drain.cancel()
        writer.transport.abort()


async def _swallow(reader: asyncio.StreamReader) -> None:
    while await reader.read(1 << 16):
        pass


if __name__ == "__main__":
    os.nice(NICE)
    result = asyncio.run(attack(msgspec.json.decode(sys.stdin.buffer.read(), type=Order)))
    sys.stdout.buffer.write(msgspec.json.encode(result))
