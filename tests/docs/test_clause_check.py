"""A run of all tests fails when it leaves a clause without a passing test: tried on a project of two clauses."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rule_coverage import ROOT

pytestmark = pytest.mark.slow  # each starts pytest anew

RULES = "- **K1** One.\n- **K2** Two.\n"
PROVES_ONE = "import pytest\n\n@pytest.mark.rule('K1')\ndef test_one():\n    pass\n"
PROVES_TWO = "\n@pytest.mark.parametrize('n', [1, 2])\n@pytest.mark.rule('K2')\ndef test_two(n):\n    assert n < 3\n"
FAILS_TWO = PROVES_TWO.replace("n < 3", "n > 3")
IN_ONE_PROCESS: list[str] = []
IN_WORKERS = ["-p", "xdist", "--numprocesses=2"]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A project with two clauses, this project's way of checking them, and no tests yet."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "docs" / "rules").mkdir(parents=True)
    (tmp_path / "docs" / "rules" / "karma.md").write_text(RULES, "utf-8")
    for name in ("pyproject.toml", "tests/conftest.py", "tests/rule_coverage.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def run(project: Path, tests: str, *arguments: str) -> tuple[int, str]:
    (project / "tests" / "test_rules.py").write_text(tests, "utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    quick = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # most of the time would go into importing plugins
    done = subprocess.run(command, cwd=project, env=quick, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("how", [IN_ONE_PROCESS, IN_WORKERS])
def test_a_clause_without_a_test_fails_the_run(small: Path, how: list[str]) -> None:
    code, said = run(small, PROVES_ONE, *how)
    assert code == 1
    assert "K2 has no passing test" in said
    assert "K1 has no passing test" not in said


@pytest.mark.parametrize("how", [IN_ONE_PROCESS, IN_WORKERS])
def test_a_run_that_proves_every_clause_passes(small: Path, how: list[str]) -> None:
    code, said = run(small, PROVES_ONE + PROVES_TWO, *how)
    assert code == 0, said


def test_a_failing_test_proves_nothing(small: Path) -> None:
    code, said = run(small, PROVES_ONE + FAILS_TWO)
    assert code == 1
    assert "K2 has no passing test" in said


@pytest.mark.parametrize("selection", [["-k", "one"], ["-m", "rule"], ["tests/test_rules.py"], ["--deselect=x"]])
def test_a_run_of_some_tests_is_not_asked_for_every_clause(small: Path, selection: list[str]) -> None:
    code, said = run(small, PROVES_ONE, *selection)
    assert code == 0, said


def test_a_mark_with_a_clause_that_does_not_exist_stops_the_run(small: Path) -> None:
    code, said = run(small, PROVES_ONE.replace("K1", "K3"))
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "K3, which is no clause" in said


def test_the_page_is_written_from_all_tests_or_not_at_all(small: Path) -> None:
    page = small / "docs" / "rules" / "coverage.md"
    assert run(small, PROVES_ONE + PROVES_TWO, "--coverage-page", "-k", "one")[0] == pytest.ExitCode.USAGE_ERROR
    assert not page.exists()
    assert run(small, PROVES_ONE + PROVES_TWO, "--coverage-page", "--collect-only")[0] == 0
    assert "| [K2](karma.md) | [two](../../tests/test_rules.py) |" in page.read_text("utf-8")
