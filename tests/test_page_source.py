"""Rules about the sources of the page: one registry of games, one table of places, no casts around the types."""

import re
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "frontend" / "src"
GAMES = {folder.name for folder in (SOURCES / "games").iterdir() if (folder / "kit.ts").is_file()}


def sources() -> Iterator[tuple[str, str]]:
    """Every source file of the page that people write, as its path and its text."""
    for path in sorted(SOURCES.rglob("*")):
        name = path.relative_to(SOURCES).as_posix()
        if path.suffix in {".ts", ".svelte"} and not name.startswith("generated/"):
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


def test_links_within_the_page_come_from_the_table_of_places() -> None:
    assert lines_with(r"""href=["'{`]+/(?!api/)""") == []
    assert lines_with(r"""\bgo\(['"`]/""") == []


def test_components_ask_flags_and_not_the_names_of_variants() -> None:
    assert lines_with(r"\.(variant|edition) [!=]== '") == []


def test_no_cast_goes_around_the_types() -> None:
    assert lines_with(r"as unknown as") == []
