"""The bound: karma_playouts.c, compiled here and called from Python."""

import ctypes
import hashlib
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parent.parent / "karma_playouts.c"
COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-std=c11", "-O3", "-march=native", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")
NO_COMPILER = f"no C compiler ({', '.join(COMPILERS)}) here: the bound is left out"

CLASSIC = (3, 3)
MINI_ROUND = (2, 2)
"""Copies of each kind, and how many identical cards clear."""


class NoCompiler(Exception):
    """The bound cannot be measured here."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of some games."""

    moves: int
    losses: tuple[int, ...]  # by player, and at the end the games that the turn limit stopped
    words: tuple[int, ...]  # the generator after the last game
    trace: tuple[tuple[int, int], ...]  # player and move, as far as was asked for


def compiled_bound(folder: Path) -> Path:
    """Compiles the bound into a folder, unless it was compiled there before."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        raise NoCompiler(NO_COMPILER)
    version = subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout
    name = hashlib.sha256(SOURCE.read_bytes() + version + repr(FLAGS).encode()).hexdigest()[:16]
    library = folder / f"karma_playouts-{name}.so"
    if not library.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([compiler, *FLAGS, "-o", library, SOURCE], check=True)
    return library


class Bound:
    """Random games in C, at a generator of their own."""

    def __init__(self, library: Path, words: Sequence[int]) -> None:
        self._play_games: Any = ctypes.CDLL(str(library)).play_games
        self._play_games.restype = ctypes.c_int64
        self._words = (ctypes.c_uint32 * 4)(*words)

    def play(
        self, edition: tuple[int, int], players: int, games: int, *, turn_limit: int = 0, trace: int = 0
    ) -> Played:
        """Plays so many games, and writes down the first moves of them."""
        losses = (ctypes.c_int64 * (players + 1))()
        rows = (ctypes.c_int64 * (2 * trace))()
        limit, number, room = (ctypes.c_int64(each) for each in (turn_limit, games, trace))
        moves = self._play_games(*edition, players, limit, number, self._words, losses, rows, room)
        written = list(rows)[: 2 * moves]
        trace_of = tuple(zip(written[::2], written[1::2], strict=True))
        return Played(moves, tuple(losses), tuple(self._words), trace_of)
