"""Past games of a person in the browser: bots play them in memory, and they go into the server's database."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from tests.browser.people import Person, Server
from tests.finished import KARMA_WAYS, SET_WAYS, Played, Wish, planted, play_out

Json = Any


@cache
def played(what: str, most: int = 3000) -> tuple[Played, tuple[str, ...]]:
    """A reproducible game of an edition or variant, and its players."""
    if what == "twelve":
        bots: tuple[str, ...] = ("careful",) * 12
        return play_out("karma", {"edition": "classic", "options": {"decks": 2}}, bots, most=most), bots
    if what in KARMA_WAYS:
        bots = ("careful",) * 4
        return play_out("karma", KARMA_WAYS[what], bots, most=most), bots
    bots = ("human1",) * {"solitaire": 1, "twenty_twenty": 3}.get(what, 3)
    return play_out("set", SET_WAYS[what], bots, most=most), bots


def past(server: Server, person: Person, *games: str | tuple[str, int, Json]) -> list[str]:
    """Adds these games to a person, each by name, or by name, number of moves and options; returns their ids."""
    wishes: list[Wish] = []
    for each in games:
        what, most, more = each if isinstance(each, tuple) else (each, 3000, {})
        game, bots = played(what, most)
        wishes.append((game, bots, more))
    return planted(server.folder / "threefold.sqlite", who(person), wishes)


def who(person: Person) -> Json:
    """The person's id and name on the server."""
    found: Json = person.page.request.get("/api/me/data").json()["person"]
    return found


def everything() -> Sequence[str]:
    """Every edition and variant."""
    return [*KARMA_WAYS, *SET_WAYS]
