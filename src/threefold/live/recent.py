"""Recent: what the last moves brought, for those who missed some of it. All but the latest are kept packed."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from threefold.game import Event
from threefold.karma import KARMA
from threefold.serialising import PlainSerialiser, Serialiser

RECENT = 200
"""So many moves' events are kept for those who come back; who missed more sees the table as it is."""


class Recent:
    """The events of moves by the number of their entry, oldest first."""

    __slots__ = ("_packed", "_serialiser", "_table", "newest")

    def __init__(self, serialiser: Serialiser | None = None) -> None:
        self._packed: deque[tuple[int, bytes]] = deque(maxlen=RECENT - 1)
        self._serialiser = serialiser or PlainSerialiser(KARMA)
        self._table: Any = None
        """A table of the game, from which a serialiser knows its edition."""
        self.newest: tuple[int, Sequence[Event]] | None = None
        """Those of the last move, as they are: somebody is about to be told."""

    def append(self, seq: int, events: Sequence[Event], table: Any = None) -> None:
        """The events of one more move."""
        self._table = table
        last, self.newest = self.newest, (seq, events)
        if last is not None:
            self._packed.append((last[0], self._serialiser.pack_events(last[1])))

    def clear(self) -> None:
        """Forgets all."""
        self._table = None
        self._packed.clear()
        self.newest = None

    def all_after(self, seq: int) -> bool:
        """Whether everything that happened after this entry is still here."""
        if len(self._packed) < RECENT - 1:
            return True
        return seq + 1 >= self._packed[0][0]

    def after(self, seq: int) -> list[tuple[int, Sequence[Event]]]:
        """What happened after this entry."""
        if self.newest is None or self.newest[0] <= seq:
            return []
        found = [self.newest]
        for number, packed in reversed(self._packed):
            if number <= seq:
                break
            found.append((number, self._serialiser.unpack_events(packed, self._table)))
        return found[::-1]

    def __iter__(self) -> Iterator[tuple[int, Sequence[Event]]]:
        return iter(self.after(-1))
