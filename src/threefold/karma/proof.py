"""Proof that no bot of Karma peeks: a search is repeated from what its player could know."""

from collections.abc import Mapping
from typing import Any

from threefold.bots.choice import Choice, View
from threefold.karma.exchanging import exchanged
from threefold.karma.search import LEVELS, Thinking
from threefold.karma.table import FACE_DOWN, Table
from threefold.karma.thoughts import SEARCH
from threefold.shuffle import Random


class KarmaProof:
    """Karma's `BotProof`."""

    def __init__(self, thinking: Thinking) -> None:
        self._thinking = thinking

    def exchanged(self, table: Table, player: int, random: Random) -> Table:
        """The same table to the player's eyes, with other cards where the player cannot see them."""
        if table.giving_from == FACE_DOWN:  # a card on its way from one place to another
            return table
        return exchanged(table, player, random)

    def again(self, view: View, thought: Mapping[str, Any], random: Random) -> Choice | None:
        """The choice of a search; None: another version of it made that choice."""
        if thought["search"] != SEARCH or thought["bot"] not in LEVELS:
            return None
        return self._thinking.again(view, thought, random)
