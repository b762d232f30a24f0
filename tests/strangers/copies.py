"""A copy of the repository in which a stranger adds something, by the recipes of CONTRIBUTING.md.

`Change` says which rows go into which files; texts are added beside them. `copy_with` makes a copy with changes and
generates the page's TypeScript there, `touched` compares it with the repository, `run` starts Python on it, and
`build_page` builds its page for the browser tests.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import hatch_build
from tests.rule_coverage import ROOT

LEFT_OUT = shutil.ignore_patterns("__pycache__", "static", "node_modules", ".git", ".venv")
PARTS = ("src", "frontend/src", "frontend/public", "docs/rules", "tests")
FILES = ("frontend/package.json", "frontend/package-lock.json", "frontend/vite.config.ts", "frontend/tsconfig.json",
         "frontend/svelte.config.js", "frontend/index.html", "hatch_build.py", "pyproject.toml")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a stranger adds: file -> (the line it goes after, the new row), and English texts by part."""

    rows: Mapping[str, tuple[str, str]]
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    languages: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Languages whose folders are added, as copies of the English one -> sentences of the page in that language."""


CARD = Change(
    {
        "src/threefold/karma/cards.py": (
            '    KarmaCard("ONE", "K51", ZERO, (card_power("give_cards", n=1),)),\n',
            '    KarmaCard("FIR", "K52", ZERO, (card_power("draw_cards", n=1, whom="self"),), picture="🔥"),\n',
        )
    },
    {"karma": {"card.FIR": "Fire"}, "page": {"page.short.FIR": "Fire"}},
)
EDITION = Change(
    {
        "src/threefold/karma/editions.py": (
            '    EditionRow("mini_round", 2, dict.fromkeys(("GIV", "TAB", "BOT", "LOW"), 2), 2, seats=4),\n',
            '    EditionRow("camp_fire", 2, {"CLR": 4, "ONE": 2}, 4, numbers=(3, 12)),\n',
        )
    },
    {"page": {"page.edition.camp_fire": "Camp fire", "page.edition.camp_fire.about": "Many clears."}},
)
VARIANT = Change(
    {
        "src/threefold/setgame/variants.py": (
            "    TWENTY_TWENTY,\n",
            """\
    replace(
        SMALL,
        name="quick_nine",
        layout=9,
        call_first=0,
        choices={**SMALL.choices, "layout": (9,), "call": (CALL_WITH_TAKE,)},
    ),
""",
        )
    },
    {"page": {"page.edition.quick_nine": "Quick nine", "page.edition.quick_nine.about": "Nine cards, no calls."}},
)
LANGUAGE = Change(
    {"src/threefold/texts/__init__.py": ('"es": spanish', ', "fr": one_and_other')},
    {"page": {"page.settings.language.fr": "Français"}},
    languages={"fr": {"page.home.play_now": "Jouer"}},
)


CHANGES = {"card": CARD, "edition": EDITION, "variant": VARIANT, "language": LANGUAGE}


def copy_with(folder: Path, *changes: Change) -> Path:
    """A copy of the repository, with these changes and with its TypeScript generated again."""
    copy = folder / "threefold"
    for part in PARTS:
        shutil.copytree(ROOT / part, copy / part, ignore=LEFT_OUT)
    for name in FILES:
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, copy / name)
    for change in changes:
        apply(copy, change)
    run(copy, "-m", "threefold.web.typescript", str(copy / "frontend" / "src" / "generated"))
    return copy


def touched(copy: Path) -> set[str]:
    """The files of a copy that are new or differ from the repository."""
    files = (path.relative_to(copy) for part in PARTS for path in (copy / part).rglob("*") if path.is_file())
    return {file.as_posix() for file in files if "__pycache__" not in file.parts and _differs(copy / file, ROOT / file)}


def _differs(file: Path, original: Path) -> bool:
    return not original.exists() or file.read_bytes() != original.read_bytes()


def apply(copy: Path, change: Change) -> None:
    """Adds the rows after their lines, and the texts."""
    for file, (line, row) in change.rows.items():
        before = (copy / file).read_text("utf-8")
        assert before.count(line) == 1, f"{file} has no line {line!r}"
        (copy / file).write_text(before.replace(line, line + row), "utf-8")
    texts = copy / "src" / "threefold" / "texts"
    for part, sentences in change.texts.items():
        add_texts(texts / "en" / f"{part}.json", sentences)
    for language, translated in change.languages.items():
        shutil.copytree(texts / "en", texts / language)
        add_texts(texts / language / "page.json", translated)


def add_texts(part: Path, sentences: Mapping[str, str]) -> None:
    """Adds sentences to a part of a catalogue, or replaces them."""
    part.write_text(json.dumps({**json.loads(part.read_text("utf-8")), **sentences}, ensure_ascii=False), "utf-8")


def build_page(copy: Path) -> None:
    """Builds the page of a copy, with the packages that are installed here."""
    hatch_build.install(print, tools=True)
    (copy / "frontend" / "node_modules").symlink_to(ROOT / "frontend" / "node_modules", target_is_directory=True)
    run(copy, "hatch_build.py")


def run(copy: Path, *arguments: str) -> str:
    """Runs Python on the copy; gives what it prints."""
    environment = {**os.environ, "PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy}"}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
