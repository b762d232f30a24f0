"""Runs bots in worker processes, so that no table waits for them. They get Views and nothing else."""

import asyncio
import multiprocessing
import os
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import wait
from typing import Final, Protocol

from threefold.bots import Choice
from threefold.game import Json
from threefold.kit import Kit, kit_at
from threefold.shuffle import new_seed, random_from


class BotRunner(Protocol):
    """Asks bots for their choices."""

    async def choose(self, kit: Kit, bot: str, view: Mapping[str, Json]) -> Choice | None:
        """The choice of a bot; None: nothing until the View changes."""


def choice_of(reference: str, bot: str, view: Mapping[str, Json]) -> Choice | None:
    """The choice of a bot, with randomness of its own. A worker process finds the kit by its reference.

    A thought tells which bot it was and its seed, so that the choice can be found again, and its reason in a sentence.
    """
    kit = kit_at(reference)
    plays, seed = bot if bot in kit.bots else kit.stand_in, new_seed()
    choice = kit.bots[plays](view, random_from(seed, "bot"))
    if choice is None or choice.thought is None:
        return choice
    told = None if kit.advice is None else kit.advice.told(choice.thought, view["viewer"])
    about = {"bot": plays, "seed": seed, "told": None if told is None else told.as_json()}
    return replace(choice, thought={**choice.thought, **about})


def exit_with_the_server() -> None:
    """In a worker: exits when the server is gone, however it ended; gives way to the server as long as it lives."""
    with suppress(AttributeError, OSError):  # Windows has no `nice`, and a hardened service may not call it
        os.nice(NICENESS)
    server = multiprocessing.parent_process()
    if server is not None:
        threading.Thread(target=_exit_after, args=(server.sentinel,), daemon=True).start()


def _exit_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(0)


NICENESS: Final = 5
"""Bots give way to the server's own processes."""
MOST_WAITING: Final = 4
"""Choices that may wait for each worker before bots that think long are replaced by lighter ones."""


class Rests:
    """In a worker: rests after each choice, so that it is busy for at most a share of the time."""

    def __init__(self) -> None:
        self._until = 0.0

    def left(self, now: float) -> float:
        """How many seconds of the rest are left."""
        return max(0.0, self._until - now)

    def begin(self, worked: float, busy: float, now: float) -> None:
        """Begins a rest after so many seconds of work."""
        self._until = now + worked * (1 / busy - 1)


_RESTS: Final = Rests()


def choice_in_turn(busy: float, reference: str, bot: str, view: Mapping[str, Json]) -> Choice | None:
    """The choice of a bot in a worker process that may be busy for this share of the time."""
    time.sleep(_RESTS.left(time.monotonic()))
    began = time.process_time()
    try:
        return choice_of(reference, bot, view)
    finally:
        _RESTS.begin(time.process_time() - began, busy, time.monotonic())


class BotWorkers:
    """Runs bots in worker processes, started when the first bot is asked; a crashed one is replaced.

    All bots together use at most these processes, of lower priority than the server, and at most this share of the
    machine, in percent of all its cores: workers rest when they have used up their part. While many wait, a bot that
    thinks long is replaced by the lighter one that its kit names, for this move.
    """

    def __init__(self, processes: int = 1, *, share: float = 100, cores: int | None = None) -> None:
        self._processes = processes
        self.busy = min(1.0, share / 100 * (cores or os.cpu_count() or 1) / processes)
        self._pool: ProcessPoolExecutor | None = None
        self._waiting = 0

    async def choose(self, kit: Kit, bot: str, view: Mapping[str, Json]) -> Choice | None:
        """The choice of a bot."""
        bot = self._light_enough(kit, bot)
        self._waiting += 1
        try:
            return await self._ask(kit, bot, view)
        finally:
            self._waiting -= 1

    def _light_enough(self, kit: Kit, bot: str) -> str:
        """The bot, or a lighter one: one step lighter for every full queue."""
        for _ in range(self._waiting // (MOST_WAITING * self._processes)):
            bot = kit.lighter_bots.get(bot, bot)
        return bot

    async def _ask(self, kit: Kit, bot: str, view: Mapping[str, Json]) -> Choice | None:
        for _ in range(2):
            pool = self._started()
            try:
                return await asyncio.get_running_loop().run_in_executor(
                    pool, choice_in_turn, self.busy, kit.reference, bot, view
                )
            except BrokenProcessPool:
                if self._pool is pool:
                    self._pool = None
        return choice_of(kit.reference, bot, view)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, mp_context=context, initializer=exit_with_the_server)
        return self._pool

    def close(self) -> None:
        """Ends the workers."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None
