"""The value of a position to one player: the share of games that the player loses from there on.

It is estimated by roll-outs from what the player could know (`look`), so cards that the player cannot know do not
matter. At a decision, every move is tried in the same redeals. A move that looks better than the one that was made is
tried again in fresh redeals, so that the best of many estimates is not taken for a better move by luck.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from threefold.karma.bot_view import UNSEEN, Edition, KarmaView, Moves, look
from threefold.karma.moves import FLIP, first_of, what_of
from threefold.karma.notation import format_move
from threefold.karma.rollouts import is_out_for_good
from threefold.karma.search import Desk
from threefold.karma.table import OVER, Table
from threefold.karma.thoughts import Comparison
from threefold.karma.turn import list_moves
from threefold.records import blank
from threefold.shuffle import Random

WORTH_A_LOOK: Final = 1.0
"""Standard errors of a gain from which on a move is tried again."""
CLEARLY: Final = 2.5
"""Standard errors of its second gain from which on a move counts as better."""
SECOND_LOOK: Final = 2
"""The second trial has this many times the redeals of the first."""


@dataclass(frozen=True, slots=True)
class Position:
    """What one player could know before a move, and that player's legal moves if the player is about to make one."""

    edition: Edition
    view: KarmaView
    moves: Moves
    made: int
    """The index of the move that the player made; 0 if the player made none."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice between several moves: what was made, and what was clearly better, if anything was."""

    made: str
    best: str
    error: float
    """By how much more often the player loses than with the best move; 0 within the noise."""
    noise: float
    """The standard error of that difference."""


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a position, in games lost."""

    usual: float
    """If an ordinary player goes on."""
    made: float
    """If the player makes the move that was made, and ordinary players go on."""
    decision: Decision | None = None
    """None where the player had no choice."""

    @property
    def best(self) -> float:
        """If the player makes the best move: the value before the decision."""
        return self.made - (0.0 if self.decision is None else self.decision.error)


def position(table: Table, player: int, move: int | None) -> Position | None:
    """The position as the player knew it; None if cards are on their way that only another player knows.

    `move` is the move that this player is about to make, as a number; None: somebody else moves.
    """
    edition, view, moves = table.deal.edition, blank(KarmaView), blank(Moves)
    look(edition, table, player, view)
    if view.giving == UNSEEN:
        return None
    made = 0
    if move is not None:
        list_moves(edition, table, player, moves)
        listed = moves.move[: moves.count]
        if move in listed:
            made = listed.index(move)
        else:  # an offer that anyone may make at any time
            moves.count = 0
    return Position(edition, view, moves, made)


def outcome(table: Table, player: int) -> float | None:
    """1 if the player has lost, 0 if the player can lose no more; None while that is open."""
    if table.awaits == OVER:
        return float(table.loser == player)
    return 0.0 if table.out[player] and is_out_for_good(table.deal.edition) else None


def value(desk: Desk, seen: Position, redeals: int, random: Random) -> Value:
    """The value of a position, from this many redeals."""
    moves = seen.moves
    if moves.count < 2:
        moves.count = 0  # a forced move is part of the roll-out
        desk.compare(seen.edition, seen.view, moves, 0, random)
        desk.try_redeals(redeals, drops=False)
        loses = desk.comparisons(1)[0].loses
        return Value(loses, loses)
    usual = desk.compare(seen.edition, seen.view, moves, seen.made, random)
    desk.try_redeals(redeals, drops=False)
    first = desk.comparisons(moves.count)
    usual_loses = first[_tried(seen, first, usual)].loses
    others = [i for i, each in enumerate(first) if each.tried and i != seen.made]
    made = first[seen.made].loses
    other = max(others, key=lambda i: first[i].gain, default=None)
    if other is None:
        return Value(usual_loses, made)
    best, noise, error = seen.made, first[other].error, 0.0
    if first[other].gain > WORTH_A_LOOK * first[other].error:
        desk.keep_two(other)
        desk.try_redeals(SECOND_LOOK * redeals, drops=False)
        second = desk.comparisons(moves.count)
        made, noise = second[seen.made].loses, second[other].error
        if usual in (seen.made, other):
            usual_loses = second[usual].loses
        if second[other].gain > CLEARLY * noise:
            best, error = other, second[other].gain
    names = [format_move(seen.edition, moves.move[i]) for i in (seen.made, best)]
    return Value(usual_loses, made, Decision(names[0], names[1], error, noise))


def _tried(seen: Position, tried: Sequence[Comparison], index: int) -> int:
    """The move that was tried in the place of this one: of cards that nobody knows, only one is flipped."""
    if tried[index].tried:
        return index
    return next(
        i
        for i, each in enumerate(tried)
        if each.tried
        and what_of(move := seen.moves.move[i]) == FLIP
        and seen.view.face_down[seen.view.own_seat][first_of(move)] == UNSEEN
    )
