"""Pacing: requests and handshakes start a few at a time, in the order of their arrival."""

import asyncio
from collections import Counter
from typing import Any

from threefold.web.pacing import STARTS_PER_TURN, with_pacing


def starts(kinds: list[str]) -> list[tuple[int, int]]:
    """The turn of the event loop in which each request started, and its number, in the order of the starts."""
    turn = 0
    started: list[tuple[int, int]] = []

    async def application(scope: Any, _receive: Any, _send: Any) -> None:
        started.append((turn, scope["number"]))
        await asyncio.sleep(0.001)

    def count_turns() -> None:
        nonlocal turn
        turn += 1
        asyncio.get_running_loop().call_soon(count_turns)

    async def test() -> None:
        app: Any = with_pacing(application)
        count_turns()
        scopes = [{"type": kind, "number": number} for number, kind in enumerate(kinds)]
        await asyncio.gather(*(app(scope, None, None) for scope in scopes))

    asyncio.run(test())
    return started


def test_a_turn_of_the_event_loop_starts_few_requests_in_the_order_of_their_arrival() -> None:
    started = starts(["http", "websocket"] * 20)
    assert [number for _, number in started] == list(range(40))
    assert max(Counter(turn for turn, _ in started).values()) == STARTS_PER_TURN


def test_few_requests_start_at_once_and_the_lifespan_never_waits() -> None:
    started = starts(["http"] * STARTS_PER_TURN + ["lifespan"] * 5)
    assert len({turn for turn, _ in started}) == 1
