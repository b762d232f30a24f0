"""The shuffle is the project's own: the same seed gives the same deal in every process and every release."""

import hashlib
import struct
import subprocess
import sys
from collections import Counter
from itertools import islice, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threefold.shuffle import (
    below,
    draw_deal,
    is_seed,
    key_of,
    keyed_block,
    keyed_stream,
    new_seed,
    next_bits,
    random_from,
    shuffle,
    shuffle_keyed,
    shuffled,
)

PINNED = {
    "v1:a": [3698848577, 4212115018, 3448055612, 1269091396],
    "v1:threefold": [3903214367, 1760742596, 3433886119, 3002334964],
}
DEALS = {
    "v1:a": [6, 8, 10, 7, 12, 5, 15, 4, 0, 1, 2, 9, 3, 11, 14, 13],
    "v1:threefold": [3, 8, 1, 13, 5, 12, 2, 7, 0, 15, 4, 10, 9, 11, 6, 14],
}


@pytest.mark.parametrize("seed", PINNED)
def test_version_one_gives_these_numbers_for_ever(seed: str) -> None:
    random = random_from(seed)
    assert [next_bits(random) for _ in range(4)] == PINNED[seed]
    assert shuffled(list(range(16)), seed) == DEALS[seed]


STREAMS = {
    "v2:a": [1393513710, 3875025971, 825190909, 1346929804],
    "v2:threefold": [3534129022, 1494192047, 2574051812, 937574537],
}
KEYED_DEALS = {
    "v2:a": [1, 15, 11, 8, 9, 12, 0, 14, 7, 3, 6, 10, 4, 2, 13, 5],
    "v2:threefold": [14, 6, 9, 3, 0, 7, 4, 12, 1, 10, 11, 15, 2, 8, 5, 13],
}


@pytest.mark.parametrize("seed", STREAMS)
def test_version_two_gives_these_numbers_for_ever(seed: str) -> None:
    assert list(islice(keyed_stream(seed), 4)) == STREAMS[seed]
    assert shuffled(list(range(16)), seed) == KEYED_DEALS[seed]


def deal_by_the_documented_steps(seed: str, cards: list[int], players: int) -> tuple[list[int], int]:
    """The steps of docs/decisions/0003-shuffle-and-seeds.md, written a second time, with nothing of ours."""
    numbers: list[int] = []
    block = 0

    def number() -> int:
        nonlocal block
        if not numbers:
            hexadecimal = hashlib.sha256(f"{seed}/deal/{block}".encode()).hexdigest()
            numbers.extend(int(hexadecimal[i : i + 8], 16) for i in range(0, 64, 8))
            block += 1
        return numbers.pop(0)

    def below_n(n: int) -> int:
        while True:
            high, low = divmod(number() * n, 2**32)
            if low >= 2**32 % n:
                return high

    cards = list(cards)
    for i in reversed(range(1, len(cards))):
        j = below_n(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards, below_n(players)


@given(st.text("!~azAZ09-", min_size=1, max_size=64), st.integers(0, 100), st.integers(1, 20))
def test_anybody_can_deal_a_game_of_version_two_again(text: str, size: int, players: int) -> None:
    deck = list(range(size))
    dealer = draw_deal(deck, f"v2:{text}", players)
    assert (deck, dealer) == deal_by_the_documented_steps(f"v2:{text}", list(range(size)), players)


RESHUFFLES = {
    ("v2:a", 1): [3, 10, 14, 5, 0, 2, 7, 15, 6, 1, 4, 12, 8, 9, 11, 13],
    ("v2:a", 2): [5, 11, 0, 7, 3, 10, 2, 13, 14, 8, 4, 9, 6, 1, 12, 15],
    ("v2:threefold", 1): [14, 1, 7, 12, 8, 5, 2, 3, 15, 6, 11, 0, 13, 9, 4, 10],
}


@pytest.mark.parametrize(("seed", "number"), RESHUFFLES)
def test_version_two_gives_these_reshuffles_for_ever(seed: str, number: int) -> None:
    cards = list(range(16))
    shuffle_keyed(cards, 16, key_of(seed, "reshuffles"), number)
    assert cards == RESHUFFLES[seed, number]


def reshuffle_by_the_documented_steps(seed: str, cards: list[int], reshuffle: int) -> list[int]:
    """The steps for a reshuffle, written a second time as well."""
    key = hashlib.sha256(f"{seed}/reshuffles".encode()).digest()
    numbers: list[int] = []
    for block in range(2 * len(cards)):
        numbers += struct.unpack(">8I", hashlib.sha256(key + struct.pack(">2I", reshuffle, block)).digest())
    cards = list(cards)
    for i in reversed(range(1, len(cards))):
        while numbers[0] * (i + 1) % 2**32 < 2**32 % (i + 1):
            del numbers[0]
        j = numbers.pop(0) * (i + 1) // 2**32
        cards[i], cards[j] = cards[j], cards[i]
    return cards


@given(st.text("!~azAZ09-", min_size=1, max_size=64), st.integers(0, 81), st.integers(1, 10**9))
def test_anybody_can_reshuffle_a_game_of_version_two_again(text: str, size: int, number: int) -> None:
    deck = list(range(81))
    shuffle_keyed(deck, size, key_of(f"v2:{text}", "reshuffles"), number)
    again = reshuffle_by_the_documented_steps(f"v2:{text}", list(range(size)), number)
    assert deck == again + list(range(size, 81))


@given(st.lists(st.integers(0, 2**32 - 1), min_size=10, max_size=10))
def test_a_keyed_block_is_the_sha_256_of_its_numbers(numbers: list[int]) -> None:
    block = [0] * 8
    keyed_block(numbers[:8], numbers[8], numbers[9], block)
    assert struct.pack(">8I", *block) == hashlib.sha256(struct.pack(">10I", *numbers)).digest()


def test_a_number_of_a_reshuffle_that_would_favour_some_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def block_of(key: list[int], number: int, index: int, block: list[int]) -> None:
        block[:] = [0] * 7 + [2**31]  # 0 favours the first card of three

    monkeypatch.setattr("threefold.shuffle.keyed_block", block_of)
    cards = [0, 1, 2]
    shuffle_keyed(cards, 3, [0] * 8, 1)
    assert cards == [2, 0, 1]  # 2 and 1 change places; then the first number of the next block, which is fair below 2


def test_a_number_of_the_stream_that_would_favour_some_is_thrown_away() -> None:
    n = 3 * 2**30
    cards, numbers = [0], iter(keyed_stream("v2:a"))
    kept = next(each * n >> 32 for each in numbers if each * n % 2**32 >= 2**32 % n)
    assert draw_deal(cards, "v2:a", n) == kept


def test_another_process_shuffles_the_same() -> None:
    code = "from threefold.shuffle import shuffled; print(*shuffled(list(range(60)), 'v1:elsewhere'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [int(each) for each in done.stdout.split()] == shuffled(list(range(60)), "v1:elsewhere")


def test_each_purpose_has_its_own_numbers() -> None:
    assert shuffled(list(range(60)), "v1:a", "deal") == shuffled(list(range(60)), "v1:a")
    assert shuffled(list(range(60)), "v1:a", "reshuffle 1") != shuffled(list(range(60)), "v1:a")


@given(st.text("!~azAZ09-", min_size=1, max_size=64), st.integers(0, 100))
def test_a_shuffle_loses_no_card_and_leaves_the_cards_it_was_given(text: str, size: int) -> None:
    cards = list(range(size))
    assert sorted(shuffled(cards, f"v1:{text}")) == cards == list(range(size))


@given(st.integers(0, 10_000), st.integers(1, 2**32 - 1))
def test_a_number_below_n_is_below_n(seed: int, n: int) -> None:
    random = random_from(f"v1:{seed}")
    assert all(0 <= below(random, n) < n for _ in range(3))


def test_every_order_is_as_likely_as_the_others() -> None:
    random = random_from("v1:fair")
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        cards = [0, 1, 2]
        shuffle(cards, 3, random)
        seen[tuple(cards)] += 1
    assert set(seen) == set(permutations(range(3)))
    assert (
        sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 20.5
    )  # chi-square, five degrees, one in a thousand


def test_only_the_first_cards_are_shuffled() -> None:
    cards = list(range(50))
    shuffle(cards, 40, random_from("v1:a"))
    assert cards[40:] == list(range(40, 50))
    assert sorted(cards[:40]) == list(range(40))
    assert cards[:40] != list(range(40))


def test_a_number_that_would_favour_some_is_thrown_away() -> None:
    n = 3 * 2**30  # a quarter of all 32-bit numbers must be thrown away
    random, plain = random_from("v1:a"), random_from("v1:a")
    drawn = [below(random, n) for _ in range(300)]
    bits = [next_bits(plain) for _ in range(800)]
    kept = [each * n >> 32 for each in bits if each * n & 0xFFFFFFFF >= (2**32 - n) % n]
    assert drawn == kept[:300]
    assert len(kept) < len(bits)


@pytest.mark.parametrize("seed", ["v1:a", "v1:" + "x" * 64, "v1:!~", "v1:v1:", "v2:a", "v2:" + "x" * 64])
def test_a_seed_is_its_version_and_visible_ascii(seed: str) -> None:
    assert is_seed(seed)


@pytest.mark.parametrize(
    "seed", ["", "v1:", "a", "v3:a", "v2:", "v12:a", "V1:a", "v1:" + "x" * 65, "v1:a b", "v1:é", "v1:a\n", " v1:a"]
)
def test_anything_else_is_no_seed(seed: str) -> None:
    assert not is_seed(seed)
    with pytest.raises(ValueError, match="not a seed"):
        random_from(seed)


def test_a_new_seed_is_one_of_the_keyed_stream_with_128_random_bits() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(is_seed(seed) and seed.startswith("v2:") and len(seed) == 3 + 32 for seed in seeds)
