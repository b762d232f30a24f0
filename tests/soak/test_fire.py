"""The short form of `./run soak --fire`: every part of it, small. How fast the machine is does not matter here."""

import random
import sys
from dataclasses import replace
from math import inf

import pytest

from tests.soak.__main__ import LONGEST_MINUTES, main
from tests.soak.fire import Fire, run_fire
from tests.soak.hostile import Grammar, Order
from tests.waiting import PATIENCE_S
from threefold.game import Refusal
from threefold.live.loading import COMPACT_AFTER_MS
from threefold.web.encoding import decode

SMALL = Fire(
    kills=2, rounds=1, migrations=1, acts=40, hostile=1000, games=1, turns=10, minutes=PATIENCE_S / 60, tables=2,
    processes=2, stale_s=PATIENCE_S, p99_ms=inf, calm_s=0.2,
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("part", ["sqlite", "postgresql", "hostile", "evening"])
def test_a_small_fire_breaks_no_promise(part: str) -> None:
    result = run_fire(replace(SMALL, parts=(part,)))
    print("\n".join(result.words))  # noqa: T201 (the report, for whoever reads a failure)
    assert result.violations == []


@pytest.mark.parametrize("option", ["--minutes", "--most-minutes"])
def test_a_campaign_ends_before_its_log_may_be_compacted(option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 60_000 * LONGEST_MINUTES < COMPACT_AFTER_MS
    monkeypatch.setattr(sys, "argv", ["soak", "--fire", option, str(LONGEST_MINUTES + 1)])
    with pytest.raises(SystemExit, match="2"):
        main()


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
