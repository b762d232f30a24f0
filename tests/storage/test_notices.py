"""Notices between processes, through a real PostgreSQL."""

import asyncio

from tests.storage.postgres import run_sql
from threefold.storage.postgres.notices import PostgresNotices

CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'threefold notices'"


def test_notices_reach_everybody_in_order_and_again_after_an_interruption(postgresql: str) -> None:
    async def test() -> None:
        one, two = PostgresNotices(postgresql), PostgresNotices(postgresql)
        first, second = asyncio.Queue[str](), asyncio.Queue[str]()
        back = asyncio.Event(), asyncio.Event()
        await one.open(first.put_nowait, back[0].set)
        await two.open(second.put_nowait, back[1].set)
        numbers = [str(number) for number in range(200)]
        for number in numbers:
            one.send([number])
        for queue in (first, second):
            assert [await queue.get() for _ in numbers] == numbers
        await run_sql(postgresql, CUT)
        for each in back:
            await each.wait()
        assert one.listening
        two.send(["after"])
        assert await first.get() == "after"
        two.send(["last"])
        await two.close()
        assert await first.get() == "last"
        await one.close()
        assert (one.listening, two.listening) == (False, False)

    asyncio.run(asyncio.wait_for(test(), 60))
