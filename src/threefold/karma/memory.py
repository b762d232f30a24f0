"""Memory: which cards a viewer knows to be in which hand, from what was seen to join and to leave it (K28, K29).

`t.known` holds a row of counts for each seat, as a spectator knows it. All players know the same of other hands until
hands move or a card is given unseen; from then on each player has rows of their own, after the spectator's. Nobody's
rows say anything about the hand at their own seat. A table with no rows (`known_rows` is 0) remembers nothing: that is
how roll-outs are played.
"""

from threefold.clauses import clause, helper
from threefold.karma.table import FACE_DOWN, FACE_UP, NONE, Edition, Table


@helper
def known_row(t: Table, viewer: int, seat: int) -> int:
    """The row of what a viewer (NONE: a spectator) knows of the hand at a seat."""
    return seat if t.known_rows <= t.players else (viewer + 1) * t.players + seat


@helper
def forget_all(e: Edition, t: Table) -> None:
    """A new game: nobody knows anything."""
    for row in range(max(t.known_rows, t.players)):
        for kind in range(e.kinds):
            t.known[row][kind] = 0
    t.known_rows = t.players


@clause("K28")
def see_join(t: Table, seat: int, kind: int, count: int) -> None:
    """Everybody sees cards join a hand, or leave it where the count is negative."""
    owner = t.player_at[seat]
    for first in range(0, t.known_rows, t.players):
        if first // t.players - 1 != owner:
            row = t.known[first + seat]
            row[kind] = max(0, row[kind] + count)


@helper
def remember_apart(e: Edition, t: Table) -> None:
    """From now on players know different things: each gets rows of their own."""
    if t.known_rows != t.players:
        return
    for viewer in range(t.players):
        for seat in range(t.players):
            row = t.known[(viewer + 1) * t.players + seat]
            for kind in range(e.kinds):
                row[kind] = 0 if t.seat_of[viewer] == seat else t.known[seat][kind]
    t.known_rows = t.players * (t.players + 1)


@clause("K28")
def know_own_hands(e: Edition, t: Table) -> None:
    """Before hands or players move: whoever holds a hand will remember all of it."""
    remember_apart(e, t)
    if t.known_rows > 0:
        for player in range(t.players):
            seat = t.seat_of[player]
            for kind in range(e.kinds):
                t.known[known_row(t, player, seat)][kind] = t.hand[seat][kind]


@helper
def drop_own_hands(e: Edition, t: Table) -> None:
    """After hands or players have moved: nobody needs to remember the hand at their own seat."""
    if t.known_rows > 0:
        for player in range(t.players):
            row = t.known[known_row(t, player, t.seat_of[player])]
            for kind in range(e.kinds):
                row[kind] = 0


@clause("K28")
def swap_known(t: Table, one: int, two: int, kinds: int) -> None:
    """The hands at two seats change places, and what is known of them with them."""
    for first in range(0, t.known_rows, t.players):
        for kind in range(kinds):
            count = t.known[first + one][kind]
            t.known[first + one][kind] = t.known[first + two][kind]
            t.known[first + two][kind] = count


@clause("K27", "K28", "K29")
def remember_gift(e: Edition, t: Table, location: int, place: int, kind: int, other: int) -> None:
    """Before the turn player gives a card: who will know that it is in the other hand, and who can know less?"""
    giver = t.turn_player
    if location == FACE_UP:
        see_join(t, t.seat_of[other], kind, 1)
        return
    knowing = 1 << giver | 1 << other
    if location == FACE_DOWN:
        knowing = t.peeked[t.seat_of[giver]][place]
        if knowing & ~(1 << other) == 0:
            return
    remember_apart(e, t)
    for first in range(0, t.known_rows, t.players):
        viewer = first // t.players - 1
        from_hand = t.known[first + t.seat_of[giver]]
        sees = viewer != NONE and knowing >> viewer & 1 == 1
        if location != FACE_DOWN and (sees or from_hand[kind] == t.hand_size[t.seat_of[giver]]):
            sees = True  # the hand is known to be nothing but this card
            from_hand[kind] = max(0, from_hand[kind] - 1)
        elif location != FACE_DOWN:
            for each in range(e.kinds):
                from_hand[each] = max(0, from_hand[each] - 1)
        if sees and viewer != other:
            t.known[first + t.seat_of[other]][kind] += 1
