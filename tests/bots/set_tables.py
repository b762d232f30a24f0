"""Plays SET between bots on the plain engine, like a live table: the fastest bot moves, then all choose again."""

from collections.abc import Mapping, Sequence
from typing import Any

from threefold.games import KITS
from threefold.setgame import SET
from threefold.shuffle import Random

MOST_MOVES = 20_000


def play_set(
    setup: Mapping[str, Any], bots: Sequence[str], random: Random, tables: list[Any] | None = None
) -> tuple[Any, int]:
    """The final table and the number of moves; all earlier tables are appended to `tables`."""
    table, now = SET.new(setup), 0
    for made in range(MOST_MOVES):
        if tables is not None:
            tables.append(table)
        if SET.ending(table) is not None:
            return table, made
        plans: list[tuple[int, int | None, str]] = []
        for player, name in enumerate(bots):
            choice = KITS["set"].bots[name](SET.view(table, player), random)
            if choice is not None:
                plans.append((now + choice.after_ms, player, choice.move))
        plans.extend(
            (max(now, decision.details["deadline"]), None, decision.moves[0])
            for decision in SET.decisions(table)
            if decision.player is None
        )
        now, player_or_time, move = min(plans, key=lambda plan: plan[0])
        table = SET.play(table, player_or_time, move, now).table
    raise AssertionError("the game does not end")
