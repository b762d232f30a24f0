"""Karma `random`: every legal answer is as likely as the others."""

from threefold.clauses import helper
from threefold.karma.bot_view import Edition, KarmaView, Moves
from threefold.shuffle import Random, below


@helper
def random_move(e: Edition, v: KarmaView, moves: Moves, random: Random) -> int:
    """Any of the legal moves."""
    return moves.move[below(random, moves.count)]
