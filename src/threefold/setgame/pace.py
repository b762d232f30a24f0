"""How fast people find SETs: for each level, how long a player needs to see a SET among the cards on the table.

The bots `human1` to `human5` play by this model. It also tells how long a typical player needs for any cards.

The model is a race. Every SET on the table is looked for by a search of its own; a search ends after a random,
memoryless (exponential) time, and the one that ends first wins. So the rates of the searches add: two SETs that are
seen after 10 seconds each on average are seen, the one or the other, after 5. Moving the hand comes on top.

Because the time has no memory, a player may start to look anew whenever the table changes; nothing is lost by it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from threefold.clauses import apart, helper
from threefold.setgame.cards import (
    CARD_VALUES,
    FEATURES,
    MEGA_DECK,
    QUADS_FROM,
    QUADS_STEPS,
    STEPS,
    third_card,
)
from threefold.setgame.moves import card_in, take_of

# ---------------------------------------------------------------- What is known, and what is assumed


@dataclass(frozen=True, slots=True)
class Finding:
    """A result of a study that the model follows. The studies give directions; the sizes here are assumed."""

    finding: str
    source: str
    model: str
    """Where the model follows it."""


JACOB_HOCHSTEIN: Final = (
    "M. Jacob and S. Hochstein (2008): Set recognition as a window to perceptual and cognitive processes. "
    "Perception & Psychophysics 70 (7), 1165–1184, doi:10.3758/PP.70.7.1165"
)
TAATGEN: Final = (
    "N. A. Taatgen, M. van Oploo, J. Braaksma and J. Niemantsverdriet (2003): How to construct a believable opponent "
    "using cognitive modeling in the game of Set. Fifth International Conference on Cognitive Modeling"
)
FINDINGS: Final = (
    Finding("The more SETs there are, the sooner one is found, as in a horse race.", JACOB_HOCHSTEIN, "rates add"),
    Finding("SETs of similar cards are preferred and found sooner.", JACOB_HOCHSTEIN, "sees_ms"),
    Finding("So are SETs that share the most frequent value of the display.", JACOB_HOCHSTEIN, "ABUNDANT_PERCENT"),
    Finding("Players become faster gradually, with training.", JACOB_HOCHSTEIN, "five levels"),
    Finding(
        "Times depend on the difficulty of the SET, and that separates beginners from experts.", TAATGEN, "sees_ms"
    ),
)
"""Checked against the abstracts of both papers; no figure of theirs was available."""
ASSUMED: Final = {
    "sees_ms": "every time in the rows, and how far apart the levels are: close for one feature, far for four",
    "hand_ms": "the time to move the hand, the same for all SETs",
    "patience_ms": "how long a player looks before agreeing that there is no SET",
    "slips": "how often a call or take is wrong; three cards are named that miss by one feature",
    "ABUNDANT_PERCENT": "how much faster a SET with the most frequent value is seen",
    "USUAL_CARDS": "the time grows in proportion to the number of cards",
    "LARGER_SETS": "how much longer a SET of four or six cards takes than one of three; a fifth feature counts as four",
    "TYPICAL": "which of the levels is a typical player",
}
"""Parameter -> what is assumed about it. No study was found that measures it."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast one level is. Times are means in milliseconds, among twelve cards."""

    sees_ms: tuple[int, int, int, int]
    """Until a SET is seen whose cards differ in one, two, three or four features."""
    hand_ms: int
    patience_ms: int
    slips: int
    """In a hundred calls."""


PACES: Final = (
    Pace((15_000, 40_000, 90_000, 160_000), hand_ms=1_100, patience_ms=60_000, slips=12),
    Pace((12_000, 25_000, 46_000, 75_000), hand_ms=950, patience_ms=50_000, slips=8),
    Pace((9_500, 15_500, 24_000, 35_000), hand_ms=800, patience_ms=40_000, slips=5),
    Pace((7_500, 10_000, 13_000, 17_000), hand_ms=650, patience_ms=30_000, slips=3),
    Pace((6_000, 6_700, 7_500, 8_500), hand_ms=500, patience_ms=20_000, slips=1),
)
"""The levels, the slowest first."""
TYPICAL: Final = PACES[2]
ABUNDANT_PERCENT: Final = 65
"""The time for a SET that shares the layout's most frequent value, in percent of the usual one."""
USUAL_CARDS: Final = 12

# ---------------------------------------------------------------- The model, for both speeds

SEES_MS: Final = tuple(each for pace in PACES for each in pace.sees_ms)
HAND_MS: Final = tuple(pace.hand_ms for pace in PACES)
PATIENCE_MS: Final = tuple(pace.patience_ms for pace in PACES)
SLIPS: Final = tuple(pace.slips for pace in PACES)

LARGER_SETS: Final = (100, 250, 250, 600)
"""The time for a SET of three to six cards, in percent of one of three."""

DIFFERENCES: Final = bytes(
    sum((x != y) << i for i, (x, y) in enumerate(zip(a, b, strict=True)))
    for a in CARD_VALUES[:MEGA_DECK]
    for b in CARD_VALUES[:MEGA_DECK]
)
"""The features in which two cards of Mega or of a printed deck differ, as a bit each, in rows of 243."""
QUADS_DIFFERENCES: Final = bytes(
    sum((x != y) << i for i, (x, y) in enumerate(zip(a, CARD_VALUES[QUADS_FROM], strict=True)))
    for a in CARD_VALUES[QUADS_FROM:]
)
"""The features in which two cards of Quads differ, by the exclusive or of their numbers."""
BITS: Final = bytes(mask.bit_count() for mask in range(1 << 5))
COUNTER_BITS: Final = 5  # a value is on 27 of the 81 cards
COUNTER: Final = (1 << COUNTER_BITS) - 1
COUNTERS: Final = 3 * len(FEATURES)
MOST_FEATURES: Final = len(FEATURES)
QUADS_VALUES_OF: Final = 4  # values of each feature of Quads


@apart
def value_counts(card: int) -> int:
    """Twelve small counters in one number, one for each value of each feature, with 1 for the card's own values.

    Sums of them count the values. The frame of Mega is left out.
    """
    counts = 0
    if card >= QUADS_FROM:
        for feature in range(len(QUADS_STEPS)):
            value = (card - QUADS_FROM) // QUADS_STEPS[feature] % QUADS_VALUES_OF
            counts |= 1 << COUNTER_BITS * (QUADS_VALUES_OF * feature + value)
        return counts
    for feature in range(len(STEPS)):
        counts |= 1 << COUNTER_BITS * (3 * feature + card // STEPS[feature] % 3)
    return counts


@helper
def differences(a: int, b: int) -> int:
    """The features in which two cards of one deck differ, as a bit each."""
    if a >= QUADS_FROM:
        return QUADS_DIFFERENCES[(a - QUADS_FROM) ^ (b - QUADS_FROM)]
    return DIFFERENCES[MEGA_DECK * a + b]


@helper
def most_frequent_values(counts: int) -> int:
    """The values that most cards have, as a bit each, from the sum of the cards' `value_counts`."""
    most = 0
    values = 0
    for i in range(COUNTERS):
        count = (counts >> (COUNTER_BITS * i)) & COUNTER
        if count > most:
            most = count
            values = 0
        if count == most:
            values |= 1 << (COUNTER_BITS * i)
    return values


@helper
def mean_time_to_see(level: int, size: int, take: int, frequent: int, cards: int) -> int:
    """How long a level (0 to 4) needs on average to see the SET of this take, in milliseconds.

    `frequent` are the most frequent values among the `cards` on the table.
    """
    first = card_in(take, 0)
    differing = 0
    shared = value_counts(first)
    for i in range(1, size):
        differing |= differences(first, card_in(take, i))
        shared &= value_counts(card_in(take, i))
    features = min(BITS[differing], MOST_FEATURES)
    mean = SEES_MS[4 * level + features - 1] * cards // USUAL_CARDS
    mean = mean * LARGER_SETS[size - 3] // 100
    if shared & frequent != 0:
        mean = mean * ABUNDANT_PERCENT // 100
    return mean


# ---------------------------------------------------------------- The same for a list of cards


def means_to_see(level: int, cards: Sequence[int]) -> dict[tuple[int, int, int], int]:
    """SET -> how long a level (0 to 4) needs on average to see it among these cards, in milliseconds."""
    frequent = most_frequent_values(sum(value_counts(card) for card in cards))
    place = {card: i for i, card in enumerate(cards)}
    means = {}
    for i, a in enumerate(cards):
        for b in cards[i + 1 :]:
            third = third_card(a, b)
            if place.get(third, -1) > place[b]:
                means[a, b, third] = mean_time_to_see(level, 3, take_of(a, b, third), frequent, len(cards))
    return means


def expected_ms(level: int, cards: Sequence[int]) -> float | None:
    """How long a level (0 to 4) needs on average to take a first SET from these cards; None if there is none."""
    means = means_to_see(level, cards).values()
    return PACES[level].hand_ms + 1 / fsum(1 / mean for mean in means) if means else None
