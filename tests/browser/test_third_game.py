"""War in the browser: its Python kit and its page folder are enough to create, play and replay it."""

import re
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import serving
from tests.browser.people import Person, Server
from tests.games import war
from tests.rule_coverage import ROOT
from tests.strangers.copies import build_page, copy_with

NewPage = Callable[..., Page]
pytestmark = pytest.mark.slow
ROUNDS = 4 * war.EDITIONS["short"] // 2


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of a copy of the repository with one folder more: the page of War."""
    folder = tmp_path_factory.mktemp("war")
    copy = copy_with(folder)
    shutil.copytree(ROOT / "tests" / "games" / "war_page", copy / "frontend" / "src" / "games" / war.War.name)
    build_page(copy)
    with serving(folder, copy, THREEFOLD_KITS=war.KIT.reference) as server:
        yield server


def test_two_browsers_create_play_and_replay_a_game_that_only_its_folders_know(
    new_page: NewPage, server: Server
) -> None:
    ada, ben = Person(new_page(width=1280), "Ada"), Person(new_page(), "Ben")
    for each in (ada, ben):
        each.be_somebody()
    ada.page.goto("/")
    tile = ada.page.get_by_role("region", name="War")
    expect(tile).to_contain_text("the higher one takes both")
    tile.get_by_role("link", name="With friends").click()
    ada.page.get_by_role("radio", name="Short game").check()
    ada.page.get_by_role("button", name="Fewer: Bots").click()
    ada.page.get_by_role("button", name="Create table").click()
    ada.until("globalThis.threefold?.table")
    ben.page.goto("/war/story")
    expect(ben.page.get_by_role("heading", name="The story of War")).to_be_visible()
    ben.come(f"/t/{ada.page.evaluate('threefold.code')}")
    expect(ben.page.get_by_role("list", name="Rules in force").get_by_text("Short game")).to_be_visible()
    ben.sit()
    ada.page.get_by_role("button", name="Start game").click()

    for played in range(ROUNDS):
        for each in (ada, ben):
            each.until("turns => threefold.view?.turns === turns && threefold.view.moves.length", played)
            each.page.get_by_role("button", name="Turn a card").click()
            each.until("turns => threefold.view.turns > turns || threefold.view.moves.length === 0", played)
    for each in (ada, ben):
        each.until("threefold.view.ending")
        ending, viewer = each.view()["ending"], each.view()["viewer"]
        heading = {0: "You lost this one", 1: "You win!", 2: "It's a tie!"}[
            len(ending["winners"]) * (viewer in ending["winners"])
        ]
        each.page.get_by_role("heading", name=heading).wait_for()
        expect(each.page.get_by_role("heading", name="Tonight's score")).to_be_visible()

    ada.page.get_by_role("link", name="Replay").click()
    expect(ada.page.get_by_role("listitem").filter(has_text="Ada: 10 in hand, 0 won, up: –")).to_be_visible()
    ada.page.keyboard.press("ArrowRight")
    expect(ada.page.locator(".said")).to_contain_text(re.compile(r"Ada turns a \d\."))
    ada.page.keyboard.press("End")
    won = ada.page.get_by_role("listitem").filter(has_text=re.compile(f"0 in hand, {max(ending['scores'])} won"))
    expect(won.first).to_be_visible()
    expect(ada.page).to_have_url(re.compile(f"move={2 * ROUNDS}"))
