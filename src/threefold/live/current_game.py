"""CurrentGame: the game that is played at a table now, or was played last, as the log tells it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from threefold.facts import EventForm
from threefold.game import Event, Game, Json, Step
from threefold.live import entries as e
from threefold.live.recent_events import RecentEvents
from threefold.serialising import Serialiser
from threefold.texts import TextForm


@dataclass(slots=True)
class CurrentGame:
    """The rules it runs on, its table, who plays, its clock and its pauses."""

    number: int
    game: Game[Any]
    serialiser: Serialiser
    table: Any
    """None: an earlier game whose moves were not replayed, or one of another rules version."""
    rules: int
    setup: dict[str, Json]
    seats: list[int]
    who: list[int | None]
    """By player: the guest who plays; None is a bot."""
    bots: list[str | None]
    bot_names: list[str]
    """By player: the name of the bot; empty for people."""
    began: int
    first_seq: int
    last_seq: int
    events: RecentEvents
    moves: int = 0
    latest: int = 0
    """The game time of the last move."""
    quit: set[int] = field(default_factory=set)
    """Players whose guest has left or conceded."""
    watching: set[int] = field(default_factory=set)
    """Those of them who conceded, to watch the rest."""
    finished: set[int] = field(default_factory=set)
    """Players whose guest has left after they had finished: the result counts."""
    stand_ins: dict[int, int] = field(default_factory=dict)
    """By player: when the host last let a bot play for them. It does while they have been away since before."""
    skips_to_end: bool = False
    """Do bots play without pauses as soon as no person is left in the game?"""
    paused_at: int | None = None
    paused_by: int | None = None
    paused_ms: int = 0
    pauses: Counter[int] = field(default_factory=Counter)
    bids: list[e.Bid] = field(default_factory=list)
    """Calls that are not settled yet, in log order."""
    shown_while_paused: Sequence[str] = ()
    """Fields of a View that this game against time shows while it is paused."""
    turn_since: int = 0
    """When the turn began; before the first turn, when the game began."""
    ending: Json = None
    ended: int | None = None

    @property
    def is_over(self) -> bool:
        """Has it ended, with or without a result?"""
        return self.ended is not None

    @property
    def hidden(self) -> bool:
        """Are the cards hidden from everybody, because a game against time is paused?"""
        return self.paused_at is not None and self.game.timed

    @property
    def version(self) -> tuple[int, int]:
        """Identifies the position: the number of the game and of its moves."""
        return self.number, self.moves

    def time(self, at: int) -> int:
        """The game time: milliseconds since the start, without pauses, never negative."""
        until = at if self.paused_at is None else self.paused_at
        return max(0, until - self.began - self.paused_ms)

    def move_time(self, at: int) -> int:
        """The game time of a move that is accepted now: never before the last one."""
        return max(self.time(at), self.latest)

    def player_of(self, guest: int | None) -> int | None:
        """The player that a guest is in this game; None for spectators and guests who gave up."""
        if guest is None or guest not in self.who:
            return None
        player = self.who.index(guest)
        return None if player in self.quit else player

    def by_bot(self, player: int) -> bool:
        """Does a bot play this player, from the start or in place of a guest who left?"""
        return self.who[player] is None or player in self.quit

    @property
    def is_practice(self) -> bool:
        """Does one person play against bots?"""
        return sum(guest is not None for guest in self.who) == 1

    def people(self) -> list[int]:
        """The guests who still play."""
        gone = self.quit | self.finished
        return [guest for player, guest in enumerate(self.who) if guest is not None and player not in gone]

    def result_of(self, player: int) -> str:
        """The result of one player: won, lost, drawn (nobody lost), left, or open (no result)."""
        ending = self.ending
        if player in self.quit:
            return "left"
        if ending is None:
            return "open"
        if player in ending["winners"]:
            return "won"
        outscored = ending["scores"] is not None and bool(ending["winners"])
        return "lost" if player in ending["losers"] or outscored else "drawn"

    # ------------------------------------------------------------ Entries of the log

    def move(self, entry: e.Moved, seq: int, step: Step[Any] | None) -> Sequence[Event]:
        """Applies a move and returns its events; `step` spares playing it again."""
        self.moves += 1
        self.latest = entry.time or 0
        self.last_seq = seq
        if self.table is None:
            return ()
        step = step or self.game.play(self.table, entry.player, entry.move, entry.time)
        self.table = step.table
        self.events.append(seq, step.events, reason_event(entry) if self.is_practice else None)
        return step.events

    def settle(self, entry: e.Settled, seq: int, step: Step[Any] | None) -> None:
        """Applies the moves of a settled race."""
        calls = [each for each in entry.calls if each.played]
        self.bids.clear()
        self.moves += len(calls)
        self.latest = entry.time
        self.last_seq = seq
        if self.table is None or not calls:
            return
        step = step or self._replay_settlement(entry)
        self.table = step.table
        self.events.append(seq, step.events)

    def _replay_settlement(self, entry: e.Settled) -> Step[Any]:
        table, events = self.table, settlement_events(entry)
        for each in entry.calls:
            if each.played:
                step = self.game.play(table, each.player, each.move, entry.time)
                table = step.table
                events += step.events
        return Step(table, events)

    def pause(self, at: int, by: int | None) -> None:
        """Stops the clock."""
        self.paused_at, self.paused_by = at, by
        if by is not None:
            self.pauses[by] += 1

    def resume(self, at: int) -> None:
        """Lets the clock go on; the pause does not count."""
        if self.paused_at is not None:
            pause = max(0, at - self.paused_at)
            self.paused_ms += pause
            self.turn_since += pause
        self.paused_at = self.paused_by = None

    def end(self, at: int, seq: int, ending: Json) -> None:
        """Ends the game; without an ending there is no result."""
        self.ended, self.ending, self.last_seq = at, ending, seq
        self.paused_at = self.paused_by = None
        self.bids.clear()


SETTLEMENT: Final = EventForm("call_settled", {"player": int, "margin_ms": int | None, "others": list[int]})
"""The event that the table itself adds to a call that others contested."""
REASON: Final = EventForm("bot_explained", {"player": int, "why": TextForm})
"""The event that the table itself adds to a bot's move: why the bot made it."""


def reason_event(entry: e.Entry) -> Event | None:
    """Why a bot made a move, if it can say that. Nothing in it is secret."""
    if not isinstance(entry, e.Moved) or entry.thought is None or entry.thought.get("told") is None:
        return None
    return Event(REASON.name, {"player": entry.player, "why": entry.thought["told"]})


def settlement_events(entry: e.Settled) -> list[Event]:
    """The event that opens a settlement: who was first, by how much, and who came after."""
    first = next((i for i, each in enumerate(entry.calls) if each.played), None)
    if first is None:
        return []
    winner, *others = entry.calls[first:]
    margin = others[0].late - winner.late if others else None
    facts = {"player": winner.player, "margin_ms": margin, "others": [each.player for each in others]}
    return [Event(SETTLEMENT.name, facts)]
