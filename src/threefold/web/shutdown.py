"""Graceful shutdown: on SIGTERM or Ctrl-C the server first hands its connections over, then stops."""

import asyncio
import signal
import threading
from collections.abc import Callable
from types import FrameType

from threefold.web.server import Server

GOODBYE_S = 5.0
"""The longest wait for connections to close."""
SIGNALS = (signal.SIGTERM, signal.SIGINT)

Handler = Callable[[int, FrameType | None], object]


async def drain(server: Server) -> None:
    """Accepts nobody new, closes the tables, hands them to other processes, and waits for the connections to close."""
    if server.draining:
        return
    server.draining = True
    open_now = list(server.subscribers)
    await server.lobby.close()
    if server.cluster is not None:
        await server.cluster.close()
    deadline = asyncio.get_running_loop().time() + GOODBYE_S
    while any(each in server.subscribers for each in open_now):
        await asyncio.sleep(0.02)
        if asyncio.get_running_loop().time() > deadline:
            break


def drain_on_signals(server: Server) -> Callable[[], None]:
    """Drains the server on the first signal, before the web server's own handler; a second signal stops it at once.

    Returns a function that restores the previous handlers.
    """
    if threading.current_thread() is not threading.main_thread():
        return lambda: None
    loop = asyncio.get_running_loop()
    previous = {each: signal.getsignal(each) for each in SIGNALS}
    draining: list[asyncio.Task[None]] = []

    async def drain_and_stop(number: int, stop: Handler) -> None:
        try:
            await drain(server)
        finally:
            stop(number, None)

    def begin(number: int, stop: Handler) -> None:
        draining.append(loop.create_task(drain_and_stop(number, stop)))

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop = previous[signal.Signals(number)]
        if not callable(stop):
            return
        if draining or server.draining:
            stop(number, frame)
        else:
            loop.call_soon_threadsafe(begin, number, stop)

    for each, handler in previous.items():
        if callable(handler):
            signal.signal(each, on_signal)

    def restore() -> None:
        for each, handler in previous.items():
            if signal.getsignal(each) is on_signal:
                signal.signal(each, handler)

    return restore
