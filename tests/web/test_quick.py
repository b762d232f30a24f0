"""The short way in and out of a socket: frames in any pieces, and all that the library must see."""

import asyncio
import os
import socket
import struct
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.frames import Frame, Opcode

from tests.web.server import Server, cookie_of
from threefold.web.frames import LONGEST_FRAME, frame_end, text_header

Json = Any
HELLO = b'{"is":"hello","protocol":1,"client":"c"}'


def masked(data: bytes, code: Any = Opcode.TEXT, *, last: bool = True) -> bytes:
    return Frame(code, data, fin=last).serialize(mask=True)


def table(ann: httpx.Client) -> str:
    code: str = ann.post("/api/tables", json={"game": "karma", "seats": 2}).json()["code"]
    return code


async def upgraded(
    server: Server, ann: httpx.Client, code: str = "", room: int = 0
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A bare connection to a table, after the handshake: one's own, unless it is said which."""
    code = code or table(ann)
    wire = socket.socket()
    if room:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    wire.connect(("127.0.0.1", server.port))
    reader, writer = await asyncio.open_connection(sock=wire)
    writer.write(
        f"GET /api/tables/{code}/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: Upgrade\r\n"
        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Cookie: {cookie_of(ann)}\r\n\r\n".encode()
    )
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def heard(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """The next frame: its sort and what it holds."""
    first, size = await reader.readexactly(2)
    if size == 126:
        size = struct.unpack(">H", await reader.readexactly(2))[0]
    return first & 15, await reader.readexactly(size)


async def until(reader: asyncio.StreamReader, part: bytes) -> bytes:
    async with asyncio.timeout(20):
        while part not in (found := (await heard(reader))[1]):
            pass
    return found


def test_messages_come_in_whatever_pieces_the_network_makes_of_them(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            reader, writer = await upgraded(server, ann)
            sent = masked(HELLO) + masked(b'{"is":"ping","n":1,"sent":7}') + masked(b'{"is":"ping","n":2,"sent":8}')
            for i in range(0, len(sent), 5):
                writer.write(sent[i : i + 5])
                await writer.drain()
                await asyncio.sleep(0.005)
            await until(reader, b'"sent":8')
            writer.close()

    asyncio.run(test())


def test_a_message_in_several_frames_with_a_ping_between_is_one_message(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            reader, writer = await upgraded(server, ann)
            writer.write(masked(HELLO))
            await until(reader, b'"is":"table"')
            text = b'{"is":"ping","n":1,"sent":123}'
            writer.write(masked(text[:9], last=False) + masked(b"there?", Opcode.PING))
            writer.write(masked(text[9:], Opcode.CONT) + masked(b'{"is":"ping","n":2,"sent":124}'))
            found = [await heard(reader) for _ in range(3)]
            assert found[0] == (int(Opcode.PONG), b"there?")
            while not any(b'"sent":124' in text for _, text in found):
                found.append(await heard(reader))
            assert [text for _, text in found if b'"sent":123' in text]
            writer.close()

    asyncio.run(test())


@pytest.mark.parametrize(("broken", "code"), [(b"\xff\xfe", 1007), (None, 1002)])
def test_what_is_no_text_or_not_masked_ends_the_conversation_as_the_protocol_says(
    server: Server, broken: bytes | None, code: int
) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            reader, writer = await upgraded(server, ann)
            writer.write(masked(HELLO))
            await until(reader, b'"is":"table"')
            writer.write(Frame(Opcode.TEXT, b"{}").serialize(mask=False) if broken is None else masked(broken))
            async with asyncio.timeout(20):
                while (found := await heard(reader))[0] != 8:
                    pass
            assert int.from_bytes(found[1][:2], "big") == code
            writer.close()

    asyncio.run(test())


def test_a_message_too_long_to_be_read_at_once_is_refused_and_the_line_goes_on(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            address = f"ws://127.0.0.1:{server.port}/api/tables/{table(ann)}/socket"
            async with connect(address, additional_headers={"cookie": cookie_of(ann)}) as line:
                await line.send(HELLO.decode())
                await line.send("x" * (LONGEST_FRAME + 10))
                await line.send('{"is":"ping","n":5,"sent":99}')
                told = ""
                async with asyncio.timeout(20):
                    while '"sent":99' not in told:
                        told += str(await line.recv())
                assert "live.refusal.too_large" in told

    asyncio.run(test())


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536, 200_000])
def test_a_text_of_any_length_is_framed_as_the_library_does(size: int) -> None:
    text = os.urandom(size)
    assert text_header(size) + text == Frame(Opcode.TEXT, text).serialize(mask=False)


@pytest.mark.parametrize("size", [0, 125, 126, 60_000])
def test_a_frame_ends_where_its_last_byte_is(size: int) -> None:
    frame = masked(b"x" * size)
    assert frame_end(bytearray(frame + b"more")) == len(frame)
    assert all(frame_end(bytearray(frame[:cut])) is None for cut in {0, 1, 2, 3, len(frame) - 1} if cut < len(frame))
