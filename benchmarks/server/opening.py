"""How tables of four come about at each contestant, over its own HTTP interface, as its own clients would do it."""

import asyncio
import http.client
import json
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from benchmarks.server.lines import BoardgameLine, ColyseusLine, Line, Lost, OurLine

Json = Any
PLAYERS = 4
PATIENCE_S = 60


class Web:
    """HTTP requests, some at once, each thread on a connection of its own."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._own = threading.local()

    async def post(self, path: str, body: Json, **headers: str) -> tuple[Json, str]:
        """The answer, and the cookie that came with it."""
        return await asyncio.to_thread(self._post, path, body, headers)

    def _post(self, path: str, body: Json, headers: dict[str, str]) -> tuple[Json, str]:
        if not hasattr(self._own, "connection"):
            self._own.connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)
        connection: http.client.HTTPConnection = self._own.connection
        connection.request("POST", path, json.dumps(body), {"content-type": "application/json", **headers})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise Lost(f"{path}: {answer.status} {text[:300]!r}")
        return json.loads(text), (answer.headers["set-cookie"] or "").partition(";")[0]


async def connected(line: Line, port: int) -> None:
    """Opens a line and waits until it was told how things stand."""
    await asyncio.get_running_loop().create_connection(lambda: line, "127.0.0.1", port)
    await asyncio.wait_for(line.opened, PATIENCE_S)


async def our_table(web: Web, port: int, name: str) -> list[Line]:
    """Four people, a table of Karma, four sockets; they sit down, and the host starts."""
    people = [(await web.post("/api/me", {"name": f"{name}-{i}"}))[1] for i in range(PLAYERS)]
    made, _ = await web.post("/api/tables", {"game": "karma", "edition": "classic", "seats": PLAYERS}, cookie=people[0])
    lines = [OurLine(made["socket"], f"Cookie: {person}\r\n") for person in people]
    for line in lines:
        await connected(line, port)
    for line in lines[1:]:
        line.ask("sit")
        await until(line, lambda line=line: line.ack >= line.number)  # type: ignore[misc]  # a lambda with a default
    lines[0].ask("start")
    for line in lines:
        await until(line, lambda line=line: bool(line.view))  # type: ignore[misc]  # a lambda with a default
    return list(lines)


async def until(line: Line, holds: Callable[[], bool]) -> None:
    """Waits for what a line shall be told."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def look(_: Line) -> None:
        if holds() and not done.done():
            done.set_result(None)

    line.told = look
    look(line)
    await asyncio.wait_for(done, PATIENCE_S)


async def boardgame_table(web: Web, port: int, name: str) -> list[Line]:
    """A match, four who join it, four sockets."""
    match = (await web.post("/games/mini/create", {"numPlayers": PLAYERS}))[0]["matchID"]
    lines: list[Line] = []
    for player in map(str, range(PLAYERS)):
        body = {"playerID": player, "playerName": f"{name}-{player}"}
        line = BoardgameLine("/socket.io/?EIO=4&transport=websocket", "Origin: http://127.0.0.1\r\n")
        line.match, line.player = match, player
        line.credentials = (await web.post(f"/games/mini/{match}/join", body))[0]["playerCredentials"]
        await connected(line, port)
        lines.append(line)
    return lines


async def colyseus_table(web: Web, port: int, name: str) -> list[Line]:
    """A room, four who join it, four sockets."""
    lines: list[Line] = []
    room = ""
    for player in range(PLAYERS):
        path = f"/matchmake/joinById/{room}" if player else "/matchmake/create/mini"
        seat, _ = await web.post(path, {"name": f"{name}-{player}"}, accept="application/json")
        room = seat["roomId"]
        line = ColyseusLine(f"/{seat['processId']}/{room}?sessionId={seat['sessionId']}")
        await connected(line, port)
        lines.append(line)
    return lines


Opening = Callable[[Web, int, str], Awaitable[list[Line]]]
OPENINGS: dict[str, Opening] = {
    "threefold": our_table,
    "boardgame.io": boardgame_table,
    "colyseus": colyseus_table,
}
LOBBY_AFTER = {"boardgame.io": 1}
"""So many ports after the sockets' is the HTTP interface."""
