"""Where bots think: in worker processes, so that no table waits for them. They get Views and nothing else."""

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import Protocol

from threefold.bots import BOTS, Choice
from threefold.game import Json
from threefold.shuffle import new_seed, random_from

STAND_INS = ("careful", "human3")
"""Who plays for those who are away, have left, or let their time run out, and who gives hints."""


def stand_in(game: str) -> str:
    """The bot that plays in a person's place."""
    return next((bot for bot in STAND_INS if bot in BOTS[game]), next(iter(BOTS[game])))


class Thinker(Protocol):
    """Somebody who lets bots think."""

    async def think(self, game: str, bot: str, view: Mapping[str, Json]) -> Choice | None:
        """What this bot would do; None: nothing until the view changes."""


def choose(game: str, bot: str, view: Mapping[str, Json]) -> Choice | None:
    """The bot's choice, by dice of its own."""
    known = BOTS[game]
    return known.get(bot, known[stand_in(game)])(view, random_from(new_seed(), "bot"))


class Here:
    """Thinks in this process: for tests, and where there are no others."""

    async def think(self, game: str, bot: str, view: Mapping[str, Json]) -> Choice | None:
        """What this bot would do."""
        return choose(game, bot, view)


def end_with_the_server() -> None:
    """In a worker: when the server is gone, even by a power cut, nobody needs this process any more."""
    server = multiprocessing.parent_process()
    if server is not None:
        threading.Thread(target=_wait_for_the_end_of, args=(server.sentinel,), daemon=True).start()


def _wait_for_the_end_of(sentinel: int) -> None:
    wait([sentinel])
    os._exit(0)


class Workers:
    """Thinks in worker processes, started when the first bot has to; a crashed one is replaced."""

    def __init__(self, processes: int = 1) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None

    async def think(self, game: str, bot: str, view: Mapping[str, Json]) -> Choice | None:
        """What this bot would do."""
        for _ in range(2):
            pool = self._started()
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, choose, game, bot, view)
            except BrokenProcessPool:
                if self._pool is pool:
                    self._pool = None
        return choose(game, bot, view)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, mp_context=context, initializer=end_with_the_server)
        return self._pool

    def close(self) -> None:
        """Ends the workers."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None
