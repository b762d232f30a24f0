"""The messages that the clients of a table sent and received, with times. One file for each table."""

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

Json = Any
_OFFSET = time.time() - time.monotonic()
_VOLATILE = {"id", "repeated"}
_OF_TABLE = ("code", "game", "setup", "settings", "host", "seats", "next_commitment", "scores", "closed")


def now() -> float:
    """Seconds since 1970, monotonic, and comparable with the times of log entries on this machine."""
    return time.monotonic() + _OFFSET


def digest(shown: Json) -> str:
    """A short hash of a JSON value, independent of the order of fields."""
    return hashlib.blake2b(msgspec.json.encode(shown, order="sorted"), digest_size=8).hexdigest()


def of_the_log(table: Json) -> Json:
    """The part of a table that follows from its log: without connections and observations of one process."""
    playing = table["playing"]
    if playing:
        players = [{name: value for name, value in each.items() if name != "bot_from"} for each in playing["players"]]
        playing = {name: value for name, value in playing.items() if name not in _VOLATILE} | {"players": players}
    return {
        **{name: table[name] for name in _OF_TABLE},
        "guests": [[each["guest"], each["name"], each["muted"]] for each in table["guests"]],
        "playing": playing,
    }


class Note(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A note of a client, and its time."""

    at: float


class Opened(Note, frozen=True):
    """A connection was opened: the server has sent `welcome`."""

    connection: int
    guest: int
    client: str
    process: int
    since: int


class Closed(Note, frozen=True):
    """A connection was closed by either side."""

    connection: int


class Sent(Note, frozen=True):
    """A message was sent; `again`: it was a repetition."""

    client: str
    n: int
    what: str
    again: bool = False


class Acked(Note, frozen=True):
    """The server acknowledged all messages up to a number; `welcome`: on reconnecting."""

    client: str
    up_to: int
    welcome: bool = False


class Refused(Note, frozen=True):
    """The server refused a message, with a reason."""

    client: str
    n: int
    why: str


class Shown(Note, frozen=True):
    """The server sent the state: a View, a table, or only the number of an entry."""

    connection: int
    seq: int
    table: str = ""
    view: str = ""
    game: int = 0
    viewer: int | None = None
    events: list[tuple[int, str]] | None = None


class Waited(Note, frozen=True):
    """A client has waited long enough for the answers to all messages up to a number."""

    client: str
    n: int


Any_ = Opened | Closed | Sent | Acked | Refused | Shown | Waited
_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[Any_] = msgspec.json.Decoder(Any_)


class Notebook:
    """The notes of one table, on disk, so memory does not grow with the length of a campaign."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._open = file.open("ab", buffering=1 << 16)
        self._connections = 0

    def new_connection(self) -> int:
        """The number of the next connection."""
        self._connections += 1
        return self._connections

    def note(self, what: Any_) -> None:
        """Writes a note; after `close` it is ignored."""
        if not self._open.closed:
            self._open.write(_encode(what) + b"\n")

    def close(self) -> None:
        """Closes the file."""
        self._open.close()


def read_notes(file: Path) -> Iterator[Any_]:
    """All notes of a table, in order."""
    with file.open("rb") as lines:
        for each in lines:
            yield _decoder.decode(each)
