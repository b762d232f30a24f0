"""TableSocket: one websocket connection, from the HTTP upgrade to its end.

uvicorn gets this class as `ws=`. For an upgrade request it creates a TableSocket, calls `connection_made`, passes
the request to `data_received` and makes the TableSocket the transport's protocol. The Sans-I/O layer of the websockets
library parses and serialises the frames. At first the messages go to the ASGI application, by an AsgiExchange; after
welcome the application calls `hand_over`, and they go to a Conversation without tasks in between.

One client cannot keep the others waiting. A turn of the event loop reads at most READ_SIZE bytes of one connection and
delivers at most MESSAGES_PER_TURN of its messages; the rest stays in the network. Control frames and fragments are
counted here, messages by the conversation, and a client that exceeds either limit is disconnected.
"""

import asyncio
import logging
import os
from collections import deque
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any, Protocol, cast
from urllib.parse import unquote

from litestar.types import ASGIApp
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol

from threefold.web.close_codes import CloseCode
from threefold.web.http_connection import open_connections_of

READ_SIZE = 1024
"""Bytes that one turn of the event loop reads from one connection."""
MESSAGES_PER_TURN = 8
WINDOW_S = 2.0
"""Seconds for which the two limits below hold."""
EXTRA_FRAMES = 60
"""Limit of control frames and fragments, and of all frames after goodbye."""
FULL_READS = 1024
"""Limit of reads that fill the buffer: a megabyte, more than all messages that a client may send in this time."""
MOST_FRAGMENTS = 64
"""Limit of fragments in one message."""
LARGEST_FRAME = 131_072
"""Bytes of a message that is read at all; a larger one ends the connection with code 1009."""
CLOSE_WITHIN_S = 10.0
"""Deadline for the other side's goodbye."""
LINGER_S = 1.0
"""A flooding client gets this time to read why it is disconnected."""
PING_SLICES = 10
"""The sockets are pinged in this number of groups, one after the other."""
EXTENSION = "threefold.table_socket"
"""The key of the socket in the ASGI scope's extensions, and of the group in uvicorn's application state."""

_log = logging.getLogger("uvicorn.error")


class ServerConfig(Protocol):
    """The part of `uvicorn.Config` that is used here."""

    loaded_app: Any
    root_path: str
    ws_ping_interval: float | None


class ServerState(Protocol):
    """The part of uvicorn's server state that is used here."""

    connections: set[Any]
    tasks: set[asyncio.Task[None]]


class Conversation(Protocol):
    """The receiver of a socket's messages."""

    def receive(self, text: bytes | None, /) -> None:
        """Handles one message; None stands for binary data."""

    def pause_writing(self) -> None:
        """The client does not read, or not fast enough."""

    def resume_writing(self) -> None:
        """The client reads again."""

    def lost(self) -> None:
        """The connection has ended, and every message that arrived before was delivered."""


class TableSocket(asyncio.BufferedProtocol):
    """One connection. `writable` is False while the client does not read what was sent."""

    __slots__ = ("_close_timer", "_conversation", "_ended", "_extra_frames", "_fragments", "_full_reads",
                 "_goodbye_said", "_group", "_is_reading", "_is_text", "_messages", "_paused", "_pending_ping",
                 "_protocol", "_resting", "_stopped", "_transport", "_window_ends", "writable")  # fmt: skip

    _transport: asyncio.Transport

    def __init__(self, config: ServerConfig, server_state: ServerState, app_state: dict[str, Any]) -> None:
        group = app_state.get(EXTENSION)
        if group is None:
            group = app_state[EXTENSION] = SocketGroup(config, server_state, app_state)
        self._group: SocketGroup = group
        self._protocol = ServerProtocol(max_size=LARGEST_FRAME, logger=_log)
        self._conversation: Conversation | None = None
        self._messages: list[bytes | None] = []
        """Messages that wait because the conversation is paused or this turn of the event loop has done enough."""
        self._fragments: list[bytes] | None = None
        self._is_text = False
        self._extra_frames = self._full_reads = 0
        self._window_ends = 0.0
        self._pending_ping: bytes | None = None
        self._close_timer: asyncio.TimerHandle | None = None
        self._is_reading = True
        self._stopped = True
        """Nothing is read: before the handshake is answered, and from a client that floods."""
        self._resting = False
        """Nothing is read or delivered before the next turn of the event loop."""
        self._paused = False
        self._goodbye_said = False
        self._ended = False
        self.writable = True

    # ------------------------------------------------------------ Called by uvicorn

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Registers with the server."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's are not derived from it
        self._group.connections.add(self)

    def data_received(self, data: bytes) -> None:
        """Takes the HTTP request and starts the application."""
        self._protocol.receive_data(data)
        for request in self._protocol.events_received():
            assert isinstance(request, Request)
            response = self._protocol.accept(request)
            if response.status_code == 101:
                self._set_reading()
                self._start_application(request, response)
            else:
                self._protocol.send_response(response)
        self._write()

    def shutdown(self) -> None:
        """The server stops."""
        if self._protocol.state is State.CONNECTING:
            self.reject(503)
        else:
            self.close(CloseCode.RESTART, "")
        self._close_transport()

    def _start_application(self, request: Request, response: Response) -> None:
        exchange = AsgiExchange(self, response)
        self._conversation = exchange
        task = asyncio.get_running_loop().create_task(exchange.run(self._group.app, self._scope(request)))
        self._group.tasks.add(task)
        task.add_done_callback(self._group.tasks.discard)

    def _scope(self, request: Request) -> dict[str, Any]:
        """The ASGI connection scope."""
        path, _, query = request.path.partition("?")
        info, root = self.get_extra_info, self._group.root_path
        return {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if info("sslcontext") else "ws",
            "server": _address(info("sockname")),
            "client": _address(info("peername")),
            "root_path": root,
            "path": root + unquote(path),
            "raw_path": (root + path).encode("ascii"),
            "query_string": query.encode("ascii"),
            "headers": [(k.lower().encode("ascii"), v.encode("latin-1")) for k, v in request.headers.raw_items()],
            "subprotocols": [],
            "state": self._group.app_state.copy(),
            "extensions": {EXTENSION: {"socket": self}},
        }

    # ------------------------------------------------------------ Handshake

    def accept(self, response: Response) -> None:
        """Answers the handshake; from now on frames are read."""
        if self._protocol.state is not State.CONNECTING or self._transport.is_closing():
            return
        self._protocol.send_response(response)
        self._write()
        self._protocol.parser.close()
        self._protocol = ServerProtocol(state=State.OPEN, max_size=LARGEST_FRAME, logger=_log)  # without the request
        self._stopped = False
        self._set_reading()

    def reject(self, status: int) -> None:
        """Answers the handshake with an HTTP error."""
        if self._protocol.state is State.CONNECTING and not self._ended:
            self._protocol.send_response(self._protocol.reject(status, ""))
            self._write()

    def hand_over(self, conversation: Conversation) -> bool:
        """Gives all further messages to a conversation, from its first `resume` on; False if the client has gone."""
        if self._protocol.state is not State.OPEN or self._ended:
            return False
        self._conversation = conversation
        self._group.keep_alive(self)
        return True

    def is_heard_by(self, conversation: Conversation) -> bool:
        """Does this conversation get the messages?"""
        return self._conversation is conversation

    # ------------------------------------------------------------ Reading

    def get_buffer(self, _: int) -> memoryview:
        """All sockets of a server read into the same small buffer."""
        return self._group.view

    def buffer_updated(self, size: int) -> None:
        """Takes the frames that have arrived."""
        protocol = self._protocol
        protocol.receive_data(self._group.buffer[:size])
        if size == READ_SIZE:
            self._rest()
            self._count(full_reads=1)
        for frame in protocol.events_received():
            assert isinstance(frame, Frame)
            if not self._stopped:
                self._take(frame)
        if self._stopped:
            return
        if self.writable or protocol.state is not State.OPEN:
            self._write()
        else:
            protocol.data_to_send()  # pongs, which a client that does not read does not get
        if self._messages or self._ended or self._resting:
            self._deliver()

    def _take(self, frame: Frame) -> None:
        opcode = frame.opcode
        if self._goodbye_said:
            self._count(extra_frames=1)
        elif frame.fin and (opcode is Opcode.TEXT or opcode is Opcode.BINARY):
            self._messages.append(bytes(frame.data) if opcode is Opcode.TEXT else None)
        else:
            self._count(extra_frames=1)
            if opcode is Opcode.PONG:
                if self._pending_ping == frame.data:
                    self._pending_ping = None
            elif opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
                self._take_fragment(frame)

    def _take_fragment(self, frame: Frame) -> None:
        if self._fragments is None:
            self._fragments, self._is_text = [], frame.opcode is Opcode.TEXT
        self._fragments.append(bytes(frame.data))
        if frame.fin:
            self._messages.append(b"".join(self._fragments) if self._is_text else None)
            self._fragments = None
        elif len(self._fragments) > MOST_FRAGMENTS:
            self._disconnect_flood()

    def _count(self, *, extra_frames: int = 0, full_reads: int = 0) -> None:
        """Counts against the limits; a client that exceeds one is disconnected."""
        now = monotonic()
        if now >= self._window_ends:
            self._extra_frames, self._full_reads, self._window_ends = 0, 0, now + WINDOW_S
        self._extra_frames += extra_frames
        self._full_reads += full_reads
        if self._extra_frames > EXTRA_FRAMES or self._full_reads > FULL_READS:
            self._disconnect_flood()

    def _disconnect_flood(self) -> None:
        if self._stopped:
            return
        if self._protocol.state is State.OPEN:
            self.close(CloseCode.FLOOD, "flood")
            self._end()
        else:
            self._stopped = True
            self._transport.abort()

    def _rest(self) -> None:
        """Lets all other connections go first."""
        if not self._resting:
            self._resting = True
            asyncio.get_running_loop().call_soon(self._next_turn)

    def _next_turn(self) -> None:
        self._resting = False
        self._deliver()

    def _deliver(self) -> None:
        """Delivers the next messages; after the last one of an ended connection, tells the conversation."""
        messages, delivered = self._messages, 0
        while messages and not self._paused and self._conversation is not None:
            if delivered == MESSAGES_PER_TURN:
                self._rest()
                break
            delivered += 1
            self._conversation.receive(messages.pop(0))
        if self._ended and not messages and not self._paused and self._conversation is not None:
            conversation, self._conversation = self._conversation, None
            conversation.lost()
        self._set_reading()

    def _set_reading(self) -> None:
        reads = not (self._stopped or self._resting or self._messages)
        if reads != self._is_reading and not self._transport.is_closing():
            self._is_reading = reads
            if reads:
                self._transport.resume_reading()
            else:
                self._transport.pause_reading()

    def pause(self) -> None:
        """Holds further messages back."""
        self._paused = True

    def resume(self) -> None:
        """Delivers what was held back."""
        if self._paused:
            self._paused = False
            if self._messages or self._ended:
                self._deliver()

    # ------------------------------------------------------------ Writing

    def send(self, texts: Sequence[bytes]) -> None:
        """Sends text messages, in this order."""
        protocol = self._protocol
        if protocol.state is State.OPEN:
            for text in texts:
                protocol.send_text(text)
            self._group.write_soon(self, protocol.data_to_send())

    def write_now(self, data: list[bytes]) -> None:
        """Writes frames that the group has kept back until the end of a turn."""
        if not self._transport.is_closing():
            self._transport.writelines(data)

    def pause_writing(self) -> None:
        """The client does not read, or not fast enough."""
        self.writable = False
        if self._conversation is not None:
            self._conversation.pause_writing()

    def resume_writing(self) -> None:
        """The client reads again."""
        self.writable = True
        if self._conversation is not None:
            self._conversation.resume_writing()

    def ping(self, mark: bytes) -> None:
        """Asks whether the client is there; one that has not answered the ping before is disconnected."""
        if self._protocol.state is not State.OPEN or not self._is_reading:  # a pong may wait behind what is not read
            return
        if self._pending_ping is not None:
            self._protocol.fail(CloseCode.FAILED, "keepalive ping timeout")
        else:
            self._pending_ping = mark
            self._protocol.send_ping(mark)
        self._write()

    def _write(self) -> None:
        """Writes the library's part: answers to handshakes, pings and goodbyes. The last one closes the connection."""
        data = self._protocol.data_to_send()
        if not data:
            return
        self._group.flush()
        if not self._transport.is_closing():
            self._transport.write(b"".join(data))
        if data[-1] == SEND_EOF:
            self._close_transport()

    def get_extra_info(self, name: str) -> Any:
        """What the transport knows, for example the operating system's `socket`."""
        return self._transport.get_extra_info(name)

    @property
    def connection_count(self) -> int:
        """The number of open connections of this server, of every kind."""
        return len(self._group.connections)

    # ------------------------------------------------------------ The end

    def close(self, code: int, reason: str) -> None:
        """Says goodbye and drops waiting messages; the other side has CLOSE_WITHIN_S to answer."""
        if self._protocol.state is not State.OPEN or self._ended:
            return
        self._goodbye_said = True
        self._messages.clear()
        self._paused = False
        self._protocol.send_close(code, reason)
        self._write()
        if code == CloseCode.FLOOD:
            self._stopped = True
        self._abort_after(LINGER_S if self._stopped else CLOSE_WITHIN_S)
        self._set_reading()

    def _close_transport(self) -> None:
        """Closes the connection when everything is written, and after CLOSE_WITHIN_S in any case."""
        self._transport.close()
        self._abort_after(CLOSE_WITHIN_S)
        self._end()

    def _abort_after(self, seconds: float) -> None:
        if self._close_timer is None:
            self._close_timer = asyncio.get_running_loop().call_later(seconds, self._transport.abort)

    def _end(self) -> None:
        """Nothing more arrives; messages that are here already are still delivered."""
        if not self._ended:
            self._ended = True
            self._fragments = None
            self._group.forget(self)
            self._deliver()

    def connection_lost(self, _: Exception | None) -> None:
        """The connection is closed. Without the cycle of protocol and parser, it is freed at once."""
        if self._close_timer is not None:
            self._close_timer.cancel()
            self._close_timer = None
        self._end()
        self._protocol.parser.close()
        self._group.connections.discard(self)
        self._group.open_connections.release(self._transport)


class AsgiExchange:
    """The ASGI application's side of a new connection, until the application hands it over or closes it."""

    __slots__ = ("_events", "_response", "_socket", "_waiter")

    def __init__(self, socket: TableSocket, response: Response) -> None:
        self._socket = socket
        self._response = response
        self._events: list[dict[str, Any]] = [{"type": "websocket.connect"}]
        self._waiter: asyncio.Future[None] | None = None

    async def run(self, app: ASGIApp, scope: Any) -> None:
        """Runs the application; one that neither hands over nor closes is ended."""
        try:
            await app(scope, self.next_event, self.send_event)  # type: ignore[arg-type]  # the same events, as plain dictionaries
        except Exception:  # noqa: BLE001 (one broken request must not end the server)
            _log.exception("Exception in ASGI application")
        finally:
            self._socket.reject(500)
            if self._socket.is_heard_by(self):
                self._socket.close(CloseCode.FAILED, "")

    async def next_event(self) -> dict[str, Any]:
        """The ASGI `receive`."""
        while not self._events:
            self._waiter = asyncio.get_running_loop().create_future()
            self._socket.resume()
            await self._waiter
        return self._events.pop(0)

    async def send_event(self, event: Mapping[str, Any]) -> None:
        """The ASGI `send`."""
        match event["type"]:
            case "websocket.accept":
                self._socket.accept(self._response)
            case "websocket.send":
                self._socket.send([event["text"].encode()])
            case "websocket.close":
                self._socket.reject(403)
                self._socket.close(event.get("code", 1000), event.get("reason") or "")

    def _happened(self, event: dict[str, Any]) -> None:
        self._events.append(event)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def receive(self, text: bytes | None) -> None:
        """Passes one message to the application; the next waits until the application asks for it."""
        self._socket.pause()
        if text is None:
            self._happened({"type": "websocket.receive", "bytes": b""})
            return
        try:
            self._happened({"type": "websocket.receive", "text": text.decode()})
        except UnicodeDecodeError:
            self._socket.close(CloseCode.NOT_UTF8, "")

    def pause_writing(self) -> None:
        """Has no effect: before welcome there are only short answers."""

    def resume_writing(self) -> None:
        """Has no effect."""

    def lost(self) -> None:
        """Tells the application."""
        self._happened({"type": "websocket.disconnect", "code": 1006})


class SocketGroup:
    """What all sockets of one server share: uvicorn's objects, read buffer, write queue, keepalive timer."""

    def __init__(self, config: ServerConfig, server_state: ServerState, app_state: dict[str, Any]) -> None:
        self.app: ASGIApp = config.loaded_app
        self.root_path = config.root_path
        self.connections, self.tasks = server_state.connections, server_state.tasks
        self.app_state = app_state
        self.open_connections = open_connections_of(app_state)
        self.buffer = bytearray(READ_SIZE)
        self.view = memoryview(self.buffer)
        self._slices: deque[set[TableSocket]] = deque(set() for _ in range(PING_SLICES))
        self._ping_pause = (config.ws_ping_interval or 0.0) / PING_SLICES
        self._ping_timer: asyncio.TimerHandle | None = None
        self._outgoing: list[tuple[TableSocket, list[bytes]]] = []

    def write_soon(self, socket: TableSocket, data: list[bytes]) -> None:
        """Writes after everything that this turn of the event loop has to do, together with all other sockets.

        In a profile of `./run bench server` at 400 sockets, writing each message at once took a quarter of a move.
        Written together, they take a sixteenth.
        """
        if not self._outgoing:
            asyncio.get_running_loop().call_soon(self.flush)
        self._outgoing.append((socket, data))

    def flush(self) -> None:
        """Writes everything that waits."""
        outgoing, self._outgoing = self._outgoing, []
        for socket, data in outgoing:
            socket.write_now(data)

    def keep_alive(self, socket: TableSocket) -> None:
        """Pings this socket regularly, until `forget`."""
        if self._ping_pause:
            self._slices[-1].add(socket)
            if self._ping_timer is None:
                self._ping_timer = asyncio.get_running_loop().call_later(self._ping_pause, self._ping_next)

    def forget(self, socket: TableSocket) -> None:
        """This socket is pinged no more."""
        for sockets in self._slices:
            sockets.discard(socket)

    def _ping_next(self) -> None:
        """Pings the next slice; the timer runs while there are sockets."""
        self._ping_timer = None
        mark = os.urandom(4)
        for socket in list(self._slices[0]):
            socket.ping(mark)
        self._slices.rotate(-1)
        if any(self._slices):
            self._ping_timer = asyncio.get_running_loop().call_later(self._ping_pause, self._ping_next)


def table_socket_of(scope: Mapping[str, Any]) -> TableSocket | None:
    """The socket of a connection scope; None on a server that was not given `ws=TableSocket`."""
    socket = (scope.get("extensions") or {}).get(EXTENSION, {}).get("socket")
    return socket if isinstance(socket, TableSocket) else None


def _address(name: Any) -> tuple[str, int] | None:
    """Host and port of a socket name; None for one without."""
    return (str(name[0]), int(name[1])) if isinstance(name, tuple) else None
