"""SET's rules compiled: one entry point for each question that tests ask, over arrays of records and an index."""

from typing import Any

import numpy as np

from threefold.compiling import compiler, record_type, to_records
from threefold.setgame import refusals, turn
from threefold.setgame.simulation import deal
from threefold.setgame.table import Table, Tape, Variant
from threefold.shuffle import Random

_compiled = compiler("setgame")


@_compiled
def make_move(vs: Any, ts: Any, i: int, tapes: Any, player: int, move: int, at: int) -> None:
    """Makes a move that was accepted."""
    turn.make_move(vs[0], ts[i], tapes[0], player, move, at)


@_compiled
def refusal(vs: Any, ts: Any, i: int, player: int, move: int, at: int) -> int:
    """The code of the refusal of a move; 0 if it is accepted."""
    why: int = refusals.refusal(vs[0], ts[i], player, move, at)
    return why


@_compiled
def shuffle_and_deal(vs: Any, ts: Any, i: int, tapes: Any, rs: Any, players: int) -> None:
    """Shuffles and deals a new game."""
    deal.shuffle_and_deal(vs[0], ts[i], tapes[0], rs[0], players)


def blank_tables(count: int) -> Any:
    """Zeroed table records."""
    return np.zeros(count, record_type(Table))


def blank_tape(room: int = 0) -> Any:
    """An empty tape; with `room=0` it records nothing."""
    tape = np.zeros(1, record_type(Tape))
    tape["room"] = room
    return tape


def variant_records(variant: Variant) -> Any:
    """A variant as an array of one record."""
    return to_records([variant])


def random_records(random: Random) -> Any:
    """A generator as an array of one record."""
    return to_records([random])
