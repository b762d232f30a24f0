"""What a server measures of itself: plain numbers, so that a move pays next to nothing for being counted."""

import asyncio
import time
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from threefold.bots import Choice
from threefold.game import Json
from threefold.live.thinking import Thinker

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
RECENT = 1000
SLOW_KEPT = 50
SLOW_FOR_S = 900
PULSE_S = 0.5


class Histogram:
    """How often what was measured was at most so much; and the last thousand of them."""

    __slots__ = ("bounds", "counts", "recent", "total")

    def __init__(self, bounds: tuple[float, ...] = SECONDS) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0
        self.recent: deque[float] = deque(maxlen=RECENT)

    def observe(self, value: float) -> None:
        """One more."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value
        self.recent.append(value)

    def quantile(self, part: float) -> float | None:
        """Of the last thousand: so large a part was at most this."""
        if not self.recent:
            return None
        return sorted(self.recent)[min(len(self.recent) - 1, int(part * len(self.recent)))]


@dataclass(frozen=True, slots=True)
class Slow:
    """A message that took long: what it was, not what was in it."""

    at: float
    table: str
    kind: str
    seconds: float


@dataclass(slots=True)
class Measures:
    """All that is counted."""

    started: float = field(default_factory=time.time)
    moves: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By game, and by whether it was accepted."""
    refusals: Counter[str] = field(default_factory=Counter)
    acks: Histogram = field(default_factory=Histogram)
    commits: Histogram = field(default_factory=Histogram)
    batches: Histogram = field(default_factory=lambda: Histogram(SIZES))
    thoughts: Histogram = field(default_factory=Histogram)
    loop_lag: Histogram = field(default_factory=Histogram)
    slow: list[Slow] = field(default_factory=list)
    moves_per_s: float = 0.0
    cpu: float = 0.0
    """The part of one core that was used lately."""

    def dealt(self, game: str, table: str, kind: str, seconds: float, refusal: str | None) -> None:
        """A message was dealt with."""
        self.acks.observe(seconds)
        if kind == "Move":
            self.moves[game, "accepted" if refusal is None else "refused"] += 1
        if refusal is not None:
            self.refusals[refusal] += 1
        slow = self.slow
        if len(slow) < SLOW_KEPT or seconds > slow[-1].seconds:
            slow.append(Slow(time.time(), table, kind.lower(), seconds))
            self._trim()

    def _trim(self) -> None:
        late = time.time() - SLOW_FOR_S
        self.slow = sorted((each for each in self.slow if each.at > late), key=lambda each: -each.seconds)[:SLOW_KEPT]

    def slowest(self) -> list[Slow]:
        """The slowest of the last quarter of an hour, the slowest first."""
        self._trim()
        return list(self.slow)

    def committed(self, entries: int, seconds: float) -> None:
        """A group of entries has become durable."""
        self.batches.observe(entries)
        self.commits.observe(seconds)

    async def pulse(self) -> None:
        """Measures, for ever, how late the loop is, how much is played, and what it costs."""
        moved, used, before = 0, time.process_time(), time.perf_counter()
        while True:
            await asyncio.sleep(PULSE_S)
            now = time.perf_counter()
            self.loop_lag.observe(max(0.0, now - before - PULSE_S))
            moves, cpu = sum(self.moves.values()), time.process_time()
            self.moves_per_s += 0.2 * ((moves - moved) / (now - before) - self.moves_per_s)
            self.cpu += 0.2 * ((cpu - used) / (now - before) - self.cpu)
            moved, used, before = moves, cpu, now


class MeasuredThinker:
    """A thinker whose thoughts are timed."""

    def __init__(self, thinker: Thinker, measures: Measures) -> None:
        self._thinker = thinker
        self._measures = measures

    async def think(self, game: str, bot: str, view: Mapping[str, Json]) -> Choice | None:
        """What this bot would do."""
        began = time.perf_counter()
        try:
            return await self._thinker.think(game, bot, view)
        finally:
            self._measures.thoughts.observe(time.perf_counter() - began)
