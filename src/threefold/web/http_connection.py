"""HttpConnection: one accepted connection, until it ends or becomes a table's socket.

uvicorn gets this class as `http=`. It is uvicorn's own protocol, with limits for which uvicorn has no settings: a
deadline for complete requests (which include WebSocket handshakes), a deadline for clients that do not read their
answer, and a limit of connections per address that counts from the moment a connection is accepted.
"""

import asyncio
from collections import Counter
from typing import Any, cast

import h11
from litestar.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

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
INCOMPLETE = (h11.IDLE, h11.SEND_BODY)
"""States of a client that has not sent a complete request."""


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
    """Gives the limits to the server that runs the application, in the state of its lifespan."""

    async def with_limits(scope: Scope, receive: Receive, send: Send) -> None:
        if str(scope["type"]) == "lifespan":
            per_address = None if settings.proxied else CONNECTIONS_PER_SOCKET * settings.sockets_per_address
            state = cast("dict[str, Any]", cast("Any", scope).get("state", {}))
            state[STATE_KEY] = OpenConnections(per_address, raise_file_limit())
        await app(scope, receive, send)

    return with_limits


class HttpConnection(H11Protocol):
    """uvicorn's HTTP connection with deadlines, counted from its start."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._open_connections = open_connections_of(self.app_state)
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Counts the connection, or ends it at once."""
        super().connection_made(transport)
        if self._open_connections.accept(transport):
            transport.set_write_buffer_limits(0)  # so that `pause_writing` says whether anything is unread
            self._abort_after(REQUEST_WITHIN_S)
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Begins or ends the wait for a complete request."""
        super().data_received(data)
        is_upgraded = self.transport.get_protocol() is not self
        if is_upgraded:
            self.transport.set_write_buffer_limits()  # a table's socket has it now, with the usual limits
        if is_upgraded or self.conn.their_state not in INCOMPLETE:
            self._open_connections.is_complete(self.transport)
            self._cancel_deadline()
        elif self._deadline is None:
            self._abort_after(REQUEST_WITHIN_S)

    def pause_writing(self) -> None:
        """The client does not read its answer, or not fast enough."""
        super().pause_writing()
        self._cancel_deadline()
        self._abort_after(ANSWER_READ_WITHIN_S)

    def resume_writing(self) -> None:
        """The client reads."""
        super().resume_writing()
        self._cancel_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        self._cancel_deadline()
        self._open_connections.release(self.transport)
        super().connection_lost(exc)

    def _abort_after(self, seconds: float) -> None:
        self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
