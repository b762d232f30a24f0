"""Engines: which speed a game runs at. Decided when the game starts, by asking `for_new_game`; nothing is swapped."""

from typing import Any

from threefold.game import Game
from threefold.games import GAMES


class Engines:
    """The engines of one server: plain until a fast one is ready, for the games that start after that."""

    def __init__(self) -> None:
        self._fast: dict[str, Game[Any]] = {}

    def add_fast(self, game: Game[Any]) -> None:
        """From now on new games of this name run on this engine; running games stay on theirs."""
        self._fast[game.name] = game

    def for_new_game(self, name: str) -> Game[Any]:
        """The engine for a game that starts now."""
        return self._fast.get(name, GAMES[name])


PLAIN = Engines()
"""For tests and programs without a compiler."""
