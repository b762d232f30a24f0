"""Lobby, invitation and the end of a game fit every window: whatever people tap or must read is inside and free."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.fits import walk
from tests.browser.people import Person, Server
from tests.browser.places import Places

NewPage = Callable[..., Page]
People = Callable[..., list[Person]]
BOTS = ["beginner", "careful", "sharp"]


@pytest.mark.parametrize(("seats", "bots"), [(2, 0), (4, 2), (6, 4), (12, 8)])
def test_a_lobby_fits(new_page: NewPage, seats: int, bots: int) -> None:
    host = Person(new_page(), "Ada")
    table = {"game": "karma", "seats": seats, "bots": (BOTS * 4)[:bots], "options": {"decks": 2} if seats > 6 else {}}
    made = host.make_table(table)
    host.come(made["path"])
    expect(host.page.locator(".seats li")).to_have_count(seats)
    assert walk(host.page, f"lobby-{seats}") == []
    assert host.axe() == []


def test_a_guest_sees_the_lobby_and_the_invitation_whole(people: People, new_page: NewPage) -> None:
    ada, ben = people(2, start=False, seats=4)
    code = ada.page.evaluate("threefold.code")
    page = new_page()
    page.goto(f"/t/{code}")
    expect(page.get_by_role("heading", name="Ada invites you to Karma")).to_be_visible()
    found = walk(page, "invited")
    ben.page.get_by_role("button", name="I'm ready").click()
    expect(ada.page.locator(".middle")).to_contain_text("Ben is ready")
    found += walk(ben.page, "lobby-guest")
    assert found == []
    assert ben.axe() == []


def test_the_five_characters_of_set_fit_in_a_lobby(new_page: NewPage) -> None:
    host = Person(new_page(), "Ada")
    made = host.make_table({"game": "set", "variant": "full", "seats": 3})
    host.come(made["path"])
    for name in ("Selma", "Tilda", "Pablo", "Hugo", "Luna"):
        expect(host.page.get_by_role("button", name=f"Seat {name}")).to_have_count(1)
    assert walk(host.page, "lobby-set") == []


def test_the_end_of_a_karma_game_fits(new_page: NewPage, server: Server) -> None:
    end = Places(new_page, server).end()
    expect(end.page.get_by_role("list", name="Finishing order").get_by_role("listitem")).to_have_count(4)
    assert walk(end.page, "end-karma") == []
    assert end.axe() == []


@pytest.mark.parametrize("size", [(375, 667), (390, 664), (390, 844), (844, 390), (1280, 800)])
def test_the_whole_finishing_order_of_four_is_seen_at_once(
    new_page: NewPage, server: Server, size: tuple[int, int]
) -> None:
    page = Places(new_page, server).end().page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for row in page.get_by_role("list", name="Finishing order").get_by_role("listitem").all():
        expect(row).to_be_in_viewport(ratio=1)


def test_the_end_of_a_set_game_fits(new_page: NewPage, server: Server) -> None:
    end = Places(new_page, server).end_of_set()
    assert walk(end.page, "end-set") == []
    assert end.axe() == []
