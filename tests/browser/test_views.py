"""The page shows what the engine says: whom the table waits for, who plays next, where cards are played from, the run.

Random games of every edition of Karma, and games of three variants of SET, are played by the rules alone. Their Views
go to a page at a real table, one after the other, as its messages. What the page then shows is compared with the rules,
never with the View.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, WebSocketRoute

from tests.browser.people import Person, Server
from tests.finished import KARMA_WAYS, SET_WAYS, play_out
from tests.karma.laws.test_outlook import after_this_turn
from threefold.games import KITS
from threefold.karma.rules import location_to_play_from
from threefold.karma.table import FACE_DOWN, FACE_UP, HAND, NOWHERE, Table
from threefold.saved import opened, played
from threefold.shuffle import below, random_from

Json = Any
NewPage = Callable[..., Page]
NAMES = ("Ada", "Ben", "Cleo", "Dov")
SHOWN = """() => ({
    words: document.querySelector('.mine .words').textContent.trim(),
    then: document.querySelector('.mine .then')?.textContent.trim() ?? '',
    turn: document.querySelector('.mine').classList.contains('turn'),
    run: document.querySelector('.asks .run')?.textContent.trim() ?? '',
    hand: [...document.querySelectorAll('.hand .group.lit')].map(each => each.dataset.card),
    places: [...document.querySelectorAll('.lying .lies.lit')].map(each => Number(each.dataset.place)),
})"""
BUTTONS = """() => ({
    actions: Object.fromEntries([...document.querySelectorAll('.actions button')].map(each =>
        [each.hasAttribute('data-call') ? 'call' : each.firstChild.textContent.trim(), !each.disabled])),
    laid: [...document.querySelectorAll('main button[data-card]')].map(each => each.dataset.card),
})"""
MOVES = {
    "call": "call",
    "No SET here": "agree",
    "Deal more cards": "more cards",
    "Ask for a card": "ask",
    "Give up": "give up",
}


@dataclass  # without slots: Playwright notes its handlers on the object
class Feed:
    """The socket of a page: after the first View of its game, the page gets only the Views of the test."""

    sockets: list[WebSocketRoute] = field(default_factory=list)
    began: bool = False
    seq: int = 1_000_000

    def route(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda message: self.pass_on(socket, message))
        self.sockets.append(socket)

    def pass_on(self, socket: WebSocketRoute, message: str | bytes) -> None:
        if not self.began:
            socket.send(message)
            self.began = '"is":"view"' in str(message).replace(" ", "")

    def show(self, person: Person, view: Json) -> None:
        """Sends a View without events, so that the page shows it at once."""
        self.seq += 1
        shown = {"seq": self.seq, "ack": 0, "game": 1, "view": view, "events": None, "time": view.get("now", 0)}
        self.sockets[-1].send(msgspec.json.encode({"is": "view", **shown, "turn_ends": None}).decode())
        person.until("seq => threefold.seq === seq", self.seq)
        person.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def at_a_table(new_page: NewPage, table: Json) -> tuple[Person, Feed]:
    """A person at a table of bots that has just begun, whose page gets the Views of the test from now on."""
    feed, page = Feed(), new_page()
    page.route_web_socket("**/socket", feed.route)
    person = Person(page, NAMES[0])
    person.come(person.make_table({**table, "pace": "human", "start": True})["path"])
    person.page.locator(".mine .words, main button[data-card]").first.wait_for()
    return person, feed


def tables_of(setup: Json, seed: str) -> Iterator[Table]:
    """The tables of a random game of Karma."""
    karma = KITS["karma"].game
    random = random_from(seed, "moves")
    table: Table = karma.new({**setup, "players": len(NAMES), "seed": seed})
    for _ in range(250):
        yield table
        awaited = karma.decisions(table)
        if not awaited:
            return
        decision = awaited[below(random, len(awaited))]
        move = decision.moves[below(random, len(decision.moves))]
        table = karma.play(table, decision.player, move, None).table


@pytest.mark.parametrize("way", KARMA_WAYS.values(), ids=KARMA_WAYS)
def test_karma_shows_what_the_rules_say_in_random_games(new_page: NewPage, server: Server, way: Json) -> None:
    person, feed = at_a_table(new_page, {"game": "karma", **way, "seats": 4, "bots": ["careful"] * 3})
    names = person.page.evaluate("threefold.table.playing.players.map(each => each.name)")
    compared = dict.fromkeys(("waits", "next", "place", "run"), 0)
    for number, table in enumerate(tables_of(way, "v1:views")):
        if number % 6:
            continue
        feed.show(person, KITS["karma"].game.view(table, 0))
        shown = person.page.evaluate(SHOWN)
        compared["waits"] += shows_whom_the_table_waits_for(table, shown, names)
        compared["next"] += shows_who_plays_next(table, shown, names)
        compared["place"] += shows_where_cards_are_played_from(table, shown)
        compared["run"] += shows_the_run(table, shown)
    if table.deal.edition.clears_at == 2:
        del compared["run"]  # two identical cards are cleared at once
    assert min(compared.values()) > 0, compared


def shows_whom_the_table_waits_for(table: Table, shown: Json, names: Sequence[str]) -> bool:
    awaited = {each.player for each in KITS["karma"].game.decisions(table)}
    if not awaited:
        return False
    if 0 in awaited:
        assert shown["turn"], shown
        return False
    assert not shown["turn"], shown
    if table.seat_of[0] >= 0 and "You're safe" in shown["words"]:
        return False
    assert {i for i, name in enumerate(names) if name in shown["words"]} == awaited, shown
    return True


def shows_who_plays_next(table: Table, shown: Json, names: Sequence[str]) -> bool:
    if not shown["then"]:
        return False
    follows = after_this_turn(table)
    assert follows is not None, shown
    assert shown["then"] == ("then you" if follows == 0 else f"then {names[follows]}")
    return True


def shows_where_cards_are_played_from(table: Table, shown: Json) -> bool:
    """The cards in light are those of the legal moves, at the one location that the rules name."""
    own = next((each for each in KITS["karma"].game.decisions(table) if each.player == 0), None)
    if own is None or own.question != "play":
        return False
    location = location_to_play_from(table.deal.edition, table, table.seat_of[0])
    verbs = {each.split(" ", 1)[0] for each in own.moves} & {"play", "flip"}
    if location == NOWHERE or not verbs:
        assert not shown["hand"], shown
        return False
    cards = {each.split(" ")[1] for each in own.moves if each.startswith("play ")}
    flips = {int(each.split(" ")[1]) for each in own.moves if each.startswith("flip ")}
    up = {i + 1 for i, kind in enumerate(table.face_up[table.seat_of[0]]) if code(table, kind) in cards}
    wanted = {HAND: (cards, set()), FACE_UP: (set(), up), FACE_DOWN: (set(), flips)}[location]
    assert (set(shown["hand"]), set(shown["places"])) == wanted, (location, own.moves, shown)
    return True


def code(table: Table, kind: int) -> str | None:
    """The code of a kind of card; None for an empty place."""
    return table.deal.edition.cards[kind].code if kind >= 0 else None


def shows_the_run(table: Table, shown: Json) -> bool:
    pile = [*table.discard_pile[: table.discard_size]]
    run = next((i for i, kind in enumerate(reversed(pile)) if kind != pile[-1]), len(pile))
    assert shown["run"] == (f"{run} of {table.deal.edition.clears_at} the same" if run > 1 else ""), shown
    return run > 1


@pytest.mark.parametrize("name", ["full", "small_deck", "solitaire"])
def test_set_offers_what_the_rules_accept_in_games_of_bots(new_page: NewPage, server: Server, name: str) -> None:
    way = SET_WAYS[name]
    alone = KITS["set"].fewest_players(way) == 1
    bots = ["human5"] * (0 if alone else 1)
    person, feed = at_a_table(new_page, {"game": "set", **way, "seats": 1 + len(bots), "bots": bots})
    saved = play_out("set", way, ["human5"] * (1 + len(bots)), most=60).saved
    rules, table, rows = opened(saved)
    offered = 0
    for each in [table, *(step.table for step in played(rules, table, rows))]:
        view = rules.view(each, 0)
        feed.show(person, view)
        shown = person.page.evaluate(BUTTONS)
        now, cooling = view["now"], view["may_call_from"][0] > view["now"]
        for words, enabled in shown["actions"].items():
            move = MOVES[words]
            if move == "call" and (cooling or view["control"] == 0):
                continue  # the button counts the time down
            assert enabled == (rules.explain(each, 0, move, now) is None), (move, view, shown)
            offered += enabled
        assert {card for card in view.get("layout") or view["centre"] if card} <= set(shown["laid"])
    assert offered > 0
