"""The longest round trip that a client can honestly claim, by the network's own measurement."""

import socket
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from litestar import WebSocket
from litestar.datastructures import State

from threefold.web.server import server_of
from threefold.web.table_socket import table_socket_of

ROUND_TRIP_HEADER = "x-way-us"
"""A proxy in front of the server writes the round trip that it measured into this header, in microseconds."""
SLACK_MS = 40.0
"""Longest delay of a confirmation by the client's system; a round trip grows by less during a game."""
TCP_INFO_SIZE = 152
SMOOTHED, SHORTEST = 68, 148
"""Offsets in Linux's TCP_INFO of the smoothed and of the shortest round trip, in microseconds."""


def longest_round_trip(page: WebSocket[Any, Any, State]) -> Callable[[], float | None]:
    """A function that gives the longest credible round trip in milliseconds; None: it is not known."""
    if server_of(page).settings.proxied:
        header = page.headers.get(ROUND_TRIP_HEADER, "")
        return partial(_constant, int(header) / 1000 + SLACK_MS if header.isascii() and header.isdigit() else None)
    table_socket = table_socket_of(page.scope)
    tcp = None if table_socket is None else table_socket.get_extra_info("socket")
    return partial(_constant, None) if tcp is None else partial(_measured, tcp)


def _constant(milliseconds: float | None) -> float | None:
    return milliseconds


def _measured(tcp: socket.socket) -> float | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        info = tcp.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO_SIZE)
    except (OSError, ValueError):  # closed: uvloop's socket then has no file descriptor
        return None
    if len(info) < TCP_INFO_SIZE:
        return None
    smoothed, shortest = (int.from_bytes(info[at : at + 4], sys.byteorder) for at in (SMOOTHED, SHORTEST))
    return max(shortest / 1000, smoothed / 1000 - SLACK_MS)
