"""The characters of SET, the slowest first. Their level decides how long they look, so none has a tempo of its own."""

from typing import Final

from threefold.bots.characters import Character, Face

CHARACTERS: Final = (
    Character("Selma", Face("snail"), "human1"),
    Character("Tilda", Face("tortoise"), "human2"),
    Character("Pablo", Face("frog"), "human3"),
    Character("Hugo", Face("hare"), "human4"),
    Character("Luna", Face("lynx"), "human5"),
)
