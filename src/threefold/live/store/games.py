"""Finished games and their results. The moves of a game are a range of its table's log."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from threefold.game import Json


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player of a finished game."""

    player: int
    person: str | None
    name: str
    result: str
    score: int | None = None
    figures: Json = None
    """Statistics of this player's moves, for games that have a review."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A finished game, with the range of log entries that holds it."""

    id: str
    table: str
    number: int
    game: str
    what: str
    """The edition or the variant."""
    rules: int
    began: int
    ended: int
    first_seq: int
    last_seq: int
    ending: Json
    players: Sequence[PlayerRow] = field(default=())


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The result of one game for one person."""

    id: str
    game: str
    what: str
    began: int
    ended: int
    result: str
    score: int | None
    figures: Json


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Selects finished games; None means any."""

    game: str | None = None
    what: str | None = None
    result: str | None = None
    since: int | None = None
    until: int | None = None


ANY_GAME = GameFilter()


class GameStore(Protocol):
    """Records finished games and lists them."""

    async def record_game(self, row: GameRow) -> None:
        """Adds a finished game; has no effect if it is already recorded."""

    async def game(self, game: str) -> GameRow | None:
        """The finished game with this id."""

    async def games_of(
        self, person: str, limit: int = 200, offset: int = 0, wanted: GameFilter = ANY_GAME
    ) -> list[GameRow]:
        """A person's finished games, the latest first."""

    async def results_of(self, person: str) -> list[ResultRow]:
        """A person's results in all finished games, the earliest first."""
