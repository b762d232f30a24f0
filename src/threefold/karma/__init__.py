"""Karma: every edition, every card and designed cards as one rules engine, in the standard library alone.

`new`, `decisions`, `play`, `view`, `ending` and the others are functions here; KARMA is the same as a `Game`.
`karma/fast/` plays the same rules compiled; nothing outside that folder imports it except `threefold.engines`.
"""

import threading
from collections.abc import Mapping

from threefold.fields import a_text, an_object
from threefold.game import Game, IllegalMove, Json, Step
from threefold.karma.cards import KarmaCard
from threefold.karma.deal import deal_from, dealt
from threefold.karma.decisions import anytime, decisions, ending
from threefold.karma.events import read_tape
from threefold.karma.positions import parse_position
from threefold.karma.refusals import checked
from threefold.karma.table import TAPE, Table, Tape
from threefold.karma.turn import make_move
from threefold.karma.view import open_view, state, view, views
from threefold.records import blank, copied

__all__ = [
    "KARMA",
    "Table",
    "anytime",
    "card_names",
    "decisions",
    "ending",
    "explain",
    "new",
    "open_view",
    "play",
    "players",
    "setup",
    "state",
    "view",
    "views",
]


def new(setup: Mapping[str, Json]) -> Table:
    """Sets a table up: `new({"edition": "classic", "players": 4, "seed": "v1:abc"})`, or lays out a `position`."""
    if "position" in setup:
        an_object(setup, "setup", ("position",))
        return parse_position(a_text(setup["position"], "position"))
    return dealt(deal_from(setup))


def setup(table: Table) -> dict[str, Json]:
    """The complete set-up of a table, with the seed and the first dealer."""
    complete = table.deal.setup
    return {"position": complete["position"]} if "position" in complete else dict(complete)


def players(table: Table) -> int:
    """The number of players."""
    return table.players


def card_names(table: Table) -> dict[str, str]:
    """Code -> name of the designed cards in this game."""
    cards = table.deal.edition.cards
    return {card.code: card.name for card in cards if isinstance(card, KarmaCard) and card.name}


def play(table: Table, player: int | None, move: str, at: int | None = None) -> Step[Table]:
    """Makes a move on a copy of the table."""
    number = checked(table, player, move)
    after = copied(table)
    edition, tape = table.deal.edition, _tapes.tape
    make_move(edition, after, tape, player or 0, number)
    return Step(after, read_tape(edition, tape))


def explain(table: Table, player: int | None, move: str, at: int | None = None) -> IllegalMove | None:
    """The refusal that `play` would raise, or None. Nothing changes."""
    try:
        checked(table, player, move)
    except IllegalMove as refused:
        return refused
    return None


class _Tapes(threading.local):
    """One tape for each thread, used again for every move, because a tape is long."""

    def __init__(self) -> None:
        self.tape = blank(Tape)
        self.tape.room = TAPE


_tapes = _Tapes()


class Karma:
    """Karma as a `threefold.game.Game`."""

    name = "karma"
    rules_version = 2
    timed = False
    new = staticmethod(new)
    setup = staticmethod(setup)
    players = staticmethod(players)
    card_names = staticmethod(card_names)
    decisions = staticmethod(decisions)
    anytime = staticmethod(anytime)
    play = staticmethod(play)
    explain = staticmethod(explain)
    view = staticmethod(view)
    views = staticmethod(views)
    open_view = staticmethod(open_view)
    state = staticmethod(state)
    ending = staticmethod(ending)


KARMA: Game[Table] = Karma()
