"""Karma's table fits every window: whatever a player taps or must read is inside, whole and free."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.fits import SIZES, walk
from tests.browser.karma_states import CROWDS, QUESTIONS, sit_at
from tests.browser.people import FREE_CORNER, LASTING, Person, Server, still

NewPage = Callable[..., Page]
People = Callable[..., list[Person]]


def refused(person: Person) -> None:
    """Taps a card that cannot be played."""
    person.page.locator(".hand .group.dim").first.click(position=FREE_CORNER)
    person.page.locator(".refusal").wait_for()


def hinted(person: Person) -> None:
    """Asks for a hint."""
    person.page.get_by_role("button", name="Hint").click()
    person.page.locator(".message.hint").wait_for()


def tapped(card: str) -> Callable[[Person], None]:
    """Selects a card of the hand."""

    def tap(person: Person) -> None:
        person.page.locator(f'.hand .group[data-card="{card}"]').click(position=FREE_CORNER)
        person.page.locator(".actions .primary").wait_for()

    return tap


def spoken(person: Person) -> None:
    """Somebody says something; it stays on the screen."""
    person.page.evaluate(LASTING)
    person.page.evaluate("threefold.send({ is: 'phrase', phrase: 'good_luck' })")
    person.page.locator(".bubble").first.wait_for(state="attached")


def paused(person: Person) -> None:
    """The game is paused."""
    person.page.evaluate("threefold.send({ is: 'pause' })")
    person.page.locator(".notice").get_by_role("button", name="Resume").wait_for()


def disconnected(person: Person) -> None:
    """The connection is lost."""
    person.page.context.set_offline(True)
    person.page.locator(".notice").wait_for()


def looked(person: Person) -> None:
    """Opens a card large."""
    person.page.keyboard.press("i")
    person.page.locator("dialog.look").wait_for()


STATES: dict[str, tuple[str, Callable[[Person], None] | None]] = {
    **{name: (position, None) for name, position in QUESTIONS.items()},
    "several": (QUESTIONS["turn"], tapped("12")),
    "karma-card": (QUESTIONS["turn"], tapped("BOT")),
    "designed-card": (QUESTIONS["turn"], tapped("D1")),
    "refusal": (QUESTIONS["turn"], refused),
    "hint": (QUESTIONS["turn"], hinted),
    "chat": (QUESTIONS["turn"], spoken),
    "paused": (QUESTIONS["turn"], paused),
    "disconnected": (QUESTIONS["turn"], disconnected),
    "look": (QUESTIONS["turn"], looked),
    **{name: (make(), None) for name, make in CROWDS.items()},
    "twelve-seats-refusal": (CROWDS["twelve-seats-25"](), refused),
    "twelve-seats-hint": (CROWDS["twelve-seats-25"](), hinted),
    "twelve-seats-choose": (CROWDS["twelve-seats"]() + "; pending lose_turns 1 one", None),
}


@pytest.mark.parametrize("state", STATES)
def test_karma_fits(new_page: NewPage, server: Server, state: str) -> None:
    position, act = STATES[state]
    person = sit_at(new_page, server, position, allow="ERR_INTERNET_DISCONNECTED" if act is disconnected else "")
    if act is not None:
        act(person)
    found = walk(person.page, f"karma-{state}")
    assert not found, "\n".join(found)


COVERED = """
() => {
  const bubble = [...document.querySelectorAll('.bubble')].find(each => each.checkVisibility());
  if (!bubble) return ['no bubble'];
  const box = bubble.getBoundingClientRect();
  return [...document.querySelectorAll('.card')].filter(each => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  }).map(each => `a card at ${Math.round(each.getBoundingClientRect().left)}`);
}
"""
"""The cards that a bubble covers."""
LONG = "Careful, I am down to two cards, and both of them are very good ones!"


@pytest.mark.parametrize("seats", [4, 6])
def test_people_choose_talk_and_leave_at_a_table_that_fits(people: People, seats: int) -> None:
    """The choice of face-up cards, words of two lines at a seat, and the notice that somebody is away."""
    ada, *others = people(seats, "g116", edition="classic", chat=True, grace_s=600)
    for each in ada.page.locator(".hand .group").all()[:3]:
        each.click(position=FREE_CORNER)
    found = walk(ada.page, f"karma-face-up-{seats}")
    ada.page.evaluate(LASTING)
    for speaker in (others[0], others[len(others) // 2], others[-1]):
        speaker.page.evaluate("text => threefold.send({ is: 'chat', text })", LONG)
        ada.until(
            "name => threefold.bubbles.at(-1)?.guest === threefold.table.guests.find(each => each.name === name).guest",
            speaker.name,
        )
        for width, height in SIZES:
            ada.page.set_viewport_size({"width": width, "height": height})
            still(ada.page)
            found += [f"{speaker.name} {width}x{height}: covers {each}" for each in ada.page.evaluate(COVERED)]
        ada.page.evaluate("threefold.bubbles = []")
    found += walk(ada.page, f"karma-said-{seats}")
    others[0].page.goto("about:blank")
    ada.page.locator(".notice").wait_for()
    found += walk(ada.page, f"karma-away-{seats}")
    assert not found, "\n".join(found)


def test_the_lessons_of_karma_fit(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/learn/karma")
    page.locator(".hand .group").first.wait_for()
    found = walk(page, "lesson")
    page.locator("[data-card='3']").click(position=FREE_CORNER)
    page.locator(".note.wrong").wait_for()
    found += walk(page, "lesson-refused")
    page.locator("[data-card='7']").click(position=FREE_CORNER)
    page.get_by_role("button", name="Next").wait_for()
    found += walk(page, "lesson-done")
    page.get_by_role("button", name="Next").click()
    page.locator("[data-card='10']").click(position=FREE_CORNER)
    page.get_by_role("button", name="Play two 10s").wait_for()
    found += walk(page, "lesson-several")
    page.get_by_role("button", name="Skip").click()
    page.locator("[data-card='GIV']").click(position=FREE_CORNER)
    page.locator(".message").wait_for()
    found += walk(page, "lesson-karma-card")
    page.locator(".actions .primary").click()
    page.locator(".actions [data-player]").first.wait_for()
    found += walk(page, "lesson-choose")
    assert not found, "\n".join(found)


def test_a_spectator_s_table_fits(new_page: NewPage, server: Server) -> None:
    person = sit_at(new_page, server, CROWDS["twelve-seats"]())
    spectator = Person(new_page(), "Zoe")
    spectator.be_somebody()
    spectator.come(f"/t/{person.page.evaluate('threefold.code')}")
    spectator.page.get_by_text("You're watching.").wait_for()
    found = walk(spectator.page, "spectator")
    assert not found, "\n".join(found)
