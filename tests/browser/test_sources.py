"""The page's unit tests, against what Python says, and its classes. `./run test` checks types, style and format."""

import os
import re
import subprocess
from pathlib import Path

import pytest

import hatch_build
from tests.browser import fixtures

ROOT = Path(__file__).parents[2]
CLASS = re.compile(r"\.([a-zA-Z][\w-]*)")
WITHOUT_STYLE = {"picture", "down", "up", "make", "tools"}
"""Classes that only tests and scripts look for."""


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


def test_every_class_of_a_component_has_a_rule() -> None:
    """A component that moves must not leave its styles behind."""
    sources = ROOT / "frontend" / "src"
    components = {each: each.read_text("utf-8") for each in sources.rglob("*.svelte")}
    shared = {name for each in sources.rglob("*.css") for name in CLASS.findall(each.read_text("utf-8"))}
    for text in components.values():
        shared |= {name for part in re.findall(r":global\(([^)]*)\)", text) for name in CLASS.findall(part)}
    plain = {}
    for path, text in components.items():
        markup, _, style = text.partition("<style>")
        used = {
            name for each in re.findall(r'class="([^"]*)"', markup) for name in re.sub(r"\{[^}]*\}", " ", each).split()
        }
        used |= set(re.findall(r"class:([\w-]+)", markup))
        if missing := used - set(CLASS.findall(style)) - shared - WITHOUT_STYLE:
            plain[path.name] = missing
    assert plain == {}
