"""Statistics of a person's games: results, streaks, and the figures that each game keeps."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from threefold.game import Json
from threefold.games import KITS
from threefold.kit import Kits, Review
from threefold.live import entries as e
from threefold.live.record import can_be_replayed, saved_of, settled_calls
from threefold.live.store import GameRow, ResultRow
from threefold.saved import opened, played

DAY_MS = 86_400_000
RESULTS = ("won", "lost", "drawn", "left", "open")
Finished = Callable[[ResultRow], bool]


def has_figures(row: GameRow, kits: Kits = KITS) -> bool:
    """Is there a review of this finished game?"""
    return kits[row.game].review is not None and can_be_replayed(row, kits)


def review_of(row: GameRow, entries: Sequence[e.Entry], kits: Kits = KITS) -> Review | None:
    """The review of a finished game, from its part of the log; None if the game has none."""
    review = kits[row.game].review
    if review is None or not can_be_replayed(row, kits):
        return None
    game, table, rows = opened(saved_of(row.game, entries), kits)
    moves = played(game, table, rows)
    return review(table, ((each.move.at or 0, each.table, each.events) for each in moves))


def close_calls(entries: Sequence[e.Entry]) -> list[Json]:
    """The moves that were settled between several calls, from a game's part of the log."""
    return [{"move": move, **event.facts} for move, event in settled_calls(entries).items() if event.facts["others"]]


def figures_of(row: GameRow, bodies: Iterable[str], kits: Kits = KITS) -> list[Json] | None:
    """By player: figures that are kept of the game; None if there are none."""
    review = review_of(row, [e.decode(body) for body in bodies], kits)
    return None if review is None else review["figures"]


def stats(rows: Sequence[ResultRow], now: int, minutes_ahead: int, kits: Kits = KITS) -> dict[str, Json]:
    """The statistics of a person. `minutes_ahead` is how far their time zone is ahead of UTC: it decides the days."""
    days = [(each.ended + minutes_ahead * 60_000) // DAY_MS for each in rows]
    today = (now + minutes_ahead * 60_000) // DAY_MS
    return {
        "games": len(rows),
        "results": _results(rows),
        "wins": _wins(rows),
        "days": _days(sorted(set(days)), today),
        "figures": {
            kit.name: kit.figures([each for each in rows if each.game == kit.name and each.figures is not None])
            for kit in kits.values()
            if kit.figures is not None
        },
    }


def _results(rows: Sequence[ResultRow]) -> list[Json]:
    """Counts of results by game and edition or variant; the most played first."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for each in rows:
        counts.setdefault((each.game, each.what), Counter())[each.result] += 1
    return [
        {"game": game, "what": what, "games": counted.total(), **{name: counted[name] for name in RESULTS}}
        for (game, what), counted in sorted(counts.items(), key=lambda item: -item[1].total())
    ]


def _wins(rows: Sequence[ResultRow]) -> Json:
    """Winning streaks: the longest and the current one. Games without a result do not count."""
    best = running = 0
    for each in rows:
        if each.result != "open":
            running = running + 1 if each.result == "won" else 0
            best = max(best, running)
    return {"best": best, "now": running}


def _days(days: Sequence[int], today: int) -> Json:
    """Days with a game: all, the longest streak, and the current one, up to today or yesterday."""
    best = running = 0
    last: int | None = None
    for day in days:
        running = running + 1 if last is not None and day == last + 1 else 1
        best, last = max(best, running), day
    goes_on = last is not None and last >= today - 1
    return {"played": len(days), "best": best, "now": running if goes_on else 0}
