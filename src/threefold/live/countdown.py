"""The start of a game between people: a countdown on every screen, then the deal.

The countdown is an entry of the log, so every process and every reconnecting page knows when the game starts. A change
of players or rules stops it (`state.STOP_COUNTDOWN`), and so can any player.
"""

from threefold.live import acts
from threefold.live import entries as e
from threefold.live.refusals import NotAllowed, refuse
from threefold.live.state import TableState

LATEST_MS = 10_000
"""A countdown that ended longer ago than this starts no game: the server was down, and people may have left."""


def begin(s: TableState, by: int | None, at: int, countdown_ms: int) -> e.Entry | None:
    """Starts a game: with a countdown if several people are seated, else at once. `by` None: everybody is ready."""
    started = acts.start(s, by, at)
    if s.counting is not None:
        return None
    guests = [s.guests[seat.guest] for seat in s.seats if seat.guest is not None]
    people = [guest for guest in guests if not guest.program]
    return e.Counting(at=at, by=by, starts=at + countdown_ms) if countdown_ms and len(people) > 1 else started


def wait(s: TableState, by: int, at: int) -> e.Entry | None:
    """A player stops the countdown; None if there is none."""
    if s.seat_of(by) is None:
        raise refuse("not_seated")
    return None if s.counting is None else e.Waited(at=at, by=by)


def deal(s: TableState, at: int) -> e.Entry | None:
    """Starts the game at the end of the countdown, if it can still start."""
    if s.counting is None or at < s.counting.starts:
        return None
    if at > s.counting.starts + LATEST_MS:
        return e.Waited(at=at)
    try:
        return acts.start(s, None, at)
    except NotAllowed:
        return e.Waited(at=at)
