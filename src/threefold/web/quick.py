"""QuickSocket: uvicorn's websocket with a short way in and out for whole text messages; all else goes the long way.

What is told goes to the transport at once, as bytes, without a task that waits for its turn. What comes in is taken
apart here if it is one frame of text, as nearly everything is; any other frame, whole, is left to the library.
"""

import asyncio
from collections.abc import Mapping
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.utils import apply_mask

Json = Any
EXTENSION = "threefold.quick"
"""Under this name an application finds the socket among its scope's extensions."""
NOTHING = bytearray()
WHOLE_TEXT = 0x81
MASKED = 0x80
MOST_WAITING = 8
"""So many messages wait for the application before no more are read."""
LONGEST_FRAME = 65_535
"""A longer one is left to the library from its first byte on, and all that follows."""


class QuickSocket(WebSocketsSansIOProtocol):
    """One connection."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.queue = Waiting()  # type: ignore[assignment]  # all of a queue that is used here, in a tenth of its room
        self._begun = NOTHING
        """Of a frame that is not whole yet."""
        self._by_library = False

    def handle_connect(self, event: Request) -> None:
        """Lets the application find the socket."""
        super().handle_connect(event)
        if self.handshake_initiated and not self.close_sent:
            self.scope["extensions"][EXTENSION] = {"socket": self}

    # ------------------------------------------------------------ Out

    @property
    def free(self) -> bool:
        """Whether something can be told at once: the other side is there, and reads what it is sent."""
        return self.writable.is_set() and self.handshake_complete and not self.close_sent and not self.disconnected

    def tell(self, texts: list[bytes]) -> None:
        """Sends messages at once."""
        self.transport.write(b"".join([text_header(len(text)) + text for text in texts]))

    # ------------------------------------------------------------ In

    def data_received(self, data: bytes) -> None:
        """Takes whole frames; what comes before the handshake is done is not ours to read."""
        if self._by_library or not self.handshake_complete:
            self._by_library = self._by_library or self.handshake_initiated
            super().data_received(data)
            return
        if self._begun is NOTHING:
            self._begun = bytearray()
            del self.request, self.response  # nobody asks for them once hands were shaken
        self._begun += data
        while (end := frame_end(self._begun)) is not None:
            if end > LONGEST_FRAME:
                self._by_library = True
                end = len(self._begun)
            frame = bytes(self._begun[:end])
            del self._begun[:end]
            if self.frames or not self._take(frame):
                super().data_received(frame)

    def _take(self, frame: bytes) -> bool:
        """Takes a message of one frame; False if it is something else."""
        if frame[0] != WHOLE_TEXT or not frame[1] & MASKED or self.close_sent or self._by_library:
            return False
        begin = 2 if frame[1] & 127 < 126 else 4
        try:
            text = apply_mask(frame[begin + 4 :], frame[begin : begin + 4]).decode()
        except UnicodeDecodeError:
            return False
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if self.queue.qsize() > MOST_WAITING and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()
        return True


def quick_socket(scope: Mapping[str, Any]) -> QuickSocket | None:
    """The short way to a page, where the server has one."""
    found = (scope.get("extensions") or {}).get(EXTENSION, {}).get("socket")
    return found if isinstance(found, QuickSocket) else None


class Waiting:
    """Messages that wait for the one application that reads them."""

    __slots__ = ("_messages", "_reader")

    def __init__(self) -> None:
        self._messages: list[Json] = []
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: Json) -> None:
        """One more."""
        self._messages.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Json:
        """The first, as soon as there is one."""
        while not self._messages:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._messages.pop(0)

    def empty(self) -> bool:
        """Whether none waits."""
        return not self._messages

    def qsize(self) -> int:
        """How many wait."""
        return len(self._messages)


def text_header(size: int) -> bytes:
    """What stands before a text of so many bytes."""
    if size < 126:
        return bytes((WHOLE_TEXT, size))
    if size < 65_536:
        return bytes((WHOLE_TEXT, 126)) + size.to_bytes(2, "big")
    return bytes((WHOLE_TEXT, 127)) + size.to_bytes(8, "big")


def frame_end(begun: bytearray) -> int | None:
    """Where the first frame ends, if that is known and it is all there; or that it is too long, as soon as it is."""
    if len(begun) < 2:
        return None
    size, begin = begun[1] & 127, 2
    if size > 125:
        begin = 4 if size == 126 else 10
        if len(begun) < begin:
            return None
        size = int.from_bytes(begun[2:begin], "big")
    end = begin + (4 if begun[1] & MASKED else 0) + size
    return end if len(begun) >= end or end > LONGEST_FRAME else None
