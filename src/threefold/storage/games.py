"""Statements about finished games: implements `GameStore`."""

import json
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from threefold.live.store import ANY_GAME, GameFilter, GameRow, PlayerRow, ResultRow
from threefold.storage import schema as t
from threefold.storage.sql import Sql

IS_RECORDED = sa.select(t.games.c.id).where(t.games.c.id == sa.bindparam("id"))
ADD_GAME = sa.insert(t.games)
ADD_PLAYERS = sa.insert(t.players)


class SqlGames(Sql):
    """Records finished games and lists them."""

    async def record_game(self, row: GameRow) -> None:
        game = asdict(row)
        players = [
            {**each, "game_id": row.id, "figures": None if each["figures"] is None else json.dumps(each["figures"])}
            for each in game.pop("players")
        ]
        game |= {"table_id": game.pop("table"), "ending": json.dumps(row.ending)}

        def record(connection: sa.Connection) -> None:
            if connection.execute(IS_RECORDED, {"id": row.id}).first() is None:
                connection.execute(ADD_GAME, game)
                connection.execute(ADD_PLAYERS, players)

        with suppress(sa.exc.IntegrityError):  # another process has recorded it at the same moment
            await self.transact(record)

    async def game(self, game: str) -> GameRow | None:
        rows = await self._games(sa.select(t.games).where(t.games.c.id == game))
        return rows[0] if rows else None

    async def games_of(
        self, person: str, limit: int = 200, offset: int = 0, wanted: GameFilter = ANY_GAME
    ) -> list[GameRow]:
        own = sa.select(t.players.c.game_id).where(t.players.c.person == person)
        if wanted.result is not None:
            own = own.where(t.players.c.result == wanted.result)
        query = sa.select(t.games).where(t.games.c.id.in_(own))
        for column, value in ((t.games.c.game, wanted.game), (t.games.c.what, wanted.what)):
            query = query if value is None else query.where(column == value)
        if wanted.since is not None:
            query = query.where(t.games.c.ended >= wanted.since)
        if wanted.until is not None:
            query = query.where(t.games.c.ended < wanted.until)
        latest_first = query.order_by(t.games.c.ended.desc(), t.games.c.id)
        return await self._games(latest_first.limit(limit).offset(offset))

    async def results_of(self, person: str) -> list[ResultRow]:
        g, p = t.games.c, t.players.c
        columns = sa.select(g.id, g.game, g.what, g.began, g.ended, p.result, p.score, p.figures)
        query = columns.join(t.players, p.game_id == g.id).where(p.person == person).order_by(g.ended, g.id)
        return [
            ResultRow(r.id, r.game, r.what, r.began, r.ended, r.result, r.score, json.loads(r.figures or "null"))
            for r in await self.read(query)
        ]

    async def _games(self, query: sa.Select[Any]) -> list[GameRow]:
        """The games that a query selects, with their players."""
        rows = await self.read(query)
        if not rows:
            return []
        players: dict[str, list[PlayerRow]] = {row.id: [] for row in rows}
        theirs = sa.select(t.players).where(t.players.c.game_id.in_(players)).order_by(t.players.c.player)
        for each in await self.read(theirs):
            players[each.game_id].append(PlayerRow(each.player, each.person, each.name, each.result, each.score))
        return [
            GameRow(
                row.id, row.table_id, row.number, row.game, row.what, row.rules, row.began, row.ended,
                row.first_seq, row.last_seq, json.loads(row.ending), players[row.id],
            )
            for row in rows
        ]  # fmt: skip
