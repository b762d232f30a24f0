"""The number of move sequences from given positions is what it was when it was first counted."""

import pytest

from tests.karma.counts.counting import DATA, REMADE_BY, SMALL, count_compiled, count_plain, rows_of
from tests.karma.laws.setups import ALL_RULES, Rules
from threefold.karma.positions import parse_position


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_few_sequences_of_moves_are_as_many_as_counted_once(rules: Rules) -> None:
    rows = [row for row in rows_of(rules.name) if row.count <= SMALL]
    assert len({row.position for row in rows}) > 3
    for row in rows:
        assert count_plain(parse_position(row.position), row.depth) == row.count


@pytest.mark.slow
@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_many_sequences_of_moves_are_as_many_as_counted_once(rules: Rules) -> None:
    rows = rows_of(rules.name)
    assert max(row.count for row in rows) > 10 * SMALL
    for row in rows:
        assert count_compiled(parse_position(row.position), row.depth) == row.count


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_every_file_says_how_it_is_remade(rules: Rules) -> None:
    assert f"# Made by: {REMADE_BY}\n" in (DATA / f"{rules.name}.txt").read_text("utf-8")


def test_there_is_no_file_without_an_edition() -> None:
    assert {path.stem for path in DATA.glob("*.txt")} == {rules.name for rules in ALL_RULES}
