"""What a server measures of itself: plain counters, so that measuring costs a move next to nothing."""

import asyncio
import time
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from threefold.bots import Choice
from threefold.game import Json
from threefold.kit import Kit
from threefold.live.bot_runner import BotRunner

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
RECENT = 1000
SLOW_KEPT = 50
SLOW_FOR_S = 900
PULSE_S = 0.5


class Histogram:
    """Counts of values by upper bound, and the last thousand values."""

    __slots__ = ("bounds", "counts", "recent", "total")

    def __init__(self, bounds: tuple[float, ...] = SECONDS) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0
        self.recent: deque[float] = deque(maxlen=RECENT)

    def observe(self, value: float) -> None:
        """Counts one value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value
        self.recent.append(value)

    def quantile(self, part: float) -> float | None:
        """A quantile of the last thousand values."""
        if not self.recent:
            return None
        return sorted(self.recent)[min(len(self.recent) - 1, int(part * len(self.recent)))]


@dataclass(frozen=True, slots=True)
class Slow:
    """A slow message: its kind, never its content."""

    at: float
    table: str
    kind: str
    seconds: float


@dataclass(slots=True)
class Measures:
    """All counters."""

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
    """Recent use of one core, from 0 to 1."""

    def handled(self, game: str, table: str, kind: str, seconds: float, refusal: str | None) -> None:
        """Counts a handled message."""
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
        """The slow messages of the last quarter of an hour, the slowest first."""
        self._trim()
        return list(self.slow)

    def committed(self, entries: int, seconds: float) -> None:
        """Counts a commit."""
        self.batches.observe(entries)
        self.commits.observe(seconds)

    async def pulse(self) -> None:
        """Measures the delay of the event loop, moves per second and CPU use, for ever."""
        moved, used, before = 0, time.process_time(), time.perf_counter()
        while True:
            await asyncio.sleep(PULSE_S)
            now = time.perf_counter()
            self.loop_lag.observe(max(0.0, now - before - PULSE_S))
            moves, cpu = sum(self.moves.values()), time.process_time()
            self.moves_per_s += 0.2 * ((moves - moved) / (now - before) - self.moves_per_s)
            self.cpu += 0.2 * ((cpu - used) / (now - before) - self.cpu)
            moved, used, before = moves, cpu, now


class MeasuredBots:
    """Runs bots, and times them."""

    def __init__(self, bots: BotRunner, measures: Measures) -> None:
        self._bots = bots
        self._measures = measures

    async def choose(self, kit: Kit, bot: str, view: Mapping[str, Json]) -> Choice | None:
        """The choice of a bot."""
        began = time.perf_counter()
        try:
            return await self._bots.choose(kit, bot, view)
        finally:
            self._measures.thoughts.observe(time.perf_counter() - began)
