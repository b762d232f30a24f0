"""Whole games of SET as golden text files: every variant, with all events, and Views of players and spectators.

`python -m tests.setgame.write_playthroughs` writes the files in tests/setgame/playthroughs anew; a test compares them.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.set_playouts import PERFECT_PLAYERS, RANDOM_PLAYERS, Choice, choose
from tests.setgame.tables import Move, wander
from threefold import setgame
from threefold.game import event_text
from threefold.records import blank
from threefold.setgame.notation import format_move
from threefold.setgame.table import NONE, Table
from threefold.shuffle import random_from
from threefold.texts import say

FOLDER = Path(__file__).parent / "playthroughs"
HOW = "# A whole game of SET. Written by `python -m tests.setgame.write_playthroughs`; do not edit by hand."

Setup = dict[str, Any]
SIMULATED: dict[str, tuple[Setup, int]] = {
    "full": ({"variant": "full", "players": 3}, RANDOM_PLAYERS),
    "full-perfect-players": ({"variant": "full", "players": 2}, PERFECT_PLAYERS),
    "small-deck": ({"variant": "small_deck", "players": 2}, RANDOM_PLAYERS),
    "small-deck-nine-cards": ({"variant": "small_deck", "players": 4, "options": {"layout": 9}}, RANDOM_PLAYERS),
    "longer-game": ({"variant": "longer_game", "players": 2}, RANDOM_PLAYERS),
    "solitaire": ({"variant": "solitaire", "players": 1}, RANDOM_PLAYERS),
    "solitaire-perfect-player": ({"variant": "solitaire", "players": 1}, PERFECT_PLAYERS),
    "sprint-alone": ({"variant": "sprint", "players": 1}, PERFECT_PLAYERS),
    "time-attack": ({"variant": "time_attack", "players": 2, "options": {"time_ms": 60_000}}, RANDOM_PLAYERS),
    "puzzle-run": ({"variant": "puzzle_run", "players": 2, "options": {"cards": 27, "layout": 9}}, RANDOM_PLAYERS),
    "ultraset": ({"variant": "ultraset", "players": 2}, RANDOM_PLAYERS),
    "quads": ({"variant": "quads", "players": 2}, RANDOM_PLAYERS),
    "ghost": ({"variant": "ghost", "players": 2, "options": {"cards": 27}}, RANDOM_PLAYERS),
    "mega": ({"variant": "mega", "players": 2}, PERFECT_PLAYERS),
    "chain": ({"variant": "chain", "players": 2, "options": {"cards": 27, "layout": 9}}, RANDOM_PLAYERS),
    "20-20": ({"variant": "twenty_twenty", "players": 2}, PERFECT_PLAYERS),
}
"""Games of simulated players -> set-up and kind of players."""
WANDERING: dict[str, tuple[Setup, int]] = {
    "full-people-come-and-go": ({"variant": "full", "players": 3}, 2),
    "full-taking-at-once-and-dealing-by-itself": (
        {"variant": "full", "players": 4, "options": {"call": "with take", "auto_deal": True}},
        1,
    ),
    "20-20-people-come-and-go": ({"variant": "twenty_twenty", "players": 4, "options": {"call": "with take"}}, 3),
}
"""Random games -> set-up and seed."""
NAMES = (*SIMULATED, *WANDERING)


def moves_of(name: str) -> tuple[Table, list[Move]]:
    """The first table of a game, and its moves to the end."""
    if name in WANDERING:
        setup, seed = WANDERING[name]
        wandered = list(wander(setup, seed, 4000))
        return wandered[0].before, [each.move for each in wandered]
    setup, policy = SIMULATED[name]
    table = first = setgame.new({**setup, "seed": "v1:playthrough"})
    random, choice = random_from("v1:players"), blank(Choice)
    moves: list[Move] = []
    while setgame.ending(table) is None:
        choose(table.deal.variant, table, random, policy, choice)
        move = (None if choice.player == NONE else choice.player, format_move(choice.move), choice.at)
        table = setgame.play(table, *move).table
        moves.append(move)
    return first, moves


def playthrough(name: str) -> Iterator[str]:
    """The lines of a file."""
    table, moves = moves_of(name)
    yield HOW
    yield f"setup {json.dumps(setgame.setup(table))}"
    yield from views(table)
    for number, (player, move, at) in enumerate(moves, 1):
        step = setgame.play(table, player, move, at)
        table = step.table
        yield ""
        yield f"{number}. at {at} {'-' if player is None else player}: {move}"
        for event in step.events:
            shown = event.seen_by(None)
            yield f"    {say(event_text('set', shown))}"
            yield f"        {json.dumps(shown)}"
        if number % 40 == 0:
            yield from views(table)
    yield ""
    yield from views(table)
    yield f"state {json.dumps(setgame.state(table))}"


def views(table: Table) -> Iterator[str]:
    """The View of every viewer."""
    for viewer in (None, *range(table.players)):
        yield f"view {'spectator' if viewer is None else viewer} {json.dumps(setgame.view(table, viewer))}"


def text_of(name: str) -> str:
    """A whole file."""
    return "\n".join(playthrough(name)) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in NAMES:
        (FOLDER / f"{each}.txt").write_text(text_of(each), "utf-8")
