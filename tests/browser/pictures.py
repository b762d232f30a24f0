"""The stored pictures of the main places, and how a page is compared with them.

`./run pictures` takes them again, after a change of the looks; `test_visual.py` compares. Pictures are stored at a
quarter of their size (the long page of the design system at an eighth), and compared by the mean colours of squares of
seven stored pixels. So different smoothing of letters, or text that moves by a pixel, makes no difference, but a
missing button does.
"""

import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Page, Route, sync_playwright

import hatch_build
from tests.browser.conftest import ARGUMENTS, ROOT, chromium, serving
from tests.browser.karma_states import QUESTIONS, sit_at
from tests.browser.people import Person, Server
from tests.browser.places import NewPage, Places, Solver
from tests.browser.screenshots import Size, contexts, views
from tests.browser.set_people import seat
from tests.waiting import PATIENCE_S
from threefold.web.preview_picture import header

FOLDER = Path(__file__).parent / "pictures"
HEADER = ROOT / "docs" / "images" / "header.png"
"""The picture at the head of the README."""
SIZES: tuple[Size, ...] = ((390, 664), (1280, 800))
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
"""What the clock of every page shows."""
REDUCTION = 4
RADIUS = 3
"""Half the side of a compared square, in stored pixels."""
TOLERANCE = 12
"""By how much a mean colour may differ, of 255: text that moves by a pixel passes, a missing button does not."""

SETTLE = """
(code) => {
  scrollTo(0, 0);
  for (const each of document.querySelectorAll('[role=timer], time, img[src*="qr"]')) each.style.visibility = 'hidden';
  if (code === null) return;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.data.includes(code)) text.data = text.data.replaceAll(code, 'TABLES');
  }
  for (const each of document.querySelectorAll('input')) each.value = each.value.replace(/^http.*/, 'https://…');
}
"""
"""Scrolls to the top, and hides what differs from run to run: clocks, the code of the table and its QR picture."""


def main() -> None:
    """Takes all pictures and stores them."""
    FOLDER.mkdir(exist_ok=True)
    began = time.monotonic()
    with sync_playwright() as playwright, serving() as server:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        with contexts(browser, server, SIZES[-1]) as new_page:
            names = set()
            for name, picture in taken(new_page, server):
                reduced(picture).save(FOLDER / f"{name}.png", optimize=True)
                names.add(f"{name}.png")
        browser.close()
    HEADER.write_bytes(header("Karma", "SET"))
    for each in FOLDER.iterdir():
        if each.name not in names:
            each.unlink()
    size = sum(each.stat().st_size for each in FOLDER.iterdir())
    sys.stdout.write(f"{len(names)} pictures, {size / 1000:.0f} kB, {time.monotonic() - began:.0f} s\n")


def taken(new_page: NewPage, server: Server) -> Iterator[tuple[str, bytes]]:
    """Each picture with its name: every main place, at both sizes, light and dark."""

    def open_page(**_: object) -> Page:
        page = new_page()
        page.clock.set_fixed_time(NOON)
        return page

    for name, opened in PLACES.items():
        page = opened(open_page, server)
        code = page.evaluate("globalThis.threefold?.code ?? null")
        for size, scheme in views(page, SIZES):
            page.mouse.move(0, 0)
            page.evaluate(SETTLE, code)
            yield f"{name}-{size[0]}x{size[1]}-{scheme}", page.screenshot(full_page=name == "design")


def _home(new_page: NewPage, _server: Server) -> Page:
    page = new_page()
    page.goto("/")
    page.get_by_role("button", name="Play now").first.wait_for()
    page.wait_for_load_state("networkidle")
    page.locator(".art .fan").nth(1).wait_for()
    return page


def _daily(new_page: NewPage, _server: Server) -> Page:
    solver = Solver(new_page(), "advanced", "2026-11-02")
    solver.open()
    return solver.page


def _lobby(new_page: NewPage, _server: Server) -> Page:
    ada = Person(new_page(), "Ada")
    table = {"game": "karma", "edition": "second_edition", "seats": 4, "bots": ["careful"]}
    ada.come(ada.make_table(table)["path"])
    ada.page.get_by_role("button", name="Start game").wait_for()
    ada.page.wait_for_load_state("networkidle")
    return ada.page


def _end(new_page: NewPage, server: Server) -> Page:
    return Places(new_page, server).end().page


def _karma(new_page: NewPage, server: Server) -> Page:
    return sit_at(new_page, server, QUESTIONS["turn"]).page


def _set(new_page: NewPage, server: Server) -> Page:
    return seat(new_page, server, 2, "set-places", {"variant": "full"})[0].page


def _place(wanted: str) -> Callable[[NewPage, Server], Page]:
    """A place of the walks through the page."""

    def opened(new_page: NewPage, server: Server) -> Page:
        return next(page for name, page in Places(new_page, server).all([wanted]) if name == wanted)

    return opened


def build_design(folder: Path) -> None:
    """Builds the page with its design system."""
    node, npm = hatch_build.node_and_npm()
    variables = {**os.environ, **hatch_build.environment(node)}
    variables |= {"THREEFOLD_WEB_OUT": str(folder), "THREEFOLD_DESIGN": "1"}
    command = [*npm, "run", "build"]
    subprocess.run(
        command, cwd=hatch_build.WEB, env=variables, check=True, timeout=10 * PATIENCE_S, stdout=subprocess.DEVNULL
    )


def _design(new_page: NewPage, _server: Server) -> Page:
    """The design system. The server serves the normal build, so the files of the other one are put in its place."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        build_design(folder)
        page = new_page()

        def answer(route: Route) -> None:
            path = urlsplit(route.request.url).path
            file = folder / ("index.html" if path == "/design" else path.lstrip("/"))
            if file.is_file():
                route.fulfill(path=file)
            else:
                route.continue_()

        page.route("**/*", answer)
        page.goto("/design")
        page.get_by_role("heading", name="On felt").wait_for()
        page.wait_for_load_state("networkidle")
    return page


PLACES: dict[str, Callable[[NewPage, Server], Page]] = {
    "home": _home,
    "daily": _daily,
    "lobby": _lobby,
    "karma": _karma,
    "set": _set,
    "end": _end,
    "maker": _place("maker"),
    "replay": _place("replay"),
    "design": _design,
}


def reduced(screenshot: bytes) -> Image.Image:
    """A screenshot as it is stored: small, but in all its colours. A palette would lose those of small things."""
    picture = Image.open(io.BytesIO(screenshot)).convert("RGB")
    return picture.reduce(_reduction(picture))


def _reduction(picture: Image.Image) -> int:
    """By how much a screenshot is reduced: a page of several windows' height by more."""
    return REDUCTION if picture.height < 3 * SIZES[-1][1] else 2 * REDUCTION


def difference(screenshot: bytes, picture: Image.Image) -> str | None:
    """Where a screenshot differs from a stored picture, in words; None if it is the same to the eye."""
    times = _reduction(Image.open(io.BytesIO(screenshot)))
    one, other = reduced(screenshot), picture.convert("RGB")
    if one.size != other.size:
        return f"its size is {one.size} instead of {other.size}, each times {times}"
    mean = ImageFilter.BoxBlur(RADIUS)
    red, green, blue = ImageChops.difference(one.filter(mean), other.filter(mean)).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    box = most.point(lambda each: 255 if each > TOLERANCE else 0).getbbox()
    if box is None:
        return None
    left, top, right, bottom = (times * each for each in box)
    return f"it differs by up to {most.getextrema()[1]} of 255 between ({left}, {top}) and ({right}, {bottom})"


if __name__ == "__main__":
    main()
