"""Karma's table tells the truth while cards move, and plays cards with few taps; any card opens large."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.karma_states import HOUSE, OTHERS, QUESTIONS, reached, sit_at
from tests.browser.past import past
from tests.browser.people import FREE_CORNER, LASTING, Person, Server

NewPage = Callable[..., Page]
Json = Any
CLEARING = f"{HOUSE}; 0 hand 8 9 10 up 14 CLR 3 down 1 2 5; {OTHERS}; turn 0; pile 6 8 8; draw 10 11 2"
"""One more 8 clears the pile, and its player plays again."""
LAST_CARD = f"{HOUSE}; 0 hand 12; {OTHERS}; turn 0; pile 6 8 8 9"
STAMPS = """
() => {
  globalThis.stamps = [];
  new MutationObserver((changes) => {
    for (const each of changes.flatMap((change) => [...change.addedNodes]))
      if (each.classList?.contains('safe-stamp')) stamps.push(each.textContent);
  }).observe(document.body, { subtree: true, childList: true });
}
"""
"""Notes the stamps that fall."""


def hand(page: Page, card: str) -> Any:
    """A card of the hand."""
    return page.locator(f'.hand .group[data-card="{card}"]')


def unchanged(person: Person, before: Json) -> None:
    """Nothing was sent to the server, and the table is as it was."""
    person.until("threefold.open === 0")
    assert person.view() == before


# ---------------------------------------------------------------- The truth

SLOW = """
() => {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    return animate.call(this, frames, { ...options, duration: 60_000 });
  };
}
"""
"""Cards fly for a minute, so that a test can look at them."""
WATCH = """
() => {
  globalThis.seen = [];
  const look = () => seen.push({
    playing: threefold.presenter.playing,
    prompt: document.querySelector('.mine .words').textContent,
    buttons: document.querySelectorAll('.actions button').length,
    lit: document.querySelectorAll('.mine .lit').length,
    asks: document.querySelector('.pill b')?.textContent,
    pile: threefold.presenter.shown.discard_pile.length,
  });
  new MutationObserver(look).observe(document.querySelector('.table'),
    { subtree: true, childList: true, characterData: true, attributes: true });
  look();
}
"""
"""Writes down what the table says at every change of the page."""


def test_prompt_highlight_and_buttons_wait_for_the_cards(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, CLEARING, reduced_motion="no-preference")
    page = person.page
    expect(page.locator(".mine .words")).to_have_text("Your turn")
    expect(page.locator(".pill b")).to_have_text("8 or higher")
    page.evaluate(WATCH)
    hand(page, "8").click(position=FREE_CORNER)
    person.until("seen.some(each => each.playing)")
    expect(page.locator(".pill b")).to_have_text("anything goes")
    expect(page.locator(".mine .words")).to_have_text("Your turn")
    moving = [each for each in page.evaluate("seen") if each["playing"]]
    assert not any(each["prompt"].startswith("Your turn") for each in moving)
    assert not any(each["buttons"] or each["lit"] for each in moving)
    assert all(each["asks"] == "8 or higher" for each in moving if each["pile"]), "as long as cards lie there"


def test_a_pile_that_leaves_asks_for_nothing_any_more(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, QUESTIONS["pick-up"], reduced_motion="no-preference")
    page = person.page
    expect(page.locator(".pill b")).to_have_text("13 or higher")
    page.evaluate(SLOW)
    page.get_by_role("button", name="Pick up 3").click()
    page.locator(".flying").first.wait_for()
    expect(page.locator(".discard")).to_contain_text("New pile")
    expect(page.locator(".pill b")).to_have_text("anything goes")


def test_the_hand_stays_while_face_up_cards_are_revealed(new_page: NewPage, server: Server) -> None:
    server.seed("any")
    ada = Person(new_page(reduced_motion="no-preference"), "Ada")
    table = {"game": "karma", "seats": 4, "bots": ["careful"] * 3, "pace": "fast", "start": True}
    ada.come(ada.make_table(table)["path"])
    ada.page.locator(".hand .group").first.wait_for()
    ada.until("threefold.view?.awaits.every(each => each.player === threefold.view.viewer)")
    ada.until("!threefold.presenter.playing")
    ada.page.evaluate(SLOW)
    for card in ada.page.locator(".hand .group").all()[:3]:
        card.click(position=FREE_CORNER)
    ada.page.get_by_role("button", name="Lay these out").click()
    ada.until("threefold.presenter.playing && threefold.presenter.shown.seats.every(each => each.face_up[0] !== null)")
    expect(ada.page.locator(".hand .one")).to_have_count(3)


def test_a_card_flies_from_where_it_lies_in_the_hand(new_page: NewPage, server: Server) -> None:
    """Two 12s lie side by side: each flies as large as it lay, and not as large as both."""
    person = sit_at(new_page, server, QUESTIONS["turn"], reduced_motion="no-preference")
    page = person.page
    hand(page, "12").click(position=FREE_CORNER)
    page.evaluate(SLOW)
    width = page.locator(".hand .one").first.bounding_box()
    page.locator(".actions .primary").click()
    page.locator(".flying").first.wait_for()
    flying = page.locator(".flying").first.bounding_box()
    assert width is not None
    assert flying is not None
    assert flying["width"] == pytest.approx(width["width"], rel=0.25)


@pytest.mark.parametrize("size", [(320, 568), (390, 664), (667, 331), (844, 340)])
def test_the_names_of_eleven_others_are_whole(new_page: NewPage, server: Server, size: tuple[int, int]) -> None:
    person = sit_at(new_page, server, reached(12, decks=2), width=size[0], height=size[1])
    names = person.page.locator(".seat b.cut")
    expect(names).to_have_count(11)
    cut = names.evaluate_all(
        "all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.innerText)"
    )
    assert cut == []


def test_an_early_tap_only_ends_the_animation(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, CLEARING, reduced_motion="no-preference")
    page = person.page
    page.evaluate(SLOW)
    hand(page, "8").click(position=FREE_CORNER)
    person.until("threefold.presenter.playing && threefold.open === 0")
    before = person.view()
    assert before["moves"], "the server waits for the next card already"
    hand(page, "9").click(position=FREE_CORNER)
    person.until("!threefold.presenter.playing")
    expect(page.locator(".flying")).to_have_count(0)
    expect(page.locator(".mine .words")).to_have_text("Your turn")
    expect(page.locator(".pill b")).to_have_text("anything goes")
    unchanged(person, before)
    page.keyboard.press("1")
    person.until("before => threefold.view.turns !== before || threefold.view.discard_pile.length > 0", before["turns"])


def test_the_log_beside_the_table_tells_each_event_with_its_player_and_cards(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, QUESTIONS["turn"], width=1280, height=800, pace="fast")
    page = person.page
    hand(page, "9").click(position=FREE_CORNER)
    person.until("threefold.view.turns > 3 && threefold.view.moves.length > 0")
    rows = page.locator(".log li")
    expect(rows.first).to_have_text("You play a 9.")
    assert rows.first.locator("[data-look]").get_attribute("data-look") == "9"
    names = set(page.locator(".log li b").all_inner_texts())
    assert names == {"Otto", "Greta", "Olga"}, "bots appear under their names"
    expect(page.locator(".log header")).to_have_text(f"This round Turn {person.view()['turns']}")


def test_the_log_reaches_the_top_and_nothing_of_the_bar_lies_under_it(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, QUESTIONS["turn"])
    person.page.set_viewport_size({"width": 1280, "height": 800})
    log = person.page.locator("aside.log")
    box = log.bounding_box()
    assert box is not None
    assert (box["y"], box["y"] + box["height"], box["x"] + box["width"]) == (0, 800, 1280)
    for each in person.page.locator(".fills > header :is(a, button)").all():
        button = each.bounding_box()
        assert button is not None
        assert button["x"] + button["width"] <= box["x"]


def test_headings_of_the_log_stand_above_their_own_lines(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, QUESTIONS["turn"], pace="fast")
    page = person.page
    hand(page, "9").click(position=FREE_CORNER)
    person.until("threefold.view.turns > 3 && threefold.view.moves.length > 0")
    page.locator(".ticker").click()
    sections = page.get_by_role("dialog").locator("section").all()
    paragraphs = [each.locator("h3, p").all_inner_texts() for each in sections]
    turns = {each[0]: each[1:] for each in paragraphs if each[0].endswith("'s turn.")}
    assert set(turns) == {"Otto's turn.", "Greta's turn.", "Olga's turn."}, "bots appear under their names"
    for heading, lines_of_turn in turns.items():
        assert lines_of_turn
        assert lines_of_turn[0].startswith(heading.removesuffix("'s turn."))


def test_a_move_is_told_at_its_seat(new_page: NewPage, server: Server) -> None:
    """Otto has only low cards in hand, so Otto picks the pile up."""
    others = OTHERS.replace("up 11 GIV 3", "up 11 10 3")
    position = f"{HOUSE}; 0 hand 13 4 up 14 CLR 3 down 1 2 5; {others}; turn 0; pile 6 8; draw 10 11 2"
    person = sit_at(new_page, server, position)
    person.page.evaluate(LASTING)
    hand(person.page, "13").click(position=FREE_CORNER)
    expect(person.page.get_by_role("group", name="Otto, ").locator(".note")).to_have_text("picks up 3")


def test_refused_cards_shake(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, QUESTIONS["turn"], reduced_motion="no-preference")
    person.page.evaluate("globalThis.shaken = []")
    person.page.evaluate(
        """() => {
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (...given) {
            shaken.push(this.dataset.card);
            return animate.apply(this, given);
          };
        }"""
    )
    hand(person.page, "4").click(position=FREE_CORNER)
    person.page.locator(".refusal").wait_for()
    person.until("shaken.includes('4')")


TIMED = """
globalThis.times = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  if (this.closest('#flights, .flying')) times.push((options.duration ?? options) + (options.delay ?? 0));
  return animate.call(this, frames, options);
};
"""
"""Notes how long everything takes that flies."""


def timed(new_page: NewPage, motion: str) -> Callable[..., Page]:
    """Pages with this animation, which note its times."""

    def opened(**given: Any) -> Page:
        page = new_page(reduced_motion="no-preference", **given)
        page.add_init_script(f"""localStorage['threefold.settings'] = '{{"motion":"{motion}","volume":"off"}}'""")
        page.add_init_script(TIMED)
        return page

    return opened


@pytest.mark.parametrize(("motion", "milliseconds"), [("slow", 646), ("normal", 380), ("fast", 190), ("off", None)])
def test_cards_fly_as_fast_as_the_setting_says(
    new_page: NewPage, server: Server, motion: str, milliseconds: int | None
) -> None:
    person = sit_at(timed(new_page, motion), server, QUESTIONS["turn"])
    hand(person.page, "9").click(position=FREE_CORNER)
    expect(person.page.get_by_role("log")).to_contain_text("You play a 9.")
    if milliseconds is None:
        assert person.page.evaluate("times") == []
    else:
        person.until("times.length > 0")
        assert round(person.page.evaluate("times[0]")) == milliseconds


def test_going_out_has_its_own_motion_which_a_tap_ends(new_page: NewPage, server: Server) -> None:
    person = sit_at(timed(new_page, "normal"), server, LAST_CARD)
    person.page.evaluate(SLOW)
    hand(person.page, "12").click(position=FREE_CORNER)
    person.until("document.querySelector('.flying')")
    person.page.locator(".centre").click()
    person.until("!threefold.presenter.playing")
    expect(person.page.locator(".flying")).to_have_count(0)
    expect(person.page.get_by_role("log")).to_contain_text("No cards left: you're safe!")


def test_the_stamp_of_going_out_shows_the_place_for_less_than_a_second(new_page: NewPage, server: Server) -> None:
    person = sit_at(timed(new_page, "normal"), server, LAST_CARD)
    person.page.evaluate(STAMPS)
    hand(person.page, "12").click(position=FREE_CORNER)
    person.until("stamps.length > 0")
    assert person.page.evaluate("stamps") == ["1"]
    person.until("!document.querySelector('.safe-stamp')")
    assert max(person.page.evaluate("times")) <= 900


def test_without_motion_going_out_is_told_and_nothing_flies(new_page: NewPage, server: Server) -> None:
    person = sit_at(timed(new_page, "off"), server, LAST_CARD)
    person.page.evaluate(STAMPS)
    hand(person.page, "12").click(position=FREE_CORNER)
    expect(person.page.get_by_role("log")).to_contain_text("No cards left: you're safe!")
    assert person.page.evaluate("stamps") == []
    assert person.page.evaluate("times") == []


# ---------------------------------------------------------------- Playing cards


def test_one_tap_plays_a_number(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, QUESTIONS["turn"], pace="fast")
    hand(person.page, "9").click(position=FREE_CORNER)
    expect(person.page.get_by_role("log")).to_contain_text("You play a 9.")


def test_buttons_offer_how_many_of_the_same(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, QUESTIONS["turn"], pace="fast")
    page = person.page
    before = person.view()
    hand(page, "12").click(position=FREE_CORNER)
    expect(page.get_by_role("button", name="Play two 12s")).to_be_visible()
    expect(hand(page, "12").locator(".lifted")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".hand .lifted")).to_have_count(0)
    unchanged(person, before)
    hand(page, "12").click(position=FREE_CORNER)
    page.get_by_role("button", name="Just one").click()
    expect(page.get_by_role("log")).to_contain_text("You play a 12.")


def test_a_karma_card_shows_its_effect_and_warns_when_it_would_be_wasted(new_page: NewPage, server: Server) -> None:
    wasted = f"{HOUSE}; 0 hand 4 GIV CLR BOT up 14 12 3 down 1 2 5; {OTHERS}; turn 0; draw 10 11 2"
    person = sit_at(new_page, server, wasted)
    page = person.page
    before = person.view()
    message = page.locator(".message")
    hand(page, "GIV").click(position=FREE_CORNER)
    expect(message).to_contain_text("Give the whole pile to any other player")
    expect(message).to_contain_text("But there's no pile to give!")
    expect(page.get_by_role("button", name="Play Give the Pile to a Friend")).to_be_visible()
    hand(page, "CLR").click(position=FREE_CORNER)
    expect(message).to_contain_text("But there's no pile to clear!")
    page.get_by_role("button", name="Undo").click()
    expect(message).to_have_count(0)
    unchanged(person, before)

    useful = sit_at(new_page, server, QUESTIONS["turn"])
    hand(useful.page, "BOT").click(position=FREE_CORNER)
    expect(useful.page.locator(".message")).to_contain_text("The bottom card of the pile moves to the top")
    expect(useful.page.locator(".message.wasted")).to_have_count(0)


@pytest.mark.parametrize("size", [(390, 844), (320, 568)])
def test_players_are_chosen_by_name_within_reach(new_page: NewPage, server: Server, size: tuple[int, int]) -> None:
    width, height = size
    person = sit_at(new_page, server, QUESTIONS["exchange-hands"], width=width, height=height)
    names = person.page.locator(".actions [data-player]")
    expect(names).to_have_count(3)
    for each in names.all():
        box = each.bounding_box()
        assert box is not None
        assert box["y"] > height / 2
    person.page.get_by_role("button", name="Choose Greta").click()
    expect(person.page.get_by_role("log")).to_contain_text("You swap hands with Greta.")


def test_picking_up_is_the_main_button_when_nothing_fits(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, QUESTIONS["pick-up"])
    expect(person.page.locator(".actions .primary")).to_have_text("Pick up 3 P")
    other = sit_at(new_page, server, QUESTIONS["turn"])
    expect(other.page.get_by_role("button", name="Pick up 4")).to_be_visible()
    expect(other.page.locator(".actions .primary")).to_have_count(0)


def test_a_hint_lifts_its_cards_and_says_why(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, QUESTIONS["turn"])
    page = person.page
    before = person.view()
    page.get_by_role("button", name="Hint").click()
    # The bot that searches may find equal moves; where it is busy, the stand-in answers.
    expect(page.locator(".message.hint")).to_contain_text(re.compile(r"Hint: .+\. \w.+\."))
    expect(page.locator(".hand .lifted").first).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".hand .lifted, .message")).to_have_count(0)
    unchanged(person, before)


# ---------------------------------------------------------------- Looking at cards


def test_a_mouse_opens_any_card_large(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, QUESTIONS["turn"], width=1280, height=800)
    page = person.page
    box = page.locator(".look.box")
    for where, words in (
        ('.seat [data-look="GIV"]', "Give the whole pile to any other player"),
        (".discard [data-look] >> nth=-1", "It fits on 9 or lower."),
        ('.lies [data-look="CLR"]', "Remove the whole pile from the game"),
        ('.hand [data-card="D1"]', "You may peek at one of your own face-down cards"),
    ):
        # The corner of a turned card's box lies outside the card.
        page.locator(where).hover(position=None if "discard" in where else FREE_CORNER)
        expect(box).to_contain_text(words)
    page.mouse.move(2, 2)
    expect(box).to_have_count(0)


def test_a_card_that_lands_under_a_resting_mouse_does_not_open(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, QUESTIONS["turn"], width=1280, height=800)
    page = person.page
    top = page.locator(".discard [data-look] >> nth=-1")
    # What a browser tells a page when something moves under the mouse.
    top.evaluate(
        "card => card.dispatchEvent(new PointerEvent('pointerover', {pointerType: 'mouse', bubbles: true}))",
    )
    # Timers of a page fire in order: a box that waits for the card would be there first.
    page.evaluate("new Promise(done => setTimeout(done, 1000))")
    box = page.locator(".look.box")
    expect(box).to_have_count(0)
    top.hover()
    expect(box).to_be_visible()


def test_a_long_press_opens_a_card_and_never_plays_it(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, QUESTIONS["turn"], has_touch=True, is_mobile=True)
    page = person.page
    before = person.view()
    touch = page.context.new_cdp_session(page)
    for where in ('.hand [data-card="9"]', '.seat [data-look="EXC"]', ".discard [data-look] >> nth=-1"):
        found = page.locator(where).bounding_box()
        assert found is not None
        point = {"x": found["x"] + 8, "y": found["y"] + 8}
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        page.locator("dialog.look").wait_for()
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.locator("dialog.look").get_by_role("button", name="Close").tap()
        expect(page.locator("dialog")).to_have_count(0)
        unchanged(person, before)
    hand(page, "9").tap(position=FREE_CORNER)
    expect(page.get_by_role("log")).to_contain_text("You play a 9.")


def test_a_key_opens_the_cards_one_after_another(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, QUESTIONS["turn"], width=1280, height=800)
    page = person.page
    before = person.view()
    hand(page, "BOT").focus()
    page.keyboard.press("i")
    dialog = page.locator("dialog.look")
    expect(dialog.get_by_role("heading")).to_have_text("Bottoms Up")
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("heading")).to_have_text("Scout")
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("heading"), "the first card of the table").to_have_text("11")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    unchanged(person, before)


def test_cards_of_a_replay_open_large(new_page: NewPage, server: Server) -> None:
    person = Person(new_page(width=1280, height=800), "Ada")
    person.be_somebody()
    (game,) = past(server, person, "classic")
    person.page.goto(f"/games/{game}?move=40")
    person.page.locator(".seat [data-look]").first.wait_for()
    person.page.keyboard.press("i")
    expect(person.page.locator("dialog.look p")).not_to_be_empty()


# ---------------------------------------------------------------- The memory aid


@pytest.mark.parametrize("aid", [True, False])
def test_known_cards_lie_at_the_seats_where_the_table_has_the_memory_aid(
    new_page: NewPage, server: Server, *, aid: bool
) -> None:
    known = f"{HOUSE}; 0 hand 4 9; {OTHERS}; turn 0; pile 6; known 1 4 5; known 3 13"
    page = sit_at(new_page, server, known, memory_aid=aid, width=1280, height=800).page
    recalled = page.locator(".seat .known")
    if aid:
        expect(recalled).to_have_text(["4, 5", "13"])
        expect(page.get_by_role("group", name="you know of 4, 5")).to_be_visible()
    else:
        expect(page.locator(".seat")).to_have_count(3)
        expect(recalled).to_have_count(0)
