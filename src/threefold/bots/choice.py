"""The interface of a bot: a View and a random generator in, a Choice out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from threefold.shuffle import Random

View = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, how long a person would think before it, and how it was found, if the bot can say that.

    A thought is data of the game's own: enough to find the move again from the same View and random generator, and why
    it is better than others.
    """

    move: str
    after_ms: int = 0
    thought: Mapping[str, Any] | None = None


Bot = Callable[[View, Random], Choice | None]
"""None: the bot does nothing until the view changes."""
