"""Statements about tables: implements `TableStore`."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from threefold.live.store import CodeTaken, TableRow
from threefold.storage import schema as t
from threefold.storage.sql import Sql

_THIS = t.tables.c.id == sa.bindparam("table")
TOUCH = (
    sa.update(t.tables)
    .where(_THIS, ~t.tables.c.closed)
    .values(touched=sa.bindparam("at"), playing=sa.bindparam("is_playing"))
)
"""Built once: every game runs it twice, and building a statement costs more than running it."""
CLOSE = sa.update(t.tables).where(_THIS).values(touched=sa.bindparam("at"), playing=False, listed=False, closed=True)


def table_row(row: Any) -> TableRow:
    """A table from a row of the database."""
    return TableRow(row.id, row.code, row.game, row.listed, row.opened, row.touched, row.playing, row.closed)


class SqlTables(Sql):
    """Creates tables, finds them, and deletes old ones."""

    async def add_table(self, row: TableRow, first: str) -> None:
        entry = {"table_id": row.id, "seq": 1, "body": first}
        try:
            await self.change(sa.insert(t.tables).values(asdict(row)), sa.insert(t.log).values(entry))
        except sa.exc.IntegrityError:
            raise CodeTaken(row.code) from None

    async def table(self, code: str) -> TableRow | None:
        rows = await self.read(sa.select(t.tables).where(t.tables.c.code == code))
        return table_row(rows[0]) if rows else None

    async def tables(self, *, listed: bool = False, playing: bool = False, limit: int = 100) -> list[TableRow]:
        query = sa.select(t.tables).where(~t.tables.c.closed)
        if listed:
            query = query.where(t.tables.c.listed)
        if playing:
            query = query.where(t.tables.c.playing)
        return [table_row(row) for row in await self.read(query.order_by(t.tables.c.touched.desc()).limit(limit))]

    async def running(self, tables: Sequence[str]) -> list[str]:
        query = sa.select(t.tables.c.code).where(t.tables.c.playing, ~t.tables.c.closed, t.tables.c.id.in_(tables))
        return [row.code for row in await self.read(query)]

    async def still_open(self, tables: Sequence[str]) -> set[str]:
        query = sa.select(t.tables.c.id).where(~t.tables.c.closed, t.tables.c.id.in_(tables))
        return {row.id for row in await self.read(query)}

    async def touch(self, table: str, at: int, *, playing: bool, closed: bool = False) -> None:
        if closed:
            await self.transact(lambda connection: connection.execute(CLOSE, {"table": table, "at": at}))
        else:
            values = {"table": table, "at": at, "is_playing": playing}
            await self.transact(lambda connection: connection.execute(TOUCH, values))

    async def relist(self, table: str, *, listed: bool) -> None:
        await self.change(sa.update(t.tables).where(t.tables.c.id == table).values(listed=listed))

    async def expire(self, before: int, keep_games_after: int) -> int:
        old = sa.and_(t.tables.c.touched < before, ~t.tables.c.closed)
        await self.change(sa.update(t.tables).where(old).values(closed=True, playing=False, listed=False))
        old_games = sa.select(t.games.c.id).where(t.games.c.ended < keep_games_after)
        await self.change(
            sa.delete(t.players).where(t.players.c.game_id.in_(old_games)),
            sa.delete(t.games).where(t.games.c.ended < keep_games_after),
        )
        empty = sa.select(t.tables.c.id).where(
            t.tables.c.closed,
            t.tables.c.touched < before,
            ~t.tables.c.id.in_(sa.select(t.games.c.table_id)),
        )
        return await self.change(
            sa.delete(t.log).where(t.log.c.table_id.in_(empty)),
            sa.delete(t.visits).where(t.visits.c.table_id.in_(empty)),
            sa.delete(t.tables).where(t.tables.c.id.in_(empty)),
        )
