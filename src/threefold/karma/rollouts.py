"""Roll-outs: a search tries every legal move in many redeals and plays each to its end. Compiled and plain.

A redeal is tried with all moves that are left, so moves are compared in the same worlds. After each round the worse
half is dropped (sequential halving). In a roll-out everybody plays by the weights of `sharp`; the others by rows of a
population of similar players, drawn anew for each redeal. The move of `sharp` is kept unless another one is better by
more than one standard error (the guard).
"""

import math
from dataclasses import dataclass
from typing import Annotated, Final

from threefold.clauses import helper
from threefold.karma.bot_view import KarmaView, look_round
from threefold.karma.bots.sharp import WEIGHTS, weighed_move
from threefold.karma.redeal import Pool, copy_table, deal_hidden, lay_out
from threefold.karma.table import MOVES, OVER, SEATS, Edition, Moves, Table, Tape
from threefold.karma.turn import first_awaited, list_moves, make_move
from threefold.shuffle import Random, below, random_from

POPULATION: Final = 32
SPREAD: Final = 0.5
MOST_MOVES: Final = 350
"""A roll-out of more moves is stopped; whoever still holds cards then loses with the same chance."""
LOST: Final = 27_720
"""A game lost, in parts that any number of players up to twelve can share."""


@dataclass(slots=True)
class Search:
    """The state of one search."""

    weights: Annotated[list[list[int]], (POPULATION, len(WEIGHTS))]  # row 0 is `sharp`
    plays_like: Annotated[list[int], (SEATS,)]  # player -> row of weights, in this redeal
    others_vary: int
    lost: Annotated[list[int], (MOVES,)]  # by move: how much was lost in all roll-outs
    tried: Annotated[list[int], (MOVES,)]
    left: Annotated[list[int], (MOVES,)]  # the moves that are left, the best first
    left_count: int
    usual: int  # the move of `sharp`
    rollouts: int


def population() -> list[list[int]]:
    """`sharp`, and players like it: each weight is multiplied by a factor that is usually between a half and two."""
    random = random_from("v1:population", "weights")

    def factor() -> float:
        normal = sum(below(random, 1_000_001) for _ in range(12)) / 1_000_000 - 6
        return math.exp(SPREAD * normal)

    varied = [[round(weight * factor()) for weight in WEIGHTS] for _ in range(POPULATION - 1)]
    return [list(WEIGHTS), *varied]


@helper
def begin_search(e: Edition, v: KarmaView, moves: Moves, t: Table, pool: Pool, s: Search) -> None:
    """Lays out what is known; all moves are left."""
    lay_out(e, v, t, pool)
    usual = weighed_move(e, v, moves, s.weights[0])
    for i in range(moves.count):
        s.lost[i] = 0
        s.tried[i] = 0
        s.left[i] = i
        if moves.move[i] == usual:
            s.usual = i
    s.left_count = moves.count
    s.rollouts = 0


@helper
def try_redeals(
    e: Edition,
    v: KarmaView,
    moves: Moves,
    known: Table,
    world: Table,
    trial: Table,
    listed: Moves,
    seen: KarmaView,
    tape: Tape,
    pool: Pool,
    s: Search,
    random: Random,
    redeals: int,
) -> None:
    """Tries all moves that are left in some redeals. `known` is the table of `begin_search`; the tape has no room."""
    for _ in range(redeals):
        copy_table(e, known, world)
        deal_hidden(e, v, world, pool, random)
        for player in range(v.players):
            s.plays_like[player] = below(random, POPULATION) if s.others_vary and player != v.player else 0
        for k in range(s.left_count):
            i = s.left[k]
            copy_table(e, world, trial)
            make_move(e, trial, tape, v.player, moves.move[i])
            s.lost[i] += roll_out(e, trial, listed, seen, tape, s, v.player)
            s.tried[i] += 1
            s.rollouts += 1


@helper
def roll_out(e: Edition, t: Table, listed: Moves, seen: KarmaView, tape: Tape, s: Search, player: int) -> int:
    """Plays a table to its end; how much this player has lost."""
    made = 0
    while t.awaits != OVER and made < MOST_MOVES:
        awaited = first_awaited(t)
        list_moves(e, t, awaited, listed)
        move = listed.move[0]
        if listed.count > 1:
            look_round(e, t, awaited, seen)
            move = weighed_move(e, seen, listed, s.weights[s.plays_like[awaited]])
        make_move(e, t, tape, awaited, move)
        made += 1
    if t.awaits == OVER:
        return LOST if t.loser == player else 0
    holders = 0
    for each in range(t.players):
        holders += 0 if t.out[each] else 1
    return 0 if t.out[player] or holders == 0 else LOST // holders


@helper
def halve(s: Search) -> None:
    """Sorts the moves that are left, the best first and the usual one first among equals; drops the worse half."""
    for k in range(1, s.left_count):
        i = s.left[k]
        at = k
        while at > 0 and is_better(s, i, s.left[at - 1]):
            s.left[at] = s.left[at - 1]
            at -= 1
        s.left[at] = i
    s.left_count = (s.left_count + 1) // 2


@helper
def is_better(s: Search, one: int, two: int) -> bool:
    """Was less lost with this move than with the other?"""
    first = s.lost[one] * s.tried[two]
    second = s.lost[two] * s.tried[one]
    return first < second or (first == second and one == s.usual)


@helper
def best_move(s: Search) -> int:
    """The best move, if it is better than the usual one by more than a standard error; else the usual one."""
    best = s.left[0]
    if best == s.usual:
        return best
    n = s.tried[best]
    m = s.tried[s.usual]
    gain = s.lost[s.usual] / (LOST * m) - s.lost[best] / (LOST * n)
    share = ((s.lost[best] + s.lost[s.usual]) / LOST + 1.0) / (n + m + 2.0)
    variance = share * (1.0 - share) * (1.0 / n + 1.0 / m)
    return best if gain > 0.0 and gain * gain > variance else s.usual
