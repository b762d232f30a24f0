"""The start of a game between people: a countdown that everybody sees, then the deal for all at the same moment.

The countdown is an entry of the log, so every process and every page that reconnects knows when the game starts. A
change of players or rules ends it (`state.STOP_COUNTDOWN`), and so does any player who wants to wait.
"""

from threefold.live import acts
from threefold.live import entries as e
from threefold.live.refusals import NotAllowed, refuse
from threefold.live.state import TableState

LATEST_MS = 10_000
"""A countdown whose end was missed by more than this is void: the server was away, and so are the people, perhaps."""


def begin(s: TableState, by: int | None, at: int, countdown_ms: int) -> e.Entry | None:
    """Starts a game: where several people have a seat by a countdown, otherwise at once. `by` None: all are ready."""
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
    """The countdown has ended: the game starts, unless that is not possible any more."""
    if s.counting is None or at < s.counting.starts:
        return None
    if at > s.counting.starts + LATEST_MS:
        return e.Waited(at=at)
    try:
        return acts.start(s, None, at)
    except NotAllowed:
        return e.Waited(at=at)
