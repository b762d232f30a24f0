"""The server answers the addresses of the page's table of places, and no others."""

import json
import re
from pathlib import Path

import pytest

from threefold.web import page

PAGE = Path(__file__).parents[2] / "frontend" / "src"
TABLES = [PAGE / "places.ts", *sorted(PAGE.glob("games/*/places.ts"))]


def test_the_server_answers_exactly_the_places_of_the_page() -> None:
    declared = [path for table in TABLES for path in re.findall(r"path: '(/[^']*)'", table.read_text("utf-8"))]
    built = json.loads((page.STATIC / "places.json").read_text("utf-8"))
    assert built == declared
    assert page.addresses() == [re.sub(r":(\w+)", r"{\1:str}", path) for path in declared]


def test_the_table_of_all_games_loads_no_component_of_one_game() -> None:
    assert "./games/" not in TABLES[0].read_text("utf-8")
    assert len(TABLES) > 1


def test_without_a_build_only_the_home_page_is_served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(page, "STATIC", tmp_path)
    assert page.addresses() == ["/"]
