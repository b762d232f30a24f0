"""A talk that is the connection's own protocol: frames in any pieces, as the library has them."""

import asyncio
import gc
import logging
import socket
import struct
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import pytest
import structlog
import uvicorn
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from tests.web.server import Guest, Server, cookie_of, guests
from tests.web.test_quick import HELLO, heard, masked, table, until, upgraded
from threefold.live.telling import BEGIN, BETWEEN, END, MIDDLE, Line, Update
from threefold.web.app import create_app
from threefold.web.direct import DirectTalk, Switchboard
from threefold.web.limits import LARGEST_BODY
from threefold.web.quick import QuickSocket
from threefold.web.settings import ServerSettings
from threefold.web.told import encode, messages_of

Json = Any
pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")  # told at the start

# ---------------------------------------------------------------- As the library has it


class Kept(asyncio.Transport):
    """A connection of which one sees what was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.closed
        self.sent += bytes(data)

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


class Ear(DirectTalk):
    """Writes down what is heard."""

    def __init__(self) -> None:
        self.wire = Kept()
        self.heard: list[bytes | None] = []
        line, board = Line(0, "c", 0, lambda _: None), Switchboard(set(), None)
        super().__init__(cast("Any", None), cast("Any", None), line, self.wire, board)

    def hear(self, text: bytes | None) -> None:
        self.heard.append(text)

    def leave(self, **_: bool) -> None:
        self.gone = True


def by_library(data: bytes) -> tuple[list[bytes | None], bytes, bool]:
    """What is heard, what is answered, and whether it is over."""
    conn = ServerProtocol(state=State.OPEN, max_size=LARGEST_BODY)
    conn.receive_data(data)
    found, pieces, is_text = list[bytes | None](), list[bytes](), False
    for each in conn.events_received():
        assert isinstance(each, Frame)
        if each.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            is_text = each.opcode is Opcode.TEXT or (each.opcode is Opcode.CONT and is_text)
            pieces.append(bytes(each.data))
            if each.fin:
                found.append(b"".join(pieces) if is_text else None)
                pieces = []
    return found, b"".join(conn.data_to_send()), conn.state is not State.OPEN


def by_us(data: bytes, cuts: list[int]) -> tuple[list[bytes | None], bytes, bool]:
    ear, places = Ear(), sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    for begin, end in pairwise(places):
        if not ear.wire.closed:
            ear.data_received(data[begin:end])
    if not ear.gone:
        assert (ear._library is None) == is_between_messages(data), "it is kept no longer than needed"
    return ear.heard, ear.wire.sent, ear.gone


def is_between_messages(data: bytes) -> bool:
    conn = ServerProtocol(state=State.OPEN, max_size=LARGEST_BODY)
    conn.receive_data(data)
    return conn.current_size is None


def framed(first: int, data: bytes, mask: bytes, way: int, *, is_masked: bool) -> bytes:
    """A frame as anybody may make it, its length written in one of three ways."""
    way = max(way, 0 if len(data) < 126 else 1 if len(data) < 65_536 else 2)
    high = 0x80 if is_masked else 0
    size, sort = ((len(data), "BBx"), (126, "BBH"), (127, "BBQ"))[way]
    head = struct.pack(f">{sort}", first, high | size, *([len(data)] if way else []))[: 2 if way == 0 else None]
    if not is_masked:
        return head + data
    return head + mask + bytes(each ^ mask[i % 4] for i, each in enumerate(data))


CONTENTS = st.binary(max_size=40) | st.sampled_from([0, 125, 126, 400, 66_000]).map(lambda size: b"x" * size)
USUAL = st.sampled_from([0x81, 0x81, 0x81, 0x82, 0x89, 0x8A])
PIECES = st.sampled_from([0x01, 0x02, 0x00, 0x80])
STRANGE = st.sampled_from([0x88, 0xC1, 0x83, 0x09, 0x8F])
MASKS = st.binary(min_size=4, max_size=4)
WAYS = st.sampled_from([0, 0, 0, 1, 2])
FRAMES = st.builds(
    lambda *given: framed(*given[:-1], is_masked=given[-1]),
    st.one_of(USUAL, USUAL, PIECES, STRANGE), CONTENTS, MASKS, WAYS, st.sampled_from([True] * 9 + [False]),
)  # fmt: skip


@given(st.lists(FRAMES, max_size=8), st.lists(st.integers(0, 1 << 20), max_size=12))
@example([framed(0x81, b"{}", b"abcd", 2, is_masked=True)], [])
@example([masked(b"a", last=False), masked(b"", Opcode.PING), masked(b"b", Opcode.CONT), masked(b"c")], [3, 9])
@example([struct.pack(">BBQ", 0x81, 0xFF, LARGEST_BODY + 1) + b"abcd"], [5])
def test_random_frames_in_random_pieces_are_heard_and_answered_as_by_the_library(
    frames: list[bytes], cuts: list[int]
) -> None:
    data = b"".join(frames)
    assert by_us(data, cuts) == by_library(data)


def test_pings_of_who_does_not_read_are_not_answered_until_they_do() -> None:
    ear, ping = Ear(), masked(b"there?", Opcode.PING)
    ear.pause_writing()
    ear.data_received(1000 * ping)
    assert ear.wire.sent == b""
    ear.resume_writing()
    ear.data_received(ping)
    assert ear.wire.sent == Frame(Opcode.PONG, b"there?").serialize(mask=False)


def test_a_view_is_put_together_as_it_would_be_encoded() -> None:
    view, told, happened = b'{"a":1}', b'[{"event":"b"}]', b'[{"seq":7,"told":[{"event":"b"}]}]'
    update = Update(seq=7, ack=5, notes=[], view=view, number=2, time=99, happened=happened)
    parts = (BEGIN % 7, b"5", MIDDLE % 2, view, BETWEEN % 7, told, END % 99)
    assert [b"".join(parts)] == [encode(each) for each in messages_of(update)]


def test_what_is_told_in_one_turn_goes_out_at_its_end_and_before_goodbye() -> None:
    async def turn() -> None:
        ear = Ear()
        ear.send(b"one")
        ear.send_all([b"two", b"three"])
        assert ear.wire.sent == b""
        await asyncio.sleep(0)
        frames = [Frame(Opcode.TEXT, text).serialize(mask=False) for text in (b"one", b"two", b"three")]
        assert ear.wire.sent == b"".join(frames)
        ear.wire.sent = b""
        ear.send(b"last")
        ear.close(4000, "closed")
        assert ear.wire.sent.startswith(Frame(Opcode.TEXT, b"last").serialize(mask=False))
        ear.leave()
        ear.send(b"to nobody")
        await asyncio.sleep(0)
        assert b"nobody" not in ear.wire.sent

    asyncio.run(turn())


# ---------------------------------------------------------------- In this process, so that one can look inside


class Watched(QuickSocket):
    """Is counted as long as it is kept."""

    alive: ClassVar[weakref.WeakSet["Watched"]] = weakref.WeakSet()

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        Watched.alive.add(self)


class Inside(Server):
    """The same server, in a thread of this process."""

    def __init__(self, data_dir: Path, ws: Any, **config: Any) -> None:
        super().__init__(data_dir)
        self.before = gc.get_threshold(), structlog.get_config(), logging.root.handlers[:], logging.root.level
        app = create_app(ServerSettings(data_dir=data_dir, rates=0))
        way: Json = {"loop": "uvloop", "ws": ws, "ws_per_message_deflate": False, "log_config": None}
        self.server = uvicorn.Server(uvicorn.Config(app, **way, **config))
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # what is not read is soon noticed
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


@contextmanager
def unswept() -> Iterator[None]:
    """Without the collector: what is gone is gone by itself."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def test_after_hello_nothing_is_kept_but_the_talk(tmp_path: Path) -> None:
    async def test(own: Inside) -> None:
        with own.people("Ann", "Bob") as people:
            async with guests(own, table(people[0]), people) as (ann, bob):
                await bob.ask("sit")
                await ann.ask("start")
                async with asyncio.timeout(10):
                    while Watched.alive or own.server.server_state.tasks:  # noqa: ASYNC110 (another thread's)
                        await asyncio.sleep(0.01)
                known = own.server.server_state.connections
                assert [type(each) for each in known].count(cast("Any", DirectTalk)) == 2
                assert all(not hasattr(each, "__dict__") for each in known if isinstance(each, DirectTalk))
                await ann.until(lambda: ann.view)
                await ann.ask("move", move=ann.view["view"]["moves"][0])
                assert ann.view["view"]["has_chosen"] == [0]
            async with asyncio.timeout(10):
                while any(isinstance(each, DirectTalk) for each in own.server.server_state.connections):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)

    with unswept(), Inside(tmp_path, Watched) as own:
        asyncio.run(test(own))


@pytest.mark.parametrize("ws", ["websockets-sansio", Watched])
def test_any_web_server_will_do(ws: Any, tmp_path: Path) -> None:
    """Where it is not ours, messages go the long way."""

    async def test(own: Inside) -> None:
        with own.people("Ann", "Bob") as people:
            async with guests(own, table(people[0]), people) as (ann, bob):
                await bob.ask("sit")
                await ann.ask("start")
                await ann.until(lambda: ann.view)
                assert (await ann.refused("move", move="play 7"))["clause"] == "K3"
                for each in (ann, bob):
                    await each.until(lambda each=each: each.view)  # type: ignore[misc]
                    await each.play("careful", moves=1)
                for n in range(20):
                    await bob.send({"is": "ping", "sent": n})
                await bob.until(lambda: bob.last("pong") and bob.last("pong")["sent"] == 19)
                assert [each["sent"] for each in bob.told if each["is"] == "pong"] == list(range(20))
                await bob.send(b"bytes")
                await bob.until(lambda: bob.last("refused"))
                await bob.drop()
                await ann.until(lambda: not ann.table["guests"][1]["here"])
                await ann.send({"is": "close_table", "n": 99})
                await ann.until(lambda: ann.closed)
                assert ann.last("bye")["reason"] == "closed"

    with Inside(tmp_path, ws) as own:
        asyncio.run(test(own))


async def until_closed(line: ClientConnection) -> None:
    while True:
        await line.recv()


def test_a_server_that_stops_closes_every_line(tmp_path: Path) -> None:
    async def test(own: Inside) -> None:
        with own.people("Ann") as (ann,):
            address = f"ws://127.0.0.1:{own.port}/api/tables/{table(ann)}/socket"
            async with connect(address, additional_headers={"cookie": cookie_of(ann)}) as line:
                await line.send(HELLO.decode())
                await line.recv()
                await asyncio.to_thread(own.stop)
                with pytest.raises(ConnectionClosedError) as closed:
                    await until_closed(line)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1012
                assert not own.server.server_state.connections

    with Inside(tmp_path, QuickSocket, timeout_graceful_shutdown=3) as own:
        asyncio.run(test(own))


# ---------------------------------------------------------------- Over the network


async def ended(reader: asyncio.StreamReader) -> int:
    """The code with which it ends, and that it does."""
    async with asyncio.timeout(20):
        while (found := await heard(reader))[0] != Opcode.CLOSE:
            pass
        while await reader.read(1000):
            pass
    return int.from_bytes(found[1][:2], "big")


def test_who_closes_is_answered_and_a_message_too_long_ends_it(server: Server) -> None:
    async def test() -> None:
        for said, code in (
            (masked(struct.pack(">H", 1000), Opcode.CLOSE), 1000),
            (struct.pack(">BBQ", 0x81, 0xFF, LARGEST_BODY + 1) + b"abcd", 1009),
        ):
            with server.people("Ann") as (ann,):
                reader, writer = await upgraded(server, ann)
                writer.write(masked(HELLO))
                await until(reader, b'"is":"table"')
                writer.write(said)
                assert await ended(reader) == code
                writer.close()

    asyncio.run(test())


def test_many_messages_in_one_packet_are_dealt_with_in_order(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            reader, writer = await upgraded(server, ann)
            sent = [masked(b'{"is":"ping","n":%d,"sent":%d}' % (n, n)) for n in range(1, 500)]
            writer.write(masked(HELLO) + b"".join(sent))
            found: list[bytes] = []
            async with asyncio.timeout(20):
                while not found or b'"sent":499,' not in found[-1]:
                    text = (await heard(reader))[1]
                    found += [text] if b'"pong"' in text else []
            assert [int(each.partition(b'"sent":')[2].partition(b",")[0]) for each in found] == sorted(range(1, 500))[
                -len(found) :
            ]
            writer.close()

    asyncio.run(test())


def test_what_was_sent_before_somebody_went_is_done(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            code = table(people[0])
            async with guests(server, code, people) as (ann, bob):
                await bob.ask("sit")
                reader, writer = await upgraded(server, people[1], code)
                writer.write(masked(HELLO))
                await until(reader, b'"is":"table"')
                words = b"".join(
                    masked(b'{"is":"phrase","n":%d,"phrase":"%b"}' % (n, each))
                    for n, each in enumerate((b"hello", b"thanks", b"oops"), 1)
                )
                leave = masked(b'{"is":"stand","n":4}')
                writer.write(words + leave + masked(struct.pack(">H", 1001), Opcode.CLOSE))
                assert await ended(reader) == 1001
                await ann.until(lambda: ann.table["seats"][1]["guest"] is None)
                assert [each["what"] for each in ann.told if each["is"] == "said"] == ["hello", "thanks", "oops"]
                writer.close()

    asyncio.run(test())


def test_a_refusal_is_told_before_or_with_the_ack_that_covers_it(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            async with guests(server, table(people[0]), people) as (ann, bob):
                await bob.ask("sit")
                await ann.ask("start")
                await ann.until(lambda: ann.view)
                for what in ({"is": "sit", "seat": 99}, {"is": "start"}, {"is": "move", "move": "play 7"}):
                    ann.n += 1
                    ann.told.clear()
                    await ann.send({**what, "n": ann.n})
                    await ann.until(lambda: ann.ack >= ann.n)
                    acked = next(i for i, each in enumerate(ann.told) if each.get("ack", 0) >= ann.n)
                    assert [each["n"] for each in ann.told[:acked] if each["is"] == "refused"] == [ann.n], what

    asyncio.run(test())


def test_who_reads_again_is_told_how_things_stand(tmp_path: Path) -> None:
    """Nothing is told to who does not read; then only the table as it is, and not all that was missed in between."""

    async def test(own: Inside) -> None:
        with own.people("Ann", "Bob") as people:
            code = table(people[0])
            async with guests(own, code, people[:1]) as (ann,):
                reader, writer = await upgraded(own, people[1], code, room=4096)
                writer.write(masked(HELLO))
                await until(reader, b'"is":"table"')
                cast("Any", writer.transport).pause_reading()
                for grace in [*([60, 61] * 200), 77]:
                    await ann.ask("change", settings={**ann.table["settings"], "grace_s": grace})
                sent = sum(len(each) for each in ann.raw)
                cast("Any", writer.transport).resume_reading()
                found = 0
                async with asyncio.timeout(20):
                    while b'"grace_s":77' not in (text := (await heard(reader))[1]):
                        found += len(text)
                assert found < sent / 2
                writer.close()

    with Inside(tmp_path, QuickSocket) as own:
        asyncio.run(test(own))


def test_who_answers_no_ping_is_gone_and_who_does_stays(tmp_path: Path) -> None:
    async def test(own: Server) -> None:
        with own.people("Ann", "Bob") as people:
            code = table(people[0])
            answering = await Guest(own, code, cookie=cookie_of(people[0])).open()
            reader, writer = await upgraded(own, people[1], code)
            writer.write(masked(HELLO))
            began = asyncio.get_running_loop().time()
            assert await ended(reader) == 1011
            took = asyncio.get_running_loop().time() - began
            assert took >= 0.9, "asked after half a second, and given half a second to answer"
            writer.close()
            await asyncio.sleep(2)
            assert not answering.closed
            await answering.ask("ping")
            await answering.close()

    with Server(tmp_path, THREEFOLD_PING_S="0.5") as own:
        asyncio.run(test(own))
