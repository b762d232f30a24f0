"""Positions of Karma that show every question, long hands and many seats; a person sits at seat 0 of each."""

from collections.abc import Callable
from functools import cache
from typing import Any

from playwright.sync_api import Page

from tests.browser.people import Person, Server
from threefold.games import KITS
from threefold.karma.positions import format_position
from threefold.shuffle import random_from

Json = Any
KIT = KITS["karma"]
HOUSE = (
    '{"numbers":{"copies":6},"karma":{"GIV":2,"TAB":2,"BOT":2,"LOW":2,"OWN":2,"EXC":2,"SEA":2,"CLR":2,"LOS":2,"711":2,"PAS":2,"ONE":2},'
    '"designs":[{"code":"K1HIcAAg8AABAAAFNjb3V0"}]}'
)
"""An edition with every printed card and a designed one."""
OTHERS = (
    "1 hand 4 5 6 up 11 GIV 3 down 2 3 4; 2 hand 7 8 up 15 EXC 8 down 5 6 9; 3 hand 10 12 13 14 up 16 711 7 down 1 8 11"
)


def _four(own: str, rest: str) -> str:
    return f"{HOUSE}; 0 {own}; {OTHERS}; turn 0; {rest}"


HAND = "hand 4 6 9 12 12 BOT D1 up 14 CLR 3 down 1 2 5"
QUESTIONS = {
    "turn": _four(HAND, "pile 6 8 8 9; draw 10 11 2"),
    "pick-up": _four("hand 4 5 6 up 14 CLR 3 down 1 2 5", "pile 6 7 13; draw 10 11 2"),
    "from-table": _four("up 14 CLR 12 down 1 2 5", "pile 6 8 8 9"),
    "flip": _four("down 1 2 5", "pile 6 8 8 9"),
    "give-pile": _four(HAND, "pile 6 8 8 9; pending give_pile"),
    "exchange-hands": _four(HAND, "pile 9; pending exchange_hands"),
    "change-seats": _four(HAND, "pile 9; pending change_seats"),
    "lose-turns": _four(HAND, "pile 9; pending lose_turns 1 one"),
    "table-card": _four(HAND, "pile 9 TAB; pending play_table_card"),
    "give": _four(HAND, "pile 9 ONE; pending give_cards 1"),
    "give-whom": _four(HAND, "pile 9 ONE; pending give_cards 1; giving hand 9"),
    "draw-cards": _four(HAND, "pile 9; draw 2 10; pending draw_cards 2 one"),
    "peek": _four(HAND, "pile 9; pending peek_face_down"),
    "swap": _four(HAND, "pile 9; pending swap_face_up"),
    "drawing": 'classic {"draw":"by hand"}; 0 hand 7 9; 1 hand 4 5; turn 0; pile 5; draw 8 10; drawing',
}
"""Every question of a turn, with four seats."""


@cache
def reached(seats: int, cards: int = 3, *, decks: int = 1) -> str:
    """A real game in its middle: player 0, who picks up whenever that is possible, is to play with so many cards."""
    table = KIT.game.new({"edition": "classic", "options": {"decks": decks}, "players": seats, "seed": "v1:fits"})
    random = random_from("v1:fits", "bot")
    for _ in range(6000):
        (decision, *_) = KIT.game.decisions(table)
        view = KIT.game.view(table, decision.player)
        mine = next(each for each in view["seats"] if each["player"] == 0)
        plays = decision.player == 0 and decision.question == "play"
        if plays and view["turns"] > 3 * seats and mine["hand_size"] >= cards and len(view["discard_pile"]) > 3:
            return format_position(table)
        choice = KIT.bots["careful"](view, random)
        assert choice is not None
        takes = plays and mine["hand_size"] < cards and "pick up" in view["moves"]
        table = KIT.game.play(table, decision.player, "pick up" if takes else choice.move, None).table
    raise AssertionError(f"no such position: {seats} seats, {cards} cards")


CROWDS: dict[str, Callable[[], str]] = {
    "two-seats": lambda: reached(2),
    "six-seats": lambda: reached(6),
    "twelve-seats": lambda: reached(12, decks=2),
    "twelve-cards": lambda: reached(4, 12),
    "twenty-five-cards": lambda: reached(4, 25, decks=2),
    "twelve-seats-25": lambda: reached(12, 25, decks=2),
}


def seats_of(position: str) -> int:
    """The number of players."""
    return int(KIT.game.players(KIT.game.new({"position": position})))


def sit_at(new_page: Callable[..., Page], server: Server, position: str, **options: Any) -> Person:
    """A person at a table of bots, on turn in this position.

    `pace` and `memory_aid` are for the table, the other `options` for the page.
    """
    settings = {"pace": options.pop("pace", "human"), "memory_aid": options.pop("memory_aid", False)}
    person = Person(new_page(**options), "Ada")
    bots = ["careful"] * (seats_of(position) - 1)
    table = {"game": "karma", "seats": len(bots) + 1, "bots": bots, "start": True, **settings}
    with server.position(position):
        person.come(person.make_table(table)["path"])
        person.until("threefold.view?.moves.length > 0")
    person.page.locator(".mine .words").wait_for()
    return person
