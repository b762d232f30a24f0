"""The server's part of benchmarks/results.md, from what was measured."""

import os
from pathlib import Path
from typing import Any

Json = Any
Found = dict[str, dict[str, Json]]
RESULTS = Path(__file__).parents[1] / "results.md"
BEGIN, END = "<!-- server: begin -->", "<!-- server: end -->"
OURS, BOARDGAME, COLYSEUS = "threefold", "boardgame.io", "colyseus"
PACED = "1000"
HEAD = (
    "| sockets | contestant | moves per CPU second | CPU µs per move | Threefold, times as many | moves per second"
    " | ack ms, p50 / p99 | KB per socket |\n| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
)


def publish(found: Found, rounds: int) -> None:
    """Writes the part anew, and leaves the rest of the page as it is."""
    before, _, rest = RESULTS.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    RESULTS.write_text(f"{before}{BEGIN}\n{part(found, rounds)}\n{END}{after}", "utf-8")


def part(found: Found, rounds: int) -> str:
    """The tables, with the conditions under which they came about."""
    busy = max(os.getloadavg())
    rows = [row(found, name, sockets) for sockets in found[OURS] for name in found]
    idle = "a quiet machine" if busy < 4 else "a machine with other load: delays and moves per second say little"
    loaded = f"highest load average {busy:.1f} (this benchmark alone causes about 2)"
    conditions = f"{rounds} rounds, {os.cpu_count()} cores, {loaded}: {idle}."
    goals = "\n".join(goal(*each) for each in wanted(found))
    return (
        f"{conditions}\n\n{HEAD}\n" + "\n".join(rows) + f"\n\n{paced(found)}\n\n"
        f"| figure | measured | target | |\n| --- | ---: | ---: | --- |\n{goals}"
    )


def row(found: Found, name: str, sockets: str) -> str:
    """One contestant with so many sockets."""
    figures = found[name][sockets]
    cost, times = figures["moves_per_cpu_s"], f"{ratio(found, name, sockets):.2f}" if name != OURS else "–"
    return (
        f"| {int(sockets):,} | {name} | {cost:,.0f} | {1e6 / cost:,.0f} | {times} | {figures['moves_per_s']:,.0f}"
        f" | {figures['ack_p50_ms']:,.0f} / {figures['ack_p99_ms']:,.0f} | {figures['kb_per_socket']:,.0f} |"
    )


def ratio(found: Found, name: str, sockets: str) -> float:
    """How many moves ours makes in the CPU time in which another makes one."""
    times: float = found[OURS][sockets]["moves_per_cpu_s"] / found[name][sockets]["moves_per_cpu_s"]
    return times


def paced(found: Found) -> str:
    """Delays where the server is not at its limit."""
    paces = {
        name: [by_size[PACED][f"paced_ack_{each}_ms"] for each in ("p50", "p99")] for name, by_size in found.items()
    }
    told = [f"{name} p50 {p50:.1f} ms, p99 {p99:.1f} ms" for name, (p50, p99) in paces.items()]
    return f"At 1,000 sockets and 250 moves per second: {'; '.join(told)}."


def wanted(found: Found) -> list[tuple[str, list[float], float, bool]]:
    """Figure, measured at each number of sockets, wanted, and whether that is the least."""
    ours = found[OURS]
    return [
        ("moves per CPU second, times boardgame.io", [ratio(found, BOARDGAME, each) for each in ours], 3, True),
        ("moves per CPU second, times Colyseus", [ratio(found, COLYSEUS, each) for each in ours], 0.8, True),
        ("ack p99 in ms at 1,000 sockets and 250 moves per second", [ours[PACED]["paced_ack_p99_ms"]], 25, False),
        ("CPU µs per move", [1e6 / each["moves_per_cpu_s"] for each in ours.values()], 400, False),
        ("KB per socket", [each["kb_per_socket"] for each in ours.values()], 40, False),
    ]


def goal(name: str, measured: list[float], limit: float, at_least: bool) -> str:  # noqa: FBT001 (a row of the table)
    """One line: was it reached everywhere?"""
    reached = all(each >= limit if at_least else each <= limit for each in measured)
    shown = ", ".join(f"{each:.2f}" if at_least else f"{each:,.0f}" for each in measured)
    limits = f"{'at least' if at_least else 'at most'} {limit:g}"
    return f"| {name} | {shown} | {limits} | {'reached' if reached else 'missed'} |"
