"""The main places and the design system look as their pictures. After a change on purpose: `./run pictures`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from tests.browser.people import Server
from tests.browser.pictures import FOLDER, PLACES, SIZES, difference, reduced, taken
from tests.browser.screenshots import SCHEMES, contexts

NewPage = Callable[..., Page]


def test_the_main_places_look_as_before(browser: Browser, server: Server, tmp_path: Path) -> None:
    different = []
    with contexts(browser, server, SIZES[-1]) as new_page:
        for name, screenshot in taken(new_page, server):
            with Image.open(FOLDER / f"{name}.png") as picture:
                words = difference(screenshot, picture)
            if words:
                (tmp_path / f"{name}.png").write_bytes(screenshot)
                different.append(f"{name}: {words}; see {tmp_path / name}.png")
    assert not different, "\n".join([*different, "If this is meant: ./run pictures"])


def test_every_main_place_is_stored_at_every_size_and_all_are_small() -> None:
    names = {f"{place}-{w}x{h}-{scheme}.png" for place in PLACES for w, h in SIZES for scheme in SCHEMES}
    assert {each.name for each in FOLDER.iterdir()} == names
    assert sum(each.stat().st_size for each in FOLDER.iterdir()) < 1_600_000


PAGE = """
<body style="margin:0; font:15px sans-serif; background:{paper}; color:{ink}">
<p style="position:relative; left:{text}px; padding:0 20px">The pile asks for seven or higher. It is your turn.</p>
<div style="position:relative; top:{row}px; display:flex; gap:10px; padding:20px; background:#2f6b57">
{cards}</div>
<button style="margin:20px; padding:12px 20px; border:1px solid; border-radius:12px; background:{paper}; color:{ink};
visibility:{button}">Pick up the pile</button>
"""
CARD = '<i style="width:60px; height:84px; background:#fffdf7; border-radius:6px">{}</i>'


@pytest.mark.parametrize(("paper", "ink"), [("#f6f1e3", "#22312b"), ("#18211e", "#efe9d9")])
def test_a_missing_button_and_a_shifted_row_are_noticed_but_not_a_pixel(browser: Browser, paper: str, ink: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 664})

    def drawn(*, text: float = 0, row: int = 0, button: str = "visible") -> bytes:
        cards = "".join(CARD.format(number) for number in (4, 6, 9, 12))
        page.set_content(PAGE.format(paper=paper, ink=ink, text=text, row=row, button=button, cards=cards))
        return page.screenshot()

    before = reduced(drawn())
    assert difference(drawn(), before) is None
    assert difference(drawn(text=1), before) is None
    assert difference(drawn(text=0.5), before) is None
    assert difference(drawn(row=20), before)
    assert difference(drawn(button="hidden"), before)
    page.set_viewport_size({"width": 390, "height": 700})
    assert "size" in str(difference(drawn(), before))
    page.close()
