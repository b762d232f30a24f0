"""Counting sequences of moves at the second speed: an entry point of its own, over the engine's own rules."""

from typing import Any

from threefold.compiling import compiler
from threefold.karma import turn
from threefold.karma.table import OVER


@compiler("karma")
def count_sequences(es: Any, ts: Any, ints: Any, ms: Any, tapes: Any, depth: int) -> int:
    """How many sequences of `depth` moves there are from the first table; the others are room to work in."""
    e, tape = es[0], tapes[0]
    count = 0
    at = 0
    next_move = [0] * depth
    players = [0] * depth
    entered = True
    while at >= 0:
        if entered:
            next_move[at] = 0
            ms[at].count = 0
            if ts[at].awaits != OVER:
                players[at] = turn.first_awaited(ts[at])
                turn.list_moves(e, ts[at], players[at], ms[at])
            if at == depth - 1:
                count += ms[at].count
                next_move[at] = ms[at].count
        if next_move[at] < ms[at].count:
            ints[at + 1, :] = ints[at, :]
            turn.make_move(e, ts[at + 1], tape, players[at], ms[at].move[next_move[at]])
            next_move[at] += 1
            at += 1
            entered = True
        else:
            at -= 1
            entered = False
    return count
