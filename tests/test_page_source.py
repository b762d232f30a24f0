"""Rules about the sources of the page: one registry of games, one table of places, no casts around the types, files and
lines of a readable length, and shared styles in one place.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "frontend" / "src"
GAMES = {folder.name for folder in (SOURCES / "games").iterdir() if (folder / "kit.ts").is_file()}


def sources() -> Iterator[tuple[str, str]]:
    """Every source file of the page that people write, as its path and its text."""
    for path in sorted(SOURCES.rglob("*")):
        name = path.relative_to(SOURCES).as_posix()
        if path.suffix in {".ts", ".svelte", ".css"} and not name.startswith("generated/"):
            yield name, path.read_text("utf-8")


def lines_with(pattern: str, *, outside: tuple[str, ...] = ()) -> list[str]:
    """The lines that match a pattern, outside some folders."""
    return [
        f"{name}: {line.strip()}"
        for name, text in sources()
        if not name.startswith(outside)
        for line in text.splitlines()
        if re.search(pattern, line)
    ]


def test_only_the_kit_of_a_game_names_it() -> None:
    assert {"karma", "set"} <= GAMES
    kits = tuple(f"games/{game}/" for game in GAMES)
    assert lines_with(rf"['\"]({'|'.join(GAMES)})['\"]", outside=kits) == []


def test_places_and_components_use_the_parts_of_a_game_through_its_kit() -> None:
    elsewhere = ("games/", "lib/", "places.ts")
    assert lines_with(rf"/games/({'|'.join(GAMES)})/", outside=elsewhere) == []


def test_links_within_the_page_come_from_the_table_of_places() -> None:
    assert lines_with(r"""href=["'{`]+/(?!api/)""") == []
    assert lines_with(r"""\bgo\(['"`]/""") == []


def test_components_ask_flags_and_not_the_names_of_variants() -> None:
    assert lines_with(r"\.(variant|edition) [!=]== '") == []


def test_no_cast_goes_around_the_types() -> None:
    assert lines_with(r"as unknown as") == []


LONGEST_FILE = 300
LONGEST_LINE = 120


def test_a_file_has_at_most_300_lines() -> None:
    long = {name: length for name, text in sources() if (length := len(text.splitlines())) > LONGEST_FILE}
    assert long == {}


def test_a_line_has_at_most_120_characters() -> None:
    assert lines_with(rf"^.{{{LONGEST_LINE + 1},}}$") == []


# ---------------------------------------------------------------- Styles

COPIED = 4
"""This many declarations in a row make a copy."""


def rule_bodies(name: str, text: str) -> Iterator[list[str]]:
    """The declarations of every CSS rule of a file, without differences in spaces."""
    style = text if name.endswith(".css") else "".join(re.findall(r"<style>(.*?)</style>", text, re.DOTALL))
    for body in re.findall(r"\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)):
        declarations = [re.sub(r"\s+", " ", each).strip() for each in body.split(";")]
        yield [each for each in declarations if each]


def runs_of(body: list[str]) -> Iterator[tuple[str, ...]]:
    """All runs of `COPIED` declarations as they are written, and a whole body of at least as many in any order."""
    for start in range(len(body) - COPIED + 1):
        yield tuple(body[start : start + COPIED])
    if len(body) >= COPIED:
        yield tuple(sorted(body))


def copied_styles(files: Iterable[tuple[str, str]]) -> dict[tuple[str, ...], set[tuple[str, ...]]]:
    """Files that share declarations -> the runs that they share."""
    homes: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for name, text in files:
        for body in rule_bodies(name, text):
            for run in runs_of(body):
                homes[run].add(name)
    copies: dict[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)
    for run, names in homes.items():
        if len(names) > 1:
            copies[tuple(sorted(names))].add(run)
    return dict(copies)


def test_two_files_do_not_declare_the_same_styles() -> None:
    copies = copied_styles(sources())
    assert copies == {}


TILE = "<style>\n  .tile {\n    display: grid;\n    gap:  2px;\n    color: red;\n    margin: 0;\n  }\n</style>\n"


@pytest.mark.parametrize(
    ("other", "copied"),
    [
        (TILE, True),
        ("<style>@media print { b { padding: 0; display: grid; gap: 2px; color: red; margin: 0 } }</style>", True),
        ("<style>b { margin: 0; color: red; gap: 2px; display: grid }</style>", True),
        ("<style>b { display: grid; gap: 2px; color: red }</style>", False),
        ("<style>b { display: grid; gap: 2px; padding: 0; color: red; margin: 0 }</style>", False),
        ("<b style='display: grid'></b>", False),
    ],
)
def test_copied_styles_are_found(other: str, *, copied: bool) -> None:
    assert bool(copied_styles([("A.svelte", TILE), ("B.svelte", other)])) == copied


def test_a_shared_style_is_not_repeated_in_a_component() -> None:
    style = TILE.removeprefix("<style>").removesuffix("</style>\n")
    assert copied_styles([("styles/layout.css", style), ("A.svelte", TILE)])
