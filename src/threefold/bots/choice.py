"""The interface of a bot: a View and a random generator in, a Choice out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from threefold.shuffle import Random

View = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, and how long a person would think before it."""

    move: str
    after_ms: int = 0


Bot = Callable[[View, Random], Choice | None]
"""None: the bot does nothing until the view changes."""
