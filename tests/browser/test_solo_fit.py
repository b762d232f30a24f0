"""Places for one person fit every window: results, replays, the review, and the top of the card maker."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.fits import SIZES, misfits, walk
from tests.browser.past import past
from tests.browser.people import Person, Server, still
from tests.browser.places import Solver

NewPage = Callable[..., Page]
REPLAYS = {
    "replay": ("classic", "?move=40"),
    "replay-seat": ("classic", "?move=40&seat=0"),
    "replay-end": ("classic", "?move=9999"),
    "replay-set": ("full", "?move=20"),
}
SEEN = """
names => names.filter(name => {
  const { left, top, right, bottom } = document.querySelector(name).getBoundingClientRect();
  return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
})
"""


def test_the_result_of_a_puzzle_begins_with_the_time_and_scrolls_to_the_rest(new_page: NewPage) -> None:
    solver = Solver(new_page(), "advanced", "2026-11-02")
    solver.open()
    solver.pick(solver.wrong())
    solver.page.locator(".said.wrong").wait_for()
    solver.solve()
    for width, height in SIZES:
        solver.page.set_viewport_size({"width": width, "height": height})
        still(solver.page)
        assert misfits(solver.page) == [], (width, height)
        assert solver.page.evaluate(SEEN, [".big", ".result .found"]) == [], (width, height)


@pytest.mark.parametrize("state", REPLAYS)
def test_a_replay_fills_the_window(new_page: NewPage, server: Server, state: str) -> None:
    what, address = REPLAYS[state]
    person = Person(new_page(), "Ada")
    person.be_somebody()
    (game,) = past(server, person, what)
    person.page.goto(f"/games/{game}{address}")
    person.page.get_by_role("slider", name="Move").wait_for()
    expect(person.page.locator(".seal.right")).to_be_attached()
    assert walk(person.page, state) == []


def test_the_card_maker_begins_with_the_card_and_its_name(new_page: NewPage) -> None:
    """The rest of the page scrolls."""
    page = new_page()
    page.goto("/play/cards")
    page.get_by_label("Card name").fill("Second Wind")
    page.get_by_role("button", name="Copy code").wait_for()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        still(page)
        found = [each for each in misfits(page) if "the page is" in each and "wide" in each]
        assert found == [], (width, height)
        if height > 360:
            assert page.evaluate(SEEN, [".drawn", ".name .input"]) == [], (width, height)
