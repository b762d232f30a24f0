"""Solo play: daily puzzles and practice."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class PuzzleRow:
    """A daily puzzle that a person has opened."""

    kind: str
    day: str
    began: int
    milliseconds: int | None = None
    """Time taken; None until the puzzle is solved."""
    solved: int | None = None
    """When it was solved."""


@dataclass(frozen=True, slots=True)
class PracticeRow:
    """The solutions a person has found in practice, for one number of differing features."""

    differing: int
    count: int
    total_ms: int
    best_ms: int
    asked: int
    """When the latest counted layout was requested; it and earlier ones do not count again."""


class SoloStore(Protocol):
    """Records puzzle and practice results."""

    async def look_at_puzzle(self, person: str, kind: str, day: str, at: int) -> PuzzleRow:
        """Records that a person opened a puzzle and returns its state; the earliest time counts."""

    async def solve_puzzle(self, person: str, row: PuzzleRow) -> None:
        """Records a solution; only the first one counts."""

    async def puzzles_of(self, person: str) -> list[PuzzleRow]:
        """The puzzles that a person has opened, by day."""

    async def times_of_puzzle(self, kind: str, day: str) -> list[int]:
        """Everybody's times in the puzzle of a day, the fastest first."""

    async def practise(self, person: str, differing: int, milliseconds: int, asked: int) -> None:
        """Records a solution found in practice; each layout counts once."""

    async def practice_of(self, person: str) -> list[PracticeRow]:
        """A person's practice results, by number of differing features."""
