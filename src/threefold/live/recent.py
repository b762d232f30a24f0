"""Recent: what the last moves brought, for those who missed some of it. All but the latest are kept packed."""

from collections import deque
from collections.abc import Iterator, Sequence

import msgspec

from threefold.game import Event, Kept

RECENT = 200
"""So many moves' events are kept for those who come back; who missed more sees the table as it is."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode


class Recent:
    """The events of moves by the number of their entry, oldest first."""

    __slots__ = ("_kin", "_packed", "newest")

    def __init__(self) -> None:
        self._packed: deque[tuple[int, bytes]] = deque(maxlen=RECENT - 1)
        self._kin: Kept | None = None
        """Some of the events, where a game keeps them as bytes itself: the others are read as they are."""
        self.newest: tuple[int, Sequence[Event]] | None = None
        """Those of the last move, as they are: somebody is about to be told."""

    def append(self, seq: int, events: Sequence[Event]) -> None:
        """The events of one more move."""
        last, self.newest = self.newest, (seq, events)
        if last is not None:
            self._packed.append((last[0], self._pack(last[1])))

    def _pack(self, events: Sequence[Event]) -> bytes:
        """Bytes alone: of what refers to nothing else, Python's collector keeps no account."""
        if type(events) is not type(self._kin):
            if not isinstance(events, Kept):
                assert self._kin is None, "a game keeps all its events in one way"
                return _packed(events)
            self._kin = events
        return events.kept  # like its kin

    def clear(self) -> None:
        """Forgets all."""
        self._kin = None
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
            found.append((number, _unpacked(packed) if self._kin is None else self._kin.of(packed)))
        return found[::-1]

    def __iter__(self) -> Iterator[tuple[int, Sequence[Event]]]:
        return iter(self.after(-1))


def _packed(events: Sequence[Event]) -> bytes:
    return _encode([(each.name, each.facts, each.secrets, list(each.known_to)) for each in events])


def _unpacked(packed: bytes) -> list[Event]:
    return [Event(name, facts, secrets, frozenset(known)) for name, facts, secrets, known in _decode(packed)]
