"""The games by name, at their plain speed, and the reviews of finished games."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from threefold.facts import PageFacts
from threefold.game import Event, Game, Json
from threefold.karma import KARMA
from threefold.karma.page import PAGE as KARMA_PAGE
from threefold.setgame import SET
from threefold.setgame.page import PAGE as SET_PAGE
from threefold.setgame.review import review

GAMES: Final[Mapping[str, Game[Any]]] = MappingProxyType({game.name: game for game in (KARMA, SET)})
"""Name -> rules. Nothing replaces an entry: a server that has a faster engine asks `engines.Engines`."""

PAGES: Final[Sequence[PageFacts]] = (KARMA_PAGE, SET_PAGE)
"""The facts of the games for the page."""

After = tuple[int, Any, Sequence[Event]]
"""One move: its time in the game's own clock, the table after it, and its events."""
REVIEWS: Final[Mapping[str, Callable[[Any, Iterable[After]], Json]]] = MappingProxyType({SET.name: review})
"""Name -> the report on a finished game, from its first table and its moves; with each player's `figures`."""
