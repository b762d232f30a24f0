"""The project's own shuffle: the same seed text gives the same deal in every process and every release.

A seed is written `v1:<text>`. Version 1, for ever: the SHA-256 of the whole seed, a slash and a purpose gives the
128 bits that start an sfc32 generator (twelve numbers are thrown away); numbers below n come by multiplication with
rejection, so none is favoured; the shuffle is Fisher and Yates from the last card down.
docs/decisions/0003-shuffle-and-seeds.md says why.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Annotated, Final

from threefold.clauses import helper

BITS: Final = 0xFFFFFFFF
SEED = re.compile(r"v1:[!-~]{1,64}")
"""What a seed looks like: `v1:` and 1 to 64 visible ASCII characters."""


@dataclass(slots=True)
class Random:
    """An sfc32 generator: four words of 32 bits. All its arithmetic fits 64 bits, so both speeds agree."""

    word: Annotated[list[int], (4,)]


def new_seed() -> str:
    """A fresh seed with 128 random bits."""
    return f"v1:{secrets.token_hex(16)}"


def is_seed(text: str) -> bool:
    """Is this a seed that this program can shuffle by?"""
    return SEED.fullmatch(text) is not None


def random_from(seed: str, purpose: str = "deal") -> Random:
    """The generator that a seed stands for; each purpose (the deal, the second reshuffle …) has its own."""
    if not is_seed(seed):
        raise ValueError(f"not a seed: {seed!r}; a seed is v1: and 1 to 64 visible ASCII characters")
    digest = hashlib.sha256(f"{seed}/{purpose}".encode("ascii")).digest()
    random = Random([int.from_bytes(digest[4 * i : 4 * i + 4], "little") for i in range(4)])
    for _ in range(12):
        next_bits(random)
    return random


def shuffled(cards: list[int], seed: str, purpose: str = "deal") -> list[int]:
    """The cards in the order this seed gives them; the first is dealt first."""
    deck = list(cards)
    shuffle(deck, len(deck), random_from(seed, purpose))
    return deck


@helper
def next_bits(random: Random) -> int:
    """The next 32 random bits."""
    word = random.word
    bits = (word[0] + word[1] + word[3]) & BITS
    word[3] = (word[3] + 1) & BITS
    word[0] = word[1] ^ (word[1] >> 9)
    word[1] = (word[2] + ((word[2] << 3) & BITS)) & BITS
    word[2] = ((((word[2] << 21) & BITS) | (word[2] >> 11)) + bits) & BITS
    return bits


@helper
def below(random: Random, n: int) -> int:
    """A number from 0 to n - 1, each as likely as the others."""
    while True:
        product = next_bits(random) * n
        rest = product & BITS
        if rest >= n or rest >= (BITS + 1 - n) % n:  # what is unfair is less than n: a division is seldom needed
            return product >> 32


@helper
def shuffle(cards: list[int], size: int, random: Random) -> None:
    """Shuffles the first `size` cards in place."""
    for i in range(size - 1, 0, -1):
        j = below(random, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
