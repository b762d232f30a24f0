"""RecentEvents: the events of a game's last moves, for connections that missed some. Older moves are kept packed."""

from collections import deque
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import msgspec

from threefold.game import Event
from threefold.serialising import Serialiser

RECENT = 200
"""Moves whose events are kept. A connection that missed more gets the table as it is, without events."""

Move = tuple[int, Sequence[Event]]
"""The log entry of a move, and its events."""


class RecentEvents:
    """The events of moves by the number of their log entry, oldest first.

    All but the newest move are packed: `bytes` objects are small and not tracked by the garbage collector.
    """

    __slots__ = ("_packed", "_reasons", "_serialiser", "newest")

    def __init__(self, serialiser: Serialiser) -> None:
        self._serialiser = serialiser
        self._packed: deque[tuple[int, bytes]] = deque(maxlen=RECENT - 1)
        self._reasons: dict[int, bytes] = {}
        self.newest: Move | None = None

    def append(self, seq: int, events: Sequence[Event], reason: Event | None = None) -> None:
        """Adds the events of one more move, and the event by which the table itself tells a bot's reason for it."""
        if reason is not None:
            self._reasons[seq] = msgspec.json.encode(reason.whole())
            if len(self._reasons) > RECENT:
                del self._reasons[next(iter(self._reasons))]
        if self.newest is not None:
            self._packed.append((self.newest[0], self._serialiser.pack_events(self.newest[1])))
        self.newest = seq, events

    def clear(self) -> None:
        """Forgets all moves."""
        self._packed.clear()
        self._reasons.clear()
        self.newest = None

    def all_after(self, seq: int) -> bool:
        """Are all moves after this entry still kept?"""
        if len(self._packed) < RECENT - 1:
            return True
        return seq + 1 >= self._packed[0][0]

    def with_reason(self, seq: int, events: bytes) -> bytes:
        """The events of a move as a JSON list, with the bot's reason at its end if there is one."""
        reason = self._reasons.get(seq)
        if reason is None:
            return events
        return events[:-1] + (b"," if len(events) > len(b"[]") else b"") + reason + b"]"

    def after(self, seq: int, table: Any) -> list[Move]:
        """The moves after this entry; `table` is any table of the same game."""
        if self.newest is None or self.newest[0] <= seq:
            return []
        later = takewhile(lambda each: each[0] > seq, reversed(self._packed))
        moves = [(number, self._serialiser.unpack_events(packed, table)) for number, packed in later]
        return [*reversed(moves), self.newest]
