"""Statements about puzzles and practice: implements `SoloStore`."""

from contextlib import suppress
from dataclasses import replace

import sqlalchemy as sa

from threefold.live.store import PracticeRow, PuzzleRow
from threefold.storage import schema as t
from threefold.storage.sql import Sql

PUZZLE = sa.select(t.puzzles.c.kind, t.puzzles.c.day, t.puzzles.c.began, t.puzzles.c.milliseconds, t.puzzles.c.solved)


class SqlSolo(Sql):
    """Records puzzle and practice results."""

    async def look_at_puzzle(self, person: str, kind: str, day: str, at: int) -> PuzzleRow:
        this = sa.and_(t.puzzles.c.person == person, t.puzzles.c.kind == kind, t.puzzles.c.day == day)
        rows = await self.read(PUZZLE.where(this))
        if not rows:
            try:
                await self.change(sa.insert(t.puzzles).values(person=person, kind=kind, day=day, began=at))
            except sa.exc.IntegrityError:  # the same person, on another device at the same moment
                return await self.look_at_puzzle(person, kind, day, at)
            return PuzzleRow(kind, day, at)
        row = PuzzleRow(*rows[0])
        if row.milliseconds is None and at < row.began:
            await self.change(sa.update(t.puzzles).where(this, t.puzzles.c.began > at).values(began=at))
            return replace(row, began=at)
        return row

    async def solve_puzzle(self, person: str, row: PuzzleRow) -> None:
        this = sa.and_(t.puzzles.c.person == person, t.puzzles.c.kind == row.kind, t.puzzles.c.day == row.day)
        unsolved = sa.update(t.puzzles).where(this, t.puzzles.c.milliseconds.is_(None))
        await self.change(unsolved.values(milliseconds=row.milliseconds, solved=row.solved))

    async def puzzles_of(self, person: str) -> list[PuzzleRow]:
        query = PUZZLE.where(t.puzzles.c.person == person).order_by(t.puzzles.c.day, t.puzzles.c.kind)
        return [PuzzleRow(*row) for row in await self.read(query)]

    async def times_of_puzzle(self, kind: str, day: str) -> list[int]:
        p = t.puzzles.c
        query = sa.select(p.milliseconds).where(p.day == day, p.kind == kind, p.milliseconds.is_not(None))
        return [milliseconds for (milliseconds,) in await self.read(query.order_by(p.milliseconds))]

    async def practise(self, person: str, differing: int, milliseconds: int, asked: int) -> None:
        p = t.practice.c
        this = sa.and_(p.person == person, p.differing == differing)
        best = sa.case((p.best_ms > milliseconds, milliseconds), else_=p.best_ms)
        sums = {"count": p.count + 1, "total_ms": p.total_ms + milliseconds, "best_ms": best, "asked": asked}
        if await self.change(sa.update(t.practice).where(this, p.asked < asked).values(sums)):
            return
        first = {"count": 1, "total_ms": milliseconds, "best_ms": milliseconds, "asked": asked}
        with suppress(sa.exc.IntegrityError):  # this layout, or a later one, is already counted
            await self.change(sa.insert(t.practice).values(person=person, differing=differing, **first))

    async def practice_of(self, person: str) -> list[PracticeRow]:
        query = sa.select(t.practice).where(t.practice.c.person == person).order_by(t.practice.c.differing)
        return [PracticeRow(*row[1:]) for row in await self.read(query)]
