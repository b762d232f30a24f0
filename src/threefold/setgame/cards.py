"""The 81 cards of SET: their features, their names, and what makes three of them a SET.

A card is written as number, colour, shading and shape: `2RTO` is two red striped ovals.

    number   1  2  3
    colour   R red      P purple   G green
    shading  S solid    T striped  O outlined
    shape    D diamond  O oval     S squiggle

Inside the program a card is a number from 0 to 80, the solid ones first, so that the small deck is 0 to 26.
"""

from typing import Final

from threefold.clauses import clause, helper
from threefold.texts import Text

FEATURES: Final = ("number", "colour", "shading", "shape")
LETTERS: Final = ("123", "RPG", "STO", "DOS")
"""The letters of each feature's three values, in the order of `FEATURES`."""
VALUES: Final = (
    ("one", "two", "three"),
    ("red", "purple", "green"),
    ("solid", "striped", "outlined"),
    ("diamond", "oval", "squiggle"),
)
"""The names of each feature's three values, in the order of `FEATURES`."""

SET_SIZE: Final = 3
FULL_DECK: Final = 81
SMALL_DECK: Final = 27

# What one step of a feature adds to a card's number.
NUMBER_STEP: Final = 9
COLOUR_STEP: Final = 3
SHADING_STEP: Final = 27
SHAPE_STEP: Final = 1
STEPS: Final = (NUMBER_STEP, COLOUR_STEP, SHADING_STEP, SHAPE_STEP)


@clause("S1")
def values_of(card: int) -> tuple[int, int, int, int]:
    """A card's number, colour, shading and shape, each 0, 1 or 2."""
    return card // NUMBER_STEP % 3, card // COLOUR_STEP % 3, card // SHADING_STEP % 3, card // SHAPE_STEP % 3


CARD_VALUES: Final = tuple(values_of(card) for card in range(FULL_DECK))
CARD_NAMES: Final = tuple(
    "".join(letters[value] for letters, value in zip(LETTERS, values, strict=True)) for values in CARD_VALUES
)
CARD_OF: Final = {name: card for card, name in enumerate(CARD_NAMES)}


def format_card(card: int) -> str:
    """The card's name: `2RTO`."""
    return CARD_NAMES[card]


def format_cards(cards: list[int]) -> list[str]:
    """The cards' names."""
    return [CARD_NAMES[card] for card in cards]


def parse_card(name: str) -> int:
    """The card with this name. Raises KeyError for any other text."""
    return CARD_OF[name]


@clause("S2")
def is_set(a: int, b: int, c: int) -> bool:
    """Are the three, in every feature looked at one by one, all the same or all different?"""
    return all(
        x == y == z or x != y != z != x for x, y, z in zip(CARD_VALUES[a], CARD_VALUES[b], CARD_VALUES[c], strict=True)
    )


def _complete(a: int, b: int) -> int:
    """Computes the third card: in each feature the value of both cards if they share it, else the remaining value."""
    pairs = zip(CARD_VALUES[a], CARD_VALUES[b], STEPS, strict=True)
    return sum((x if x == y else 3 - x - y) * step for x, y, step in pairs)


THIRD: Final = bytes(_complete(a, b) for a in range(FULL_DECK) for b in range(FULL_DECK))
"""The third card of every pair, in rows of 81. A lookup is faster than the sum, plain and compiled."""


@clause("S4")
def third_card(a: int, b: int) -> int:
    """The one card that completes a SET with these two (for twice the same card: that card)."""
    return THIRD[FULL_DECK * a + b]


@helper
def completes(a: int, b: int, c: int) -> bool:
    """`is_set` for three different cards, by lookup in `THIRD`."""
    return THIRD[FULL_DECK * a + b] == c


@clause("S3")
def why_not(a: int, b: int, c: int) -> list[Text]:
    """The quick check: for each feature that fails, how ("Colour: 2 red, 1 purple."). Empty for a SET."""
    reasons = []
    for feature, names, x, y, z in zip(FEATURES, VALUES, CARD_VALUES[a], CARD_VALUES[b], CARD_VALUES[c], strict=True):
        if x == y == z or x != y != z != x:
            continue
        two, one = (x, z) if x == y else (x, y) if x == z else (y, x)
        reasons.append(Text(f"set.why_not.{feature}.{names[two]}.{names[one]}", {"feature": feature}))
    return reasons


def why(a: int, b: int, c: int) -> list[Text]:
    """For each feature of a SET, whether it is all the same or all different."""
    values = zip(FEATURES, CARD_VALUES[a], CARD_VALUES[b], CARD_VALUES[c], strict=True)
    return [Text(f"set.why.{feature}.{'same' if x == y == z else 'different'}") for feature, x, y, z in values]
