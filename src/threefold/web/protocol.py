"""Every message between a page (or a program) and a table, and every body of the HTTP interface, on one page.

On the socket each message is one JSON object; `is` says which. `n` numbers a page's own messages, counting up: the same
number sent again is done once, and `ack` says up to which number everything has been dealt with (accepted and durable,
or refused). Guests and seats are numbered from 0. Times are milliseconds since 1970 on the server's clock.
docs/reference/live-protocol.md explains; frontend/src/generated/protocol.ts is made from this page by
`python -m threefold.web.typescript`.
"""

from typing import Any, Literal

import msgspec

from threefold.live.entries import Settings

PROTOCOL = 1
REACTIONS = ("👍", "👏", "😂", "😮", "😢", "🎉", "🤔", "❤️")
PHRASES = (
    "hello", "good_luck", "well_played", "thanks", "sorry", "oops", "your_turn", "one_moment", "good_game", "again",
    "goodbye",
)  # fmt: skip
LONGEST_TEXT = 200
Json = Any
Result = Literal["won", "lost", "drawn", "left", "open"]


# ---------------------------------------------------------------- From the page to the table


class _Ask(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, tag_field="is", tag=str.lower):
    n: int = 0


class Hello(_Ask, kw_only=True):
    """The first message. `client` names this page; `since` is the last seq it knows; programs show their token."""

    protocol: int
    client: str
    since: int | None = None
    token: str | None = None


class Sit(_Ask, kw_only=True):
    """Take a seat; null is any that is free."""

    seat: int | None = None


class Stand(_Ask, kw_only=True):
    """Give the seat up, before or between games."""


class Leave(_Ask, kw_only=True):
    """Give the seat up at any time; in a game somebody or nobody plays on, and the game goes on."""


class Concede(_Ask, kw_only=True):
    """Give the game up and watch the rest of it."""


class BotSits(_Ask, kw_only=True, tag="bot_sits"):
    """The host lets a bot sit down."""

    bot: str
    seat: int | None = None


class BotStands(_Ask, kw_only=True, tag="bot_stands"):
    """The host frees a bot's seat."""

    seat: int


class Change(_Ask, kw_only=True):
    """The host changes what is played (edition, variant, options) or how; what is left out stays."""

    given: dict[str, Json] | None = None
    settings: Settings | None = None


class PassHost(_Ask, kw_only=True, tag="pass_host"):
    """The host makes somebody else host."""

    guest: int


class Remove(_Ask, kw_only=True):
    """The host puts somebody out."""

    guest: int


class Mute(_Ask, kw_only=True):
    """The host takes or gives back somebody's voice."""

    guest: int
    muted: bool = True


class Start(_Ask, kw_only=True):
    """The host starts a game with all who sit; after a game this is the rematch."""


class Ready(_Ask, kw_only=True):
    """Ready for the game; after a game, when all who sit are, the rematch begins."""

    ready: bool = True


class Move(_Ask, kw_only=True):
    """Make a move; `game` is the number of the game it is meant for."""

    move: str
    game: int | None = None


class Pause(_Ask, kw_only=True):
    """Ask for a pause; it begins at once."""


class Resume(_Ask, kw_only=True):
    """End the pause."""


class React(_Ask, kw_only=True):
    """Show a reaction."""

    reaction: str


class Phrase(_Ask, kw_only=True):
    """Say one of the phrases."""

    phrase: str


class Chat(_Ask, kw_only=True):
    """Say something, where the host allows it."""

    text: str


class Explain(_Ask, kw_only=True):
    """Would this move be accepted, and if not, why? Nothing changes."""

    move: str


class Hint(_Ask, kw_only=True):
    """What would a careful player do?"""


class CloseTable(_Ask, kw_only=True, tag="close_table"):
    """The host closes the table for good."""


class Ping(_Ask, kw_only=True):
    """Answered at once, for measuring the way."""

    sent: int = 0


class Probed(_Ask, kw_only=True):
    """The answer to probe, sent at once, with its mark."""

    mark: str


Asked = (
    Hello | Sit | Stand | Leave | Concede | BotSits | BotStands | Change | PassHost | Remove | Mute | Start | Ready
    | Move | Pause | Resume | React | Phrase | Chat | Explain | Hint | CloseTable | Ping | Probed
)  # fmt: skip


# ---------------------------------------------------------------- From the table to the page


class _Tell(msgspec.Struct, kw_only=True, tag_field="is", tag=str.lower):
    pass


class Welcome(_Tell, kw_only=True):
    """The answer to hello. The token lets the same person come back to this table, also without the cookie."""

    protocol: int
    code: str
    you: int
    name: str
    ack: int
    now: int
    token: str


class GuestShown(msgspec.Struct, kw_only=True):
    """Somebody at the table."""

    guest: int
    name: str
    program: bool
    here: bool
    away_since: int | None
    muted: bool


class SeatShown(msgspec.Struct, kw_only=True):
    """A seat: a guest's, a bot's, or free."""

    guest: int | None
    bot: str | None


class PlayerShown(msgspec.Struct, kw_only=True):
    """A player of the game that runs or ran last."""

    seat: int
    guest: int | None
    bot: str | None
    name: str
    left: bool
    result: Result | None


class PauseShown(msgspec.Struct, kw_only=True):
    """Who asked for the pause, and when."""

    by: int | None
    since: int


class PlayingShown(msgspec.Struct, kw_only=True):
    """The game that runs or ran last. `commitment` is the hash of the seed, `seed` is given after the end.

    `id` leads to the finished game. `repeated`: the same position has come three times, so a draw may be wise.
    """

    number: int
    id: str | None
    began: int
    over: bool
    ending: dict[str, Json] | None
    commitment: str
    seed: str | None
    paused: PauseShown | None
    repeated: bool
    players: list[PlayerShown]


class ScoreShown(msgspec.Struct, kw_only=True):
    """The score of the sitting, of a guest or of a bot."""

    guest: int | None
    seat: int | None
    name: str
    games: int
    won: int
    lost: int
    left: int
    points: int


class TableShown(_Tell, kw_only=True, tag="table"):
    """The table as everybody may know it; sent whole whenever it has changed."""

    code: str
    game: str
    given: dict[str, Json]
    settings: Settings
    host: int
    you: int | None
    guests: list[GuestShown]
    seats: list[SeatShown]
    ready: list[int]
    next_commitment: str
    playing: PlayingShown | None
    scores: list[ScoreShown]
    closed: str | None
    seq: int
    ack: int


class Happened(msgspec.Struct, kw_only=True):
    """What one move brought, as this viewer may know it."""

    seq: int
    told: list[dict[str, Json]]


class ViewShown(_Tell, kw_only=True, tag="view"):
    """The game as this viewer may know it, and what happened since the last seq they were told.

    `time` is the game's own time in milliseconds; `turn_ends` when the turn clock runs out; `events` is null when more
    was missed than is kept.
    """

    seq: int
    ack: int
    game: int
    view: dict[str, Json]
    events: list[Happened] | None
    time: int
    turn_ends: int | None


class Ack(_Tell, kw_only=True):
    """Everything up to this number has been dealt with, and nothing else is new."""

    ack: int
    seq: int


class Refused(_Tell, kw_only=True):
    """No, and why: the clause, a sentence, its key, the field that is meant. `taken`: somebody was just quicker."""

    n: int
    clause: str | None
    message: str
    text: dict[str, Json]
    field: str | None = None
    taken: bool = False


class Said(_Tell, kw_only=True):
    """Somebody showed a reaction, said a phrase, or wrote something."""

    guest: int
    sort: Literal["reaction", "phrase", "chat"]
    what: str
    at: int


class Explained(_Tell, kw_only=True):
    """Whether a move would be accepted; if not, why."""

    n: int
    move: str
    legal: bool
    clause: str | None
    message: str | None
    text: dict[str, Json] | None


class Hinted(_Tell, kw_only=True):
    """What a careful player would do."""

    n: int
    move: str | None


class Pong(_Tell, kw_only=True):
    """The answer to ping."""

    n: int
    sent: int
    now: int


class Probe(_Tell, kw_only=True):
    """Answered with probed, at once: so the table measures the way, and makes good for it when people race (SET)."""

    mark: str


class Bye(_Tell, kw_only=True):
    """The last message before the table closes the connection; `words` is what the operator says about it."""

    reason: str
    words: str = ""


Told = Welcome | TableShown | ViewShown | Ack | Refused | Said | Explained | Hinted | Pong | Probe | Bye


# ---------------------------------------------------------------- Over HTTP


class Problem(msgspec.Struct, kw_only=True):
    """Every answer that is not the one that was asked for."""

    message: str
    text: dict[str, Json]
    field: str | None = None
    clause: str | None = None


class MakePerson(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Who somebody wants to be."""

    name: str


class PersonShown(msgspec.Struct, kw_only=True):
    """Who somebody is."""

    name: str
    made: int


class MakeTable(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A table to be made: the game, its edition or variant and options, the seats, and how people play."""

    game: str
    edition: str | dict[str, Json] | None = None
    variant: str | None = None
    options: dict[str, Json] | None = None
    seats: int = 4
    bots: list[str] = []
    listed: bool = False
    grace_s: int = 60
    turn_clock_s: int = 0
    chat: bool = False
    pace: Literal["human", "fast"] = "human"
    start: bool = False


class TableMade(msgspec.Struct, kw_only=True):
    """Where the new table is. The path is the invite link of this site; the QR code is a picture of it."""

    code: str
    path: str
    qr: str
    socket: str


class TableFound(msgspec.Struct, kw_only=True):
    """A table as a list shows it."""

    code: str
    game: str
    given: dict[str, Json]
    seats: list[SeatShown]
    guests: list[GuestShown]
    playing: PlayingShown | None


class MakeToken(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A name for a program that is to play at a table."""

    name: str


class TokenMade(msgspec.Struct, kw_only=True):
    """The program's right to play, and where."""

    token: str
    socket: str


class TransferMade(msgspec.Struct, kw_only=True):
    """A link that makes another device the same person, once, within the next minutes; `qr` is a picture of it."""

    path: str
    token: str
    seconds: int
    qr: str


class Redeem(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The token of a transfer link."""

    token: str


class GamePlayer(msgspec.Struct, kw_only=True):
    """Somebody who played, and how it went."""

    player: int
    name: str
    result: Result


class GameFound(msgspec.Struct, kw_only=True):
    """A finished game of mine."""

    id: str
    game: str
    what: str
    began: int
    ended: int
    result: Result
    score: int | None
    players: list[GamePlayer]


class ReplayPlayer(msgspec.Struct, kw_only=True):
    """Somebody who played; a bot's name is its level."""

    player: int
    seat: int
    name: str
    bot: bool
    result: Result
    score: int | None


class ReplayStep(msgspec.Struct, kw_only=True):
    """One move: who made it (null: time ran out), the game's own time, what was told, and how the View changed.

    A change is `["is", value]`, `["in", {part: change}]`, `["keep", n, rest]` or `["gone"]`; null: nothing changed.
    """

    player: int | None
    move: str
    at: int | None
    told: list[dict[str, Json]]
    change: list[Json] | None


class Frames(msgspec.Struct, kw_only=True):
    """A game as one viewer saw it: the first View and every move."""

    first: dict[str, Json]
    steps: list[ReplayStep]


class ReplayShown(msgspec.Struct, kw_only=True):
    """A finished game to look at. `you` is the player who asks; no `frames`: the rules have changed since."""

    id: str
    game: str
    what: str
    rules: int
    began: int
    ended: int
    ending: dict[str, Json] | None
    seed: str
    commitment: str
    you: int | None
    players: list[ReplayPlayer]
    frames: Frames | None


class Checked(msgspec.Struct, kw_only=True):
    """Whether a finished game is sound, in sentences of the catalogue."""

    sound: bool
    texts: list[dict[str, Json]]


class KindOfTime(msgspec.Struct, kw_only=True):
    """How quickly SETs were found that differ in so many features."""

    features: int
    count: int
    best_ms: int | None
    median_ms: int | None


class SetReviewed(msgspec.Struct, kw_only=True):
    """A SET that lay on the table, within whose reach, from when until when, and what became of it.

    `found_ms` runs from the moment its third card came to the call. `broken`: a card of it went with another SET.
    `overlooked`: while it lay there, everybody agreed that there was none.
    """

    cards: list[str]
    features: int
    reach: list[int]
    since: int
    until: int
    outcome: Literal["taken", "broken", "left"]
    player: int | None
    found_ms: int | None
    overlooked: bool


class LayoutReviewed(msgspec.Struct, kw_only=True):
    """The cards as they lay after so many moves, from when until when; `sets` and `taken` are numbers of SETs."""

    move: int
    deal: int
    since: int
    until: int
    cards: list[str | None]
    personal: list[list[str | None]]
    sets: list[int]
    taken: int | None


class WrongReviewed(msgspec.Struct, kw_only=True):
    """A call that failed: three wrong cards and why, or none in time."""

    move: int
    at: int
    player: int
    failure: Literal["wrong_set", "gave_up", "time_up", "left"]
    cards: list[str]
    failing: list[dict[str, Json]]


class CloseCall(msgspec.Struct, kw_only=True):
    """Calls that came almost together: who was first, by how many milliseconds, and before whom."""

    move: int
    player: int
    margin_ms: int | None
    others: list[int]


class PlayerReviewed(msgspec.Struct, kw_only=True):
    """One player's game in figures; `missed` are SETs within reach that nobody saw though there was time."""

    player: int
    seat: int
    name: str
    bot: bool
    you: bool
    found: int
    wrong: int
    missed: int
    score: int | None
    times: list[KindOfTime]


class ReviewShown(msgspec.Struct, kw_only=True):
    """A finished game of SET looked back on; times are the game's own, in milliseconds."""

    id: str
    variant: str
    took_ms: int
    layouts: list[LayoutReviewed]
    sets: list[SetReviewed]
    wrong: list[WrongReviewed]
    close: list[CloseCall]
    players: list[PlayerReviewed]


class ResultsCounted(msgspec.Struct, kw_only=True):
    """How games of one edition or variant went."""

    game: str
    what: str
    games: int
    won: int
    lost: int
    drawn: int
    left: int
    open: int


class Streak(msgspec.Struct, kw_only=True):
    """How many in a row: the most ever, and now."""

    best: int
    now: int


class DaysPlayed(msgspec.Struct, kw_only=True):
    """Days with a game: all, the most in a row, and the row that runs."""

    played: int
    best: int
    now: int


class Best(msgspec.Struct, kw_only=True):
    """A personal best and the game it was in."""

    value: int
    game: str


class SetStats(msgspec.Struct, kw_only=True):
    """How somebody plays SET."""

    found: int
    wrong: int
    times: list[KindOfTime]
    fastest: Best | None
    fastest_solitaire: Best | None
    fewest_missed: Best | None
    most_found: Best | None


class StatsShown(msgspec.Struct, kw_only=True):
    """What my games add up to."""

    games: int
    results: list[ResultsCounted]
    wins: Streak
    days: DaysPlayed
    set: SetStats


class GameOffered(msgspec.Struct, kw_only=True):
    """A game that can be played here, with the bots that know it."""

    game: str
    rules: int
    timed: bool
    bots: list[str]
    ways: list[dict[str, Json]]


class VerifiedShown(msgspec.Struct, kw_only=True):
    """What replaying a record showed."""

    sound: bool
    messages: list[str]
    commitment: str
    moves: int
    ending: dict[str, Json] | None


class PuzzlesToday(msgspec.Struct, kw_only=True):
    """The day (UTC) whose puzzles are today's, when it ends, and how many SETs each has."""

    day: str
    ends: int
    now: int
    counts: dict[str, int]


class PuzzleShown(msgspec.Struct, kw_only=True):
    """A daily puzzle. `began` is when it was first looked at; the token says the same, signed, for those nobody knows.

    Somebody who has solved it is told their time and all `sets`.
    """

    day: str
    kind: str
    cards: list[str]
    count: int
    difficulty: int
    began: int
    now: int
    token: str
    milliseconds: int | None = None
    sets: list[list[str]] | None = None


class PuzzleTry(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Three cards that may be a SET, the SETs found before, and the token of the first look."""

    cards: list[str]
    found: list[list[str]] = []
    token: str | None = None


class PuzzleTried(msgspec.Struct, kw_only=True):
    """What came of it: events as the games tell them, with a sentence each (`says`).

    `milliseconds`: the time from the first look to the last SET, by the server's clock, once all are found.
    """

    events: list[dict[str, Json]]
    left: int
    milliseconds: int | None = None


class PuzzleStanding(msgspec.Struct, kw_only=True):
    """My daily puzzles of one kind: my time by day, days in a row now and at most, my best and my usual time.

    A day counts for the streak if its puzzle was solved on that day (an hour after midnight is still in time).
    """

    days: dict[str, int]
    streak: int
    longest: int
    best_ms: int | None
    median_ms: int | None


class MyPuzzles(msgspec.Struct, kw_only=True):
    """My daily puzzles, by kind; `day` is today."""

    day: str
    kinds: dict[str, PuzzleStanding]


class PracticeShown(msgspec.Struct, kw_only=True):
    """A layout to practise with; its SETs all differ in `differing` features, or in any number of them.

    The token says which layout it is and since when it is looked at.
    """

    cards: list[str]
    differing: int | None
    count: int
    token: str


class PracticeTry(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Three cards of a layout that may be a SET, and how many hints helped. With a hint no time is kept."""

    token: str
    cards: list[str]
    hints: int = 0


class PracticeTried(msgspec.Struct, kw_only=True):
    """What came of it; of a SET, in how many features it differs and how long it took."""

    events: list[dict[str, Json]]
    differing: int | None = None
    milliseconds: int | None = None


class PracticeHint(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Asks for the first one, two or three cards of a SET of a layout."""

    token: str
    count: int = 1


class PracticeHinted(msgspec.Struct, kw_only=True):
    """So many cards of the easiest SET; more of the same SET each time."""

    cards: list[str]


class PracticeTimes(msgspec.Struct, kw_only=True):
    """How many SETs that differ in so many features I have found in practice without hints, and how fast."""

    count: int
    mean_ms: int
    best_ms: int


class LessonShown(msgspec.Struct, kw_only=True):
    """A lesson: a table as the learner, player 0, sees it, and cards to point at."""

    key: str
    view: dict[str, Json]
    point: list[str]


class LessonMoves(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What the learner has done since the lesson began."""

    moves: list[str]


class LessonTried(msgspec.Struct, kw_only=True):
    """The table after it, what the last move brought, whether the lesson is done, or why the last move was refused."""

    view: dict[str, Json]
    events: list[dict[str, Json]]
    done: bool
    refused: Problem | None


class DesignGiven(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A card somebody designed."""

    design: dict[str, Json]


class DesignShown(msgspec.Struct, kw_only=True):
    """A designed card, its code to share, and its rules in words."""

    code: str
    design: dict[str, Json]
    words: list[str]


class Health(msgspec.Struct, kw_only=True):
    """That the server lives."""

    version: str
    protocol: int
    now: int


# ---------------------------------------------------------------- For the operator


class ProcessShown(msgspec.Struct, kw_only=True):
    """One of the processes that share the database."""

    process: str
    here: bool
    """The one that answers."""
    version: str
    host: str
    pid: int
    started: int
    same_key: bool
    sockets: int
    tables: int
    moves_per_s: float


class SlowShown(msgspec.Struct, kw_only=True):
    """A message that took long."""

    at: int
    table: str
    kind: str
    ms: float


class LoadShown(msgspec.Struct, kw_only=True):
    """How the process is that answers."""

    version: str
    database: str
    started: int
    now: int
    cpu: float
    """The part of one core that was used lately."""
    loop_lag_ms: float | None
    sockets: int
    tables: int
    moves_per_s: float
    ack_p50_ms: float | None
    ack_p99_ms: float | None
    commit_p50_ms: float | None
    commit_p99_ms: float | None
    processes: list[ProcessShown]
    slowest: list[SlowShown]


class TableLine(msgspec.Struct, kw_only=True):
    """A table in the operator's list."""

    code: str
    game: str
    listed: bool
    guests: int
    here: int | None
    """How many are there now; null: this process does not have the table in memory."""
    opened: int
    touched: int
    playing: bool


class TablePage(msgspec.Struct, kw_only=True):
    """One page of tables."""

    total: int
    size: int
    tables: list[TableLine]


class PersonLine(msgspec.Struct, kw_only=True):
    """A person in the operator's list."""

    person: str
    name: str
    made: int
    seen: int
    tables: int
    banned: bool


class PeoplePage(msgspec.Struct, kw_only=True):
    """One page of people."""

    total: int
    size: int
    people: list[PersonLine]


class BanShown(msgspec.Struct, kw_only=True):
    """A ban that holds."""

    id: str
    name: str
    address: str | None
    words: str
    made: int
    until: int | None


class MakeBan(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Who is to stay away: a person or an address; for how long; what they are told."""

    person: str | None = None
    address: str | None = None
    hours: int | None = None
    """Null: for good."""
    words: str = ""
    addresses_too: bool = False
    """The addresses from which the person is connected as well."""


class CloseByOperator(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What the people at the table are told."""

    words: str = ""
