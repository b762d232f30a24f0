"""Karma at the second speed. Entry points take arrays of records and an index; they trust their moves."""

from typing import Any

import numpy as np

from threefold.compiling import compiler, record_type, to_records
from threefold.karma import playouts, turn
from threefold.karma.table import Edition, Moves, Table, Tape
from threefold.shuffle import Random

EDITION = record_type(Edition)
TABLE = record_type(Table)
MOVES = record_type(Moves)
TAPE = record_type(Tape)
RANDOM = record_type(Random)

_compiled = compiler("karma")


@_compiled
def list_moves(es: Any, ts: Any, i: int, player: int, ms: Any) -> int:
    """Lists a player's legal moves; how many there are."""
    turn.list_moves(es[0], ts[i], player, ms[0])
    count: int = ms[0].count
    return count


@_compiled
def make_move(es: Any, ts: Any, i: int, tapes: Any, player: int, move: int) -> None:
    """Makes a legal move."""
    turn.make_move(es[0], ts[i], tapes[0], player, move)


@_compiled
def first_awaited(ts: Any, i: int) -> int:
    """Who moves next."""
    player: int = turn.first_awaited(ts[i])
    return player


@_compiled
def shuffle_and_deal(es: Any, ts: Any, i: int, rs: Any, players: int) -> None:
    """A new game."""
    playouts.shuffle_and_deal(es[0], ts[i], rs[0], players)


@_compiled
def is_conserved(es: Any, ts: Any, i: int) -> bool:
    """Are all cards where cards can be?"""
    kept: bool = playouts.is_conserved(es[0], ts[i])
    return kept


@_compiled
def play_games(es: Any, ts: Any, ms: Any, tapes: Any, rs: Any, players: int, games: int) -> int:
    """Many random games; how many moves were made."""
    made: int = playouts.play_games(es, ts, ms, tapes, rs, players, games)
    return made


def blank_tables(count: int) -> Any:
    """Room for tables."""
    return np.zeros(count, TABLE)


def blank_moves() -> Any:
    """Room for the legal moves of one decision."""
    return np.zeros(1, MOVES)


def blank_tape(room: int = 0) -> Any:
    """A tape; without room nothing is written on it."""
    tape = np.zeros(1, TAPE)
    tape["room"] = room
    return tape


def edition_records(edition: Edition) -> Any:
    """An edition as compiled code reads it."""
    return to_records([edition])


def random_records(random: Random) -> Any:
    """A generator as compiled code reads it."""
    return to_records([random])
