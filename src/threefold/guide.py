"""Guide: the rules of a game for people, as sections of sentences and figures of cards.

A guide holds no sentence and no fact of its own: sentences are keys of the catalogue (`rules.…`), and their numbers
come from the edition or variant as the rules read it. So a new edition, a new variant and a house edition have their
guide by themselves. The exact rules are the clauses in `docs/rules`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from threefold.game import Json
from threefold.texts import Text

Look = Literal["row", "pile", "table"]
"""How cards lie: side by side, one on the other with the last on top, or each on a face-down card."""
Verdict = Literal["right", "wrong"]


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that lie together in a figure, with the words below them. A card of None lies face down."""

    cards: Sequence[str | None]
    words: Sequence[Text] = ()
    look: Look = "row"
    verdict: Verdict | None = None
    marked: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph: its sentences, a title if it is about one thing, and a figure if it has one."""

    words: Sequence[Text] = ()
    figure: Sequence[Group] = ()
    title: Text | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its paragraphs."""

    title: Text
    blocks: Sequence[Block]


Guide = Sequence[Section]


class Guides(Protocol):
    """The guides of a game: one for each published way to play, and one for any set-up of a table."""

    def ways(self) -> Sequence[str]:
        """The names of the published guides, in order."""

    def guide(self, way: str, setup: Mapping[str, Json], /) -> Guide:
        """The guide of a way to play. `setup` is that of the table, if it is about one."""


def named(words: str) -> Text:
    """A title that people wrote themselves."""
    return Text("rules.named", {"name": words})


def players(least: int, most: int) -> Text:
    """How many can play."""
    return (
        Text("rules.players_exactly", {"n": most})
        if least == most
        else Text("rules.players", {"least": least, "most": most})
    )
