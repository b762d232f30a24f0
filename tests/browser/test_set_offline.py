"""Solitaire behind a dead line: the clock runs on, nothing found is lost, and the server's time counts."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.people import Server
from tests.browser.set_people import SetPerson, sets_in
from tests.network.trouble import Weather, behind_a_proxy
from tests.waiting import wait_until

NewPage = Callable[..., Page]
CLOCK = "threefold.time.game + Date.now() - threefold.time.here"


def test_a_set_of_solitaire_is_kept_while_the_connection_is_lost(new_page: NewPage, server: Server) -> None:
    weather = Weather()
    with behind_a_proxy(int(server.url.rpartition(":")[2]), weather) as port:
        page = new_page(base_url=f"http://127.0.0.1:{port}")
        server.seed("set-lost")
        ada = SetPerson(page, "Ada")
        ada.come(ada.make_table({"game": "set", "variant": "solitaire", "seats": 1, "start": True})["path"])
        page.locator("button[data-card]").first.wait_for()
        weather.silent = True
        lost = page.evaluate(CLOCK)
        for card in sets_in(ada.cards())[0]:
            page.locator(f'button[data-card="{card}"]').click()
        expect(page.locator(".status")).to_contain_text("the server's time counts")
        timer = page.get_by_role("timer")
        shown = timer.text_content()
        wait_until(lambda: timer.text_content() != shown, "for the clock to run on")
        weather.silent = False
        ada.until("threefold.status === 'connected' && threefold.open === 0")
        ada.until("threefold.view.sets[0] === 1")
        expect(page.locator(".status")).not_to_contain_text("the server's time counts")
        assert ada.view()["now"] > lost, "the SET counts from when the server had it"
        page.goto("about:blank")
