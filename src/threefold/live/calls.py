"""Calls are bids: in a race the log decides who was first, by when the call set out, not by when it arrived.

A call is written as a `Bid` with its adjusted time: its arrival less half the round trip to that page, as the server
has measured it. A little later one `Settled` entry puts the open bids in order. Both are made from the log alone, so
that any process can write them, and fold to the same table everywhere.
"""

import secrets
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from threefold.game import Decision, Event, IllegalMove, Refusal, Step
from threefold.live import entries as e
from threefold.live.refusals import refuse
from threefold.live.sitting import Playing, who_was_first

WINDOW_MS = 100
"""Calls wait at most so long for others, and nobody's lag is made good by more."""
TRIPS = 9
"""So many of the last round trips are kept."""
QUANTILE = 0.25
"""The round trip that counts is a low one of them: a page that was busy once has no longer way for it."""
MOST_ASKED = 8
"""So many marks are remembered while they are under way."""
GIVEN_UP_AFTER = 4
"""A page that has answered none of so many probes is not waited for; its calls count from their arrival."""


class Lost(NamedTuple):
    """What the page is told whose bid was not the first: which message, and why not."""

    n: int
    why: Refusal


@dataclass(slots=True)
class Lag:
    """How long the way to a page and back is. The server alone measures it: no page is asked what time it is.

    Each probe carries a mark that cannot be guessed, so no answer can come before the probe was read; and what the
    network itself knows of the way bounds what a page can claim by holding answers back.
    """

    longest: Callable[[], float | None] = lambda: None
    """The longest round trip that is possible by what the network knows; None: it cannot tell."""
    _asked: dict[str, float] = field(default_factory=dict)
    _trips: deque[float] = field(default_factory=lambda: deque(maxlen=TRIPS))
    _sent: int = 0

    def ask(self, now: float) -> str:
        """The mark of a probe that is sent now, at this time in milliseconds."""
        mark = secrets.token_hex(8)
        self._asked[mark] = now
        self._sent += 1
        if len(self._asked) > MOST_ASKED:
            del self._asked[next(iter(self._asked))]
        return mark

    def answered(self, mark: str, now: float) -> None:
        """A mark came back; one that was never sent, or came back before, says nothing."""
        asked = self._asked.pop(mark, None)
        if asked is not None:
            trip, longest = max(0.0, now - asked), self.longest()
            self._trips.append(trip if longest is None else min(trip, longest))

    def gain(self, window: int) -> int:
        """By how much a call from there counts as earlier than it arrived: half the way, and never more than this."""
        if not self._trips:
            return 0
        trip = sorted(self._trips)[int(QUANTILE * (len(self._trips) - 1) + 0.5)]
        return min(round(trip / 2), window)

    def most(self, window: int) -> int:
        """The most that a call from there could still gain."""
        return window if not self._trips and self._sent < GIVEN_UP_AFTER else self.gain(window)


# ---------------------------------------------------------------- The race


def contenders(awaited: Iterable[Decision], until: int) -> set[int]:
    """The players who may call, or take as their own call, by this time of the game."""
    return {
        each.player
        for each in awaited
        if each.player is not None and _is_call(each) and each.details.get("not_before", 0) <= until
    }


def _is_call(asked: Decision) -> bool:
    """A call, or a take that nobody has to call for; who has control takes by a deadline."""
    return asked.question == "call" or (asked.question == "take" and "deadline" not in asked.details)


def is_call(awaited: Iterable[Decision], player: int | None, move: str) -> bool:
    """Whether this move would be a call."""
    what = move.partition(" ")[0].lower()
    return any(each.player == player and each.question == what and _is_call(each) for each in awaited)


def contested(
    playing: Playing, awaited: Sequence[Decision], player: int | None, move: str, at: int, window: int
) -> bool:
    """Whether this is a call that others may contest, and so a bid. Raises what no waiting would change.

    Bots alone are all equally near, and who alone may call has nobody to wait for: their calls are moves at once.
    """
    if player is None or not window or not is_call(awaited, player, move):
        return False
    if any(each.player == player for each in playing.bids):
        raise refuse("called_already")
    time = max(playing.time(at), playing.latest)
    racing = contenders(awaited, time + window) | {player}
    if not playing.bids and (len(racing) < 2 or all(playing.by_bot(each) for each in racing)):
        return False
    why = playing.game.explain(playing.table, player, move, time)
    if why is not None:
        raise why
    return True


def settles_at(playing: Playing, awaited: Sequence[Decision], most: Callable[[int], int], window: int) -> int:
    """When nobody could be ahead of the open bids any more; `most` says what a call of a player could still gain.

    A call that arrives at t and gains g is ahead of the best only if t is before the best plus g. Never later than the
    window after the first bid.
    """
    best, first = min(each.adjusted for each in playing.bids), min(each.at for each in playing.bids)
    racing = contenders(awaited, playing.time(first + window)) - {each.player for each in playing.bids}
    return min(best + max(map(most, racing), default=0), first + window)


def settled(playing: Playing, at: int) -> tuple[e.Settled, Step[Any]]:
    """Puts the open bids in order and plays those that can be played. The others were late, which costs nothing."""
    time = max(playing.time(at), playing.latest)
    order = sorted(playing.bids, key=lambda each: each.adjusted)  # of the same time: as they came into the log
    table, events, calls = playing.table, list[Event](), list[e.Call]()
    for each in order:
        played = each.player not in playing.quit
        try:
            step = playing.game.play(table, each.player, each.move, time) if played else None
        except IllegalMove:
            step = None
        if step is not None:
            table = step.table
            events += step.events
        late = each.adjusted - order[0].adjusted
        calls.append(e.Call(player=each.player, move=each.move, hand=each.hand, late=late, played=step is not None))
    ending = playing.game.ending(table)
    entry = e.Settled(at=at, time=time, calls=calls, ending=None if ending is None else ending.as_json())
    return entry, Step(table, [*who_was_first(entry), *events])


def lost(entry: e.Settled, bids: Sequence[e.Bid]) -> list[tuple[e.Bid, Refusal]]:
    """Whose bids were not played, and what they are told: who was quicker, and by how much."""
    first = next((each for each in entry.calls if each.played), None)
    late = {each.player: each.late for each in entry.calls if not each.played}
    if first is None:
        return []
    return [
        (each, refuse("quicker", player=first.player, n=max(0, late[each.player] - first.late)))
        for each in bids
        if each.player in late
    ]
