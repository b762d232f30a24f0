"""Benchmark of simulations: games per second on one core and on two, and the strength of the Karma bots.

    ./run bench simulate           a table
    ./run bench simulate --json    one JSON object

Rates are medians of several rounds; those of one core are per second of processor time, so other work on the machine
does not matter. The ratio of two workers to one comes from alternating rounds in wall-clock time, and is meaningful
only on a machine with two free cores.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from threefold.compiling import to_records
from threefold.karma.simulation import KarmaResult
from threefold.shuffle import random_from
from threefold.simulation import simulate
from threefold.simulation.batch import Batch
from threefold.simulation.jobs import CHUNK, play_chunk, spec_from

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.random_choices import choose_any

ROUNDS = 7
TABLES = 1024
EDITIONS = ("classic", "classic_alternative_triples", "second_edition", "mini_round")


def median_rate(play: Callable[[], int]) -> dict[str, float]:
    """The rate per second of one core: the median of several rounds, and their spread."""
    rates = []
    for _ in range(ROUNDS):
        began = time.thread_time()
        done = play()
        rates.append(done / (time.thread_time() - began))
    middle = statistics.median(rates)
    return {"per_s": round(middle), "spread": round((max(rates) - min(rates)) / middle, 3)}


def self_play(bot: str, edition: str = "classic") -> dict[str, float]:
    """Moves per second of four equal bots on one core."""
    spec = spec_from("karma", edition, [bot] * 4, "bench")
    play_chunk(spec, 0, 10)
    return median_rate(lambda: int(play_chunk(spec, 1, 2 * CHUNK).tally["moves"]))


def set_games(variant: str, bots: list[str]) -> dict[str, float]:
    """Games of SET per second on one core."""
    spec = spec_from("set", variant, bots, "bench")
    play_chunk(spec, 0, 10)
    return median_rate(lambda: int(play_chunk(spec, 1, 500).tally["games"]))


def batch_steps() -> dict[str, float]:
    """Steps per second of many tables with masks, on one core, without the choice of moves."""
    batch = Batch("classic", players=4, tables=TABLES, seed="bench")
    arrays, chosen = batch.arrays(), np.zeros(TABLES, np.int64)
    randoms = to_records([random_from("v1:bench")])
    batch.begin(arrays)
    rates = []
    for _ in range(ROUNDS + 1):  # the first round is a warm-up
        seconds = 0.0
        for _ in range(200):
            choose_any(arrays.masks, randoms, chosen)
            began = time.thread_time()
            batch.step(chosen, arrays, trusted=True)
            seconds += time.thread_time() - began
        rates.append(200 * TABLES / seconds)
    middle = statistics.median(rates[1:])
    return {"per_s": round(middle), "spread": round((max(rates[1:]) - min(rates[1:])) / middle, 3)}


def two_cores() -> dict[str, float]:
    """The speed-up of two workers over one in wall-clock time, from alternating rounds."""
    ratios = []
    for _ in range(ROUNDS):
        seconds = []
        for workers in (1, 2):
            began = time.perf_counter()
            simulate("karma", players=["sharp"] * 4, games=24 * CHUNK, seed="bench", workers=workers)
            seconds.append(time.perf_counter() - began)
        ratios.append(seconds[0] / seconds[1])
    middle = statistics.median(ratios)
    return {"ratio": round(middle, 3), "spread": round((max(ratios) - min(ratios)) / middle, 3)}


def loss_rates(games: int) -> dict[str, Any]:
    """The loss rate of one bot against three of another, by edition; 25 % means equal strength."""
    rates: dict[str, Any] = {}
    for one, three in (("sharp", "careful"), ("careful", "random")):
        rows: dict[str, Any] = {}
        for edition in EDITIONS:
            result = simulate("karma", edition, players=[one, three, three, three], games=games, seed="bench")
            assert isinstance(result, KarmaResult)
            rows[edition] = {**result.bots[one].as_json(), "stopped": round(result.stopped.value, 6)}
        rates[f"{one} against three {three}"] = rows
    return rates


def main() -> None:
    """Measures and prints."""
    figures = {
        "sharp_self_play_moves": self_play("sharp"),
        "careful_self_play_moves": self_play("careful"),
        "random_self_play_moves": self_play("random"),
        "batch_steps": batch_steps(),
        "set_full_games_perfect": set_games("full", ["perfect"] * 4),
        "set_full_games_human3": set_games("full", ["human3"] * 4),
        "two_cores": two_cores(),
        "loss_rates": loss_rates(100_000),
    }
    if "--json" in sys.argv[1:]:
        print(json.dumps(figures))
        return
    for name, figure in figures.items():
        if name != "loss_rates":
            print(f"{name:28} {', '.join(f'{key} {value:,}' for key, value in figure.items())}")
    for match, rows in figures["loss_rates"].items():
        for edition, rate in rows.items():
            low, high = 100 * rate["low"], 100 * rate["high"]
            print(f"{match:28} {edition:28} {100 * rate['value']:6.2f} % ({low:.2f} to {high:.2f})")


if __name__ == "__main__":
    main()
