"""Plays many chunks: on all cores of this machine, or on a Dask cluster, and adds them up in their order.

Whoever plays the chunks and in whatever order they come back, they are added in the order of their numbers, and the
rule for stopping early looks at them in that order too. So the same seed gives the same result with any
number of workers.
"""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from threefold.simulation.jobs import CHUNK, Chunk, Spec, Tally, added, is_compiled, play_chunk

AHEAD = 3
"""So many chunks are waiting for each worker: enough to keep it busy, few enough to stop soon."""


class MissingExtra(RuntimeError):
    """Something was asked that needs a library which is not installed."""

    def __init__(self, extra: str, library: str) -> None:
        super().__init__(f"This needs {library}, which is not installed: pip install 'threefold[{extra}]'")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come."""

    games: int
    wanted: int
    seconds: float

    @property
    def rate(self) -> float:
        """Games a second."""
        return self.games / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long it will take from here, if it goes on like this."""
        return (self.wanted - self.games) / self.rate if self.games else None


@dataclass(slots=True)
class Run:
    """What was played: the sum of all chunks, a row for each game if they were kept, and whether it was cut short."""

    spec: Spec
    tally: Tally
    rows: list[list[int]] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False
    precise_enough: bool = False


Report = Callable[[Progress], None]
Enough = Callable[[Tally], bool]
Chunks = Iterator[Chunk]


def chunk_sizes(games: int) -> list[int]:
    """How many games each chunk has."""
    whole, rest = divmod(games, CHUNK)
    return [CHUNK] * whole + ([rest] if rest else [])


def run(
    spec: Spec,
    games: int,
    *,
    workers: int | None = None,
    dask: str | None = None,
    keep_rows: bool = False,
    enough: Enough | None = None,
    report: Report | None = None,
) -> Run:
    """Plays so many games, or until there are enough; Ctrl-C ends it with what has been played so far."""
    sizes = chunk_sizes(games)
    began = time.perf_counter()
    result = Run(spec, {})
    chunks = _on_dask(spec, sizes, keep_rows, dask) if dask else _here(spec, sizes, keep_rows, workers)
    try:
        for chunk in chunks:
            result.tally = added(result.tally, chunk.tally) if result.tally else chunk.tally
            result.rows.extend(chunk.rows or ())
            if report is not None:
                report(Progress(result.tally["games"], games, time.perf_counter() - began))
            if enough is not None and enough(result.tally):
                result.precise_enough = True
                break
    except KeyboardInterrupt:
        result.interrupted = True
        if not result.tally:
            raise
    finally:
        chunks.close()
    result.seconds = time.perf_counter() - began
    return result


def cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _here(spec: Spec, sizes: list[int], keep_rows: bool, workers: int | None) -> Any:  # noqa: FBT001 (passed on)
    """On this machine: threads where games are compiled (they run without Python's lock), else processes."""
    workers = max(1, min(workers or cores(), len(sizes)))
    if workers == 1:
        for number, size in enumerate(sizes):
            yield play_chunk(spec, number, size, keep_rows=keep_rows)
        return
    if is_compiled(spec):
        yield play_chunk(spec, 0, sizes[0], keep_rows=keep_rows)  # the first compiles, which one thread should do
        yield from _in_order(ThreadPoolExecutor(workers), spec, sizes, keep_rows, workers, 1)
    else:
        yield from _in_order(ProcessPoolExecutor(workers), spec, sizes, keep_rows, workers, 0)


def _in_order(
    pool: Executor,
    spec: Spec,
    sizes: list[int],
    keep_rows: bool,  # noqa: FBT001 (passed on)
    workers: int,
    first: int,
) -> Chunks:
    waiting: list[Future[Chunk]] = []
    number = first
    try:
        while waiting or number < len(sizes):
            while number < len(sizes) and len(waiting) < AHEAD * workers:
                waiting.append(pool.submit(play_chunk, spec, number, sizes[number], keep_rows=keep_rows))
                number += 1
            yield waiting.pop(0).result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _on_dask(spec: Spec, sizes: list[int], keep_rows: bool, address: str) -> Any:  # noqa: FBT001 (passed on)
    """On a Dask cluster: the same chunks. A chunk whose worker is lost is played again by another."""
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise MissingExtra("cluster", "distributed") from None
    with distributed.Client(address, set_as_default=False) as client:
        ahead = AHEAD * max(1, sum(client.ncores().values())) + AHEAD
        waiting: list[Any] = []
        number = 0
        while waiting or number < len(sizes):
            while number < len(sizes) and len(waiting) < ahead:
                waiting.append(
                    client.submit(play_chunk, spec, number, sizes[number], keep_rows=keep_rows, pure=False, retries=10)
                )
                number += 1
            yield waiting.pop(0).result()
