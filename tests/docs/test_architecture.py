"""The architecture page has a line for every module, and names no file that does not exist."""

import ast
import re
from pathlib import Path

from tests.rule_coverage import ROOT

SOURCE = ROOT / "src"
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
SECTION = re.compile(r"^### `(threefold[\w/]*)`$(.*?)(?=^##|\Z)", re.DOTALL | re.MULTILINE)
LINE = re.compile(r"^- `([\w/]+\.py)`: \S", re.MULTILINE)
NAMED_FILE = re.compile(r"`([\w.-]+(?:/[\w.-]+)*\.(?:py|ts|svelte))`")


def is_empty(package: Path) -> bool:
    """Does this __init__ hold nothing but a docstring?"""
    module = ast.parse(package.read_text("utf-8"))
    return len(module.body) == (ast.get_docstring(module) is not None)


def modules() -> set[str]:
    """All modules that deserve a line: every one but empty packages and the steps of the schema."""
    return {
        path.relative_to(SOURCE).as_posix()
        for path in (SOURCE / "threefold").rglob("*.py")
        if "migrations/versions" not in path.as_posix() and not (path.name == "__init__.py" and is_empty(path))
    }


def lines() -> list[str]:
    """The modules that have a line on the page."""
    return [f"{package}/{name}" for package, text in SECTION.findall(PAGE) for name in LINE.findall(text)]


def test_every_module_has_one_line_and_every_line_a_module() -> None:
    listed = lines()
    assert sorted(listed) == sorted(set(listed)), "a module is listed twice"
    assert {path for path in modules() if path not in listed} == set(), "modules without a line"
    assert {path for path in listed if not (SOURCE / path).is_file()} == set(), "lines without a module"


def test_every_file_named_elsewhere_on_the_page_exists() -> None:
    prose = LINE.sub("", PAGE)
    places = (ROOT, SOURCE / "threefold")
    assert [name for name in NAMED_FILE.findall(prose) if not any((place / name).is_file() for place in places)] == []
