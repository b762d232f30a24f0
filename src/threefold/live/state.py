"""TableState: a table of people, folded from its log: guests, seats, host, the current game, the scores so far.

`apply` takes the entries one by one and trusts them: `acts.py` checked them before they were written.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from threefold.engines import PLAIN, Engines
from threefold.game import Json, Step
from threefold.kit import Kit
from threefold.live import entries as e
from threefold.live.current_game import CurrentGame
from threefold.live.identity import Names
from threefold.live.recent_events import RecentEvents
from threefold.serialising import serialiser_of
from threefold.texts import Text

DELETED_NAME = "–"
"""Shown in place of the name of a person who was deleted."""
STOP_COUNTDOWN = (
    e.Sat, e.Stood, e.BotSat, e.BotStood, e.Changed, e.Removed, e.Left, e.Waited, e.Closed, e.Cancelled,
)  # fmt: skip
"""Entries after which the players or the rules are not those for whom a countdown began."""
CLIENTS_PER_GUEST = 16
"""Pages of one guest whose message numbers are remembered. A guest can only push out pages of their own."""


def commitment(seed: str) -> str:
    """The hash of a seed: shown before the game, so that the seed can be checked afterwards."""
    return "sha256:" + hashlib.sha256(seed.encode()).hexdigest()


@dataclass(slots=True)
class Guest:
    """Somebody who came to the table."""

    person: str
    name: str
    program: bool = False
    made_by: str = ""
    """The person who created a program's token."""
    removed: bool = False
    muted: bool = False
    handled: dict[str, int] = field(default_factory=dict)
    """By client: the highest message number in the log. The least recently used client comes first."""


@dataclass(slots=True)
class Seat:
    """A place for the next game: a guest's, a bot's, or free."""

    guest: int | None = None
    bot: str | None = None
    name: str = ""
    """The name of the bot."""

    @property
    def free(self) -> bool:
        """Is it free?"""
        return self.guest is None and self.bot is None


@dataclass(slots=True)
class Tally:
    """The score of one guest or one bot over all games of the table."""

    games: int = 0
    won: int = 0
    lost: int = 0
    left: int = 0
    points: int = 0


@dataclass(slots=True)
class TableState:
    """The table: empty until its first entry."""

    engines: Engines = PLAIN
    """Decides at which speed a game runs, when it starts."""
    seq: int = 0
    code: str = ""
    game: str = ""
    setup: dict[str, Json] = field(default_factory=dict)
    settings: e.Settings = field(default_factory=e.Settings)
    host: int = 0
    guests: list[Guest] = field(default_factory=list)
    names: Names = field(default_factory=Names)
    """The names of all guests."""
    seats: list[Seat] = field(default_factory=list)
    next_seed: str = ""
    counting: e.Counting | None = None
    """The countdown to the next game."""
    current: CurrentGame | None = None
    games: int = 0
    finished: list[CurrentGame] = field(default_factory=list)
    """Games that are over and not yet recorded in the store, without their cards."""
    tallies: dict[tuple[str, int, str], Tally] = field(default_factory=dict)
    last_dealer_seat: int | None = None
    opened: int = 0
    last_at: int = 0
    closed: str | None = None
    replay_from: int = 0
    """Games that started before this entry are over, and are not replayed."""
    _rules: tuple[dict[str, Json], list[Text]] | None = None
    """The set-up of the next game, and its rules in words."""

    @property
    def running(self) -> CurrentGame | None:
        """The current game, if it is not over."""
        return None if self.current is None or self.current.is_over else self.current

    @property
    def has_open_bids(self) -> bool:
        """Are there calls that are not settled yet?"""
        return self.current is not None and bool(self.current.bids)

    @property
    def rules(self) -> list[Text]:
        """The rules of the next game in a few words each."""
        if self._rules is None or self._rules[0] is not self.setup:
            self._rules = self.setup, self.kit.rules_in_force(self.setup)
        return self._rules[1]

    def guest_of(self, person: str) -> int | None:
        """The number of a person at this table."""
        return next((i for i, guest in enumerate(self.guests) if guest.person == person), None)

    def programs_of(self, person: str) -> list[int]:
        """The programs whose tokens a person created."""
        return [i for i, guest in enumerate(self.guests) if guest.made_by == person] if person else []

    def with_programs(self, guest: int) -> list[int]:
        """A guest, and the programs of that person."""
        return [guest, *self.programs_of(self.guests[guest].person)]

    def seat_of(self, guest: int) -> int | None:
        """The seat of a guest."""
        return next((i for i, seat in enumerate(self.seats) if seat.guest == guest), None)

    def seated(self) -> set[int]:
        """The guests who have a seat, or play in the running game."""
        playing = [] if self.running is None else self.running.people()
        return {seat.guest for seat in self.seats if seat.guest is not None}.union(playing)

    def viewer(self, guest: int | None) -> int | None:
        """As which player a guest sees the game; None as a spectator."""
        return None if self.current is None else self.current.player_of(guest)

    def handled_up_to(self, guest: int, client: str) -> int:
        """The highest message number of a page that is in the log."""
        return self.guests[guest].handled.get(client, 0)

    # ------------------------------------------------------------ Entries of the log

    def apply(self, entry: e.Entry, step: Step[Any] | None = None) -> None:
        """Takes the next entry of the log; `step` is the result of its move, where that is known already."""
        self.seq += 1
        if entry.at > self.last_at:
            self.last_at = entry.at
        if isinstance(entry, e.Moved):
            self._moved(entry, step)
        elif isinstance(entry, e.Settled):
            self._settled(entry, step)
        elif isinstance(entry, e.Started):
            self._started(entry)
        else:
            self._arranged(entry)
        if entry.client and entry.by is not None:
            self._remember(self.guests[entry.by].handled, entry.client, entry.n)

    @staticmethod
    def _remember(handled: dict[str, int], client: str, n: int) -> None:
        handled.pop(client, None)
        handled[client] = n
        if len(handled) > CLIENTS_PER_GUEST:
            del handled[next(iter(handled))]

    def _arranged(self, entry: e.Entry) -> None:
        """Everything that is not a move or the start of a game."""
        if isinstance(entry, STOP_COUNTDOWN):
            self.counting = None
        match entry:
            case e.Opened():
                self.code, self.game, self.setup = entry.code, entry.game, entry.setup
                self.settings, self.next_seed, self.opened = entry.settings, entry.seed, entry.at
                self._add_guest(Guest(entry.person, entry.name))
                self.seats = [Seat() for _ in range(entry.settings.seats)]
            case e.Joined():
                self._keep_name_for(entry.name)
                self._add_guest(Guest(entry.person, entry.name, entry.program, entry.made_by))
            case e.Renamed() if entry.by is not None:
                self._keep_name_for(entry.name)
                self._rename(self.guests[entry.by], entry.name)
            case e.Sat() if entry.by is not None:
                self._free(entry.by)
                self.seats[entry.seat] = Seat(guest=entry.by)
            case e.Stood() if entry.by is not None:
                self._free(entry.by)
            case e.BotSat():
                name = entry.name or self.kit.name_in_seat(entry.seat)
                self.seats[entry.seat] = Seat(bot=entry.bot, name=name)
            case e.BotStood():
                self.seats[entry.seat] = Seat()
            case e.Changed():
                self.setup, self.settings = entry.setup, entry.settings
                self._resize(entry.settings.seats)
            case e.HostPassed():
                self.host = entry.to
            case e.Muted():
                self.guests[entry.guest].muted = entry.muted
            case e.Removed():
                for guest in self.with_programs(entry.guest):
                    self.guests[guest].removed = True
                    self._give_up(guest)
            case e.Left() if entry.by is not None:
                self._left(entry.by, entry)
            case e.Forgotten():
                for guest in self.programs_of(self.guests[entry.guest].person):
                    self.guests[guest].made_by = ""
                self.guests[entry.guest].person = ""
                self._rename(self.guests[entry.guest], DELETED_NAME)
            case e.Bid() if self.running is not None:
                self.running.bids.append(entry)
            case e.StoodIn() if self.running is not None:
                self.running.stand_ins[self.running.who.index(entry.guest)] = entry.at
            case e.Skipped() if self.running is not None:
                self.running.skips_to_end = True
            case e.Paused() if self.running is not None:
                self.running.pause(entry.at, entry.by)
            case e.Resumed() if self.running is not None:
                self.running.resume(entry.at)
            case e.Abandoned() if self.running is not None:
                self._over(self.running, entry.at, None)
            case e.Closed():
                self.closed = entry.reason
            case e.Counting():
                self.counting = entry
            case e.Waited() | e.Cancelled():
                pass
            case _:
                raise AssertionError(f"an entry that changes nothing: {entry}")

    def _add_guest(self, guest: Guest) -> None:
        self.guests.append(guest)
        self.names.add(guest.name)

    def _rename(self, guest: Guest, name: str) -> None:
        self.names.remove(guest.name)
        self.names.add(name)
        guest.name = name

    def _keep_name_for(self, name: str) -> None:
        """Gives a bot that has a person's name another one."""
        taken = [name, *(guest.name for guest in self.guests), *(seat.name for seat in self.seats)]
        for seat in self.seats:
            if seat.bot is not None and seat.name.casefold() == name.casefold():
                seat.name = self.kit.name_for(seat.bot, taken)

    def _free(self, guest: int) -> None:
        seat = self.seat_of(guest)
        if seat is not None:
            self.seats[seat] = Seat()

    def _resize(self, seats: int) -> None:
        """Changes the number of seats: guests on seats that go stand up, new seats are free."""
        self.seats = self.seats[:seats] + [Seat() for _ in range(seats - len(self.seats))]

    @property
    def kit(self) -> Kit:
        """The kit of the game that is played here."""
        return self.engines.kits[self.game]

    def _give_up(self, guest: int) -> None:
        self._free(guest)
        running = self.running
        if running is not None and running.player_of(guest) is not None:
            running.quit.add(running.who.index(guest))

    def _left(self, guest: int, entry: e.Left) -> None:
        running = self.running
        player = None if running is None else running.player_of(guest)
        if running is None or player is None or not entry.finished:
            self._give_up(guest)
        else:
            self._free(guest)
            running.finished.add(player)
        if running is not None and player is not None and entry.stays:
            running.watching.add(player)

    def _started(self, entry: e.Started) -> None:
        game = self.engines.for_new_game(self.game)
        serialiser = serialiser_of(game)
        self.games += 1
        self.counting = None
        if self.current is not None:
            self.current.table = None
            self.current.events.clear()
        replayable = entry.rules == game.rules_version and self.seq >= self.replay_from
        seated = [self.seats[seat] for seat in entry.seats]
        self.current = CurrentGame(
            number=self.games,
            game=game,
            serialiser=serialiser,
            table=game.new(entry.setup) if replayable else None,
            rules=entry.rules,
            setup=entry.setup,
            seats=entry.seats,
            who=[seat.guest for seat in seated],
            bots=[seat.bot for seat in seated],
            bot_names=[seat.name for seat in seated],
            began=entry.at,
            first_seq=self.seq,
            last_seq=self.seq,
            events=RecentEvents(serialiser),
            shown_while_paused=self.kit.shown_while_paused,
            turn_since=entry.at,
        )
        self.next_seed = entry.next_seed
        self.last_dealer_seat = entry.seats[entry.setup["dealer"]]

    def _moved(self, entry: e.Moved, step: Step[Any] | None) -> None:
        assert self.current is not None
        events = self.current.move(entry, self.seq, step)
        if self.settings.turn_clock_s and any(each.name == "turn_began" for each in events):
            self.current.turn_since = entry.at
        if entry.ending is not None:
            self._over(self.current, entry.at, entry.ending)

    def _settled(self, entry: e.Settled, step: Step[Any] | None) -> None:
        assert self.current is not None
        self.current.settle(entry, self.seq, step)
        if entry.ending is not None:
            self._over(self.current, entry.at, entry.ending)

    def _over(self, current: CurrentGame, at: int, ending: Json) -> None:
        current.end(at, self.seq, ending)
        self.finished.append(current)
        if ending is not None:
            for player in range(len(current.who)):
                self._count(current, player, ending)

    def _count(self, current: CurrentGame, player: int, ending: Json) -> None:
        guest = current.who[player]
        key = ("guest", guest, "") if guest is not None else ("bot", current.seats[player], current.bot_names[player])
        tally = self.tallies.setdefault(key, Tally())
        tally.games += 1
        result = current.result_of(player)
        tally.won += result == "won"
        tally.lost += result == "lost"
        tally.left += result == "left"
        if ending["scores"] is not None:
            tally.points += ending["scores"][player]


def folding(log: Sequence[tuple[int, e.Entry]], engines: Engines = PLAIN) -> Iterator[TableState]:
    """Folds numbered entries; gives the table after each. Of the games that are over only the last one is replayed."""
    starts = [seq for seq, entry in log if isinstance(entry, e.Started)]
    state = TableState(engines, replay_from=starts[-1] if starts else 0)
    for seq, entry in log:
        state.seq = seq - 1
        state.apply(entry)
        yield state


def fold(rows: Iterable[tuple[int, str]], engines: Engines = PLAIN) -> TableState:
    """The table that the rows of a log describe."""
    state = TableState(engines)
    for state in folding([(seq, e.decode(body)) for seq, body in rows], engines):  # noqa: B007 (the last one counts)
        pass
    return state
