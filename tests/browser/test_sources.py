"""The page's unit tests, against what Python says. `./run test` checks its types, style and format."""

import os
import subprocess
from pathlib import Path

import pytest

import hatch_build
from tests.browser import fixtures

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def npm() -> tuple[list[str], dict[str, str]]:
    return hatch_build.install(print, tools=True)


def run(npm: tuple[list[str], dict[str, str]], *arguments: str, **more: str) -> None:
    command, surroundings = npm
    done = subprocess.run(
        [*command, "run", *arguments],
        cwd=ROOT / "frontend",
        env={**os.environ, **surroundings, **more},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_s_unit_tests_pass(npm: tuple[list[str], dict[str, str]], tmp_path: Path) -> None:
    fixtures.write(tmp_path)
    run(npm, "test", THREEFOLD_FIXTURES=str(tmp_path))


def test_the_lock_of_the_page_names_no_host() -> None:
    assert '"resolved"' not in (ROOT / "frontend" / "package-lock.json").read_text("utf-8")
