"""Benchmark of this checkout against an earlier one: the rates of Karma, SET and simulations, as ratios of one run.

    ./run bench before FOLDER           a table; FOLDER is a worktree of the earlier commit
    ./run bench before FOLDER --json    one JSON object: figure -> this / earlier
    --rounds 5                          rounds, in which the two checkouts take turns

Each checkout has a process of its own that imports its own benchmarks and sources. A ratio is the median of the rounds'
ratios, so slow minutes of the machine count for both. Both run on the same Python and packages.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
FIGURES: tuple[tuple[str, str, tuple[object, ...]], ...] = (
    ("karma", "compiled_rate", ()),
    ("karma", "plain_rate", ()),
    ("simulate", "self_play", ("sharp",)),
    ("simulate", "self_play", ("careful",)),
    ("simulate", "self_play", ("random",)),
    ("simulate", "batch_steps", ()),
    ("simulate", "set_games", ("full", ["perfect"] * 4)),
    ("simulate", "set_games", ("full", ["human3"] * 4)),
    ("set", "figures", ()),
)
"""Benchmark, function and arguments. The function must exist in both checkouts; it returns a rate, or rates by name."""
WORKER = """
import importlib, json, sys
sys.path.insert(0, sys.argv[1])
for line in sys.stdin:
    bench, function, arguments = json.loads(line)
    module = importlib.import_module(f"benchmarks.bench_{bench}")
    print(json.dumps(getattr(module, function)(*arguments)), flush=True)
"""


class Checkout:
    """The process that measures one checkout."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER, str(folder)],
            env={**os.environ, "PYTHONPATH": str(folder / "src")},
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def measure(self, figure: tuple[str, str, tuple[object, ...]]) -> dict[str, float]:
        """The rates that one figure returns, by name."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(figure) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            sys.exit(f"{figure[0]}.{figure[1]} failed; see above.")
        bench, function, arguments = figure
        name = " ".join([bench, function, *(str(each) for each in arguments)])
        rates = json.loads(answer)
        if isinstance(rates, dict):
            return {f"{name} {key}": rate for key, rate in rates.items() if key != "spread"}
        return {name: rates}

    def end(self) -> None:
        """Lets the process end."""
        self._process.communicate()


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="Compares this checkout with an earlier one.")
    parser.add_argument("folder", type=Path, help="a worktree of the earlier commit")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    now, earlier = Checkout(ROOT), Checkout(options.folder.resolve())
    ratios: dict[str, list[float]] = {}
    for figure in FIGURES:
        for _ in range(options.rounds):
            before, after = earlier.measure(figure), now.measure(figure)
            for name in before.keys() & after.keys():
                ratios.setdefault(name, []).append(after[name] / before[name])
    now.end()
    earlier.end()
    if options.json:
        print(json.dumps({name: round(median(each), 3) for name, each in sorted(ratios.items())}))
        return
    for name, each in sorted(ratios.items()):
        print(f"{median(each):6.3f}  ({min(each):.3f} to {max(each):.3f})  {name}")


if __name__ == "__main__":
    main()
