"""The Karma bots by name: one source for live tables (from the JSON View) and for simulations (from the record)."""

from typing import Final

from threefold.bots.choice import Bot, Choice, View
from threefold.clauses import helper
from threefold.karma.bot_view import Edition, KarmaView, Moves, read_view
from threefold.karma.bots.beginner import beginner_move
from threefold.karma.bots.careful import careful_move
from threefold.karma.bots.random import random_move
from threefold.karma.bots.sharp import sharp_move
from threefold.karma.moves import CHOOSE_FACE_UP, CHOOSE_PLAYER, PICK_UP, what_of
from threefold.karma.notation import format_move
from threefold.shuffle import Random

RANDOM: Final = 0
CAREFUL: Final = 1
SHARP: Final = 2
BEGINNER: Final = 3
POLICIES: Final = {"random": RANDOM, "beginner": BEGINNER, "careful": CAREFUL, "sharp": SHARP}
LEVELS: Final = ("beginner", "careful", "sharp")
"""The policies that people play with, the weakest first; `random` is for simulations. `search.py` adds two levels."""

A_MOMENT: Final = 900
THINKING: Final = {CHOOSE_FACE_UP: 2_500, CHOOSE_PLAYER: 1_400, PICK_UP: 1_200}
"""How long a person would think before such a move, in milliseconds; before others, a moment."""


@helper
def choose_move(policy: int, e: Edition, v: KarmaView, moves: Moves, random: Random) -> int:
    """The move that a policy makes; there must be a legal one."""
    if policy == SHARP:
        return sharp_move(e, v, moves, random)
    if policy == CAREFUL:
        return careful_move(e, v, moves, random)
    if policy == BEGINNER:
        return beginner_move(e, v, moves, random)
    return random_move(e, v, moves, random)


def karma_bot(policy: int) -> Bot:
    """The policy as a player at a table: it gets the JSON View that everyone gets, and nothing else."""

    def bot(view: View, random: Random) -> Choice | None:
        edition, seen, moves = read_view(view)
        if moves.count == 0:
            return None
        move = choose_move(policy, edition, seen, moves, random)
        return Choice(format_move(edition, move), THINKING.get(what_of(move), A_MOMENT))

    return bot
