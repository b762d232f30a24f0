"""Leduc Hold'em in PettingZoo: agent_iter, last and step with the wrappers that env() puts on, any legal action."""

import random
from importlib import import_module
from typing import Any

from benchmarks.peers.contestant import Chunk, serve

leduc_holdem: Any = import_module("pettingzoo.classic.leduc_holdem_v4")  # there in the peers' environment alone
pick = random.Random(1)  # noqa: S311 (no secret)


def play(env: Any) -> Chunk:
    """One game."""
    env.reset()
    moves = 0
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
        else:
            env.step(int(pick.choice(observation["action_mask"].nonzero()[0])))
            moves += 1
    return moves, 1


if __name__ == "__main__":
    leduc = leduc_holdem.env()
    leduc.reset(seed=1)
    serve(lambda: play(leduc))
