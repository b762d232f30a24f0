"""HttpConnection: deadlines for requests and answers, and connections counted from the moment they are accepted."""

import asyncio
import socket
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any, ClassVar, cast

import httpx
import pytest
import uvicorn

from tests.waiting import PATIENCE_S, until, wait_until
from tests.web.raw_socket import new_table, request
from tests.web.server import Server, ServerInThread, cookie_of
from threefold.web import http_connection
from threefold.web.http_connection import CONNECTIONS_PER_SOCKET, HttpConnection, OpenConnections, uvicorn_protocol

pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")  # at the start

HEALTH = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
POST = b"POST /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n"
BODY = b'{"name":"Ann"}'
MISSING = HEALTH.replace(b"/api/health", b"/api/none")
UNREAD = POST.replace(b"/api/me", b"/api/health")
"""A request that is refused without a look at its body."""


class Peer(asyncio.Transport):
    """A connection without a network."""

    def __init__(self, host: str) -> None:
        super().__init__({"peername": (host, 1)})
        self.aborted = False

    def abort(self) -> None:
        self.aborted = True


def connected(server: Server) -> socket.socket:
    """A bare connection."""
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S)


def is_ended(tcp: socket.socket) -> bool:
    """Waits until the server ends the connection; whatever it sends before is dropped."""
    try:
        while tcp.recv(65_536):
            pass
    except ConnectionResetError:
        pass
    return True


def read_until(tcp: socket.socket, text: bytes) -> None:
    """Reads until this has come."""
    answer = b""
    while text not in answer:
        part = tcp.recv(1000)
        assert part, answer
        answer += part


def counts_of(own: ServerInThread) -> OpenConnections:
    """What the server counts."""
    counts: OpenConnections = own.server.lifespan.state[http_connection.STATE_KEY]
    return counts


# ---------------------------------------------------------------- uvicorn's convention for `http=`


class Watched(asyncio.Protocol):
    """Keeps what uvicorn does with a class that it was given as `http=`, and forwards it to uvicorn's own protocol."""

    calls: ClassVar[list[tuple[str, Any]]] = []
    marks: ClassVar[ContextVar[object]] = ContextVar("mark", default=None)

    def __init__(self, **arguments: Any) -> None:
        self.calls.append(("init", arguments))
        self.inner: Any = uvicorn_protocol()(**arguments)

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.inner.connection_made(transport)
        self.calls.append(("connection_made", transport.get_protocol() is self))

    def data_received(self, data: bytes) -> None:
        outer = self.marks.set(self)
        self.inner.data_received(data)
        self.marks.reset(outer)
        self.calls.append(("data_received", self.transport.get_protocol() is self))

    def connection_lost(self, exc: Exception | None) -> None:
        self.inner.connection_lost(exc)
        self.calls.append(("connection_lost", exc))


class Upgraded(asyncio.Protocol):
    """A protocol that uvicorn was given as `ws=`."""

    def __init__(self, **_: Any) -> None:
        Watched.calls.append(("upgrade", Watched.marks.get() is not None))

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, _: bytes) -> None:
        self.transport.write(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
        self.transport.close()


def test_uvicorn_uses_its_http_protocol_as_http_connection_expects() -> None:
    """If an update of uvicorn breaks this, adapt web/http_connection.py, then raise the bound in pyproject.toml."""
    states: list[Any] = []
    bodies: list[Any] = []
    marks: list[object] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            scope["state"]["mark"] = 7
            while True:
                await send({"type": f"{(await receive())['type']}.complete"})
        states.append(scope["state"])
        marks.append(Watched.marks.get())
        while True:
            bodies.append(await receive())
            if not bodies[-1]["more_body"]:
                break
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async def test() -> None:
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(application, http=Watched, ws=cast("Any", Upgraded), log_config=None)
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server._serve([listener]))
        await until(lambda: server.started, "for uvicorn to start")
        port = listener.getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(POST[:20])
        await until(lambda: len(Watched.calls) == 3, "for the first part")
        assert not states, "the application is called when the headers are complete"
        writer.write(POST[20:] + BODY[:5])
        await until(lambda: len(bodies) == 1, "for the body to begin")
        writer.write(BODY[5:] + HEALTH + request(port, "ABCDEF"))
        assert b" 101 " in await reader.read(), "requests after the first are answered in their turn"
        writer.close()
        idle, idle_writer = await asyncio.open_connection("127.0.0.1", port)
        await until(lambda: Watched.calls[-1][0] == "connection_made", "for another connection")
        server.should_exit = True
        await serving
        assert await idle.read() == b"", "uvicorn ends its own protocols when it stops"
        idle_writer.close()

    asyncio.run(test())
    (_, arguments), *calls = Watched.calls
    assert set(arguments) == {"config", "server_state", "app_state", "_loop"}
    assert arguments["app_state"]["mark"] == 7, "the state of the lifespan, in which the application puts the limits"
    assert [state["mark"] for state in states] == [7, 7]
    assert [(each["body"], each["more_body"]) for each in bodies] == [(BODY[:5], True), (BODY[5:], False), (b"", False)]
    assert len(set(marks)) == 1, "the application's task inherits the context of data_received"
    assert isinstance(marks[0], Watched)
    names = [name for name, _ in calls]
    assert names == [
        "connection_made", "data_received", "data_received", "data_received", "upgrade",
        "init", "connection_made", "connection_lost",
    ]  # fmt: skip
    assert all(is_so for name, is_so in calls if name in ("connection_made", "data_received", "upgrade"))


# ---------------------------------------------------------------- Deadlines


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(HEALTH[:-2], id="half a request"),
        pytest.param(POST, id="no body"),
        pytest.param(POST + BODY[:-1], id="half a body"),
        pytest.param(HEALTH + POST + BODY[:-1], id="half a body behind another request"),
        pytest.param(UNREAD + BODY[:-1], id="half a body that nobody reads"),
        pytest.param(request(1, "ABCDEF")[:-2], id="half a handshake"),
    ],
)
def test_a_request_that_is_not_complete_in_time_ends_the_connection(
    sent: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_connection, "REQUEST_WITHIN_S", 0.2)
    with ServerInThread(tmp_path, timeout_keep_alive=1000) as own, connected(own) as tcp:
        tcp.sendall(sent)
        assert is_ended(tcp)
        assert httpx.get(f"{own.url}/api/health", timeout=PATIENCE_S).is_success


def test_the_deadline_holds_for_every_request_of_a_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_connection, "REQUEST_WITHIN_S", 0.5)
    with ServerInThread(tmp_path, timeout_keep_alive=1000) as own, connected(own) as tcp:
        tcp.sendall(HEALTH)
        assert b" 200 " in tcp.recv(1000)
        tcp.sendall(HEALTH[:10])
        assert is_ended(tcp)


def test_bytes_that_drip_in_do_not_move_the_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_connection, "REQUEST_WITHIN_S", 0.5)
    with ServerInThread(tmp_path) as own, connected(own) as tcp:
        tcp.sendall(HEALTH[:-2])
        tcp.settimeout(0.05)
        for number in range(10_000):
            try:
                tcp.sendall(b"a: %d\r\n" % number)
                if not tcp.recv(1000):
                    return
            except TimeoutError:
                continue
            except OSError:
                return
    raise AssertionError("the connection lived on")


def deadlines(monkeypatch: pytest.MonkeyPatch) -> list[asyncio.TimerHandle]:
    """All deadlines that are set from now on."""
    made: list[asyncio.TimerHandle] = []
    abort_after = HttpConnection._abort_after

    def noted(self: HttpConnection, seconds: float) -> asyncio.TimerHandle:
        made.append(abort_after(self, seconds))
        return made[-1]

    monkeypatch.setattr(HttpConnection, "_abort_after", noted)
    return made


@pytest.mark.parametrize("first", [b"", HEALTH], ids=["alone", "behind another"])
@pytest.mark.parametrize("kind", ["without a body", "with a body", "upgraded"])
def test_a_request_that_is_complete_has_no_deadline(
    kind: str, first: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = deadlines(monkeypatch)
    with ServerInThread(tmp_path) as own, own.people("Ann") as (ann,), connected(own) as tcp:
        upgrade = request(own.port, new_table(ann), cookie_of(ann))
        sent = {"without a body": MISSING, "with a body": POST + BODY, "upgraded": upgrade}[kind]
        answer = {"without a body": b" 404 ", "with a body": b'"name":"Ann"', "upgraded": b" 101 "}[kind]
        tcp.sendall(first + sent)
        read_until(tcp, answer)
        wait_until(lambda: all(each.cancelled() for each in made), "for the deadline to be cancelled")
        assert made


def test_the_next_request_shows_that_a_body_was_complete_that_nobody_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = deadlines(monkeypatch)
    with ServerInThread(tmp_path) as own, connected(own) as tcp:
        tcp.sendall(UNREAD + BODY)
        read_until(tcp, b" 405 ")
        assert not made[-1].cancelled()
        tcp.sendall(POST + BODY)
        read_until(tcp, b'"name":"Ann"')
        wait_until(lambda: all(each.cancelled() for each in made), "for the deadlines to be cancelled")
        assert len(made) == 2, "the second request has a deadline of its own"


def test_a_client_that_does_not_read_its_answer_is_disconnected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_connection, "ANSWER_READ_WITHIN_S", 0.2)
    with ServerInThread(tmp_path) as own, socket.socket() as tcp:
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        tcp.connect(("127.0.0.1", own.port))
        wait_until(lambda: len(counts_of(own)) == 1, "for the connection to be counted")
        tcp.sendall(HEALTH.replace(b"/api/health", b"/api/openapi/json"))
        wait_until(lambda: len(counts_of(own)) == 0, "for the connection to end")


# ---------------------------------------------------------------- Counts


def test_connections_are_counted_by_address_from_the_moment_they_are_accepted() -> None:
    counts = OpenConnections(per_address=2)
    first, second, third = (Peer(f"2001:db8::{i}") for i in range(3))
    assert counts.accept(first)
    assert counts.accept(second)
    assert not counts.accept(third), "one /64 network is one address"
    assert counts.accept(Peer("2001:db8:0:1::1"))
    counts.release(first)
    assert counts.accept(third)
    counts.release(first)  # does nothing the second time
    assert not counts.accept(Peer("2001:db8::9"))
    assert len(counts) == 3


def test_when_places_run_out_the_oldest_connection_without_a_complete_request_goes() -> None:
    counts = OpenConnections(most=3)
    player, silent, slow, late, later = (Peer(f"192.0.2.{i}") for i in range(5))
    for peer in (player, silent, slow):
        assert counts.accept(peer)
    counts.is_complete(player)
    assert counts.accept(late)
    assert counts.accept(later)
    assert [peer.aborted for peer in (player, silent, slow, late, later)] == [False, True, True, False, False]


def test_when_everybody_has_a_complete_request_the_newcomer_goes() -> None:
    counts = OpenConnections(most=1)
    player, late = Peer("192.0.2.1"), Peer("192.0.2.2")
    counts.accept(player)
    counts.is_complete(player)
    counts.accept(late)
    assert (player.aborted, late.aborted) == (False, True)


def test_silent_connections_use_up_the_places_of_their_address_and_free_them(tmp_path: Path) -> None:
    most = 4
    with Server(tmp_path, THREEFOLD_SOCKETS_PER_ADDRESS=str(most)) as own:
        silent = [connected(own) for _ in range(CONNECTIONS_PER_SOCKET * most)]
        with connected(own) as tcp:
            assert is_ended(tcp)
        for each in silent:
            each.close()
        wait_until(_answers(own), "for the places to be free again")


def _answers(own: Server) -> Callable[[], bool]:
    def asks() -> bool:
        try:
            return httpx.get(f"{own.url}/api/health", timeout=PATIENCE_S).is_success
        except httpx.TransportError:
            return False

    return asks


def test_a_socket_is_counted_until_it_ends(tmp_path: Path) -> None:
    with ServerInThread(tmp_path) as own, own.people("Ann") as (ann,):
        code = new_table(ann)
        counts = counts_of(own)
        before = len(counts)
        with connected(own) as tcp:
            tcp.sendall(request(own.port, code, cookie_of(ann)))
            assert b" 101 " in tcp.recv(1000)
            assert len(counts) == before + 1
        wait_until(lambda: len(counts) == before, "for the place to be free again")
