"""Engines: which speed a game runs at. Decided when the game starts, by asking `for_new_game`; nothing is swapped.

A server that wants the compiled engines calls `warm_up`. Compiling takes about a minute of processor time, so a child
process of low priority does it once, into the compiler's cache; a thread then loads it in half a second. Any failure
leaves all games plain.
"""

import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, Literal, cast

from threefold.game import Game
from threefold.games import KITS
from threefold.kit import Kits, SecondSpeed

Speed = Literal["plain", "compiled"]


class Engines:
    """The engines of one server: plain until a fast one is ready, for the games that start after that."""

    def __init__(self, kits: Kits = KITS) -> None:
        self.kits = kits
        self._fast: dict[str, Game[Any]] = {}
        self._warm_ups: list[WarmUp] = []

    def for_new_game(self, name: str) -> Game[Any]:
        """The engine for a game that starts now."""
        return self._fast.get(name, self.kits[name].game)

    def speed(self, name: str) -> Speed:
        """The speed of games that start now."""
        return "compiled" if name in self._fast else "plain"

    def add_fast(self, game: Game[Any]) -> None:
        """From now on new games of this name run on this engine; running games stay on theirs."""
        self._fast[game.name] = game

    def warm_up(self, on_result: Callable[[str, str], None]) -> None:
        """Gets the compiled engines ready in the background. `on_result` hears the game's name and how it runs now.

        That is "compiled" or "plain: <reason>". It is called in the background thread.
        """
        for kit in self.kits.values():
            if kit.compiled is not None:
                self._warm_ups.append(WarmUp(kit.compiled, self.add_fast, partial(on_result, kit.name)))

    def stop(self) -> None:
        """Gives up a warm-up that is still running; nobody hears of it any more."""
        for each in self._warm_ups:
            each.stop()


class WarmUp:
    """One attempt to get a compiled engine ready, in a thread of its own."""

    def __init__(self, module: str, add_fast: Callable[[Game[Any]], None], on_result: Callable[[str], None]) -> None:
        self._module = module
        self._add_fast = add_fast
        self._on_result = on_result
        self._child: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="warm-up", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the child process, and waits for the thread."""
        with self._lock:
            self._stopped = True
            if self._child is not None:
                self._child.terminate()
        self._thread.join()

    def _run(self) -> None:
        try:
            self._compile_and_load()
        except Exception as problem:  # noqa: BLE001 (no compiler, no room for its cache, anything: games stay plain)
            result = f"plain: {type(problem).__name__}: {problem}"
        else:
            result = "compiled"
        if not self._stopped:
            self._on_result(result)

    def _compile_and_load(self) -> None:
        fast = cast("SecondSpeed", import_module(self._module))  # needs a compiler, which a server may not have
        if not fast.is_cached():
            self._compile()
        if not self._stopped:
            self._add_fast(fast.warm_up())

    @property
    def command(self) -> tuple[str, ...]:
        """The child process that fills the cache."""
        return (sys.executable, "-m", self._module)

    def _compile(self) -> None:
        with self._lock:
            if self._stopped:
                return
            self._child = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)  # noqa: S603 (our own)
        _, errors = self._child.communicate()
        if self._child.returncode:
            raise RuntimeError(errors.decode(errors="replace").strip().rpartition("\n")[2])


PLAIN = Engines()
"""For tests and programs without a compiler."""
