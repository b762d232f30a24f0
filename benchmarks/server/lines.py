"""A line: one raw websocket of the load client, and how each contestant is spoken to on it.

No websocket library, so that the client costs less than any server. What a line needs of a message it reads from its
bytes: the number of the last move told, the number of its own message that was acknowledged, the legal moves.
"""

import asyncio
import base64
import json
import os
import random
import struct
from collections.abc import Callable
from typing import Any, cast

Json = Any
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
NO_MASK = b"\0\0\0\0"


class Lost(Exception):
    """A server hung up, or said no."""


def frame(body: bytes, sort: int) -> bytes:
    """A client's frame; the mask of zeros leaves the bytes as they are."""
    size = len(body)
    if size < 126:
        head = bytes((0x80 | sort, 0x80 | size))
    else:
        head = bytes((0x80 | sort, 0xFE)) + struct.pack(">H", size)
    return head + NO_MASK + body


def frame_at(buffer: bytearray) -> tuple[int, int, int] | None:
    """The first frame of a buffer: its sort, where its body begins and ends; None if it is not whole yet."""
    if len(buffer) < 2:
        return None
    size, begin = buffer[1] & 127, 2
    if size == 126:
        size, begin = int.from_bytes(buffer[2:4], "big"), 4
    elif size == 127:
        size, begin = int.from_bytes(buffer[2:10], "big"), 10
    return (buffer[0] & 15, begin, begin + size) if len(buffer) >= begin + size >= begin else None


class Line(asyncio.Protocol):
    """One player's socket."""

    sort = TEXT
    """Of frames sent."""

    def __init__(self, path: str, headers: str = "") -> None:
        self.path, self.headers = path, headers
        self.told: Callable[[Line], None] = lambda _: None
        """Called when the line has heard of the game."""
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.number = 0
        """Of the last message sent."""
        self.seq = 0
        self.ack = 0
        self.bytes = self.messages = 0
        self._buffer = bytearray()
        self._upgraded = False
        self._ended = False
        self._transport: asyncio.Transport | None = None

    # ------------------------------------------------------------ The wire

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asks for the upgrade."""
        self._transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        self._transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n{self.headers}\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        """A server that hangs up while it is measured fails the round."""
        if not self._ended:
            self.fail(f"the server hung up: {exc}")

    def data_received(self, data: bytes) -> None:
        """Takes the frames that are whole."""
        self._buffer += data
        if not self._upgraded and not self._upgrade():
            return
        while (found := frame_at(self._buffer)) is not None:
            sort, begin, end = found
            body = bytes(self._buffer[begin:end])
            del self._buffer[:end]
            if sort == PING:
                self._write(frame(body, PONG))
            elif sort == CLOSE:
                self.fail(f"the server closed: {body[:200]!r}")
            else:
                self.bytes += len(body)
                self.messages += 1
                self.hear(body)

    def _upgrade(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        if b" 101 " not in self._buffer[:20]:
            self.fail(f"no socket: {bytes(self._buffer[:300])!r}")
            return False
        del self._buffer[: end + 4]
        self._upgraded = True
        self.greet()
        return True

    def _write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)

    def send(self, body: bytes) -> None:
        """Sends a message."""
        self._write(frame(body, self.sort))

    def fail(self, why: str) -> None:
        """Nothing more can be measured."""
        if not self.opened.done():
            self.opened.set_exception(Lost(why))
        elif not self._ended:
            self._ended = True
            raise Lost(why)

    def end(self) -> None:
        """Hangs up."""
        self._ended = True
        if self._transport is not None:
            self._transport.abort()

    def heard_of_game(self) -> None:
        """The line is open once it has been told how things stand."""
        if not self.opened.done():
            self.opened.set_result(None)
        self.told(self)

    # ------------------------------------------------------------ Each contestant's way to speak

    def greet(self) -> None:
        """Says hello, where that is wanted."""

    def hear(self, body: bytes) -> None:
        """Takes a message."""
        raise NotImplementedError

    def can_move(self) -> bool:
        """Whether this player has a legal move."""
        raise NotImplementedError

    def move(self) -> None:
        """Makes a legal move."""
        raise NotImplementedError

    def again(self) -> None:
        """Asks for another game."""
        raise NotImplementedError


class OurLine(Line):
    """Threefold: real Karma, any legal move, but the pile is picked up only by who can do nothing else."""

    view = b""
    game = 0

    def greet(self) -> None:
        """Says who is here; the cookie says the rest."""
        self.send(b'{"is":"hello","protocol":1,"client":"load"}')

    def ask(self, what: str, **more: Json) -> None:
        """A numbered message."""
        self.number += 1
        self.send(json.dumps({"is": what, "n": self.number, **more}).encode())

    def hear(self, body: bytes) -> None:
        """`{"is":"view","seq":12,"ack":3,"game":1,"view":{…}…}`, or a table, or an ack."""
        if body.startswith(b'{"is":"view",'):
            seq, ack, game, _ = body[13:80].split(b",", 3)
            self.seq, self.ack, self.game = int(seq[6:]), int(ack[6:]), int(game[7:])
            self.view = body
            self.heard_of_game()
        elif body.startswith(b'{"is":"table",'):
            self.ack = json.loads(body)["ack"]
            self.heard_of_game()
        elif body.startswith(b'{"is":"refused",'):
            self.fail(body.decode())

    def moves(self) -> list[bytes]:
        """The legal moves of the last View."""
        begin = self.view.find(b'"moves":[')
        return self.view[begin + 10 : self.view.index(b"]", begin) - 1].split(b'","')

    def can_move(self) -> bool:
        """The View lists moves."""
        return b'"moves":["' in self.view

    def move(self) -> None:
        """Any move of the View's."""
        moves = self.moves()
        chosen = random.choice([each for each in moves if each != b"pick up"] or moves)  # noqa: S311 (any will do)
        self.number += 1
        self.send(b'{"is":"move","n":%d,"move":"%b","game":%d}' % (self.number, chosen, self.game))

    def again(self) -> None:
        """The rematch."""
        self.ask("start")


class BoardgameLine(Line):
    """boardgame.io, over socket.io's own frames."""

    match = player = credentials = ""
    turn = b""

    def hear(self, body: bytes) -> None:
        """Engine.io's and socket.io's greetings first; then `42/mini,["update",match,{…"_stateID":7…}]`."""
        if body == b"2":
            self.send(b"3")
        elif body.startswith(b"0"):
            self.send(b"40/mini,")
        elif body.startswith(b"40/mini,"):
            self._say("sync", self.match, self.player, self.credentials, 4)
        elif body.startswith((b'42/mini,["sync"', b'42/mini,["update"')):
            begin = body.index(b'"_stateID":') + 11
            self.seq = self.ack = int(body[begin : body.index(b",", begin)].rstrip(b"}"))
            begin = body.index(b'"turn":') + 7
            self.turn = body[begin : begin + 1]
            self.heard_of_game()

    def _say(self, *what: Json) -> None:
        self.send(("42/mini," + json.dumps(what, separators=(",", ":"))).encode())

    def can_move(self) -> bool:
        """Whose turn it is, the View says."""
        return self.turn == self.player.encode()

    def move(self) -> None:
        """Any card of the hand. A move is acknowledged by the next state."""
        self.number = self.seq + 1
        payload = {
            "type": "play",
            "args": [random.randrange(6)],  # noqa: S311 (any will do)
            "playerID": self.player,
            "credentials": self.credentials,
        }
        self._say("update", {"type": "MAKE_MOVE", "payload": payload}, self.seq, self.match, self.player)


class ColyseusLine(Line):
    """Colyseus, over its own frames: a code, then MessagePack."""

    sort = BINARY
    JOINED, MESSAGE = 10, 13
    player = -1
    turn = -1

    def hear(self, body: bytes) -> None:
        """The room first; then `view` with `seq`, `ack` and the View."""
        if body[0] == self.JOINED:
            self.send(bytes((self.JOINED,)))
            self.send(bytes((self.MESSAGE,)) + b"\xa5hello")
        elif body[0] == self.MESSAGE:
            self.seq = whole_number(body, body.index(b"\xa3seq") + 4)
            self.ack = max(self.ack, whole_number(body, body.index(b"\xa3ack") + 4))
            self.player = body[body.index(b"\xa6viewer") + 7]
            self.turn = body[body.index(b"\xa4turn") + 5]
            self.heard_of_game()

    def can_move(self) -> bool:
        """Whose turn it is, the View says."""
        return self.turn == self.player

    def move(self) -> None:
        """Any card of the hand."""
        self.number += 1
        position = random.randrange(6)  # noqa: S311 (any will do)
        told = b"\x82\xa1n\xce" + struct.pack(">I", self.number) + b"\xa8position" + bytes((position,))
        self.send(bytes((self.MESSAGE,)) + b"\xa3act" + told)


def whole_number(body: bytes, at: int) -> int:
    """A MessagePack number that is not negative."""
    sizes = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}
    return int.from_bytes(body[at + 1 : at + 1 + sizes[body[at]]], "big") if body[at] > 127 else body[at]
