"""The commands: simulate, compare, design try."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from threefold.cli.simulate import read_margin, register
from threefold.karma.design import code_from_design, design_from_json

APP = typer.Typer()
register(APP)


def said(*arguments: str, code: int = 0) -> str:
    done = CliRunner().invoke(APP, list(arguments))
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.output


def test_simulate_shows_tables_and_writes_files(tmp_path: Path) -> None:
    files = ["--csv", str(tmp_path / "g.csv"), "--report", str(tmp_path / "r.html")]
    shown = said("simulate", "karma", "--players", "sharp,careful,random", "--games", "300", *files)
    for words in ("300 games", "Games lost, by bot", "starts", "pick-ups", "GIV", "Stopped"):
        assert words in shown
    assert len((tmp_path / "g.csv").read_text("utf-8").splitlines()) == 301
    assert (tmp_path / "r.html").read_text("utf-8").startswith("<!doctype html>")


def test_simulate_says_json_that_repeats_itself() -> None:
    arguments = ("simulate", "karma", "--edition", "mini_round", "--games", "200", "--json", "--seed", "again")
    first = said(*arguments)
    assert first == said(*arguments, "--workers", "1")
    assert json.loads(first)["games"] == 200


def test_simulate_plays_set() -> None:
    shown = said("simulate", "set", "--variant", "solitaire", "--games", "100")
    assert "SETs in a layout" in shown
    assert json.loads(said("simulate", "set", "--games", "50", "--players", "perfect,human5", "--json"))["games"] == 50


def test_simulate_plays_house_editions_and_options(tmp_path: Path) -> None:
    house = {"numbers": {"copies": 4}, "karma": {"CLR": 3}, "clear": 2}
    (tmp_path / "house.json").write_text(json.dumps(house), "utf-8")
    for edition in (json.dumps(house), str(tmp_path / "house.json")):
        found: dict[str, Any] = json.loads(
            said("simulate", "karma", "--edition", edition, "--games", "50", "--json", "--option", "decks=2")
        )
        assert [card["card"] for card in found["cards"]][-1] == "CLR"


def test_until_stops_early() -> None:
    found = json.loads(
        said("simulate", "karma", "--until", "±3%", "--games", "50000", "--json", "--players", "careful,careful")
    )
    assert found["games"] == 1000


@pytest.mark.parametrize(("text", "share"), [("±0.2%", 0.002), ("0.2 %", 0.002), ("0.002", 0.002), ("± 1%", 0.01)])
def test_a_margin_is_read_as_people_write_it(text: str, share: float) -> None:
    assert read_margin(text) == pytest.approx(share)


def test_compare_says_a_sentence() -> None:
    shown = said(
        "compare", "karma", "--games", "500", "--players", "random,careful", "--with-players", "careful,careful"
    )
    assert "games lost by player 1 (random, then careful)" in " ".join(shown.split())
    found = json.loads(said("compare", "karma", "--games", "300", "--with-option", "turn_limit=50", "--json"))
    assert found["games"] == 300


def test_a_design_is_tried() -> None:
    card = {"name": "Broom", "leaves": True, "powers": [{"power": "clear_pile"}]}
    code = code_from_design(design_from_json(card))
    assert "Whoever is dealt the card" in " ".join(said("design", "try", code, "--games", "500").split())
    assert json.loads(said("design", "try", code, "--games", "300", "--json"))["name"] == "Broom"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("simulate", "chess"), "game"),
        (("simulate", "karma", "--players", "deep,blue"), "players[0]"),
        (("simulate", "karma", "--seed", "x" * 65), "seed"),
        (("simulate", "karma", "--until", "much"), "±0.2%"),
        (("simulate", "karma", "--option", "decks"), "name=value"),
        (("simulate", "karma", "--edition", "{"), "--edition"),
        (("design", "try", "K1nonsense"), "code"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(arguments: tuple[str, ...], says: str) -> None:
    assert says.lower() in " ".join(said(*arguments, code=2).lower().split())
