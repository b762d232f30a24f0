"""Compaction of a log: drops old arrangements that cancelled each other out, such as sitting down and standing up.

The fold of a compacted log equals the fold of the original. Entries keep their numbers, so a compacted log has gaps.
"""

import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from threefold.live import entries as e
from threefold.live.state import TableState

Numbered = tuple[int, e.Entry]
ARRANGEMENTS = (e.Sat, e.Stood, e.BotSat, e.BotStood, e.Muted, e.Cancelled)
"""Entries of which only the last counts, for each guest or seat, until an entry of another kind. The same holds for
changes of options that keep the number of seats: one that takes seats away makes people stand up."""


@dataclass(slots=True)
class Compaction:
    """What may change in a log."""

    gone: list[int] = field(default_factory=list)
    """The numbers of the entries to delete."""
    changed: list[Numbered] = field(default_factory=list)
    """Entries to replace: these only keep the number of a message."""


def compact(log: Sequence[Numbered], before: int) -> Compaction:
    """What may be dropped from a log among the entries before a time. The last entry always stays."""
    state, run, found = TableState(replay_from=sys.maxsize), _Run(), Compaction()
    for seq, entry in log:
        if _is_arrangement(entry, state) and entry.at < before and seq != log[-1][0]:
            if not run.entries:
                run = _Run.after(state)
            run.entries.append((seq, entry))
        elif run.entries:
            run.compact(found)
            run = _Run()
        state.seq = seq - 1
        state.apply(entry)
    return found


def _is_arrangement(entry: e.Entry, state: TableState) -> bool:
    if isinstance(entry, e.Changed):
        return entry.settings.seats == len(state.seats)
    return isinstance(entry, ARRANGEMENTS)


@dataclass(slots=True)
class _Run:
    """Arrangements in a row, and what they changed."""

    seated: set[int] = field(default_factory=set)
    bots: set[int] = field(default_factory=set)
    """The occupied seats before it: of guests, and of bots."""
    entries: list[Numbered] = field(default_factory=list)

    @classmethod
    def after(cls, state: TableState) -> "_Run":
        guests = {seat.guest for seat in state.seats if seat.guest is not None}
        return cls(guests, {i for i, seat in enumerate(state.seats) if seat.bot is not None})

    def compact(self, found: Compaction) -> None:
        last = {_subject(entry): (seq, entry) for seq, entry in self.entries}
        needed = {seq for seq, entry in last.values() if self._changes(entry)}
        numbers = {(entry.by, entry.client): seq for seq, entry in self.entries if entry.client}
        kept = {*numbers.values(), self.entries[-1][0]}  # the last one keeps the time
        for seq, entry in self.entries:
            if seq in needed:
                continue
            if seq not in kept:
                found.gone.append(seq)
            elif not isinstance(entry, e.Cancelled):
                found.changed.append((seq, e.Cancelled(at=entry.at, by=entry.by, client=entry.client, n=entry.n)))

    def _changes(self, entry: e.Entry) -> bool:
        """Does the last entry about a guest or seat leave it different from what it was before the run?"""
        match entry:
            case e.Stood():
                return entry.by in self.seated
            case e.BotStood():
                return entry.seat in self.bots
            case e.Cancelled():
                return False
            case _:
                return True


def _subject(entry: e.Entry) -> Hashable:
    """The guest or seat that an arrangement is about."""
    match entry:
        case e.BotSat() | e.BotStood():
            return "seat", entry.seat
        case e.Muted():
            return "muted", entry.guest
        case e.Changed():
            return "options"
        case e.Cancelled():
            return "nothing"
        case _:
            return "guest", entry.by
