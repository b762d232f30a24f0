"""SET: the games of the sheets, and modes of this project, as one rules engine.

The module implements the protocol `threefold.game.Game` in plain Python, without NumPy. Every move carries `at`, the
time at which it was accepted.
"""

import sys
from collections.abc import Mapping
from typing import cast

from threefold.fields import a_text, an_object
from threefold.game import Game, IllegalMove, Json, Step
from threefold.records import copied
from threefold.setgame.cards import format_cards
from threefold.setgame.checks import checked
from threefold.setgame.deal import deal_from, dealt
from threefold.setgame.decisions import anytime, decisions, ending
from threefold.setgame.events import read_tape
from threefold.setgame.positions import parse_position
from threefold.setgame.search import easiest, sets_of
from threefold.setgame.table import NONE, Table, open_tape
from threefold.setgame.turn import make_move
from threefold.setgame.view import open_view, state, view

__all__ = [
    "SET",
    "Table",
    "anytime",
    "card_names",
    "decisions",
    "ending",
    "explain",
    "hint",
    "new",
    "open_view",
    "play",
    "players",
    "setup",
    "state",
    "view",
]

name = "set"
rules_version = 2
timed = True


def new(setup: Mapping[str, Json]) -> Table:
    """Sets a table up: `new({"variant": "full", "players": 4, "seed": "v1:abc"})`, or lays out a `position`."""
    if "position" in setup:
        an_object(setup, "setup", ("position",))
        return parse_position(a_text(setup["position"], "position"))
    return dealt(deal_from(setup))


def setup(table: Table) -> dict[str, Json]:
    """The complete set-up of a table, including the seed and the first dealer."""
    return dict(table.deal.setup)


def players(table: Table) -> int:
    """The number of players the table was set up for, including those who have left."""
    return table.players


def card_names(table: Table) -> dict[str, str]:
    """SET has no cards that players designed."""
    return {}


def play(table: Table, player: int | None, move: str, at: int | None = None) -> Step[Table]:
    """Makes a move on a copy of the table and returns the copy; `table` itself does not change."""
    number, time = checked(table, player, move, at)
    after = copied(table)
    tape = open_tape()
    make_move(table.deal.variant, after, tape, NONE if player is None else player, number, time)
    return Step(after, read_tape(after, tape))


def explain(table: Table, player: int | None, move: str, at: int | None = None) -> IllegalMove | None:
    """The refusal that `play` would raise for this move, or None. Nothing changes."""
    try:
        checked(table, player, move, at)
    except IllegalMove as refused:
        return refused
    return None


def hint(table: Table, player: int, count: int = 1) -> list[str]:
    """The first `count` cards of the easiest SET that the player could take; empty if there is no SET."""
    return format_cards(list(easiest(sets_of(table.deal.variant, table, player), count)))


SET = cast("Game[Table]", sys.modules[__name__])
"""This module as a `Game`."""
