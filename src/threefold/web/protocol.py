"""Every message on a table's socket, from hello to bye.

Each message is one JSON object; the field `is` names the message. The client numbers its messages: `n` counts up from 1
and serves as idempotency key, so a message sent twice is handled once. `ack` is cumulative: every message up to that
number was either accepted and stored, or refused. Guests and seats are numbered from 0. Times are milliseconds since
1970 on the server's clock.

docs/reference/live-protocol.md is the reference for users. typescript.py generates the page's types from this module
and from the HTTP bodies beside the routes.
"""

from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from threefold.facts import PageType
from threefold.game import EndingForm
from threefold.live.entries import Settings
from threefold.texts import TextForm

PROTOCOL = 1
REACTIONS = ("👍", "👏", "😂", "😮", "😢", "🎉", "🤔", "❤️")
PHRASES = (
    "hello", "good_luck", "well_played", "thanks", "sorry", "oops", "your_turn", "one_moment", "good_game", "again",
    "goodbye",
)  # fmt: skip
LONGEST_TEXT = 200
"""Letters of one chat message."""
Json = Any
ShownView = Annotated[dict[str, Json], PageType("GameView")]
ShownEvent = Annotated[dict[str, Json], PageType("GameEvent")]
Result = Literal["won", "lost", "drawn", "left", "open"]


# ---------------------------------------------------------------- From the client to the table


class ClientMessage(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, tag_field="is", tag=str.lower):
    """A message from the client, which is a page or a program, to the table."""

    n: int = 0


class Hello(ClientMessage, kw_only=True):
    """The first message. `client` identifies this page or program, `since` is the last seq it knows.

    Programs identify themselves with `token`, browsers with their cookie.
    """

    protocol: int
    client: str
    since: int | None = None
    token: str | None = None


class Sit(ClientMessage, kw_only=True):
    """Take a seat; null takes any free seat."""

    seat: int | None = None


class Stand(ClientMessage, kw_only=True):
    """Give up the seat before or between games."""


class Leave(ClientMessage, kw_only=True):
    """Give up the seat at any time; a running game goes on, with or without a bot in this place."""


class Concede(ClientMessage, kw_only=True):
    """Give up the game and watch the rest of it."""


class BotSits(ClientMessage, kw_only=True, tag="bot_sits"):
    """Host only: give a seat to a bot."""

    bot: str
    seat: int | None = None


class BotStands(ClientMessage, kw_only=True, tag="bot_stands"):
    """Host only: free a bot's seat."""

    seat: int


class Change(ClientMessage, kw_only=True):
    """Host only: change the edition, variant or options (`setup`) or the table's settings. Null changes nothing."""

    setup: dict[str, Json] | None = None
    settings: Settings | None = None


class PassHost(ClientMessage, kw_only=True, tag="pass_host"):
    """Host only: make another guest the host."""

    guest: int


class Remove(ClientMessage, kw_only=True):
    """Host only: remove a guest from the table for good."""

    guest: int


class Mute(ClientMessage, kw_only=True):
    """Host only: mute or unmute a guest."""

    guest: int
    muted: bool = True


class StandIn(ClientMessage, kw_only=True, tag="stand_in"):
    """Host only: let a bot play at once for an absent player, until they are back."""

    guest: int


class Start(ClientMessage, kw_only=True):
    """Host only: start a game with everybody who has a seat; after a game, the rematch.

    Where several people have a seat, this begins a countdown, and the game starts at its end.
    """


class Ready(ClientMessage, kw_only=True):
    """Ready for the game, which starts when everybody who has a seat is. False stops a countdown."""

    ready: bool = True


class Move(ClientMessage, kw_only=True):
    """Make a move in game number `game`."""

    move: str
    game: int | None = None


class Pause(ClientMessage, kw_only=True):
    """Pause the game at once."""


class Resume(ClientMessage, kw_only=True):
    """End the pause."""


class Skip(ClientMessage, kw_only=True):
    """Let the bots play the rest of the game at once, when no person is left in it."""


class React(ClientMessage, kw_only=True):
    """Show one of REACTIONS."""

    reaction: str


class Phrase(ClientMessage, kw_only=True):
    """Say one of PHRASES."""

    phrase: str


class Chat(ClientMessage, kw_only=True):
    """Send a chat message, if the host allows chat."""

    text: str


class Explain(ClientMessage, kw_only=True):
    """Ask whether a move would be accepted, and if not, why. Nothing changes."""

    move: str


class Hint(ClientMessage, kw_only=True):
    """Ask for the move of a careful player."""


class CloseTable(ClientMessage, kw_only=True, tag="close_table"):
    """Host only: close the table for good."""


class Ping(ClientMessage, kw_only=True):
    """Answered at once by `pong`: the client measures the round trip."""

    sent: int = 0


class Probed(ClientMessage, kw_only=True):
    """The immediate answer to `probe`, with the same mark."""

    mark: str


# ---------------------------------------------------------------- From the table to the client


class ServerMessage(msgspec.Struct, kw_only=True, tag_field="is", tag=str.lower):
    """A message from the table to the client."""


class Welcome(ServerMessage, kw_only=True):
    """The answer to `hello`. `token` identifies the same person at this table later, also without the cookie."""

    protocol: int
    code: str
    you: int
    name: str
    ack: int
    now: int
    token: str


class GuestShown(msgspec.Struct, kw_only=True):
    """A person or program at the table."""

    guest: int
    name: str
    program: bool
    here: bool
    away_since: int | None
    muted: bool


class SeatShown(msgspec.Struct, kw_only=True):
    """A seat: a guest's, a bot's, or free. `bot` is the level of a bot, `name` what people call it."""

    guest: int | None
    bot: str | None
    name: str | None


class CountdownShown(msgspec.Struct, kw_only=True):
    """A game starts at `starts`; the host `by` asked for it, or everybody was ready (null)."""

    by: int | None
    starts: int


class PlayerShown(msgspec.Struct, kw_only=True):
    """A player of the current or last game. `bot_from`: when a bot takes over during an absence; null: none will."""

    seat: int
    guest: int | None
    bot: str | None
    name: str
    left: bool
    bot_from: int | None
    result: Result | None


class PauseShown(msgspec.Struct, kw_only=True):
    """The guest who paused the game, and when."""

    by: int | None
    since: int


class PlayingShown(msgspec.Struct, kw_only=True):
    """The current or last game. `commitment` is the hash of the seed; `seed` is revealed after the end.

    `id` identifies the finished game. `repeated`: the same position has occurred three times, so a draw may be wise.
    """

    number: int
    id: str | None
    began: int
    over: bool
    ending: EndingForm | None
    commitment: str
    seed: str | None
    paused: PauseShown | None
    repeated: bool
    players: list[PlayerShown]


class ScoreShown(msgspec.Struct, kw_only=True):
    """The score of a guest or a bot over all games at this table."""

    guest: int | None
    seat: int | None
    name: str
    games: int
    won: int
    lost: int
    left: int
    points: int


class TableShown(ServerMessage, kw_only=True, tag="table"):
    """The public state of the table; sent whole after every change. `fewest_players` can start a game."""

    code: str
    game: str
    setup: dict[str, Json]
    fewest_players: int
    settings: Settings
    host: int
    you: int | None
    guests: list[GuestShown]
    seats: list[SeatShown]
    ready: list[int]
    countdown: CountdownShown | None
    rules: list[TextForm]
    next_commitment: str
    playing: PlayingShown | None
    scores: list[ScoreShown]
    closed: str | None
    seq: int
    ack: int


class Happened(msgspec.Struct, kw_only=True):
    """The events of one move, as this viewer may see them."""

    seq: int
    events: list[ShownEvent]


class ViewShown(ServerMessage, kw_only=True, tag="view"):
    """The game as this viewer may see it, with the events since the last message to this connection.

    `time` is the game's own time in milliseconds; `turn_ends` is when the turn clock runs out; `events` is null if the
    viewer missed more events than the server keeps.
    """

    seq: int
    ack: int
    game: int
    view: ShownView
    events: list[Happened] | None
    time: int
    turn_ends: int | None


class Ack(ServerMessage, kw_only=True):
    """Every message up to number `ack` was handled; nothing else is new."""

    ack: int
    seq: int


class Refused(ServerMessage, kw_only=True):
    """The message was refused: the rule's clause, a sentence, its text key, the field it is about.

    `taken`: another player was faster. That is no mistake and costs nothing.
    """

    n: int
    clause: str | None
    message: str
    text: TextForm
    field: str | None = None
    taken: bool = False


class Said(ServerMessage, kw_only=True):
    """A guest sent a reaction, a phrase or a chat message."""

    guest: int
    sort: Literal["reaction", "phrase", "chat"]
    what: str
    at: int


class Matched(ServerMessage, kw_only=True):
    """Somebody else waits for a quick match at another table, where you have a seat now. This table closes."""

    code: str


class Explained(ServerMessage, kw_only=True):
    """Whether a move would be accepted, and if not, why. `warning` speaks against a move that is legal."""

    n: int
    move: str
    legal: bool
    clause: str | None
    message: str | None
    text: TextForm | None
    warning: TextForm | None


class Hinted(ServerMessage, kw_only=True):
    """The move of a careful player, and why; a move of null means to wait."""

    n: int
    move: str | None
    why: TextForm | None


class Pong(ServerMessage, kw_only=True):
    """The answer to `ping`."""

    n: int
    sent: int
    now: int


class Probe(ServerMessage, kw_only=True):
    """Measures the round trip, so that calls of distant players count from when they were made."""

    mark: str


class Bye(ServerMessage, kw_only=True):
    """The last message before the server closes the connection; `words` is the operator's explanation."""

    reason: str
    words: str = ""


# ---------------------------------------------------------------- Unions

Message = TypeVar("Message", bound=msgspec.Struct)


def union_of(base: type[Message]) -> type[Message]:
    """The union of all messages derived from `base`, which msgspec needs to decode by tag.

    Static types use the base class, so no message is listed twice.
    """
    return reduce(or_, base.__subclasses__())
