"""Runs a simulation: plays its chunks on all cores of this machine or on a Dask cluster, and adds them up.

Chunks are added in the order of their numbers, whatever the order in which workers finish them, and the rule for
stopping early sees them in that order too. So the same seed gives the same result with any number of workers.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from threefold.simulation.jobs import CHUNK, Chunk, add_tallies, play_chunk
from threefold.simulation_parts.results import Run
from threefold.simulation_parts.spec import Spec, Tally, is_compiled

CHUNKS_PER_WORKER = 3
"""Chunks submitted in advance: enough to keep workers busy, few enough to stop soon."""


class MissingExtra(RuntimeError):
    """An optional library is not installed."""

    def __init__(self, extra: str, library: str) -> None:
        super().__init__(
            f"This needs {library}, which the extra {extra!r} brings: pip install 'threefold[{extra}]'."
            " In a copy of the repository: ./run setup."
        )


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run."""

    games: int
    wanted: int
    seconds: float

    @property
    def rate(self) -> float:
        """Games per second."""
        return self.games / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """The expected remaining time; None before the first chunk."""
        return (self.wanted - self.games) / self.rate if self.games else None


OnProgress = Callable[[Progress], None]
Enough = Callable[[Tally], bool]
Chunks = Iterator[Chunk]


def chunk_sizes(games: int) -> list[int]:
    """The number of games in each chunk."""
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
    on_progress: OnProgress | None = None,
) -> Run:
    """Plays `games` games, or fewer if `enough` says so. Ctrl-C stops early and returns what has been played."""
    sizes = chunk_sizes(games)
    began = time.perf_counter()
    result = Run(spec, {})
    chunks = _on_dask(spec, sizes, keep_rows, dask) if dask else _on_this_machine(spec, sizes, keep_rows, workers)
    try:
        for chunk in chunks:
            result.tally = add_tallies(result.tally, chunk.tally) if result.tally else chunk.tally
            result.rows.extend(chunk.rows or ())
            if on_progress is not None:
                on_progress(Progress(result.tally["games"], games, time.perf_counter() - began))
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
    """The number of cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _on_this_machine(spec: Spec, sizes: list[int], keep_rows: bool, workers: int | None) -> Any:  # noqa: FBT001 (passed on)
    """Plays in threads if games are compiled (they release the GIL), else in processes."""
    workers = max(1, min(workers or cores(), len(sizes)))
    if workers == 1:
        for number, size in enumerate(sizes):
            yield play_chunk(spec, number, size, keep_rows=keep_rows)
        return
    if is_compiled(spec):
        yield play_chunk(spec, 0, sizes[0], keep_rows=keep_rows)  # compiles, which only one thread should do
        yield from _in_pool(ThreadPoolExecutor(workers), spec, sizes, keep_rows, workers, 1)
    else:
        yield from _in_pool(ProcessPoolExecutor(workers), spec, sizes, keep_rows, workers, 0)


def _in_pool(
    pool: Executor,
    spec: Spec,
    sizes: list[int],
    keep_rows: bool,  # noqa: FBT001 (passed on)
    workers: int,
    first: int,
) -> Chunks:
    def submit(number: int) -> Future[Chunk]:
        return pool.submit(play_chunk, spec, number, sizes[number], keep_rows=keep_rows)

    try:
        yield from _in_order(submit, range(first, len(sizes)), CHUNKS_PER_WORKER * workers)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _on_dask(spec: Spec, sizes: list[int], keep_rows: bool, address: str) -> Any:  # noqa: FBT001 (passed on)
    """Plays on a Dask cluster. Another worker replays a chunk whose worker is lost."""
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise MissingExtra("cluster", "distributed") from None
    with distributed.Client(address, set_as_default=False) as client:

        def submit(number: int) -> Any:
            return client.submit(play_chunk, spec, number, sizes[number], keep_rows=keep_rows, pure=False, retries=10)

        cores_there = max(1, sum(client.ncores().values()))
        yield from _in_order(submit, range(len(sizes)), CHUNKS_PER_WORKER * (cores_there + 1))


def _in_order(submit: Callable[[int], Any], numbers: Iterable[int], most_ahead: int) -> Chunks:
    """Submits chunks by number, at most `most_ahead` in advance, and yields their results in order."""
    futures: deque[Any] = deque()
    for number in numbers:
        if len(futures) == most_ahead:
            yield futures.popleft().result()
        futures.append(submit(number))
    while futures:
        yield futures.popleft().result()
