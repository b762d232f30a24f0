"""Characters: the bots as people know them, each with a name, a face, a temper and a strength.

A game has a handful of characters, one row each. The level in a row is the bot that plays; saved games keep the level.
If more bots sit at a table than the game has characters, or a person has a character's name, understudies sit down:
they have names and faces of their own, so no two bots at a table share either.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

ANIMALS: Final = (
    "bear", "mouse", "owl", "hedgehog", "fox", "badger", "snail", "tortoise", "frog", "hare", "lynx", "elephant",
    "raven",
)  # fmt: skip
"""The animals that bots are."""
LOOKS: Final = ("plain", "scarf", "flower", "cap")
"""What an animal wears. Characters are plain; no understudy is."""


@dataclass(frozen=True, slots=True)
class Face:
    """The portrait of a bot: an animal, and what it wears."""

    animal: str
    look: str = "plain"


@dataclass(frozen=True, slots=True)
class Character:
    """A named bot. Its temper is a sentence in the catalogues: `page.temper.` and the name in small letters."""

    name: str
    face: Face
    level: str
    """The bot of the kit that plays: the strength."""
    tempo: int = 100
    """How long it thinks, in percent of the usual time. In games against time the level decides that."""

    @property
    def temper(self) -> str:
        """The key of the sentence about it."""
        return f"page.temper.{self.name.lower()}"


def _understudies(**names: str) -> dict[str, Face]:
    """Name -> face, the names of different animals in turn."""
    rows = [(animal, each.split()) for animal, each in names.items()]
    return {row[i]: Face(animal, LOOKS[i + 1]) for i in range(len(LOOKS) - 1) for animal, row in rows}


UNDERSTUDIES: Final = _understudies(
    owl="Olga Oskar Orla",
    bear="Berta Benno Bella",
    hare="Hedda Harvey Hazel",
    fox="Flora Felix Freya",
    tortoise="Theo Tessa Titus",
    mouse="Mina Mats Mabel",
    snail="Silas Sina Sven",
)
"""Name -> face: more of them than seats at any table."""


def free_persona(taken: Sequence[str], wanted: Sequence[str]) -> str:
    """The first name that nobody at the table has: of the wanted ones, else of an understudy."""
    others = {each.casefold() for each in taken}
    names = (*wanted, *UNDERSTUDIES)
    return next((name for name in names if name.casefold() not in others), f"{names[0]} II")
