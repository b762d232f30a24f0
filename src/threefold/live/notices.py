"""Notices between the processes that share a database. A notice is a hint: the log alone is the truth.

They contain nothing secret: no card, no seed, no name. Lost notices do no harm: entries are found by asking the log,
and presence notices are numbered, so that a process that misses one asks for all of them again.
"""

from collections.abc import Iterable
from typing import Literal

import msgspec

LARGEST = 7_900
"""Most bytes of one payload; PostgreSQL accepts 8,000."""


RemarkSort = Literal["reaction", "phrase", "chat"]


class _Notice(msgspec.Struct, frozen=True, array_like=True):
    pass


class Wrote(_Notice, frozen=True, tag="wrote"):
    """A table's log has entries up to this one."""

    table: str
    seq: int


class TablePresence(_Notice, frozen=True, tag="at"):
    """The sender has this table in memory; `here` is by connected guest the most that a call of theirs can gain.

    `connected`: it has connections to the table. `away`: since when guests are gone whom the sender has seen.
    """

    table: str
    version: int
    connected: bool
    loaded: int
    games: int
    here: dict[int, int | None] = {}
    away: dict[int, int] = {}
    ready: tuple[int, ...] = ()


class TableUnloaded(_Notice, frozen=True, tag="off"):
    """The sender no longer has this table in memory."""

    table: str
    version: int


class Unready(_Notice, frozen=True, tag="unready"):
    """A guest is no longer ready."""

    table: str
    guest: int


class Remark(_Notice, frozen=True, tag="remark"):
    """A guest's reaction, phrase or chat message."""

    guest: int
    sort: RemarkSort
    what: str
    at: int


class MatchFound(_Notice, frozen=True, tag="match"):
    """Somebody else waits for a quick match at the table with this code, and the host has a seat there now."""

    code: str


Announcement = Remark | MatchFound
"""What everybody at a table hears, and nobody keeps."""


class Announced(_Notice, frozen=True, tag="announced"):
    """An announcement at a table."""

    table: str
    announcement: Announcement


class About(msgspec.Struct, frozen=True, kw_only=True):
    """A process in figures, for the operator's page."""

    version: str = ""
    host: str = ""
    pid: int = 0
    started: int = 0
    key: str = ""
    """Fingerprint of the signing key: all processes on one database must have the same."""
    sockets: int = 0
    tables: int = 0
    moves_per_s: float = 0.0


class Alive(_Notice, frozen=True, tag="alive"):
    """A heartbeat; `version` is the number of the sender's last presence notice."""

    version: int
    about: About


class Resend(_Notice, frozen=True, tag="tell"):
    """The sender has missed a notice of this process, which is asked to report all its tables again."""

    process: str


class Clear(_Notice, frozen=True, tag="clear"):
    """The sender now reports all its tables again, counting on from here."""

    version: int


class Gone(_Notice, frozen=True, tag="gone"):
    """The sender stops; others take over at once."""


class BansChanged(_Notice, frozen=True, tag="bans"):
    """The bans have changed: read them again."""


Notice = Wrote | TablePresence | TableUnloaded | Unready | Announced | Alive | Resend | Clear | Gone | BansChanged

_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[tuple[str, list[Notice]]] = msgspec.json.Decoder(tuple[str, list[Notice]])


def payloads(sender: str, notices: Iterable[Notice]) -> list[str]:
    """These notices as few payloads, in order."""
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


def decode(payload: str) -> tuple[str, list[Notice]] | None:
    """Sender and notices; None if the payload cannot be read (from a process of another version)."""
    try:
        return _decoder.decode(payload)
    except msgspec.MsgspecError:
        return None
