"""The games there are, by name."""

from typing import Any

from threefold.game import Game
from threefold.karma import KARMA
from threefold.setgame import SET

GAMES: dict[str, Game[Any]] = {game.name: game for game in (KARMA, SET)}
