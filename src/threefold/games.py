"""The games by name: one row for each kit. Nothing else outside the games' own folders names a game."""

from typing import Final

from threefold.karma.kit import KIT as KARMA
from threefold.kit import Kits
from threefold.setgame.kit import KIT as SET

KITS: Final = Kits((KARMA, SET))
"""The games of a server without further kits. The first one is the default of the engine protocol."""
