"""Repetition: notices when a game comes to the same position for the third time (K24)."""

REMEMBERED = 1000
"""Positions that are compared. A game that goes in circles does so in far fewer moves."""
FORGOTTEN = 500
"""Oldest positions that are dropped at a time."""
SIZE = 6
"""Bytes kept of a position. Two of a thousand collide by chance about once in 500 million games."""
MASK = (1 << 8 * SIZE) - 1


class Repetition:
    """The latest positions of a game, given as 64-bit numbers, in six bytes each."""

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen = bytearray()

    def is_third(self, position: int) -> bool:
        """Adds a position. Was it there twice before?"""
        seen, key = self._seen, (position & MASK).to_bytes(SIZE, "big")
        if len(seen) >= REMEMBERED * SIZE:
            del seen[: FORGOTTEN * SIZE]
        first = seen.find(key)
        third = first >= 0 and seen.find(key, first + SIZE) >= 0
        seen += key
        return third

    def clear(self) -> None:
        """Starts over, for another game."""
        self._seen.clear()
