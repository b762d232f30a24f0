"""Benchmark of Karma's random games against card games of other libraries, and against the same rules in C.

./run bench peers            all contestants; writes the peers' part of benchmarks/results.md
./run bench peers --json     a list with one object for each contestant: name, moves_per_s, games_per_s, spread …

The peers are installed into a separate environment, .bench/peers. Each contestant is a separate process; they play in
turns, one second each, for several rounds. A figure is the median of the rounds, and its spread is the interquartile
range divided by the median. Contestants that cannot be installed or started are reported with the reason.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results.md"
BENCH = ROOT / ".bench"
HOME = BENCH / "peers"
PEERS_PYTHON = HOME / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
CONSTRAINTS = ROOT / "benchmarks" / "peers" / "constraints.txt"
READY = HOME / ".ready"
BEGIN, END = "<!-- peers: begin -->", "<!-- peers: end -->"

ROUNDS = 9
SECONDS = 1.0
PROOF = 2000
"""Games that our contestants play first, to show that they play the same games."""

GENERAL, PACKED, BOUND = "threefold karma general", "threefold karma packed", "c karma"
PACKAGES = {
    "rlcard": ("rlcard",),
    "open_spiel": ("open_spiel",),
    "pgx": ("pgx", "jax[cpu]"),
    "pettingzoo": ("pettingzoo[classic]",),
}


@dataclass(slots=True)
class Contestant:
    """A row of the table: a contestant, its game, and its results."""

    name: str
    program: tuple[str, ...]
    includes: str
    package: str = ""  # "": the project's own environment
    rates: list[float] = field(default_factory=list)
    game_rates: list[float] = field(default_factory=list)
    reason: str = ""  # why it cannot play

    def spread(self) -> float:
        """The interquartile range divided by the median."""
        low, _, high = quantiles(self.rates, n=4)
        return (high - low) / median(self.rates)


def contestants() -> list[Contestant]:
    """All contestants, in the order of the table."""
    ours = "Karma, Classic, 4 players: list all legal moves, draw one, make it"
    spiel = "Crazy Eights, 4 players"
    return [
        Contestant(GENERAL, ("ours", "general"), f"{ours}; compiled Python, every edition"),
        Contestant(PACKED, ("ours", "packed"), f"{ours}, fused; compiled Python, Classic and Mini Round"),
        Contestant(BOUND, ("ours", str(BENCH)), f"{ours}; C, with the data layout of the general engine"),
        Contestant(
            "open_spiel crazy_eights python",
            ("open_spiel_crazy_eights", "python"),
            f"{spiel}: legal_actions and apply_action from Python, chance events drawn in Python",
            "open_spiel",
        ),
        Contestant(
            "open_spiel crazy_eights c++",
            ("open_spiel_crazy_eights", "bots"),
            f"{spiel}: whole games in C++, evaluate_bots with its uniform random bots",
            "open_spiel",
        ),
        Contestant(
            "open_spiel crazy_eights c++ after the deal",
            ("open_spiel_crazy_eights", "rollouts"),
            f"{spiel}: the roll-outs of its tree search, in C++, without bots and without dealing",
            "open_spiel",
        ),
        Contestant(
            "rlcard uno", ("rlcard_uno",), "Uno, 2 players: env.step with the observation it always builds", "rlcard"
        ),
        Contestant(
            "pgx leduc_holdem",
            ("pgx_leduc",),
            "Leduc Hold'em, 2 players: 1024 tables per step, under jit and scan, with automatic new deals",
            "pgx",
        ),
        Contestant(
            "pettingzoo leduc_holdem",
            ("pettingzoo_leduc",),
            "Leduc Hold'em, 2 players: last and step of env(), including its wrappers",
            "pettingzoo",
        ),
    ]


# ---------------------------------------------------------------- The peers' environment


def install_peers() -> dict[str, str]:
    """Installs missing packages; returns package -> reason for those that failed."""
    wanted = hashlib.sha256(CONSTRAINTS.read_bytes() + repr(PACKAGES).encode() + sys.version.encode()).hexdigest()
    if READY.exists() and READY.read_text("utf-8") == wanted:
        return {}
    say("installing the peers; the first time this takes some minutes")
    if not PEERS_PYTHON.exists() and run(sys.executable, "-m", "venv", HOME).returncode:
        run(sys.executable, "-m", "venv", "--clear", "--without-pip", HOME)  # Debian without python3-venv
    pip = find_pip()
    failed = {}
    for name, packages in PACKAGES.items():
        done = run(*pip, "install", "--quiet", "--disable-pip-version-check", "-c", CONSTRAINTS, *packages)
        if done.returncode:
            failed[name] = f"could not be installed: {last_line(done.stderr)}"
    if not failed:
        READY.write_text(wanted, "utf-8")
    return failed


def find_pip() -> list[object]:
    """The pip of the environment, or the pip of this Python for the environment."""
    for python in (PEERS_PYTHON, sys.executable, "python3"):
        pip: list[object] = [python, "-m", "pip", "--python", PEERS_PYTHON]
        if run(*pip, "--version").returncode == 0:
            return pip
    sys.exit("The peers need pip 22.3 or newer (Debian: apt-get install python3-pip).")


def run(*command: object) -> subprocess.CompletedProcess[str]:
    """Runs a command and captures its output."""
    return subprocess.run([str(each) for each in command], cwd=ROOT, capture_output=True, text=True, check=False)


def last_line(text: str) -> str:
    """The last line of a program's output, without its folder."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip().replace(str(ROOT), ".") if lines else "it said nothing"


def say(words: str) -> None:
    """Prints a progress message to standard error."""
    print(f"threefold: {words}", file=sys.stderr, flush=True)


# ---------------------------------------------------------------- Playing in turns


class Process:
    """A contestant's process."""

    def __init__(self, contestant: Contestant) -> None:
        module, *arguments = contestant.program
        python = PEERS_PYTHON if contestant.package else sys.executable
        single = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 (closed when the process ends)
        self._process = subprocess.Popen(
            [str(python), "-m", f"benchmarks.peers.{module}", *arguments],
            cwd=ROOT,
            env={**os.environ, "XLA_FLAGS": single, "JAX_PLATFORMS": "cpu", "OMP_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    def hear(self) -> Any:
        """The next answer; None if the process has ended."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return json.loads(line) if line else None

    def ask(self, line: object) -> Any:
        """Sends a line and returns the answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self.hear()

    def end(self) -> str:
        """Ends the process; returns its last line on standard error."""
        self._process.communicate()
        self._errors.seek(0)
        with self._errors:
            return last_line(self._errors.read())


def prove(rows: list[Contestant]) -> None:
    """Checks that our contestants play the same games. This also fills their compilation caches."""
    proofs = set()
    for row in rows:
        if not row.package:
            say(f"proving that {row.name} plays the same games")
            process = Process(row)
            if process.hear() is None:
                row.reason = process.end()
            else:
                proofs.add(json.dumps(process.ask(f"prove {PROOF}")))
                process.end()
    if len(proofs) != 1:
        sys.exit(f"the contestants of Karma do not play the same games: {proofs}")


def compete(rows: list[Contestant], rounds: int, seconds: float) -> None:
    """Starts all contestants and lets them play in turns."""
    playing: list[tuple[Contestant, Process]] = []
    for row in rows:
        if row.reason:
            continue
        say(f"starting {row.name}")
        process = Process(row)
        if process.hear() is None:
            row.reason = process.end()
        else:
            playing.append((row, process))
    for number in range(rounds):
        say(f"round {number + 1} of {rounds}")
        for row, process in playing:
            played = process.ask(seconds)
            row.rates.append(played["moves"] / played["seconds"])
            row.game_rates.append(played["games"] / played["seconds"])
    for _, process in playing:
        process.end()


# ---------------------------------------------------------------- What came of it


def as_json(row: Contestant, general: Contestant) -> dict[str, object]:
    """A contestant's results as JSON."""
    if row.reason:
        return {"name": row.name, "moves_per_s": None, "games_per_s": None, "spread": None, "reason": row.reason}
    return {
        "name": row.name,
        "moves_per_s": round(median(row.rates)),
        "games_per_s": round(median(row.game_rates)),
        "spread": round(row.spread(), 3),
        "general_is_times": round(times(general, row), 2),
        "step": row.includes,
    }


def times(one: Contestant, other: Contestant) -> float:
    """How many times as fast one contestant is as the other: the median of the ratios of each round."""
    return median(a / b for a, b in zip(one.rates, other.rates, strict=True))


def table(rows: list[Contestant]) -> list[str]:
    """The results as text."""
    general = rows[0]
    lines = [
        "| contestant | moves per second | games per second | spread | the general engine is | one step |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for row in rows:
        if row.reason:
            lines.append(f"| {row.name} | – | – | – | – | not measured: {row.reason} |")
            continue
        figures = [
            f"{rounded(median(row.rates)):,}",
            f"{rounded(median(row.game_rates)):,}",
            f"{row.spread():.0%}".replace("%", " %"),
            f"{times(general, row):.2f} times as fast",
        ]
        lines.append(f"| {row.name} | {' | '.join(figures)} | {row.includes} |")
    return lines


def rounded(number: float) -> int:
    """Rounds to three significant figures; the measurement is not more precise."""
    return int(float(f"{number:.3g}"))


def section(rows: list[Contestant], seconds: float) -> str:
    """The peers' section of the results page."""
    versions = [line for line in CONSTRAINTS.read_text("utf-8").splitlines() if line.split("==")[0] in NAMED]
    return "\n".join(
        [
            "## Peers",
            "",
            f"`./run bench peers`: {len(rows[0].rates)} rounds of {seconds:g} s each, contestants in turn, processor",
            "time. **The games differ**, so this compares orders of magnitude, not libraries: a decision in Karma",
            "has more legal moves than one in Leduc Hold'em, and its games are the longest here. A move is one",
            "decision of a player; shuffling, dealing and drawing cards take time but do not count as moves.",
            f"The three Karma contestants first prove that they play the same {PROOF:,} games. {BOUND} is not the",
            "fastest possible program: it uses the general engine's own data layout in C, so the ratio of the two",
            "shows what is lost by not writing C. The packed roll-outs use a different layout and are faster.",
            "",
            *table(rows),
            "",
            f"Versions: {', '.join(versions)}.",
        ]
    )


NAMED = ("rlcard", "open-spiel", "pgx", "jax", "pettingzoo")


def write(text: str) -> None:
    """Replaces the section in the results page."""
    before = RESULTS.read_text("utf-8") if RESULTS.exists() else "# Results\n"
    if BEGIN in before:
        head, rest = before.split(BEGIN, 1)
        tail = rest.split(END, 1)[1]
    else:
        head, tail = f"{before.rstrip()}\n\n", "\n"
    RESULTS.write_text(f"{head}{BEGIN}\n{text}\n{END}{tail}", "utf-8")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="How fast Karma's random games are beside peers.")
    parser.add_argument("--json", action="store_true", help="print a JSON list, and write nothing")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each contestant plays")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each time")
    options = parser.parse_args()
    rows = contestants()
    failed = install_peers()
    for row in rows:
        row.reason = failed.get(row.package, "")
    prove(rows)
    compete(rows, options.rounds, options.seconds)
    if options.json:
        print(json.dumps([as_json(row, rows[0]) for row in rows], indent=2))
    else:
        print("\n".join(table(rows)))
        write(section(rows, options.seconds))


if __name__ == "__main__":
    main()
