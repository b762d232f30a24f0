"""Both sheets are in the map from sentences to clauses, and every clause of SET has a function or a row of data."""

import tomllib

import threefold.setgame.puzzles
from tests.rule_coverage import RULES, clauses_of
from threefold.clauses import CLAUSES

IN_THE_DATA = {"S5", "M4", "M71"}
"""The smaller and larger decks are in the rows of `variants.py`."""


def test_both_sheets_are_in_the_map() -> None:
    sheets = tomllib.loads((RULES / "sheets-set.toml").read_text("utf-8"))
    assert {section["sheet"] for section in sheets["section"]} == {"SET", "20/20 SET"}


def test_every_clause_is_carried_out_by_a_function_that_names_it() -> None:
    assert threefold.setgame.puzzles.VERSION == 1
    carried_out = {clause for clause, functions in CLAUSES.items() if any("setgame" in each for each in functions)}
    assert carried_out | IN_THE_DATA == set(clauses_of("set.md"))
