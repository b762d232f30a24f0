"""Statements about the public list and quick matches: implements `MatchmakingStore`."""

import sqlalchemy as sa

from threefold.storage import schema as t
from threefold.storage.sql import Sql

MATCHES = "matches"
"""The fact whose row is locked while offers are compared, so that concurrent claims run one after the other."""


class SqlMatchmaking(Sql):
    """Keeps the public list and the offers."""

    async def list_table(self, table: str, body: str, expires: int) -> None:
        await self.change(
            sa.delete(t.listings).where(t.listings.c.table_id == table),
            sa.insert(t.listings).values(table_id=table, body=body, expires=expires),
        )

    async def unlist_table(self, table: str) -> None:
        await self.change(sa.delete(t.listings).where(t.listings.c.table_id == table))

    async def listed_tables(self, now: int, limit: int) -> list[str]:
        joined = sa.select(t.listings.c.body).join(t.tables, t.tables.c.id == t.listings.c.table_id)
        valid = joined.where(t.listings.c.expires > now, t.tables.c.listed, ~t.tables.c.closed)
        return [row.body for row in await self.read(valid.order_by(t.tables.c.opened.desc()).limit(limit))]

    async def claim_match(
        self, game: str, person: str, now: int, own: str | None = None, expires: int = 0
    ) -> str | None:
        offers = t.offers.c
        waiting = _codes().where(offers.game == game, offers.person != person, offers.expires > now, ~t.tables.c.closed)
        oldest = waiting.order_by(offers.since, offers.table_id).limit(1)

        def run(connection: sa.Connection) -> str | None:
            connection.execute(sa.update(t.facts).where(t.facts.c.name == MATCHES).values(value=""))
            other = connection.execute(oldest).first()
            since = connection.execute(sa.select(offers.since).where(offers.table_id == own)).scalar()
            gone = [own] if other is None else [own, other.table_id]
            connection.execute(sa.delete(t.offers).where(offers.table_id.in_(gone)))
            if other is not None:
                return str(other.code)
            if own is not None:
                row = {"table_id": own, "game": game, "person": person, "since": since or now, "expires": expires}
                connection.execute(sa.insert(t.offers).values(row))
            return None

        return await self.transact(run)

    async def offer_of(self, game: str, person: str, now: int) -> str | None:
        offers = t.offers.c
        own = _codes().where(offers.game == game, offers.person == person, offers.expires > now, ~t.tables.c.closed)
        rows = await self.read(own)
        return str(rows[0].code) if rows else None

    async def forget_expired(self, now: int) -> None:
        await self.change(*(sa.delete(each).where(each.c.expires <= now) for each in (t.listings, t.offers)))

    async def withdraw_offer(self, table: str) -> None:
        await self.change(sa.delete(t.offers).where(t.offers.c.table_id == table))


def _codes() -> sa.Select[tuple[str, str]]:
    return sa.select(t.offers.c.table_id, t.tables.c.code).join(t.tables, t.tables.c.id == t.offers.c.table_id)
