"""Every place at four widths, light and dark: nothing sticks out, nothing complains, and axe finds nothing wrong."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Person, Server, axe, still
from tests.browser.places import Places

NewPage = Callable[..., Page]
WIDTHS = ((320, 640), (390, 844), (1280, 800), (1920, 1080))
SMALLEST_TARGET = 44
TARGETS = """
() => [...document.querySelectorAll('button, a.button, select, input:not([type=radio]):not([type=checkbox])')]
  .filter(each => each.checkVisibility() && !each.disabled)
  .map(each => [each.getBoundingClientRect(), each.textContent.trim() || each.getAttribute('aria-label')])
  .filter(([box]) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
  .map(([box, name]) => `${name}: ${box.width} x ${box.height}`)
"""
WIDER = """
() => document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] :
  [...document.querySelectorAll('body *')]
    .filter(each => each.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
    .slice(0, 5).map(each => each.className?.baseVal ?? each.className)
"""


def look_at(name: str, page: Page) -> list[str]:
    """What is wrong with a place, at any size, light or dark."""
    wrong = []
    for width, height in WIDTHS:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            still(page)
            wrong += [f"{name} at {width}: sticks out: {each}" for each in page.evaluate(WIDER)]
            if (width, scheme) in {(320, "light"), (390, "dark"), (1280, "light")}:
                wrong += [f"{name} at {width}, {scheme}: {each}" for each in axe(page)]
        wrong += [f"{name} at {width}: too small: {each}" for each in page.evaluate(TARGETS)]
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="light")
    return wrong


def wrong_with(places: Iterator[tuple[str, Page]]) -> list[str]:
    return [each for name, page in places for each in look_at(name, page)]


def test_before_a_table(new_page: NewPage, server: Server) -> None:
    assert wrong_with(Places(new_page, server).before_a_table()) == []


def test_for_the_operator(new_page: NewPage, server: Server) -> None:
    assert wrong_with(Places(new_page, server).for_the_operator()) == []


def test_alone(new_page: NewPage, server: Server) -> None:
    assert wrong_with(Places(new_page, server).alone()) == []


def test_at_a_table(new_page: NewPage, server: Server) -> None:
    assert wrong_with(Places(new_page, server).at_a_table()) == []


def test_while_playing(new_page: NewPage, server: Server) -> None:
    assert wrong_with(Places(new_page, server).playing()) == []


def test_while_playing_set(new_page: NewPage, server: Server) -> None:
    assert wrong_with(Places(new_page, server).playing_set()) == []


@pytest.mark.parametrize("locale", ["de-DE", "es-ES"])
def test_longer_words_of_other_languages_fit_the_smallest_phone(new_page: NewPage, server: Server, locale: str) -> None:
    page = new_page(width=320, height=640, locale=locale)
    person = Person(page, "Maximiliane")
    table = {"game": "karma", "edition": "second_edition", "seats": 6, "bots": ["careful"] * 5, "start": True}
    made = person.make_table(table)
    lobby = person.make_table({"game": "karma", "edition": "classic_alternative_triples", "bots": ["careful"]})
    twenty = {"game": "set", "variant": "twenty_twenty", "seats": 8, "bots": ["human1"] * 7, "start": True}
    set_table = person.make_table(twenty)
    places = ["/", "/play/new/karma", "/play/new/set", "/play/settings", "/play/cards", made["path"], lobby["path"]]
    places.append(set_table["path"])
    places += ["/daily", "/daily/basic", "/practice", "/learn/karma", "/learn/set", "/rules/karma"]
    for path in places:
        page.goto(path)
        page.locator("main").first.wait_for()
        page.wait_for_load_state("networkidle")
        still(page)
        assert page.evaluate(WIDER) == [], path
    assert axe(page) == []


def test_twelve_seats(new_page: NewPage, server: Server) -> None:
    page = Places(new_page, server).twelve().page
    assert look_at("twelve", page) == []
    expect(page.locator(".seat")).to_have_count(11)


def test_the_end_of_a_game(new_page: NewPage, server: Server) -> None:
    assert look_at("end", Places(new_page, server).end().page) == []


def test_a_table_that_is_not_there_is_explained_with_a_way_on(new_page: NewPage) -> None:
    page = new_page(allow="404")
    Person(page, "Ada").be_somebody()
    page.goto("/t/BCDFGH")
    page.get_by_role("heading", name="You can't join this table").wait_for()
    page.get_by_text("There is no table BCDFGH").wait_for()
    assert look_at("nowhere", page) == []
    page.get_by_role("main").get_by_role("link", name="Home").click()
    page.get_by_role("button", name="Play now").first.wait_for()
