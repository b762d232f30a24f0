"""Benchmark of SET: searches among 12 cards, whole games, daily puzzles; and statistics of simulated games.

./run bench set            all figures
./run bench set --json     one object of the same figures
./run bench set --report   lengths and endings of games, the table of docs/reference/set-figures.md

Every figure is the median of several runs on one core, in processor time. Compiling is not measured.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from statistics import median

import numpy as np

from threefold.setgame.notation import ENDINGS
from threefold.setgame.puzzles import daily
from threefold.setgame.search import all_sets, all_sets_of, count_sets
from threefold.setgame.table import Variant
from threefold.setgame.variants import GROUPS, VARIANTS
from threefold.shuffle import random_from

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import set_playouts, set_searches
from benchmarks.set_playouts import PERFECT_PLAYERS, RANDOM_PLAYERS

RUNS = 15
LAYOUTS = 20_000
GAMES = 20_000
GAMES_OF_A_MODE = 2_000


def seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """The median time of a function, after a warm-up call."""
    work()
    times = []
    for _ in range(runs):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return median(times)


def games_per_second(variant: Variant, players: int, games: int, runs: int = 7) -> int:
    """How many whole games of perfect players are played in a second."""
    took = seconds(
        lambda: set_playouts.simulate(variant, players, PERFECT_PLAYERS, games, random_from("v1:bench")), runs=runs
    )
    return round(games / took)


def modes() -> dict[str, int]:
    """Mode -> games a second of two perfect players, with the options that the mode begins with."""
    return {
        name: games_per_second(VARIANTS[name], 2, GAMES_OF_A_MODE, runs=5)
        for name in (*GROUPS["speed"], *GROUPS["other"])
    }


def figures() -> dict[str, float]:
    """All published figures."""
    chance = np.random.default_rng(81)
    layouts = np.stack([chance.permutation(81)[:12] for _ in range(LAYOUTS)]).astype(np.uint8)
    counts = np.zeros(LAYOUTS, np.int64)
    rows = np.zeros((LAYOUTS, 22, 3), np.uint8)  # 12 cards hold 14 SETs at most
    listing = seconds(lambda: set_searches.list_sets_of_each(layouts, rows, counts))
    counting = seconds(lambda: set_searches.count_sets_of_each(layouts, counts))
    some = layouts[:1000].tolist()
    assert counts[:1000].tolist() == [count_sets(cards) for cards in some]
    plain = seconds(lambda: [all_sets(cards) for cards in some], runs=7)
    ultrasets = np.zeros((LAYOUTS, 66, 4), np.uint8)
    listing_ultrasets = seconds(lambda: set_searches.list_ultrasets_of_each(layouts, ultrasets, counts))
    assert counts[:100].tolist() == [len(all_sets_of(4, cards)) for cards in some[:100]]
    return {
        "list_12_ns": round(listing / LAYOUTS * 1e9, 1),
        "count_12_ns": round(counting / LAYOUTS * 1e9, 1),
        "ultrasets_12_ns": round(listing_ultrasets / LAYOUTS * 1e9, 1),
        "plain_12_us": round(plain / len(some) * 1e6, 2),
        "games_per_s": games_per_second(VARIANTS["full"], 2, GAMES),
        "daily_ms": round(daily_milliseconds(), 3),
    }


def daily_milliseconds() -> float:
    """The median time to generate a day's two puzzles, over a year."""
    times = []
    for number in range(365):
        day = date(2026, 1, 1) + timedelta(number)
        began = time.perf_counter()
        daily("basic", day)
        daily("advanced", day)
        times.append(time.perf_counter() - began)
    return median(times) * 1000


def report(games: int) -> None:
    """Statistics of simulated games of every variant, as a table."""
    print("| variant | players | games | moves | SETs | 15 | 18 | 21 | deals | reshuffles | endings | one winner |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, variant in VARIANTS.items():
        for policy, who in ((RANDOM_PLAYERS, "random"), (PERFECT_PLAYERS, "perfect")):
            for players in (1,) if variant.alone else (2, 4):
                count = games // 50 if variant.personal else games
                report = set_playouts.simulate(variant, players, policy, count, random_from("v1:report"))
                reached = [f"{100 * report['reached'][i] / count:.2f} %" for i in (1, 2, 3)]
                endings = ", ".join(
                    f"{ENDINGS[code]} {100 * many / count:.1f} %" for code, many in enumerate(report["endings"]) if many
                )
                row = [
                    name,
                    f"{players} {who}",
                    f"{count:,}",
                    f"{report['moves'] / count:.1f}",
                    f"{report['sets'] / count:.2f}",
                    *(["–"] * 3 if variant.personal else reached),
                    f"{report['deals'] / count:.1f}",
                    f"{report['reshuffles'] / count:.1f}",
                    endings,
                    f"{100 * report['won'] / count:.2f} %",
                ]
                print(f"| {' | '.join(row)} |")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="How fast SET is.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--report", action="store_true", help="print what simulated games look like")
    parser.add_argument("--games", type=int, default=1_000_000, help="how many games the report plays of each sort")
    options = parser.parse_args()
    if options.report:
        report(options.games)
        return
    measured = figures()
    of_modes = modes()
    if options.json:
        print(json.dumps({**measured, "modes": of_modes}))
        return
    words = {
        "list_12_ns": "all SETs among 12 cards, listed, compiled (ns; at most 250)",
        "count_12_ns": "all SETs among 12 cards, counted, compiled (ns; at most 120)",
        "ultrasets_12_ns": "all UltraSets among 12 cards, listed, compiled (ns; at most 1,000)",
        "plain_12_us": "all SETs among 12 cards, listed, plain (µs; at most 20)",
        "games_per_s": "whole games of two perfect players, compiled (a second; at least 150,000)",
        "daily_ms": "a day's two puzzles, plain (ms; at most 5)",
    }
    for name, value in measured.items():
        print(f"{value:>12,}  {words[name]}")
    for name, value in of_modes.items():
        print(f"{value:>12,}  whole games of {name}, two perfect players, compiled (a second; at least 20,000)")


if __name__ == "__main__":
    main()
