"""SetPerson: drives a browser page at a table of SET by taps, keys or a screen reader's text."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.people import Person, Server
from threefold.setgame.cards import CARD_OF, why_not
from threefold.texts import Names, Text, catalogue, say

Json = Any
NewPage = Callable[..., Page]
NAMED = {catalogue()[f"card.{card}"]: card for card in CARD_OF}
"""Spoken name of a card -> the card."""
PRESS = """
([selectors, at]) => new Promise(done => setTimeout(() => {
  for (const each of selectors) {
    const button = document.querySelector(each);
    for (const kind of ['pointerdown', 'pointerup']) {
      button?.dispatchEvent(new PointerEvent(kind, { bubbles: true, isPrimary: true, button: 0 }));
    }
  }
  done();
}, at - Date.now()))
"""
"""Presses at a given time of the clock that all pages of a machine share."""
READY_MS = 250
"""How long before that time the pages are told; a busy machine is slow."""


def sets_in(cards: Sequence[str | None]) -> list[tuple[str, str, str]]:
    """The SETs among cards."""
    there = [card for card in cards if card is not None]
    return [three for three in combinations(there, 3) if is_set(three)]


def is_set(three: Sequence[str]) -> bool:
    a, b, c = (CARD_OF[card] for card in three)
    return not why_not(a, b, c)


def no_set_in(cards: Sequence[str | None]) -> tuple[str, str, str]:
    """Three cards that are not a SET."""
    return next(three for three in combinations([each for each in cards if each], 3) if not is_set(three))


class SetPerson(Person):
    """A person who plays SET."""

    def cards(self) -> list[str | None]:
        """The cards within this person's reach."""
        view = self.view()
        return [
            *view.get("layout", view.get("centre", [])),
            *view.get("personal", {view["viewer"]: []})[view["viewer"]],
        ]

    def call(self) -> None:
        """Presses the SET button, and waits until the person has control."""
        self.page.locator("[data-call]").click()
        self.until("threefold.view.control === threefold.view.viewer")

    def take(self, three: Sequence[str]) -> None:
        """Taps three cards, and waits for the server's answer."""
        before = self.seq()
        for card in three:
            self.page.locator(f'button[data-card="{card}"]').click()
        self.until("seq => threefold.seq > seq && threefold.open === 0", before)

    def take_any_set(self) -> None:
        """Takes one SET among bots that may be faster: presses all three cards in one step, and tries again."""
        while not self.view()["scores"][self.view()["viewer"]]:
            cards = sets_in(self.cards())[0]
            together([self], *(f'button[data-card="{card}"]' for card in cards))
            self.until("threefold.open === 0")

    def press(self, name: str) -> None:
        """Presses a button below the cards."""
        before = self.seq()
        self.page.get_by_role("button", name=name).click()
        self.until("seq => threefold.seq > seq && threefold.open === 0", before)

    def seq(self) -> int:
        found: int = self.page.evaluate("threefold.seq")
        return found

    def why_late(self) -> str:
        """The sentence for a player whose cards somebody else has taken: the server's refusal, else the page's own."""
        refused = self.page.evaluate("threefold.rejection")
        if refused is None or refused["text"]["key"] == "set.refusal.taken":
            return str(catalogue()["page.set.gone"])
        names = self.page.evaluate("threefold.table.playing.players.map(each => each.name)")
        text = Text(refused["text"]["key"], refused["text"]["parameters"])
        return say(text, viewer=self.view()["viewer"], names=Names(tuple(names)))

    def heard(self) -> Locator:
        """The live region, for screen readers."""
        return self.page.get_by_role("log", name="What happened")


def together(people: Sequence[SetPerson], *selectors: str) -> None:
    """All press the same button at the same time, the first slightly earlier."""
    at = people[0].page.evaluate("Date.now()") + READY_MS
    for i, each in enumerate(people):
        each.page.evaluate(f"pressed => {{ globalThis.press = ({PRESS})(pressed); }}", [list(selectors), at + 3 * i])
    for each in people:
        each.page.evaluate("globalThis.press")  # Playwright waits for the promise


def all_see(people: Sequence[SetPerson], seq: int | None = None) -> None:
    """Waits until all pages show the same entry."""
    latest = max(each.seq() for each in people) if seq is None else seq
    for each in people:
        each.until("seq => threefold.seq >= seq", latest)


def seat(new_page: NewPage, server: Server, count: int, seed: str, setup: Json, **page: Any) -> list[SetPerson]:
    """Seats people at a new table of SET and starts the game."""
    server.seed(seed)
    names = ("Ada", "Ben", "Cleo", "Dov")
    people = [SetPerson(new_page(**page), name) for name in names[:count]]
    made = people[0].make_table({"game": "set", "seats": count, "pace": "fast", **setup})
    for each in people:
        if each is not people[0]:
            each.be_somebody()
        each.come(made["path"])
        if each is not people[0]:
            each.sit()
    people[0].page.get_by_role("button", name="Start game").click()
    for each in people:
        each.page.locator("button[data-card]").first.wait_for()
        each.until("threefold.open === 0")
    return people
