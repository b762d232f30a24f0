"""Replay: a finished game as one viewer saw it, or with all cards open: the first View, and the change of each move.

A View is long and a move changes little of it, so only changes are sent. A change is a list: `["is", value]`,
`["in", {part: change}]` (parts are names, or numbers in a list), `["keep", n, rest]` (a list keeps its first n items,
then the rest follows), or `["gone"]`.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

from threefold.game import Event, Game, Json
from threefold.games import KITS
from threefold.kit import Kits
from threefold.saved import Played, opened, played

Seeing = int | Literal["open"]
"""A player, or everything."""
FOR_PLAYERS: Mapping[str, Json] = {"moves": [], "anytime": [], "take": None}
"""Fields of a View that only players need; nobody plays in a replay."""
ASKED = ("player", "question", "power")


NONE: Mapping[int, Event] = MappingProxyType({})


def timeline(
    saved: Json,
    seeing: Seeing,
    before: Mapping[int, Event] = NONE,
    after: Mapping[int, Event] = NONE,
    kits: Kits = KITS,
) -> Json:
    """The first View, and for each move: its player, time, events and change.

    `before` and `after` are events besides the game's own, by the number of the move that they came before or after.
    """
    game, table, rows = opened(saved, kits)
    first = last = seen(game, table, seeing)
    steps = []
    for number, each in enumerate(played(game, table, rows), 1):
        now = seen(game, each.table, seeing)
        also = [[events[number]] if number in events else [] for events in (before, after)]
        events = [*also[0], *each.events, *also[1]]
        steps.append({**_move(each), "events": _shown(events, seeing), "change": difference(last, now)})
        last = now
    return {"first": first, "steps": steps}


def _move(each: Played) -> dict[str, Json]:
    return {"player": each.move.player, "move": each.move.move, "at": each.move.at}


def _shown(events: Sequence[Event], seeing: Seeing) -> list[Json]:
    return [event.whole() if seeing == "open" else event.seen_by(seeing) for event in events]


def seen(game: Game[Any], table: Any, seeing: Seeing) -> dict[str, Json]:
    """The View, without the fields that only players need."""
    view = game.open_view(table) if seeing == "open" else game.view(table, seeing)
    asked = [] if game.timed else [{name: each[name] for name in ASKED if name in each} for each in view["awaits"]]
    return {**view, **{name: value for name, value in FOR_PLAYERS.items() if name in view}, "awaits": asked}


def difference(before: Json, after: Json) -> Json:
    """The change from one value to another; null if they are equal."""
    if before == after:
        return None
    if isinstance(before, dict) and isinstance(after, dict):
        changed = {name: difference(before.get(name), value) for name, value in after.items() if name in before}
        new = {name: ["is", value] for name, value in after.items() if name not in before}
        gone = {name: ["gone"] for name in before if name not in after}
        return ["in", {name: each for name, each in (changed | new | gone).items() if each is not None}]
    if isinstance(before, list) and isinstance(after, list):
        return _list_difference(before, after)
    return ["is", after]


def _list_difference(before: list[Json], after: list[Json]) -> Json:
    if len(before) == len(after) and any(isinstance(each, dict) for each in after):
        parts = {str(i): difference(*pair) for i, pair in enumerate(zip(before, after, strict=True))}
        return ["in", {i: each for i, each in parts.items() if each is not None}]
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    return ["keep", same, after[same:]] if same else ["is", after]
