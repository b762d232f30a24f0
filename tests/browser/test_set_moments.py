"""Looking at SET cards, people at their chips, and what moves when a SET is taken."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.fits import SIZES
from tests.browser.people import Server, still
from tests.browser.set_people import NAMED, SetPerson, all_see, no_set_in, seat, sets_in

Json = Any
NewPage = Callable[..., Page]
TAKING: Json = {"variant": "full", "options": {"call": "with take", "cooldown_ms": 0}}
NAMES = {card: name for name, card in NAMED.items()}
HOLD = """
() => {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) {
    const made = animate.apply(this, given);
    if (this.closest('.sky')) made.pause();
    return made;
  };
}
"""
"""Cards on their way stand still until a test lets them go on."""
LET_GO = "document.querySelector('.sky').getAnimations({ subtree: true }).forEach(each => each.finish())"


def card(person: SetPerson, code: str) -> Any:
    return person.page.locator(f'button[data-card="{code}"]')


# ---------------------------------------------------------------- Looking at cards


def test_a_mouse_that_rests_on_a_card_opens_it_with_its_name(new_page: NewPage, server: Server) -> None:
    ada, ben = seat(new_page, server, 2, "set-look", TAKING, width=1280, height=800)
    three = sets_in(ada.cards())[0]
    ben.take(three)
    all_see([ada, ben])
    box = ada.page.locator(".look.box")
    lies = ada.cards()[0]
    assert lies is not None
    card(ada, lies).hover()
    expect(box).to_contain_text(NAMES[lies], ignore_case=True)
    expect(box.locator("svg"), "the card on the table is as large").to_be_hidden()
    ada.page.get_by_role("button", name="Ben: one point").click()
    ada.page.get_by_role("dialog").locator(f'[data-look="{three[2]}"]').hover()
    expect(box).to_contain_text(NAMES[three[2]], ignore_case=True)
    expect(box.locator("svg")).to_be_visible()


def test_a_long_press_opens_a_card_and_never_takes_it(new_page: NewPage, server: Server) -> None:
    ada, _ = seat(new_page, server, 2, "set-press-long", TAKING, has_touch=True, is_mobile=True)
    three = sets_in(ada.cards())[0]
    for each in three[:2]:
        card(ada, each).tap()
        expect(card(ada, each)).to_have_attribute("aria-pressed", "true")
    found = card(ada, three[2]).bounding_box()
    point = {"x": found["x"] + found["width"] / 2, "y": found["y"] + found["height"] / 2}
    touch = ada.page.context.new_cdp_session(ada.page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(ada.page.locator("dialog.look")).to_contain_text(NAMES[three[2]], ignore_case=True)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    ada.page.locator("dialog.look").get_by_role("button", name="Close").tap()
    expect(ada.page.locator("dialog")).to_have_count(0)
    expect(card(ada, three[2])).to_have_attribute("aria-pressed", "false")
    assert ada.view()["sets"] == [0, 0]
    card(ada, three[2]).tap()
    ada.until("threefold.view.sets[0] === 1")


def test_a_key_opens_cards_also_where_the_usual_letter_picks_one(new_page: NewPage, server: Server) -> None:
    (ada,) = seat(new_page, server, 1, "set-places", {"variant": "solitaire"})
    first, second = ada.cards()[:2]
    assert first is not None
    assert second is not None
    heading = ada.page.locator("dialog.look").get_by_role("heading")
    card(ada, first).focus()
    ada.page.keyboard.press("i")
    expect(heading).to_have_text(NAMES[first], ignore_case=True)
    ada.page.keyboard.press("ArrowRight")
    expect(heading).to_have_text(NAMES[second], ignore_case=True)
    ada.page.keyboard.press("Escape")
    expect(heading).to_have_count(0)
    ada.page.evaluate("localStorage.setItem('threefold.settings.set', JSON.stringify({keys: 'dvorak'}))")
    ada.page.reload()
    card(ada, first).focus()
    while ada.page.locator("button[data-card]").count() < 15:  # I is in the fifth column of keys
        ada.press("Deal more cards")
    ada.page.keyboard.press("i")
    expect(ada.page.locator('[data-place="14"]')).to_have_attribute("aria-pressed", "true")
    expect(heading).to_have_count(0)
    ada.page.keyboard.press("8")
    expect(heading).to_have_count(1)


# ---------------------------------------------------------------- People


def test_absence_shows_at_once_at_the_chip(new_page: NewPage, server: Server) -> None:
    ada, ben = seat(new_page, server, 2, "set-away", TAKING)
    path = ben.page.url
    ben.page.goto("about:blank")
    chip = ada.page.locator('[data-chip="1"]')
    expect(chip.locator("small.away")).to_contain_text("away 0:")
    expect(ada.page.get_by_role("button", name="Ben: 0 points. Show cards. away")).to_be_visible()
    ben.page.goto(path)
    expect(chip.locator("small.away")).to_have_count(0)


def test_words_appear_beside_the_chip_and_never_over_cards(new_page: NewPage, server: Server) -> None:
    ada, _ = seat(new_page, server, 2, "set-says", TAKING)
    # As if Ben had just written it, but it stays while the window changes.
    ada.page.evaluate(
        """what => {
          const { guest } = threefold.table.playing.players[1];
          threefold.bubbles = [{ id: 1, guest, sort: 'chat', what }];
        }""",
        "Well done, that was a really quick one, and I had not even begun to look!",
    )
    bubble = ada.page.locator(".bubble:visible")
    expect(bubble).to_contain_text("Well done")
    for width, height in SIZES:
        ada.page.set_viewport_size({"width": width, "height": height})
        box: Json = bubble.bounding_box()
        cards = [each.bounding_box() for each in ada.page.locator("button[data-card]").all()]
        assert not [each for each in cards if overlap(box, each)], (width, height)
        assert box["x"] >= 0, (width, height)
        assert box["x"] + box["width"] <= width, (width, height)


def overlap(a: Json, b: Json) -> bool:
    return bool(
        a["x"] < b["x"] + b["width"]
        and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"]
        and b["y"] < a["y"] + a["height"]
    )


# ---------------------------------------------------------------- Motion


def test_a_set_flies_to_its_chip_and_counts_when_it_arrives(new_page: NewPage, server: Server) -> None:
    ada, ben = seat(new_page, server, 2, "set-fly", TAKING, reduced_motion="no-preference")
    for each in (ada, ben):
        still(each.page)
        each.page.evaluate(HOLD)
    before = set(ada.cards())
    ada.take(sets_in(ada.cards())[0])
    all_see([ada, ben])
    for each in (ada, ben):
        expect(each.page.locator(".sky .flying")).to_have_count(3)
        expect(each.page.locator('[data-chip="0"] strong'), "not yet").to_have_text("0")
    lifts = "[...document.querySelector('.sky').getAnimations({ subtree: true })].map(each => each.effect.getTiming())"
    assert {each["duration"] for each in ada.page.evaluate(lifts)} == {80}
    assert {each["duration"] for each in ben.page.evaluate(lifts)} == {400}, "somebody else's SET can be seen"
    middle = ada.page.evaluate(
        """() => {
          const box = document.querySelector('.flying').getBoundingClientRect();
          return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2).closest('.sky') === null;
        }"""
    )
    assert middle, "flying cards take no taps"
    # Ben has not seen the cards under those that still lie there.
    new = next(each for each in ben.cards() if each not in before)
    assert new is not None
    ben.page.evaluate("code => document.querySelector(`button[data-card='${code}']`).click()", new)
    expect(card(ben, new)).to_have_attribute("aria-pressed", "false")
    ben.page.evaluate("code => document.querySelector(`button[data-card='${code}']`).click()", new)
    expect(card(ben, new), "the first tap has let them leave").to_have_attribute("aria-pressed", "true")
    for each in (ada, ben):
        while each.page.locator(".flying").count():
            each.page.evaluate(LET_GO)
        expect(each.page.locator('[data-chip="0"] strong')).to_have_text("1")
        expect(each.page.locator(".tag:not(.lost)")).to_contain_text("+1 · ")


def test_a_lost_point_falls_from_the_chip(new_page: NewPage, server: Server) -> None:
    ada, ben = seat(new_page, server, 2, "set-lose", TAKING)
    ada.take(no_set_in(ada.cards()))
    for each in (ada, ben):
        each.until("threefold.view.scores[0] === -1")
        expect(each.page.locator(".tag.lost")).to_have_text("−1")
        expect(each.page.locator('[data-chip="0"] strong')).to_have_text("−1")


def test_dark_cards_are_a_setting(new_page: NewPage, server: Server) -> None:
    page = new_page()
    page.goto("/play/settings")
    page.get_by_role("group", name="Cards", exact=True).get_by_role("radio", name="Dark").check()
    ada = SetPerson(page, "Ada")
    server.seed("set-dark")
    ada.come(ada.make_table({"game": "set", "variant": "solitaire", "seats": 1, "start": True})["path"])
    face = page.locator("button[data-card] .face-of").first
    face.wait_for()
    assert face.evaluate("each => getComputedStyle(each).backgroundColor") == "rgb(35, 41, 39)"
