"""Characters: bots are animals, and have names. Several bots of one character at a table have names of its family."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Character:
    """The animal whose portrait a bot has, and its names, the usual one first."""

    animal: str
    names: tuple[str, ...]

    def name_for(self, seat: int) -> str:
        """The name in this seat of a bot that was seated before bots had names."""
        return self.names[seat % len(self.names)]

    def free_name(self, taken: Iterable[str]) -> str:
        """The first name that nobody at the table has."""
        others = {each.casefold() for each in taken}
        return next((name for name in self.names if name.casefold() not in others), f"{self.names[0]} Bot")


BEAR = Character(
    "bear",
    ("Bruno", "Berta", "Benno", "Bella", "Boris", "Britta", "Basil", "Bianca", "Bodo", "Beate", "Björn", "Brenda"),
)
FOX = Character(
    "fox",
    ("Fenn", "Flora", "Felix", "Freya", "Fabio", "Fiona", "Fritz", "Frida", "Floyd", "Fleur", "Ferris", "Fatima"),
)
HARE = Character(
    "hare",
    ("Hugo", "Hedda", "Harvey", "Hazel", "Henk", "Hilda", "Hector", "Heidi", "Hamish", "Helga", "Hiro", "Hester"),
)
MOUSE = Character(
    "mouse",
    ("Milo", "Mina", "Mats", "Mabel", "Moritz", "Mona", "Marek", "Martha", "Magnus", "Merle", "Matteo", "Maude"),
)
OWL = Character(
    "owl",
    ("Otto", "Olga", "Oskar", "Orla", "Omar", "Olive", "Orson", "Odette", "Otis", "Oona", "Orlando", "Ophelia"),
)
SNAIL = Character(
    "snail",
    ("Selma", "Silas", "Sina", "Sven", "Sofie", "Sepp", "Stella", "Sandro", "Saskia", "Simon", "Suki", "Salim"),
)
TORTOISE = Character(
    "tortoise",
    ("Tilda", "Theo", "Tessa", "Titus", "Thea", "Tarek", "Trudi", "Toby", "Tamara", "Tomas", "Tove", "Tibor"),
)
PLAIN = MOUSE
"""Of a bot that has no character of its own."""
