"""Seeded shuffle: the same seed text gives the same deal in every process and every release.

A seed is written `v1:<text>`. Version 1 never changes: the SHA-256 of the seed, a slash and a purpose gives the 128
bits that initialise an sfc32 generator (its first twelve numbers are discarded); numbers below n come from
multiplication with rejection, so all are equally likely; the shuffle is Fisher–Yates from the last card down. The
reasons are in docs/decisions/0003-shuffle-and-seeds.md.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Annotated, Final

from threefold.clauses import helper

BITS: Final = 0xFFFFFFFF
SEED = re.compile(r"v1:[!-~]{1,64}")
"""A seed: `v1:` and 1 to 64 visible ASCII characters."""


@dataclass(slots=True)
class Random:
    """An sfc32 generator: four words of 32 bits. Its arithmetic fits 64 bits, so plain and compiled code agree."""

    word: Annotated[list[int], (4,)]


def new_seed() -> str:
    """A new seed with 128 random bits."""
    return f"v1:{secrets.token_hex(16)}"


def is_seed(text: str) -> bool:
    """Is this a valid seed?"""
    return SEED.fullmatch(text) is not None


def random_from(seed: str, purpose: str = "deal") -> Random:
    """The generator of a seed for one purpose (the deal, the second reshuffle …)."""
    if not is_seed(seed):
        raise ValueError(f"not a seed: {seed!r}; a seed is v1: and 1 to 64 visible ASCII characters")
    digest = hashlib.sha256(f"{seed}/{purpose}".encode("ascii")).digest()
    random = Random([int.from_bytes(digest[4 * i : 4 * i + 4], "little") for i in range(4)])
    for _ in range(12):
        next_bits(random)
    return random


def shuffled(cards: list[int], seed: str, purpose: str = "deal") -> list[int]:
    """The cards in the order of this seed; the first is dealt first."""
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
    """A number from 0 to n - 1, all equally likely."""
    while True:
        product = next_bits(random) * n
        rest = product & BITS
        if rest >= n or rest >= (BITS + 1 - n) % n:  # only a rest below n can be biased, so divisions are rare
            return product >> 32


@helper
def shuffle(cards: list[int], size: int, random: Random) -> None:
    """Shuffles the first `size` cards in place."""
    for i in range(size - 1, 0, -1):
        j = below(random, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
