"""One at a time through a table, at once or in turn."""

import asyncio

import pytest

from threefold.live.repeats import FORGOTTEN, REMEMBERED, Repeats
from threefold.live.turnstile import Turnstile


def test_who_finds_it_free_goes_through_at_once_and_nobody_who_waits_is_overtaken() -> None:
    async def test() -> None:
        turnstile, order = Turnstile(), list[int]()
        assert turnstile.take()
        assert not turnstile.take()

        async def through(number: int) -> None:
            async with turnstile:
                order.append(number)
                await asyncio.sleep(0)

        waiting = [asyncio.create_task(through(i)) for i in range(5)]
        await asyncio.sleep(0)
        turnstile.release()
        assert not turnstile.take(), "it is the first one's who waits"
        await asyncio.gather(*waiting)
        assert order == [0, 1, 2, 3, 4]
        assert turnstile.take()

    asyncio.run(test())


def test_who_waits_no_longer_does_not_hold_up_the_others() -> None:
    async def test() -> None:
        turnstile, came = Turnstile(), list[int]()

        async def through(number: int) -> None:
            async with turnstile:
                came.append(number)

        assert turnstile.take()
        first, second, third = (asyncio.create_task(through(i)) for i in range(3))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        turnstile.release()  # the second's now
        second.cancel()  # who has not noticed yet
        await asyncio.gather(first, second, third, return_exceptions=True)
        assert came == [2]
        assert turnstile.take()

    asyncio.run(test())


def test_a_problem_inside_lets_the_next_one_through() -> None:
    async def broken(turnstile: Turnstile) -> None:
        async with turnstile:
            raise ZeroDivisionError

    async def test() -> None:
        turnstile = Turnstile()
        with pytest.raises(ZeroDivisionError):
            await broken(turnstile)
        assert turnstile.take()

    asyncio.run(test())


def test_the_third_time_is_noticed_and_only_the_third() -> None:
    repeats = Repeats()
    positions = [7, 2**64 - 1, 7, 2**63, 2**64 - 1, 9]
    assert not any(repeats.third(each) for each in positions)
    assert repeats.third(7)
    assert repeats.third(2**64 - 1)
    assert not repeats.third(9)
    repeats.clear()
    assert not repeats.third(7)


def test_a_game_without_end_is_remembered_in_bounded_room() -> None:
    repeats = Repeats()
    for position in range(100_000):
        assert not repeats.third(position << 20 | 1)
        assert len(repeats._seen) <= 6 * REMEMBERED
    for position in range(100_000, 100_000 + REMEMBERED - FORGOTTEN, 2):  # each comes twice more, a long round later
        assert not repeats.third(position)
    assert not repeats.third(100_000)
    assert repeats.third(100_000)
