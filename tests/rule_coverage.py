"""Which clauses of docs/rules are proved by which tests; `./run test --coverage-page` writes the page of it."""

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
    """The clauses of a rules page in the order in which it defines them; none if there is no such page yet."""
    path = RULES / page
    if not path.exists():
        return []
    return list(dict.fromkeys(CLAUSE.findall(path.read_text("utf-8"))))


def all_clauses() -> list[str]:
    """Every clause of every game."""
    return [clause for page in GAMES.values() for clause in clauses_of(page)]


def clauses_marked(item: pytest.Item) -> Iterator[str]:
    """The clauses whose mark a test carries, itself or through its class, its module or one of its parameters."""
    for mark in item.iter_markers("rule"):
        yield from mark.args


def complaints(proved: Iterable[str]) -> list[str]:
    """What a run should be failed for, as sentences, when these clauses were proved by it."""
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
