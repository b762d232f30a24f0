"""Roll-outs: a search tries every legal move in many redeals and plays each to its end. Compiled and plain.

A redeal is tried with all moves that are left, so moves are compared in the same worlds: by how much less the player
loses than with the move that `sharp` would make, the usual one. Moves that fall clearly behind are dropped early, and
after each round the worse half (sequential halving). In a roll-out everybody plays by the weights of `sharp`; the
others by rows of a population of similar players, drawn anew for each redeal. The usual move is made unless another one
gains more than one standard error (the guard).
"""

import math
from dataclasses import dataclass
from typing import Annotated, Final

from threefold.clauses import helper
from threefold.karma.bot_view import UNSEEN, KarmaView, look_round
from threefold.karma.bots.sharp import WEIGHTS, weighed_move
from threefold.karma.moves import FLIP, PICK_UP, first_of, move_of, what_of
from threefold.karma.powers import (
    CHANGE_SEATS,
    DRAW_CARDS,
    EXCHANGE_HANDS,
    ROTATE_HANDS,
    ROTATE_SEATS,
    code_of,
)
from threefold.karma.redeal import Pool, copy_table, deal_hidden, lay_out
from threefold.karma.table import MOVES, OVER, SEATS, Edition, Moves, Table, Tape
from threefold.karma.turn import first_awaited, list_moves, make_move
from threefold.shuffle import Random, below, random_from

POPULATION: Final = 32
SPREAD: Final = 0.5
MOST_MOVES: Final = 350
"""A roll-out of more moves is stopped; whoever still holds cards then loses with the same chance."""
PICKS_UP: Final = move_of(PICK_UP, 0, 0, 0)
LOST: Final = 27_720
"""A game lost, in parts that any number of players up to twelve can share."""


BACK_IN: Final = (ROTATE_SEATS, ROTATE_HANDS, EXCHANGE_HANDS, CHANGE_SEATS, DRAW_CARDS)
"""Powers that can bring a player back who is out. Others could, but the players of roll-outs never use them so."""
MORE_FOR_SURE: Final = 1.5
"""Standard errors that it takes beyond the patience of a search to make a move at once."""


@dataclass(slots=True)
class Search:
    """The state of one search."""

    weights: Annotated[list[list[int]], (POPULATION, len(WEIGHTS))]  # row 0 is `sharp`
    plays_like: Annotated[list[int], (SEATS,)]  # player -> row of weights, in this redeal
    others_vary: int
    player_varies: int
    patience: int  # a move that is so many standard errors (in tenths) short of the least gain is dropped
    least_gain: int  # in percent of a game
    out_for_good: int  # nothing brings a player back who is out
    tried: Annotated[list[int], (MOVES,)]  # by move: in how many redeals
    lost: Annotated[list[int], (MOVES,)]  # by move: how much was lost in all its roll-outs
    gained: Annotated[list[int], (MOVES,)]  # by move: how much less than with the usual move in the same redeals
    squares: Annotated[list[int], (MOVES,)]  # the sum of the squares of these differences
    stopped: Annotated[list[int], (MOVES,)]  # how often somebody else had to pick up before the player's next turn
    picked_up: Annotated[list[int], (MOVES,)]  # how often the player picked up later
    left: Annotated[list[int], (MOVES,)]  # the moves that are left: the first one, then the others, the best first
    left_count: int
    redeals: int


def population() -> list[list[int]]:
    """`sharp`, and players like it: each weight is multiplied by a factor that is usually between a half and two."""
    random = random_from("v1:population", "weights")

    def factor() -> float:
        normal = sum(below(random, 1_000_001) for _ in range(12)) / 1_000_000 - 6
        return math.exp(SPREAD * normal)

    varied = [[round(weight * factor()) for weight in WEIGHTS] for _ in range(POPULATION - 1)]
    return [list(WEIGHTS), *varied]


@helper
def usual_move(e: Edition, v: KarmaView, moves: Moves, s: Search) -> int:
    """The index of the move that `sharp` would make."""
    usual = weighed_move(e, v, moves, s.weights[0])
    i = 0
    while moves.move[i] != usual:
        i += 1
    return i


@helper
def begin_search(e: Edition, v: KarmaView, moves: Moves, first: int, t: Table, pool: Pool, s: Search) -> None:
    """Lays out what is known. All moves are left; of several cards that nobody knows, one is as good as another.

    The others are compared with the `first` move. Where there are no moves, the position itself takes its place.
    """
    lay_out(e, v, t, pool)
    s.out_for_good = is_out_for_good(e)
    s.left[0] = first
    s.left_count = 1
    flips_unseen = moves.count > 0 and is_unseen(v, moves.move[first])
    for i in range(moves.count):
        unseen = is_unseen(v, moves.move[i])
        if i != first and not (unseen and flips_unseen):
            s.left[s.left_count] = i
            s.left_count += 1
        flips_unseen = flips_unseen or unseen
    forget_redeals(s, moves.count)


@helper
def is_unseen(v: KarmaView, move: int) -> bool:
    """Does the move flip a card that the player does not know?"""
    return what_of(move) == FLIP and v.face_down[v.own_seat][first_of(move)] == UNSEEN


@helper
def keep_two(s: Search, moves: int, other: int) -> None:
    """Goes on with the first move and one other, and forgets what was seen so far."""
    s.left[1] = other
    s.left_count = 2
    forget_redeals(s, moves)


@helper
def forget_redeals(s: Search, moves: int) -> None:
    """Nothing has been seen of any move yet."""
    s.redeals = 0
    for i in range(max(1, moves)):
        s.tried[i] = 0
        s.lost[i] = 0
        s.gained[i] = 0
        s.squares[i] = 0
        s.stopped[i] = 0
        s.picked_up[i] = 0


@helper
def is_out_for_good(e: Edition) -> int:
    """1 if no card of the edition can bring back a player who is out."""
    for kind in range(e.kinds):
        for i in range(e.powers_of[kind]):
            if code_of(e.powers[kind][i]) in BACK_IN:
                return 0
    return 1


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
    """Tries all moves that are left in some redeals. Where there are no moves, the position itself is the first.

    `known` is the table of `begin_search`; the tape has no room.
    """
    for _ in range(redeals):
        copy_table(e, known, world)
        deal_hidden(e, v, world, pool, random)
        for player in range(v.players):
            varies = s.player_varies if player == v.player else s.others_vary
            s.plays_like[player] = below(random, POPULATION) if varies else 0
        first_lost = 0
        for k in range(s.left_count):
            i = s.left[k]
            copy_table(e, world, trial)
            if moves.count > 0:
                make_move(e, trial, tape, v.player, moves.move[i])
            lost = roll_out(e, trial, listed, seen, tape, s, v.player, i)
            if k == 0:
                first_lost = lost
            s.tried[i] += 1
            s.lost[i] += lost
            s.gained[i] += first_lost - lost
            s.squares[i] += (first_lost - lost) * (first_lost - lost)
        s.redeals += 1


@helper
def roll_out(e: Edition, t: Table, listed: Moves, seen: KarmaView, tape: Tape, s: Search, player: int, i: int) -> int:
    """Plays a table to its end, or until the player is out for good; how much the player has lost by move `i`."""
    made = 0
    others_moved = False
    moved_again = False
    while t.awaits != OVER and made < MOST_MOVES and not (s.out_for_good and t.out[player]):
        awaited = first_awaited(t)
        list_moves(e, t, awaited, listed)
        move = listed.move[0]
        if listed.count > 1:
            look_round(e, t, awaited, seen)
            move = weighed_move(e, seen, listed, s.weights[s.plays_like[awaited]])
        if awaited != player:
            others_moved = True
            if move == PICKS_UP and not moved_again:
                s.stopped[i] += 1
        else:
            moved_again = others_moved
            if move == PICKS_UP:
                s.picked_up[i] += 1
        make_move(e, t, tape, awaited, move)
        made += 1
    if t.awaits == OVER:
        return LOST if t.loser == player else 0
    holders = 0
    for each in range(t.players):
        holders += 0 if t.out[each] else 1
    return 0 if t.out[player] or holders == 0 else LOST // holders


@helper
def spread(s: Search, i: int) -> float:
    """The standard error of what a move gained in all redeals together; never 0."""
    mean = s.gained[i] / s.redeals
    return math.sqrt(max(0.0, s.squares[i] - s.gained[i] * mean) + LOST * float(LOST))


@helper
def drop_hopeless(s: Search) -> None:
    """Drops the moves that can hardly gain enough any more; the usual move, if the only other one is clearly better."""
    kept = 1
    for k in range(1, s.left_count):
        i = s.left[k]
        if s.gained[i] + s.patience / 10.0 * spread(s, i) >= s.redeals * s.least_gain * LOST / 100.0:
            s.left[kept] = i
            kept += 1
    s.left_count = kept
    if kept == 2 and s.gained[s.left[1]] > (s.patience / 10.0 + MORE_FOR_SURE) * spread(s, s.left[1]):
        s.left[0] = s.left[1]
        s.left_count = 1


@helper
def halve(s: Search) -> None:
    """Sorts the other moves that are left, the best first, and drops the worse half of all; the usual one stays."""
    for k in range(2, s.left_count):
        i = s.left[k]
        at = k
        while at > 1 and s.gained[i] > s.gained[s.left[at - 1]]:
            s.left[at] = s.left[at - 1]
            at -= 1
        s.left[at] = i
    s.left_count = (s.left_count + 1) // 2 if s.left_count > 2 else s.left_count


@helper
def best_move(s: Search) -> int:
    """The move that gained most, if that is more than a standard error; else the usual one."""
    best = s.left[0]
    for k in range(1, s.left_count):
        i = s.left[k]
        if s.gained[i] > s.gained[best] and s.gained[i] > spread(s, i):
            best = i
    return best
