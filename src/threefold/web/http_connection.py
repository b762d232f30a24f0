"""HttpConnection: one accepted connection, until it ends or becomes a table's socket.

uvicorn gets this class as `http=`. It forwards everything to the protocol that uvicorn itself would choose, and adds
limits for which uvicorn has no settings: a deadline for complete requests (which include WebSocket handshakes), a
deadline for clients that do not read their answer, and a limit of connections per address that counts from the moment a
connection is accepted. It knows nothing about the inside of uvicorn's protocol: the ASGI middleware
`with_connection_limits` tells it when a request is complete and when it is answered.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable
from contextvars import ContextVar
from functools import cache
from typing import Any, cast
from weakref import ref

import uvicorn
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from threefold.web.limits import network_of
from threefold.web.process import raise_file_limit
from threefold.web.settings import ServerSettings

REQUEST_WITHIN_S = 20.0
"""Deadline for a complete request, headers and body, from its first byte on; the first one counts from the start."""
ANSWER_READ_WITHIN_S = 30.0
"""A client that has not read this long what waits for it is disconnected."""
CONNECTIONS_PER_SOCKET = 3
"""Connections that an address may have for each of its sockets: a page loads files beside its socket."""
STATE_KEY = "threefold.open_connections"
"""The key of the OpenConnections in the state that the application shares with uvicorn."""

_current: "ContextVar[ref[HttpConnection] | None]" = ContextVar("connection", default=None)
"""The connection of a request: uvicorn runs the application in a task, which inherits it. A weak reference, because
tasks that the application starts inherit it too, and may live longer than the connection."""


class OpenConnections:
    """All connections of this process, counted by address from the moment they are accepted."""

    def __init__(self, per_address: int | None = None, most: int | None = None) -> None:
        self._per_address = per_address
        """Limit for one address; None: there is none, because all connections come from a proxy."""
        self._most = most
        """Limit by the operating system; None: there is none."""
        self._networks: dict[asyncio.Transport, str] = {}
        self._counts: Counter[str] = Counter()
        self._waiting: dict[asyncio.Transport, None] = {}
        """Connections without a complete request, the oldest first."""

    def __len__(self) -> int:
        return len(self._networks)

    def accept(self, transport: asyncio.Transport) -> bool:
        """Counts a connection until `release`; False if its address has too many.

        When places run out, the connection goes that has waited longest without a complete request.
        """
        peer = transport.get_extra_info("peername")
        network = network_of(str(peer[0])) if isinstance(peer, tuple) else ""
        if network and self._per_address is not None and self._counts[network] >= self._per_address:
            return False
        self._networks[transport] = network
        self._counts[network] += 1
        self._waiting[transport] = None
        if self._most is not None and len(self._networks) > self._most:
            oldest = next(iter(self._waiting))
            del self._waiting[oldest]
            oldest.abort()
        return True

    def is_complete(self, transport: asyncio.Transport) -> None:
        """This connection has sent a complete request: it keeps its place."""
        self._waiting.pop(transport, None)

    def release(self, transport: asyncio.Transport) -> None:
        """The connection has ended."""
        self._waiting.pop(transport, None)
        network = self._networks.pop(transport, None)
        if network is not None:
            self._counts[network] -= 1
            if not self._counts[network]:
                del self._counts[network]


def open_connections_of(app_state: dict[str, Any]) -> OpenConnections:
    """The counts in the state that uvicorn gives to its protocols; without limits if the application set none."""
    connections: OpenConnections = app_state.setdefault(STATE_KEY, OpenConnections())
    return connections


def with_connection_limits(app: ASGIApp, settings: ServerSettings) -> ASGIApp:
    """Gives the limits to the server that runs the application, and tells each connection how far its request is.

    The outermost middleware: a request that waits for anything else is complete already.
    """

    async def with_limits(scope: Scope, receive: Receive, send: Send) -> None:
        current = _current.get()
        connection = current() if current is not None else None
        if str(scope["type"]) == "lifespan":
            per_address = None if settings.proxied else CONNECTIONS_PER_SOCKET * settings.sockets_per_address
            state = cast("dict[str, Any]", cast("Any", scope).get("state", {}))
            state[STATE_KEY] = OpenConnections(per_address, raise_file_limit())
        if scope["type"] != ScopeType.HTTP or connection is None:
            await app(scope, receive, send)
            return
        connection.request_begun(has_body=_has_body(scope["headers"]))
        try:
            await app(scope, connection.observed(receive), send)
        finally:
            connection.request_answered()

    return with_limits


def _has_body(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Does a body follow these headers of a request?"""
    return any(name == b"transfer-encoding" or (name == b"content-length" and value != b"0") for name, value in headers)


@cache
def uvicorn_protocol() -> type[asyncio.Protocol]:
    """The HTTP protocol that uvicorn chooses by itself."""

    async def nothing(scope: Scope, receive: Receive, send: Send) -> None:
        """Is never called."""

    config = uvicorn.Config(cast("Any", nothing), http="auto", log_config=None)
    config.load()
    return config.http_protocol_class


class HttpConnection(asyncio.Protocol):
    """uvicorn's HTTP connection with deadlines, counted from its start."""

    __slots__ = ("__weakref__", "_answer_deadline", "_is_body_unread", "_loop", "_open_connections", "_protocol",
                 "_request_deadline", "_transport", "_unanswered")  # fmt: skip

    _transport: asyncio.Transport

    def __init__(self, *, app_state: dict[str, Any], **arguments: Any) -> None:
        self._protocol = uvicorn_protocol()(app_state=app_state, **arguments)  # type: ignore[call-arg]  # as uvicorn does
        self._open_connections = open_connections_of(app_state)
        self._loop = asyncio.get_running_loop()
        self._request_deadline: asyncio.TimerHandle | None = None
        """Runs from the first byte of a request until the request is known to be complete."""
        self._answer_deadline: asyncio.TimerHandle | None = None
        """Runs while the client does not read."""
        self._unanswered = 0
        """Requests that the application has got and not answered yet."""
        self._is_body_unread = False
        """The application has answered a request without reading its body, which may be incomplete."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Counts the connection, or ends it at once."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's are not derived from it
        self._protocol.connection_made(transport)
        if self._open_connections.accept(self._transport):
            self._transport.set_write_buffer_limits(0)  # so that `pause_writing` says whether anything is unread
            self._request_deadline = self._abort_after(REQUEST_WITHIN_S)
        else:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Passes data on; the first byte of a request sets its deadline."""
        if self._request_deadline is None and not self._unanswered:
            self._request_deadline = self._abort_after(REQUEST_WITHIN_S)
        outer = _current.set(ref(self))
        try:
            self._protocol.data_received(data)
        finally:
            _current.reset(outer)
        self._check_upgrade()

    def eof_received(self) -> bool | None:
        """The client sends nothing more."""
        return self._protocol.eof_received()

    def pause_writing(self) -> None:
        """The client does not read its answer, or not fast enough."""
        self._protocol.pause_writing()
        self._answer_deadline = self._abort_after(ANSWER_READ_WITHIN_S)

    def resume_writing(self) -> None:
        """The client reads."""
        self._protocol.resume_writing()
        self._cancel_answer_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._cancel_request_deadline()
        self._cancel_answer_deadline()
        self._open_connections.release(self._transport)
        self._protocol.connection_lost(exc)

    # ------------------------------------------------------------ Called by the middleware

    def request_begun(self, *, has_body: bool) -> None:
        """The headers of a request are complete, and so is the request before it."""
        self._unanswered += 1
        if self._is_body_unread or not has_body:
            self.request_complete()
        if has_body and self._request_deadline is None:
            self._request_deadline = self._abort_after(REQUEST_WITHIN_S)
        self._is_body_unread = False

    def observed(self, receive: Receive) -> Receive:
        """The ASGI `receive` of a request; its last part completes the request."""

        async def receive_part() -> Any:
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body"):
                self.request_complete()
            return message

        return receive_part

    def request_complete(self) -> None:
        """The request is complete, with its body: the connection keeps its place."""
        self._open_connections.is_complete(self._transport)
        self._cancel_request_deadline()

    def request_answered(self) -> None:
        """The application has finished. If it did not read the body, the deadline goes on until the next request."""
        self._unanswered -= 1
        self._is_body_unread = self._request_deadline is not None
        self._check_upgrade()

    # ------------------------------------------------------------ The end

    def _check_upgrade(self) -> None:
        """Lets go of a connection that has become a table's socket."""
        if self._transport.get_protocol() not in (self, None):  # None: the connection is closed
            self.request_complete()
            self._cancel_answer_deadline()
            self._transport.set_write_buffer_limits()  # the usual ones

    def _cancel_request_deadline(self) -> None:
        if self._request_deadline is not None:
            self._request_deadline.cancel()
            self._request_deadline = None

    def _cancel_answer_deadline(self) -> None:
        if self._answer_deadline is not None:
            self._answer_deadline.cancel()
            self._answer_deadline = None

    def _abort_after(self, seconds: float) -> asyncio.TimerHandle:
        return self._loop.call_later(seconds, self._transport.abort)
