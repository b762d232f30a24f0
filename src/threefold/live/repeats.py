"""Repeats: notices when something comes up for the third time, in a few bytes for each of the last thousand."""

REMEMBERED = 1000
"""So many of the last positions are compared: a game that goes round in circles does so in far fewer moves."""
FORGOTTEN = 500
"""So many of the oldest are forgotten at a time."""
SIZE = 6
"""Bytes of a position that are kept. That two of a thousand happen to be alike is one chance in many millions."""
MARKS = 8192
"""So many bits say which positions need not be looked for: nearly all that are new."""

KEYS, PLACES = (1 << 8 * SIZE) - 1, MARKS // 8 - 1


class Repeats:
    """The positions of a game, as numbers of 64 bits."""

    __slots__ = ("_marks", "_seen")

    def __init__(self) -> None:
        self.clear()

    def third(self, position: int) -> bool:
        """One more; whether it was there twice before."""
        seen = self._seen
        if not seen:
            self._marks = bytearray(MARKS // 8)
        elif len(seen) >= REMEMBERED * SIZE:
            self._forget()
        marks, key = self._marks, (position & KEYS).to_bytes(SIZE, "big")
        place, mask = position >> 3 & PLACES, 1 << (position & 7)
        found = bool(marks[place] & mask) and self._was_there_twice(key)
        marks[place] |= mask
        seen += key
        return found

    def clear(self) -> None:
        """Another game."""
        self._seen = bytearray()
        self._marks = bytearray()

    def _was_there_twice(self, key: bytes) -> bool:
        first = self._seen.find(key)
        return first >= 0 and self._seen.find(key, first + SIZE) >= 0

    def _forget(self) -> None:
        del self._seen[: FORGOTTEN * SIZE]
        self._marks = bytearray(MARKS // 8)
        for at in range(0, len(self._seen), SIZE):
            position = int.from_bytes(self._seen[at : at + SIZE], "big")
            self._marks[position >> 3 & PLACES] |= 1 << (position & 7)
