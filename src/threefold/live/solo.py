"""Solo play: a person's streak, best and median time in the daily puzzles, and the rank of a time among all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import log
from statistics import median

from threefold.live.store import PuzzleRow
from threefold.puzzles import day_of

GRACE_MS = 3_600_000
"""A puzzle finished this long after midnight still counts for its day."""
ONE_DAY = timedelta(days=1)
BARS = 20
"""The number of groups of times, from the slowest to the fastest."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's daily puzzles of one kind. A streak counts days whose puzzle was solved on that day."""

    days: dict[str, int]
    streak: int
    longest: int
    best_ms: int | None
    median_ms: int | None


def standing(rows: Sequence[PuzzleRow], kind: str, today: date) -> Standing:
    """The standing in one kind of puzzle."""
    solved = {row.day: row.milliseconds for row in rows if row.kind == kind and row.milliseconds is not None}
    on_time = {date.fromisoformat(row.day) for row in rows if row.day in solved and row.kind == kind and _on_time(row)}
    return Standing(
        days=solved,
        streak=_in_a_row(on_time, today) or _in_a_row(on_time, today - ONE_DAY),
        longest=max((_in_a_row(on_time, day) for day in on_time), default=0),
        best_ms=min(solved.values(), default=None),
        median_ms=round(median(solved.values())) if solved else None,
    )


@dataclass(frozen=True, slots=True)
class Ranking:
    """A time among everybody's times in one puzzle: its place, and how many times each of the `bars` has.

    A bar spans the same ratio of times as the others, because somebody may have left the puzzle open for hours.
    """

    count: int
    place: int
    fastest_ms: int
    slowest_ms: int
    bars: list[int]
    bar: int


def ranking(times: Sequence[int], mine: int) -> Ranking:
    """The rank of a time; `times` contain it, the fastest first."""
    fastest, slowest = times[0], times[-1]
    span = log(max(1, slowest) / max(1, fastest))

    def bar_of(milliseconds: int) -> int:
        return min(BARS - 1, int(BARS * log(max(1, slowest) / max(1, milliseconds)) / span)) if span else BARS - 1

    bars = [0] * BARS
    for each in times:
        bars[bar_of(each)] += 1
    faster = sum(each < mine for each in times)
    return Ranking(len(times), faster + 1, fastest, slowest, bars, bar_of(mine))


def _on_time(row: PuzzleRow) -> bool:
    return row.solved is not None and day_of(row.solved - GRACE_MS) <= date.fromisoformat(row.day)


def _in_a_row(days: Iterable[date], last: date) -> int:
    """The length of the run of days that ends with the last one."""
    there = set(days)
    count = 0
    while last - count * ONE_DAY in there:
        count += 1
    return count
