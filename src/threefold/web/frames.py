"""Frames of a websocket as bytes: where one ends, and what stands before a text."""

from struct import Struct

WHOLE_TEXT, WHOLE_PONG, PING = 0x81, 0x8A, 0x89
"""The first byte of a text in one frame, of a pong, of a ping."""
MASKED = 0x80
SHORT = 126
"""A text shorter than this says its length in one byte."""
LONGEST_FRAME = 65_535
"""A longer one is not kept until it is whole."""

_middle = Struct(">BBH").pack
_long = Struct(">BBQ").pack


def text_header(size: int) -> bytes:
    """What stands before a text of so many bytes."""
    if SHORT <= size < 65_536:
        return _middle(WHOLE_TEXT, 126, size)
    return bytes((WHOLE_TEXT, size)) if size < SHORT else _long(WHOLE_TEXT, 127, size)


def begin_of(frame: bytes | bytearray) -> int:
    """Where in a masked frame its mask begins."""
    size = frame[1] & 127
    return 2 if size < SHORT else 4 if size == SHORT else 10


def frame_end(begun: bytes | bytearray) -> int | None:
    """Where the first frame ends, if that is known and it is all there; or that it is too long, as soon as it is."""
    if len(begun) < 2:
        return None
    size, begin = begun[1] & 127, begin_of(begun)
    if begin > 2:
        if len(begun) < begin:
            return None
        size = int.from_bytes(begun[2:begin], "big")
    end = begin + (4 if begun[1] & MASKED else 0) + size
    return end if len(begun) >= end or end > LONGEST_FRAME else None
