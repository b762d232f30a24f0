"""The site of the docs: it builds, every link on it leads somewhere, it can be searched, and everybody has an entry."""

import json
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.rule_coverage import ROOT

ENTRIES = ("play", "host", "simulate", "bots", "cards", "contribute")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "tools.docs", str(folder)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def links(page: str) -> list[str]:
    """What a page names: other pages, files, pictures."""
    return [unescape(each) for each in re.findall(r'(?:href|src)=["\']?([^"\'\s>]+)', page)]


def anchors(page: str) -> set[str]:
    return set(re.findall(r'id=["\']?([^"\'\s>]+)', page))


def test_every_link_on_the_site_leads_somewhere(site: Path) -> None:
    pages = {path: path.read_text("utf-8") for path in site.rglob("*.html")}
    assert len(pages) > 30
    broken = []
    for path, text in pages.items():
        if path.name == "404.html":  # its addresses begin at the top of the site
            continue
        for link in links(text):
            name, _, anchor = unquote(link).partition("#")
            if re.match(r"[a-z]+:|//", name):
                continue
            target = (path.parent / name).resolve() if name else path
            target = target / "index.html" if target.is_dir() else target
            lost = anchor and target in pages and anchor not in anchors(pages[target]) and anchor != "__skip"
            if not target.exists() or lost:
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []


def test_the_site_can_be_searched(site: Path) -> None:
    (index,) = site.rglob("search*.json")
    text = json.dumps(json.loads(index.read_text("utf-8")))
    for words in ("Raspberry Pi", "code_from_design", "Give the Pile"):
        assert words in text, words


@pytest.mark.parametrize("entry", ENTRIES)
def test_everybody_has_an_entry(site: Path, entry: str) -> None:
    assert f'"{entry}.html"' in (site / "index.html").read_text("utf-8").replace("=", '="').replace(">", '">') or (
        f"{entry}.html" in links((site / "index.html").read_text("utf-8"))
    )
    assert (site / f"{entry}.html").is_file()


def test_the_reference_is_made_from_the_docstrings(site: Path) -> None:
    page = (site / "reference" / "python.html").read_text("utf-8")
    assert {"threefold.simulation.simulate", "threefold.karma.play"} <= anchors(page)
    assert "Makes a move on a copy of the table." in page


def test_the_pages_load_nothing_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        loaded = re.findall(r'<(?:script|img|iframe)[^>]*src=["\']?(https?:[^"\'\s>]+)', path.read_text("utf-8"))
        assert loaded == [], path.name
