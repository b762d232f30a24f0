"""Karma `beginner`: plays whenever it can, mostly its lowest card, and uses every power, but on anybody.

It knows the rules and what it is after, to get rid of its cards. It has no plan beyond that: one time in three it takes
no care and plays any card that goes, a karma card or half of a pair as well. Its powers hit anybody, whoever is nearly
out. By the time a game has become long, it has learned to be careful.
"""

from typing import Final

from threefold.clauses import helper
from threefold.karma.bot_view import Edition, KarmaView, Moves
from threefold.karma.bots.careful import careful_liking, careful_move
from threefold.karma.bots.random import random_play
from threefold.karma.bots.sense import LONG, is_known_not_to_fit, tries_something_else, worth_keeping
from threefold.karma.moves import (
    CHOOSE_FACE_UP,
    DECLINE,
    END_TURN,
    FLIP,
    PICK_UP,
    PLAY,
    SWAP,
    first_of,
    second_of,
    what_of,
)
from threefold.shuffle import Random, below

CARELESS: Final = 3
"""One time in this many it takes no care."""


@helper
def beginner_move(e: Edition, v: KarmaView, moves: Moves, random: Random) -> int:
    """The move it likes best; any of those it likes the same."""
    if tries_something_else(v, random):
        return random_play(e, v, moves, random)
    if v.turns > LONG:
        return careful_move(e, v, moves, random)
    careless = 1 if below(random, CARELESS) == 0 else 0
    chosen = moves.move[0]
    most = -1
    alike = 0
    for i in range(moves.count):
        liking = beginner_liking(e, v, moves.move[i], careless)
        if liking > most:
            most = liking
            alike = 0
        if liking == most:
            alike += 1
            if below(random, alike) == 0:
                chosen = moves.move[i]
    return chosen


@helper
def beginner_liking(e: Edition, v: KarmaView, move: int, careless: int) -> int:
    """2 or more for what brings it nearer to its end, 1 for doing nothing or picking up, 0 for what does harm."""
    what = what_of(move)
    if what == PICK_UP or what == DECLINE or what == END_TURN:
        return 1
    if what == CHOOSE_FACE_UP or (what == PLAY and careless == 0):
        return careful_liking(e, v, move)
    if what == FLIP:
        return 0 if is_known_not_to_fit(e, v, first_of(move)) else 2
    if what == SWAP:  # a better card goes to the table, where it waits for the end
        return 2 if worth_keeping(e, second_of(move)) > worth_keeping(e, first_of(move)) else 0
    return 2
