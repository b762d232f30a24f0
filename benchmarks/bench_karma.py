"""How fast Karma is: random games at both speeds, the first compilation, a later start, the import.

./run bench karma           all figures and what limits them; writes Karma's part of benchmarks/results.md
./run bench karma --json    one object: compiled_moves_per_s, plain_moves_per_s, first_compile_s, warm_start_s …

A move is one decision of a player, chosen uniformly among all legal moves; listing them is included, as are shuffling,
dealing and all effects. Classic with 4 players, one core. Every figure but the first compilation is a median, and all
are of processor time, so that they say the same on a busy machine. A served move is one as a server makes it: from its
text, with the position, what is told to four players, and their four Views as JSON.
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
from threefold.karma.table import OVER, Moves, Table, Tape
from threefold.records import blank
from threefold.serialising import serialiser_of
from threefold.shuffle import below, random_from
from threefold.simulation.karma_deal import shuffle_and_deal

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
"""The compiled random games, played once; Python's own start is not in the figure."""

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
    """Moves a second of processor time: the median of several rounds, after one that does not count."""
    play()
    rates = []
    for _ in range(ROUNDS):
        began = time.process_time()
        moves = play()
        rates.append(moves / (time.process_time() - began))
    return median(rates)


def compiled_rate(play_games: Callable[..., int] = karma_playouts.play_games_compiled) -> float:
    """Moves a second in whole random games, compiled."""
    records = karma_playouts.records(EDITION, random_from("v1:bench", "playout"))
    return rate(lambda: int(play_games(*records, PLAYERS, COMPILED_GAMES)))


def plain_rate() -> float:
    """The same games, plain."""
    table, moves, tape = blank(Table, deal=None), blank(Moves), blank(Tape)
    random = random_from("v1:bench", "playout")
    return rate(lambda: karma_playouts.play_games([EDITION], [table], [moves], [tape], [random], PLAYERS, PLAIN_GAMES))


def served_move_us(game: Game[Any]) -> float:
    """Microseconds of processor time that a server's game needs for a move: the median of several games."""
    return median(_served_game(game, f"v1:bench-{number}") for number in range(2 * ROUNDS))


def _served_game(game: Game[Any], seed: str) -> float:
    """A random game is played once to know its moves, and once more for the figure."""
    first = table = game.new({"edition": "classic", "players": PLAYERS, "seed": seed, "options": {"turn_limit": 150}})
    random, moves = random_from(seed, "picks"), []
    while asked := game.decisions(table):
        decision = asked[below(random, len(asked))]
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
    """How many bytes a table is at most in a random game, as a server keeps it."""
    table, random, most = (
        FAST_KARMA.new({"edition": "classic", "players": PLAYERS, "seed": "v1:bench"}),
        random_from("v1:b"),
        0,
    )
    for _ in range(200):
        asked = FAST_KARMA.decisions(table)[0]
        table = FAST_KARMA.play(table, asked.player, asked.moves[below(random, len(asked.moves))]).table
        most = max(most, len(table.packed))
    return most


def seconds(program: str, cache: str | None = None) -> float:
    """What a program measured of itself in a process of its own."""
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
    """The same games, but all legal moves are listed a second time before each move."""
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
    """As many shuffles and deals as the games had, and nothing else."""
    for _ in range(games):
        shuffle_and_deal(es[0], ts[0], rs[0], players)
    return games


@_compiled
def only_draws_numbers(es: Any, ts: Any, ms: Any, tapes: Any, rs: Any, players: int, games: int) -> int:
    """Numbers below 5, two hundred for each game; the sum keeps the compiler from leaving them out."""
    total = 0
    for _ in range(games * 200):
        total += below(rs[0], 5)
    return games * 200 if total > 0 else 0


def shares(moves_per_s: float) -> dict[str, float]:
    """Which part of the time of a move goes where."""
    move = 1 / moves_per_s
    listing = 1 / compiled_rate(games_that_list_twice) - move
    games = mean_moves()
    dealing = 1 / compiled_rate(only_deals) / games
    numbers = 1 / compiled_rate(only_draws_numbers)
    parts = {"listing": listing / move, "dealing": dealing / move, "numbers": numbers / move}
    return {**parts, "making": 1 - sum(parts.values()), "moves": games}


def mean_moves() -> float:
    """How many moves a random game has."""
    records = karma_playouts.records(EDITION, random_from("v1:bench", "playout"))
    return float(karma_playouts.play_games_compiled(*records, PLAYERS, COMPILED_GAMES)) / COMPILED_GAMES


WORDS = {
    "compiled_moves_per_s": ("moves a second, compiled, one core", "at least 5,000,000"),
    "plain_moves_per_s": ("moves a second, plain", "at least 60,000"),
    "first_compile_s": ("seconds of the first compilation of random games", "at most 30"),
    "warm_start_s": ("seconds of a later start: imports, compiled code from its cache, the first game", "at most 1"),
    "import_s": ("seconds to import `threefold.karma`, without NumPy", "at most 0.15"),
    "served_compile_s": ("seconds of the first compilation of a served game, beside the play", ""),
    "served_move_us": (
        "microseconds of a served move, compiled: text to events, position and four Views",
        "at most 12",
    ),
    "served_move_plain_us": ("the same, plain", ""),
    "served_table_bytes": ("bytes of a served table, the largest of a game", "at most 1,000"),
}


SECTION = """\
{begin}
## Karma

`./run bench karma`: Classic, {players} players, whole games under all rules, every legal move as likely as the others,
listing included; one core, processor time (on an idle machine that is the clock's), without Python's own start;
medians, but for the first compilation.

| figure | measured | wanted |
| --- | ---: | --- |
{rows}

What limits the compiled speed: a move takes {nanoseconds:.0f} ns, and a random game has {moves:.0f} of them.
Of that time listing the legal moves takes {listing:.0%} (measured by listing them twice), making the move with
all its effects {making:.0%}, drawing the number that chooses {numbers:.0%}, shuffling and dealing {dealing:.1%}.
A table is {bytes:,} bytes of whole numbers of one width, so that one source serves both speeds and every
edition: hands are walked kind by kind where bits would do.
{end}"""


def section(measured: dict[str, float], parts: dict[str, float]) -> str:
    """Karma's part of the results page."""
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
    """Puts Karma's part into the results page, in place of the one that was there."""
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
