"""Opens every place of the page, for tests of sizes, themes and accessibility, and for screenshots."""

import inspect
from collections.abc import Callable, Collection, Iterator
from datetime import date
from itertools import combinations
from typing import Any

from playwright.sync_api import Page

from tests.browser.past import past
from tests.browser.people import Person, Server
from tests.browser.set_people import SetPerson, no_set_in, seat, sets_in
from tests.finished import NOW
from threefold.setgame.cards import format_cards
from threefold.setgame.puzzles import Puzzle, daily

Json = Any
NewPage = Callable[..., Page]


class Places:
    """Takes a page to each place in turn."""

    def __init__(self, new_page: NewPage, server: Server) -> None:
        self.new_page = new_page
        self.server = server

    def all(self, wanted: Collection[str] | None = None) -> Iterator[tuple[str, Page]]:
        """Each place with its name, or only those wanted."""
        for walk in (
            self.before_a_table,
            self.for_the_operator,
            self.alone,
            self.at_a_table,
            self.playing,
            self.crowd_and_end,
            self.playing_set,
            self.looking_back,
            self.me,
        ):
            missing = None if wanted is None else {each for each in wanted if mentions(walk, each)}
            if missing == set():
                continue
            for name, page in walk():
                if missing is None or name in missing:
                    yield name, page
                if missing is not None and not (missing := missing - {name}):
                    break

    def crowd_and_end(self) -> Iterator[tuple[str, Page]]:
        """A table of twelve, and the end of a game."""
        yield "twelve", self.twelve().page
        yield "end", self.end().page

    def before_a_table(self) -> Iterator[tuple[str, Page]]:
        """Home, new tables, card maker, settings."""
        page = self.new_page()
        page.goto("/")
        page.get_by_role("button", name="Play now").first.wait_for()
        page.locator(".art .fan").nth(1).wait_for()
        yield "home", page
        page.goto("/learn")
        page.locator(".art .fan").nth(1).wait_for()
        yield "lessons", page
        page.goto("/learn/poker")
        page.get_by_role("heading", name="There's nothing here").wait_for()
        yield "nowhere", page
        page.goto("/play/new/karma")
        page.get_by_role("radio", name="Second Edition").check()
        yield "new", page
        page.get_by_role("radio", name="House edition").check()
        page.get_by_role("heading", name="Karma cards").wait_for()
        yield "house", page
        page.goto("/play/new/set")
        page.get_by_text("20/20 SET").wait_for()
        yield "new-set", page
        page.goto("/play/cards")
        page.get_by_label("Card name").fill("Storm")
        page.get_by_role("radio", name="🌪️").check()
        page.get_by_role("combobox").first.select_option("draw_cards")
        page.get_by_role("button", name="Copy code").wait_for()
        page.get_by_role("button", name="Save").click()
        yield "maker", page
        page.goto("/play/settings")
        page.get_by_text("Español").wait_for()
        yield "settings", page

    def for_the_operator(self) -> Iterator[tuple[str, Page]]:
        """The operator's page: sign-in, content, and confirmation dialogs."""
        host = Person(self.new_page(), "Ada")
        host.make_table({"game": "karma", "bots": ["careful"]})
        page = self.new_page()
        page.goto("/operator")
        page.get_by_role("button", name="Show page").wait_for()
        yield "operator-door", page
        page.get_by_label("Operator’s token").fill(self.server.operator_token)
        page.get_by_role("button", name="Show page").click()
        page.get_by_role("button", name="Ban Ada").first.wait_for()
        yield "operator", page
        page.get_by_role("button", name="Ban Ada").first.click()
        page.get_by_role("dialog").wait_for()
        yield "operator-ban", page

    def alone(self) -> Iterator[tuple[str, Page]]:
        """Puzzles, practice, learning, rules."""
        page = self.new_page()
        page.goto("/daily")
        page.get_by_role("heading", name="Past puzzles").wait_for()
        yield "daily", page
        solver = Solver(page, "advanced", "2026-11-02")
        solver.open()
        solver.pick(solver.wrong())
        page.locator(".said.wrong").wait_for()
        yield "puzzle", page
        solver.solve()
        yield "puzzle-solved", page
        page.goto("/practice")
        page.get_by_role("button", name="Hint").click()
        page.locator(".one.hint").wait_for()
        yield "practice", page
        page.goto("/learn/karma")
        page.locator("[data-card='3']").click()
        page.get_by_role("button", name="Why? K7").wait_for()
        yield "learn-karma", page
        page.get_by_role("button", name="Why? K7").click()
        page.get_by_role("dialog").get_by_text("equal to or higher").wait_for()
        yield "clause", page
        close(page)
        page.goto("/learn/set")
        for card in ("1RSO", "2RSO", "3RSO"):
            page.locator(f"button[data-card='{card}']").click()
        page.get_by_role("button", name="Next").wait_for()
        yield "learn-set", page
        page.goto("/rules/karma/second_edition")
        page.get_by_role("heading", name="Exchange Hands").wait_for()
        yield "guide", page
        page.goto("/rules/karma#K12")
        page.locator("#K12").wait_for()
        yield "rules", page

    def at_a_table(self) -> Iterator[tuple[str, Page]]:
        """The lobby of a table, its join page, and an unknown table."""
        host = Person(self.new_page(), "Ada")
        made = host.make_table({"game": "karma", "edition": "second_edition", "seats": 4, "bots": ["careful"]})
        host.come(made["path"])
        guest = Person(self.new_page(), "Ben")
        guest.be_somebody()
        guest.come(made["path"])
        guest.sit()
        guest.page.get_by_role("button", name="I'm ready").click()
        host.page.get_by_text("ready ✓").wait_for()
        yield "lobby", host.page
        stranger = self.new_page()
        stranger.goto(made["path"])
        stranger.get_by_role("button", name="Sit down").wait_for()
        yield "invited", stranger
        host.page.get_by_role("checkbox", name="Everybody may find this table").check()
        stranger.goto("/tables")
        stranger.get_by_role("link", name="Join Ada's table").wait_for()
        yield "open-tables", stranger
        lonely = Person(self.new_page(), "Finn")
        lonely.be_somebody()
        lonely.page.goto("/tables")
        lonely.page.get_by_role("region", name="Play someone now").get_by_role("button", name="SET").click()
        lonely.page.get_by_text("Nobody else is looking right now").wait_for()
        yield "match", lonely.page

    def playing(self) -> Iterator[tuple[str, Page]]:
        """A game of four: choosing cards, playing, a refusal, looking at cards, choosing a player."""
        host = self.table(4, "second_edition", "g20")
        page = host.page
        yield "face-up", page
        page.locator(".hand .group").nth(0).click()
        page.locator(".hand .group").nth(2).click()
        page.locator(".hand .group").nth(4).click()
        page.locator(".actions .primary").wait_for()
        yield "face-up-chosen", page
        page.keyboard.press("Escape")
        host.play_until("threefold.view.turns > 9 && threefold.view.discard_pile.length > 3")
        yield "table", page
        page.get_by_role("button", name="Hint").click()
        page.get_by_text("Hint:").wait_for()
        yield "hint", page
        page.keyboard.press("l")
        page.get_by_role("dialog").wait_for()
        yield "log", page
        close(page)
        page.keyboard.press("o")
        page.get_by_role("dialog").wait_for()
        yield "pile", page
        close(page)
        page.get_by_role("button", name="Say something").click()
        page.get_by_role("dialog").wait_for()
        yield "talk", page
        close(page)
        host.play_until("threefold.view.awaits.some(each => each.question === 'choose')", stop_before=True)
        page.locator(".actions [data-player]").first.wait_for()
        yield "choose", page
        page.locator(".hand .group, .lies[data-place]").first.click()
        page.locator(".refusal").wait_for()
        yield "refusal", page

    def playing_set(self) -> Iterator[tuple[str, Page]]:
        """SET: looking, a call, a wrong SET, somebody's SETs, 21 cards, the end; 20/20 SET of three and of eight."""
        setup = {"variant": "full", "options": {"call_ms": 60_000}}
        ada, ben = seat(self.new_page, self.server, 2, "set-places", setup)
        page = ada.page
        yield "set", page
        three = sets_in(ada.cards())[0]
        ada.call()
        ada.take(three)
        page.get_by_role("button", name="Ada: one point").click()
        page.get_by_role("dialog").wait_for()
        yield "set-taken", page
        close(page)
        ben.call()
        ben.page.locator(f'button[data-card="{no_set_in(ben.cards())[0]}"]').click()
        page.locator(".status.theirs").wait_for()
        page.keyboard.press("?")
        page.get_by_role("dialog").wait_for()
        yield "set-keys", page
        close(page)
        ben.press("Give up")
        ada.until("threefold.view.control === null")
        ada.call()
        ada.take(no_set_in(ada.cards()))
        page.locator("button.wrong").first.wait_for()
        yield "set-wrong", page
        (alone,) = seat(self.new_page, self.server, 1, "set-places", {"variant": "solitaire"})
        for _ in range(3):
            alone.press("Deal more cards")
        yield "set-solitaire", alone.page
        for others in (2, 7):
            table = {"game": "set", "variant": "twenty_twenty", "seats": others + 1, "bots": ["human1"] * others}
            host = SetPerson(self.new_page(), "Ada")
            host.come(host.make_table({**table, "start": True})["path"])
            host.page.locator("button[data-card]").first.wait_for()
            yield f"set-twenty-{others + 1}", host.page
        yield "set-end", self.end_of_set().page

    def end_of_set(self) -> "SetPerson":
        """The end of a small game of SET, played by moves without taps."""
        setup = {"variant": "small_deck", "options": {"layout": 9, "call": "with take", "auto_deal": True}}
        people = seat(self.new_page, self.server, 2, "set-end", setup)
        turn = 0
        while people[0].view()["ending"] is None:
            player, before = people[turn % 2], people[0].seq()
            player.page.evaluate("move => threefold.move(move)", "take " + " ".join(sets_in(player.cards())[0]))
            for each in people:
                each.until("seq => threefold.seq > seq && threefold.open === 0", before)
            turn += 1
        people[0].page.get_by_role("button", name="Play again").wait_for()
        return people[0]

    def looking_back(self) -> Iterator[tuple[str, Page]]:
        """Replays of both games, with all cards open and from a seat, their verification, and the review."""
        person = Person(self.new_page(), "Ada")
        person.be_somebody()
        page = person.page
        karma, crowd, full, twenty = past(self.server, person, "classic", "twelve", "full", "twenty_twenty")
        for name, path in (
            ("replay", f"{karma}?move=40"),
            ("replay-seat", f"{karma}?move=40&seat=0"),
            ("replay-twelve", f"{crowd}?move=90"),
            ("replay-set", f"{full}?move=20"),
            ("replay-twenty", f"{twenty}?move=30&seat=1"),
        ):
            page.goto(f"/games/{path}")
            page.get_by_role("slider", name="Move").wait_for()
            yield name, page
        page.get_by_role("button", name="Details").click()
        page.get_by_text("The game replays move by move").wait_for()
        yield "replay-about", page
        page.goto(f"/games/{full}/review")
        page.get_by_role("heading", name="In figures").wait_for()
        yield "review", page

    def me(self) -> Iterator[tuple[str, Page]]:
        """The list of games, and the profile of a person without games."""
        person = Person(self.new_page(), "Ada")
        person.be_somebody()
        person.page.goto("/me")
        person.page.get_by_role("heading", name="No finished games yet").wait_for()
        yield "me-new", person.page
        past(self.server, person, "classic", ("second_edition", 40, {"at": NOW + 1}), "full", "solitaire")
        person.page.reload()
        person.page.get_by_role("heading", name="My SET times").wait_for()
        person.page.get_by_role("button", name="Move to another device").click()
        person.page.locator(".transfer img").wait_for()
        yield "me", person.page

    def table(self, seats: int, edition: str, seed: str, **more: Any) -> "Lone":
        """A person at a table of bots that play without delay."""
        self.server.seed(seed)
        host = Lone(self.new_page(), "Ada")
        bots = ["careful"] * (seats - 1)
        table = {
            "game": "karma",
            "edition": edition,
            "seats": seats,
            "bots": bots,
            "pace": "fast",
            "start": True,
            **more,
        }
        host.come(host.make_table(table)["path"])
        host.page.locator(".hand .group").first.wait_for()
        return host

    def twelve(self) -> "Lone":
        """A table of twelve, in the middle of a game."""
        host = self.table(12, "classic", "g7", options={"decks": 2})
        host.play_until("threefold.view.turns > 30")
        return host

    def end(self) -> "Lone":
        """The end of a quick game."""
        host = self.table(4, "mini_round", "g116")
        host.play_until("threefold.view.ending")
        host.page.get_by_role("button", name="Play again").wait_for()
        return host


class Solver:
    """A person who solves a daily puzzle with the SETs from the engine."""

    def __init__(self, page: Page, kind: str, day: str | None) -> None:
        self.page, self.kind, self.day = page, kind, day

    def puzzle(self) -> Puzzle:
        """The puzzle of the day that the page shows."""
        day = self.day or self.page.request.get("/api/puzzles").json()["day"]
        return daily(self.kind, date.fromisoformat(day))

    def sets(self) -> list[list[str]]:
        """All its SETs."""
        return [format_cards(list(each)) for each in self.puzzle().sets]

    def wrong(self) -> list[str]:
        """Three cards that are not a SET."""
        cards, sets = format_cards(list(self.puzzle().cards)), [set(each) for each in self.sets()]
        return next(list(each) for each in combinations(cards, 3) if set(each) not in sets)

    def open(self) -> None:
        """Opens the puzzle."""
        self.page.goto(f"/daily/{self.kind}" + (f"?day={self.day}" if self.day else ""))
        self.page.locator("button[data-card]").first.wait_for()

    def pick(self, cards: list[str]) -> None:
        """Taps three cards."""
        for card in cards:
            self.page.locator(f"button[data-card='{card}']").click()

    def solve(self, first: int = 0) -> None:
        """Takes all SETs, starting with this number."""
        sets = self.sets()
        for number, cards in enumerate(sets[first:], first + 1):
            self.pick(cards)
            self.page.get_by_text(f"{number} of {len(sets)}").wait_for()
        self.page.get_by_role("button", name="Share").wait_for()


def mentions(walk: Callable[..., object], place: str) -> bool:
    """Might a walk lead to this place? Its source names the place, perhaps without the number at its end."""
    return f'"{place.rstrip("0123456789")}' in inspect.getsource(walk)


def close(page: Page) -> None:
    """Closes a dialog."""
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")


class Lone(Person):
    """A person who plays with bots through the page's messages, without taps."""

    def play_until(self, expression: str, *, stop_before: bool = False, most: int = 200) -> None:
        """Plays until a condition holds on the person's turn, or the game ends; `stop_before` stops at any question."""
        for _ in range(most):
            self.until("threefold.view.ending || (threefold.view.moves.length > 0 && threefold.open === 0)")
            view = self.view()
            if view["ending"] is not None or (self.page.evaluate(expression) and (self.awaited() or not stop_before)):
                return
            before = self.page.evaluate("threefold.seq")
            self.page.evaluate("move => threefold.move(move)", self.careful_move())
            self.until("seq => threefold.seq > seq && threefold.open === 0", before)
        raise AssertionError(f"never: {expression}")
