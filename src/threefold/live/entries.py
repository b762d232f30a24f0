"""Entry: one line of a table's log. A table is nothing but its entries, in order.

People are written as guests, numbered in the order in which they came to the table; None is the table itself. `at` is
the time in milliseconds since 1970. `client` and `n` say which message of which page asked for it, so that the same
message sent twice is one entry. Entries are only ever added to this page: old logs must be readable for ever.
"""

from typing import Any, Literal

import msgspec

Json = Any
Hand = Literal["person", "bot", "clock"]
TURN_CLOCKS = (0, 30, 60, 180)


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table agrees on beside the game's own options."""

    seats: int = 4
    listed: bool = False
    grace_s: int = 60
    """After so long a bot plays for somebody who is away; 0: never."""
    turn_clock_s: int = 0
    """0: no clock; else one of TURN_CLOCKS."""
    chat: bool = False
    pace: Literal["human", "fast"] = "human"
    """How long bots seem to think."""


class _Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="is", tag=str.lower):
    at: int
    by: int | None = None
    client: str = ""
    n: int = 0


class Opened(_Entry, frozen=True, kw_only=True):
    """Somebody made the table, and is its first guest and host."""

    code: str
    game: str
    given: dict[str, Json]
    settings: Settings
    person: str
    name: str
    seed: str
    """Of the first game: its hash is shown before anybody sits down."""


class Joined(_Entry, frozen=True, kw_only=True):
    """Somebody came to the table; a program that plays is marked as one."""

    person: str
    name: str
    program: bool = False


class Renamed(_Entry, frozen=True, kw_only=True):
    """A guest has another name from now on."""

    name: str


class Sat(_Entry, frozen=True, kw_only=True):
    """A guest sat down."""

    seat: int


class Stood(_Entry, frozen=True, kw_only=True):
    """A guest stood up, before or between games."""


class BotSat(_Entry, frozen=True, kw_only=True):
    """A bot was given a seat."""

    seat: int
    bot: str


class BotStood(_Entry, frozen=True, kw_only=True):
    """A bot's seat was freed."""

    seat: int


class Changed(_Entry, frozen=True, kw_only=True):
    """The host changed what is to be played, or how."""

    given: dict[str, Json]
    settings: Settings


class HostPassed(_Entry, frozen=True, kw_only=True):
    """Somebody else is the host now; by None: because the host was gone."""

    to: int


class Removed(_Entry, frozen=True, kw_only=True):
    """The host put somebody out, for good."""

    guest: int


class Muted(_Entry, frozen=True, kw_only=True):
    """The host took or gave back a guest's voice."""

    guest: int
    muted: bool


class Started(_Entry, frozen=True, kw_only=True):
    """A game began."""

    rules: int
    setup: dict[str, Json]
    seats: list[int]
    """By player: the seat at the table."""
    next_seed: str
    """Of the game after this one."""


class Moved(_Entry, frozen=True, kw_only=True):
    """A move was made: by a player, by a bot in their place, or by the clock (player None: time ran out)."""

    player: int | None
    move: str
    time: int | None = None
    """The game's own time, in games that are played against time."""
    hand: Hand = "person"
    ending: Json = None
    """How the game ended, if it did by this move: spares later readers the replay."""


class Bid(_Entry, frozen=True, kw_only=True):
    """A player called, or took as their own call, where others could have been first: one later entry settles it."""

    player: int
    move: str
    adjusted: int
    """When it counts as made: its arrival, less half the measured way to that page and back."""
    hand: Hand = "person"


class Call(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A bid as it was settled: so late after the first, in milliseconds; and whether its move could be played."""

    player: int
    move: str
    hand: Hand = "person"
    late: int = 0
    played: bool = False


class Settled(_Entry, frozen=True, kw_only=True):
    """The open bids were put in order, and what could be played of them was, all at this time of the game."""

    time: int
    calls: list[Call]
    ending: Json = None


class Left(_Entry, frozen=True, kw_only=True):
    """A guest gave up their seat; in a running game a bot plays on, or the game goes on without them."""

    stays: bool = False
    """Conceded, and still watching."""


class Forgotten(_Entry, frozen=True, kw_only=True):
    """A guest wants to be known no more: nobody has their name from now on, in any process."""

    guest: int


class Paused(_Entry, frozen=True, kw_only=True):
    """A player asked for a pause."""


class Resumed(_Entry, frozen=True, kw_only=True):
    """Play goes on."""


class Abandoned(_Entry, frozen=True, kw_only=True):
    """The running game ended without a result."""

    reason: Literal["nobody_left", "other_rules", "too_long"]


class Closed(_Entry, frozen=True, kw_only=True):
    """The table is no more."""

    reason: Literal["host", "expired", "operator"] = "expired"
    words: str = ""
    """What the operator says about it."""


Entry = (
    Opened
    | Joined
    | Renamed
    | Sat
    | Stood
    | BotSat
    | BotStood
    | Changed
    | HostPassed
    | Removed
    | Muted
    | Started
    | Moved
    | Bid
    | Settled
    | Left
    | Forgotten
    | Paused
    | Resumed
    | Abandoned
    | Closed
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def encode(entry: Entry) -> str:
    """The entry as the log keeps it."""
    return _encoder.encode(entry).decode()


def decode(body: str) -> Entry:
    """The entry that was kept."""
    return _decoder.decode(body)
