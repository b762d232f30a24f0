"""The bots' policies compiled: the move of a player at a compiled table. A policy gets the view, never the table."""

from typing import Any

import numpy as np

from threefold.compiling import compiler, record_type
from threefold.karma import bot_view, turn
from threefold.karma import bots as karma
from threefold.karma.bot_view import KarmaView
from threefold.setgame import bot_view as set_bot_view
from threefold.setgame import bots as setgame
from threefold.setgame.bot_view import SetView
from threefold.setgame.bots.sense import SetChoice

_compiled = compiler("karma", "setgame")


@_compiled
def choose_karma(es: Any, ts: Any, i: int, ms: Any, vs: Any, rs: Any, player: int, policy: int) -> int:
    """The move that a policy makes for an awaited player of Karma."""
    bot_view.look(es[0], ts[i], player, vs[0])
    turn.list_moves(es[0], ts[i], player, ms[0])
    move: int = karma.choose_move(policy, es[0], vs[0], ms[0], rs[0])
    return move


@_compiled
def choose_set(rules: Any, ts: Any, i: int, vs: Any, rs: Any, choices: Any, player: int, policy: int) -> None:
    """What a policy wants to do next at a table of SET."""
    set_bot_view.look(rules[0], ts[i], player, vs[0])
    setgame.choose_set_move(policy, vs[0], rs[0], choices[0])


def blank_karma_view() -> Any:
    """Room for what a player of Karma knows."""
    return np.zeros(1, record_type(KarmaView))


def blank_set_view() -> Any:
    """Room for what a player of SET knows."""
    return np.zeros(1, record_type(SetView))


def blank_set_choice() -> Any:
    """Room for what a player of SET wants to do."""
    return np.zeros(1, record_type(SetChoice))
