"""Players that are programs: a View in, a move out. A bot never sees a Table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from threefold.game import Json
from threefold.shuffle import Random, below

View = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """What a bot wants to do: a move, and how long a person would think before it."""

    move: str
    after_ms: int = 0


Bot = Callable[[View, Random], Choice | None]
"""None: the bot does nothing until the view changes."""


def any_legal_move(view: View, random: Random) -> Choice | None:
    """Every legal answer is as likely as the others."""
    moves: list[Json] = view["moves"]
    return Choice(moves[below(random, len(moves))]) if moves else None


BOTS: dict[str, dict[str, Bot]] = {"karma": {"random": any_legal_move}}
"""Game -> name -> bot."""
