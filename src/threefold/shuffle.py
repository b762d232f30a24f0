"""Seeded shuffle: the same seed text gives the same deal in every process and every release.

A seed is written `v1:<text>` or `v2:<text>`; neither version ever changes. The versions differ in their 32-bit numbers:

- `v1:` the SHA-256 of the seed, a slash and a purpose gives the 128 bits that initialise an sfc32 generator (its first
  twelve numbers are discarded);
- `v2:` a keyed stream: block i = 0, 1, 2 … is the SHA-256 of the text `seed/purpose/i`, read as eight big-endian
  numbers. Whoever has seen many cards still cannot work out the rest. Reshuffles happen inside the compiled rules,
  which hash no text: their block i is the SHA-256 of ten numbers, namely the key of the purpose, the number of the
  reshuffle and i (`shuffle_keyed`).

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
KEY: Final = 8
"""Numbers of 32 bits in a key, and in a block of the keyed stream."""
SHA_START: Final = (
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
)  # fmt: skip
SHA_ROUNDS: Final = (
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
)  # fmt: skip
"""The constants of SHA-256 (FIPS 180-4)."""
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


def is_keyed(seed: str) -> bool:
    """Is this a seed of version 2?"""
    return seed.startswith("v2:")


def random_from(seed: str, purpose: str = "deal") -> Random:
    """The sfc32 generator of a seed for one purpose: the shuffles of version 1, bots, puzzles."""
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
        yield from _hashed(f"{seed}/{purpose}/{i}")


def key_of(seed: str, purpose: str) -> list[int]:
    """The key of a seed of version 2 for `shuffle_keyed`: the SHA-256 of the seed, a slash and the purpose."""
    _check(seed)
    return _hashed(f"{seed}/{purpose}")


def _hashed(text: str) -> list[int]:
    """The SHA-256 of a text, as eight big-endian numbers."""
    digest = hashlib.sha256(text.encode("ascii")).digest()
    return [int.from_bytes(digest[first : first + 4], "big") for first in range(0, len(digest), 4)]


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
    if is_keyed(seed):
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


@helper
def shuffle_keyed(cards: list[int], size: int, key: list[int], number: int) -> None:
    """Shuffles the first `size` cards in place, as the reshuffle of this number under a key."""
    block = [0] * KEY
    drawn = 0
    for i in range(size - 1, 0, -1):
        n = i + 1
        product = 0
        unfair = True
        while unfair:
            if drawn % KEY == 0:
                keyed_block(key, number, drawn // KEY, block)
            product = block[drawn % KEY] * n
            unfair = product & BITS < (BITS + 1) % n
            drawn += 1
        j = product >> 32
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@helper
def rotated(word: int, by: int) -> int:
    """A number of 32 bits, rotated to the right."""
    return (word >> by | word << (32 - by)) & BITS


@helper
def keyed_block(key: list[int], number: int, index: int, block: list[int]) -> None:
    """Sets the block to the SHA-256 of ten numbers: the key, the number of the reshuffle, the index of the block."""
    w = [0] * 64
    for i in range(KEY):
        w[i] = key[i]
    w[8] = number
    w[9] = index
    w[10] = 0x80000000  # the end of the message
    w[15] = 320  # its length in bits
    for i in range(16, 64):
        low = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ (w[i - 15] >> 3)
        high = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ (w[i - 2] >> 10)
        w[i] = (w[i - 16] + low + w[i - 7] + high) & BITS
    a, b, c, d, e, f, g, h = SHA_START
    for i in range(64):
        choice = (e & f) ^ (~e & g)
        first = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + choice + SHA_ROUNDS[i] + w[i]
        majority = (a & b) ^ (a & c) ^ (b & c)
        second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority
        h, g, f, e, d, c, b, a = g, f, e, (d + first) & BITS, c, b, a, (first + second) & BITS
    block[0] = (SHA_START[0] + a) & BITS
    block[1] = (SHA_START[1] + b) & BITS
    block[2] = (SHA_START[2] + c) & BITS
    block[3] = (SHA_START[3] + d) & BITS
    block[4] = (SHA_START[4] + e) & BITS
    block[5] = (SHA_START[5] + f) & BITS
    block[6] = (SHA_START[6] + g) & BITS
    block[7] = (SHA_START[7] + h) & BITS
