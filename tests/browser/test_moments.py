"""The signature moments: each has a motion of at most 900 ms, a sound, a vibration, a still form, and words.

What the sounds are is measured in `frontend/tests/sounds.test.ts`; here they go through the browser's own audio graph.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.film_strips import CLEARING, LAST_CARD
from tests.browser.karma_states import QUESTIONS, sit_at
from tests.browser.people import Person, Server, still
from tests.browser.places import Solver
from tests.browser.set_people import SetPerson, seat, sets_in

NewPage = Callable[..., Page]
MOST_MS = 900
NOTE = """
globalThis.felt = [];
globalThis.motions = [];
navigator.vibrate = (pattern) => { felt.push(pattern.join()); return true; };
Object.defineProperty(navigator, 'userActivation', { get: () => ({ hasBeenActive: true }) });
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  const { duration, delay = 0 } = typeof options === 'object' ? options : { duration: options };
  const moves = [frames].flat().some((each) => (each.transform ?? 'none') !== 'none');
  if (moves) motions.push(duration + delay);
  return animate.call(this, frames, options);
};
"""
"""Notes what is felt, and how long everything takes that moves."""

KARMA = {
    "clear": (CLEARING, "play CLR", "12,40,12", "You clear the pile"),
    "give-away": (QUESTIONS["give-pile"], "choose 2", "20", "pile"),
    "flip": (QUESTIONS["flip"].replace("pile 6 8 8 9", "pile 4"), "flip 3", "8", "You flip"),
    "safe": (LAST_CARD, "play 12", "30,60,30,60,90", "No cards left: you're safe!"),
}
"""Position, move, vibration, and words of the log."""
TAKING = {"variant": "full", "options": {"call": "with take", "auto_deal": True, "cooldown_ms": 0}}


def noting(new_page: NewPage, motion: str = "no-preference") -> NewPage:
    def opened(**_: Any) -> Page:
        page = new_page(reduced_motion=motion)
        page.add_init_script(NOTE)
        return page

    return opened


def motions(page: Page) -> list[float]:
    noted: list[float] = page.evaluate("motions")
    return noted


@pytest.mark.parametrize("name", KARMA)
def test_a_moment_of_karma_moves_and_is_felt_and_told(new_page: NewPage, server: Server, name: str) -> None:
    position, move, felt, words = KARMA[name]
    ada = sit_at(noting(new_page), server, position)
    still(ada.page)
    ada.page.evaluate("motions.length = felt.length = 0")
    ada.page.evaluate("move => void threefold.move(move)", move)
    expect(ada.page.get_by_role("log")).to_contain_text(words)
    ada.until("felt => globalThis.felt.includes(felt)", felt)
    ada.until("motions.length > 0")
    assert max(motions(ada.page)) <= MOST_MS


@pytest.mark.parametrize("name", KARMA)
def test_without_motion_a_moment_of_karma_is_felt_and_told(new_page: NewPage, server: Server, name: str) -> None:
    position, move, felt, words = KARMA[name]
    ada = sit_at(noting(new_page, "reduce"), server, position)
    ada.page.evaluate("motions.length = felt.length = 0")
    ada.page.evaluate("move => void threefold.move(move)", move)
    expect(ada.page.get_by_role("log")).to_contain_text(words)
    ada.until("felt => globalThis.felt.includes(felt)", felt)
    assert motions(ada.page) == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_deal_and_reveal_are_felt_and_told(new_page: NewPage, server: Server, motion: str) -> None:
    server.seed("g20")
    ada = Person(noting(new_page, motion)(), "Ada")
    ada.come(ada.make_table({"game": "karma", "seats": 4, "bots": ["careful"] * 3, "pace": "fast"})["path"])
    ada.page.get_by_role("button", name="Start game").click()
    ada.page.locator(".hand .group").first.wait_for()
    ada.until("felt.includes('6,40,6')")
    expect(ada.page.locator("[aria-live=assertive]")).to_contain_text("Choose your three face-up cards")
    dealt = len(motions(ada.page))
    assert (dealt > 0) == (motion == "no-preference")
    ada.until("threefold.view.awaits.every(each => each.player === threefold.view.viewer)")
    ada.play(ada.careful_move())
    ada.until("felt.includes('8')")
    expect(ada.page.get_by_role("log")).to_contain_text("lays out")
    assert (len(motions(ada.page)) > dealt) == (motion == "no-preference")
    assert max(motions(ada.page), default=0) <= MOST_MS


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_set_taken_is_felt_by_both_and_told(new_page: NewPage, server: Server, motion: str) -> None:
    ada, ben = seat(noting(new_page, motion), server, 2, "set-fly", TAKING)
    people: list[SetPerson] = [ada, ben]
    for each in people:
        still(each.page)
        each.page.evaluate("motions.length = felt.length = 0")
    ada.take(sets_in(ada.cards())[0])
    for each, felt, words in zip(people, ("18,40,28", "8"), ("You take a SET", "Ada takes a SET"), strict=True):
        each.until("felt => globalThis.felt.includes(felt)", felt)
        expect(each.heard()).to_contain_text(words)
        assert (len(motions(each.page)) > 0) == (motion == "no-preference")
        assert max(motions(each.page), default=0) <= MOST_MS


# ---------------------------------------------------------------- Personal best


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_personal_best_is_stamped_felt_and_told_once(new_page: NewPage, motion: str) -> None:
    page = noting(new_page, motion)()
    person = Person(page, "Ada")
    solver = Solver(page, "basic", "2026-11-02")
    solver.open()
    page.evaluate("felt.length = 0")
    solver.pick(solver.wrong())
    person.until("felt.at(-1) === '14,30,14'")
    solver.solve()
    badge = page.get_by_role("status").get_by_text("Your best time!")
    expect(badge).to_be_visible()
    person.until("felt.includes('20,40,20,40,20')")
    assert page.evaluate("felt.filter(each => each === '18,40,28').length") == len(solver.sets())
    timing = badge.evaluate("each => each.getAnimations().map(({ effect }) => effect.getComputedTiming().endTime)")
    assert len(timing) <= (motion == "no-preference")
    assert max(timing, default=0) <= MOST_MS
    page.reload()
    expect(badge).to_be_visible()
    assert page.evaluate("felt.length") == 0, "a best of earlier is shown, and nothing more"
    assert badge.evaluate("each => getComputedStyle(each).animationName") == "none"


# ---------------------------------------------------------------- Sounds

RENDER = """
async ({ module, moments }) => {
  const rate = 44100;
  globalThis.AudioContext = class extends OfflineAudioContext {
    constructor() { super(1, 2 * rate, rate); globalThis.offline = this; }
    resume() { return Promise.resolve(); }
  };
  const Speaker = Object.values(await import(module)).find((each) => each?.prototype?.play);
  const results = {};
  for (const name of moments) {
    const speaker = new Speaker();
    for (const each of name.split('+')) speaker.play(each, 1);
    const samples = (await offline.startRendering()).getChannelData(0);
    let [peak, square, last] = [0, 0, 0];
    samples.forEach((each, i) => {
      peak = Math.max(peak, Math.abs(each));
      square += each * each;
      if (Math.abs(each) > 0.001) last = i;
    });
    results[name] = { peak, seconds: last / rate, loudness: 10 * Math.log10(square / (last + 1)) };
  }
  return results;
}
"""
"""Plays moments at full volume into an offline audio graph, and measures what would be heard."""
TOGETHER = ["safe+win", "clear+turn", "mySet+reveal+best", "theirSet+reveal+pointLost"]
"""Moments that may be heard at the same time."""


def test_every_sound_is_short_and_quiet_and_nothing_clips_even_when_several_are_heard(
    new_page: NewPage, server: Server
) -> None:
    page = new_page(asked=False)
    page.add_init_script("localStorage['threefold.settings'] = '{\"volume\":\"loud\"}'")
    ada = sit_at(lambda **_: page, server, QUESTIONS["turn"])
    loaded = (
        "performance.getEntriesByType('resource').map(each => each.name).find(each => each.includes('synthesiser'))"
    )
    ada.until(loaded)
    signature = ["deal", "reveal", "clear", "giveAway", "flip", "safe", "mySet", "theirSet", "best"]
    others = ["play", "pickUp", "turn", "call", "pointLost", "refusal", "tick", "win", "loss"]
    moments = [*signature, *others, *TOGETHER]
    heard = page.evaluate(RENDER, {"module": page.evaluate(loaded), "moments": moments})
    for name in moments:
        assert 0.02 < heard[name]["seconds"] <= 1.5, name
        assert 0.05 < heard[name]["peak"] < 0.95, name
        assert -32 <= heard[name]["loudness"] <= -14, name
