"""Statements about people: implements `PersonStore`."""

from contextlib import suppress

import sqlalchemy as sa

from threefold.live.store import PersonRow, TableRow
from threefold.storage import schema as t
from threefold.storage.sql import Sql
from threefold.storage.tables import table_row


class SqlPeople(Sql):
    """Keeps people, their visits, and their current transfer link."""

    async def add_person(self, row: PersonRow) -> None:
        await self.change(sa.insert(t.people).values(id=row.id, name=row.name, made=row.made, seen=row.seen))

    async def person(self, person: str) -> PersonRow | None:
        rows = await self.read(sa.select(t.people).where(t.people.c.id == person))
        return PersonRow(rows[0].id, rows[0].name, rows[0].made, rows[0].seen) if rows else None

    async def rename_person(self, person: str, name: str, at: int) -> None:
        await self.change(sa.update(t.people).where(t.people.c.id == person).values(name=name, seen=at))

    async def saw(self, person: str, at: int) -> None:
        await self.change(sa.update(t.people).where(t.people.c.id == person).values(seen=at))

    async def set_nonce(self, person: str, nonce: str) -> None:
        await self.change(sa.update(t.people).where(t.people.c.id == person).values(nonce=nonce))

    async def spend_nonce(self, person: str, nonce: str) -> bool:
        valid = sa.and_(t.people.c.id == person, t.people.c.nonce == nonce)
        return await self.change(sa.update(t.people).where(valid).values(nonce=None)) == 1

    async def visit(self, person: str, table: str) -> None:
        visits = t.visits.c
        known = await self.read(sa.select(visits.person).where(visits.person == person, visits.table_id == table))
        if not known:
            with suppress(sa.exc.IntegrityError):  # the same person, on another device at the same moment
                await self.change(sa.insert(t.visits).values(person=person, table_id=table))

    async def visited(self, person: str) -> list[TableRow]:
        joined = sa.select(t.tables).join(t.visits, t.visits.c.table_id == t.tables.c.id)
        query = joined.where(t.visits.c.person == person).order_by(t.tables.c.touched.desc())
        return [table_row(row) for row in await self.read(query)]

    async def forget_person(self, person: str) -> None:
        visited = sa.select(t.visits.c.table_id).where(t.visits.c.person == person)
        await self.change(
            sa.update(t.players).where(t.players.c.person == person).values(person=None, name="–"),
            sa.update(t.bans).where(t.bans.c.person == person).values(name="–"),
            sa.delete(t.listings).where(t.listings.c.table_id.in_(visited)),
            sa.delete(t.offers).where(t.offers.c.person == person),
            sa.delete(t.visits).where(t.visits.c.person == person),
            sa.delete(t.puzzles).where(t.puzzles.c.person == person),
            sa.delete(t.practice).where(t.practice.c.person == person),
            sa.delete(t.people).where(t.people.c.id == person),
        )
