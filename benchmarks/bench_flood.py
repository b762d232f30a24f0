"""What a flood does to others: a bystander's round trip while 20 connections flood the server, for each kind of flood.

./run bench flood                         all kinds, in a minute
./run bench flood --json                  one object: kind -> p50_ms, p99_ms, max_ms, disconnects
./run bench flood --seconds 2 pings       one kind, shorter
./run bench flood --rates 50              rate limits 50 times as high, so that whoever is disconnected floods again

One `threefold serve` with its usual limits, on one core (not compiled: compiling would share it); the flooding
process and the bystander share another, where the bystander goes first: the server's delays are measured, not those of
a client that shares its core with twenty others. A flooding connection sends as fast as the server reads, and connects
again at once when it is disconnected. The bystander sends a `ping` message every 40 ms on each of four sockets and
waits for its `pong`. Everything stays on the loopback interface. The law: p99 stays under 50 ms.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import select
import socket
import sys
import tempfile
import threading
import time
from contextlib import AsyncExitStack, suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Opcode

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.raw_socket import HELLO, masked, new_table, request
from tests.web.server import Server, cookie_of

Json = Any
CONNECTIONS = 20
EVERY_S = 0.04
SOCKETS = 4
FLOOD_STARTS_S = 2.0
"""The flooding process has started and floods after this time."""
LAW_MS = 50.0
PATIENCE_S = 60.0

PAYLOADS = {
    "nothing": b"",
    "pings": 2000 * masked(b"", Opcode.PING),
    "pongs": 2000 * masked(b"", Opcode.PONG),
    "fragments": masked(b"x", last=False) + 2000 * masked(b"x", Opcode.CONT, last=False),
    "tiny texts": 2000 * masked(b"{}"),
    "huge texts": masked(b"x" * 131_072),
    "pings before hello": 2000 * masked(b"", Opcode.PING),
    "fragments before hello": masked(b"x", last=False) + 2000 * masked(b"x", Opcode.CONT, last=False),
    "handshakes": b"",
    "pipelined HTTP": 200 * b"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
}


def flood(kind: str, port: int, code: str, cookie: str, seconds: float, disconnects: Any, core: int | None) -> None:
    """The flooding process."""
    os.nice(10)
    if core is not None:
        os.sched_setaffinity(0, {core})
    until = time.monotonic() + seconds

    def one() -> None:
        while time.monotonic() < until:
            with suppress(OSError):
                _flood_once(kind, port, code, cookie, until)
            with disconnects.get_lock():
                disconnects.value += 1

    threads = [threading.Thread(target=one, daemon=True) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until + 1 - time.monotonic()))


def _flood_once(kind: str, port: int, code: str, cookie: str, until: float) -> None:
    """One flooding connection, until the server ends it."""
    with socket.create_connection(("127.0.0.1", port), timeout=2) as tcp:
        if kind != "pipelined HTTP":
            tcp.sendall(request(port, code, "" if kind.endswith("before hello") else cookie))
            if b" 101 " not in tcp.recv(4096) or kind == "handshakes":
                return
            if not kind.endswith("before hello"):
                tcp.sendall(masked(HELLO))
        tcp.settimeout(0)
        data = memoryview(b"")
        while time.monotonic() < until:
            readable, writable, _ = select.select([tcp], [tcp], [], 0.5)
            if readable and not tcp.recv(65_536):
                return
            if writable:
                data = data or memoryview(PAYLOADS[kind])
                data = data[tcp.send(data) :]


async def bystand(port: int, code: str, cookie: str, seconds: float, flooding: BaseProcess | None) -> list[float]:
    """The bystander's round trips in milliseconds, in order. The bystander is there before the flood."""
    address, headers = f"ws://127.0.0.1:{port}/api/tables/{code}/socket", {"cookie": cookie}
    async with AsyncExitStack() as stack:
        lines = []
        for _ in range(SOCKETS):
            lines.append(
                await stack.enter_async_context(connect(address, additional_headers=headers, compression=None))
            )
            await lines[-1].send(HELLO.decode())
        if flooding is not None:
            flooding.start()
            await asyncio.sleep(FLOOD_STARTS_S)
        trips = await asyncio.gather(*(round_trips(line, i, seconds) for i, line in enumerate(lines)))
    return sorted(trip for each in trips for trip in each)


async def round_trips(line: ClientConnection, number: int, seconds: float) -> list[float]:
    """The round trips of one socket; the sockets take turns."""
    await asyncio.sleep(number * EVERY_S / SOCKETS)
    trips, until, count = list[float](), time.monotonic() + seconds, 0
    while time.monotonic() < until:
        began, count = time.perf_counter(), count + 1
        await line.send(json.dumps({"is": "ping", "sent": count}))
        async with asyncio.timeout(PATIENCE_S):
            while f'"sent":{count},' not in str(await line.recv()):
                pass
        took = time.perf_counter() - began
        trips.append(1000 * took)
        await asyncio.sleep(max(0.0, EVERY_S - took))
    return trips


def measured(kind: str, seconds: float, rates: int) -> Json:
    """One kind of flood, against a server of its own."""
    cores = sorted(os.sched_getaffinity(0))
    settings = {"THREEFOLD_COMPILED": "0", "THREEFOLD_RATES": str(rates)}
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), **settings) as server:
        assert server.process is not None
        core = cores[1] if len(cores) > 1 else None
        if core is not None:
            os.sched_setaffinity(server.process.pid, {cores[0]})
        with server.people("Ann", "Mallory") as (ann, mallory):
            code, target = new_table(ann), new_table(mallory)
            context = multiprocessing.get_context("spawn")
            disconnects = context.Value("i", 0)
            lasts = FLOOD_STARTS_S + seconds + 1
            arguments = (kind, server.port, target, cookie_of(mallory), lasts, disconnects, core)
            flooding = None if kind == "nothing" else context.Process(target=flood, args=arguments, daemon=True)
            trips = asyncio.run(bystand(server.port, code, cookie_of(ann), seconds, flooding))
            if flooding is not None:
                flooding.join(seconds + 10)
                flooding.kill()
    return {
        "p50_ms": round(trips[len(trips) // 2], 2),
        "p99_ms": round(trips[min(len(trips) - 1, len(trips) * 99 // 100)], 2),
        "max_ms": round(trips[-1], 2),
        "disconnects": disconnects.value,
    }


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="./run bench flood")
    parser.add_argument("kinds", nargs="*", help=", ".join(PAYLOADS))
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rates", type=int, default=1, help="factor for all rate limits of the server")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = {}
    for kind in options.kinds or PAYLOADS:
        results[kind] = figures = measured(kind, options.seconds, options.rates)
        if not options.json:
            law = "" if figures["p99_ms"] < LAW_MS else f"   over {LAW_MS:.0f} ms"
            print(f"{kind:24}" + "".join(f"{name} {value:9}   " for name, value in figures.items()) + law, flush=True)
    if options.json:
        print(json.dumps(results))


if __name__ == "__main__":
    main()
