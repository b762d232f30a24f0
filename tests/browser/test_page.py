"""Settings, languages, keys, refusals, the connection: what the page does by itself."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.people import FREE_CORNER, Person, Server, is_number, plays_of, still
from tests.browser.places import Lone, Places

NewPage = Callable[..., Page]
People = Callable[..., list[Person]]


def test_settings_work_at_once_and_are_remembered(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play/settings")
    page.get_by_role("group", name="Brightness").get_by_role("radio", name="Dark").check()
    page.get_by_role("radio", name="Large").check()
    page.get_by_role("radio", name="Your left hand").check()
    page.get_by_role("radio", name="Quiet").check()
    animation = page.get_by_role("group", name="Animation")
    expect(animation.get_by_role("radio")).to_have_count(4)
    animation.get_by_role("radio", name="Off").check()
    for _ in range(2):
        root = page.locator(":root")
        expect(root).to_have_attribute("data-theme", "dark")
        expect(root).to_have_attribute("data-size", "large")
        expect(root).to_have_attribute("data-hand", "left")
        expect(root).to_have_attribute("data-motion", "reduced")
        expect(page.get_by_role("radio", name="Quiet")).to_be_checked()
        page.reload()


def test_the_animation_that_an_earlier_version_stored_is_kept(new_page: NewPage) -> None:
    page = new_page(reduced_motion="no-preference")
    for stored, chosen in (("reduced", "Off"), ("auto", "Normal")):
        page.goto("/")
        page.get_by_role("button", name="Play now").first.wait_for()  # by now the page has stored its own settings
        page.evaluate("motion => localStorage['threefold.settings'] = JSON.stringify({ motion })", stored)
        page.goto("/play/settings")
        expect(page.get_by_role("group", name="Animation").get_by_role("radio", name=chosen)).to_be_checked()


def test_the_look_of_the_table_and_the_backs_are_chosen_and_remembered(new_page: NewPage) -> None:
    page = new_page(color_scheme="light")
    page.goto("/play/settings")
    day = page.evaluate("getComputedStyle(document.body).color")
    page.get_by_role("radio", name="Waves").check()
    page.get_by_role("radio", name="Night").check()
    expect(page.get_by_role("group", name="Brightness"), "a night has no daylight").to_have_count(0)
    for _ in range(2):
        expect(page.locator(":root")).to_have_attribute("data-look", "night")
        expect(page.locator(":root")).to_have_attribute("data-theme", "dark")
        expect(page.locator(":root")).to_have_attribute("data-back", "waves")
        assert page.evaluate("getComputedStyle(document.body).color") != day
        page.reload()
        page.get_by_role("radio", name="Night").wait_for()


def test_settings_of_a_game_from_before_they_had_a_place_of_their_own_are_kept(new_page: NewPage) -> None:
    page = new_page(allow="favicon")
    page.goto("/figtree-licence.txt")  # the page itself would store its settings while it starts
    page.evaluate("""() => {
        localStorage.setItem('threefold.settings', JSON.stringify({ palette: 'safe', setStyle: 'tabletop' }));
    }""")
    page.goto("/play/settings")
    expect(page.get_by_role("radio", name="Colour-blind safe")).to_be_checked()
    page.get_by_role("radio", name="Quick rules").check()
    page.reload()
    expect(page.get_by_role("radio", name="Quick rules")).to_be_checked()
    expect(page.get_by_role("radio", name="Colour-blind safe")).to_be_checked()


@pytest.mark.parametrize(("language", "words"), [("Deutsch", "Jetzt spielen"), ("Español", "Jugar ya")])
def test_the_page_speaks_other_languages(new_page: NewPage, language: str, words: str) -> None:
    page = new_page()
    page.goto("/play/settings")
    page.get_by_role("radio", name=language).check()
    page.locator("header .home").click()
    expect(page.get_by_role("button", name=words).first).to_be_visible()


def test_the_browser_s_language_is_taken(new_page: NewPage) -> None:
    page = new_page(locale="de-AT")
    page.goto("/")
    expect(page.get_by_role("button", name="Jetzt spielen").first).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_a_game_is_played_with_the_keyboard_alone(new_page: NewPage, server: Server) -> None:
    server.seed("g116")
    person = Lone(new_page(width=1280, height=800), "Ada")
    table = {"game": "karma", "edition": "mini_round", "seats": 3, "bots": ["careful", "careful"], "pace": "fast"}
    person.come(person.make_table({**table, "start": True})["path"])
    person.page.locator(".hand .group").first.wait_for()
    keys: list[str] = []

    def press(key: str) -> None:
        keys.append(key)
        person.page.keyboard.press(key)

    for _ in range(80):
        person.until("threefold.view?.ending || (threefold.view?.moves.length > 0 && threefold.open === 0)")
        if person.view()["ending"] is not None:
            break
        before = person.page.evaluate("threefold.seq")
        type_out(person, person.careful_move(), press)
        person.until("seq => threefold.seq > seq && threefold.open === 0", before)
    expect(person.page.get_by_role("button", name="Play again")).to_be_visible()
    assert len(set(keys)) > 4


def type_out(person: Person, move: str, press: Callable[[str], None]) -> None:
    """The keys that make a move."""
    view = person.view()
    seat = next(each for each in view["seats"] if each["player"] == view["viewer"])
    question = next(each["question"] for each in view["awaits"] if each["player"] == view["viewer"])
    shown = person.page.evaluate("[...document.querySelectorAll('.hand .group')].map(each => each.dataset.card)")
    verb, *rest = move.split(" ")
    if move.startswith("face up"):
        taken: list[int] = []
        for card in rest[1:]:
            taken.append(next(i for i, each in enumerate(shown) if each == card and i not in taken))
            press(str(taken[-1] + 1))
    elif verb == "play" and (question == "table_card" or not seat["hand_size"]) and any(seat["face_up"]):
        if press_cards(view, rest, lambda: press("qwe"[seat["face_up"].index(rest[0])])):
            return
    elif verb == "play":
        at = shown.index(rest[0])

        def press_card() -> None:
            if at < 9:
                press(str(at + 1))
            else:
                person.page.locator(".hand .group").nth(at).focus()
                press("Enter")

        if press_cards(view, rest, press_card):
            return
    elif verb == "flip":
        press("qwe"[int(rest[0]) - 1])
        return
    elif verb == "peek":
        press("qwe"[int(rest[0]) - 1])
    elif verb == "choose":
        offered_players = [int(each.split(" ")[1]) for each in view["moves"] if each.startswith("choose")]
        press("Shift+" + "ABCDEFGHIJKL"[offered_players.index(int(rest[0]))])
        return
    else:
        press({"pick up": "p", "decline": "n", "draw": "d", "end turn": "t"}[move])
        return
    press("s")


def press_cards(view: Any, cards: list[str], press_card: Callable[[], None]) -> bool:
    """Selects that many cards: a key selects all of a number and again fewer, or one karma card and again more.

    Says whether they are played already, because one key plays a single number.
    """
    counts = plays_of(view, cards[0])
    press_card()
    if is_number(cards[0]) and len(counts) == 1:
        return True
    order = sorted(counts, reverse=is_number(cards[0]))
    for _ in range(order.index(len(cards))):
        press_card()
    return False


def test_a_card_that_does_not_fit_says_why_with_its_rule(new_page: NewPage, server: Server) -> None:
    host = Places(new_page, server).table(4, "classic", "g141")
    wanted = "threefold.view.awaits[0].question === 'play' && threefold.view.seats[0].hand.some("
    wanted += "card => !threefold.view.moves.includes('play ' + card))"
    host.play_until(wanted)
    view = host.view()
    hand = next(each for each in view["seats"] if each["player"] == view["viewer"])["hand"]
    card = next(each for each in hand if f"play {each}" not in view["moves"])
    host.page.locator(f'.hand .group[data-card="{card}"]').click(position=FREE_CORNER)
    expect(host.page.get_by_role("alert")).to_contain_text("Why? K")
    assert host.view() == view


def test_whose_turn_it_is_stands_in_the_title(new_page: NewPage, server: Server) -> None:
    host = Places(new_page, server).table(3, "classic", "g141")
    expect(host.page).to_have_title("● Your turn")


def test_every_event_is_told_in_a_live_region(people: People) -> None:
    ada, ben = people(2, edition="mini_round")
    for each in (ada, ben):
        each.play(each.careful_move())
    log = ben.page.get_by_role("log")
    expect(log).to_contain_text("has chosen three face-up cards")
    expect(log).to_have_attribute("aria-live", "polite")


def test_without_https_everything_still_works(new_page: NewPage, server: Server) -> None:
    page = new_page(allow="Cross-Origin-Opener-Policy", base_url=server.url.replace("127.0.0.1", "table.test"))
    page.goto("/play/new/karma")
    assert page.evaluate("isSecureContext") is False
    page.get_by_role("button", name="Create table").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    page.get_by_role("button", name="Start game").click()
    page.locator(".hand .group").nth(2).wait_for()


IS_KEPT = """
async () => {
  const kept = (await (await caches.open('threefold-1')).keys()).map(each => each.url);
  const files = performance.getEntriesByType('resource').map(each => each.name);
  const wanted = files.filter(each => new URL(each).pathname.startsWith('/assets/'));
  return navigator.serviceWorker.controller !== null && wanted.every(each => kept.includes(each));
}
"""
"""Has the service worker kept all files of this visit?"""


def test_later_visits_open_from_the_cache(new_page: NewPage) -> None:
    page = new_page(allow="ERR_INTERNET_DISCONNECTED")
    page.goto("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.get_by_role("button", name="Play now").first.wait_for()
    Person(page, "Ada").until(IS_KEPT)
    page.context.set_offline(offline=True)
    page.reload()
    expect(page.get_by_role("button", name="Play now").first).to_be_visible()
    page.get_by_role("button", name="Play now").first.click()
    expect(page.get_by_role("alert")).to_contain_text("Can't reach the server")


NO_SERVICE_WORKER = "delete Navigator.prototype.serviceWorker"
"""For the page: every request goes to the network."""


def test_a_page_whose_parts_are_gone_after_an_update_gets_the_new_one(new_page: NewPage) -> None:
    page = new_page(allow="Failed to load resource")
    page.add_init_script(NO_SERVICE_WORKER)
    page.route("**/assets/Settings-*.js", lambda route: route.fulfill(status=404), times=1)
    page.goto("/")
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("group", name="Brightness").wait_for()


def test_words_on_cards_change_to_the_typeface_when_it_comes_late(new_page: NewPage) -> None:
    def width(*, late: bool) -> float:
        page = new_page(allow="preload")
        page.add_init_script(NO_SERVICE_WORKER)
        held: list[Route] = []
        if late:
            page.route("**/*.woff2", lambda route: held.append(route))  # noqa: PLW0108 (Playwright needs a function)
        page.goto("/play/settings", wait_until="commit")
        words = page.locator(".card-preview svg text").first
        words.wait_for()
        for route in held:
            route.continue_()
        Person(page, "Ada").until("document.documentElement.dataset.font === 'loaded'")
        still(page)
        return float(words.evaluate("each => each.getComputedTextLength()"))

    assert width(late=True) == width(late=False)


def test_a_card_can_be_dragged_to_the_pile(new_page: NewPage, server: Server) -> None:
    host = Places(new_page, server).table(3, "classic", "g141")
    host.play_until("threefold.view.turn !== null && threefold.view.moves.some(each => each.startsWith('play'))")
    before = host.view()
    card = next(each.split(" ")[1] for each in before["moves"] if each.startswith("play"))
    box = host.page.locator(f'.hand .group[data-card="{card}"]').bounding_box()
    assert box is not None
    host.page.mouse.move(box["x"] + 20, box["y"] + 40)
    host.page.mouse.down()
    host.page.mouse.move(box["x"] + 10, box["y"] - 60, steps=4)
    host.page.mouse.move(box["x"], box["y"] - 120, steps=4)
    host.page.mouse.up()
    host.until(
        "turns => threefold.view.turns !== turns || threefold.view.awaits[0].question !== 'play'", before["turns"]
    )


@pytest.mark.parametrize("size", ["small", "large"])
def test_cards_of_any_size_fit_the_smallest_phone(new_page: NewPage, server: Server, size: str) -> None:
    host = Places(new_page, server).twelve()
    host.page.set_viewport_size({"width": 320, "height": 640})
    host.page.evaluate("size => { document.documentElement.dataset.size = size; }", size)
    assert host.overflow() <= 0


def test_cards_fly_and_only_transforms_are_animated(new_page: NewPage, server: Server) -> None:
    server.seed("g141")
    person = Lone(new_page(reduced_motion="no-preference"), "Ada")
    table = {"game": "karma", "edition": "classic", "seats": 3, "bots": ["careful"] * 2, "pace": "fast", "start": True}
    person.come(person.make_table(table)["path"])
    person.page.evaluate(WATCH_FLIGHTS)
    for _ in range(3):
        person.until("threefold.view.moves.length > 0 && threefold.open === 0 && !threefold.presenter?.playing")
        before = person.page.evaluate("threefold.seq")
        person.tap_out(person.careful_move())
        person.until("seq => threefold.seq > seq", before)
    person.until("!threefold.presenter?.playing")
    seen: dict[str, Any] = person.page.evaluate("globalThis.seenFlights")
    assert seen["count"] > 3
    assert set(seen["properties"]) <= {"transform", "offset", "easing", "composite", "computedOffset"}
    assert seen["opaque"]
    expect(person.page.locator(".flying")).to_have_count(0)


WATCH_FLIGHTS = """
() => {
  globalThis.seenFlights = { count: 0, properties: [], opaque: true };
  const seen = globalThis.seenFlights;
  new MutationObserver(changes => {
    for (const each of changes.flatMap(change => [...change.addedNodes])) {
      if (!(each instanceof HTMLElement) || !each.classList.contains('flying')) continue;
      seen.count += 1;
      requestAnimationFrame(() => {
        for (const animation of each.getAnimations()) {
          for (const frame of animation.effect.getKeyframes()) seen.properties.push(...Object.keys(frame));
        }
        if (each.isConnected && getComputedStyle(each).opacity !== '1') seen.opaque = false;
      });
    }
  }).observe(document.body, { childList: true, subtree: true });
}
"""
