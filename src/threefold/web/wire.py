"""How far away a page is by what the network itself knows, which the page has no say in."""

import socket
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from litestar import WebSocket
from litestar.datastructures import State

from threefold.web.quick import quick_socket
from threefold.web.server import server_of

WAY_HEADER = "x-way-us"
"""In this header a proxy of ours tells the round trip that it saw itself, in microseconds."""
SLACK_MS = 40.0
"""So long a system may wait before it confirms what it has received; ways grow by less while a game lasts."""
TCP_INFO_SIZE = 152
ROUND_TRIP, SHORTEST_ROUND_TRIP = 68, 148
"""Where Linux tells, in microseconds, the usual round trip of late and the shortest."""


def longest_way(page: WebSocket[Any, Any, State]) -> Callable[[], float | None]:
    """What tells the longest round trip, in milliseconds, that this page can honestly claim; None: nobody can."""
    if server_of(page).settings.proxied:
        told = page.headers.get(WAY_HEADER, "")
        return partial(_same, int(told) / 1000 + SLACK_MS if told.isascii() and told.isdigit() else None)
    quick = quick_socket(page.scope)
    wire = None if quick is None else quick.transport.get_extra_info("socket")
    return partial(_same, None) if wire is None else partial(_measured, wire)


def _same(way: float | None) -> float | None:
    return way


def _measured(wire: socket.socket) -> float | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        info = wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO_SIZE)
    except OSError:
        return None
    if len(info) < TCP_INFO_SIZE:
        return None
    usual, shortest = (int.from_bytes(info[at : at + 4], sys.byteorder) for at in (ROUND_TRIP, SHORTEST_ROUND_TRIP))
    return max(shortest / 1000, usual / 1000 - SLACK_MS)
