"""Uno for two players in RLCard: env.step with the observation it always builds, any legal action."""

import random
from importlib import import_module
from typing import Any

from benchmarks.peers.contestant import Chunk, serve

rlcard: Any = import_module("rlcard")  # there in the peers' environment alone
pick = random.Random(1)  # noqa: S311 (no secret)


def play(env: Any) -> Chunk:
    """One game."""
    state, _ = env.reset()
    moves = 0
    while not env.is_over():
        state, _ = env.step(pick.choice(list(state["legal_actions"])))
        moves += 1
    return moves, 1


if __name__ == "__main__":
    uno = rlcard.make("uno", config={"seed": 1})
    serve(lambda: play(uno))
