"""What the people at a table sent and were told, with times, as they noted it themselves. One file for each table."""

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

Json = Any
_OFFSET = time.time() - time.monotonic()
_VOLATILE = {"id", "repeated"}
_OF_TABLE = ("code", "game", "given", "settings", "host", "seats", "next_commitment", "scores", "closed")


def now() -> float:
    """Seconds since 1970; never backwards, and on this machine the clock by which servers date their entries."""
    return time.monotonic() + _OFFSET


def digest(told: Json) -> str:
    """A short hash of what was told, whatever the order of its fields."""
    return hashlib.blake2b(msgspec.json.encode(told, order="sorted"), digest_size=8).hexdigest()


def of_the_log(table: Json) -> Json:
    """The part of a table that its log decides: not who is connected, nor what one process noticed."""
    playing = table["playing"]
    return {
        **{name: table[name] for name in _OF_TABLE},
        "guests": [[each["guest"], each["name"], each["muted"]] for each in table["guests"]],
        "playing": playing and {name: value for name, value in playing.items() if name not in _VOLATILE},
    }


class Note(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Something that somebody noted, and when."""

    at: float


class Opened(Note, frozen=True):
    """A line was opened: the table has said welcome."""

    line: int
    guest: int
    client: str
    process: int
    since: int


class Closed(Note, frozen=True):
    """A line was cut, by whomever."""

    line: int


class Sent(Note, frozen=True):
    """A message left for the table; `again`: not for the first time."""

    client: str
    n: int
    what: str
    again: bool = False


class Acked(Note, frozen=True):
    """The table has dealt with everything up to a number; `welcome`: as was told to who came back."""

    client: str
    up_to: int
    welcome: bool = False


class Refused(Note, frozen=True):
    """The table said no, and why."""

    client: str
    n: int
    why: str


class Shown(Note, frozen=True):
    """The table said how things stand: with a View, with the table, or with nothing but a number."""

    line: int
    seq: int
    table: str = ""
    view: str = ""
    game: int = 0
    viewer: int | None = None
    events: list[tuple[int, str]] | None = None


class Waited(Note, frozen=True):
    """Somebody has waited long enough for everything up to a number."""

    client: str
    n: int


Any_ = Opened | Closed | Sent | Acked | Refused | Shown | Waited
_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[Any_] = msgspec.json.Decoder(Any_)


class Notebook:
    """The notes of one table, on the disk: a long campaign needs no more memory than a short one."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._open = file.open("ab", buffering=1 << 16)
        self._lines = 0

    def new_line(self) -> int:
        """The number of the next line."""
        self._lines += 1
        return self._lines

    def note(self, what: Any_) -> None:
        """Notes something; whoever is cut off after the end has nothing to say."""
        if not self._open.closed:
            self._open.write(_encode(what) + b"\n")

    def close(self) -> None:
        """Nothing more will be noted."""
        self._open.close()

    def read(self) -> Iterator[Any_]:
        """All notes, in order."""
        with self._file.open("rb") as lines:
            for each in lines:
                yield _decoder.decode(each)
