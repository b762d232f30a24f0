"""What a server costs, from /proc: seconds of processor time and memory, its child processes included."""

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A process and all that it started."""
    found = [pid]
    for each in found:
        for children in Path(f"/proc/{each}/task").glob("*/children"):
            found += [int(child) for child in children.read_text().split()]
    return found


def cpu_seconds(pid: int) -> float:
    """Seconds of processor time that a process and its children have used."""
    total = 0
    for each in family(pid):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def memory_kb(pid: int) -> int:
    """Kilobytes that a process and its children hold; what several share counts once (PSS)."""
    rows = (row for each in family(pid) for row in Path(f"/proc/{each}/smaps_rollup").read_text().splitlines())
    return sum(int(row.split()[1]) for row in rows if row.startswith("Pss:"))
