"""Thought: how a search found its move, as data: enough to find it again, and why it is the best.

The reason comes from the roll-outs alone: what they showed for the move that was made is compared with what they showed
for the best of the other moves. `advice.py` turns it into sentences.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from threefold.karma.bot_view import Edition, KarmaView, Moves
from threefold.karma.moves import PLAY, first_of, what_of
from threefold.karma.notation import format_move
from threefold.karma.rollouts import LOST

SEARCH: Final = 1
"""The version of the search: another one finds other moves, so that earlier searches cannot be repeated."""
EQUAL: Final = "equal"
"""The reason where the roll-outs cannot tell two moves apart."""
NEARLY_OUT: Final = 3
"""Whoever has no more cards than this may be out soon."""
CLEARLY: Final = 2.0
"""Standard errors from which on a difference counts."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What the roll-outs of one move showed, added up."""

    tried: int
    lost: int
    """In parts of a game; a whole one is `LOST`."""
    stopped: int
    """How often somebody else had to pick up before the player's next turn."""
    picked_up: int
    """How often the player picked up later."""

    @property
    def loses(self) -> float:
        """The share of the roll-outs that the player lost."""
        return self.lost / (LOST * self.tried)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What one move lost, and how much less than the first one in the same redeals, added up, in parts of a game."""

    tried: int
    lost: int
    gained: int
    squares: int
    """Of what was gained in each redeal."""

    @property
    def loses(self) -> float:
        """The share of the roll-outs that the player lost."""
        return self.lost / (LOST * self.tried)

    @property
    def gain(self) -> float:
        """By how much this share is lower than with the first move."""
        return self.gained / (LOST * self.tried)

    @property
    def error(self) -> float:
        """The standard error of the gain; never 0."""
        mean = self.gained / self.tried
        return math.sqrt(max(0.0, self.squares - self.gained * mean) + LOST * float(LOST)) / (LOST * self.tried)


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search: the index of its move, how many redeals it tried, and a tally for each move."""

    index: int
    redeals: int
    tallies: Sequence[Tally]


def thought_of(edition: Edition, view: KarmaView, moves: Moves, found: Found, rollouts: int) -> dict[str, Any] | None:
    """The thought behind a move; None if there was no choice.

    `percent` is how many games in a hundred the move saves, compared with `instead`, the best of the others; 0 if the
    roll-outs cannot tell them apart.
    """
    if not found.tallies:
        return None
    best = found.tallies[found.index]
    others = [i for i in range(moves.count) if i != found.index and found.tallies[i].tried]
    thought = {"search": SEARCH, "rollouts": rollouts, "redeals": found.redeals, "why": EQUAL, "percent": 0}
    if not others:  # cards that nobody knows
        return thought
    other = min(others, key=lambda i: found.tallies[i].loses)
    second = found.tallies[other]
    saves = second.loses - best.loses
    if saves > error(best.loses, best.tried, second.loses, second.tried):
        thought |= {"why": why(edition, moves, found, other), "percent": max(1, round(100 * saves))}
    return {**thought, "instead": format_move(edition, moves.move[other]), "near": near(view)}


def near(view: KarmaView) -> int:
    """How many other players may be out soon."""
    seats = [view.seat_of[player] for player in range(view.players) if player != view.player]
    return sum(0 < view.cards_left[seat] <= NEARLY_OUT for seat in seats)


def why(edition: Edition, moves: Moves, found: Found, other: int) -> str:
    """The clearest difference between the move and the best of the others."""
    best, second = found.tallies[found.index], found.tallies[other]
    if is_karma_play(edition, moves.move[other]) and not is_karma_play(edition, moves.move[found.index]):
        return "keeps_karma"
    differences = {
        "stops": clearness(best.stopped, best.tried, second.stopped, second.tried),
        "picks_up_less": clearness(second.picked_up, second.tried, best.picked_up, best.tried),
    }
    clearest = max(differences, key=differences.__getitem__)
    return clearest if differences[clearest] > CLEARLY else "loses_less"


def is_karma_play(edition: Edition, move: int) -> bool:
    """Does the move play karma cards?"""
    return what_of(move) == PLAY and edition.number[first_of(move)] == 0


def clearness(one: int, of_one: int, two: int, of_two: int) -> float:
    """By how many standard errors something happened more often the first time."""
    return (one / of_one - two / of_two) / error(one / of_one, of_one, two / of_two, of_two)


def error(one: float, of_one: int, two: float, of_two: int) -> float:
    """The standard error of the difference between two shares, or of counts that are seldom more than one."""
    share = min(0.5, (one * of_one + two * of_two + 1) / (of_one + of_two + 2))
    return math.sqrt(share * (1 - share) * (1 / of_one + 1 / of_two))
