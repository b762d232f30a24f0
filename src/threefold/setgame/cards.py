"""The cards of SET: their features, their names, and what makes some of them a SET.

A card is written as number, colour, shading and shape: `2RTO` is two red striped ovals.

    number   1  2  3
    colour   R red      P purple   G green
    shading  S solid    T striped  O outlined
    shape    D diamond  O oval     S squiggle

The printed cards are numbers from 0 to 80, the solid ones first, so that the small deck is 0 to 26. Two more decks are
this project's own. Mega (0 to 242) gives each printed card two twins with a frame: `2RTOF` framed, `2RTOD` with a
dotted frame. Quads (243 to 306) has three features with four values, all solid: `4YC` is four yellow crosses.
"""

from collections.abc import Sequence
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
MEGA_FEATURES: Final = (*FEATURES, "frame")
FRAMES: Final = ("", "F", "D")
FRAME_VALUES: Final = ("unframed", "framed", "dotted")
QUADS_FEATURES: Final = ("number", "colour", "shape")
QUADS_LETTERS: Final = ("1234", "RPGY", "DOSC")
QUADS_VALUES: Final = (
    ("one", "two", "three", "four"),
    ("red", "purple", "green", "yellow"),
    ("diamond", "oval", "squiggle", "cross"),
)

SET_SIZE: Final = 3
FULL_DECK: Final = 81
SMALL_DECK: Final = 27
MEGA_DECK: Final = 243
QUADS_DECK: Final = 64
QUADS_SMALL_DECK: Final = 16
QUADS_FROM: Final = MEGA_DECK  # the number of the first card of Quads
ALL_CARDS: Final = QUADS_FROM + QUADS_DECK

# What one step of a feature adds to a card's number.
NUMBER_STEP: Final = 9
COLOUR_STEP: Final = 3
SHADING_STEP: Final = 27
SHAPE_STEP: Final = 1
FRAME_STEP: Final = 81
STEPS: Final = (NUMBER_STEP, COLOUR_STEP, SHADING_STEP, SHAPE_STEP)
MEGA_STEPS: Final = (*STEPS, FRAME_STEP)
QUADS_STEPS: Final = (16, 4, 1)


@clause("S1")
def values_of(card: int) -> tuple[int, int, int, int]:
    """A printed card's number, colour, shading and shape, each 0, 1 or 2."""
    return card // NUMBER_STEP % 3, card // COLOUR_STEP % 3, card // SHADING_STEP % 3, card // SHAPE_STEP % 3


CARD_VALUES: Final = (
    *((*values_of(card), card // FRAME_STEP) for card in range(MEGA_DECK)),
    *(tuple(card // step % 4 for step in QUADS_STEPS) for card in range(QUADS_DECK)),
)
"""By card: the values of its features. An unframed card has the frame 0, also where the deck has no frames."""
CARD_NAMES: Final = tuple(
    "".join(letters[value] for letters, value in zip(LETTERS, values, strict=False))
    for values in CARD_VALUES[:FULL_DECK]
)
"""The names of the printed cards."""
NAMES: Final = (
    *(name + frame for frame in FRAMES for name in CARD_NAMES),
    *(
        "".join(letters[value] for letters, value in zip(QUADS_LETTERS, values, strict=True))
        for values in CARD_VALUES[QUADS_FROM:]
    ),
)
"""The names of all cards."""
CARD_OF: Final = {name: card for card, name in enumerate(NAMES)}
DECKS: Final = {
    4: (FEATURES, LETTERS, VALUES),
    5: (MEGA_FEATURES, (*LETTERS, FRAMES), (*VALUES, FRAME_VALUES)),
    3: (QUADS_FEATURES, QUADS_LETTERS, QUADS_VALUES),
}
"""Number of letters of a name -> the features that the letters stand for, the letters and the names of their values."""


def format_card(card: int) -> str:
    """The card's name: `2RTO`."""
    return NAMES[card]


def format_cards(cards: list[int]) -> list[str]:
    """The cards' names."""
    return [NAMES[card] for card in cards]


def parse_card(name: str) -> int:
    """The card with this name. Raises KeyError for any other text."""
    return CARD_OF[name]


# ---------------------------------------------------------------- What makes a SET


def _all_same_or_all_different(values: tuple[int, ...]) -> bool:
    return len(set(values)) in (1, len(values))


def _all_even(values: tuple[int, ...]) -> bool:
    """Four values: all the same, all different, or two and two."""
    return _all_same_or_all_different(values) or (len(set(values)) == 2 and values.count(values[0]) == 2)


@clause("S2")
def is_set(a: int, b: int, c: int) -> bool:
    """Are the three, in every feature looked at one by one, all the same or all different?"""
    return all(map(_all_same_or_all_different, values_by_feature((a, b, c))))


@clause("M51")
def is_quad(a: int, b: int, c: int, d: int) -> bool:
    """Are the four, in every feature, all the same, all different, or two and two?"""
    return all(map(_all_even, values_by_feature((a, b, c, d))))


def values_by_feature(cards: Sequence[int]) -> list[tuple[int, ...]]:
    """For each feature, the values of these cards of one deck."""
    return list(zip(*(CARD_VALUES[card] for card in cards), strict=True))


def _complete(a: int, b: int) -> int:
    """Computes the third card: in each feature the value of both cards if they share it, else the remaining value."""
    pairs = zip(CARD_VALUES[a], CARD_VALUES[b], MEGA_STEPS, strict=True)
    return sum((x if x == y else 3 - x - y) * step for x, y, step in pairs)


THIRD: Final = bytes(_complete(a, b) for a in range(MEGA_DECK) for b in range(MEGA_DECK))
"""The third card of every pair, in rows of 243. A lookup is faster than the sum, plain and compiled."""


@clause("S4")
def third_card(a: int, b: int) -> int:
    """The one card that completes a SET with these two (for twice the same card: that card).

    Among the cards of Quads it is the difference of the two, as a card: two pairs make a SET of four if it is the same.
    """
    if a >= QUADS_FROM:
        return QUADS_FROM + ((a - QUADS_FROM) ^ (b - QUADS_FROM))
    return THIRD[MEGA_DECK * a + b]


@helper
def completes(a: int, b: int, c: int) -> bool:
    """`is_set` for three different cards, by lookup in `THIRD`."""
    return third_card(a, b) == c


@helper
def are_two_pairs(a: int, b: int, c: int, d: int) -> bool:
    """Do four different cards form two pairs that are completed by the same third card?"""
    return (
        third_card(a, b) == third_card(c, d)
        or third_card(a, c) == third_card(b, d)
        or third_card(a, d) == third_card(b, c)
    )


@helper
def are_three_pairs(a: int, b: int, c: int, d: int, e: int, f: int) -> bool:
    """Do six different cards form three pairs whose third cards are a SET? It is the same for all ways to pair them."""
    return third_card(third_card(a, b), third_card(c, d)) == third_card(e, f)


@clause("S3")
def why_not(*cards: int) -> list[Text]:
    """The quick check: for each feature that fails, how ("Colour: 2 red, 1 purple."). Empty for a SET.

    Where SETs have four or six cards no single feature is to blame, except in Quads.
    """
    features, _, names = DECKS[max(len(NAMES[card]) for card in cards)]
    by_feature = list(zip(features, names, values_by_feature(cards), strict=False))
    if len(cards) == 3:
        return [
            Text(f"set.why_not.{feature}.{words[two]}.{words[one]}", {"feature": feature})
            for feature, words, values in by_feature
            if not _all_same_or_all_different(values)
            for two, one in [sorted(set(values), key=values.count, reverse=True)]
        ]
    if cards[0] >= QUADS_FROM:
        return [
            Text(f"set.why_not.{feature}.uneven", {"feature": feature})
            for feature, _, values in by_feature
            if not _all_even(values)
        ]
    right = are_two_pairs(*cards) if len(cards) == 4 else are_three_pairs(*cards)
    return [] if right else [Text(f"set.why_not.of_{len(cards)}")]


def why(a: int, b: int, c: int) -> list[Text]:
    """For each feature of a SET, whether it is all the same or all different."""
    values = zip(FEATURES, CARD_VALUES[a], CARD_VALUES[b], CARD_VALUES[c], strict=False)
    return [Text(f"set.why.{feature}.{'same' if x == y == z else 'different'}") for feature, x, y, z in values]
