"""The page behind a bad network: a dead connection is noticed, told and replaced. Its clock is moved by hand."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.people import Person, Server
from tests.network.trouble import Weather, behind_a_proxy

TABLE = {"game": "karma", "edition": "mini_round", "seats": 2, "bots": ["careful"], "pace": "fast", "start": True}


def at_a_table(page: Page, server: Server) -> Person:
    """A game against a bot, on a page whose clock stands still."""
    server.seed("g1")
    ada = Person(page, "Ada")
    page.clock.install()
    ada.come(ada.make_table(TABLE)["path"])
    page.locator(".hand .group").first.wait_for()
    ada.until("threefold.status === 'connected'")
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    return ada


def test_an_offline_browser_is_told_within_two_seconds_and_comes_back_by_itself(
    new_page: NewPage, server: Server
) -> None:
    page = new_page(allow="WebSocket connection")  # which browsers note when it fails
    ada = at_a_table(page, server)
    expect(page.locator(".notice")).to_have_count(0)
    page.context.set_offline(True)
    ada.until("!navigator.onLine")
    page.clock.run_for(1_900)
    expect(page.locator(".notice")).to_have_text("No connection. Trying again …")
    page.context.set_offline(False)
    page.clock.resume()
    expect(page.locator(".notice")).to_have_count(0)
    ada.until("threefold.status === 'connected'")


def test_a_browser_that_is_offline_for_long_opens_another_connection(new_page: NewPage, server: Server) -> None:
    page = new_page(allow="WebSocket connection")  # which browsers note when it fails
    ada = at_a_table(page, server)
    page.context.set_offline(True)
    ada.until("!navigator.onLine")
    page.clock.run_for(60_000)
    expect(page.locator(".notice")).to_have_text("No connection. Trying again …")
    ada.tap_out(ada.careful_move())
    expect(page.locator(".notice")).to_have_text("No connection. Your last tap will be sent once you're back.")
    page.context.set_offline(False)
    page.clock.resume()
    ada.until("threefold.status === 'connected' && threefold.open === 0")
    expect(page.locator(".notice")).to_have_count(0)


def test_a_silently_dead_connection_is_told_within_five_seconds_and_no_tap_is_lost(
    new_page: NewPage, server: Server
) -> None:
    weather = Weather()
    with behind_a_proxy(int(server.url.rpartition(":")[2]), weather) as port:
        page = new_page(base_url=f"http://127.0.0.1:{port}")
        ada = at_a_table(page, server)
        weather.silent = True
        page.clock.run_for(4_900)
        expect(page.locator(".notice")).to_have_text("No connection. Trying again …")
        ada.tap_out(ada.careful_move())
        expect(page.locator(".notice")).to_contain_text("Your last tap will be sent")
        weather.silent = False
        page.clock.resume()
        ada.until("threefold.status === 'connected' && threefold.open === 0")
        ada.until("threefold.view.has_chosen.includes(threefold.view.viewer) || threefold.view.turn !== null")
        expect(page.locator(".notice")).to_have_count(0)
        page.goto("about:blank")


def test_a_server_that_answers_is_not_lost_however_long_nothing_happens(new_page: NewPage, server: Server) -> None:
    page = new_page()
    ada = at_a_table(page, server)
    for _ in range(20):
        pinged = page.evaluate("Date.now()")
        page.clock.run_for(2_300)
        ada.until("since => threefold.connection.lastHeard > since", pinged)
        expect(page.locator(".notice")).to_have_count(0)
