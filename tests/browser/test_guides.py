"""The rules for people, in the browser: every guide in every language and size, and the ways that lead to it."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Person, axe, still
from tests.browser.test_places import TARGETS, WIDER
from threefold.games import KITS
from threefold.guide import Guide
from threefold.texts import LANGUAGES, Text, catalogue, say

Json = Any
NewPage = Callable[..., Page]
SIZES = ((320, 568), (390, 664), (844, 340), (1280, 800))
LOCALES = {"en": "en-GB", "de": "de-DE", "es": "es-ES"}
GUIDES = [(game, way) for game, kit in KITS.items() if kit.guides is not None for way in kit.guides.ways()]


def guide_of(game: str, way: str, setup: Json = None) -> Guide:
    guides = KITS[game].guides
    assert guides is not None
    return guides.guide(way, setup or {})


def paragraphs(guide: Guide) -> Iterator[list[Text]]:
    """The texts of a guide as they stand on the page: headings, paragraphs, and the lines below figures."""
    for section in guide:
        yield [section.title]
        for block in section.blocks:
            yield from [[block.title]] if block.title else []
            yield list(block.words)
            for group in block.figure:
                yield from ([line] for line in group.words)


def open_guide(page: Page, game: str, way: str) -> None:
    page.goto(f"/rules/{game}/{way}")
    page.locator("main section").last.wait_for()
    page.wait_for_load_state("networkidle")
    still(page)


def misfits(page: Page, name: str) -> list[str]:
    """What is wrong with a guide, at every size, light and dark."""
    wrong = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            still(page)
            wrong += [f"{name} at {width}: sticks out: {each}" for each in page.evaluate(WIDER)]
            if (width, scheme) in {(320, "light"), (1280, "dark")}:
                wrong += [f"{name} at {width}, {scheme}: {each}" for each in axe(page)]
        wrong += [f"{name} at {width}: too small: {each}" for each in page.evaluate(TARGETS)]
    return wrong


@pytest.mark.parametrize(("game", "way"), GUIDES)
def test_a_guide_fits_every_size_and_theme_and_axe_finds_nothing(new_page: NewPage, game: str, way: str) -> None:
    page = new_page(width=390, height=664)
    open_guide(page, game, way)
    assert misfits(page, way) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", KITS)
def test_a_guide_says_in_every_language_what_the_rules_say(new_page: NewPage, game: str, language: str) -> None:
    page = new_page(width=320, height=568, locale=LOCALES[language])
    for way in (way for each, way in GUIDES if each == game):
        open_guide(page, game, way)
        expect(page.locator("main h2")).to_have_text(str(catalogue(language)[f"page.edition.{way}"]))
        shown = " ".join(page.locator("main").inner_text().split())
        for texts in paragraphs(guide_of(game, way)):
            words = " ".join(say(each, language=language) for each in texts)
            assert " ".join(words.split()) in shown, way
        assert "{" not in shown
        assert page.evaluate(WIDER) == [], way


def test_every_card_of_a_figure_has_a_name_for_screen_readers(new_page: NewPage) -> None:
    page = new_page()
    open_guide(page, "karma", "second_edition")
    section = page.get_by_role("region", name="Karma cards")
    for code in KITS["karma"].ways()[2]["karma"]:
        expect(section.get_by_role("listitem").filter(has_text=str(catalogue()[f"card.{code}"])).first).to_be_visible()
    open_guide(page, "set", "full")
    expect(page.get_by_role("listitem").filter(has_text="two striped red ovals").first).to_be_visible()


def test_guides_are_reached_from_home_and_lead_to_each_other_the_lessons_and_the_clauses(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.get_by_role("link", name="Rules", exact=True).click()
    page.get_by_role("heading", name="How to play").wait_for()
    for game in ("Karma", "SET"):
        ways = page.get_by_role("region", name=game).get_by_role("link").all_inner_texts()
        assert ways == ["Learn it by playing", f"Rules of {game}", "The exact rules"]
    page.get_by_role("link", name="Rules of Karma").click()
    page.get_by_role("heading", name="How to play Karma").wait_for()
    page.get_by_role("link", name="Second Edition").click()
    page.get_by_role("heading", name="Exchange Hands").wait_for()
    expect(page.get_by_role("link", name="Second Edition")).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="The exact rules").click()
    page.locator("#K12").wait_for()
    page.get_by_role("link", name="How to play").click()
    page.get_by_role("link", name="Learn it by playing").click()
    page.locator(".task").wait_for()


def test_the_menu_of_a_table_leads_to_the_guide_of_its_own_edition(new_page: NewPage) -> None:
    page = new_page()
    person = Person(page, "Ada")
    house = {"numbers": {"from": 2, "to": 9, "copies": 4}, "karma": {"LOS": 2}, "clear": 4}
    made = person.make_table(
        {"game": "karma", "edition": house, "options": {"draw": "by hand"}, "seats": 2, "bots": ["careful"]}
    )
    person.come(made["path"])
    page.get_by_role("button", name="More").click()
    link = page.get_by_role("dialog").get_by_role("link", name="Rules")
    address = link.get_attribute("href") or ""
    setup = json.loads(parse_qs(urlsplit(address).query)["setup"][0])
    assert setup == {"edition": house, "options": {"draw": "by hand"}}
    link.click()
    page.get_by_role("heading", name="House edition").wait_for()
    page.get_by_text("These are the rules of your table.").wait_for()
    page.get_by_text("The numbers go from 2 to 9, with 4 cards of each.").wait_for()
    page.get_by_text("Play the card that makes 4 of the same").wait_for()
    page.get_by_text("Drawing is up to you here.").wait_for()
    expect(page.get_by_role("region", name="Karma cards").get_by_role("heading", level=4)).to_have_count(1)
    page.get_by_role("link", name="Back to the table").click()
    page.wait_for_url(f"**{made['path']}")


def test_a_guide_to_nothing_is_explained(new_page: NewPage) -> None:
    page = new_page(allow="400")
    page.goto("/rules/karma/poker")
    page.get_by_role("alert").get_by_text("edition must be one of").wait_for()
    page.get_by_role("link", name="The exact rules").wait_for()
