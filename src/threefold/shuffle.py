"""Seeded shuffle: the same seed text gives the same deal in every process and every release.

A seed is written `v1:<text>` or `v2:<text>`; neither version ever changes. The versions differ in their 32-bit numbers:

- `v1:` the SHA-256 of the seed, a slash and a purpose gives the 128 bits that initialise an sfc32 generator (its first
  twelve numbers are discarded);
- `v2:` a keyed stream: block i = 0, 1, 2 … is the SHA-256 of the text `seed/purpose/i`, read as eight big-endian
  numbers. Whoever has seen many cards still cannot work out the rest.

In both, numbers below n come from multiplication with rejection, so all are equally likely, and the shuffle is
Fisher–Yates from the last card down. The reasons are in docs/decisions/0003-shuffle-and-seeds.md.
"""

import hashlib
import re
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Annotated, Final

from threefold.clauses import helper

BITS: Final = 0xFFFFFFFF
SEED = re.compile(r"v[12]:[!-~]{1,64}")
"""A seed: `v1:` or `v2:` and 1 to 64 visible ASCII characters."""


@dataclass(slots=True)
class Random:
    """An sfc32 generator: four words of 32 bits. Its arithmetic fits 64 bits, so plain and compiled code agree."""

    word: Annotated[list[int], (4,)]


def new_seed() -> str:
    """A new seed with 128 random bits."""
    return f"v2:{secrets.token_hex(16)}"


def is_seed(text: str) -> bool:
    """Is this a valid seed?"""
    return SEED.fullmatch(text) is not None


def random_from(seed: str, purpose: str = "deal") -> Random:
    """The sfc32 generator of a seed for one purpose: the deal of version 1, reshuffles, bots, puzzles."""
    _check(seed)
    digest = hashlib.sha256(f"{seed}/{purpose}".encode("ascii")).digest()
    random = Random([int.from_bytes(digest[4 * i : 4 * i + 4], "little") for i in range(4)])
    for _ in range(12):
        next_bits(random)
    return random


def keyed_stream(seed: str, purpose: str = "deal") -> Iterator[int]:
    """The 32-bit numbers of version 2, for one purpose."""
    _check(seed)
    for i in count():
        block = hashlib.sha256(f"{seed}/{purpose}/{i}".encode("ascii")).digest()
        yield from (int.from_bytes(block[first : first + 4], "big") for first in range(0, len(block), 4))


def draw_deal(cards: list[int], seed: str, players: int) -> int:
    """Shuffles the cards in place, as the deal of this seed, and then draws the first dealer."""
    draw = _numbers(seed, "deal")
    _shuffle_with(cards, draw)
    return draw(players)


def shuffled(cards: list[int], seed: str, purpose: str = "deal") -> list[int]:
    """The cards in the order of this seed."""
    deck = list(cards)
    _shuffle_with(deck, _numbers(seed, purpose))
    return deck


def _check(seed: str) -> None:
    if not is_seed(seed):
        raise ValueError(f"not a seed: {seed!r}; a seed is v1: or v2: and 1 to 64 visible ASCII characters")


def _numbers(seed: str, purpose: str) -> Callable[[int], int]:
    """A function n -> the next number below n, by the version of the seed."""
    if seed.startswith("v2:"):
        return partial(_below_in, keyed_stream(seed, purpose))
    return partial(below, random_from(seed, purpose))


def _below_in(stream: Iterator[int], n: int) -> int:
    """The next number from 0 to n - 1 in a stream, by the rule of `below`."""
    return next(bits * n >> 32 for bits in stream if bits * n & BITS >= (BITS + 1 - n) % n)


def _shuffle_with(cards: list[int], draw: Callable[[int], int]) -> None:
    """Fisher–Yates from the last card down, as `shuffle`."""
    for i in range(len(cards) - 1, 0, -1):
        j = draw(i + 1)
        cards[i], cards[j] = cards[j], cards[i]


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
