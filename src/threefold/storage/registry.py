"""What the operator looks through and changes: tables and people by the page, bans, and facts all must agree on."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from threefold.live.store import BanRow, FoundPerson, FoundTable, PersonRow, TableRow
from threefold.storage import schema as t

PAGE = 25
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


class Registry(ABC):
    """The operator's part of a database."""

    @abstractmethod
    async def _read(self, statement: sa.Select[Any]) -> Sequence[Any]:
        """Rows."""

    @abstractmethod
    async def _change(self, *statements: sa.Executable) -> int:
        """Changes in one transaction."""

    async def find_tables(self, search: str, order: str, page: int) -> tuple[list[FoundTable], int]:
        """One page of the open tables whose code or game contains the words, and how many there are."""
        where = ~t.tables.c.closed
        for word in search.split():
            where &= sa.or_(
                t.tables.c.code.contains(word.upper(), autoescape=True),
                t.tables.c.game.contains(word.lower(), autoescape=True),
            )
        wanted = sa.select(t.tables, _guests.label("guests")).where(where).order_by(TABLE_ORDERS[order], t.tables.c.id)
        rows = await self._read(wanted.limit(PAGE).offset(PAGE * page))
        total = await self._read(sa.select(sa.func.count()).select_from(t.tables).where(where))
        found = [
            FoundTable(
                TableRow(
                    row.id,
                    row.code,
                    row.game,
                    listed=row.listed,
                    opened=row.opened,
                    touched=row.touched,
                    playing=row.playing,
                    closed=row.closed,
                ),
                row.guests,
            )
            for row in rows
        ]
        return found, int(total[0][0])

    async def find_people(self, search: str, order: str, page: int) -> tuple[list[FoundPerson], int]:
        """One page of the people whose name contains the words, and how many there are."""
        where: Any = sa.true()
        for word in search.split():
            where &= sa.func.lower(t.people.c.name).contains(word.lower(), autoescape=True)
        wanted = sa.select(t.people, _tables_of.label("tables")).where(where)
        rows = await self._read(wanted.order_by(PEOPLE_ORDERS[order], t.people.c.id).limit(PAGE).offset(PAGE * page))
        total = await self._read(sa.select(sa.func.count()).select_from(t.people).where(where))
        found = [FoundPerson(PersonRow(row.id, row.name, row.made, row.seen), row.tables) for row in rows]
        return found, int(total[0][0])

    async def saw(self, person: str, at: int) -> None:
        """Notes that somebody is there."""
        await self._change(sa.update(t.people).where(t.people.c.id == person).values(seen=at))

    async def bans(self) -> list[BanRow]:
        """All bans, the latest first."""
        rows = await self._read(sa.select(t.bans).order_by(t.bans.c.made.desc()))
        return [
            BanRow(
                row.id,
                row.person,
                row.address,
                row.name,
                row.words,
                row.made,
                row.until,
                addresses_too=row.addresses_too,
            )
            for row in rows
        ]

    async def add_ban(self, row: BanRow) -> None:
        """Somebody, or an address, is to stay away; an older ban of the same is replaced."""
        same = t.bans.c.person == row.person if row.person is not None else t.bans.c.address == row.address
        await self._change(
            sa.delete(t.bans).where(same),
            sa.insert(t.bans).values(
                id=row.id,
                person=row.person,
                address=row.address,
                name=row.name,
                words=row.words,
                made=row.made,
                until=row.until,
                addresses_too=row.addresses_too,
            ),
        )

    async def lift_ban(self, ban: str) -> bool:
        """A ban is no more; False if there was none."""
        return await self._change(sa.delete(t.bans).where(t.bans.c.id == ban)) == 1

    async def end_bans(self, before: int) -> int:
        """Bans that have run out are forgotten; how many."""
        return await self._change(sa.delete(t.bans).where(t.bans.c.until < before))

    async def agree(self, name: str, value: str, *, insist: bool = False) -> str:
        """What all processes on this database hold for true of something: the first to say it decides."""
        fact = sa.select(t.facts.c.value).where(t.facts.c.name == name)
        known = await self._read(fact)
        if known and (known[0][0] == value or not insist):
            return str(known[0][0])
        try:
            await self._change(
                sa.delete(t.facts).where(t.facts.c.name == name), sa.insert(t.facts).values(name=name, value=value)
            )
        except sa.exc.IntegrityError:  # another process was first
            return str((await self._read(fact))[0][0])
        return value
