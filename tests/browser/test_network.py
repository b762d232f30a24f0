"""The page behind a bad network: a line that is silently dead is noticed, told, and replaced."""

import time

from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.people import Person, Server
from tests.network.trouble import Weather, behind_a_proxy


def test_a_silently_dead_line_is_noticed_and_no_tap_is_lost(new_page: NewPage, server: Server) -> None:
    weather = Weather()
    with behind_a_proxy(int(server.url.rpartition(":")[2]), weather) as port:
        page = new_page(base_url=f"http://127.0.0.1:{port}")
        server.seed("g1")
        ada = Person(page, "Ada")
        table = {
            "game": "karma",
            "edition": "mini_round",
            "seats": 2,
            "bots": ["careful"],
            "pace": "fast",
            "start": True,
        }
        ada.come(ada.make_table(table)["path"])
        page.locator(".hand .group").first.wait_for()
        weather.silent = True
        began = time.monotonic()
        ada.tap_out(ada.careful_move())
        expect(page.locator(".notice")).to_contain_text("Your last tap will be sent")
        assert time.monotonic() - began > 4, "it was not told, it was noticed"
        weather.silent = False
        ada.until("threefold.status === 'connected' && threefold.open === 0", seconds=20)
        ada.until("threefold.view.has_chosen.includes(threefold.view.viewer) || threefold.view.turn !== null")
        expect(page.locator(".notice")).to_have_count(0)
        page.goto("about:blank")
