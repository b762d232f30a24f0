"""Statements for the operator: implements `Registry`."""

from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from threefold.live.store import PAGE, BanRow, PersonListing, PersonRow, TableListing
from threefold.storage import schema as t
from threefold.storage.sql import Sql
from threefold.storage.tables import table_row

_guests = sa.select(sa.func.count()).where(t.visits.c.table_id == t.tables.c.id).scalar_subquery()
_tables_of = sa.select(sa.func.count()).where(t.visits.c.person == t.people.c.id).scalar_subquery()
TABLE_ORDERS: dict[str, Any] = {
    "touched": t.tables.c.touched.desc(),
    "opened": t.tables.c.opened.desc(),
    "code": t.tables.c.code,
    "game": t.tables.c.game,
    "people": _guests.desc(),
}
PEOPLE_ORDERS: dict[str, Any] = {
    "seen": t.people.c.seen.desc(),
    "made": t.people.c.made.desc(),
    "name": sa.func.lower(t.people.c.name),
    "tables": _tables_of.desc(),
}


class SqlRegistry(Sql):
    """What the operator searches and changes."""

    async def find_tables(self, search: str, order: str, page: int) -> tuple[list[TableListing], int]:
        where = ~t.tables.c.closed
        for word in search.split():
            where &= sa.or_(
                t.tables.c.code.contains(word.upper(), autoescape=True),
                t.tables.c.game.contains(word.lower(), autoescape=True),
            )
        query = sa.select(t.tables, _guests.label("guests")).where(where).order_by(TABLE_ORDERS[order], t.tables.c.id)
        rows = await self.read(query.limit(PAGE).offset(PAGE * page))
        total = await self.read(sa.select(sa.func.count()).select_from(t.tables).where(where))
        return [TableListing(table_row(row), row.guests) for row in rows], int(total[0][0])

    async def find_people(self, search: str, order: str, page: int) -> tuple[list[PersonListing], int]:
        where: Any = sa.true()
        for word in search.split():
            where &= sa.func.lower(t.people.c.name).contains(word.lower(), autoescape=True)
        query = sa.select(t.people, _tables_of.label("tables")).where(where)
        rows = await self.read(query.order_by(PEOPLE_ORDERS[order], t.people.c.id).limit(PAGE).offset(PAGE * page))
        total = await self.read(sa.select(sa.func.count()).select_from(t.people).where(where))
        people = [PersonListing(PersonRow(row.id, row.name, row.made, row.seen), row.tables) for row in rows]
        return people, int(total[0][0])

    async def bans(self) -> list[BanRow]:
        return [BanRow(*row) for row in await self.read(sa.select(t.bans).order_by(t.bans.c.made.desc()))]

    async def add_ban(self, row: BanRow) -> None:
        same = t.bans.c.person == row.person if row.person is not None else t.bans.c.address == row.address
        await self.change(sa.delete(t.bans).where(same), sa.insert(t.bans).values(asdict(row)))

    async def lift_ban(self, ban: str) -> bool:
        return await self.change(sa.delete(t.bans).where(t.bans.c.id == ban)) == 1

    async def end_bans(self, before: int) -> int:
        return await self.change(sa.delete(t.bans).where(t.bans.c.until < before))

    async def agree(self, name: str, value: str, *, insist: bool = False) -> str:
        query = sa.select(t.facts.c.value).where(t.facts.c.name == name)
        known = await self.read(query)
        if known and (known[0].value == value or not insist):
            return str(known[0].value)
        try:
            await self.change(
                sa.delete(t.facts).where(t.facts.c.name == name), sa.insert(t.facts).values(name=name, value=value)
            )
        except sa.exc.IntegrityError:  # another process was first
            return str((await self.read(query))[0].value)
        return value
