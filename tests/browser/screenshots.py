"""Screenshots of every place, and film strips of the signature moments: `./run screenshots [FOLDER]`.

Each place is taken at five sizes, light and dark, and each strip at the first of them. Phones have a touch screen, so
they get pages, a browser context and a server of their own: names and tables of one pass never meet those of another.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, ASKED, chromium, serving
from tests.browser.film_strips import STRIPS, Film, strip
from tests.browser.people import Server, still
from tests.browser.places import NewPage, Places
from tests.waiting import PATIENCE_S

Size = tuple[int, int]
SIZES: tuple[Size, ...] = ((390, 664), (390, 844), (844, 340), (1280, 800), (1920, 1080))
SCHEMES = ("light", "dark")


def main() -> None:
    """Takes the chosen pictures."""
    parser = argparse.ArgumentParser(prog="./run screenshots", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path(".screenshots"))
    parser.add_argument("--places", type=_names, help="only these, such as home,table")
    parser.add_argument("--sizes", type=_sizes, default=SIZES, help="only these, such as 390x664,1280x800")
    parser.add_argument("--strips", type=_names, help=f"only these film strips, of {','.join(STRIPS)}; 'none' for none")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    strips = arguments.strips or ([] if arguments.places else list(STRIPS))
    began = time.monotonic()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        count = sum(_take_all(browser, arguments.folder, sizes, arguments.places) for sizes in passes(arguments.sizes))
        count += _film_all(browser, arguments.folder, arguments.sizes[0], [each for each in strips if each in STRIPS])
        browser.close()
    sys.stdout.write(f"{count} pictures in {arguments.folder}, {time.monotonic() - began:.0f} s\n")


def passes(sizes: Sequence[Size]) -> list[list[Size]]:
    """The sizes of phones, and those of desks: pages are resized within a pass, not between them."""
    return [list(each) for _, each in groupby(sorted(sizes, key=_is_phone, reverse=True), _is_phone)]


def _take_all(browser: Browser, folder: Path, sizes: Sequence[Size], places: list[str] | None) -> int:
    """Walks through the places once, and takes each at these sizes; returns the number of pictures."""
    count = 0
    with serving() as server, contexts(browser, server, sizes[0]) as new_page:
        for name, page in Places(new_page, server).all(places):
            for size, scheme in views(page, sizes):
                page.screenshot(path=folder / f"{name}-{size[0]}x{size[1]}-{scheme}.png")
                count += 1
    return count


def _film_all(browser: Browser, folder: Path, size: Size, names: Sequence[str]) -> int:
    """Takes the film strips; returns their number."""
    if names:
        with serving() as server:
            for name in names:
                with contexts(browser, server, size, still=False) as new_page:
                    strip(STRIPS[name](Film(new_page, server))).save(folder / f"strip-{name}.png")
    return len(names)


def views(page: Page, sizes: Sequence[Size]) -> Iterator[tuple[Size, str]]:
    """Shows a page at each size, light and dark, and then as it was."""
    for size in sizes:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            still(page)
            yield size, scheme
    page.set_viewport_size({"width": sizes[0][0], "height": sizes[0][1]})
    page.emulate_media(color_scheme="light")


@contextmanager
def contexts(browser: Browser, server: Server, size: Size, *, still: bool = True) -> Iterator[NewPage]:
    """Pages of this size, each in its own context; `still` pages do not move."""
    made: list[BrowserContext] = []
    phone = _is_phone(size)

    def new_page(**_: Any) -> Page:
        context = browser.new_context(
            base_url=server.url,
            locale="en-GB",
            reduced_motion="reduce" if still else "no-preference",
            viewport={"width": size[0], "height": size[1]},
            has_touch=phone,
            is_mobile=phone,
        )
        context.set_default_timeout(1000 * PATIENCE_S)
        context.add_init_script(ASKED)
        made.append(context)
        return context.new_page()

    yield new_page
    for context in made:
        context.close()


def _is_phone(size: Size) -> bool:
    return min(size) < 500


def _names(text: str) -> list[str]:
    return text.split(",")


def _sizes(text: str) -> list[Size]:
    return [(int(width), int(height)) for width, height in (each.split("x") for each in text.split(","))]


if __name__ == "__main__":
    main()
