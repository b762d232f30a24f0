"""The games there are, by name, and how those that can be looked back on are looked back on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from threefold.game import Event, Game, Json
from threefold.karma import KARMA
from threefold.setgame import SET
from threefold.setgame.review import review

GAMES: dict[str, Game[Any]] = {game.name: game for game in (KARMA, SET)}

After = tuple[int, Any, Sequence[Event]]
"""One move: when it was made in the game's own time, the table after it, and what happened."""
REVIEWS: Mapping[str, Callable[[Any, Iterable[After]], Json]] = {SET.name: review}
"""Game -> the report on a finished one, from its first table and its moves; with each player's `figures`."""
