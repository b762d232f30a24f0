"""Bots: programs that play. A bot gets a View and returns a move; it never sees a Table."""

from threefold.bots.characters import Character
from threefold.bots.choice import Bot, Choice, View
from threefold.game import Json
from threefold.shuffle import Random, below

__all__ = ["Bot", "Character", "Choice", "View", "any_legal_move"]


def any_legal_move(view: View, random: Random) -> Choice | None:
    """Any of the listed legal moves, each as likely as the others, in any game."""
    moves: list[Json] = view["moves"]
    return Choice(moves[below(random, len(moves))]) if moves else None
