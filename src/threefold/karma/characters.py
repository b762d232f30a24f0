"""The characters of Karma, the weakest first. A new strength is a new level in a row."""

from typing import Final

from threefold.bots.characters import Character, Face

CHARACTERS: Final = (
    Character("Bruno", Face("bear"), "beginner", tempo=130),
    Character("Milo", Face("mouse"), "beginner", tempo=60),
    Character("Otto", Face("owl"), "careful", tempo=140),
    Character("Greta", Face("hedgehog"), "careful", tempo=90),
    Character("Fenn", Face("fox"), "sharp", tempo=80),
    Character("Vera", Face("badger"), "sharp", tempo=110),
    Character("Nora", Face("elephant"), "hard", tempo=70),
    Character("Ruth", Face("raven"), "expert", tempo=120),
)
