"""The SET bots by name: one source for live tables (from the JSON View) and for simulations (from the record)."""

from typing import Final

from threefold.bots.choice import Bot, Choice, View
from threefold.clauses import helper
from threefold.setgame.bot_view import SetView, read_view
from threefold.setgame.bots.human import HUMAN_LEVELS, human_choice
from threefold.setgame.bots.perfect import perfect_choice
from threefold.setgame.bots.random import random_choice
from threefold.setgame.bots.sense import SetChoice
from threefold.setgame.notation import format_move
from threefold.shuffle import Random

RANDOM: Final = 0
PERFECT: Final = 1
HUMAN: Final = 2  # of level 1; the other levels follow
HUMANS: Final = {f"human{level + 1}": HUMAN + level for level in range(HUMAN_LEVELS)}
POLICIES: Final = {"random": RANDOM, **HUMANS, "perfect": PERFECT}
LEVELS: Final = tuple(HUMANS)
"""The bots that people play with, the slowest first; `random` and `perfect` are for simulations."""


@helper
def choose_set_move(policy: int, v: SetView, random: Random, choice: SetChoice) -> None:
    """What a policy wants to do next, and when; nothing, if nothing is open to it."""
    choice.acts = 0
    if policy >= HUMAN:
        human_choice(policy - HUMAN, v, random, choice)
    elif policy == PERFECT:
        perfect_choice(v, random, choice)
    else:
        random_choice(v, random, choice)


def set_bot(policy: int) -> Bot:
    """The policy as a player at a table: it gets the JSON View that everyone gets, and nothing else."""

    def bot(view: View, random: Random) -> Choice | None:
        choice = SetChoice(0, 0, 0)
        choose_set_move(policy, read_view(view), random, choice)
        return Choice(format_move(choice.move), choice.after_ms) if choice.acts else None

    return bot
