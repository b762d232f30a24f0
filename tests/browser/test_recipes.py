"""A card, an edition, a variant and a language, each added by one row to a copy of the repository, in the browser.

`tests/strangers` follows each recipe alone. One copy with all of them needs one build.
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import serving
from tests.browser.people import Server
from tests.strangers.copies import CHANGES, build_page, copy_with

NewPage = Callable[..., Page]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of a copy of the repository with the changes of all recipes, and with the page of that copy."""
    folder = tmp_path_factory.mktemp("stranger")
    copy = copy_with(folder, *CHANGES.values())
    build_page(copy)
    with serving(folder, copy) as server:
        yield server


def start(page: Page) -> None:
    """Makes the table that the form describes, for two, and starts its game with a bot."""
    seats = page.get_by_role("group", name="Seats")
    while seats.get_by_role("status").inner_text() != "2":
        seats.get_by_role("button", name="Fewer: Seats").click()
    page.get_by_role("button", name="Start now").click()


def test_a_card_is_in_the_house_editor_with_its_name_and_picture(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play/new/karma")
    page.get_by_role("radio", name="House edition").check()
    card = page.get_by_role("listitem").filter(has=page.get_by_role("button", name="More: Fire"))
    expect(card).to_contain_text("Fire")
    expect(card).to_contain_text("🔥")
    card.get_by_role("button", name="More: Fire").click()
    start(page)
    page.locator(".hand .group").first.wait_for()
    assert page.evaluate("threefold.view.edition.karma.FIR") == 1


def test_an_edition_is_chosen_and_its_cards_are_shown(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play/new/karma")
    page.get_by_role("radio", name="Camp fire").check()
    expect(page.get_by_text("Many clears.")).to_be_visible()
    start(page)
    page.locator(".hand .group").first.wait_for()
    assert page.evaluate("[threefold.view.edition, threefold.view.clears_at]") == ["camp_fire", 4]
    shown = page.locator(".hand .group").evaluate_all("all => all.map(each => each.dataset.card)")
    hand = page.evaluate("threefold.view.seats.find(each => each.player === threefold.view.viewer).hand")
    assert set(shown) == set(hand)


def test_a_variant_is_chosen_and_its_layout_is_shown(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play/new/set")
    page.get_by_role("radio", name="Quick nine").check()
    expect(page.get_by_text("Nine cards, no calls.")).to_be_visible()
    start(page)
    expect(page.locator("main button[data-place]")).to_have_count(9)
    assert page.evaluate("threefold.view.variant") == "quick_nine"
    expect(page.get_by_role("button", name="SET!")).to_have_count(0)


def test_an_edition_has_its_guide(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/rules/karma/classic")
    page.get_by_role("link", name="Camp fire").click()
    page.get_by_text("The numbers go from 3 to 12, with 2 cards of each.").wait_for()


def test_a_variant_has_its_guide(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/rules/set/full")
    page.get_by_role("link", name="Quick nine").click()
    page.get_by_text("Lay 9 cards face up on the table").wait_for()


def test_a_language_is_chosen_and_spoken(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play/settings")
    page.get_by_role("radio", name="Français").check()
    page.locator("header .home").click()
    expect(page.get_by_role("button", name="Jouer").first).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
