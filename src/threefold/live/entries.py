"""Entry: one line of a table's log. A table is nothing but its entries, in order.

People are guests, numbered in the order in which they came to the table; None is the table itself. `at` is the time in
milliseconds since 1970. `client` and `n` name the page and its message that asked for the entry, so that the same
message sent twice is one entry. Kinds of entries are only ever added: old logs must stay readable for ever.
"""

from functools import reduce
from operator import or_
from typing import Any, Literal

import msgspec

Json = Any
Hand = Literal["person", "bot", "clock"]
TURN_CLOCKS = (0, 30, 60, 180)


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a table, besides the options of its game."""

    seats: int = 4
    listed: bool = False
    grace_s: int = 60
    """Seconds of absence after which a bot plays for a guest; 0: never."""
    turn_clock_s: int = 0
    """0: no clock; else one of TURN_CLOCKS."""
    chat: bool = False
    memory_aid: bool = False
    """Whether the page shows the cards that a player knows to be in other hands."""
    pace: Literal["human", "fast"] = "human"
    """Whether bots take their time."""
    quick_match: bool = False
    """Until its first game, the table is offered to anybody who asks for a quick match."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="is", tag=str.lower):
    """What all entries have in common."""

    at: int
    by: int | None = None
    client: str = ""
    n: int = 0


class Opened(Entry, frozen=True, kw_only=True):
    """Somebody created the table, and is its first guest and host."""

    code: str
    game: str
    setup: dict[str, Json] = msgspec.field(name="given")
    settings: Settings
    person: str
    name: str
    seed: str
    """The seed of the first game; its hash is shown before anybody takes a seat."""


class Joined(Entry, frozen=True, kw_only=True):
    """Somebody came to the table; a program that plays is marked as one."""

    person: str
    name: str
    program: bool = False
    made_by: str = ""
    """The person who created the token of a program."""


class Renamed(Entry, frozen=True, kw_only=True):
    """A guest changed their name."""

    name: str


class Sat(Entry, frozen=True, kw_only=True):
    """A guest sat down."""

    seat: int


class Stood(Entry, frozen=True, kw_only=True):
    """A guest stood up, before or between games."""


class BotSat(Entry, frozen=True, kw_only=True):
    """A bot was given a seat."""

    seat: int
    bot: str
    name: str = ""
    """Empty: it was seated before bots had names of their own."""


class BotStood(Entry, frozen=True, kw_only=True):
    """A bot's seat was freed."""

    seat: int


class Changed(Entry, frozen=True, kw_only=True):
    """The host changed what is to be played, or how."""

    setup: dict[str, Json] = msgspec.field(name="given")
    settings: Settings


class HostPassed(Entry, frozen=True, kw_only=True):
    """Somebody else became host; `by` None: because the host was gone."""

    to: int


class Removed(Entry, frozen=True, kw_only=True):
    """The host removed somebody for good."""

    guest: int


class Muted(Entry, frozen=True, kw_only=True):
    """The host muted or unmuted a guest."""

    guest: int
    muted: bool


class Counting(Entry, frozen=True, kw_only=True):
    """A countdown began; `by` None: because everybody was ready."""

    starts: int
    """When the game starts, unless the players or the rules change, or somebody waits."""


class Waited(Entry, frozen=True, kw_only=True):
    """A player stopped the countdown; `by` None: the game could not start."""


class Started(Entry, frozen=True, kw_only=True):
    """A game began."""

    rules: int
    setup: dict[str, Json]
    seats: list[int]
    """By player: the seat at the table."""
    next_seed: str
    """The seed of the game after this one."""


class Moved(Entry, frozen=True, kw_only=True):
    """A move was made: by a player, by a bot in their place, or by the clock (player None: time ran out)."""

    player: int | None
    move: str
    time: int | None = None
    """The game time, in games against time."""
    hand: Hand = "person"
    thought: Json = None
    """How a bot found the move: the bot, its seed, and what the game's own search adds (`Choice.thought`)."""
    ending: Json = None
    """The ending, if this move ended the game: spares readers of the log the replay."""


class Bid(Entry, frozen=True, kw_only=True):
    """A player called, or took without a call, where others may have been first: a later entry settles it."""

    player: int
    move: str
    adjusted: int
    """When the call counts as made: its arrival, less half the measured round trip to that page."""
    hand: Hand = "person"


class Call(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A settled bid: milliseconds after the first, and whether its move could be played."""

    player: int
    move: str
    hand: Hand = "person"
    late: int = 0
    played: bool = False


class Settled(Entry, frozen=True, kw_only=True):
    """The open bids were put in order, and played as far as possible, all at this game time."""

    time: int
    calls: list[Call]
    ending: Json = None


class Left(Entry, frozen=True, kw_only=True):
    """A guest gave up their seat. In a running game a bot takes over, or the game goes on without them."""

    stays: bool = False
    """Conceded, and still watching."""
    finished: bool = False
    """Had finished before, so that the result counts."""


class StoodIn(Entry, frozen=True, kw_only=True):
    """The host let a bot play at once for a guest who was away; it does until they are back."""

    guest: int


class Skipped(Entry, frozen=True, kw_only=True):
    """Somebody who was in the game asked its bots, who play alone now, to play the rest at once."""


class Forgotten(Entry, frozen=True, kw_only=True):
    """A guest was deleted: their name is gone, in every process."""

    guest: int


class Paused(Entry, frozen=True, kw_only=True):
    """A player asked for a pause."""


class Resumed(Entry, frozen=True, kw_only=True):
    """The pause ended."""


class Abandoned(Entry, frozen=True, kw_only=True):
    """The running game ended without a result."""

    reason: Literal["nobody_left", "other_rules", "too_long"]


class Closed(Entry, frozen=True, kw_only=True):
    """The table was closed for good."""

    reason: Literal["host", "expired", "operator"] = "expired"
    words: str = ""
    """The operator's explanation."""


class Cancelled(Entry, frozen=True, kw_only=True):
    """Stands for an arrangement that later ones cancelled (`compaction.py`); keeps the number of its message."""


_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(reduce(or_, Entry.__subclasses__()))


def encode(entry: Entry) -> str:
    """The entry as JSON, as the log keeps it."""
    return _encoder.encode(entry).decode()


def decode(body: str) -> Entry:
    """Reads an entry of the log."""
    return _decoder.decode(body)
