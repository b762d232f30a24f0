"""The page of the design system is in a build that asks for it, and in no other; the typeface has its licence."""

import json
from pathlib import Path

from tests.browser.conftest import STATIC
from tests.browser.pictures import build_design


def chunks(folder: Path) -> list[str]:
    """The names of the built scripts of the design system."""
    return [path.name for path in (folder / "assets").glob("*.js") if path.name.startswith(("Design", "Gallery"))]


def addresses(folder: Path) -> list[str]:
    """The addresses that the server answers with the page."""
    listed: list[str] = json.loads((folder / "places.json").read_text("utf-8"))
    return listed


def test_the_normal_build_has_no_design_page_but_the_licence_of_the_typeface() -> None:
    assert chunks(STATIC) == []
    assert "/design" not in addresses(STATIC)
    assert "SIL Open Font License" in (STATIC / "figtree-licence.txt").read_text("utf-8")


def test_a_build_with_the_flag_has_it(tmp_path: Path) -> None:
    build_design(tmp_path)
    assert chunks(tmp_path) != []
    assert "/design" in addresses(tmp_path)
