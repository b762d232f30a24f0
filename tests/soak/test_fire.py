"""The short form of `./run soak --fire`: every part of it, small. A shared machine must not matter here."""

import random
from dataclasses import replace

import pytest

from tests.soak.fire import Fire, run_fire
from tests.soak.hostile import Grammar, Order
from threefold.game import Refusal
from threefold.web.encoding import decode

SMALL = Fire(
    kills=10, acts=400, hostile=2000, games=1, turns=10, minutes=1.0, tables=2, processes=2, stale_s=20.0, p99_ms=5000.0
)


@pytest.mark.slow
@pytest.mark.parametrize("part", ["sqlite", "postgresql", "hostile", "evening"])
def test_a_small_fire_breaks_no_promise(part: str) -> None:
    result = run_fire(replace(SMALL, parts=(part,)))
    print("\n".join(result.words))  # noqa: T201 (the report, for whoever reads a failure)
    assert result.violations == []


def test_the_grammar_speaks_the_protocol_and_breaks_it() -> None:
    order = Order(port=0, codes=["BBBBBB"], people=[], tokens=["x"], clients=["page"], count=0, seed=1)
    grammar = Grammar(order, random.Random(1))  # noqa: S311 (hostile, not secret)
    read, refused = 0, 0
    for _ in range(2000):
        try:
            decode(grammar.message()[1])
            read += 1
        except Refusal:
            refused += 1
    assert read > 500
    assert refused > 500
    assert all(isinstance(grammar.frame(), bytes) for _ in range(100))
