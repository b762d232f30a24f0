"""Benchmark of Karma: random games plain and compiled, the first compilation, a warm start, the import.

./run bench karma           all figures and what limits them; writes Karma's part of benchmarks/results.md
./run bench karma --json    one object: compiled_moves_per_s, plain_moves_per_s, first_compile_s, warm_start_s …

A move is one decision of a player, chosen uniformly among all legal moves; listing them is included, as are shuffling,
dealing and all effects. Classic with 4 players, one core. Every figure except the first compilation is a median, and
all are processor time, so other work on the machine does not matter. A served move is a move as a server makes it:
parsed from text, with the position, the events for four players, and their four Views as JSON.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from threefold.compiling import compiler, record_type
from threefold.game import Game
from threefold.karma import KARMA, turn
from threefold.karma.deal import deal_from
from threefold.karma.fast import FAST_KARMA
from threefold.karma.simulation.deal import shuffle_and_deal
from threefold.karma.table import OVER, Moves, Table, Tape
from threefold.records import blank
from threefold.serialising import serialiser_of
from threefold.shuffle import below, random_from

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import karma_playouts  # noqa: E402 (the folder above is on the path now)

RESULTS = ROOT / "benchmarks" / "results.md"
BEGIN, END = "<!-- karma: begin -->", "<!-- karma: end -->"

PLAYERS = 4
ROUNDS = 7
COMPILED_GAMES = 4000
PLAIN_GAMES = 60
STARTS = 5

EDITION = deal_from({"edition": "classic", "players": PLAYERS, "seed": "v1:bench"}).edition

START = """
import time

began = time.process_time()
from benchmarks import karma_playouts
from threefold.karma.deal import deal_from
from threefold.shuffle import random_from

edition = deal_from({"edition": "classic", "players": 4, "seed": "v1:bench"}).edition
karma_playouts.play_games_compiled(*karma_playouts.records(edition, random_from("v1:bench", "playout")), 4, 1)
print(time.process_time() - began)
"""
"""The compiled random games, played once; the start of Python itself is not included."""

START_SERVED = """
import time

began = time.process_time()
from threefold.karma import fast

fast.warm_up()
print(time.process_time() - began)
"""
"""The same for the game of a server."""

IMPORT = """
import sys
import time

began = time.process_time()
import threefold.karma

print(time.process_time() - began)
assert "numpy" not in sys.modules
"""


def rate(play: Callable[[], int]) -> float:
    """Moves per second of processor time: the median of several rounds, after a warm-up round."""
    play()
    rates = []
    for _ in range(ROUNDS):
        began = time.process_time()
        moves = play()
        rates.append(moves / (time.process_time() - began))
    return median(rates)


def compiled_rate(play_games: Callable[..., int] = karma_playouts.play_games_compiled) -> float:
    """Moves per second in whole random games, compiled."""
    records = karma_playouts.records(EDITION, random_from("v1:bench", "playout"))
    return rate(lambda: int(play_games(*records, PLAYERS, COMPILED_GAMES)))


def plain_rate() -> float:
    """The same games, plain."""
    table, moves, tape = blank(Table, deal=None), blank(Moves), blank(Tape)
    random = random_from("v1:bench", "playout")
    return rate(lambda: karma_playouts.play_games([EDITION], [table], [moves], [tape], [random], PLAYERS, PLAIN_GAMES))


def served_move_us(game: Game[Any]) -> float:
    """Microseconds of processor time per move of a server's game: the median of several games."""
    return median(_served_game(game, f"v1:bench-{number}") for number in range(2 * ROUNDS))


def _served_game(game: Game[Any], seed: str) -> float:
    """Plays a random game once to get its moves, and a second time for the measurement."""
    first = table = game.new({"edition": "classic", "players": PLAYERS, "seed": seed, "options": {"turn_limit": 150}})
    random, moves = random_from(seed, "picks"), []
    while decisions := game.decisions(table):
        decision = decisions[below(random, len(decisions))]
        moves.append((decision.player, decision.moves[below(random, len(decision.moves))]))
        table = game.play(table, *moves[-1]).table
    table, viewers, serialiser = first, list(range(PLAYERS)), serialiser_of(game)
    began = time.process_time()
    for player, move in moves:
        step = game.play(table, player, move)
        table = step.table
        game.ending(table)
        serialiser.position(table)
        serialiser.json_events(step.events, viewers)
        serialiser.json_views(table, viewers)
    return 1e6 * (time.process_time() - began) / len(moves)


def table_bytes() -> int:
    """The largest size in bytes of a server's table during a random game."""
    table, random, most = (
        FAST_KARMA.new({"edition": "classic", "players": PLAYERS, "seed": "v1:bench"}),
        random_from("v1:b"),
        0,
    )
    for _ in range(200):
        decision = FAST_KARMA.decisions(table)[0]
        table = FAST_KARMA.play(table, decision.player, decision.moves[below(random, len(decision.moves))]).table
        most = max(most, len(table.packed))
    return most


def seconds(program: str, cache: str | None = None) -> float:
    """Runs a program in a new process and returns its own measurement."""
    environment = {**os.environ, **({} if cache is None else {"THREEFOLD_CACHE": cache})}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


def figures() -> dict[str, float]:
    """All published figures."""
    with tempfile.TemporaryDirectory() as cache:
        first = seconds(START, cache)
        warm = median(seconds(START, cache) for _ in range(STARTS))
        compile_served = seconds(START_SERVED, cache)
    return {
        "compiled_moves_per_s": round(compiled_rate()),
        "plain_moves_per_s": round(plain_rate()),
        "first_compile_s": round(first, 2),
        "warm_start_s": round(warm, 3),
        "import_s": round(median(seconds(IMPORT) for _ in range(STARTS)), 3),
        "served_compile_s": round(compile_served, 2),
        "served_move_us": round(served_move_us(FAST_KARMA), 1),
        "served_move_plain_us": round(served_move_us(KARMA), 1),
        "served_table_bytes": table_bytes(),
    }


# ---------------------------------------------------------------- What limits the compiled speed

_compiled = compiler("karma", "simulation")


@_compiled
def games_that_list_twice(es: Any, ts: Any, ms: Any, tapes: Any, rs: Any, players: int, games: int) -> int:
    """The same games, with all legal moves listed a second time before each move."""
    made = 0
    for _ in range(games):
        shuffle_and_deal(es[0], ts[0], rs[0], players)
        while ts[0].awaits != OVER:
            player = turn.first_awaited(ts[0])
            turn.list_moves(es[0], ts[0], player, ms[0])
            turn.list_moves(es[0], ts[0], player, ms[0])
            turn.make_move(es[0], ts[0], tapes[0], player, ms[0].move[below(rs[0], ms[0].count)])
            made += 1
    return made


@_compiled
def only_deals(es: Any, ts: Any, ms: Any, tapes: Any, rs: Any, players: int, games: int) -> int:
    """Only the shuffles and deals of the games."""
    for _ in range(games):
        shuffle_and_deal(es[0], ts[0], rs[0], players)
    return games


@_compiled
def only_draws_numbers(es: Any, ts: Any, ms: Any, tapes: Any, rs: Any, players: int, games: int) -> int:
    """Random numbers below 5, two hundred for each game; the sum keeps the compiler from removing them."""
    total = 0
    for _ in range(games * 200):
        total += below(rs[0], 5)
    return games * 200 if total > 0 else 0


def shares(moves_per_s: float) -> dict[str, float]:
    """The parts of the time of a move."""
    move = 1 / moves_per_s
    listing = 1 / compiled_rate(games_that_list_twice) - move
    games = mean_moves()
    dealing = 1 / compiled_rate(only_deals) / games
    numbers = 1 / compiled_rate(only_draws_numbers)
    parts = {"listing": listing / move, "dealing": dealing / move, "numbers": numbers / move}
    return {**parts, "making": 1 - sum(parts.values()), "moves": games}


def mean_moves() -> float:
    """The number of moves in a random game."""
    records = karma_playouts.records(EDITION, random_from("v1:bench", "playout"))
    return float(karma_playouts.play_games_compiled(*records, PLAYERS, COMPILED_GAMES)) / COMPILED_GAMES


WORDS = {
    "compiled_moves_per_s": ("moves a second, compiled, one core", "at least 5,000,000"),
    "plain_moves_per_s": ("moves a second, plain", "at least 60,000"),
    "first_compile_s": ("seconds of the first compilation of random games", "at most 30"),
    "warm_start_s": ("seconds of a later start: imports, compiled code from its cache, the first game", "at most 1"),
    "import_s": ("seconds to import `threefold.karma`, without NumPy", "at most 0.15"),
    "served_compile_s": ("seconds of the first compilation of a served game, in the background", ""),
    "served_move_us": (
        "microseconds per served move, compiled: from text to events, position and four Views",
        "at most 12",
    ),
    "served_move_plain_us": ("the same, plain", ""),
    "served_table_bytes": ("bytes of a served table, maximum over a game", "at most 1,000"),
}


SECTION = """\
{begin}
## Karma

`./run bench karma`: Classic, {players} players, whole games under all rules, every legal move equally likely,
including the listing of legal moves; one core, processor time (equal to wall-clock time on an idle machine), without
Python's own start-up; medians, except for the first compilation.

| figure | measured | target |
| --- | ---: | --- |
{rows}

What limits the compiled speed: a move takes {nanoseconds:.0f} ns, and a random game has {moves:.0f} moves.
Listing the legal moves takes {listing:.0%} of that time (measured by listing them twice), making the move with
all its effects {making:.0%}, drawing the random number {numbers:.0%}, shuffling and dealing {dealing:.1%}.
A table is {bytes:,} bytes of whole numbers of one width, so that one source serves both speeds and every
edition. The price is that hands are scanned kind by kind where bit operations would do.
{end}"""


def section(measured: dict[str, float], parts: dict[str, float]) -> str:
    """Karma's section of the results page."""
    rows = [f"| {words} | {measured[name]:,} | {wanted} |" for name, (words, wanted) in WORDS.items()]
    return SECTION.format(
        begin=BEGIN,
        end=END,
        players=PLAYERS,
        rows="\n".join(rows),
        nanoseconds=1e9 / measured["compiled_moves_per_s"],
        bytes=record_type(Table).itemsize,
        **parts,
    )


def record(text: str) -> None:
    """Replaces Karma's section in the results page."""
    page = RESULTS.read_text("utf-8") if RESULTS.exists() else "# Results\n"
    if BEGIN in page:
        before, rest = page.split(BEGIN, 1)
        page = before + text + rest.split(END, 1)[1]
    else:
        title, _, rest = page.partition("\n")
        page = f"{title}\n\n{text}\n{rest}"
    RESULTS.write_text(page, "utf-8")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="How fast Karma is.")
    parser.add_argument("--json", action="store_true", help="print one JSON object, and write nothing")
    options = parser.parse_args()
    measured = figures()
    if options.json:
        print(json.dumps(measured))
        return
    parts = shares(measured["compiled_moves_per_s"])
    record(section(measured, parts))
    for name, value in measured.items():
        print(f"{value:>12,}  {WORDS[name][0]} ({WORDS[name][1] or 'no promise'})")
    print(", ".join(f"{name} {part:.0%}" for name, part in parts.items() if name != "moves"), "of a move's time")


if __name__ == "__main__":
    main()
