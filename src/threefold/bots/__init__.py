"""Bots: programs that play. A bot gets a View and returns a move; it never sees a Table."""

from threefold.bots.choice import Bot, Choice, View
from threefold.bots.karma import POLICIES as KARMA_POLICIES
from threefold.bots.karma import karma_bot
from threefold.bots.setgame import POLICIES as SET_POLICIES
from threefold.bots.setgame import set_bot
from threefold.game import Json
from threefold.shuffle import Random, below

__all__ = ["BOTS", "Bot", "Choice", "View", "any_legal_move"]


def any_legal_move(view: View, random: Random) -> Choice | None:
    """Any of the listed legal moves, each as likely as the others, in any game."""
    moves: list[Json] = view["moves"]
    return Choice(moves[below(random, len(moves))]) if moves else None


BOTS: dict[str, dict[str, Bot]] = {
    "karma": {name: karma_bot(policy) for name, policy in KARMA_POLICIES.items()},
    "set": {name: set_bot(policy) for name, policy in SET_POLICIES.items()},
}
"""Game -> name -> bot."""
