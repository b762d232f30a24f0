"""Puzzles: what a game offers to one person alone: a puzzle for every day, and layouts for practice.

Cards are texts in the game's notation. Puzzles and attempts never change.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Protocol

from threefold.game import Event, Json
from threefold.texts import Text


class Attempt(Protocol):
    """One person's progress in a puzzle."""

    @property
    def solved_in(self) -> int | None:
        """Milliseconds from the first look to the last solution; None before that."""

    @property
    def left(self) -> int:
        """The number of solutions not found yet."""

    def guess(self, cards: Sequence[str], at: int) -> tuple["Attempt", list[Event]]:
        """Tries some cards; raises IllegalMove if they cannot be tried."""


class Puzzle(Protocol):
    """Cards with a known number of solutions."""

    def as_json(self, *, solved: bool = False) -> Json:
        """The puzzle for clients: `cards`, `count`, `difficulty`, and its solutions (`sets`) only if `solved`."""

    def begin(self, at: int) -> Attempt:
        """An attempt that begins at this time."""

    def hint(self, count: int) -> list[str]:
        """The first `count` cards of the easiest solution, always of the same one."""

    def hint_reason(self, count: int) -> Text:
        """Why these cards belong together."""


class Puzzles(Protocol):
    """The puzzles of one game."""

    @property
    def kinds(self) -> Mapping[str, int]:
        """Kind of daily puzzle -> the number of its solutions."""

    @property
    def differences(self) -> Sequence[int]:
        """The numbers of features in which the cards of a solution can differ."""

    @property
    def solution_size(self) -> int:
        """The number of cards in a solution."""

    def daily(self, kind: str, day: date) -> Puzzle:
        """The puzzle of a day."""

    def training(self, differing: int | None, seed: str) -> Puzzle:
        """A layout for practice whose solutions all differ in this number of features (None: any number)."""

    def laid_out(self, cards: Sequence[str]) -> Puzzle | None:
        """The layout for practice with these cards; None if they are none."""


def day_of(at: int) -> date:
    """The date (UTC) of a time in milliseconds since 1970."""
    return datetime.fromtimestamp(at / 1000, UTC).date()
