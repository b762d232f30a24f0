"""DirectTalk: a talk that is the connection's own protocol, so that nothing else is kept for a line or lies on its way.

Whole text messages, as nearly all are, and answers to pings are taken apart here. Any other frame is left to the
library, in an object of its own that is there as long as it has something to do.
"""

import asyncio
import logging
import os
from collections import deque
from typing import Any

from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from threefold.live.session import Session
from threefold.live.telling import Line
from threefold.web.frames import (
    MASKED,
    PING,
    SHORT,
    WHOLE_PONG,
    WHOLE_TEXT,
    begin_of,
    frame_end,
    text_header,
)
from threefold.web.limits import LARGEST_BODY
from threefold.web.server import Server
from threefold.web.talk import FAILED, NO_TEXT, RESTART, Talk

try:
    from websockets.speedups import apply_mask
except ImportError:  # the library was not compiled for this machine
    from websockets.utils import apply_mask

CLOSE_WITHIN_S = 10.0
"""So long the other side may take to say goodbye as well."""
SLICES = 10
"""The lines are pinged in so many groups, one after the other."""

_log = logging.getLogger("uvicorn.error")


class DirectTalk(Talk, asyncio.Protocol):
    """One connection."""

    __slots__ = ("_begun", "_board", "_library", "_ping", "transport")

    def __init__(
        self, server: Server, session: Session, line: Line, transport: asyncio.Transport, board: "Switchboard"
    ) -> None:
        super().__init__(server, session, line)
        self.transport = transport
        self._board = board
        self._begun: bytearray | None = None
        """Of a frame that is not whole yet."""
        self._library: Library | None = None
        self._ping: bytes | None = None
        """What was sent along with a ping that is not answered."""

    # ------------------------------------------------------------ In

    def data_received(self, data: bytes) -> None:
        """Usually one short text, in one frame."""
        size = len(data) - 6
        alone = self._begun is None and self._library is None
        if alone and 0 < size < SHORT and data[0] == WHOLE_TEXT and data[1] == size + MASKED:
            self.hear(apply_mask(data[6:], data[2:6]))
        else:
            self._take(data)

    def _take(self, data: bytes) -> None:
        """Frame by frame, as far as they are whole."""
        begun, self._begun = self._begun or bytearray(), None
        begun += data
        if self._library is not None and self._library.left:
            self._by_library(begun, min(self._library.left, len(begun)))
        while (end := frame_end(begun)) is not None:
            if end > len(begun):
                self._made_library().left = end
                self._by_library(begun, len(begun))
            elif self._library is not None or not self._taken(begun[:end]):
                self._by_library(begun, end)
            else:
                del begun[:end]
        if begun:
            self._begun = begun

    def _taken(self, frame: bytearray) -> bool:
        """Takes a text of one frame or the answer to a ping; False if it is something else."""
        if frame[0] not in (WHOLE_TEXT, WHOLE_PONG) or not frame[1] & MASKED:
            return False
        begin = begin_of(frame)
        if frame[0] == WHOLE_PONG and begin > 2:
            return False
        found = apply_mask(frame[begin + 4 :], frame[begin : begin + 4])
        if frame[0] == WHOLE_TEXT:
            self.hear(found)
        else:
            self.answered(found)
        return True

    def answered(self, mark: bytes) -> None:
        """A pong; one that nobody has asked for says nothing."""
        if mark == self._ping:
            self._ping = None

    def _made_library(self) -> "Library":
        if self._library is None:
            self._library = Library()
        return self._library

    def _by_library(self, begun: bytearray, end: int) -> None:
        """Lets the library have so much of what has come."""
        library = self._made_library()
        library.left = max(0, library.left - end)
        part = bytes(begun[:end])
        del begun[:end]
        library.take(part, self)
        if library.idle:
            self._library = None

    # ------------------------------------------------------------ Out

    def send(self, text: bytes) -> None:
        """Together with what others are told in this turn of the loop."""
        self._board.send(self, text_header(len(text)) + text)

    def show(self, view: bytes) -> bool:
        """As every talk, with fewer steps: nothing is sent more often."""
        if self.stuck or self.gone:
            return False
        self._board.send(self, text_header(len(view)) + view)
        return True

    def send_all(self, texts: list[bytes]) -> None:
        """The same for several."""
        self._board.send(self, b"".join([text_header(len(text)) + text for text in texts]))

    def pause_writing(self) -> None:
        """The other side does not read, or not fast enough."""
        self.stuck = True

    def resume_writing(self) -> None:
        """It reads again, and is told how things stand."""
        self.stuck = False
        if self.line.woken:
            self.tell()

    def read_on(self, *, reads: bool) -> None:
        """Whether more is read from the network for now."""
        if not self.transport.is_closing():
            (self.transport.resume_reading if reads else self.transport.pause_reading)()

    def ping(self, mark: bytes) -> None:
        """Asks whether the other side is there; who has not answered before is gone."""
        if self._ping is not None:
            self.fail(FAILED, "keepalive ping timeout")
        elif not self.gone:
            self._ping = mark
            self.transport.write(bytes((PING, len(mark))) + mark)

    # ------------------------------------------------------------ The end

    def close(self, code: int, reason: str) -> None:
        """Says goodbye, and waits a while for the other side's."""
        if code == NO_TEXT:
            self.fail(code, reason)
        elif not self.transport.is_closing():
            self._board.flush()
            library = self._made_library()
            library.conn.send_close(code, reason)
            library.write(self.transport)
            library.timer = asyncio.get_running_loop().call_later(CLOSE_WITHIN_S, self.transport.close)
            if self._waiting is not None:
                self.transport.resume_reading()

    def fail(self, code: int, reason: str) -> None:
        """Breaks it off."""
        self._board.flush()
        library = self._made_library()
        library.conn.fail(code, reason)
        library.write(self.transport)
        self.transport.close()
        self.leave()

    def shutdown(self) -> None:
        """The web server stops."""
        self._board.flush()
        library = self._made_library()
        if library.conn.state is State.OPEN:
            library.conn.send_close(RESTART)
            library.write(self.transport)
        self.transport.close()
        self.leave()

    def connection_lost(self, _: Exception | None) -> None:
        """The other side is away, or all is said."""
        if self._library is not None and self._library.timer is not None:
            self._library.timer.cancel()
        self._library = self._begun = None
        if self.server.switchboard is not None:
            self.server.switchboard.forget(self)
        self.leave()


class Library:
    """The library's part: all that is no whole text. It answers pings, puts pieces together, and says goodbye."""

    __slots__ = ("_is_text", "_pieces", "conn", "left", "timer")

    def __init__(self) -> None:
        self.conn = ServerProtocol(state=State.OPEN, max_size=LARGEST_BODY, logger=_log)
        self.left = 0
        """So many bytes of a long frame have still to come."""
        self.timer: asyncio.TimerHandle | None = None
        self._pieces: list[bytes] = []
        self._is_text = False

    @property
    def idle(self) -> bool:
        """Whether nothing is left to do."""
        return not self.left and not self._pieces and self.conn.state is State.OPEN

    def write(self, transport: asyncio.Transport) -> None:
        """Sends what it has to say."""
        if not transport.is_closing():
            transport.write(b"".join(self.conn.data_to_send()))

    def take(self, data: bytes, talk: DirectTalk) -> None:
        """Reads on."""
        self.conn.receive_data(data)
        for event in self.conn.events_received():
            if isinstance(event, Frame):
                self._heard(event, talk)
        if talk.stuck and self.conn.state is State.OPEN:
            self.conn.data_to_send()  # an answer to a ping, for who does not read: it would only be kept
        self.write(talk.transport)
        if self.conn.parser_exc is not None or self.conn.close_rcvd is not None:
            talk.transport.close()
            talk.leave()

    def _heard(self, frame: Frame, talk: DirectTalk) -> None:
        if frame.opcode is Opcode.PONG:
            talk.answered(bytes(frame.data))
        if frame.opcode not in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            return
        if frame.opcode is not Opcode.CONT:
            self._is_text = frame.opcode is Opcode.TEXT
        self._pieces.append(bytes(frame.data))
        if frame.fin:
            whole = b"".join(self._pieces)
            self._pieces = []
            talk.hear(whole if self._is_text else None)


class Switchboard:
    """What all direct talks of a server share: the server's list of connections, and who is to be pinged when."""

    def __init__(self, connections: set[Any], ping_s: float | None) -> None:
        self._connections = connections
        self._slices: deque[set[DirectTalk]] = deque(set() for _ in range(SLICES))
        self._pause = (ping_s or 0.0) / SLICES
        self._timer: asyncio.TimerHandle | None = None
        self._out: list[tuple[DirectTalk, bytes]] = []

    # ------------------------------------------------------------ Sending

    def send(self, talk: DirectTalk, frame: bytes) -> None:
        """All that is told in one turn of the loop goes out at its end, one after the other.

        That spares the kernel a quarter of its time: its code stays at hand, and so does that of the tables.
        """
        out = self._out
        if not out:
            asyncio.get_running_loop().call_soon(self.flush)
        out.append((talk, frame))

    def flush(self) -> None:
        """Sends what waits, now."""
        out, self._out = self._out, []
        for talk, frame in out:
            if not talk.gone:
                talk.transport.write(frame)

    # ------------------------------------------------------------ Coming, going, pings

    def take(self, talk: DirectTalk) -> None:
        """One more."""
        self._connections.add(talk)
        if self._pause:
            self._slices[-1].add(talk)
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(self._pause, self._turn)

    def forget(self, talk: DirectTalk) -> None:
        """One less."""
        self._connections.discard(talk)
        for some in self._slices:
            some.discard(talk)

    def _turn(self) -> None:
        """Pings those whose turn it is; the timer runs while there is anybody."""
        self._timer = None
        some, mark = self._slices.popleft(), os.urandom(4)
        self._slices.append(some)
        for talk in list(some):
            talk.ping(mark)
        if any(self._slices):
            self._timer = asyncio.get_running_loop().call_later(self._pause, self._turn)
