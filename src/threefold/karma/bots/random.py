"""Karma `random`: every legal answer is as likely as the others."""

from threefold.clauses import helper
from threefold.karma.bot_view import Edition, KarmaView, Moves
from threefold.karma.moves import PICK_UP, what_of
from threefold.shuffle import Random, below


@helper
def random_move(e: Edition, v: KarmaView, moves: Moves, random: Random) -> int:
    """Any of the legal moves."""
    return moves.move[below(random, moves.count)]


@helper
def random_play(e: Edition, v: KarmaView, moves: Moves, random: Random) -> int:
    """Any of the legal moves; picking up the pile only where there is nothing else to do."""
    chosen = moves.move[0]
    others = 0
    for i in range(moves.count):
        if what_of(moves.move[i]) != PICK_UP:
            others += 1
            if below(random, others) == 0:
                chosen = moves.move[i]
    return chosen
