"""The pages in docs/rules and the marks on the tests agree."""

import subprocess
import sys
from pathlib import Path

from tests.rule_coverage import PAGE, ROOT, all_clauses, clauses_of, complaints, coverage_page


def test_the_coverage_page_is_what_the_marks_on_the_tests_say(tmp_path: Path) -> None:
    fresh = tmp_path / "coverage.md"
    collect = [sys.executable, "-m", "pytest", "-qq", "--collect-only", "-p", "no:xdist", "-p", "no:cacheprovider"]
    done = subprocess.run([*collect, f"--coverage-page={fresh}"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert PAGE.read_text("utf-8") == fresh.read_text("utf-8"), "./run test --coverage-page writes it anew"


def test_the_clauses_of_karma_are_read_from_its_page() -> None:
    clauses = clauses_of("karma.md")
    assert clauses[0] == "K1"
    assert {"K12a", "K40", "K51", "K66"} <= set(clauses)
    assert len(clauses) == len(set(clauses)) == 53


def test_a_page_that_does_not_exist_has_no_clauses() -> None:
    assert clauses_of("no such page.md") == []


def test_a_run_that_proves_all_but_one_clause_is_told_which() -> None:
    proved = set(all_clauses()) - {"K7"}
    assert complaints(proved) == ["K7 has no passing test"]
    assert complaints(proved | {"K7"}) == []


def test_the_coverage_page_names_each_test_once_and_in_order() -> None:
    tests = ["tests/b.py::test_two_words", "tests/a.py::Case::test_one", "tests/a.py::Case::test_one"]
    page = coverage_page({"K7": tests})
    assert "| [K7](karma.md) | [one](../../tests/a.py)<br>[two words](../../tests/b.py) |\n" in page
    assert "| [K8](karma.md) | **no test** |\n" in page
