"""Races: who called first is decided by when a call set out, not by when it arrived.

A call that others may contest is written as a `Bid` with its adjusted time: its arrival less half the round trip to
that page, as the server has measured it. A little later one `Settled` entry puts the open bids in order. Both are made
from the log alone, so that any process can write them, and fold to the same table everywhere.
"""

import secrets
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from threefold.game import Decision, Event, IllegalMove, Json, Refusal, Step
from threefold.live import acts
from threefold.live import entries as e
from threefold.live.acts import Made
from threefold.live.current_game import CurrentGame, settlement_events
from threefold.live.refusals import refuse
from threefold.live.state import TableState

WINDOW_MS = 100
"""The longest that a call waits for others, and the most that a call gains by its lag."""
FROM_ELSEWHERE_MS = 40
"""The longest that a call is on its way from another process: a commit and a notice."""
TRIPS = 9
"""Round trips kept of a connection."""
QUANTILE = 0.25
"""The round trip that counts is a low one of them: a page that was busy once is not farther away for it."""
OPEN_PROBES = 8
"""Unanswered probes that are remembered."""
GIVEN_UP_AFTER = 4
"""A page that has answered none of this many probes is not waited for; its calls count from their arrival."""


class LostCall(NamedTuple):
    """Tells a page that its bid was not the first: which message, and why."""

    n: int
    why: Refusal


@dataclass(slots=True)
class Lag:
    """The round trips of one connection. The server alone measures them: no page is asked for the time.

    Each probe carries a random mark, so an answer cannot come before the probe was read; and the kernel's own
    measurement limits what a page can claim by holding answers back.
    """

    longest: Callable[[], float | None] = lambda: None
    """The longest round trip that is possible according to the network; None: unknown."""
    _open: dict[str, float] = field(default_factory=dict)
    _trips: deque[float] = field(default_factory=lambda: deque(maxlen=TRIPS))
    _sent: int = 0

    def probe(self, now: float) -> str:
        """The mark of a probe that is sent now, at this time in milliseconds."""
        mark = secrets.token_hex(8)
        self._open[mark] = now
        self._sent += 1
        if len(self._open) > OPEN_PROBES:
            del self._open[next(iter(self._open))]
        return mark

    def answered(self, mark: str, now: float) -> None:
        """A mark came back. Unknown marks and second answers are ignored."""
        sent = self._open.pop(mark, None)
        if sent is not None:
            trip, longest = max(0.0, now - sent), self.longest()
            self._trips.append(trip if longest is None else min(trip, longest))

    def gain(self, window: int) -> int:
        """How much earlier than its arrival a call counts: half the round trip, at most the window."""
        if not self._trips:
            return 0
        trip = sorted(self._trips)[int(QUANTILE * (len(self._trips) - 1) + 0.5)]
        return min(round(trip / 2), window)

    def most(self, window: int) -> int:
        """The most that a call could still gain."""
        return window if not self._trips and self._sent < GIVEN_UP_AFTER else self.gain(window)


# ---------------------------------------------------------------- Calls


def contenders(awaited: Iterable[Decision], until: int) -> set[int]:
    """The players who may call, or take as their own call, by this game time."""
    return {
        each.player
        for each in awaited
        if each.player is not None and _asks_for_call(each) and each.details.get("not_before", 0) <= until
    }


def _asks_for_call(decision: Decision) -> bool:
    """Is it a call, or a take that needs no call before it? A player in control takes by a deadline."""
    return decision.question == "call" or (decision.question == "take" and "deadline" not in decision.details)


def is_call(awaited: Iterable[Decision], player: int | None, move: str) -> bool:
    """Would this move be a call?"""
    what = move.partition(" ")[0].lower()
    return any(each.player == player and each.question == what and _asks_for_call(each) for each in awaited)


def is_contested(
    current: CurrentGame, awaited: Sequence[Decision], player: int | None, move: str, at: int, window: int
) -> bool:
    """Is this a call that others may contest, and so a bid? Raises the refusal of a call that cannot succeed.

    Bots alone are all equally near, and a player who alone may call has nobody to wait for: those calls are moves.
    """
    if player is None or not window or not is_call(awaited, player, move):
        return False
    if any(each.player == player for each in current.bids):
        raise refuse("called_already")
    time = current.move_time(at)
    racing = contenders(awaited, time + window) | {player}
    if not current.bids and (len(racing) < 2 or all(current.by_bot(each) for each in racing)):
        return False
    why = current.game.explain(current.table, player, move, time)
    if why is not None:
        raise why
    return True


def bid_or_move(
    s: TableState,
    awaited: Sequence[Decision],
    player: int | None,
    at: int,
    move: str,
    hand: e.Hand,
    *,
    window: int,
    by: int | None = None,
    adjusted: int | None = None,
    thought: Json = None,
) -> Made:
    """The entry for a move; in a race, the bid for it, which counts from its adjusted time."""
    current = acts.a_game_runs(s)
    if current.game.timed and is_contested(current, awaited, player, move, at, window):
        assert player is not None
        counts_from = at if adjusted is None else min(adjusted, at)
        return e.Bid(at=at, by=by, player=player, move=move, adjusted=counts_from, hand=hand)
    return acts.moved(s, player, at, move, by=by, hand=hand, thought=thought)


# ---------------------------------------------------------------- Settling


def settles_at(current: CurrentGame, awaited: Sequence[Decision], most: Callable[[int], int], window: int) -> int:
    """When nobody could be ahead of the open bids any more; `most` is what a call of a player could still gain.

    A call that arrives at t and gains g is ahead of the best only if t is before the best plus g. Never later than the
    window after the first bid.
    """
    best, first = min(each.adjusted for each in current.bids), min(each.at for each in current.bids)
    racing = contenders(awaited, current.time(first + window)) - {each.player for each in current.bids}
    return min(best + max(map(most, racing), default=0), first + window)


def settle(s: TableState, at: int) -> Made:
    """Puts the open bids in order and plays those that can be played. The others were late, which costs nothing."""
    current = s.running
    if current is None or not current.bids:
        return None
    time = current.move_time(at)
    order = sorted(current.bids, key=lambda each: each.adjusted)  # equal times: in log order
    table, events, calls = current.table, list[Event](), list[e.Call]()
    for each in order:
        step = _played(current, table, each, time)
        if step is not None:
            table = step.table
            events += step.events
        late = each.adjusted - order[0].adjusted
        calls.append(e.Call(player=each.player, move=each.move, hand=each.hand, late=late, played=step is not None))
    ending = current.game.ending(table)
    entry = e.Settled(at=at, time=time, calls=calls, ending=None if ending is None else ending.as_json())
    return entry, Step(table, [*settlement_events(entry), *events])


def _played(current: CurrentGame, table: Any, bid: e.Bid, time: int) -> Step[Any] | None:
    """The move of a bid; None if it cannot be played any more."""
    if bid.player in current.quit:
        return None
    try:
        return current.game.play(table, bid.player, bid.move, time)
    except IllegalMove:
        return None


def lost_calls(entry: e.Settled, bids: Sequence[e.Bid]) -> list[tuple[e.Bid, Refusal]]:
    """The bids that were not played, each with its refusal: who was quicker, and by how much."""
    first = next((each for each in entry.calls if each.played), None)
    late = {each.player: each.late for each in entry.calls if not each.played}
    if first is None:
        return []
    return [
        (each, refuse("quicker", player=first.player, n=max(0, late[each.player] - first.late)))
        for each in bids
        if each.player in late
    ]
