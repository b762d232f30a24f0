"""Exchanges the cards of a table that one viewer cannot know: whoever sees only the View notices nothing."""

from threefold.karma.memory import known_row
from threefold.karma.table import NONE, SET_UP, Table
from threefold.records import copied
from threefold.shuffle import Random, shuffle


def exchanged(table: Table, viewer: int, random: Random) -> Table:
    """The same table to the viewer's eyes, but all cards that the viewer cannot know have changed places."""
    other = copied(table)
    own = table.seat_of[viewer]
    hidden: list[tuple[str, int, int]] = [("draw", i, 0) for i in range(table.draw_size)]
    kinds = table.draw_pile[: table.draw_size]
    for seat in range(table.players):
        for place, kind in enumerate(table.face_down[seat]):
            if kind != NONE and not table.peeked[seat][place]:
                hidden.append(("down", seat, place))
                kinds.append(kind)
        if seat != own and table.awaits != SET_UP:
            for kind, count in enumerate(table.hand[seat]):
                known = table.known[known_row(table, viewer, seat)][kind]
                hidden += [("hand", seat, kind)] * (count - known)
                kinds += [kind] * (count - known)
                other.hand[seat][kind] = known
    shuffle(kinds, len(kinds), random)
    for (where, first, second), kind in zip(hidden, kinds, strict=True):
        if where == "draw":
            other.draw_pile[first] = kind
        elif where == "down":
            other.face_down[first][second] = kind
        else:
            other.hand[first][kind] += 1
    return other
