"""The server's own work for a move, in one process without a network and without a disk.

./run bench move               CPU µs per move
./run bench move --json        one object: us_per_move (median of the rounds), us_fastest_round
./run bench move --profile     the functions that take most of the time, by cProfile
./run bench move --before src  also with the package in another folder, in alternating rounds: times its moves

Tables of four play compiled Karma. Every move arrives as the bytes of a WebSocket frame in a real `TableSocket`, goes
through `Connection`, `Session`, `Mailbox` and `Audience`, and leaves as four frames on transports that only count. The
log is a list whose entries become durable one turn of the event loop later. The moves are worked out beforehand. This
is the quietest way to compare two versions of this path; `./run bench server` measures the whole server.
"""

import argparse
import asyncio
import cProfile
import json
import os
import pstats
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import Any, cast

import uvloop
from websockets.frames import Frame, Opcode

from threefold.engines import Engines
from threefold.karma import fast
from threefold.live import acts
from threefold.live import entries as e
from threefold.live.bot_runner import BotWorkers
from threefold.live.clock import WallClock
from threefold.live.measures import Measures
from threefold.live.session import Session
from threefold.live.store import Done, Store
from threefold.web.connection import Connection
from threefold.web.limits import Limits
from threefold.web.process import freeze_loaded_objects
from threefold.web.server import Server
from threefold.web.settings import ServerSettings
from threefold.web.table_socket import TableSocket

Json = Any
TABLES, PLAYERS, MOVES, ROUNDS = 50, 4, 60, 15
WARM_UP_ROUNDS = 3
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


@dataclass
class ListLog:
    """The log of all tables; `commit` makes everything durable that waits."""

    waiting: list[Done] = field(default_factory=list)

    def append_soon(self, table: str, seq: int, body: str, done: Done) -> None:  # noqa: ARG002 (the protocol's signature)
        """Queues an entry."""
        self.waiting.append(done)

    async def entries(self, table: str, after: int = 0, up_to: int | None = None) -> list[tuple[int, str]]:  # noqa: ARG002 (the protocol's signature)
        """Every table begins with somebody who opens it."""
        settings = e.Settings(seats=PLAYERS)
        first = e.Opened(
            at=0, by=0, code=table, game="karma", setup={}, settings=settings, person="p0", name="0", seed=f"v1:{table}"
        )
        return [(1, e.encode(first))]

    def commit(self) -> None:
        """Calls everybody who waits."""
        waiting, self.waiting = self.waiting, []
        for done in waiting:
            done(None)


class CountingTransport(asyncio.Transport):
    """Counts what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes = 0

    def write(self, data: Any) -> None:
        """Counts."""
        self.bytes += len(data)

    def writelines(self, data: Any) -> None:
        """Counts."""
        for each in data:
            self.bytes += len(each)

    def is_closing(self) -> bool:
        """It stays open."""
        return False

    def pause_reading(self) -> None:
        """Nothing is read from it."""

    def resume_reading(self) -> None:
        """Nothing is read from it."""


class Tables:
    """Tables of four with open sockets, and the frames of the moves that they play."""

    def __init__(self) -> None:
        self.log = ListLog()
        self.server = cast(
            "Server",
            SimpleNamespace(
                limits=Limits(ServerSettings(rates=0)), measures=Measures(), subscribers={}, answering=set()
            ),
        )
        self.app_state: dict[str, Any] = {}
        self.engines = Engines()
        self.scripts: list[list[tuple[TableSocket, bytes]]] = []

    async def open(self, count: int) -> None:
        """Opens tables, and works out their moves."""
        fast.warm_up()
        self.engines.add_fast(fast.FAST_KARMA)
        for number in range(count):
            await self._open_one(f"table-{number}")
        freeze_loaded_objects()

    async def _open_one(self, table: str) -> None:
        store = cast("Store", self.log)
        session = await Session.load(table, store, WallClock(), BotWorkers(), self.engines)
        sockets = []
        for player in range(PLAYERS):
            subscriber = await self._durable(session.attach(f"p{player}", f"{player}", f"client {player}", None))
            await self._durable(session.submit(player, lambda s, by, at: acts.sit(s, by, at, None)))
            socket = await self._socket()
            connection = Connection(self.server, session, subscriber, socket)
            socket.hand_over(connection)
            connection.start()
            sockets.append(socket)
        await self._durable(session.submit(0, acts.start))
        self.scripts.append(self._script(session, sockets, random.Random(table)))  # noqa: S311 (repeatable)

    async def _durable(self, work: Any) -> Any:
        task = asyncio.ensure_future(work)
        while not task.done():
            await asyncio.sleep(0)
            self.log.commit()
        return task.result()

    async def _socket(self) -> TableSocket:
        """A socket after the handshake."""
        config = cast("Any", SimpleNamespace(loaded_app=accept_all, root_path="", ws_ping_interval=None))
        socket = TableSocket(config, SimpleNamespace(connections=set(), tasks=set()), self.app_state)
        socket.connection_made(CountingTransport())
        socket.data_received(UPGRADE)
        await asyncio.sleep(0)
        return socket

    def _script(
        self, session: Session, sockets: Sequence[TableSocket], chance: random.Random
    ) -> list[tuple[TableSocket, bytes]]:
        """The socket and the frame of each move."""
        current = session.state.current
        assert current is not None
        game, table = current.game, current.table
        script: list[tuple[TableSocket, bytes]] = []
        numbers = [0] * PLAYERS
        while len(script) < MOVES and game.ending(table) is None:
            decision = game.decisions(table)[0]
            assert decision.player is not None
            move = chance.choice(decision.moves)
            numbers[decision.player] += 1
            message = {"is": "move", "n": numbers[decision.player], "move": move, "game": 1}
            frame = Frame(Opcode.TEXT, json.dumps(message).encode()).serialize(mask=True)
            script.append((sockets[decision.player], frame))
            table = game.play(table, decision.player, move).table
        return script

    async def play(self) -> int:
        """Plays all scripts, one move of every table in each step; returns the number of moves."""
        moves = 0
        for step in range(MOVES):
            for script in self.scripts:
                if step < len(script):
                    socket, frame = script[step]
                    socket.get_buffer(-1)[: len(frame)] = frame
                    socket.buffer_updated(len(frame))
                    moves += 1
            await asyncio.sleep(0)
            self.log.commit()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        return moves


async def accept_all(scope: Json, receive: Any, send: Any) -> None:
    """An application that accepts a socket and waits for nothing."""
    await send({"type": "websocket.accept"})
    await asyncio.Event().wait()


async def one_round() -> float:
    """CPU µs per move, at new tables."""
    tables = Tables()
    await tables.open(TABLES)
    began = time.process_time()
    moves = await tables.play()
    took = time.process_time() - began
    accepted = tables.server.measures.moves["karma", "accepted"]
    assert accepted == moves, f"{accepted} of {moves} moves were accepted"
    return 1e6 * took / moves


async def profiled() -> None:
    """Prints a profile."""
    tables = Tables()
    await tables.open(TABLES)
    profile = cProfile.Profile()
    profile.enable()
    await tables.play()
    profile.disable()
    pstats.Stats(profile).sort_stats("tottime").print_stats(60)


def in_turns(before: Path, rounds: int) -> Json:
    """Alternating rounds of this package and of the one in another folder, each in a process of its own."""
    folders = (Path(__file__).parents[1] / "src", before.resolve())
    children = [
        subprocess.Popen(
            [sys.executable, __file__, "--on-request"],
            env={**os.environ, "PYTHONPATH": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for folder in folders
    ]
    results: list[list[float]] = [[], []]
    for _ in range(WARM_UP_ROUNDS + rounds):
        for child, figures in zip(children, results, strict=True):
            print(file=child.stdin, flush=True)
            assert child.stdout is not None
            figures.append(float(child.stdout.readline()))
    for child in children:
        child.communicate()
    now, earlier = (figures[WARM_UP_ROUNDS:] for figures in results)
    ratios = [b / a for a, b in zip(now, earlier, strict=True)]
    return {
        "us_per_move": round(median(now), 1),
        "us_before": round(median(earlier), 1),
        "us_fastest_round": round(min(now), 1),
        "us_fastest_before": round(min(earlier), 1),
        "times_before": round(median(ratios), 3),
    }


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--before", type=Path, help="the src folder of an earlier state")
    parser.add_argument("--on-request", action="store_true", help="one round for each line of standard input")
    arguments = parser.parse_args()
    if arguments.profile:
        uvloop.run(profiled())
        return
    if arguments.on_request:
        for _ in sys.stdin:
            print(uvloop.run(one_round()), flush=True)
        return
    if arguments.before is not None:
        figures = in_turns(arguments.before, arguments.rounds)
    else:
        rounds = [uvloop.run(one_round()) for _ in range(WARM_UP_ROUNDS + arguments.rounds)][WARM_UP_ROUNDS:]
        figures = {"us_per_move": round(median(rounds), 1), "us_fastest_round": round(min(rounds), 1)}
    print(json.dumps(figures) if arguments.json else "  ".join(f"{name} {value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
