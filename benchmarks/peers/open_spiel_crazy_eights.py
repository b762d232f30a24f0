"""Crazy Eights for four players in OpenSpiel, three ways. A move is a decision; cards dealt are not counted.

python     the state is driven from Python: legal_actions, apply_action, chance outcomes drawn in Python
bots       whole games inside C++: evaluate_bots with its uniform random bots; nothing is read from Python
rollouts   playouts inside C++ without bots, as its tree search makes them: MCTSBot with two simulations, each so many
           roll-outs of RandomRolloutEvaluator, from one position after the deal

C++ does not tell how long those games were: it is the mean of a sample, of the bots' own games or from that position.
"""

import random
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks.peers.contestant import Chunk, serve

pyspiel: Any = import_module("pyspiel")  # there in the peers' environment alone
pick = random.Random(1)  # noqa: S311 (no secret)

PLAYERS = 4
ROLLOUTS = 500
SIMULATIONS = 2  # its search needs a second one to have a move to answer
SAMPLE = 2000

GAME = pyspiel.load_game(f"crazy_eights(players={PLAYERS})")


def play_in_python(state: Any) -> int:
    """Plays to the end; the number of decisions."""
    moves = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(pick.choices(outcomes, chances)[0])
        else:
            state.apply_action(pick.choice(state.legal_actions()))
            moves += 1
    return moves


def with_bots() -> Callable[[], Chunk]:
    """Whole games between C++ bots. The length of the first games is counted, and holds for the ones after."""
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(PLAYERS)]
    seeds = iter(range(sys.maxsize))

    def game() -> Any:
        state = GAME.new_initial_state()
        pyspiel.evaluate_bots(state, bots, next(seeds))
        return state

    games = [game() for _ in range(SAMPLE)]
    length = sum(each.player >= 0 for state in games for each in state.full_history()) / SAMPLE

    def play() -> Chunk:
        for _ in range(ROLLOUTS):
            game()
        return round(ROLLOUTS * length), ROLLOUTS

    return play


def with_rollouts() -> Callable[[], Chunk]:
    """Playouts of the evaluator from one position after the deal."""
    state = GAME.new_initial_state()
    while state.is_chance_node():
        state.apply_action(pick.choice(state.legal_actions()))
    length = sum(play_in_python(state.clone()) for _ in range(SAMPLE)) / SAMPLE
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = pyspiel.MCTSBot(GAME, evaluator, 2.0, SIMULATIONS, 1, False, 1, False)  # noqa: FBT003 (its parameters have no names)

    def play() -> Chunk:
        bot.step(state)
        return round(SIMULATIONS * ROLLOUTS * length), SIMULATIONS * ROLLOUTS

    return play


if __name__ == "__main__":
    ways = {
        "python": lambda: lambda: (play_in_python(GAME.new_initial_state()), 1),
        "bots": with_bots,
        "rollouts": with_rollouts,
    }
    serve(ways[sys.argv[1]]())
