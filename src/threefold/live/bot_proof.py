"""Proof that no bot peeks: the searches in the record of a finished game are repeated from their players' Views.

Before each search, cards that its player could not know are exchanged. The View must not change by that, and the search
must find the same move for the same reasons.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from threefold.fields import a_list, a_seed, a_text, a_whole_number, refuse, required, shown
from threefold.game import Game, Json
from threefold.games import KITS
from threefold.kit import BotProof, Kits
from threefold.saved import opened, played
from threefold.shuffle import random_from

MOST_ROLLOUTS = 100_000


@dataclass(slots=True)
class Proof:
    """What came of repeating the searches of a game."""

    again: int = 0
    """Searches that found the same move again."""
    other_version: int = 0
    """Searches of another version of the bots, which cannot be repeated."""
    peeked: list[int] = field(default_factory=list)
    """The numbers of moves whose View changes with cards that it must not show."""
    moved_otherwise: list[int] = field(default_factory=list)
    """The numbers of moves that the search does not find again."""

    @property
    def is_sound(self) -> bool:
        """Did no bot peek?"""
        return not self.peeked and not self.moved_otherwise


def prove(record: Mapping[str, Json], kits: Kits = KITS) -> Proof:
    """Repeats every search of a record whose game replays."""
    saved: Any = required(record, "saved", "record")
    game, table, rows = opened(saved, kits)
    thoughts = a_list(record.get("thoughts", []), "thoughts")
    proof, bots = Proof(), kits[game.name].bot_proof
    for number, each in enumerate(played(game, table, rows), 1):
        thought = thoughts[number - 1] if number <= len(thoughts) else None
        if bots is not None and thought is not None and each.move.player is not None:
            _check(thought, f"thoughts[{number - 1}]")
            _repeat(proof, bots, game, table, number, each.move.player, each.move.move, thought)
        table = each.table
    return proof


def _check(thought: Json, where: str) -> None:
    """Whoever changed the file must not make the search fail or run for ever."""
    if not isinstance(thought, Mapping):
        raise refuse("not_an_object", field=where, given=shown(thought))
    for name, most in (("search", 1_000), ("rollouts", MOST_ROLLOUTS), ("redeals", MOST_ROLLOUTS)):
        a_whole_number(required(thought, name, where), f"{where}.{name}", 0, most)
    a_text(required(thought, "bot", where), f"{where}.bot")
    a_seed(required(thought, "seed", where))


def _repeat(
    proof: Proof,
    bots: BotProof,
    game: Game[Any],
    table: Any,
    number: int,
    player: int,
    move: str,
    thought: Mapping[str, Json],
) -> None:
    """Repeats one search, and notes what came of it."""
    view = game.view(bots.exchanged(table, player, random_from(thought["seed"], "exchange")), player)
    if view != game.view(table, player):
        proof.peeked.append(number)
        return
    choice = bots.again(view, thought, random_from(thought["seed"], "bot"))
    if choice is None:
        proof.other_version += 1
    elif choice.move == move and choice.thought is not None and choice.thought.items() <= thought.items():
        proof.again += 1
    else:
        proof.moved_otherwise.append(number)
