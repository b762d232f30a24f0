"""Maps the clauses of docs/rules to the tests that prove them; `./run test --coverage-page` writes the page."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RULES = ROOT / "docs" / "rules"
PAGE = RULES / "coverage.md"
GAMES = {"Karma": "karma.md", "SET": "set.md"}
CLAUSE = re.compile(r"\*\*([A-Z]\d+[a-z]?)\*\*")

Proofs = Mapping[str, Iterable[str]]
"""Clause -> the tests that carry its mark, as `path::name`."""


def clauses_of(page: str) -> list[str]:
    """The clauses of a rules page in its order; empty if the page does not exist."""
    path = RULES / page
    if not path.exists():
        return []
    return list(dict.fromkeys(CLAUSE.findall(path.read_text("utf-8"))))


def all_clauses() -> list[str]:
    """Every clause of every game."""
    return [clause for page in GAMES.values() for clause in clauses_of(page)]


def clauses_marked(item: pytest.Item) -> Iterator[str]:
    """The clauses a test is marked with, directly or through its class, module or parameters."""
    for mark in item.iter_markers("rule"):
        yield from mark.args


def complaints(proved: Iterable[str]) -> list[str]:
    """A sentence for every clause that is not among the proved ones."""
    passed = set(proved)
    return [f"{clause} has no passing test" for clause in all_clauses() if clause not in passed]


def coverage_page(proofs: Proofs) -> str:
    """The page docs/rules/coverage.md."""
    lines = [
        "# Clauses and their tests",
        "",
        "Written by `./run test --coverage-page` from the marks on the tests; a test compares the two. A full run",
        "fails when a clause has no passing test.",
    ]
    for game, page in GAMES.items():
        clauses = clauses_of(page)
        if not clauses:
            continue
        lines += ["", f"## {game}", "", "| clause | proved by |", "| --- | --- |"]
        lines += [f"| [{clause}]({page}) | {_tests(clause, proofs)} |" for clause in clauses]
    return "\n".join(lines) + "\n"


def _tests(clause: str, proofs: Proofs) -> str:
    tests = sorted(set(proofs.get(clause, ())))
    if not tests:
        return "**no test**"
    return "<br>".join(_test(each) for each in tests)


def _test(test: str) -> str:
    path, _, name = test.partition("::")
    sentence = name.rpartition("::")[2].removeprefix("test_").replace("_", " ")
    return f"[{sentence}](../../{path})"
