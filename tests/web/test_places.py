"""The server answers the addresses of the page's table of places, and no others."""

import gzip
import json
import re
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.waiting import PATIENCE_S
from tests.web.server import Server
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


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br, zstd", "br"), ("gzip, deflate", "gzip"), ("identity", None)],
)
def test_a_built_file_is_sent_in_the_smallest_form_that_the_browser_accepts(
    server: Server, accepted: str, encoding: str | None
) -> None:
    script = next((page.STATIC / "assets").glob("index-*.js"))
    connection = HTTPConnection(urlsplit(server.url).netloc, timeout=PATIENCE_S)
    connection.request("GET", f"/assets/{script.name}", headers={"accept-encoding": accepted})
    answer = connection.getresponse()
    sent = answer.read()
    connection.close()
    assert answer.headers["content-encoding"] == encoding
    assert answer.headers["vary"] == "accept-encoding"
    copy = script.with_name(script.name + page.COMPRESSED[encoding]) if encoding else script
    assert sent == copy.read_bytes()
    assert encoding is None or len(sent) < script.stat().st_size
    if encoding == "gzip":
        assert gzip.decompress(sent) == script.read_bytes()
