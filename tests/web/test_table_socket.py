"""TableSocket in memory: frames in any pieces, bounded work for every client, and the end of a connection."""

import asyncio
import struct
from collections.abc import Callable, Coroutine
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from tests.waiting import until
from tests.web.raw_socket import masked, request
from threefold.web import table_socket
from threefold.web.table_socket import (
    EXTRA_FRAMES,
    FULL_READS,
    LARGEST_FRAME,
    MESSAGES_PER_TURN,
    MOST_FRAGMENTS,
    READ_SIZE,
    WINDOW_S,
    SocketGroup,
    TableSocket,
    table_socket_of,
)

Json = Any


class MemoryTransport(asyncio.Transport):
    """A connection without a network: it keeps what was written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.reads = True
        self.closed = self.aborted = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.closed
        self.written += bytes(data)

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = self.aborted = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        assert self.reads
        self.reads = False

    def resume_reading(self) -> None:
        assert not self.reads
        self.reads = True


class Recorder:
    """A conversation that keeps what it receives."""

    def __init__(self, received: list[Json], name: str = "") -> None:
        self.received = received
        self.name = name
        self.lost_calls = 0

    def receive(self, text: bytes | None) -> None:
        self.received.append((self.name, text) if self.name else text)

    def pause_writing(self) -> None:
        self.received.append("not writable")

    def resume_writing(self) -> None:
        self.received.append("writable")

    def lost(self) -> None:
        self.lost_calls += 1


class Client:
    """A client of one TableSocket, which it sends bytes as an event loop would deliver them."""

    def __init__(self, group: SocketGroup | None = None, app: Any = None, *, name: str = "") -> None:
        self.app = app or self.hand_over
        self.state: dict[str, Any] = {} if group is None else group.app_state
        self.server_state = SimpleNamespace(connections=set(), tasks=set())
        config = SimpleNamespace(loaded_app=self.run_app, root_path="", ws_ping_interval=None)
        self.received: list[Json] = []
        self.conversation = Recorder(self.received, name)
        self.transport = MemoryTransport()
        self.socket = TableSocket(config=config, server_state=self.server_state, app_state=self.state)
        self.socket.connection_made(self.transport)
        self.read_bytes = 0

    async def run_app(self, *arguments: Any) -> None:
        await self.app(*arguments)

    async def hand_over(self, scope: Json, receive: Json, send: Json) -> None:
        assert (await receive())["type"] == "websocket.connect"
        await send({"type": "websocket.accept"})
        socket = table_socket_of(scope)
        assert socket is self.socket
        assert socket.hand_over(self.conversation)

    async def upgraded(self) -> "Client":
        """After the handshake."""
        self.socket.data_received(request(80, "ABCDEF"))
        assert not self.transport.reads, "no frame is read before the handshake is answered"
        await turns(3)
        assert self.transport.written.startswith(b"HTTP/1.1 101 ")
        self.transport.written = b""
        return self

    def feed(self, sent: bytes | memoryview) -> memoryview:
        """Delivers data in one turn of the event loop; gives what was not read."""
        data = memoryview(sent)
        while data and self.transport.reads and not self.transport.closed:
            buffer = self.socket.get_buffer(-1)
            size = min(len(data), len(buffer))
            buffer[:size], data = data[:size], data[size:]
            self.read_bytes += size
            self.socket.buffer_updated(size)
        return data

    async def send(self, sent: bytes | memoryview) -> memoryview:
        """Delivers data in as many turns as it takes; gives what was never read."""
        data, idle = memoryview(sent), 0
        while (data or self.socket._messages) and idle < 3:
            before = len(data) + len(self.socket._messages)
            data = self.feed(data)
            await turns(1)
            idle = idle + 1 if len(data) + len(self.socket._messages) == before else 0
        return data


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(test())


def close_frame(code: int, reason: str = "") -> bytes:
    return Frame(Opcode.CLOSE, struct.pack(">H", code) + reason.encode()).serialize(mask=False)


# ---------------------------------------------------------------- Frames


def by_library(data: bytes) -> tuple[list[bytes | None], bytes, bool]:
    """What is received, what is answered, and whether it ends the connection."""
    protocol = ServerProtocol(state=State.OPEN, max_size=LARGEST_FRAME)
    protocol.receive_data(data)
    messages, pieces, is_text = list[bytes | None](), list[bytes](), False
    for frame in protocol.events_received():
        assert isinstance(frame, Frame)
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            is_text = frame.opcode is Opcode.TEXT or (frame.opcode is Opcode.CONT and is_text)
            pieces.append(bytes(frame.data))
            if frame.fin:
                messages.append(b"".join(pieces) if is_text else None)
                pieces = []
    return messages, b"".join(protocol.data_to_send()), protocol.state is not State.OPEN


def by_socket(data: bytes, cuts: list[int]) -> tuple[list[bytes | None], bytes, bool]:
    async def test() -> tuple[list[bytes | None], bytes, bool]:
        client = await Client().upgraded()
        for begin, end in pairwise(sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})):
            await client.send(data[begin:end])
        await turns(5)
        assert client.conversation.lost_calls == client.transport.closed
        return client.received, client.transport.written, client.transport.closed

    return asyncio.run(test())


def framed(first: int, data: bytes, mask: bytes, way: int, *, is_masked: bool) -> bytes:
    """A frame as anybody may make it, its length written in one of three ways."""
    way = max(way, 0 if len(data) < 126 else 1 if len(data) < 65_536 else 2)
    high = 0x80 if is_masked else 0
    size, layout = ((len(data), "BBx"), (126, "BBH"), (127, "BBQ"))[way]
    head = struct.pack(f">{layout}", first, high | size, *([len(data)] if way else []))[: 2 if way == 0 else None]
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
@example([struct.pack(">BBQ", 0x81, 0xFF, LARGEST_FRAME + 1) + b"abcd"], [5])
@example([*[masked(b"{}")] * 30, masked(b"\x03\xe8", Opcode.CLOSE), masked(b"{}")], [])
def test_random_frames_in_random_pieces_are_received_and_answered_as_by_the_library(
    frames: list[bytes], cuts: list[int]
) -> None:
    data = b"".join(frames)
    assert by_socket(data, cuts) == by_library(data)


def test_texts_are_sent_in_order_as_the_library_frames_them() -> None:
    async def test() -> None:
        client, texts = await Client().upgraded(), [b"", b"x" * 125, b"x" * 126, b"x" * 65_535, b"x" * 65_536]
        client.socket.send(texts)
        assert client.transport.written == b"", "everything is written together, at the end of the turn"
        await asyncio.sleep(0)
        assert client.transport.written == b"".join(Frame(Opcode.TEXT, each).serialize(mask=False) for each in texts)

    run(test)


# ---------------------------------------------------------------- Handshake


def test_the_application_gets_one_message_at_a_time_and_the_conversation_gets_the_rest() -> None:
    async def test() -> None:
        hello, welcome = asyncio.Event(), asyncio.Event()

        async def app(scope: Json, receive: Json, send: Json) -> None:
            await client_of_app.wait()
            assert (await receive())["type"] == "websocket.connect"
            await send({"type": "websocket.accept"})
            assert await receive() == {"type": "websocket.receive", "text": "hello"}
            hello.set()
            await welcome.wait()
            await send({"type": "websocket.send", "text": "welcome"})
            client.socket.hand_over(client.conversation)
            client.socket.resume()

        client_of_app = asyncio.Event()
        client = Client(app=app)
        client_of_app.set()
        await client.upgraded()
        client.feed(masked(b"hello") + b"".join(masked(b"%d" % i) for i in range(20)) + masked(b"?", Opcode.PING))
        await hello.wait()
        assert client.received == []
        assert not client.transport.reads, "what was sent after hello waits"
        welcome.set()
        await turns(10)
        assert client.received == [b"%d" % i for i in range(20)]
        assert Frame(Opcode.TEXT, b"welcome").serialize(mask=False) in client.transport.written

    run(test)


@pytest.mark.parametrize("fails", [True, False])
def test_an_application_that_fails_or_forgets_the_connection_ends_it(*, fails: bool) -> None:
    async def test() -> None:
        async def broken(scope: Json, receive: Json, send: Json) -> None:
            if fails:
                raise ValueError
            await send({"type": "websocket.accept"})

        client = Client(app=broken)
        client.socket.data_received(request(80, "ABCDEF"))
        await turns(3)
        assert client.transport.written.startswith(b"HTTP/1.1 500" if fails else b"HTTP/1.1 101")
        assert client.transport.closed == fails
        assert fails or client.transport.written.endswith(close_frame(1011))

    run(test)


def test_an_application_that_closes_before_it_accepts_answers_the_request_with_an_error() -> None:
    async def test() -> None:
        async def refusing(scope: Json, receive: Json, send: Json) -> None:
            await send({"type": "websocket.close", "code": 1008})

        client = Client(app=refusing)
        client.socket.data_received(request(80, "ABCDEF"))
        task = next(iter(client.server_state.tasks))
        await task
        assert client.transport.written.startswith(b"HTTP/1.1 403")
        assert client.transport.closed

    run(test)


def test_a_request_that_is_no_websocket_handshake_is_answered_with_an_error() -> None:
    async def test() -> None:
        for bad in (b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Key"):
            client = Client()
            client.socket.data_received(request(80, "ABCDEF").replace(bad, b"X-Nothing: 1"))
            await turns(3)
            assert client.transport.written.startswith(b"HTTP/1.1 400")
            assert client.transport.closed

    run(test)


# ---------------------------------------------------------------- Backpressure


def test_a_paused_conversation_gets_nothing_and_little_is_read_for_it() -> None:
    async def test() -> None:
        client = await Client().upgraded()
        client.socket.pause()
        left = await client.send(b"".join(masked(b"%d" % i) for i in range(1000)))
        assert client.received == []
        assert client.read_bytes <= 2 * READ_SIZE
        client.socket.resume()
        await client.send(left)
        assert client.received == [b"%d" % i for i in range(1000)]

    run(test)


def test_messages_that_arrived_before_the_end_are_delivered_before_the_conversation_hears_of_it() -> None:
    async def test() -> None:
        client = await Client().upgraded()
        client.socket.pause()
        client.feed(b"".join(masked(b"%d" % i) for i in range(20)) + masked(b"\x03\xe9", Opcode.CLOSE))
        client.socket.connection_lost(None)
        await turns(3)
        assert client.conversation.lost_calls == 0
        client.socket.resume()
        await turns(5)
        assert client.received == [b"%d" % i for i in range(20)]
        assert client.conversation.lost_calls == 1
        assert not client.server_state.connections

    run(test)


def test_pings_of_a_client_that_does_not_read_are_not_answered() -> None:
    async def test() -> None:
        client, ping = await Client().upgraded(), masked(b"there?", Opcode.PING)
        client.socket.pause_writing()
        assert not client.socket.writable
        client.feed(20 * ping)
        assert client.transport.written == b""
        client.socket.resume_writing()
        assert client.received == ["not writable", "writable"]
        client.feed(ping)
        assert client.transport.written == Frame(Opcode.PONG, b"there?").serialize(mask=False)

    run(test)


# ---------------------------------------------------------------- Floods

FLOODS = {
    "pings": masked(b"", Opcode.PING),
    "pongs": masked(b"", Opcode.PONG),
    "fragments": masked(b"x", last=False) + 1000 * masked(b"x", Opcode.CONT, last=False),
    "messages of fragments": masked(b"{", last=False) + masked(b"}", Opcode.CONT),
}


@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_frames_that_are_no_messages_is_cut_off(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_socket, "LINGER_S", 0.0)

    async def test() -> None:
        client = await Client().upgraded()
        data = (FLOODS[kind] * 2000)[:50_000]
        left = await client.send(data)
        assert client.read_bytes <= EXTRA_FRAMES * len(masked(b"x")) + READ_SIZE
        assert len(left) == len(data) - client.read_bytes
        assert client.transport.written.endswith(close_frame(4008, "flood"))
        assert len(client.received) <= EXTRA_FRAMES
        assert client.conversation.lost_calls == 1
        await until(lambda: client.transport.aborted)

    run(test)


def test_a_flood_is_cut_off_before_hello_too() -> None:
    async def test() -> None:
        async def silent(scope: Json, receive: Json, send: Json) -> None:
            await receive()
            await send({"type": "websocket.accept"})
            events.append(await receive())

        events: list[Json] = []
        client = await Client(app=silent).upgraded()
        await client.send(1000 * masked(b"", Opcode.PING))
        await turns(3)
        assert client.transport.written.endswith(close_frame(4008, "flood"))
        assert events == [{"type": "websocket.disconnect", "code": 1006}]

    run(test)


def test_frames_after_goodbye_are_dropped_and_a_flood_of_them_is_aborted() -> None:
    async def test() -> None:
        client = await Client().upgraded()
        client.socket.close(4000, "closed")
        await client.send(EXTRA_FRAMES * masked(b"{}"))
        assert not client.transport.closed
        await client.send(100 * masked(b"{}"))
        assert client.transport.aborted
        assert client.received == []
        assert client.transport.written == close_frame(4000, "closed")

    run(test)


def test_the_limit_of_frames_holds_for_a_window_and_that_of_fragments_for_a_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr(table_socket, "monotonic", lambda: now[0])

    async def test() -> None:
        client = await Client().upgraded()
        for _ in range(5):
            await client.send(EXTRA_FRAMES * masked(b"", Opcode.PING))
            now[0] += WINDOW_S
        await client.send(masked(b"x", last=False))
        for _ in range(MOST_FRAGMENTS - 2):
            await client.send(masked(b"x", Opcode.CONT, last=False))
            now[0] += WINDOW_S
        await client.send(masked(b"x", Opcode.CONT))
        assert client.received == [MOST_FRAGMENTS * b"x"]
        await client.send(masked(b"x", last=False))
        for _ in range(MOST_FRAGMENTS):
            assert client.transport.reads
            await client.send(masked(b"x", Opcode.CONT, last=False))
            now[0] += WINDOW_S
        assert client.transport.written.endswith(close_frame(4008, "flood"))

    run(test)


def test_a_turn_of_the_loop_reads_and_delivers_little_of_one_client_so_others_get_theirs() -> None:
    """Ten clients send hundreds of messages each at once; a bystander's message is not behind theirs."""

    async def test() -> None:
        received: list[Json] = []
        group: SocketGroup | None = None
        clients: list[Client] = []
        for i in range(11):
            client = Client(group, name=str(i))
            group = client.socket._group
            client.conversation.received = received
            client.app = client.hand_over
            vars(group)["app"] = client.run_app
            clients.append(await client.upgraded())
        *flooders, bystander = clients
        left = {client: client.feed(1000 * masked(b"{}")) for client in flooders}
        bystander.feed(masked(b"mine"))
        before = received.index(("10", b"mine"))
        assert before <= len(flooders) * MESSAGES_PER_TURN
        for client in flooders:
            assert client.read_bytes == READ_SIZE
            assert not client.transport.reads
        for turn in range(2, 5):
            await turns(1)
            assert len(received) <= turn * len(flooders) * MESSAGES_PER_TURN + 1
        while any(left.values()) or any(client.socket._messages for client in flooders):
            left = {client: client.feed(data) for client, data in left.items()}
            await turns(1)
        assert len(received) == 1 + len(flooders) * 1000, "nothing is lost"

    run(test)


def test_a_huge_message_is_read_in_small_parts_and_ends_the_connection_if_it_is_too_large() -> None:
    async def test() -> None:
        client = await Client().upgraded()
        left = client.feed(masked(b"x" * LARGEST_FRAME))
        assert client.read_bytes == READ_SIZE
        await client.send(left)
        assert client.received == [b"x" * LARGEST_FRAME]
        await client.send(masked(b"x" * (LARGEST_FRAME + 1)))
        assert int.from_bytes(client.transport.written[2:4], "big") == 1009
        assert client.transport.closed

    run(test)


def test_a_flood_of_huge_messages_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_socket, "monotonic", lambda: 100.0)

    async def test() -> None:
        client = await Client().upgraded()
        await client.send(20 * masked(b"x" * LARGEST_FRAME))
        assert client.read_bytes == (FULL_READS + 1) * READ_SIZE
        assert client.transport.written.endswith(close_frame(4008, "flood"))

    run(test)


# ---------------------------------------------------------------- Keepalive and the end


def test_a_client_that_does_not_answer_a_ping_is_disconnected_and_one_that_does_stays() -> None:
    async def test() -> None:
        silent, answering = await Client().upgraded(), await Client().upgraded()
        for mark in (b"1", b"2"):
            silent.socket.ping(mark)
            answering.socket.ping(mark)
            answering.feed(masked(mark, Opcode.PONG))
            silent.feed(masked(b"wrong", Opcode.PONG))
        assert silent.transport.written.endswith(close_frame(1011, "keepalive ping timeout"))
        assert silent.transport.closed
        assert silent.conversation.lost_calls == 1
        assert not answering.transport.closed

    run(test)


def test_a_client_that_is_not_read_from_is_not_expected_to_answer_pings() -> None:
    async def test() -> None:
        client = await Client().upgraded()
        client.socket.pause()
        client.feed(masked(b"one"))
        client.socket.ping(b"1")
        client.socket.ping(b"2")
        assert client.transport.written == b""
        assert not client.transport.closed

    run(test)


def test_goodbye_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_socket, "CLOSE_WITHIN_S", 0.0)

    async def test() -> None:
        silent, answering, stuck = [await Client().upgraded() for _ in range(3)]
        silent.socket.close(4000, "closed")
        answering.socket.close(4000, "closed")
        answering.feed(masked(struct.pack(">H", 4000), Opcode.CLOSE))
        assert answering.transport.closed
        answering.socket.connection_lost(None)
        stuck.feed(masked(b"\x03\xe8", Opcode.CLOSE))  # what it was sent before is never read
        await until(lambda: silent.transport.aborted and stuck.transport.aborted)
        assert not answering.transport.aborted

    run(test)


def test_a_server_that_stops_says_so_in_every_state() -> None:
    async def test() -> None:
        waiting = Client(app=lambda *_: asyncio.sleep(10))
        waiting.socket.data_received(request(80, "ABCDEF"))
        waiting.socket.shutdown()
        assert waiting.transport.written.startswith(b"HTTP/1.1 503")
        talking = await Client().upgraded()
        talking.socket.shutdown()
        assert talking.transport.written == close_frame(1012)
        assert talking.conversation.lost_calls == 1
        leaving = await Client().upgraded()
        leaving.socket.close(4000, "closed")
        leaving.socket.shutdown()
        assert leaving.transport.written == close_frame(4000, "closed")
        assert all(client.transport.closed for client in (waiting, talking, leaving))
        for task in list(waiting.server_state.tasks):
            task.cancel()

    run(test)
