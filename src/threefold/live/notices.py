"""What server processes tell each other about the tables they share. A notice is a hint: the log alone is the truth.

Nothing secret is in them: no card, no seed, no name. What is lost is found again, entries by asking the log, presence
by counting: every notice about who is where has a number, and who misses one asks to be told everything anew.
"""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgspec

Json = Any
LARGEST = 7_900
"""Bytes of one payload; PostgreSQL takes 8,000."""


class _Notice(msgspec.Struct, frozen=True, array_like=True):
    pass


class Wrote(_Notice, frozen=True, tag="wrote"):
    """A table's log has entries up to this one."""

    table: str
    seq: int


class At(_Notice, frozen=True, tag="at"):
    """The sender has this table in memory: which guests have lines there.

    With each guest comes what their call may gain by its lag, in milliseconds.
    """

    table: str
    version: int
    lines: bool
    loaded: int
    games: int
    here: dict[int, int | None] = {}
    away: dict[int, int] = {}
    """Since when guests are gone that the sender has seen."""
    ready: tuple[int, ...] = ()


class Off(_Notice, frozen=True, tag="off"):
    """The sender has this table in memory no more."""

    table: str
    version: int


class Unready(_Notice, frozen=True, tag="unready"):
    """A guest has taken back that they are ready."""

    table: str
    guest: int


class Said(_Notice, frozen=True, tag="said"):
    """A word for everybody at a table."""

    table: str
    note: Json


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What a process tells of itself, for the operator's page."""

    version: str = ""
    host: str = ""
    pid: int = 0
    started: int = 0
    key: str = ""
    """Fingerprint of the signing key: all who share a database must have the same."""
    sockets: int = 0
    tables: int = 0
    moves_per_s: float = 0.0


class Alive(_Notice, frozen=True, tag="alive"):
    """The sender lives; `version` is the number of its last notice about who is where."""

    version: int
    about: About


class Tell(_Notice, frozen=True, tag="tell"):
    """Somebody has missed something of this process: it is to tell everything anew."""

    process: str


class Clear(_Notice, frozen=True, tag="clear"):
    """The sender now tells everything anew, counting on from here."""

    version: int


class Gone(_Notice, frozen=True, tag="gone"):
    """The sender goes; others take over at once."""


class BansChanged(_Notice, frozen=True, tag="bans"):
    """Somebody was banned, or a ban was lifted: look it up."""


Notice = Wrote | At | Off | Unready | Said | Alive | Tell | Clear | Gone | BansChanged

_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[tuple[str, list[Notice]]] = msgspec.json.Decoder(tuple[str, list[Notice]])


def packed(sender: str, notices: Iterable[Notice]) -> list[str]:
    """Payloads for these notices, in order, as few as possible."""
    head = f'["{sender}",['
    payloads: list[str] = []
    parts: list[str] = []
    size = room = LARGEST - len(head) - 2
    for notice in notices:
        part = _encode(notice)
        size -= len(part) + 1
        if size < 0 and parts:
            payloads.append(head + ",".join(parts) + "]]")
            parts, size = [], room - len(part) - 1
        parts.append(part.decode())
    if parts:
        payloads.append(head + ",".join(parts) + "]]")
    return payloads


def unpacked(payload: str) -> tuple[str, list[Notice]] | None:
    """Sender and notices; None for what nobody here understands (a process of another version)."""
    try:
        return _decoder.decode(payload)
    except msgspec.MsgspecError:
        return None


class Wire(Protocol):
    """Carries payloads to all other processes, or loses them."""

    @property
    def listening(self) -> bool:
        """Whether it hears the others just now."""

    async def open(self, hear: Callable[[str], None], back: Callable[[], None]) -> None:
        """Begins to listen; `back` is called whenever it hears again after a break, and may have missed things."""

    def send(self, payloads: list[str]) -> None:
        """Sends soon."""

    async def close(self) -> None:
        """Sends what waits, if that is possible, and lets go."""
