"""What a contestant does: plays when it is told to and says how much it played. Standard library only.

Every contestant is a process of its own, under the environment it needs. It reads a line from standard input (how many
seconds to play), plays, and answers with a line of JSON. The time it gives is processor time, of all its threads
together: what other programs do on the machine at that moment counts for less.
"""

import json
import os
import sys
import time
from collections.abc import Callable

Chunk = tuple[int, int]
"""Moves made and games finished."""

ANSWERS = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # what libraries print goes to standard error


def serve(play: Callable[[], Chunk], prove: Callable[[int], object] | None = None) -> None:
    """Plays for as long as each line says. `prove N` asks what came of N games from the start."""
    play()  # whatever is compiled or filled on first use
    answer("ready")
    for line in sys.stdin:
        if line.startswith("prove") and prove is not None:
            answer(prove(int(line.split()[1])))
        else:
            answer(play_for(float(line), play))


def play_for(seconds: float, play: Callable[[], Chunk]) -> dict[str, float]:
    """Plays at least that long."""
    moves, games = 0, 0
    began = time.process_time()
    while (took := time.process_time() - began) < seconds:
        more_moves, more_games = play()
        moves += more_moves
        games += more_games
    return {"moves": moves, "games": games, "seconds": took}


def answer(what: object) -> None:
    """One line of JSON."""
    print(json.dumps(what), file=ANSWERS, flush=True)
