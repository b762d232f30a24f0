"""States of SET on the page, one page each, for the tests of sizes."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.people import Server
from tests.browser.places import Solver
from tests.browser.set_people import SetPerson, seat, sets_in
from tests.web.test_lessons import WAYS
from threefold.setgame.cards import CARD_OF, format_cards, why_not

Json = Any
NewPage = Callable[..., Page]
PATIENT: Json = {"call_ms": 600_000, "cooldown_ms": 0}
"""Calls that wait while a page is walked through all sizes."""


class States:
    """Takes a page to each state in turn."""

    def __init__(self, new_page: NewPage, server: Server) -> None:
        self.new_page = new_page
        self.server = server

    def racing(self) -> Iterator[tuple[str, Page]]:
        """Two people call first: looking, calling, picking, a wrong SET, a tip, a vote, words, a pause."""
        setup = {"variant": "full", "options": PATIENT}
        ada, ben = seat(self.new_page, self.server, 2, "set-places", setup)
        yield "racing", ada.page
        ada.page.locator("button[data-card]").first.click()
        ada.page.locator(".status.tip").wait_for()
        yield "call-first", ada.page
        ben.page.get_by_role("button", name="Say something").click()
        ben.page.get_by_role("dialog").get_by_role("button").nth(12).click()
        ada.call()
        ada.page.locator(f'button[data-card="{sets_in(ada.cards())[0][0]}"]').click()
        yield "my-call", ada.page
        yield "their-call", ben.page
        ada.press("Give up")
        expect(ada.page.locator('button[aria-pressed="true"]')).to_have_count(0)
        yield "gave-up", ada.page
        ben.until("threefold.view.control === null")
        ben.press("No SET here")
        ada.until("threefold.view.agreed.length === 1")
        yield "vote", ada.page
        ada.call()
        ada.take(most_failing(ada.cards()))
        ada.page.locator("button.wrong").first.wait_for()
        yield "wrong", ada.page
        ben.page.locator("button.wrong").first.wait_for()
        yield "their-wrong", ben.page

    def among_people(self) -> Iterator[tuple[str, Page]]:
        """A spectator, words at a chip, a player who is away, a pause, and a lost connection."""
        ada, ben, cleo = seat(self.new_page, self.server, 3, "set-places", {"variant": "full"}, allow="WebSocket")
        code = ada.page.evaluate("threefold.code")
        zoe = SetPerson(self.new_page(), "Zoe")
        zoe.be_somebody()
        zoe.come(f"/t/{code}")
        zoe.page.locator("[data-place]").first.wait_for()
        yield "spectator", zoe.page
        cleo.page.close()
        ada.page.locator("small.away").wait_for()
        yield "away", ada.page
        ben.page.get_by_role("button", name="More", exact=True).click()
        ben.page.get_by_role("button", name="Pause").click()
        ada.page.get_by_text("The cards stay hidden").wait_for()
        yield "paused", ada.page
        yield "paused-spectator", zoe.page
        ada.page.get_by_role("button", name="Resume").click()
        ada.page.locator("button[data-card]").first.wait_for()
        ada.page.context.set_offline(True)
        ada.page.get_by_text("No connection").first.wait_for()
        yield "lost", ada.page
        ada.page.context.set_offline(False)
        ada.until("threefold.status === 'connected'")

    def alone(self) -> Iterator[tuple[str, Page]]:
        """Solitaire with 12, 15, 18 and 21 cards."""
        (ada,) = seat(self.new_page, self.server, 1, "set-places", {"variant": "solitaire"})
        for count in (12, 15, 18, 21):
            yield f"solitaire-{count}", ada.page
            if count < 21:
                ada.press("Deal more cards")

    def with_bots(self) -> Iterator[tuple[str, Page]]:
        """20/20 SET of six and of eight with nine cards in hand, and a race of twenty."""
        for variant, seats in (("twenty_twenty", 6), ("twenty_twenty", 8), ("full", 20)):
            bots = ["human1"] * (seats - 1)
            table = {"game": "set", "variant": variant, "seats": seats, "bots": bots, "options": PATIENT}
            host = SetPerson(self.new_page(), "Ada")
            host.come(host.make_table({**table, "start": True})["path"])
            host.page.locator("button[data-card]").first.wait_for()
            yield f"{variant}-{seats}", host.page

    def puzzles(self) -> Iterator[tuple[str, Page]]:
        """Both daily puzzles: begun, wrong, found again, solved; practice with hints; lessons."""
        for kind in ("basic", "advanced"):
            solver = Solver(self.new_page(), kind, "2026-11-02")
            solver.open()
            yield f"puzzle-{kind}", solver.page
            solver.pick(most_failing(format_cards(list(solver.puzzle().cards))))
            solver.page.locator(".said.wrong").wait_for()
            yield f"puzzle-{kind}-wrong", solver.page
            solver.pick(solver.sets()[0])
            solver.page.locator(".said.right").wait_for()
            solver.pick(solver.sets()[0])
            solver.page.get_by_text("already found").wait_for()
            yield f"puzzle-{kind}-again", solver.page
            solver.solve(first=1)
            yield f"puzzle-{kind}-solved", solver.page

    def practising(self) -> Iterator[tuple[str, Page]]:
        """Practice: looking, with three hints, found."""
        page = self.new_page()
        page.goto("/practice")
        page.get_by_label("Show clock").check()
        page.locator("button[data-card]").first.wait_for()
        yield "practice", page
        for count in (1, 2, 3):
            page.get_by_role("button", name="Hint" if count == 1 else "Show the").click()
            expect(page.locator(".one.hint")).to_have_count(count)
            yield f"practice-hint-{count}", page
        for each in page.locator(".one.hint").all():
            each.click()
        page.get_by_role("button", name="Next").wait_for()
        yield "practice-found", page

    def lessons(self) -> Iterator[tuple[str, Page]]:
        """Every lesson of SET, as it asks and when it is done."""
        page = self.new_page()
        page.goto("/learn/set")
        for key, way in WAYS["set"].items():
            page.locator(".task").wait_for()
            yield f"lesson-{key}", page
            for move in way:
                verb, *cards = move.split(" ")
                for card in cards:
                    page.locator(f"button[data-card='{card}']").click()
                if not cards:
                    page.get_by_role("button", name={"call": "SET!", "agree": "No SET here"}[verb]).click()
                    page.locator(".note, .row b").first.wait_for()
            page.get_by_role("button", name="Next").wait_for()
            yield f"lesson-{key}-done", page
            page.get_by_role("button", name="Next").click()
        page.get_by_role("heading", name="That's all you need!").wait_for()
        yield "lessons-over", page


def most_failing(cards: Sequence[str | None]) -> list[str]:
    """Three cards that fail in as many features as possible: the longest explanation."""
    there = [card for card in cards if card is not None]
    return list(max(combinations(there, 3), key=lambda three: len(why_not(*(CARD_OF[card] for card in three)))))
