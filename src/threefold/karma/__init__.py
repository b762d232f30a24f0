"""Karma: every edition, every card, designed cards, as one rules engine. This is its plain speed; it needs no NumPy.

`new`, `decisions`, `play`, `view`, `ending` and their like are functions here; KARMA is the same as a `Game`.
"""

import threading
from collections.abc import Mapping, Sequence

from threefold.fields import a_text, an_object
from threefold.game import Event, Game, IllegalMove, Json, Step, Viewer, scenes, told, written
from threefold.game import position as position_seen
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
    "position",
    "setup",
    "state",
    "told",
    "view",
    "views",
    "written_scenes",
    "written_views",
]


def new(given: Mapping[str, Json]) -> Table:
    """Sets a table up: `new({"edition": "classic", "players": 4, "seed": "v1:abc"})`, or lays out a `position`."""
    if "position" in given:
        an_object(given, "setup", ("position",))
        return parse_position(a_text(given["position"], "position"))
    return dealt(deal_from(given))


def setup(table: Table) -> dict[str, Json]:
    """What a table was set up from, complete: with the seed and the first dealer."""
    given = table.deal.setup
    return {"position": given["position"]} if "position" in given else dict(given)


def players(table: Table) -> int:
    """How many players the table has."""
    return table.players


def card_names(table: Table) -> dict[str, str]:
    """What the designed cards of this game are called."""
    cards = table.deal.edition.cards
    return {card.code: card.name for card in cards if isinstance(card, KarmaCard) and card.name}


def play(table: Table, player: int | None, move: str, at: int | None = None) -> Step[Table]:
    """Makes a move and gives the table after it; the table it was made on stays as it was."""
    number = checked(table, player, move)
    after = copied(table)
    return Step(after, _made(after, player or 0, number))


def explain(table: Table, player: int | None, move: str, at: int | None = None) -> IllegalMove | None:
    """What `play` would refuse this move with, or None. Nothing changes."""
    try:
        checked(table, player, move)
    except IllegalMove as refused:
        return refused
    return None


def written_views(table: Table, viewers: Sequence[Viewer]) -> list[bytes]:
    """The Views of several viewers, as JSON."""
    return written(views(table, viewers))


def written_scenes(
    table: Table, events: Sequence[Event], viewers: tuple[Viewer, ...], between: bytes
) -> dict[Viewer, bytes]:
    """By viewer: their View, then `between`, then what they are told of the events that led to it."""
    return scenes(viewers, written_views(table, viewers), told(events, viewers), between)


def position(table: Table) -> int:
    """A number for what a spectator sees, the count of turns aside."""
    return position_seen(view(table, None))


class _Tapes(threading.local):
    """A tape for each thread: long, so not made anew for every move."""

    def __init__(self) -> None:
        self.tape = blank(Tape)
        self.tape.room = TAPE


_tapes = _Tapes()


def _made(table: Table, player: int, move: int) -> list[Event]:
    make_move(table.deal.edition, table, _tapes.tape, player, move)
    return read_tape(table.deal.edition, _tapes.tape)


class Karma:
    """Karma as one of the games that everything outside knows (`threefold.game.Game`)."""

    name = "karma"
    rules_version = 1
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
    written_views = staticmethod(written_views)
    written_scenes = staticmethod(written_scenes)
    told = staticmethod(told)
    position = staticmethod(position)
    open_view = staticmethod(open_view)
    state = staticmethod(state)
    ending = staticmethod(ending)


KARMA: Game[Table] = Karma()
