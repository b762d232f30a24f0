"""Threefold's contestants: the general engine, the packed roll-outs and the bound in C, playing the same games.

Four players, Classic, every legal move as likely as the others. A move is one decision of a player; shuffling and
dealing are in the time.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import karma_playouts
from benchmarks.peers import bound
from benchmarks.peers import packed_karma as packed
from benchmarks.peers.contestant import Chunk, serve
from threefold.karma.deal import deal_from
from threefold.shuffle import random_from

PLAYERS = 4
GAMES = 100
SEED = "v1:peers"
SETUP = {"edition": "classic", "players": PLAYERS, "seed": SEED}

Proof = tuple[int, list[int]]
"""Moves made, and the generator after them: as many numbers drawn, and so the same games."""


def general() -> tuple[Callable[[], Chunk], Callable[[int], Proof]]:
    """The engine that plays every edition."""
    edition = deal_from(SETUP).edition
    going = karma_playouts.records(edition, random_from(SEED))

    def prove(games: int) -> Proof:
        fresh = karma_playouts.records(edition, random_from(SEED))
        moves = karma_playouts.play_games_compiled(*fresh, PLAYERS, games)
        return moves, fresh[4][0]["word"].tolist()

    return lambda: (karma_playouts.play_games_compiled(*going, PLAYERS, GAMES), GAMES), prove


def rollouts() -> tuple[Callable[[], Chunk], Callable[[int], Proof]]:
    """The packed roll-outs."""
    going = packed.Rollouts(deal_from(SETUP).edition, PLAYERS, random_from(SEED))

    def prove(games: int) -> Proof:
        fresh = packed.Rollouts(deal_from(SETUP).edition, PLAYERS, random_from(SEED))
        moves = fresh.play(games)
        return moves, fresh.generator()

    return lambda: (going.play(GAMES), GAMES), prove


def in_c(folder: Path) -> tuple[Callable[[], Chunk], Callable[[int], Proof]]:
    """The bound."""
    library = bound.compiled_bound(folder)
    going = bound.Bound(library, random_from(SEED).word)

    def prove(games: int) -> Proof:
        played = bound.Bound(library, random_from(SEED).word).play(bound.CLASSIC, PLAYERS, games)
        return played.moves, list(played.words)

    return lambda: (going.play(bound.CLASSIC, PLAYERS, GAMES).moves, GAMES), prove


if __name__ == "__main__":
    which = sys.argv[1]
    if which == "general":
        serve(*general())
    elif which == "packed":
        serve(*rollouts())
    else:
        serve(*in_c(Path(which)))
