"""Telling: a table's lines, and what one of them has to be told."""

from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from threefold.game import Json
from threefold.live import calls

NOTES = 64
"""So many answers wait for a reader; of a reader who reads nothing, the oldest are dropped."""
BEGIN = b'{"is":"view","seq":%d,"ack":'
MIDDLE = b',"game":%d,"view":'
BETWEEN = b',"events":[{"seq":%d,"told":'
END = b'}],"time":%d,"turn_ends":null}'
"""What is told of a move where no clock runs, about what the game has written; the protocol's `ViewShown`."""


@dataclass(slots=True, eq=False)
class Line:
    """An open line from a table to one person's page or program. It keeps no messages, only what was told last."""

    guest: int
    client: str
    seen: int
    """The last entry that was told."""
    bell: "Callable[[Line], None]"
    """The table's: who has something to tell says so there."""
    dealt: int = 0
    """The last message that was dealt with: accepted and durable, or refused."""
    told_ack: int = -1
    version: int = -1
    scene: int = -1
    """What was shown last, and as whom it was seen."""
    viewer: int | None = None
    abreast: int = -1
    """Up to this count of news it knows all but the moves; -1: something else is to be told."""
    notes: list[Json] = field(default_factory=list)
    woken: bool = False
    """There is something to tell, until `Session.update` is asked for it."""
    ring: Callable[[], None] | None = None
    """Called, once, when it is to be told: now."""
    show: Callable[[bytes], bool] | None = None
    """Sends a View that is written already; False: not now, the other side does not read."""
    closed: str | None = None
    words: str = ""
    """What is said about its being closed."""
    lag: calls.Lag | None = None
    """How long the way there is; only where games are played against time."""

    def note(self, what: Json) -> None:
        """Leaves an answer for this line alone."""
        self.notes.append(what)
        del self.notes[:-NOTES]
        self.abreast = -1
        self.wake()

    def wake(self) -> None:
        """There may be something to tell."""
        if not self.woken:
            self.woken = True
            self.bell(self)


class Update(msgspec.Struct, gc=False):
    """All that a line has to be told now."""

    seq: int
    ack: int
    notes: list[Json]
    view: bytes | None = None
    happened: bytes | None = None
    """What happened since, encoded; None: more was missed than is kept."""
    number: int = 0
    time: int = 0
    turn_ends: int | None = None
    table: Json = None
    closed: str | None = None
    words: str = ""

    @property
    def events(self) -> list[Json] | None:
        """What happened since."""
        return None if self.happened is None else msgspec.json.decode(self.happened, type=list[Json])
