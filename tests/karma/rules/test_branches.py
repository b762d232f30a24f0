"""The tests of the rules take every branch of Karma in plain Python: measured, so that none is left out unseen."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import threefold
from tests.rule_coverage import ROOT

KARMA = Path(threefold.__file__).resolve().parent / "karma"
PROVED_ELSEWHERE = {
    "bot_view.py": "the record that bots read from a View; tests/bots",
    **{
        f"bots/{name}.py": "a policy; tests/bots"
        for name in ("__init__", "beginner", "careful", "random", "sense", "sharp")
    },
    **{f"simulation/{path.name}": "simulation; tests/simulation" for path in KARMA.glob("simulation/*.py")},
    **{
        f"{name}.py": "the bots that search; tests/bots"
        for name in ("exchanging", "memory", "proof", "redeal", "rollouts", "search", "thoughts")
    },
    "advice.py": "hints and reasons; tests/karma/test_advice.py and tests/bots/test_thoughts.py",
    "valuation.py": "values by roll-outs; tests/karma/test_analysis.py compares both speeds",
    "fast/search.py": "runs inside Numba; tests/bots compares it with the plain search",
    "guide.py": "rules for people; tests/test_guides.py",
    "requests.py": "requests of the engine protocol; tests/test_engine.py",
    "fast/__init__.py": "loads compiled code; tests/test_engines.py",
    "fast/__main__.py": "the command that a server starts; tests/web/test_compiled.py",
    "fast/copying.py": "generates machine code; tests/karma/fast compares what it copies",
    "fast/game.py": "built on kernels.py; tests/karma/fast compares it with the plain game",
    "fast/kernels.py": "runs inside Numba, where nothing can be measured; tests/karma/fast compares it",
}
"""Modules of the game that other tests prove, and which."""


def modules() -> set[str]:
    """All modules of Karma, those of the fast one included."""
    return {path.relative_to(KARMA).as_posix() for path in KARMA.rglob("*.py")}


@pytest.mark.slow
def test_every_branch_of_karma_is_taken_by_a_test_of_its_rules(tmp_path: Path) -> None:
    report = tmp_path / "coverage.json"
    tests = [ROOT / "tests" / "karma" / "rules", *sorted((ROOT / "tests" / "karma").glob("test_*.py"))]
    command = [sys.executable, "-m", "pytest", "-qq", "-p", "no:randomly", "-p", "no:xdist", "-p", "no:cacheprovider"]
    command += ["-m", "not slow", "--cov=threefold.karma", "--cov-branch", f"--cov-report=json:{report}"]
    own = {name: value for name, value in os.environ.items() if not name.startswith(("COV_", "COVERAGE_", "PYTEST_"))}
    more = {"THREEFOLD_PLAIN_ONLY": "1", "THREEFOLD_PROFILE": "fast", "COVERAGE_FILE": str(tmp_path / "data")}
    done = subprocess.run(
        [*command, *map(str, tests)], cwd=ROOT, env={**own, **more}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    named = json.loads(report.read_text("utf-8"))["files"]
    files = {(ROOT / name).resolve().relative_to(KARMA).as_posix(): file for name, file in named.items()}
    measured = modules() - set(PROVED_ELSEWHERE)
    missing = {
        name: files[name]["missing_lines"] + files[name]["missing_branches"]
        for name in sorted(measured)
        if files[name]["missing_lines"] or files[name]["missing_branches"]
    }
    assert missing == {}


def test_what_is_proved_elsewhere_exists() -> None:
    assert set(PROVED_ELSEWHERE) <= modules()
