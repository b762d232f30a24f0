"""Learning by doing and the rules, in the browser: both games to the end by keyboard, refusals, search, clauses."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.fits import PHONES_ASIDE, PHONES_UPRIGHT, walk
from tests.browser.people import Server, is_number, still
from tests.browser.places import Places, close
from tests.browser.set_people import no_set_in, sets_in
from tests.rule_coverage import ROOT
from tests.web.test_lessons import WAYS
from threefold.games import KITS
from threefold.live.lessons import attempt
from threefold.setgame import SET
from threefold.setgame.lessons import LESSONS

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
    """Makes a move of Karma by the keys of the table."""
    verb, *cards = move.split(" ")
    if verb == "choose":
        page.keyboard.press(f"Shift+{'AB'[int(cards[0]) - 1]}")
    elif verb == "pick":
        page.keyboard.press("p")
    elif verb == "flip":
        page.keyboard.press("qwe"[int(cards[0]) - 1])
    else:
        played = [card for card in cards if card != "up"]
        for card in dict.fromkeys(played):
            page.keyboard.press(key_of_card(page, card))
        if verb != "play" or len(played) > 1 or not is_number(played[0]):
            page.keyboard.press("s")


def key_of_card(page: Page, card: str) -> str:
    """The key of a card in the hand or on the table."""
    in_hand = page.locator(f".hand .group[data-card='{card}']")
    in_hand.or_(page.locator("button.lies", has_text=f": {card},")).first.wait_for()
    hand = [each.get_attribute("data-card") for each in page.locator(".hand .group").all()]
    if card in hand:
        return str(hand.index(card) + 1)
    lying = [each.text_content() or "" for each in page.locator("button.lies").all()]
    return "qwe"[next(i for i, words in enumerate(lying) if f": {card}," in words)]


def press_set(page: Page, move: str) -> None:
    """Makes a move of SET by keys."""
    verb, *cards = move.split(" ")
    if verb == "call":
        page.keyboard.press("Space")
    elif verb == "agree":
        tab_to(page, "No SET here")
    for card in cards:
        page.keyboard.press(page.locator(f"button[data-card='{card}']").get_attribute("aria-keyshortcuts") or "")


def steps(page: Page) -> Locator:
    """The steps of a chapter."""
    return page.get_by_role("main").locator("ol > li:has(> .sr-only)")


def answered(page: Page, make_move: Callable[[], None]) -> None:
    """Makes a move of a lesson, and waits until the page shows its answer."""
    still(page)
    with page.expect_response("**/api/lessons/**"):
        make_move()
    expect(page.locator(".learn")).to_have_attribute("aria-busy", "false")


def learn(page: Page, game: str, press: Callable[[Page, str], None]) -> None:
    """Goes through all lessons of a game by the keyboard."""
    for chapter in dict.fromkeys(lesson.chapter for lesson in KITS[game].lessons):
        keys = [lesson.key for lesson in KITS[game].lessons if lesson.chapter == chapter]
        page.goto(f"/learn/{game}?chapter={chapter}")
        page.locator(".task").wait_for()
        expect(steps(page)).to_have_count(len(keys))
        for number, key in enumerate(keys):
            expect(steps(page).nth(number)).to_have_class(re.compile("here"))
            for move in WAYS[game][key]:
                answered(page, partial(press, page, move))
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


@pytest.mark.slow
@pytest.mark.parametrize("chapter", dict.fromkeys(lesson.chapter for lesson in KITS["karma"].lessons))
def test_every_lesson_of_karma_fits_phones_and_low_windows(new_page: NewPage, chapter: str) -> None:
    page = new_page(locale="de-DE")
    page.goto(f"/learn/karma?chapter={chapter}")
    sizes = (*PHONES_UPRIGHT, *PHONES_ASIDE, (1280, 640))
    found = []
    for key in [lesson.key for lesson in KITS["karma"].lessons if lesson.chapter == chapter]:
        page.locator(".task").wait_for()
        found += walk(page, f"lesson-{key}", sizes)
        for move in WAYS["karma"][key]:
            answered(page, partial(press_karma, page, move))
        page.locator(".next").wait_for()
        found += walk(page, f"lesson-{key}-done", sizes)
        page.locator(".next").click()
    assert not found, "\n".join(found)


def test_a_wrong_try_is_truly_refused_and_another_move_is_taken_back(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/learn/karma")
    page.locator("[data-card='3']").click()
    page.get_by_role("button", name="Why? K7").click()
    page.get_by_role("dialog").get_by_text("equal to or higher").wait_for()
    close(page)
    page.get_by_role("button", name="Pick up").click()
    page.get_by_text("You pick up the pile: a 5. Now try again: it says above what to do.").wait_for()
    expect(page.locator(".hand .group"), "as it was").to_have_count(3)
    page.get_by_role("button", name="Skip").click()
    page.get_by_text("Play both 10s").wait_for()


def skip(page: Page, count: int) -> None:
    """Goes on by so many lessons."""
    page.locator(".task").wait_for()
    for _ in range(count):
        page.get_by_role("button", name="Skip").click()


def test_a_lesson_warns_of_a_wasted_card_before_it_is_played(new_page: NewPage) -> None:
    page = new_page()

    def advise(route: Route) -> None:
        answer = route.fetch()
        body = {**answer.json(), "warning": {"key": "karma.warning", "parameters": {"power": "give_pile"}}}
        route.fulfill(response=answer, json=body)

    page.route("**/api/lessons/karma/give", advise)
    page.goto("/learn/karma")
    for _ in range(2):
        page.get_by_role("button", name="Skip").click()
    page.locator(".hand [data-card='GIV'], .hand .group:has([data-look='GIV'])").first.click()
    expect(page.locator(".message.wasted strong")).to_be_visible()
    expect(page.locator(".note"), "nothing is played yet").to_have_count(0)


def test_the_sentences_of_a_lesson_are_separated_by_spaces(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/learn/karma")
    skip(page, list(WAYS["karma"]).index("clear"))
    page.keyboard.press("3")
    happened = page.locator(".note.right p").first
    expect(happened).to_have_text("You play a 12. You make three 12s and clear the pile.")


def test_a_wrong_set_in_a_lesson_is_explained_and_can_be_tried_again(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/learn/set")
    page.locator(".task").wait_for()
    for cards in (("2RSO", "3RSO", "1PSO"), ("1RSO", "2RSO", "3RSO")):
        for card in cards:
            page.locator(f"button[data-card='{card}']").click()
        page.locator(".note").wait_for()
        if "1PSO" in cards:
            expect(page.locator(".note")).to_contain_text("Colour: 2 red, 1 purple.")
            expect(page.locator(".note")).to_contain_text("Now try again: it says above what to do.")
    expect(page.get_by_role("button", name="Next")).to_be_focused()


def test_the_basics_lead_to_the_chapter_of_the_second_edition(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/learn/karma")
    chapters = [lesson.chapter for lesson in KITS["karma"].lessons]
    skip(page, chapters.count("basics"))
    page.get_by_role("link", name="The 8 cards of the Second Edition").click()
    page.get_by_text("There's a 7 to 11 on the pile").wait_for()
    expect(steps(page)).to_have_count(chapters.count("second_edition"))
    skip(page, chapters.count("second_edition"))
    page.get_by_role("button", name="Play now").wait_for()
    expect(page.get_by_role("link", name="Second Edition")).to_have_count(0)


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
    expect(page.locator("button[data-card='3PSS'] .badges .spoils")).to_have_attribute("data-words", "purple")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "es-ES"])
def test_the_lessons_of_set_separate_their_sentences_and_have_no_dead_end(new_page: NewPage, locale: str) -> None:
    page = new_page(width=1280, height=800, locale=locale)
    page.goto("/learn/set")
    for key, way in WAYS["set"].items():
        page.locator(".task").wait_for()
        cards = [each.get_attribute("data-card") or "" for each in page.locator("button[data-card]").all()]
        if key == "call":
            answered(page, partial(press_set, page, "call"))
        if key in {"call", "find", "fifteen", "end"}:  # a wrong try leads back to the start
            answered(page, partial(press_set, page, "take " + " ".join(no_set_in(cards))))
            expect(page.locator(".answer .note")).to_be_visible()
            expect(page.locator(".task")).to_be_visible()
        for move in way:
            agree = page.locator(".row .button").last.click
            answered(page, agree if move == "agree" else partial(press_set, page, move))
        page.locator(".next").wait_for()
        words = page.locator(".answer").inner_text()
        assert re.search(r"[.!?][^\W\d_]", words) is None, (key, words)
        page.locator(".next").click()
        page.locator(".task:focus, .end").wait_for()
    page.locator(".end").wait_for()


def test_every_real_set_is_accepted_in_a_lesson() -> None:
    """Whatever SET a learner takes, the lesson is done."""
    for lesson in LESSONS:
        if lesson.event != "set_taken":
            continue
        table = SET.new({"position": lesson.position})
        cards = SET.view(table, 0)["layout"]
        for three in sets_in(cards):
            before = ["call"] if lesson.key == "call" else []
            assert attempt(SET, lesson, [*before, "take " + " ".join(three)]).done, (lesson.key, three)


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
