"""Websocket frames by hand, for tests that send what no client library would."""

import asyncio
import socket
import struct
from typing import Any

import httpx
from websockets.frames import Frame, Opcode

from tests.waiting import PATIENCE_S
from tests.web.server import Server, cookie_of

HELLO = b'{"is":"hello","protocol":1,"client":"c"}'


def masked(data: bytes, code: Any = Opcode.TEXT, *, last: bool = True) -> bytes:
    """A frame as a client sends it."""
    return Frame(code, data, fin=last).serialize(mask=True)


def new_table(host: httpx.Client) -> str:
    """The code of a new table."""
    code: str = host.post("/api/tables", json={"game": "karma", "seats": 2}).json()["code"]
    return code


def request(port: int, code: str, cookie: str = "") -> bytes:
    """The HTTP request that opens a table's socket."""
    return (
        f"GET /api/tables/{code}/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\n"
        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Cookie: {cookie}\r\n\r\n"
    ).encode()


async def upgraded(
    server: Server, client: httpx.Client, code: str = "", *, receive_buffer: int = 0
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A bare connection to a table, after the handshake and before hello; without a code, to a new table."""
    code = code or new_table(client)
    tcp = socket.socket()
    if receive_buffer:
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    tcp.connect(("127.0.0.1", server.port))
    reader, writer = await asyncio.open_connection(sock=tcp)
    writer.write(request(server.port, code, cookie_of(client)))
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def next_frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Opcode and data of the next frame."""
    first, size = await reader.readexactly(2)
    if size == 126:
        size = struct.unpack(">H", await reader.readexactly(2))[0]
    return first & 15, await reader.readexactly(size)


async def frame_with(reader: asyncio.StreamReader, part: bytes) -> bytes:
    """The next frame that contains these bytes."""
    async with asyncio.timeout(PATIENCE_S):
        while part not in (data := (await next_frame(reader))[1]):
            pass
    return data


async def close_code(reader: asyncio.StreamReader) -> int:
    """The code of the next close frame."""
    async with asyncio.timeout(PATIENCE_S):
        while (frame := await next_frame(reader))[0] != Opcode.CLOSE:
            pass
    return int.from_bytes(frame[1][:2], "big")


async def ended(reader: asyncio.StreamReader) -> int:
    """The close code of a connection that ends."""
    code = await close_code(reader)
    async with asyncio.timeout(PATIENCE_S):
        while await reader.read(1000):
            pass
    return code
