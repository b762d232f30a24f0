"""Sitting: a table of people as its log tells it. Guests, seats, the host, the game that runs, the scores so far.

`apply` takes the entries one by one and trusts them: `acts.py` has checked them before they were written.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from threefold.engines import PLAIN, Engines
from threefold.game import Event, Game, Json, Step, a_turn_began
from threefold.live import entries as e
from threefold.live.recent import Recent
from threefold.serialising import Serialiser, serialiser_of

NOBODY = "–"
"""The name of who is forgotten."""
CLIENTS = 64
"""So many pages of one table are remembered by the last message that was taken from them."""


def commitment(seed: str) -> str:
    """What is shown of a seed before the game: its hash. Who knows the seed afterwards can compare."""
    return "sha256:" + hashlib.sha256(seed.encode()).hexdigest()


@dataclass(slots=True)
class Guest:
    """Somebody who came to the table."""

    person: str
    name: str
    program: bool = False
    removed: bool = False
    muted: bool = False


@dataclass(slots=True)
class Seat:
    """A place for the next game: a guest's, a bot's, or free."""

    guest: int | None = None
    bot: str | None = None

    @property
    def free(self) -> bool:
        """Whether nobody has it."""
        return self.guest is None and self.bot is None


@dataclass(slots=True)
class Tally:
    """The score of a sitting, of one guest or one bot."""

    games: int = 0
    won: int = 0
    lost: int = 0
    left: int = 0
    points: int = 0


@dataclass(slots=True)
class Playing:
    """The game that runs, or the last one."""

    number: int
    game: Game[Any]
    table: Any
    """None: a game of the past whose moves were not replayed, or one of other rules."""
    rules: int
    setup: dict[str, Json]
    seats: list[int]
    who: list[int | None]
    """By player: the guest who plays; None is a bot."""
    bots: list[str | None]
    began: int
    first_seq: int
    last_seq: int
    moves: int = 0
    latest: int = 0
    """The game's own time of the last move."""
    events: Recent = field(default_factory=Recent)
    serialiser: Serialiser = field(init=False)
    quit: set[int] = field(default_factory=set)
    """Players whose guest has left or conceded."""
    paused_at: int | None = None
    paused_by: int | None = None
    paused_ms: int = 0
    pauses: Counter[int] = field(default_factory=Counter)
    bids: list[e.Bid] = field(default_factory=list)
    """Calls that are not settled yet, in the order in which they came into the log."""
    turn_since: int = 0
    """When the turn began; before the first one, the game."""
    ending: Json = None
    ended: int | None = None

    def __post_init__(self) -> None:
        self.serialiser = serialiser_of(self.game)
        self.events = Recent(self.serialiser)

    @property
    def is_over(self) -> bool:
        """Whether it has ended, with a result or without."""
        return self.ended is not None

    @property
    def hidden(self) -> bool:
        """Whether nobody sees the cards now: a game against time rests."""
        return self.paused_at is not None and self.game.timed

    @property
    def state(self) -> tuple[int, int]:
        """Which game, and after how many moves."""
        return self.number, self.moves

    def time(self, at: int) -> int:
        """The game's own time: milliseconds since it began, pauses left out, never backwards."""
        until = at if self.paused_at is None else self.paused_at
        return max(0, until - self.began - self.paused_ms)

    def player_of(self, guest: int | None) -> int | None:
        """Which player a guest is in this game; None for onlookers and those who gave up."""
        if guest is None or guest not in self.who:
            return None
        player = self.who.index(guest)
        return None if player in self.quit else player

    def by_bot(self, player: int) -> bool:
        """Whether no person plays this player any more, or ever did."""
        return self.who[player] is None or player in self.quit

    def people(self) -> list[int]:
        """The guests who still play."""
        return [guest for player, guest in enumerate(self.who) if guest is not None and player not in self.quit]


@dataclass(slots=True)
class Sitting:
    """The table: empty until its first entry."""

    seq: int = 0
    code: str = ""
    game: str = ""
    given: dict[str, Json] = field(default_factory=dict)
    settings: e.Settings = field(default_factory=e.Settings)
    host: int = 0
    guests: list[Guest] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    next_seed: str = ""
    playing: Playing | None = None
    games: int = 0
    finished: list[Playing] = field(default_factory=list)
    """The games that are over and not yet noted in the store, without their cards."""
    tallies: dict[tuple[str, int, str], Tally] = field(default_factory=dict)
    last_dealer_seat: int | None = None
    opened: int = 0
    last_at: int = 0
    closed: str | None = None
    done: dict[tuple[int, str], int] = field(default_factory=dict)
    whole_from: int = 0
    """Games that began before this entry are not replayed: they are over."""
    engines: Engines = PLAIN

    @property
    def running(self) -> Playing | None:
        """The game that runs, if one does."""
        return None if self.playing is None or self.playing.is_over else self.playing

    def guest_of(self, person: str) -> int | None:
        """The number of a person at this table."""
        return next((i for i, guest in enumerate(self.guests) if guest.person == person), None)

    def seat_of(self, guest: int) -> int | None:
        """Where a guest sits."""
        return next((i for i, seat in enumerate(self.seats) if seat.guest == guest), None)

    def viewer(self, guest: int | None) -> int | None:
        """As whom a guest sees the game: a player, or None as a spectator."""
        return None if self.playing is None else self.playing.player_of(guest)

    def taken_up_to(self, guest: int | None, client: str) -> int:
        """The highest message of a page that is in the log."""
        return 0 if guest is None else self.done.get((guest, client), 0)

    def apply(self, entry: e.Entry, step: Step[Any] | None = None) -> Sequence[Event]:
        """Takes the next entry of the log; gives what happened in the game, if anything did."""
        self.seq += 1
        if entry.at > self.last_at:
            self.last_at = entry.at
        if entry.client and entry.by is not None:
            self._taken((entry.by, entry.client), entry.n)
        if isinstance(entry, e.Moved):
            return self._moved(entry, step)
        if isinstance(entry, e.Settled):
            return self._settled(entry, step)
        if isinstance(entry, e.Started):
            self._started(entry)
        elif isinstance(entry, e.Bid):
            assert self.playing is not None
            self.playing.bids.append(entry)
        else:
            self._arranged(entry)
        return ()

    def _taken(self, page: tuple[int, str], n: int) -> None:
        """Remembers the last message of a page; of the pages, those that were heard of last."""
        done = self.done
        done.pop(page, None)
        done[page] = n
        if len(done) > CLIENTS:
            del done[next(iter(done))]

    def _arranged(self, entry: e.Entry) -> None:
        """Everything that is not the game itself."""
        match entry:
            case e.Opened():
                self.code, self.game, self.given = entry.code, entry.game, entry.given
                self.settings, self.next_seed, self.opened = entry.settings, entry.seed, entry.at
                self.guests = [Guest(entry.person, entry.name)]
                self.seats = [Seat() for _ in range(entry.settings.seats)]
            case e.Joined():
                self.guests.append(Guest(entry.person, entry.name, entry.program))
            case e.Renamed() if entry.by is not None:
                self.guests[entry.by].name = entry.name
            case e.Sat() if entry.by is not None:
                self._free(entry.by)
                self.seats[entry.seat] = Seat(guest=entry.by)
            case e.Stood() if entry.by is not None:
                self._free(entry.by)
            case e.BotSat():
                self.seats[entry.seat] = Seat(bot=entry.bot)
            case e.BotStood():
                self.seats[entry.seat] = Seat()
            case e.Changed():
                self.given, self.settings = entry.given, entry.settings
                self._reseat(entry.settings.seats)
            case e.HostPassed():
                self.host = entry.to
            case e.Muted():
                self.guests[entry.guest].muted = entry.muted
            case e.Removed():
                self.guests[entry.guest].removed = True
                self._give_up(entry.guest)
            case e.Left() if entry.by is not None:
                self._give_up(entry.by)
            case e.Forgotten():
                self.guests[entry.guest].person, self.guests[entry.guest].name = "", NOBODY
            case e.Paused() if self.running is not None:
                self.running.paused_at, self.running.paused_by = entry.at, entry.by
                if entry.by is not None:
                    self.running.pauses[entry.by] += 1
            case e.Resumed() if self.running is not None:
                self._resumed(self.running, entry.at)
            case e.Abandoned() if self.running is not None:
                self._over(self.running, entry.at, None)
            case e.Closed():
                self.closed = entry.reason
            case _:
                raise AssertionError(f"an entry that changes nothing: {entry}")

    def _free(self, guest: int) -> None:
        seat = self.seat_of(guest)
        if seat is not None:
            self.seats[seat] = Seat()

    def _reseat(self, seats: int) -> None:
        """Fewer seats: those beyond stand up. More: they are free."""
        self.seats = self.seats[:seats] + [Seat() for _ in range(seats - len(self.seats))]

    def _give_up(self, guest: int) -> None:
        self._free(guest)
        running = self.running
        if running is not None and running.player_of(guest) is not None:
            running.quit.add(running.who.index(guest))

    def _resumed(self, playing: Playing, at: int) -> None:
        if playing.paused_at is not None:
            pause = max(0, at - playing.paused_at)
            playing.paused_ms += pause
            playing.turn_since += pause
        playing.paused_at = playing.paused_by = None

    def _started(self, entry: e.Started) -> None:
        game = self.engines.for_new_game(self.game)
        self.games += 1
        if self.playing is not None:
            self.playing.table = None
            self.playing.events.clear()
        replayable = entry.rules == game.rules_version and self.seq >= self.whole_from
        seated = [self.seats[seat] for seat in entry.seats]
        self.playing = Playing(
            number=self.games,
            game=game,
            table=game.new(entry.setup) if replayable else None,
            rules=entry.rules,
            setup=entry.setup,
            seats=entry.seats,
            who=[seat.guest for seat in seated],
            bots=[seat.bot for seat in seated],
            began=entry.at,
            first_seq=self.seq,
            last_seq=self.seq,
            turn_since=entry.at,
        )
        self.next_seed = entry.next_seed
        self.last_dealer_seat = entry.seats[entry.setup["dealer"]]

    def _moved(self, entry: e.Moved, step: Step[Any] | None) -> Sequence[Event]:
        playing = self.playing
        assert playing is not None
        playing.moves += 1
        playing.latest = entry.time or 0
        playing.last_seq = self.seq
        events: Sequence[Event] = ()
        if playing.table is not None:
            step = step or playing.game.play(playing.table, entry.player, entry.move, entry.time)
            playing.table, events = step.table, step.events
            playing.events.append(self.seq, events, playing.table)
            if self.settings.turn_clock_s and a_turn_began(events):
                playing.turn_since = entry.at
        if entry.ending is not None:
            self._over(playing, entry.at, entry.ending)
        return events

    def _settled(self, entry: e.Settled, step: Step[Any] | None) -> Sequence[Event]:
        playing = self.playing
        assert playing is not None
        played = [each for each in entry.calls if each.played]
        playing.bids.clear()
        playing.moves += len(played)
        playing.latest = entry.time
        playing.last_seq = self.seq
        events: Sequence[Event] = ()
        if playing.table is not None and played:
            step = step or settlement(playing, entry)
            playing.table, events = step.table, step.events
            playing.events.append(self.seq, events, playing.table)
        if entry.ending is not None:
            self._over(playing, entry.at, entry.ending)
        return events

    def _over(self, playing: Playing, at: int, ending: Json) -> None:
        playing.ended, playing.ending = at, ending
        playing.last_seq = self.seq
        playing.paused_at = playing.paused_by = None
        playing.bids.clear()
        self.finished.append(playing)
        if ending is not None:
            for player in range(len(playing.who)):
                self._count(playing, player, ending)

    def _count(self, playing: Playing, player: int, ending: Json) -> None:
        guest = playing.who[player]
        key = ("guest", guest, "") if guest is not None else ("bot", playing.seats[player], playing.bots[player] or "")
        tally = self.tallies.setdefault(key, Tally())
        tally.games += 1
        result = result_of(playing, player, ending)
        tally.won += result == "won"
        tally.lost += result == "lost"
        tally.left += result == "left"
        if ending["scores"] is not None:
            tally.points += ending["scores"][player]


def result_of(playing: Playing, player: int, ending: Json) -> str:
    """How a game went for one player: won, lost, drawn (nobody lost), left, or open (no result)."""
    if player in playing.quit:
        return "left"
    if ending is None:
        return "open"
    if player in ending["winners"]:
        return "won"
    outscored = ending["scores"] is not None and bool(ending["winners"])
    return "lost" if player in ending["losers"] or outscored else "drawn"


def settlement(playing: Playing, entry: e.Settled) -> Step[Any]:
    """What a settlement brought, replayed from the log."""
    table, events = playing.table, who_was_first(entry)
    for each in entry.calls:
        if each.played:
            step = playing.game.play(table, each.player, each.move, entry.time)
            table = step.table
            events += step.events
    return Step(table, events)


def who_was_first(entry: e.Settled) -> list[Event]:
    """What all are told of a settlement before what came of it: who was first, by how much, and who came after."""
    first = next((i for i, each in enumerate(entry.calls) if each.played), None)
    if first is None:
        return []
    winner, *others = entry.calls[first:]
    margin = others[0].late - winner.late if others else None
    facts = {"player": winner.player, "margin_ms": margin, "others": [each.player for each in others]}
    return [Event("call_settled", facts)]


def folded(bodies: Iterable[str], engines: Engines = PLAIN) -> Sitting:
    """The table that a log tells of. Games that are over are not replayed, but the last one."""
    found = [e.decode(body) for body in bodies]
    starts = [i for i, entry in enumerate(found, 1) if isinstance(entry, e.Started)]
    sitting = Sitting(whole_from=starts[-1] if starts else 0, engines=engines)
    for entry in found:
        sitting.apply(entry)
    return sitting
