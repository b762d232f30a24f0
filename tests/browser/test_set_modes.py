"""The modes of SET in the browser: as many cards as a SET has are picked, and each deck has its faces."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import Server
from tests.browser.set_people import NewPage, SetPerson, seat
from threefold.setgame.cards import CARD_OF, format_cards
from threefold.setgame.search import all_sets_of

pytestmark = pytest.mark.slow


def a_set(person: SetPerson, size: int) -> list[str]:
    """The cards of a SET on the table."""
    cards = [CARD_OF[card] for card in person.cards() if card is not None]
    return format_cards(list(all_sets_of(size, cards)[0]))


@pytest.mark.parametrize("variant", ["ultraset", "quads"])
def test_two_people_take_sets_of_four_cards(variant: str, new_page: NewPage, server: Server) -> None:
    ada, ben = seat(new_page, server, 2, f"set-{variant}", {"variant": variant})
    expect(ada.page.locator(".status")).to_contain_text("tap its 4 cards")
    ada.take(a_set(ada, 4))
    ben.until("threefold.view.sets[0] === 1")
    ben.take(a_set(ben, 4))
    for each in (ada, ben):
        each.until("threefold.view.scores.join() === '1,1'")


def test_a_sprint_alone_ends_at_its_goal(new_page: NewPage, server: Server) -> None:
    (ada,) = seat(new_page, server, 1, "set-sprint", {"variant": "sprint"})
    for _ in range(10):
        ada.take(a_set(ada, 3))
    ada.until("threefold.view.ending !== null && threefold.view.ending.reason === 'target_reached'")


def test_a_chain_shows_the_previous_set_and_takes_one_of_its_cards(new_page: NewPage, server: Server) -> None:
    ada, _ = seat(new_page, server, 2, "set-chain", {"variant": "chain"})
    first = a_set(ada, 3)
    ada.take(first)
    for card in ada.view()["previous"]:
        expect(ada.page.locator(f'button[data-card="{card}"]')).to_be_visible()
    assert sorted(ada.view()["previous"]) == sorted(first)


def test_a_classroom_shows_no_scores_before_the_end(new_page: NewPage, server: Server) -> None:
    ada, ben = seat(new_page, server, 2, "set-class", {"variant": "sprint", "options": {"classroom": True}})
    ada.take(a_set(ada, 3))
    ben.until("threefold.view.taken.length === 0 && threefold.view.scores.length === 0")
    expect(ben.page.locator("[data-chip] strong").first).to_have_text("–")
