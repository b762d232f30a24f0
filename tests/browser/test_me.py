"""Me: my games and what they add up to, my name, my data, my other device, and being forgotten."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.past import past
from tests.browser.people import Person, Server
from tests.browser.places import Places
from tests.browser.test_places import look_at
from tests.finished import NOW

NewPage = Callable[..., Page]
HOUR = 3_600_000


def somebody(page: Page, name: str = "Ada") -> Person:
    person = Person(page, name)
    person.be_somebody()
    return person


def test_whoever_has_not_played_is_welcomed(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/me")
    page.get_by_role("heading", name="No games yet").wait_for()
    somebody(page)
    page.goto("/me")
    page.get_by_role("heading", name="No finished games yet").wait_for()
    page.get_by_role("link", name="Find a game").click()
    page.get_by_role("button", name="Play now").first.wait_for()
    page.get_by_role("link", name="Ada").click()
    page.get_by_role("heading", name="No finished games yet").wait_for()


def test_my_games_are_listed_filtered_and_lead_to_their_replays(new_page: NewPage, server: Server) -> None:
    page = new_page()
    person = somebody(page)
    short = [("mini_round", 6, {"at": NOW + i * HOUR}) for i in range(22)]
    past(server, person, *short, "full", "solitaire")
    page.goto("/me")
    expect(page.locator(".link-list li")).to_have_count(20)
    page.get_by_role("button", name="More games").click()
    expect(page.locator(".link-list li")).to_have_count(24)
    expect(page.get_by_role("button", name="More games")).to_have_count(0)
    page.get_by_role("combobox", name="Game").select_option("set")
    expect(page.locator(".link-list li")).to_have_count(2)
    page.get_by_role("combobox", name="Game").select_option("set/solitaire")
    expect(page.locator(".link-list li")).to_have_count(1)
    page.get_by_role("combobox", name="Game").select_option("")
    page.get_by_role("combobox", name="Result").select_option("left")
    expect(page.locator(".link-list li")).to_have_count(20)
    page.get_by_label("From").fill("2001-01-01")
    page.get_by_label("To", exact=True).fill("2001-01-02")
    expect(page.get_by_text("No games like that.")).to_be_visible()
    page.get_by_label("From").fill("")
    page.get_by_label("To", exact=True).fill("")
    page.locator(".link-list a").first.click()
    page.get_by_role("slider", name="Move").wait_for()


def test_my_games_add_up_to_what_the_server_says(new_page: NewPage, server: Server) -> None:
    page = new_page()
    past(server, somebody(page), "full", "solitaire", "classic")
    stats = page.request.get("/api/me/stats").json()
    page.goto("/me")
    page.get_by_role("heading", name="My SET times").wait_for()
    expect(page.locator(".tiles dd").first).to_have_text("3")
    counts = [int(each) for each in page.locator("table").first.locator("tbody td:nth-child(2)").all_inner_texts()]
    assert counts == [each["count"] for each in stats["figures"]["set"]["times"]]
    fastest = page.get_by_role("region", name="Personal bests").get_by_role("listitem").filter(has_text="Fastest SET")
    fastest = fastest.get_by_role("link")
    expect(fastest).to_have_text(f"{stats['figures']['set']['fastest']['value'] / 1000:.1f} s")
    fastest.click()
    page.get_by_role("heading", name="In figures").wait_for()


def test_i_take_another_name_and_my_data_and_move_to_another_device(
    new_page: NewPage, server: Server, tmp_path: Path
) -> None:
    page = new_page()
    past(server, somebody(page), ("mini_round", 6, {}))
    page.goto("/me")
    page.get_by_label("Your name").fill("Augusta")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").wait_for()
    with page.expect_download() as started:
        page.get_by_role("link", name="Download my data").click()
    started.value.save_as(tmp_path / "data.json")
    data = json.loads((tmp_path / "data.json").read_text("utf-8"))
    assert (data["person"]["name"], len(data["games"])) == ("Augusta", 1)
    page.get_by_role("button", name="Move to another device").click()
    expect(page.get_by_alt_text("QR code of the link")).to_be_visible()
    assert page.locator(".transfer img").evaluate("each => each.naturalWidth") > 100
    other = new_page()
    other.goto(page.get_by_label("Create link").input_value())
    other.get_by_role("button", name="Continue as Augusta on this device").click()
    other.get_by_role("main").get_by_role("link", name="Home").wait_for()
    other.goto("/me")
    expect(other.get_by_role("heading", name="Augusta")).to_be_visible()
    expect(other.locator(".link-list li")).to_have_count(1)


def test_i_can_be_forgotten_after_i_was_asked(new_page: NewPage, server: Server) -> None:
    page = new_page(allow="401")
    (game,) = past(server, somebody(page, "Zenobia"), ("mini_round", 6, {}))
    page.goto("/me")
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Delete my data").click()
    expect(page.get_by_role("dialog")).to_contain_text("You can't undo this")
    page.get_by_role("button", name="Delete everything about me").click()
    page.get_by_role("button", name="Play now").first.wait_for()
    assert page.request.get("/api/me").status == 401
    assert "Zenobia" not in page.request.get(f"/api/games/{game}").text()
    page.goto("/me")
    page.get_by_role("heading", name="No games yet").wait_for()
    page.goto(f"/games/{game}")
    page.get_by_role("button", name="Details").click()
    expect(page.get_by_role("dialog").locator("li").first).to_have_text(re.compile("^–"))


def test_me_at_every_size(new_page: NewPage, server: Server) -> None:
    wrong = [each for name, page in Places(new_page, server).me() for each in look_at(name, page)]
    assert wrong == []
