"""Learning by doing and the rules, in the browser: both games to the end by keyboard, refusals, search, clauses."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.people import Server
from tests.browser.places import Places, close
from tests.rule_coverage import ROOT
from tests.web.test_lessons import WAYS

NewPage = Callable[..., Page]


def tab_to(page: Page, name: str) -> None:
    """Goes to a button by the keyboard alone and presses it."""
    for _ in range(60):
        page.keyboard.press("Tab")
        found = page.evaluate("document.activeElement.textContent + (document.activeElement.ariaLabel ?? '')")
        if name in found:
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"no way to {name}")


def press_karma(page: Page, move: str) -> None:
    """Makes a move of Karma by keys."""
    verb, *cards = move.split(" ")
    if verb == "choose":
        tab_to(page, "Ben")
    elif verb == "pick":
        page.keyboard.press("p")
    elif verb == "flip":
        page.keyboard.press("qwe"[int(cards[0]) - 1])
    elif len(cards) > 1:
        press_karma(page, f"play {cards[0]}")
        tab_to(page, f"Play 2 × {cards[0]}")
    else:
        lies = page.locator("button.lies", has_text=f": {cards[0]},")
        page.locator(f".hand .group[data-card='{cards[0]}']").or_(lies).first.wait_for()
        hand = [each.get_attribute("data-card") for each in page.locator(".hand .group").all()]
        if cards[0] in hand:
            page.keyboard.press(str(hand.index(cards[0]) + 1))
        else:
            lying = [each.text_content() or "" for each in page.locator("button.lies").all()]
            place = next(i for i, words in enumerate(lying) if f": {cards[0]}," in words)
            page.keyboard.press("qwe"[place])


def press_set(page: Page, move: str) -> None:
    """Makes a move of SET by keys."""
    verb, *cards = move.split(" ")
    if verb == "call":
        page.keyboard.press("Space")
    elif verb == "agree":
        tab_to(page, "There's no SET")
    for card in cards:
        page.keyboard.press(page.locator(f"button[data-card='{card}']").get_attribute("aria-keyshortcuts") or "")


def learn(page: Page, game: str, press: Callable[[Page, str], None]) -> None:
    """Goes through all lessons of a game by the keyboard."""
    page.goto(f"/learn/{game}")
    page.locator(".task").wait_for()
    expect(page.locator(".dots li")).to_have_count(len(WAYS[game]))
    for number, (key, way) in enumerate(WAYS[game].items()):
        expect(page.locator(".dots li").nth(number)).to_have_class(re.compile("here"))
        for step, move in enumerate(way):
            press(page, move)
            if step + 1 < len(way):
                page.locator(".answer .note, .row b").first.wait_for()
        expect(page.get_by_role("button", name="Next"), key).to_be_focused()
        page.keyboard.press("Enter")
    page.get_by_role("heading", name="That's all you need!").wait_for()


def test_karma_is_learned_to_the_end_by_the_keyboard_and_then_played(new_page: NewPage, server: Server) -> None:
    server.seed("any")
    page = new_page(width=1280, height=800)
    learn(page, "karma", press_karma)
    assert page.context.cookies() == [], "learning needs nobody to be somebody"
    page.get_by_role("button", name="Play now").click()
    page.locator(".hand .group").first.wait_for()


def test_set_is_learned_to_the_end_by_the_keyboard(new_page: NewPage) -> None:
    page = new_page(width=1280, height=800)
    learn(page, "set", press_set)


def test_a_wrong_try_is_truly_refused_and_another_move_is_taken_back(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/learn/karma")
    page.locator("[data-card='3']").click()
    page.get_by_role("button", name="Why? K7").click()
    page.get_by_role("dialog").get_by_text("equal to or higher").wait_for()
    close(page)
    page.get_by_role("button", name="Pick up the pile").click()
    page.get_by_text("That's allowed too").wait_for()
    expect(page.locator(".hand .group"), "as it was").to_have_count(3)
    page.get_by_role("button", name="Skip").click()
    page.get_by_text("Play both 10s").wait_for()


def test_a_wrong_set_is_explained_on_the_cards_of_a_lesson(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/learn/set")
    page.locator(".task").wait_for()
    for _ in range(2):
        page.get_by_role("button", name="Skip").click()
    expect(page.locator(".one.hint")).to_have_count(3)
    for card in ("1GSS", "2GSS", "3PSS"):
        page.locator(f"button[data-card='{card}']").click()
    page.get_by_role("button", name="Next").wait_for()
    expect(page.locator("button[data-card='3PSS'] .badges .odd")).to_have_attribute("data-words", "purple")


# ---------------------------------------------------------------- The rules


def test_rules_are_searched_as_one_types_filtered_and_have_addresses(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/rules/karma#K46")
    clause = page.locator("#K46")
    expect(clause).to_be_in_viewport()
    expect(clause).to_contain_text("Change Your Seat")
    everything = page.locator(".clause").count()
    page.get_by_label("Search the rules").fill("bottoms up")
    expect(page.locator("#K42 mark").first).to_be_visible()
    expect(page.locator(".clause").nth(11)).to_have_count(0)
    page.get_by_label("Search the rules").fill("zebra")
    page.get_by_text("No clause has all these words").wait_for()
    page.get_by_label("Search the rules").fill("")
    page.get_by_role("radio", name="Second Edition").check()
    expect(page.locator("#K40")).to_have_count(0)
    expect(page.locator("#K45")).to_have_count(1)
    page.get_by_role("radio", name="All").check()
    expect(page.locator(".clause")).to_have_count(everything)
    page.locator("#K12 a[href='#K19']").click()
    expect(page.locator("#K19")).to_be_in_viewport()
    page.get_by_role("link", name="Rules: SET").click()
    page.locator("#S12").wait_for()
    page.get_by_role("radio", name="20/20 SET").check()
    expect(page.locator("#T5")).to_have_count(1)
    expect(page.locator("#S20")).to_have_count(0)


def test_every_clause_of_the_rules_is_on_the_page(new_page: NewPage) -> None:
    page = new_page()
    for game, path in (("karma", "docs/rules/karma.md"), ("set", "docs/rules/set.md")):
        page.goto(f"/rules/{game}")
        page.locator(".clause").first.wait_for()
        shown = [each.get_attribute("id") for each in page.locator(".clause").all()]
        assert shown == clauses_of(path)


def clauses_of(path: str) -> list[str]:
    lines = (ROOT / path).read_text("utf-8").splitlines()
    return [line.split("**")[1] for line in lines if line.startswith(("- **", "| **"))]


def test_a_refusal_at_the_table_opens_its_clause_and_the_table_stays(new_page: NewPage, server: Server) -> None:
    host = Places(new_page, server).table(4, "classic", "g20")
    host.play_until("threefold.view.turns > 3")
    page = host.page
    unlit = page.locator(".hand .group.dim")
    page.locator(".lies[data-place='1']").click() if unlit.count() == 0 else unlit.first.click()
    page.get_by_role("button", name="Why? K").click()
    page.get_by_role("dialog").locator("p").first.wait_for()
    expect(page.get_by_role("link", name="All the rules")).to_have_attribute("target", "_blank")
    close(page)
    expect(page.locator("ul.hand")).to_be_visible()
    expect(page.locator(".refusal")).to_be_visible()


def test_other_languages_say_that_the_clauses_are_in_english(new_page: NewPage) -> None:
    page = new_page(locale="de-DE")
    page.goto("/rules/set")
    page.get_by_text("Die Regeln selbst sind auf Englisch.").wait_for()
    page.get_by_role("heading", name="Das Spiel").wait_for()
