"""Repeats: notices when something comes up for the third time, in a few bytes for each of the last thousand."""

REMEMBERED = 1000
"""So many of the last positions are compared: a game that goes round in circles does so in far fewer moves."""
SIZE = 6
"""Bytes of a position that are kept. That two of a thousand happen to be alike is one chance in many millions."""
FORGOTTEN = 100
"""So many of the oldest are forgotten at a time."""


class Repeats:
    """The positions of a game, as numbers of 64 bits."""

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen = bytearray()

    def third(self, position: int) -> bool:
        """One more; whether it was there twice before."""
        key = (position & (1 << 8 * SIZE) - 1).to_bytes(SIZE, "big")
        seen = self._seen
        first = seen.find(key)
        found = first >= 0 and seen.find(key, first + SIZE) >= 0
        if len(seen) >= REMEMBERED * SIZE:
            del seen[: FORGOTTEN * SIZE]
        seen += key
        return found

    def clear(self) -> None:
        """Another game."""
        self._seen = bytearray()
