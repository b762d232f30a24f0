"""Karma compiled: the same rules through Numba, tables in few bytes, Views and events written as JSON.

Only `threefold.engines` imports this package, as the kit says: it needs NumPy, Numba and msgspec, and the plain Karma
needs none of it.
`python -m threefold.karma.fast` compiles everything into the cache, for processes that start later.
"""

import os
from contextlib import suppress
from pathlib import Path

from threefold.compiling import mark_of, one_at_a_time
from threefold.karma.fast.game import FAST_KARMA, FastKarma

__all__ = ["FAST_KARMA", "FastKarma", "compile_all", "is_cached", "warm_up"]


def warm_up() -> FastKarma:
    """Calls every entry point once: compiled code is loaded from the cache, and compiled where it is not there."""
    game = FAST_KARMA
    table = game.new({"edition": "classic", "players": 2, "seed": "v1:warm"})
    decision = game.decisions(table)[0]
    step = game.play(table, decision.player, decision.moves[0])
    game.json_views(step.table, (0, None))
    game.json_events(step.events, (0, None))
    return game


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
            mark.touch()


def _mark() -> Path:
    return mark_of("fast", "karma")
