"""Repeats: notices when something comes up for the third time, in a few bytes for each of the last thousand."""

REMEMBERED = 1000
"""So many of the last positions are compared: a game that goes round in circles does so in far fewer moves."""
FORGOTTEN = 500
"""So many of the oldest are forgotten at a time."""
SIZE = 6
"""Bytes of a position that are kept. That two of a thousand happen to be alike is one chance in many millions."""
MARKS = 8192
"""So many bits say which positions need not be looked for: nearly all that are new."""


class Repeats:
    """The positions of a game, as numbers of 64 bits."""

    __slots__ = ("_marks", "_seen")

    def __init__(self) -> None:
        self.clear()

    def third(self, position: int) -> bool:
        """One more; whether it was there twice before."""
        if not self._seen:
            self._marks = bytearray(MARKS // 8)
        key = (position & (1 << 8 * SIZE) - 1).to_bytes(SIZE, "big")
        found = self._mark(position) and self._was_there_twice(key)
        if len(self._seen) >= REMEMBERED * SIZE:
            self._forget()
        self._seen += key
        return found

    def clear(self) -> None:
        """Another game."""
        self._seen = bytearray()
        self._marks = bytearray()

    def _mark(self, position: int) -> bool:
        """Whether there was a mark already."""
        bit, marks = position % MARKS, self._marks
        place, mask = bit >> 3, 1 << (bit & 7)
        marked = marks[place] & mask
        marks[place] |= mask
        return marked != 0

    def _was_there_twice(self, key: bytes) -> bool:
        first = self._seen.find(key)
        return first >= 0 and self._seen.find(key, first + SIZE) >= 0

    def _forget(self) -> None:
        del self._seen[: FORGOTTEN * SIZE]
        self._marks = bytearray(MARKS // 8)
        for at in range(0, len(self._seen), SIZE):
            self._mark(int.from_bytes(self._seen[at : at + SIZE], "big"))
