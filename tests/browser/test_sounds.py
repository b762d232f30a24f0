"""Sound and haptics in the browser: offered once, silent before a tap and when muted, one sound for each event."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.film_strips import CLEARING
from tests.browser.karma_states import QUESTIONS, sit_at
from tests.browser.people import Person, Server
from tests.browser.set_people import no_set_in, seat, sets_in

NewPage = Callable[..., Page]

LISTEN = """
globalThis.started = [];
globalThis.felt = [];
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...given) {
  started.push({ seconds: this.buffer.duration, state: this.context.state });
  return start.apply(this, given);
};
globalThis.touched = true;
Object.defineProperty(navigator, 'userActivation', { get: () => ({ hasBeenActive: touched }) });
navigator.vibrate = (pattern) => { felt.push([...pattern]); return true; };
"""
"""Counts the sounds that start, and the vibrations. Playwright's scripts count as taps, so a test says what does."""


def listener(new_page: NewPage, volume: str = "quiet", **more: Any) -> Page:
    """A page that counts its sounds; `ask` leaves the question open."""
    page = new_page(asked=False, **more)
    if volume != "ask":
        page.add_init_script(f"""localStorage['threefold.settings'] ??= '{{"volume":"{volume}"}}'""")
    page.add_init_script(LISTEN)
    return page


def ready(person: Person) -> None:
    """Waits until the sounds are loaded, so that the first one is not late."""
    person.until("performance.getEntriesByType('resource').some(each => each.name.includes('synthesiser'))")
    person.page.evaluate("new Promise(done => setTimeout(done))")


def sounds(page: Page) -> int:
    """The number of sounds so far."""
    found: int = page.evaluate("started.length")
    return found


def offer(person: Person) -> Locator:
    return person.page.get_by_role("button", name="Sounds?")


def test_sounds_are_offered_once_during_the_first_game(new_page: NewPage, server: Server) -> None:
    ada = sit_at(lambda **_: listener(new_page, "ask"), server, QUESTIONS["turn"])
    expect(offer(ada)).to_be_visible()
    assert not [each for each in ada.axe() if "offer" in each]
    ada.play("play 12 12")
    assert sounds(ada.page) == 0, "nothing sounds before the answer"
    offer(ada).click()
    expect(offer(ada)).to_have_count(0)
    expect(ada.page.get_by_role("button", name="Sounds", exact=True)).to_be_focused()
    ada.until("felt.length === 2")
    assert ada.page.evaluate("JSON.parse(localStorage['threefold.settings']).volume") == "quiet"
    ada.page.reload()
    ada.until("globalThis.threefold?.view")
    expect(ada.page.locator(".mine .words")).to_be_visible()
    expect(offer(ada)).to_have_count(0)


def test_an_offer_that_is_ignored_does_not_come_back(new_page: NewPage, server: Server) -> None:
    ada = sit_at(lambda **_: listener(new_page, "ask"), server, QUESTIONS["turn"])
    expect(offer(ada)).to_be_visible()
    ada.page.locator("header .home").click()
    expect(offer(ada)).to_have_count(0)
    ada.until("JSON.parse(localStorage['threefold.settings']).volume === 'off'")


@pytest.mark.parametrize("size", ["320x568", "390x664", "844x340", "1280x800"])
def test_the_offer_takes_nothing_from_the_table(new_page: NewPage, server: Server, size: str) -> None:
    ada = sit_at(lambda **_: listener(new_page, "ask"), server, QUESTIONS["turn"])
    width, height = map(int, size.split("x"))
    ada.page.set_viewport_size({"width": width, "height": height})
    table = ada.page.locator("main.game")
    before = table.bounding_box()
    box = offer(ada).bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["x"] + box["width"] <= width
    expect(ada.page.locator("header a, header button").last).to_be_in_viewport(ratio=1)
    offer(ada).click()
    expect(offer(ada)).to_have_count(0)
    assert table.bounding_box() == before


@pytest.mark.parametrize(("volume", "count"), [("off", 0), ("quiet", 1)])
def test_a_cleared_pile_sounds_once_unless_muted(new_page: NewPage, server: Server, volume: str, count: int) -> None:
    def untouched(**_: Any) -> Page:
        page = listener(new_page, volume)
        page.add_init_script("globalThis.touched = false;")
        return page

    ada = sit_at(untouched, server, CLEARING)  # it stays her turn, so nobody else is heard
    if count:
        ready(ada)
    assert sounds(ada.page) == 0, "a page that nobody has touched is silent"
    assert ada.page.evaluate("felt.length") == 0
    ada.page.evaluate("touched = true")
    ada.play("play CLR")
    ada.until("count => started.length >= count", count)
    assert sounds(ada.page) == count
    loaded = ada.page.evaluate("performance.getEntriesByType('resource').map(each => each.name)")
    assert any("synthesiser" in each for each in loaded) == (count > 0)


def test_set_sounds_differ_for_the_one_who_takes_it(new_page: NewPage, server: Server) -> None:
    setup = {"variant": "full", "options": {"call": "with take", "auto_deal": True, "cooldown_ms": 0}}
    ada, ben = seat(lambda **_: listener(new_page), server, 2, "set-places", setup)
    ready(ada)
    ready(ben)
    before = [sounds(each.page) for each in (ada, ben)]
    ada.take(sets_in(ada.cards())[0])
    for each, earlier in zip((ada, ben), before, strict=True):
        each.until("count => started.length === count", earlier + 2)  # the SET, and the new cards
    lengths = [each.page.evaluate("started.at(-2).seconds") for each in (ada, ben)]
    assert lengths[0] != lengths[1]
    ben.take(no_set_in(ben.cards()))
    ben.until("started.length > 0 && felt.some(each => each.length === 3)")


def test_a_button_at_the_table_turns_sounds_off_and_on_again(new_page: NewPage, server: Server) -> None:
    ada = sit_at(lambda **_: listener(new_page, "ask"), server, QUESTIONS["turn"])
    offer(ada).click()
    button = ada.page.get_by_role("button", name="Sounds", exact=True)
    box = button.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    for key, on, volume in ((" ", "false", "off"), ("Enter", "true", "quiet")):
        button.press(key)
        expect(button).to_have_attribute("aria-pressed", on)
        ada.until("volume => JSON.parse(localStorage['threefold.settings']).volume === volume", volume)
    ada.page.add_init_script('localStorage[\'threefold.settings\'] = \'{"volume":"off","loudness":"loud"}\'')
    ada.page.reload()  # the script runs before the page reads what is stored
    expect(button, "the device remembers it").to_have_attribute("aria-pressed", "false")
    button.click()
    ada.until("JSON.parse(localStorage['threefold.settings']).volume === 'loud'")


def test_a_setting_is_heard_at_once_and_vibration_can_be_turned_off(new_page: NewPage) -> None:
    page = listener(new_page, "off")
    page.goto("/play/settings")
    ada = Person(page, "Ada")
    volume = page.get_by_role("group", name="Sounds")
    volume.get_by_role("radio", name="Normal").check()
    ready(ada)
    before = sounds(page)
    volume.get_by_role("radio", name="Loud").check()
    ada.until("before => started.length === before + 1", before)
    assert page.evaluate("felt.length") == 2
    page.get_by_role("checkbox", name="Vibrate").uncheck()
    volume.get_by_role("radio", name="Quiet").check()
    ada.until("before => started.length === before + 2", before)
    assert page.evaluate("felt.length") == 2
    volume.get_by_role("radio", name="Off").check()
    assert sounds(page) == before + 2
