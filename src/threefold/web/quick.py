"""QuickSocket: uvicorn's websocket as far as hello; then the connection is handed over, and this is gone."""

import asyncio
from collections.abc import Mapping
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from threefold.live.session import Session
from threefold.live.telling import Line
from threefold.web.direct import DirectTalk, Switchboard
from threefold.web.frames import LONGEST_FRAME, frame_end
from threefold.web.server import Server

EXTENSION = "threefold.quick"
"""Under this name an application finds the socket among its scope's extensions."""


class QuickSocket(WebSocketsSansIOProtocol):
    """A connection that has still to say hello. The application gets one message; all that follows waits."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._held = bytearray()
        self._said_hello = False
        self._too_long = False
        """Hello is so long that it will be refused."""

    def handle_connect(self, event: Request) -> None:
        """Lets the application find the socket."""
        super().handle_connect(event)
        if self.handshake_initiated and not self.close_sent:
            self.scope["extensions"][EXTENSION] = {"socket": self}

    def data_received(self, data: bytes) -> None:
        """What comes before hands were shaken, and after hello, is kept for later."""
        if not self.handshake_initiated:
            super().data_received(data)
            return
        self._held += data
        self._feed()
        if len(self._held) > LONGEST_FRAME and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _feed(self) -> None:
        """Gives the library whole frames, up to the first message; when all is said, everything."""
        while self.handshake_complete and (self.close_sent or not self._said_hello):
            end = len(self._held) if self._too_long else frame_end(self._held)
            if not end:
                return
            self._too_long = self._too_long or end > len(self._held)
            part = bytes(self._held[:end])
            del self._held[:end]
            super().data_received(part)

    def send_receive_event_to_app(self) -> None:
        """The first message is there."""
        self._said_hello = True
        super().send_receive_event_to_app()

    async def send(self, message: Any) -> None:
        """Once hands were shaken, or goodbye was said, what was kept is looked at."""
        await super().send(message)
        self._feed()

    def hand_over(self, server: Server, session: Session, line: Line) -> DirectTalk | None:
        """The talk that has the connection from now on; None if nobody is there any more."""
        transport = self.transport
        if self.disconnected or self.close_sent or transport.is_closing():
            return None
        self.stop_keepalive()
        if server.switchboard is None:
            server.switchboard = Switchboard(self.connections, self.ping_interval)
        talk = DirectTalk(server, session, line, transport, server.switchboard)
        talk.stuck = not self.writable.is_set()
        server.switchboard.take(talk)
        transport.set_protocol(talk)
        self._let_go()
        if self.read_paused:
            transport.resume_reading()
        talk.begin()
        if self._held:
            talk.data_received(bytes(self._held))
        return talk

    def _let_go(self) -> None:
        """Has no connection any more, and nothing that would keep it from being forgotten at once."""
        self.connections.discard(self)
        self.transport = Elsewhere()
        self.conn.parser.close()
        del self.scope["extensions"][EXTENSION]


class Elsewhere(asyncio.Transport):
    """In place of a connection that was handed over: there is nothing to close."""

    def close(self) -> None:
        """Somebody else does that."""

    def is_closing(self) -> bool:
        """Nothing can be sent here."""
        return True


def quick_socket(scope: Mapping[str, Any]) -> QuickSocket | None:
    """The socket, where the server has such."""
    found = (scope.get("extensions") or {}).get(EXTENSION, {}).get("socket")
    return found if isinstance(found, QuickSocket) else None
