"""Karma compiled: the same rules through Numba, tables in few bytes, Views and events written as JSON.

Only `threefold.engines` imports this package, as the kit says: it needs NumPy, Numba and msgspec, and the plain Karma
needs none of it.
`python -m threefold.karma.fast` compiles everything into the cache, for processes that start later.
"""

import os
from contextlib import suppress
from pathlib import Path

from threefold.compiling import mark_of, one_at_a_time
from threefold.karma.bot_view import read_view
from threefold.karma.fast.game import FAST_KARMA, FastKarma
from threefold.karma.fast.search import CompiledDesk
from threefold.karma.search import Level, think
from threefold.shuffle import random_from

__all__ = ["FAST_KARMA", "FastKarma", "compile_all", "is_cached", "search_desk", "warm_up"]


def warm_up() -> FastKarma:
    """Calls every entry point once: compiled code is loaded from the cache, and compiled where it is not there."""
    game = FAST_KARMA
    table = game.new({"edition": "classic", "players": 2, "seed": "v1:warm"})
    decision = game.decisions(table)[0]
    step = game.play(table, decision.player, decision.moves[0])
    game.json_views(step.table, (0, None))
    game.json_events(step.events, (0, None))
    return game


def search_desk() -> CompiledDesk:
    """A desk for a search. Only processes that run bots need one."""
    desk = CompiledDesk()
    view = FAST_KARMA.view(FAST_KARMA.new({"edition": "classic", "players": 2, "seed": "v1:warm"}), 0)
    think(desk, Level(1), *read_view(view), random_from("v1:warm"))
    return desk


def is_cached() -> bool:
    """Is everything in the cache, so that warming up takes only a moment?"""
    return _mark().exists()


def compile_all() -> None:
    """Compiles everything into the cache, at the lowest priority."""
    with suppress(AttributeError, OSError):  # Windows has no `nice`, and a hardened service may not call it
        os.nice(19)
    mark = _mark()
    with one_at_a_time(mark):
        if not mark.exists():
            warm_up()
            search_desk()
            mark.touch()


def _mark() -> Path:
    return mark_of("fast", "karma")
