"""Recent: what the last moves brought, for those who missed some of it. All but the latest are kept packed."""

from collections import deque
from collections.abc import Iterator, Sequence

import msgspec

from threefold.game import Event, Kept

RECENT = 200
"""So many moves' events are kept for those who come back; who missed more sees the table as it is."""
LATEST = 4
"""Of so many moves the events are kept as they are: somebody is about to be told."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode


class Recent:
    """The events of moves by the number of their entry, oldest first."""

    __slots__ = ("_kin", "_latest", "_packed")

    def __init__(self) -> None:
        self._packed: deque[tuple[int, bytes]] = deque(maxlen=RECENT - LATEST)
        self._kin: Kept | None = None
        """Some of the events, where a game keeps them as bytes itself: the others are read as they are."""
        self._latest: deque[tuple[int, Sequence[Event]]] = deque()

    def append(self, seq: int, events: Sequence[Event]) -> None:
        """The events of one more move."""
        self._latest.append((seq, events))
        if len(self._latest) > LATEST:
            old, happened = self._latest.popleft()
            self._packed.append((old, self._pack(happened)))

    @property
    def newest(self) -> tuple[int, Sequence[Event]] | None:
        """The events of the last move."""
        return self._latest[-1] if self._latest else None

    def _pack(self, events: Sequence[Event]) -> bytes:
        """Bytes alone: of what refers to nothing else, Python's collector keeps no account."""
        if not isinstance(events, Kept):
            assert self._kin is None, "a game keeps all its events in one way"
            return _packed(events)
        self._kin = events
        return events.kept

    def clear(self) -> None:
        """Forgets all."""
        self._kin = None
        self._packed.clear()
        self._latest.clear()

    def all_after(self, seq: int) -> bool:
        """Whether everything that happened after this entry is still here."""
        if len(self._packed) < RECENT - LATEST:
            return True
        return seq + 1 >= self._packed[0][0]

    def after(self, seq: int) -> list[tuple[int, Sequence[Event]]]:
        """What happened after this entry."""
        found: list[tuple[int, Sequence[Event]]] = []
        for number, happened in reversed(self._latest):
            if number <= seq:
                return found[::-1]
            found.append((number, happened))
        for number, packed in reversed(self._packed):
            if number <= seq:
                break
            found.append((number, _unpacked(packed) if self._kin is None else self._kin.of(packed)))
        return found[::-1]

    def __iter__(self) -> Iterator[tuple[int, Sequence[Event]]]:
        return iter(self.after(-1))


def _packed(events: Sequence[Event]) -> bytes:
    return _encode([(each.name, each.facts, each.secrets, list(each.known_to)) for each in events])


def _unpacked(packed: bytes) -> list[Event]:
    return [Event(name, facts, secrets, frozenset(known)) for name, facts, secrets, known in _decode(packed)]
