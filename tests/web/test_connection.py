"""Connections over the network, on uvicorn: from hello to goodbye, beside clients that flood or do not read."""

import asyncio
import gc
import socket
import struct
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, cast

import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol

from tests.waiting import PATIENCE_S, until
from tests.web.raw_socket import (
    HELLO,
    close_code,
    ended,
    frame_with,
    masked,
    new_table,
    next_frame,
    request,
    upgraded,
)
from tests.web.server import Guest, Server, ServerInThread, cookie_of, guests
from threefold.web import app, handshake, limits
from threefold.web.limits import RATES
from threefold.web.table_socket import LARGEST_FRAME, READ_SIZE, TableSocket

Json = Any
pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")  # at the start

# ---------------------------------------------------------------- uvicorn's convention for `ws=`


class Handed(asyncio.BufferedProtocol):
    """Keeps what uvicorn does with a class that it was given as `ws=`."""

    calls: ClassVar[list[tuple[str, Any]]] = []
    transport: asyncio.Transport

    def __init__(self, **arguments: Any) -> None:
        self.calls.append(("init", arguments))
        self.connections = arguments["server_state"].connections

    def connection_made(self, transport: Any) -> None:
        self.calls.append(("connection_made", transport))
        self.transport = transport
        self.connections.add(self)

    def data_received(self, data: bytes) -> None:
        self.calls.append(("data_received", data))
        self.transport.write(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")

    def get_buffer(self, _: int) -> bytearray:
        self.buffer = bytearray(100)
        return self.buffer

    def buffer_updated(self, size: int) -> None:
        self.calls.append(("buffer_updated", bytes(self.buffer[:size])))
        self.transport.write(b"read")

    def connection_lost(self, _: Exception | None) -> None:
        self.connections.discard(self)
        self.calls.append(("connection_lost", None))

    def shutdown(self) -> None:
        self.calls.append(("shutdown", None))
        self.transport.close()


def test_uvicorn_hands_an_upgraded_connection_over_as_the_table_socket_expects() -> None:
    """If this fails after an update of uvicorn, adapt web/table_socket.py, then raise the bound in pyproject.toml."""

    async def application(scope: Json, receive: Json, send: Json) -> None:
        assert scope["type"] == "lifespan"
        while True:
            await send({"type": f"{(await receive())['type']}.complete"})

    async def test() -> None:
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        ws = cast("Any", Handed)
        config = uvicorn.Config(application, ws=ws, http="h11", log_config=None, root_path="/r", ws_ping_interval=7)
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server._serve([listener]))
        while not server.started:  # noqa: ASYNC110 (uvicorn has no event for it)
            await asyncio.sleep(0.01)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        sent = request(port, "ABCDEF", "a=b")
        writer.write(sent)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"frames")
        assert await reader.readexactly(4) == b"read", "frames go to get_buffer and buffer_updated"
        server.should_exit = True
        await serving
        writer.close()
        names = [name for name, _ in Handed.calls]
        assert names == ["init", "connection_made", "data_received", "buffer_updated", "shutdown", "connection_lost"]
        arguments, transport, head, frames = (what for _, what in Handed.calls[:4])
        assert set(arguments) == {"config", "server_state", "app_state"}
        config = arguments["config"]
        assert (config.root_path, config.ws_ping_interval) == ("/r", 7)
        assert callable(config.loaded_app)
        assert isinstance(arguments["server_state"].connections, set)
        assert isinstance(arguments["server_state"].tasks, set)
        assert isinstance(arguments["app_state"], dict)
        assert transport.get_extra_info("socket") is not None
        lines = head.split(b"\r\n")
        assert lines[0] == b"GET /api/tables/ABCDEF/socket HTTP/1.1"
        assert b"cookie: a=b" in [line.lower() for line in lines]
        assert head.endswith(b"\r\n\r\n")
        assert frames == b"frames"

    asyncio.run(test())


def test_on_another_websocket_implementation_the_route_refuses_and_says_why(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def test(own: ServerInThread) -> None:
        with own.people("Ann") as (ann,), pytest.raises(InvalidStatus):
            await connect(f"ws://127.0.0.1:{own.port}/api/tables/{new_table(ann)}/socket")

    with ServerInThread(tmp_path, "websockets-sansio") as own:
        asyncio.run(test(own))
    captured = capfd.readouterr()
    assert "ws=threefold.web.table_socket:TableSocket" in captured.out + captured.err


# ---------------------------------------------------------------- In this process, so that one can look inside


class Watched(TableSocket):
    """Is listed as long as it exists."""

    alive: ClassVar[weakref.WeakSet["Watched"]] = weakref.WeakSet()

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        Watched.alive.add(self)


def test_after_welcome_only_the_socket_and_its_connection_are_kept(tmp_path: Path) -> None:
    async def test(own: ServerInThread) -> None:
        with own.people("Ann", "Bob") as people:
            async with guests(own, new_table(people[0]), people) as (ann, bob):
                await bob.ask("sit")
                await ann.ask("start")
                assert len(Watched.alive) == 2
                assert not own.server.server_state.tasks
            async with asyncio.timeout(PATIENCE_S):
                while Watched.alive:
                    await asyncio.sleep(0.01)
                    gc.collect()
            assert not any(isinstance(each, TableSocket) for each in own.server.server_state.connections)

    with ServerInThread(tmp_path, f"{__name__}:Watched") as own:
        asyncio.run(test(own))


def test_a_closed_connection_is_freed_without_a_garbage_collection(tmp_path: Path) -> None:
    """Garbage in cycles would wait for a collection of the oldest generation, which is rare."""

    async def test(own: ServerInThread) -> None:
        with own.people("Ann", "Bob") as people:
            code = new_table(people[0])
            stolen = Guest(own, code, cookie="threefold=stolen")
            await stolen.open()
            async with guests(own, code, people) as (ann, bob):
                await bob.refused("stand_in", guest=7)
                await ann.refused("move", move="dance")
                await ann.drop()
            await stolen.close()
            await until(lambda: not Watched.alive, "for the sockets to be freed")
            assert not any(isinstance(each, ServerProtocol) for each in gc.get_objects())

    with ServerInThread(tmp_path, f"{__name__}:Watched") as own:
        gc.collect()
        gc.disable()
        try:
            asyncio.run(test(own))
        finally:
            gc.enable()


async def until_closed(line: ClientConnection) -> None:
    while True:
        await line.recv()


def test_a_server_that_stops_closes_every_connection(tmp_path: Path) -> None:
    async def test(own: ServerInThread) -> None:
        with own.people("Ann") as (ann,):
            address = f"ws://127.0.0.1:{own.port}/api/tables/{new_table(ann)}/socket"
            async with connect(address, additional_headers={"cookie": cookie_of(ann)}) as line:
                await line.send(HELLO.decode())
                await line.recv()
                await asyncio.to_thread(own.stop)
                with pytest.raises(ConnectionClosedError) as closed:
                    await until_closed(line)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1012
                assert not own.server.server_state.connections

    with ServerInThread(tmp_path, timeout_graceful_shutdown=3) as own:
        asyncio.run(test(own))


def test_a_client_that_never_says_hello_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handshake, "HELLO_WITHIN_S", 0.1)

    async def test(own: ServerInThread) -> None:
        with own.people("Ann") as (ann,):
            reader, writer = await upgraded(own, ann)
            await frame_with(reader, b"live.refusal.hello_first")
            assert await close_code(reader) == 4001
            writer.close()

    with ServerInThread(tmp_path) as own:
        asyncio.run(test(own))


def test_on_a_server_that_is_nearly_full_seated_players_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "raise_file_limit", lambda: 100)
    monkeypatch.setattr(limits, "NEARLY_FULL", 0)

    async def test(own: ServerInThread) -> None:
        with own.people("Ann", "Bob") as (ann, bob):
            code = new_table(ann)
            async with guests(own, code, [ann]) as (seated,):
                assert seated.welcome is not None
                reader, writer = await upgraded(own, bob, code)
                writer.write(masked(HELLO))
                assert await close_code(reader) == 1013
                writer.close()

    with ServerInThread(tmp_path) as own:
        asyncio.run(test(own))


def test_a_client_that_reads_again_gets_the_latest_state_and_not_all_that_it_missed(tmp_path: Path) -> None:
    async def test(own: ServerInThread) -> None:
        with own.people("Ann", "Bob") as people:
            code = new_table(people[0])
            async with guests(own, code, people[:1]) as (ann,):
                reader, writer = await upgraded(own, people[1], code, receive_buffer=4096)
                writer.write(masked(HELLO))
                await frame_with(reader, b'"is":"table"')
                cast("Any", writer.transport).pause_reading()
                for grace in [*([60, 61] * 200), 77]:
                    await ann.ask("change", settings={**ann.table["settings"], "grace_s": grace})
                sent = sum(len(each) for each in ann.raw)
                cast("Any", writer.transport).resume_reading()
                received = 0
                async with asyncio.timeout(PATIENCE_S):
                    while b'"grace_s":77' not in (text := (await next_frame(reader))[1]):
                        received += len(text)
                assert received < sent / 2
                writer.close()

    with ServerInThread(tmp_path) as own:
        asyncio.run(test(own))


# ---------------------------------------------------------------- Over the network


def test_messages_come_in_whatever_pieces_the_network_makes_of_them(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            reader, writer = await upgraded(server, ann)
            sent = masked(HELLO) + masked(b'{"is":"ping","n":1,"sent":7}') + masked(b'{"is":"ping","n":2,"sent":8}')
            for i in range(0, len(sent), 5):
                writer.write(sent[i : i + 5])
                await writer.drain()
                await asyncio.sleep(0.005)
            await frame_with(reader, b'"sent":8')
            writer.close()

    asyncio.run(test())


def test_a_message_in_several_frames_with_a_ping_between_is_one_message(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            reader, writer = await upgraded(server, ann)
            writer.write(masked(HELLO))
            await frame_with(reader, b'"is":"table"')
            text = b'{"is":"ping","n":1,"sent":123}'
            writer.write(masked(text[:9], last=False) + masked(b"there?", Opcode.PING))
            writer.write(masked(text[9:], Opcode.CONT) + masked(b'{"is":"ping","n":2,"sent":124}'))
            frames = [await next_frame(reader)]
            assert frames[0] == (int(Opcode.PONG), b"there?")
            async with asyncio.timeout(PATIENCE_S):
                while not any(b'"sent":124' in text for _, text in frames):
                    frames.append(await next_frame(reader))
            assert [text for _, text in frames if b'"sent":123' in text]
            writer.close()

    asyncio.run(test())


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (masked(struct.pack(">H", 1000), Opcode.CLOSE), 1000),
        (masked(b"\xff\xfe"), 1007),
        (Frame(Opcode.TEXT, b"{}").serialize(mask=False), 1002),
        (struct.pack(">BBQ", 0x81, 0xFF, LARGEST_FRAME + 1) + b"abcd", 1009),
    ],
    ids=["goodbye", "not UTF-8", "not masked", "too large"],  # the masks are random
)
def test_a_goodbye_and_broken_frames_end_the_connection_with_the_code_of_the_protocol(
    server: Server, sent: bytes, code: int
) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            reader, writer = await upgraded(server, ann)
            writer.write(masked(HELLO))
            await frame_with(reader, b'"is":"table"')
            writer.write(sent)
            assert await close_code(reader) == code
            writer.close()

    asyncio.run(test())


def test_a_message_larger_than_the_read_buffer_is_refused_and_the_connection_goes_on(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            address = f"ws://127.0.0.1:{server.port}/api/tables/{new_table(ann)}/socket"
            async with connect(address, additional_headers={"cookie": cookie_of(ann)}) as line:
                await line.send(HELLO.decode())
                await line.send("x" * 65 * READ_SIZE)
                await line.send('{"is":"ping","n":5,"sent":99}')
                answers = ""
                async with asyncio.timeout(PATIENCE_S):
                    while '"sent":99' not in answers:
                        answers += str(await line.recv())
                assert "live.refusal.too_large" in answers

    asyncio.run(test())


def test_many_messages_in_one_packet_are_handled_in_order(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            reader, writer = await upgraded(server, ann)
            sent = [masked(b'{"is":"ping","n":%d,"sent":%d}' % (n, n)) for n in range(1, 500)]
            writer.write(masked(HELLO) + b"".join(sent))
            pongs: list[bytes] = []
            async with asyncio.timeout(PATIENCE_S):
                while not pongs or b'"sent":499,' not in pongs[-1]:
                    text = (await next_frame(reader))[1]
                    pongs += [text] if b'"pong"' in text else []
            numbers = [int(each.partition(b'"sent":')[2].partition(b",")[0]) for each in pongs]
            assert numbers == list(range(500 - len(numbers), 500))
            writer.close()

    asyncio.run(test())


def test_messages_that_were_sent_before_the_client_went_are_handled(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            code = new_table(people[0])
            async with guests(server, code, people) as (ann, bob):
                await bob.ask("sit")
                reader, writer = await upgraded(server, people[1], code)
                writer.write(masked(HELLO))
                await frame_with(reader, b'"is":"table"')
                words = b"".join(
                    masked(b'{"is":"phrase","n":%d,"phrase":"%b"}' % (n, each))
                    for n, each in enumerate((b"hello", b"thanks", b"oops"), 1)
                )
                leave = masked(b'{"is":"stand","n":4}')
                writer.write(words + leave + masked(struct.pack(">H", 1001), Opcode.CLOSE))
                assert await ended(reader) == 1001
                await ann.until(lambda: ann.table["seats"][1]["guest"] is None)
                assert [each["what"] for each in ann.received if each["is"] == "said"] == ["hello", "thanks", "oops"]
                writer.close()

    asyncio.run(test())


def test_a_refusal_comes_before_or_with_the_ack_that_covers_it(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            async with guests(server, new_table(people[0]), people) as (ann, bob):
                await bob.ask("sit")
                await ann.ask("start")
                await ann.until(lambda: ann.view)
                for what in ({"is": "sit", "seat": 99}, {"is": "start"}, {"is": "move", "move": "play 7"}):
                    ann.n += 1
                    ann.received.clear()
                    await ann.send({**what, "n": ann.n})
                    await ann.until(lambda: ann.ack >= ann.n)
                    acked = next(i for i, each in enumerate(ann.received) if each.get("ack", 0) >= ann.n)
                    assert [each["n"] for each in ann.received[:acked] if each["is"] == "refused"] == [ann.n], what

    asyncio.run(test())


def test_a_client_that_answers_no_ping_is_disconnected_and_one_that_does_stays(tmp_path: Path) -> None:
    async def test(own: Server) -> None:
        with own.people("Ann", "Bob") as people:
            code = new_table(people[0])
            answering = await Guest(own, code, cookie=cookie_of(people[0])).open()
            reader, writer = await upgraded(own, people[1], code)
            writer.write(masked(HELLO))
            assert await ended(reader) == 1011
            writer.close()
            assert not answering.closed
            await answering.ask("ping")
            await answering.close()

    with Server(tmp_path, THREEFOLD_PING_S="0.5") as own:
        asyncio.run(test(own))


# ---------------------------------------------------------------- Floods

FLOODS = {
    "pings": 10_000 * masked(b"", Opcode.PING),
    "pongs": 10_000 * masked(b"", Opcode.PONG),
    "fragments": masked(b"x", last=False) + 10_000 * masked(b"x", Opcode.CONT, last=False),
    "tiny texts": 10_000 * masked(b"{}"),
    "huge texts": masked(b"x" * LARGEST_FRAME),
}


async def flood(server: Server, code: str, cookie: str, kind: str) -> None:
    """Floods until the server disconnects; with a cookie after hello, without one before."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(request(server.port, code, cookie))
    await reader.readuntil(b"\r\n\r\n")
    if cookie:
        writer.write(masked(HELLO))
        await frame_with(reader, b'"is":"welcome"')

    async def send() -> None:
        while True:
            writer.write(FLOODS[kind])
            await writer.drain()

    sending = asyncio.create_task(send())
    with suppress(ConnectionError, asyncio.IncompleteReadError):  # the close code may be lost with the connection
        assert await close_code(reader) == 4008, kind
    sending.cancel()
    await asyncio.gather(sending, return_exceptions=True)
    writer.transport.abort()


def test_clients_that_flood_are_disconnected_while_others_are_answered(tmp_path: Path) -> None:
    async def test(own: Server) -> None:
        with own.people("Ann", "Mallory") as (ann, mallory):
            code, cookie = new_table(ann), cookie_of(mallory)
            async with guests(own, code, [ann]) as (bystander,):
                floods = [asyncio.create_task(flood(own, code, cookie, kind)) for kind in FLOODS]
                floods += [asyncio.create_task(flood(own, code, "", kind)) for kind in ("pings", "pongs", "fragments")]
                while not all(each.done() for each in floods):
                    await bystander.ask("ping")
                    assert not bystander.closed
                    await asyncio.sleep(0.05)
                await asyncio.gather(*floods)

    with Server(tmp_path) as own:
        asyncio.run(test(own))


def test_a_client_that_sends_requests_without_end_is_disconnected_at_its_limit(tmp_path: Path) -> None:
    async def test(own: Server) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", own.port)
        most = RATES["requests"].amount
        writer.write(2 * most * b"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        answers = b""
        async with asyncio.timeout(PATIENCE_S):
            with suppress(ConnectionError):
                while data := await reader.read(65_536):
                    answers += data
        assert answers.count(b"HTTP/1.1 ") <= most + 1
        assert b"HTTP/1.1 429" in answers
        writer.close()

    with Server(tmp_path) as own:
        asyncio.run(test(own))


def test_sockets_are_counted_by_address_before_hello(tmp_path: Path) -> None:
    async def test(own: Server) -> None:
        with own.people("Ann") as (ann,):
            code = new_table(ann)
            silent = [await upgraded(own, ann, code) for _ in range(3)]
            reader, writer = await upgraded(own, ann, code)
            await frame_with(reader, b"live.refusal.too_many_lines")
            assert await ended(reader) == 4001
            writer.close()
            for _, each in silent:
                each.close()
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    reader, writer = await upgraded(own, ann, code)
                    writer.write(masked(HELLO))
                    answer = (await next_frame(reader))[1]
                    writer.close()
                    if b'"welcome"' in answer:
                        return
                    await asyncio.sleep(0.1)

    with Server(tmp_path, THREEFOLD_SOCKETS_PER_ADDRESS="3", THREEFOLD_RATES="5") as own:
        asyncio.run(test(own))
