"""Person: drives a browser page at a table; reads what it shows, and taps."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Position

from tests.waiting import PATIENCE_S
from threefold.games import KITS
from threefold.karma.cards import PRINTED_CODES
from threefold.shuffle import random_from

Json = Any
FREE_CORNER: Position = {"x": 10, "y": 20}
"""The part of a card that the next card of a hand never covers."""
LASTING = "void (setTimeout = new Proxy(setTimeout, { apply: (call, to, [act, ms]) => call(act, ms * 1000) }))"
"""For the page: what disappears after some time stays on the screen. (A function as the result would be called.)"""
AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"


@dataclass(frozen=True, slots=True)
class Server:
    """The server under test."""

    url: str
    folder: Path

    def seed(self, seed: str) -> None:
        """Sets the seed of the next shuffles."""
        (self.folder / "seed").write_text(seed, "utf-8")

    @contextmanager
    def position(self, position: str) -> Iterator[None]:
        """Lets games of Karma that start meanwhile begin with this position."""
        file = self.folder / "position"
        file.write_text(position, "utf-8")
        try:
            yield
        finally:
            file.unlink()

    @property
    def operator_token(self) -> str:
        """The token for the operator's page."""
        return str(json.loads((self.folder / "secrets.json").read_text("utf-8"))["operator_token"])


@dataclass(slots=True)
class Person:
    """A person with their own page."""

    page: Page
    name: str

    # ------------------------------------------------------------ Coming to a table

    def be_somebody(self) -> None:
        """Registers a name, as the page would."""
        self.page.goto("/")
        self.page.evaluate("name => localStorage.setItem('threefold.name', JSON.stringify(name))", self.name)
        answer = self.page.request.post("/api/me", data={"name": self.name})
        assert answer.ok, answer.text()

    def make_table(self, table: Json) -> Json:
        """Creates a table by HTTP, as the page would."""
        self.be_somebody()
        answer = self.page.request.post("/api/tables", data=table)
        assert answer.ok, answer.text()
        return answer.json()

    def come(self, path: str) -> None:
        """Opens the table, at first to watch if this person has not been there."""
        self.page.goto(path)
        self.until("globalThis.threefold?.table || document.querySelector('.invited')")
        if self.page.locator(".invited").count():
            self.page.locator(".invited").get_by_role("button", name="atch").click()
        self.until("globalThis.threefold?.table")

    def sit(self) -> None:
        """Sits down on the first free seat."""
        self.page.get_by_role("button", name="Sit here").first.click()
        self.page.get_by_role("button", name="Stand up").wait_for()

    # ------------------------------------------------------------ Seeing

    def until(self, expression: str, argument: Json = None, seconds: float = PATIENCE_S) -> None:
        """Waits for a condition in the page (its security policy blocks Playwright's `wait_for_function`)."""
        ends = time.monotonic() + seconds
        while not self.page.evaluate(expression, argument):
            assert time.monotonic() < ends, f"{self.name} waited in vain for: {expression}"
            self.page.wait_for_timeout(10)

    def view(self) -> Json:
        """The View that the page received."""
        return self.page.evaluate("globalThis.threefold.view")

    def store(self) -> Json:
        """The state of the page."""
        return json.loads(self.page.evaluate("JSON.stringify(globalThis.threefold.dump())"))

    def awaited(self) -> bool:
        """Is it this person's turn?"""
        view = self.view()
        return any(each["player"] == view["viewer"] for each in view["awaits"])

    # ------------------------------------------------------------ Playing

    def careful_move(self) -> str:
        """The careful bot's move for the page's View; deterministic."""
        choice = KITS["karma"].bots["careful"](self.view(), random_from("v1:browser", "bot"))
        assert choice is not None
        return choice.move

    def play(self, move: str) -> None:
        """Makes a move with taps, and waits until the server has accepted it."""
        before = self.page.evaluate("JSON.stringify(threefold.view)")
        self.tap_out(move)
        self.until("before => JSON.stringify(threefold.view) !== before && threefold.open === 0", before)

    def tap_out(self, move: str) -> None:
        """The taps that make a move."""
        view = self.view()
        seat = next(each for each in view["seats"] if each["player"] == view["viewer"])
        question = next(each["question"] for each in view["awaits"] if each["player"] == view["viewer"])
        verb, *rest = move.split(" ")
        if move.startswith("face up"):
            for card in rest[1:]:
                group = f'.hand .group[data-card="{card}"]:not([aria-pressed])'
                self.page.locator(group).first.click(position=FREE_CORNER)
        elif verb == "play":
            self._play_cards(view, seat, question, rest)
            return
        elif verb == "flip":
            self._tap_place(int(rest[0]))
            return
        elif verb == "peek" or move.startswith("give face down"):
            self._tap_place(int(rest[-1]))
        elif verb == "give":
            if seat["hand_size"]:
                self._tap_hand(rest[0])
            else:
                self._tap_place(seat["face_up"].index(rest[0]) + 1)
        elif verb == "swap":
            self._tap_place(seat["face_up"].index(rest[0]) + 1)
            self._tap_hand(rest[1])
        elif verb == "choose":
            self.page.locator(f'.actions [data-player="{rest[0]}"]').click()
            return
        else:
            names = {
                "pick up": "Pick up",
                "decline": "No, thanks",
                "draw": "Draw",
                "end turn": "End turn",
                "agree draw": "Agree to a draw",
            }
            self.page.locator(".actions").get_by_role("button", name=names[move]).click()
            return
        self.page.locator(".actions .primary").click()

    def _play_cards(self, view: Json, seat: Json, question: str, cards: list[str]) -> None:
        """A single number goes with one tap; for everything else there are buttons."""
        if any(seat["face_up"]) and (question == "table_card" or not seat["hand_size"]):
            self._tap_place(seat["face_up"].index(cards[0]) + 1)
        else:
            self._tap_hand(cards[0])
        counts = plays_of(view, cards[0])
        if is_number(cards[0]) and len(counts) == 1:
            return
        selected = max(counts) if is_number(cards[0]) else 1
        other = f'[data-count="{len(cards)}"]'
        self.page.locator(f".actions {'.primary' if len(cards) == selected else other}").click()

    def _tap_hand(self, card: str) -> None:
        self.page.locator(f'.hand .group[data-card="{card}"]').first.click(position=FREE_CORNER)

    def _tap_place(self, place: int) -> None:
        self.page.locator(f'.lies[data-place="{place}"]').click()

    # ------------------------------------------------------------ Looking hard

    def overflow(self) -> int:
        """The number of pixels by which the page is wider than the window."""
        found: int = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        return found

    def axe(self) -> list[str]:
        """The accessibility problems that axe finds on the page."""
        return axe(self.page)


def is_number(card: str) -> bool:
    """Is this a number card? 711 is the code of a karma card."""
    return card.isdigit() and card not in PRINTED_CODES


def plays_of(view: Json, card: str) -> list[int]:
    """How many of this card can be played together."""
    moves = (move.split(" ") for move in view["moves"])
    return [len(cards) for verb, *cards in moves if verb == "play" and cards[0] == card]


STILL = """
(patience) => {
  const moving = () => document.getAnimations().filter(each =>
    Number.isFinite(each.effect.getComputedTiming().endTime) && each.playState === 'running');
  const becomesStill = async () => {
    await document.fonts.ready;
    for (;;) {
      await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
      const running = moving();
      if (running.length === 0) return;
      await Promise.allSettled(running.map(each => each.finished));
    }
  };
  const names = () => moving().map(each => each.effect.target?.outerHTML.slice(0, 200));
  const late = new Promise((_, fail) =>
    setTimeout(() => fail(new Error(`the page does not become still: ${names()}`)), patience));
  return Promise.race([becomesStill(), late]);
}
"""


def still(page: Page) -> None:
    """Returns when a page is drawn: its fonts are there, and nothing moves or fades any more."""
    page.evaluate(STILL, 1000 * PATIENCE_S)


def axe(page: Page) -> list[str]:
    """The accessibility problems that axe finds on a page."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE.read_text("utf-8"))
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = page.evaluate("tags => axe.run(document, {runOnly: tags})", tags)
    return [
        f"{each['id']}: {node['target']} {node.get('failureSummary', '')[:300]}"
        for each in found["violations"]
        for node in each["nodes"]
    ]
