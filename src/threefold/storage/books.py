"""The two changes that every game brings, as SQLite takes them at once: a busy server makes them all the time."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from threefold.storage import schema as t

_dialect = sqlite.dialect(paramstyle="named")


def _text(statement: sa.UpdateBase) -> str:
    return str(statement.compile(dialect=_dialect))


TOUCH = _text(
    sa.update(t.tables)
    .where(t.tables.c.id == sa.bindparam("table"), ~t.tables.c.closed)
    .values(touched=sa.bindparam("at"), playing=sa.bindparam("plays"))
)
GAME = _text(sqlite.insert(t.games).on_conflict_do_nothing())
PLAYER = _text(sqlite.insert(t.players).on_conflict_do_nothing())

Statement = tuple[str, Mapping[str, Any]]


def touched(table: str, at: int, *, playing: bool) -> Statement:
    """Notes that something happened at a table that is open."""
    return TOUCH, {"table": table, "at": at, "plays": playing}


def recorded(game: Mapping[str, Any], players: list[dict[str, Any]]) -> list[Statement]:
    """Notes a finished game, once."""
    return [(GAME, game), *((PLAYER, each) for each in players)]
