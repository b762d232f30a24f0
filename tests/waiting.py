"""Waiting for a condition instead of for a time, with a deadline that only a hang reaches."""

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import Any

PATIENCE_S = 60.0
"""Deadline of a wait. It costs nothing when all is well, and a busy machine needs it."""
LOOK_EVERY_S = 0.005


async def until(condition: Callable[[], Any], what: str = "", seconds: float = PATIENCE_S) -> None:
    """Waits until a condition holds; it may be asynchronous. `what` names it in the failure."""
    ends = time.monotonic() + seconds
    while True:
        holds = condition()
        if await holds if inspect.isawaitable(holds) else holds:
            return
        assert time.monotonic() < ends, f"waited {seconds:.0f} s in vain {what}".strip()
        await asyncio.sleep(LOOK_EVERY_S)


def wait_until(condition: Callable[[], Any], what: str = "", seconds: float = PATIENCE_S) -> None:
    """Waits until a condition holds, where no event loop runs."""
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, f"waited {seconds:.0f} s in vain {what}".strip()
        time.sleep(LOOK_EVERY_S)
