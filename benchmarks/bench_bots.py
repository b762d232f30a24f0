"""Benchmark of the Karma bots: how often each loses, with rotated seats and 95 % bounds (Wilson).

    ./run bench bots                         every cell
    ./run bench bots --games 1000            games of each cell
    ./run bench bots --cells Mini,design     only cells whose name contains one of these words
    ./run bench bots --kept FILE             keeps the games in a file, and goes on where the last run stopped
    ./run bench bots --kept FILE --publish   writes what the file holds into benchmarks/results.md; plays nothing
    ./run bench bots --json                  one JSON object

Searches have a fixed budget of roll-outs and no deadline, so losses are the same on every machine; milliseconds are
processor time of one core.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.bot_games import TableOfBots
from threefold.game import BadSetup
from threefold.karma.design import code_from_design, design_from_json
from threefold.karma.editions import build, edition_row, options_from
from threefold.karma.powers import VOCABULARY
from threefold.karma.table import Edition
from threefold.shuffle import Random, below, random_from
from threefold.simulation_parts.statistics import share

RESULTS = Path(__file__).parent / "results.md"
BEGIN, END = "<!-- bots: begin -->", "<!-- bots: end -->"
GAMES = 5_000
BATCH = 20
"""Games that are kept at a time."""
SLOW = {"expert": 0.2}
"""Bot -> the share of the games that its cells play."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure: how often the first bot loses, and the bound that it must keep."""

    name: str
    bots: tuple[str, ...]
    edition: Any = "classic"
    options: dict[str, Any] = field(default_factory=dict)
    most: float | None = None
    least: float | None = None

    def rules(self) -> Edition:
        """The edition that it is played by."""
        return build(edition_row(self.edition), options_from(self.options))


def designed(number: int) -> Cell:
    """A house edition of two decks with a random design; 2 to 12 players."""
    random = random_from("v1:designs", f"design {number}")
    while True:
        try:
            design = design_from_json(
                {"name": f"Random {number}", "leaves": below(random, 2) == 1, "powers": powers(random)}
            )
            break
        except BadSetup:
            continue
    edition = {"karma": {"TAB": 3, "GIV": 3}, "designs": [{"code": code_from_design(design), "copies": 4}]}
    players = 2 + number % 11
    bots = ("hard", *("sharp",) * (players - 1))
    return Cell(f"design {number} with {players} players", bots, edition, {"decks": 2}, most=1 / players)


def powers(random: Random) -> list[dict[str, Any]]:
    """One or two random powers."""
    chosen = []
    for _ in range(1 + below(random, 2)):
        power = VOCABULARY[below(random, len(VOCABULARY))]
        row: dict[str, Any] = {"power": power.name}
        for each in power.parameters:
            row[each.name] = (
                each.words[below(random, len(each.words))]
                if each.words
                else (each.least + below(random, each.most - each.least + 1))
            )
        chosen.append(row)
    return chosen


def cells() -> Iterator[Cell]:
    """Every figure."""
    three = ("sharp",) * 3
    yield Cell("hard against 3 sharp in Classic", ("hard", *three), most=0.05)
    yield Cell("hard against 3 sharp in Second Edition", ("hard", *three), "second_edition", most=0.05)
    yield Cell("expert against 3 sharp", ("expert", *three), most=0.025)
    yield Cell("lone sharp among 3 hard", ("sharp", "hard", "hard", "hard"), least=0.45)
    yield Cell("hard against 3 careful", ("hard", *("careful",) * 3), most=0.09)
    yield Cell("hard against 3 perturbed sharp", ("hard", *("perturbed sharp",) * 3), most=0.09)
    yield Cell("hard against 3 sharp in Mini Round", ("hard", *three), "mini_round", most=0.12)
    yield Cell("hard against 1 sharp", ("hard", "sharp"), most=0.2)
    yield Cell("hard against 5 sharp", ("hard", *("sharp",) * 5), most=0.05)
    yield Cell("lone hard among 3 expert", ("hard", "expert", "expert", "expert"), least=0.25)
    yield Cell("hard without memory against 3 sharp", ("hard without memory", *three), least=0.1)
    yield Cell("sharp against 3 careful", ("sharp", *("careful",) * 3), most=0.25)
    yield Cell("careful against 3 beginner", ("careful", *("beginner",) * 3), most=0.25)
    for number in range(20):
        yield designed(number)


@dataclass(slots=True)
class Played:
    """What some games of a cell came to."""

    games: int = 0
    lost: int = 0
    nobody_lost: int = 0
    cpu_s: float = 0.0
    times: dict[str, int] = field(default_factory=dict)
    """Milliseconds of a search, rounded -> how many took so long."""

    def add(self, other: "Played") -> None:
        """Adds more games."""
        self.games += other.games
        self.lost += other.lost
        self.nobody_lost += other.nobody_lost
        self.cpu_s += other.cpu_s
        self.times = dict(Counter(self.times) + Counter(other.times))

    def percentile(self, percent: float) -> float:
        """How long so many percent of the searches took at most."""
        left = percent / 100 * sum(self.times.values())
        for ms, count in sorted((float(ms), count) for ms, count in self.times.items()):
            left -= count
            if left <= 0:
                return ms
        return 0.0


def play(cell: Cell, first: int, games: int) -> Played:
    """Plays some games of a cell."""
    table = TableOfBots(cell.rules(), list(cell.bots), "v1:bots")
    played, times = Played(games), Counter[str]()
    began = time.process_time()
    for number in range(first, first + games):
        loser, spent = table.play(number)
        played.lost += loser == 0
        played.nobody_lost += loser < 0
        times.update(f"{ms:.1f}" for ms in spent)
    played.cpu_s = time.process_time() - began
    played.times = dict(times)
    return played


class Kept:
    """The games that earlier runs have played, in a file with one line for each batch."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._played: dict[str, Played] = {}
        rows = file.read_text("utf-8").splitlines() if file is not None and file.exists() else []
        for row in map(json.loads, rows):
            self.of(row.pop("cell")).add(Played(**row))

    def of(self, cell: str) -> Played:
        """What a cell has come to."""
        return self._played.setdefault(cell, Played())

    def add(self, cell: str, played: Played) -> None:
        """Adds a batch."""
        self.of(cell).add(played)
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps({"cell": cell, **asdict(played)}) + "\n")


def result(cell: Cell, played: Played) -> dict[str, Any]:
    """The figures of a cell."""
    estimate = share(played.lost, played.games)
    return {
        "cell": cell.name,
        "games": played.games,
        "lost": round(estimate.value, 4),
        "low": round(estimate.low, 4),
        "high": round(estimate.high, 4),
        "fair": round(1 / len(cell.bots), 4),
        "target": f"<= {cell.most:.3f}" if cell.most is not None else f">= {cell.least:.3f}",
        "kept": estimate.high <= cell.most if cell.most is not None else estimate.low >= (cell.least or 0),
        "nobody_lost": played.nobody_lost,
        "cpu_s": round(played.cpu_s, 1),
        "median_ms": played.percentile(50),
        "p99_ms": played.percentile(99),
    }


def publish(kept: Kept) -> None:
    """Writes the bots' part of the results anew, and leaves the rest of the page as it is."""
    rows = ["| cell | games | lost | 95 % interval | fair | target | | median ms | 99 % ms |", "| --- " * 9 + "|"]
    for cell in cells():
        if kept.of(cell.name).games:
            row = result(cell, kept.of(cell.name))
            shares = [f"{100 * row[name]:.1f} %" for name in ("lost", "fair")]
            interval = f"{100 * row['low']:.1f} to {100 * row['high']:.1f}"
            times = f"{row['median_ms']:.1f} | {row['p99_ms']:.1f}" if row["median_ms"] else "– | –"
            target = f"{row['target'][:2]} {100 * float(row['target'][3:]):.1f} %"
            verdict = "shown" if row["kept"] else "missed" if is_missed(cell, row) else "not decided"
            bounds = f"{row['games']} | {shares[0]} | {interval} | {shares[1]} | {target} | {verdict}"
            rows.append(f"| {row['cell']} | {bounds} | {times} |")
    before, _, rest = RESULTS.read_text("utf-8").partition(BEGIN)
    text = "\n".join(rows)
    RESULTS.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}", "utf-8")


def is_missed(cell: Cell, row: dict[str, Any]) -> bool:
    """Is the whole interval on the wrong side of the target?"""
    return bool(row["low"] > cell.most if cell.most is not None else row["high"] < (cell.least or 0))


def main() -> None:
    """Plays the cells and prints their figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--cells", default="", help="words that the names of cells contain, with commas")
    parser.add_argument("--kept", type=Path, help="a file that keeps the games")
    parser.add_argument("--publish", action="store_true", help="only write benchmarks/results.md")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    words = arguments.cells.split(",")
    kept, results = Kept(arguments.kept), []
    if arguments.publish:
        publish(kept)
        return
    for cell in cells():
        if any(word in cell.name for word in words):
            games = max(1, round(arguments.games * min(SLOW.get(bot, 1.0) for bot in cell.bots)))
            while (first := kept.of(cell.name).games) < games:
                kept.add(cell.name, play(cell, first, min(BATCH, games - first)))
            results.append(result(cell, kept.of(cell.name)))
            if not arguments.json:
                print(*results[-1].values(), sep=" | ", flush=True)
    if arguments.json:
        print(json.dumps({"bots": results}))


if __name__ == "__main__":
    main()
