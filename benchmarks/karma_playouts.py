"""Whole games by players who choose any legal move, as fast as the engine goes; in the same source for both speeds."""

from typing import Any

import numpy as np

from threefold.clauses import helper
from threefold.compiling import compiler, record_type, to_records
from threefold.karma.simulation.deal import shuffle_and_deal
from threefold.karma.table import OVER, Edition, Moves, Table, Tape
from threefold.karma.turn import first_awaited, list_moves, make_move
from threefold.shuffle import Random, below


@helper
def play_out(e: Edition, t: Table, moves: Moves, tape: Tape, random: Random) -> int:
    """Plays a game to its end, every legal move as likely as the others; returns how many moves were made."""
    made = 0
    while t.awaits != OVER:
        player = first_awaited(t)
        list_moves(e, t, player, moves)
        make_move(e, t, tape, player, moves.move[below(random, moves.count)])
        made += 1
    return made


@helper
def play_games(
    es: list[Edition],
    ts: list[Table],
    ms: list[Moves],
    tapes: list[Tape],
    rs: list[Random],
    players: int,
    games: int,
) -> int:
    """Plays many games, one after the other at one table; returns how many moves were made."""
    made = 0
    for _ in range(games):
        shuffle_and_deal(es[0], ts[0], rs[0], players)
        made += play_out(es[0], ts[0], ms[0], tapes[0], rs[0])
    return made


@compiler("karma", "simulation", module=__name__)
def play_games_compiled(es: Any, ts: Any, ms: Any, tapes: Any, rs: Any, players: int, games: int) -> int:
    """`play_games`, compiled."""
    made: int = play_games(es, ts, ms, tapes, rs, players, games)
    return made


def records(edition: Edition, random: Random) -> tuple[Any, Any, Any, Any, Any]:
    """The first five arguments of `play_games_compiled`; the tape has no room, so that it stays empty."""
    blank = [np.zeros(1, record_type(each)) for each in (Table, Moves, Tape)]
    return to_records([edition]), blank[0], blank[1], blank[2], to_records([random])
