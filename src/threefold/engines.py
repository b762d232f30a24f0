"""Engines: which speed a game runs at. Decided when the game starts, by asking `for_new_game`; nothing is swapped.

A server that wants the compiled Karma calls `warm_up`. Compiling takes half a minute of processor time, so a child
process of low priority does it once, into the compiler's cache; a thread then loads it in half a second. Any failure
leaves all games plain.
"""

import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, Literal

from threefold.game import Game
from threefold.games import GAMES

Speed = Literal["plain", "compiled"]

COMPILE = (sys.executable, "-m", "threefold.karma.fast")
"""The child process that fills the cache."""


class Engines:
    """The engines of one server: plain until a fast one is ready, for the games that start after that."""

    def __init__(self) -> None:
        self._fast: dict[str, Game[Any]] = {}
        self._warm_up: WarmUp | None = None

    def for_new_game(self, name: str) -> Game[Any]:
        """The engine for a game that starts now."""
        return self._fast.get(name, GAMES[name])

    def speed(self, name: str) -> Speed:
        """The speed of games that start now."""
        return "compiled" if name in self._fast else "plain"

    def add_fast(self, game: Game[Any]) -> None:
        """From now on new games of this name run on this engine; running games stay on theirs."""
        self._fast[game.name] = game

    def warm_up(self, on_result: Callable[[str], None]) -> None:
        """Gets the compiled Karma ready in the background. `on_result` hears "compiled" or "plain: <reason>".

        It is called in the background thread.
        """
        self._warm_up = WarmUp(self.add_fast, on_result)

    def stop(self) -> None:
        """Gives up a warm-up that is still running; nobody hears of it any more."""
        if self._warm_up is not None:
            self._warm_up.stop()


class WarmUp:
    """One attempt to get the compiled Karma ready, in a thread of its own."""

    def __init__(self, add_fast: Callable[[Game[Any]], None], on_result: Callable[[str], None]) -> None:
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
        from threefold.karma import fast  # noqa: PLC0415 (needs NumPy and Numba, which a server may not have)

        if not fast.is_cached():
            self._compile()
        if not self._stopped:
            fast.warm_up()
            self._add_fast(fast.FAST_KARMA)

    def _compile(self) -> None:
        with self._lock:
            if self._stopped:
                return
            self._child = subprocess.Popen(COMPILE, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)  # noqa: S603 (our own)
        _, errors = self._child.communicate()
        if self._child.returncode:
            raise RuntimeError(errors.decode(errors="replace").strip().rpartition("\n")[2])


PLAIN = Engines()
"""For tests and programs without a compiler."""
