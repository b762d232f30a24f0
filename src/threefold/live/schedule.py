"""Schedule: what is due at a table, and when: settlements, deadlines, turn clocks, bots, absent guests."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from threefold.game import Decision, Json
from threefold.live import absence, acts
from threefold.live.current_game import CurrentGame
from threefold.live.presence import Presence
from threefold.live.race import is_call
from threefold.live.state import TableState

AWAY_MS = 10_000
"""A page that is being reloaded is not away yet."""
HOST_MS = 60_000
"""After this long without its host, a table gets another."""
AGREE_DRAW = "agree draw"


def moves_can_be_due(s: TableState, presence: Presence) -> bool:
    """Can a move make anything due? Not where only people play, all of them here, without any clock."""
    running = s.running
    if running is None or running.game.timed or s.settings.turn_clock_s or presence.elsewhere or running.quit:
        return True
    return not presence.here.issuperset(running.who)


@dataclass(frozen=True, slots=True)
class Plan:
    """A move that a bot has decided on, and when it makes it."""

    version: tuple[int, int]
    """The position it was made for (`CurrentGame.version`): in any other it is void."""
    at: int
    move: str
    thought: Json = None
    """How the bot found it."""


What = Literal[
    "settle", "time_up", "clock", "stand_in", "bot", "away", "back", "host", "draw", "abandon", "too_long", "deal"
]  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class Due:
    """Something to do at a time; `who` is a player, for a new host a guest."""

    at: int
    what: What
    who: int = -1


@dataclass(frozen=True, slots=True)
class Schedule:
    """Everything that decides what is due."""

    state: TableState
    presence: Presence
    awaited: Sequence[Decision]
    anytime: Sequence[Decision]
    plans: Mapping[int, Plan]
    repeated: bool = False
    """The same position has come up three times (K24)."""
    settles_at: int | None = None
    """When the open bids are settled, if there are any."""

    def next(self, now: int) -> Due | None:
        """The first thing due, now or later. A stand-in whose time has come shows up as the plan of its bot."""
        return min((due for due in self._all(now) if due.what != "stand_in" or due.at > now), default=None)

    def _all(self, now: int) -> Iterator[Due]:
        if self.state.closed is not None:
            return
        yield from self._host()
        if self.state.counting is not None:
            yield Due(self.state.counting.starts, "deal")
        current = self.state.running
        if current is None or current.table is None:
            return
        if (since := absence.abandoned_since(self.presence, current)) is not None:
            yield Due(since + AWAY_MS if since else 0, "abandon")
        if not current.people() and current.moves >= acts.BOT_MOVE_LIMIT:
            yield Due(0, "too_long")
            return
        if self.settles_at is not None:  # until then only calls are possible
            yield Due(self.settles_at, "settle")
            yield from (due for due in self._bots(current, now) if self._calls(due.who))
            return
        yield from self._presence(current)
        if current.paused_at is None:
            yield from self._deadlines(current)
            yield from self._turns(current)
            yield from self._bots(current, now)
            yield from self._draws(current)

    def _draws(self, current: CurrentGame) -> Iterator[Due]:
        """When a game goes in circles, bots agree to a draw that somebody has offered (K24)."""
        for each in self.anytime:
            if self.repeated and each.player is not None and current.by_bot(each.player) and AGREE_DRAW in each.moves:
                yield Due(0, "draw", each.player)

    def _host(self) -> Iterator[Due]:
        """Replaces a host who is gone by a guest who is here, preferably one with a seat."""
        s = self.state
        gone = 0 if s.guests[s.host].removed else self.presence.absent_since(s.host)
        heir = None if gone is None else absence.next_host(s, self.presence)
        if gone is not None and heir is not None:
            yield Due(gone + HOST_MS if gone else 0, "host", heir)

    def _presence(self, current: CurrentGame) -> Iterator[Due]:
        """Tells the game when players go away and come back, if it wants to know."""
        for each in self.anytime:
            guest = None if each.player is None or current.by_bot(each.player) else current.who[each.player]
            if guest is None or each.player is None:
                continue
            absent = self.presence.absent_since(guest)
            if absent is not None and "away" in each.moves:
                yield Due(absent + AWAY_MS, "away", each.player)
            if absent is None and "back" in each.moves:
                yield Due(0, "back", each.player)

    def _deadlines(self, current: CurrentGame) -> Iterator[Due]:
        """The deadlines of the game itself."""
        for each in self.awaited:
            if each.player is None and "deadline" in each.details:
                yield Due(current.began + current.paused_ms + each.details["deadline"], "time_up")

    def _turns(self, current: CurrentGame) -> Iterator[Due]:
        """The turn clock, and bots for absent players; not in games against time."""
        if current.game.timed or absence.stands_still(self.presence, current):
            return
        settings = self.state.settings
        for each in self.awaited:
            if each.player is None or current.by_bot(each.player):
                continue
            if settings.turn_clock_s:
                since = max(current.turn_since, self.presence.loaded)
                yield Due(since + 1000 * settings.turn_clock_s, "clock", each.player)
            takes_over_at = absence.takes_over_at(self.state, self.presence, current, each.player)
            if takes_over_at is not None:
                yield Due(takes_over_at, "stand_in", each.player)

    def _bots(self, current: CurrentGame, now: int) -> Iterator[Due]:
        """The plans of bots, without a pause once a person skips to the end. A plan for who has come back is void."""
        if absence.stands_still(self.presence, current):
            return
        away = {due.who for due in self._turns(current) if due.what == "stand_in" and due.at <= now}
        for player, plan in self.plans.items():
            if plan.version == current.version and (current.by_bot(player) or player in away):
                yield Due(now if current.skips_to_end else plan.at, "bot", player)

    def _calls(self, player: int) -> bool:
        return is_call(self.awaited, player, self.plans[player].move)

    def bots_to_ask(self, now: int) -> list[int]:
        """The players whom the game awaits and a bot plays for now."""
        current = self.state.running
        if current is None or current.table is None or current.paused_at is not None:
            return []
        if absence.stands_still(self.presence, current):
            return []
        due = {due.who for due in self._turns(current) if due.at <= now}
        awaited = {each.player for each in self.awaited if each.player is not None}
        return sorted(player for player in awaited if current.by_bot(player) or player in due)
