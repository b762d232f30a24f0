"""SET fits every window: the table, puzzles, practice and lessons, in all their states."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.fits import DESKS, PHONES_ASIDE, PHONES_UPRIGHT, SIZES, TABLETS, walk
from tests.browser.people import Server, still
from tests.browser.set_people import seat
from tests.browser.set_states import States

NewPage = Callable[..., Page]
GROUPS = ("racing", "among_people", "alone", "with_bots", "puzzles", "practising", "lessons")
GRID = """
() => {
  const faces = [...document.querySelectorAll('button[data-card]')].map(each => each.getBoundingClientRect());
  const ground = document.querySelector('div.ground').getBoundingClientRect();
  const count = side => new Set(faces.map(each => Math.round(each[side]))).size;
  const left = Math.min(...faces.map(each => each.left)) - ground.left;
  const right = ground.right - Math.max(...faces.map(each => each.right));
  return {
    columns: count('left'),
    rows: count('top'),
    standing: faces[0].height > faces[0].width * 0.95,
    turned: getComputedStyle(document.querySelector('button[data-card] .drawing')).rotate !== 'none',
    aside: Math.round(left - right),
    empty: document.querySelectorAll('.place.empty').length,
  };
}
"""
COVERED = """
() => [...document.querySelectorAll('button[data-card]')].flatMap(card => {
  const letter = card.querySelector('kbd')?.getBoundingClientRect();
  if (!letter) return [`${card.dataset.card}: no letter`];
  return [...card.querySelectorAll('svg.set g path')].map(each => each.getBoundingClientRect())
    .filter(box => box.left < letter.right && box.right > letter.left && box.top < letter.bottom
      && box.bottom > letter.top)
    .map(() => card.dataset.card);
})
"""


@pytest.mark.parametrize("group", GROUPS)
def test_nothing_lies_outside_the_window(new_page: NewPage, server: Server, group: str) -> None:
    states = getattr(States(new_page, server), group)()
    assert [each for name, page in states for each in walk(page, name)] == []


def test_twelve_cards_stand_on_upright_screens_and_lie_on_wide_ones_without_a_spare_column(
    new_page: NewPage, server: Server
) -> None:
    (ada,) = seat(new_page, server, 1, "set-places", {"variant": "solitaire"})
    for width, height in SIZES:
        ada.page.set_viewport_size({"width": width, "height": height})
        still(ada.page)
        grid = ada.page.evaluate(GRID)
        upright = height > width
        assert (grid["columns"], grid["rows"]) == ((3, 4) if upright else (4, 3)), (width, height)
        assert grid["turned"] == grid["standing"], (width, height)
        assert abs(grid["aside"]) <= 1, "centred"
        assert grid["empty"] == 0
        if not upright or height > 600:
            assert grid["standing"] == upright, (width, height)


def test_letters_cover_no_symbol(new_page: NewPage, server: Server) -> None:
    (ada,) = seat(new_page, server, 1, "set-places", {"variant": "solitaire"})
    ada.page.evaluate("localStorage.setItem('threefold.settings.set', JSON.stringify({letters: 'on'}))")
    ada.page.reload()
    ada.page.locator("button[data-card] kbd").first.wait_for()
    for count in (12, 21):
        while ada.page.locator("button[data-card]").count() < count:
            ada.press("Deal more cards")
        for width, height in (*PHONES_UPRIGHT, *PHONES_ASIDE, *TABLETS, *DESKS):
            ada.page.set_viewport_size({"width": width, "height": height})
            still(ada.page)
            assert ada.page.evaluate(COVERED) == [], (count, width, height)
