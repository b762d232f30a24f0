"""What is due at a table, and when: time runs out, bots move, people are away. Time itself comes from outside."""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from threefold.game import Decision
from threefold.live import acts
from threefold.live.calls import is_call
from threefold.live.sitting import Playing, Sitting

AWAY_MS = 10_000
"""A page that is reloaded is not away yet."""
HOST_MS = 60_000
AGREE_DRAW = "agree draw"


class Time(Protocol):
    """The clock on the wall."""

    def now(self) -> int:
        """Milliseconds since 1970."""

    async def wait(self, event: asyncio.Event, until: int | None) -> None:
        """Returns when the event is set, or at that time."""


class WallTime:
    """The real time; it never runs backwards while the program runs."""

    def __init__(self) -> None:
        self._offset = time.time() - time.monotonic()

    def now(self) -> int:
        """Milliseconds since 1970."""
        return int((time.monotonic() + self._offset) * 1000)

    async def wait(self, event: asyncio.Event, until: int | None) -> None:
        """Returns when the event is set, or at that time."""
        try:
            async with asyncio.timeout(None if until is None else max(0.0, (until - self.now()) / 1000)):
                await event.wait()
        except TimeoutError:
            return


@dataclass(frozen=True, slots=True)
class Plan:
    """What a bot has decided to do, and when."""

    state: tuple[int, int]
    """Number and moves of the game: the plan holds only as long as they are the same."""
    at: int
    move: str


@dataclass(slots=True)
class Presence:
    """Who is at the table now, and since when the others are not."""

    here: set[int]
    since: dict[int, int]
    loaded: int
    """When somebody began to look."""
    lag: dict[int, int] = field(default_factory=dict)
    """By guest whose line is in another process: how many milliseconds a call of theirs can gain at most."""

    def absent_since(self, guest: int) -> int | None:
        """None: the guest is here."""
        return None if guest in self.here else self.since.get(guest, self.loaded)


What = Literal["settle", "time_up", "clock", "stand_in", "bot", "away", "back", "host", "draw", "abandon", "too_long"]


@dataclass(frozen=True, slots=True, order=True)
class Due:
    """Something to be done at a time; `who` is a player, for the host a guest."""

    at: int
    what: What
    who: int = -1


@dataclass(frozen=True, slots=True)
class Dial:
    """All that the clock looks at."""

    sitting: Sitting
    presence: Presence
    awaited: Sequence[Decision]
    anytime: Sequence[Decision]
    plans: Mapping[int, Plan]
    repeated: bool = False
    """The same position has come three times (K24)."""
    settles_at: int | None = None
    """When the open bids are settled, if there are any."""

    def next(self, now: int) -> Due | None:
        """The first thing that is due, now or later. A stand-in who may play by now has made a plan of their own."""
        return min((due for due in self._all(now) if due.what != "stand_in" or due.at > now), default=None)

    def _all(self, now: int) -> Iterator[Due]:
        if self.sitting.closed is not None:
            return
        yield from self._host()
        playing = self.sitting.running
        if playing is None or playing.table is None:
            return
        if any(guest is not None for guest in playing.who):
            if not playing.people():
                yield Due(0, "abandon")
                return
        elif playing.moves >= acts.BOT_MOVE_LIMIT:
            yield Due(0, "too_long")
            return
        if self.settles_at is not None:  # until then nobody can do anything else
            yield Due(self.settles_at, "settle")
            yield from (due for due in self._bots(playing, now) if self._calls(due.who))
            return
        yield from self._presence(playing)
        if playing.paused_at is None:
            yield from self._deadlines(playing)
            yield from self._turns(playing)
            yield from self._bots(playing, now)
            yield from self._draws(playing)

    def _draws(self, playing: Playing) -> Iterator[Due]:
        """When a game goes round in circles, bots agree to a draw that somebody has offered (K24)."""
        for each in self.anytime:
            if self.repeated and each.player is not None and playing.by_bot(each.player) and AGREE_DRAW in each.moves:
                yield Due(0, "draw", each.player)

    def _host(self) -> Iterator[Due]:
        """A host who is gone is followed by somebody who is here, best by one who sits."""
        s = self.sitting
        gone = 0 if s.guests[s.host].removed else self.presence.absent_since(s.host)
        here = [guest for guest in sorted(self.presence.here) if guest != s.host and not s.guests[guest].removed]
        here = [guest for guest in here if not s.guests[guest].program] or here
        if gone is not None and here:
            seated = [guest for guest in here if s.seat_of(guest) is not None]
            yield Due(gone + HOST_MS if gone else 0, "host", (seated or here)[0])

    def _presence(self, playing: Playing) -> Iterator[Due]:
        """Where players can be away and come back, the game is told."""
        for each in self.anytime:
            guest = None if each.player is None or playing.by_bot(each.player) else playing.who[each.player]
            if guest is None or each.player is None:
                continue
            absent = self.presence.absent_since(guest)
            if absent is not None and "away" in each.moves:
                yield Due(absent + AWAY_MS, "away", each.player)
            if absent is None and "back" in each.moves:
                yield Due(0, "back", each.player)

    def _deadlines(self, playing: Playing) -> Iterator[Due]:
        for each in self.awaited:
            if each.player is None and "deadline" in each.details:
                yield Due(playing.began + playing.paused_ms + each.details["deadline"], "time_up")

    def waits_for_nobody_here(self, playing: Playing) -> bool:
        """A table that all its players have left for a while stands still until one is back."""
        people = playing.people()
        return bool(people) and not any(guest in self.presence.here for guest in people)

    def _turns(self, playing: Playing) -> Iterator[Due]:
        """The turn clock, and the grace period of those who are away; not in games that run by their own time."""
        if playing.game.timed or self.waits_for_nobody_here(playing):
            return
        settings = self.sitting.settings
        for each in self.awaited:
            if each.player is None or playing.by_bot(each.player):
                continue
            if settings.turn_clock_s:
                since = max(playing.turn_since, self.presence.loaded)
                yield Due(since + 1000 * settings.turn_clock_s, "clock", each.player)
            guest = playing.who[each.player]
            absent = None if guest is None else self.presence.absent_since(guest)
            if settings.grace_s and absent is not None:
                yield Due(absent + 1000 * settings.grace_s, "stand_in", each.player)

    def _bots(self, playing: Playing, now: int) -> Iterator[Due]:
        """What bots have planned; a plan for somebody who has come back is theirs no more."""
        if self.waits_for_nobody_here(playing):
            return
        away = {due.who for due in self._turns(playing) if due.what == "stand_in" and due.at <= now}
        for player, plan in self.plans.items():
            if plan.state == playing.state and (playing.by_bot(player) or player in away):
                yield Due(plan.at, "bot", player)

    def _calls(self, player: int) -> bool:
        return is_call(self.awaited, player, self.plans[player].move)

    def bots_to_ask(self, now: int) -> list[int]:
        """The players whom a bot plays for now, and whom the game awaits."""
        playing = self.sitting.running
        if playing is None or playing.table is None or playing.paused_at is not None:
            return []
        if self.waits_for_nobody_here(playing):
            return []
        due = {due.who for due in self._turns(playing) if due.at <= now}
        asked = {each.player for each in self.awaited if each.player is not None}
        return sorted(player for player in asked if playing.by_bot(player) or player in due)
