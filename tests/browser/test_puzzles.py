"""Daily puzzles and practice in the browser: both to the end, shared, in the calendar, in a row; hints and why not."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import serving
from tests.browser.people import Person, Server
from tests.browser.places import Solver
from tests.waiting import PATIENCE_S, wait_until
from threefold.setgame.cards import CARD_NAMES, why_not
from threefold.setgame.notation import card_of
from threefold.setgame.search import all_sets, difficulty

NewPage = Callable[..., Page]
Json = Any
A_DAY = 86_400_000
A_MINUTE = 60_000
DAY = "2026-11-02"
CLIPBOARD = ["clipboard-read", "clipboard-write"]


@pytest.mark.parametrize("kind", ["basic", "advanced"])
def test_a_daily_puzzle_is_solved_to_the_end_and_shared_without_giving_anything_away(
    new_page: NewPage, kind: str
) -> None:
    page = new_page(permissions=CLIPBOARD)
    solver = Solver(page, kind, DAY)
    solver.open()
    wrong, sets = solver.wrong(), solver.sets()
    solver.pick(wrong)
    page.get_by_text("Not a SET").wait_for()
    for card in wrong:  # said on the card itself
        expect(page.locator(f"button[data-card='{card}'].wrong")).to_be_attached()
    expect(page.locator(".badges .spoils").first).to_be_attached()
    expect(page.locator(".features li"), "all four features are shown").to_have_count(4)
    failing = page.locator(".features .fails")
    assert failing.count() == len(why_not(*(card_of(card) for card in wrong)))
    expect(failing.locator(".odd"), "one value of each spoils it").to_have_count(failing.count())
    page.get_by_role("button", name="Keep looking").click()
    expect(page.locator(".one.wrong, .features")).to_have_count(0)
    solver.pick(sets[0])
    page.get_by_text(f"1 of {len(sets)}").wait_for()
    solver.pick(sets[0])
    page.get_by_text("You've already found this SET").wait_for()
    expect(page.locator(".one.wrong, .said.wrong"), "found twice is not wrong").to_have_count(0)
    began = page.evaluate("JSON.parse(localStorage.getItem('threefold.daily')).puzzles")[f"{kind} {DAY}"]["began"]
    page.reload()
    page.get_by_text(f"1 of {len(sets)}").wait_for()
    expect(page.locator(".tray .three")).to_have_count(1)
    expect(page.locator(".tray .time"), "a found SET keeps its time").to_have_text(re.compile(r"^\d+:\d\d$"))
    solver.solve(first=1)
    kept = page.evaluate("JSON.parse(localStorage.getItem('threefold.daily')).puzzles")[f"{kind} {DAY}"]
    assert kept["began"] == began, "the clock goes on through a reload"
    assert (kept["wrong"], len(kept["found"])) == (1, len(sets))
    mine = page.request.get("/api/me/puzzles").json()["kinds"][kind]
    assert mine["days"] == {DAY: kept["milliseconds"]}, "the server knows whoever has found a SET"
    expect(page.locator(".found li span.num")).to_have_count(len(sets))
    page.get_by_role("button", name="Share").click()
    page.get_by_text("Copied").wait_for()
    text = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert text[0].startswith(f"Daily SET · {kind.capitalize()}, ")
    assert re.fullmatch(rf"{len(sets)} of {len(sets)} in \d+:\d\d", text[1])
    assert text[2] == "🟨" + "🟩" * (len(sets) - 1), "amber after a wrong try"
    assert text[3].endswith(f"/daily/{kind}?day={DAY}")
    assert not [name for name in CARD_NAMES if name in "".join(text)]


def test_a_wrong_try_leads_to_its_clause_and_back(new_page: NewPage) -> None:
    page = new_page()
    solver = Solver(page, "basic", DAY)
    solver.open()
    solver.pick(solver.wrong())
    page.get_by_role("button", name="Why? S3").click()
    page.get_by_role("dialog").get_by_text("The quick check").wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    expect(page.get_by_text("Not a SET"), "the puzzle is as it was").to_be_visible()


def test_an_explanation_stays_while_cards_are_picked_so_that_they_do_not_move(new_page: NewPage) -> None:
    page = new_page()
    solver = Solver(page, "advanced", DAY)
    solver.open()
    solver.pick(solver.wrong())
    page.locator(".said.wrong").wait_for()
    first, second, _ = solver.sets()[0]
    card = page.locator(f"button[data-card='{second}']")
    before = card.bounding_box()
    page.locator(f"button[data-card='{first}']").click()
    expect(page.locator(".one.wrong"), "the marks are gone").to_have_count(0)
    expect(page.locator(".said.wrong")).to_be_visible()
    assert card.bounding_box() == before


def test_the_result_shows_the_month_and_what_comes_next(calendar: tuple[Page, Callable[[int], None]]) -> None:
    page, _ = calendar
    for kind, days in (("basic", ".day.solved:not(.both)"), ("advanced", ".day.both")):
        solver = Solver(page, kind, None)
        solver.open()
        solver.solve()
        expect(page.locator(days)).to_have_count(1)
        expect(page.locator(".day.today")).to_have_count(1)
        expect(page.locator(".next .num")).to_have_text(re.compile(r"^1[12]:\d\d:\d\d$"))
    page.get_by_role("link", name="Basic").click()
    page.get_by_text("4 of 4 in").wait_for()


def test_home_says_how_today_s_puzzles_stand(calendar: tuple[Page, Callable[[int], None]]) -> None:
    page, _ = calendar
    link = page.get_by_role("link", name="Basic")
    page.goto("/daily/basic")
    solver = Solver(page, "basic", None)
    page.locator("button[data-card]").first.wait_for()
    solver.pick(solver.sets()[0])
    page.get_by_text("1 of 4").wait_for()
    page.goto("/")
    link.get_by_text("1 of 4").wait_for()
    page.get_by_role("link", name="Advanced").get_by_text("Not played").wait_for()
    solver.open()
    solver.solve(first=1)
    page.goto("/")
    link.get_by_text("Solved in ").wait_for()


def test_on_plain_http_the_result_is_shared_by_copying_or_by_hand(new_page: NewPage, server: Server) -> None:
    page = new_page(base_url=server.url.replace("127.0.0.1", "table.test"))
    solver = Solver(page, "basic", DAY)
    solver.open()
    assert not page.evaluate("isSecureContext")
    solver.solve()
    page.get_by_role("button", name="Share").click()
    page.get_by_text("Copied").wait_for()
    page.evaluate("document.execCommand = () => false")
    page.get_by_role("button", name="Share").click()
    assert "Daily SET · " in page.get_by_label("Copy this text").input_value()


def test_letters_pick_cards_and_escape_clears(new_page: NewPage) -> None:
    page = new_page(width=1280, height=800)
    solver = Solver(page, "basic", DAY)
    solver.open()
    first = page.locator("button[data-place='1']")
    page.keyboard.press("q")
    expect(first).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(first).to_have_attribute("aria-pressed", "false")
    for card in solver.sets()[0]:
        page.keyboard.press(page.locator(f"button[data-card='{card}']").get_attribute("aria-keyshortcuts") or "")
    page.get_by_text("1 of 4").wait_for()


def test_a_set_found_without_a_connection_is_kept_and_the_server_s_time_counts(new_page: NewPage) -> None:
    page = new_page(allow="ERR_INTERNET_DISCONNECTED")
    solver = Solver(page, "basic", DAY)
    solver.open()
    *others, last = solver.sets()
    for number, cards in enumerate(others, 1):
        solver.pick(cards)
        page.get_by_text(f"{number} of {len(others) + 1}").wait_for()
    page.context.set_offline(True)
    solver.pick(last)
    page.get_by_text("the server's clock counts").wait_for()
    expect(page.locator("button[data-card][aria-pressed='true']"), "the cards stay picked").to_have_count(3)
    lost = page.evaluate("Date.now()")
    wait_until(lambda: page.evaluate("Date.now()") > lost + 1500, "for the clock to run on")
    page.context.set_offline(False)
    page.get_by_role("button", name="Share").wait_for()
    kept = page.evaluate("JSON.parse(localStorage.getItem('threefold.daily')).puzzles")[f"basic {DAY}"]
    assert len(kept["found"]) == len(others) + 1
    assert kept["milliseconds"] > lost - kept["began"], "the time without a connection counts"
    mine = page.request.get("/api/me/puzzles").json()["kinds"]["basic"]["days"]
    assert mine == {DAY: kept["milliseconds"]}, "the page shows the server's time"


# ---------------------------------------------------------------- Days in a row


@pytest.fixture
def calendar(browser: Browser, tmp_path: Path) -> Iterator[tuple[Page, Callable[[int], None]]]:
    """A page at a server whose clock can be put forward by days, and is at noon: no midnight comes by itself."""
    with serving(tmp_path) as server:
        context = browser.new_context(base_url=server.url, viewport={"width": 390, "height": 844}, locale="en-GB")
        context.set_default_timeout(1000 * PATIENCE_S)
        noon = A_DAY // 2 - int(time.time() * 1000) % A_DAY

        def put(days: float) -> None:
            (tmp_path / "clock").write_text(str(noon + int(days * A_DAY)), "utf-8")

        put(0)
        yield context.new_page(), put
        context.close()


def test_a_streak_grows_by_the_day_breaks_and_moves_with_the_person(
    calendar: tuple[Page, Callable[[int], None]], browser: Browser
) -> None:
    page, put = calendar
    for day, shown in (
        (0, "1-day streak"),
        (1, "2-day streak"),
        (2, "3-day streak"),
        (5, "1-day streak"),
    ):
        put(day)
        solver = Solver(page, "basic", None)
        solver.open()
        solver.solve()
        page.get_by_text(shown).wait_for()
    page.goto("/daily")
    facts = page.locator(".facts")
    facts.wait_for()
    expect(facts.locator("dd").nth(0)).to_have_text("1")
    expect(facts.locator("dd").nth(1)).to_have_text("3")
    expect(page.locator("td a.solved")).to_have_count(4 - _solved_before(page))
    today = page.locator("td a.today")
    assert "Solved in" in (today.get_attribute("aria-label") or "")
    today.focus()
    for key in ("ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.locator(f"a[data-day='{_days_before(page, 8)}']")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("button[data-card]").first.wait_for()
    assert _days_before(page, 8) in page.url
    transfer = page.request.post("/api/me/transfer").json()
    phone = browser.new_context(base_url=page.url.split("/daily")[0], locale="en-GB").new_page()
    phone.goto(transfer["path"])
    phone.get_by_role("button").first.wait_for()
    phone.evaluate(
        "token => fetch('/api/me/redeem', {method: 'POST', headers: {'content-type': 'application/json'}, "
        "body: JSON.stringify({token})})",
        transfer["token"],
    )
    assert phone.request.get("/api/me/puzzles").json()["kinds"]["basic"]["longest"] == 3
    phone.context.close()


def _days_before(page: Page, days: int) -> str:
    today = page.request.get("/api/puzzles").json()["now"]
    return str(page.evaluate("at => new Date(at).toISOString().slice(0, 10)", today - days * A_DAY))


def _solved_before(page: Page) -> int:
    """Solved days of the month before, which the calendar does not show now."""
    days = page.request.get("/api/me/puzzles").json()
    return sum(each[:7] < days["day"][:7] for each in days["kinds"]["basic"]["days"])


def test_midnight_brings_new_puzzles_while_the_page_is_open(calendar: tuple[Page, Callable[[int], None]]) -> None:
    page, put = calendar
    page.clock.install()
    now = page.request.get("/api/puzzles").json()
    midnight = now["ends"] - now["now"]
    put((midnight - A_MINUTE) / A_DAY)
    page.goto("/daily")
    page.get_by_text("new puzzles in 0:").wait_for()
    before = page.locator("td a.today").get_attribute("data-day") or ""
    put((midnight + A_MINUTE) / A_DAY)
    page.clock.fast_forward(2 * A_MINUTE)
    expect(page.locator("td a.today")).not_to_have_attribute("data-day", before)
    put((midnight + A_DAY - A_MINUTE) / A_DAY)
    page.goto("/daily/basic")
    page.locator("button[data-card]").first.wait_for()
    page.clock.fast_forward(2 * A_MINUTE)
    page.get_by_text("It's a new day").wait_for()


# ---------------------------------------------------------------- Practice


def sets_shown(page: Page) -> list[list[str]]:
    cards = [each.get_attribute("data-card") or "" for each in page.locator("button[data-card]").all()]
    found = all_sets([card_of(each) for each in cards])
    return [[CARD_NAMES[card] for card in each] for each in found]


HINTS = {1: "This card is part of a SET", 2: "These two belong together", 3: "That's a SET"}


def test_practice_trains_one_kind_hints_card_by_card_and_keeps_times(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/practice")
    page.get_by_role("radio", name="3", exact=True).check()
    page.get_by_text("In every SET here, 3 features differ").wait_for()
    page.locator("button[data-card]").first.wait_for()
    sets = sets_shown(page)
    assert {difficulty(*(card_of(card) for card in each)) for each in sets} == {3}
    for count, name in ((1, "Hint: show one card"), (2, "Show the second card"), (3, "Show the last card")):
        page.get_by_role("button", name=name).click()
        expect(page.locator(".one.hint")).to_have_count(count)
        expect(page.locator(".said")).to_contain_text(HINTS[count])
    expect(page.locator(".said")).to_contain_text(re.compile("all different.*all the same|all the same.*all different"))
    lifted = "getComputedStyle(document.querySelector('.one.hint .face-of')).transform"
    assert page.evaluate(lifted) != "none"
    hinted = [each.get_attribute("data-card") for each in page.locator(".one.hint").all()]
    for card in hinted:
        page.locator(f"button[data-card='{card}']").click()
    page.get_by_text("That's a SET! 3 features differ").wait_for()
    page.get_by_text("Times with hints don't count").wait_for()
    expect(page.get_by_role("button", name="Your times")).to_have_count(0)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Hint: show one card").wait_for()
    for card in sets_shown(page)[0]:
        page.locator(f"button[data-card='{card}']").click()
    page.get_by_role("button", name="Your times").click()
    expect(page.get_by_role("dialog").get_by_role("row")).to_have_count(2)
    assert page.request.get("/api/me/practice").json()["3"]["count"] == 1, "the first one counts for the person"
    assert page.evaluate("JSON.parse(localStorage.getItem('threefold.practice')).times['3'].count") == 1


def test_practice_says_why_not_and_costs_nothing(new_page: NewPage) -> None:
    page = new_page()
    Person(page, "Ada").be_somebody()
    page.goto("/practice")
    page.locator("button[data-card]").first.wait_for()
    cards = [each.get_attribute("data-card") or "" for each in page.locator("button[data-card]").all()]
    sets = [set(each) for each in sets_shown(page)]
    wrong = next([a, b, c] for a in cards for b in cards for c in cards if a < b < c and {a, b, c} not in sets)
    for card in wrong:
        page.locator(f"button[data-card='{card}']").click()
    page.get_by_text("Not a SET").wait_for()
    expect(page.locator(".one.wrong")).to_have_count(3)
    page.get_by_label("Show clock").check()
    page.get_by_role("timer").wait_for()
    for card in sets_shown(page)[0]:
        page.locator(f"button[data-card='{card}']").click()
    page.get_by_role("button", name="Next").wait_for()
    Person(page, "Ada").until(
        "fetch('/api/me/practice').then(answer => answer.json()).then(mine => Object.keys(mine).length === 1)"
    )
