"""The map from the sentences of the rule sheets to clauses has no gaps and no strangers."""

import tomllib
from typing import Any

import pytest

from tests.rule_coverage import RULES, clauses_of

MAPS = sorted(path.name for path in RULES.glob("sheets-*.toml"))
SHEETS = {
    "sheets-karma.toml": {"Classic", "Second Edition", "Mini Round"},
    "sheets-set.toml": {"SET", "20/20 SET"},
}
EDITIONS = "Editions"
"""Stands for the table of editions on a rules page, which has no clause number."""


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((RULES / name).read_text("utf-8"))


def sentences(section: dict[str, Any]) -> dict[int, list[str] | str]:
    """Sentence number -> its clauses, or why it is not a rule. `3-5` is written for sentences 3 to 5."""
    found: dict[int, list[str] | str] = {}
    for number, target in section.items():
        if number in {"sheet", "name"}:
            continue
        first, _, last = number.partition("-")
        for each in range(int(first), int(last or first) + 1):
            assert each not in found, f"sentence {each} twice in {section['sheet']}, {section['name']}"
            found[each] = target
    return found


def clauses_reached(sheets: dict[str, Any]) -> set[str]:
    targets = [target for section in sheets["section"] for target in sentences(section).values()]
    return {clause for target in targets if isinstance(target, list) for clause in target}


@pytest.mark.parametrize("name", MAPS)
def test_sentences_are_numbered_from_one_without_a_gap(name: str) -> None:
    for section in read(name)["section"]:
        numbers = list(sentences(section))
        assert numbers == list(range(1, len(numbers) + 1)), f"{section['sheet']}, {section['name']}"
        assert numbers, f"{section['sheet']}, {section['name']} is empty"


@pytest.mark.parametrize("name", MAPS)
def test_no_section_is_there_twice(name: str) -> None:
    sections = [(section["sheet"], section["name"]) for section in read(name)["section"]]
    assert len(sections) == len(set(sections))


@pytest.mark.parametrize(("name", "sheets"), SHEETS.items())
def test_every_sheet_is_in_the_map(name: str, sheets: set[str]) -> None:
    assert {section["sheet"] for section in read(name)["section"]} == sheets


@pytest.mark.parametrize("name", MAPS)
def test_every_sentence_leads_to_clauses_that_exist_or_says_why_it_is_not_a_rule(name: str) -> None:
    sheets = read(name)
    known = {*clauses_of(sheets["rules"]), EDITIONS}
    for section in sheets["section"]:
        for number, target in sentences(section).items():
            where = f"{section['sheet']}, {section['name']}, sentence {number}"
            if isinstance(target, str):
                assert target.startswith("not a rule: "), where
            else:
                assert target, where
                assert set(target) <= known, where
                assert len(target) == len(set(target)), where


@pytest.mark.parametrize("name", MAPS)
def test_every_clause_comes_from_a_sentence_or_is_listed_as_going_beyond_the_sheets(name: str) -> None:
    sheets = read(name)
    reached, beyond = clauses_reached(sheets) - {EDITIONS}, set(sheets["beyond_the_sheets"])
    assert reached | beyond == set(clauses_of(sheets["rules"]))
    assert not reached & beyond, "a clause that a sentence leads to need not be listed"


@pytest.mark.parametrize("name", MAPS)
def test_the_order_of_clauses_in_the_map_is_that_of_the_rules_page(name: str) -> None:
    sheets = read(name)
    order = [EDITIONS, *clauses_of(sheets["rules"])]
    for section in sheets["section"]:
        for target in sentences(section).values():
            if isinstance(target, list):
                assert target == sorted(target, key=order.index), f"{section['sheet']}, {section['name']}"
