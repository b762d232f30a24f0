"""Benchmark of the server: moves per CPU second of Threefold, boardgame.io and Colyseus under the same load.

./run bench server             all figures, in about twelve minutes; writes the server's part of benchmarks/results.md
./run bench server --json      one object: contestant -> sockets -> figures
./run bench server --rounds 1 --sockets 100 --seconds 5
./run bench server --before FOLDER     also play at an earlier checkout of Threefold, in the same run

Contestants: `threefold serve` as it is, real Karma at tables of four, every move on the disk (SQLite, synchronous=FULL)
before it is acknowledged; boardgame.io and Colyseus from npm (under .bench/), which write nothing, with a game of far
simpler rules whose Views have the same fields and size. One load client plays on all of them over raw WebSockets, in a
separate process on the other core. All servers run at the same time with all their sockets open, and are loaded in
turns. `moves_per_cpu_s` is moves divided by seconds of processor time of the server and its child processes; a move
counts when its sender has the acknowledgement and all four players have the update. `kb_per_socket` is the memory that
the sockets and their games added. All figures are medians of the rounds.

Every size is played as fast as the server can; at 1,000 sockets there are also rounds of 250 moves per second, in which
delays count from the time at which a move was due.
"""

import argparse
import json
import resource
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.server.contestants import (  # noqa: E402 (the folder above is on the path now)
    CONTESTANTS,
    Contest,
    Failed,
    contest,
    cores,
    earlier,
    install_peers,
)
from benchmarks.server.published import publish  # noqa: E402 (the folder above is on the path now)

Json = Any
SOCKETS = (100, 1000, 4000)
ROUNDS = 5
PACED_AT, PACED_RATE = 1000, 250
WARM_UP_S = 3.0
FIGURES = ("moves_per_s", "moves_per_cpu_s", "ack_p50_ms", "ack_p99_ms")
BESIDE = ("server_cpu_share", "client_cpu_share", "message_bytes")
OURS = "threefold"
BEFORE = "threefold before"


def say(words: str) -> None:
    """Prints a progress message to standard error."""
    print(f"threefold: {words}", file=sys.stderr, flush=True)


def medians(rounds: list[Json]) -> Json:
    """The median of each figure over the rounds."""
    middle: dict[str, float] = {}
    for name in (*FIGURES, *BESIDE):
        values = [each[name] for each in rounds if each[name] is not None]  # in a round without a move there is no ack
        if not values:
            raise Failed(f"{name}: nothing was measured, the machine is too busy")
        middle[name] = round(median(values), 2)
    return middle


def in_turns(contests: list[Contest], rounds: int, seconds: float, rate: float) -> dict[str, list[Json]]:
    """Alternating rounds of all contestants."""
    results: dict[str, list[Json]] = {each.name: [] for each in contests}
    for number in range(rounds):
        for each in contests:
            figures = each.round(seconds, rate)
            results[each.name].append(figures)
            shown = ", ".join(f"{name} {figures[name] or 0:.1f}" for name in (*FIGURES, *BESIDE))
            say(f"round {number + 1}, {each.name}: {shown}")
    return results


def measured(names: list[str], sockets: int, rounds: int, seconds: float) -> Json:
    """Measures all contestants with a number of sockets."""
    node, where = install_peers(), cores()
    with ExitStack() as stack:
        contests = [stack.enter_context(contest(name, node, where)) for name in names]
        for each in contests:
            each.open(sockets)
            each.round(WARM_UP_S)
            say(f"{each.name} has {each.sockets} sockets open")
        results = {name: medians(each) for name, each in in_turns(contests, rounds, seconds, 0).items()}
        for each in contests:
            results[each.name]["kb_per_socket"] = round(each.kb_per_socket(), 1)
        if sockets == PACED_AT:
            for name, paced in in_turns(contests, rounds, seconds, PACED_RATE).items():
                results[name] |= {f"paced_{figure}": value for figure, value in medians(paced).items()}
    return results


def report(results: dict[str, dict[str, Json]]) -> None:
    """The figures as a text table."""
    columns = (*FIGURES, "kb_per_socket")
    print(f"{'sockets':>8} {'contestant':14}" + "".join(f"{name:>17}" for name in columns) + "   per CPU s, ours is")
    for sockets in next(iter(results.values())):
        for name, by_size in results.items():
            figures = by_size[sockets]
            times = results[OURS][sockets]["moves_per_cpu_s"] / figures["moves_per_cpu_s"] if OURS in results else 1
            row = "".join(f"{figures[each]:>17,.1f}" for each in columns)
            print(f"{sockets:>8} {name:14}{row}   {times:.2f} x")
    for name, by_size in results.items():
        for sockets, figures in by_size.items():
            if "paced_ack_p99_ms" in figures:
                p50, p99 = figures["paced_ack_p50_ms"], figures["paced_ack_p99_ms"]
                print(f"{name}, {sockets} sockets, {PACED_RATE} moves/s: ack p50 {p50:.1f} ms, p99 {p99:.1f} ms")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each round")
    parser.add_argument("--sockets", type=int, nargs="+", default=list(SOCKETS))
    parser.add_argument("--only", choices=sorted(CONTESTANTS), nargs="+", default=list(CONTESTANTS))
    parser.add_argument("--before", type=Path, help="a checkout of an earlier state, whose page need not be built")
    arguments = parser.parse_args()
    if arguments.before is not None:
        CONTESTANTS[BEFORE] = earlier(arguments.before.resolve())
        arguments.only = [*arguments.only, BEFORE]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is ended, too
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    names = [name for name in CONTESTANTS if name in arguments.only]
    results: dict[str, dict[str, Json]] = {name: {} for name in names}
    try:
        for sockets in arguments.sockets:
            for name, figures in measured(names, sockets, arguments.rounds, arguments.seconds).items():
                results[name][str(sockets)] = figures
    except Failed as problem:
        sys.exit(f"threefold: {problem}")
    if arguments.json:
        print(json.dumps(results))
    else:
        report(results)
        if (
            {*names} >= {OURS, "boardgame.io", "colyseus"}
            and set(arguments.sockets) == set(SOCKETS)
            and arguments.rounds >= ROUNDS
        ):
            publish(results, arguments.rounds)


if __name__ == "__main__":
    main()
