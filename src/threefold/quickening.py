"""Quickening: a server that runs gets the compiled Karma ready beside its play, and begins its next games with it.

Compiling takes half a minute of a processor, so it is done once, by a process of low priority, and remembered; loading
what is remembered takes half a second in a thread. Whatever goes wrong leaves everything as it was: plain.
"""

import subprocess
import sys
import threading
from collections.abc import Callable

from threefold.games import GAMES

COMPILE = (sys.executable, "-m", "threefold.karma.served")


class Quickening:
    """Gets the compiled game ready. `told` hears what came of it: "compiled", or why it stays plain."""

    def __init__(self, told: Callable[[str], None]) -> None:
        self._told = told
        self._child: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._quicken, name="quickening", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Nobody waits for it any more."""
        self._stopped = True
        if self._child is not None:
            self._child.terminate()
        self._thread.join()

    def _quicken(self) -> None:
        try:
            self._load()
        except Exception as problem:  # noqa: BLE001 (no compiler, no room for its cache, anything: games are played plain)
            told = f"plain: {type(problem).__name__}: {problem}"
        else:
            told = "compiled"
        if not self._stopped:
            self._told(told)

    def _load(self) -> None:
        from threefold.karma import served  # noqa: PLC0415 (a server without a compiler has everything else)

        if not served.is_remembered():
            self._child = subprocess.Popen(COMPILE, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)  # noqa: S603 (our own)
            _, words = self._child.communicate()
            if self._child.returncode:
                raise RuntimeError(words.decode(errors="replace").strip().rpartition("\n")[2])
        if not self._stopped:
            served.warm()
            GAMES[served.SERVED.name] = served.SERVED
