"""Karma's rules compiled: one entry point for each question that tests ask, over arrays of records and an index."""

from typing import Any

import numpy as np

from tests.karma import conservation
from threefold.compiling import compiler, record_type, to_records
from threefold.karma import turn
from threefold.karma.simulation import deal
from threefold.karma.table import Edition, Moves, Table, Tape
from threefold.shuffle import Random

_compiled = compiler("karma", module=conservation.__name__)


@_compiled
def list_moves(es: Any, ts: Any, i: int, player: int, ms: Any) -> int:
    """Lists a player's legal moves; returns how many there are."""
    turn.list_moves(es[0], ts[i], player, ms[0])
    count: int = ms[0].count
    return count


@_compiled
def make_move(es: Any, ts: Any, i: int, tapes: Any, player: int, move: int) -> None:
    """Makes a legal move."""
    turn.make_move(es[0], ts[i], tapes[0], player, move)


@_compiled
def first_awaited(ts: Any, i: int) -> int:
    """The player who moves next."""
    player: int = turn.first_awaited(ts[i])
    return player


@_compiled
def shuffle_and_deal(es: Any, ts: Any, i: int, rs: Any, players: int) -> None:
    """A new game."""
    deal.shuffle_and_deal(es[0], ts[i], rs[0], players)


@_compiled
def is_conserved(es: Any, ts: Any, i: int) -> bool:
    """Is every card of the deck somewhere?"""
    conserved: bool = conservation.is_conserved(es[0], ts[i])
    return conserved


def blank_tables(count: int) -> Any:
    """Room for tables."""
    return np.zeros(count, record_type(Table))


def blank_moves() -> Any:
    """Room for the legal moves of one decision."""
    return np.zeros(1, record_type(Moves))


def blank_tape(room: int = 0) -> Any:
    """A tape; without room nothing is written on it."""
    tape = np.zeros(1, record_type(Tape))
    tape["room"] = room
    return tape


def edition_records(edition: Edition) -> Any:
    """An edition as compiled code reads it."""
    return to_records([edition])


def random_records(random: Random) -> Any:
    """A generator as compiled code reads it."""
    return to_records([random])
