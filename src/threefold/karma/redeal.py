"""A whole table from what one player knows: hidden cards are dealt at random, consistently with the player's View.

`lay_out` puts everything that the View shows on a table, and the cards that it does not show into a pool, in the order
of their kinds. `deal_hidden` shuffles the pool and deals it to the hands, face-down places and draw pile with room. So
a redeal depends on the View and the random generator alone: where the hidden cards truly lie cannot matter.
"""

from dataclasses import dataclass
from typing import Annotated

from threefold.clauses import clause, helper
from threefold.karma.bot_view import UNSEEN, KarmaView
from threefold.karma.rules import put_in_hand
from threefold.karma.table import CARDS, NONE, PLACES, SET_UP, Edition, Table
from threefold.shuffle import Random, shuffle


@dataclass(slots=True)
class Pool:
    """The cards that a player cannot see."""

    card: Annotated[list[int], (CARDS,)]
    count: int


@clause("K25", "K26", "K27", "K28")
def lay_out(e: Edition, v: KarmaView, t: Table, pool: Pool) -> None:
    """Everything that the player knows, on a table; everything else in the pool. The player must be awaited."""
    lay_out_turn(v, t)
    for kind in range(e.kinds):
        t.removed[kind] = v.removed[kind]
    for i in range(v.discard_size):
        t.discard_pile[i] = v.discard_pile[i]
    for seat in range(v.players):
        t.face_up_size[seat] = 0
        t.face_down_size[seat] = 0
        for kind in range(e.kinds):
            t.hand[seat][kind] = v.held[kind] if seat == v.own_seat else v.known[seat][kind]
        for place in range(PLACES):
            t.face_up[seat][place] = v.face_up[seat][place]
            t.face_down[seat][place] = v.face_down[seat][place]
            t.peeked[seat][place] = 1 << v.player if v.face_down[seat][place] >= 0 else 0
            t.face_up_size[seat] += 0 if v.face_up[seat][place] == NONE else 1
            t.face_down_size[seat] += 0 if v.face_down[seat][place] == NONE else 1
    pool.count = 0
    for kind in range(e.kinds):
        for _ in range(e.copies[kind] - in_sight(v, t, kind)):
            pool.card[pool.count] = kind
            pool.count += 1


@helper
def lay_out_turn(v: KarmaView, t: Table) -> None:
    """Everything but the cards. The table remembers nothing: what is known lies in the hands."""
    t.known_rows = 0
    t.players = v.players
    t.dealer = v.dealer
    t.direction = v.direction
    t.turn_player = v.turn_player
    t.turn_seat = v.turn_seat
    t.again = v.again
    t.turns = v.turns
    t.awaits = v.awaits
    t.ending = 0
    t.loser = NONE
    t.draw_size = v.draw_size
    t.discard_size = v.discard_size
    t.pending_size = v.pending_size
    for i in range(v.pending_size):
        t.pending[i] = v.pending[i]
    t.giving_from = v.giving_from
    t.giving = v.giving
    t.draw_offers = 0
    for each in range(v.players):
        t.seat_of[each] = v.seat_of[each]
        t.player_at[each] = v.player_at[each]
        t.hand_size[each] = v.hand_size[each]
        t.lost_turns[each] = v.lost_turns[each]
        t.out[each] = v.out[each]
        t.draw_agreed[each] = v.draw_agreed[each]
        t.draw_offers += v.draw_agreed[each]
        for place in range(PLACES):
            t.chosen[each][place] = v.chosen[place] if each == v.player else NONE


@helper
def in_sight(v: KarmaView, t: Table, kind: int) -> int:
    """How many cards of a kind the player sees or remembers."""
    count = t.removed[kind]
    for i in range(v.discard_size):
        if v.discard_pile[i] == kind:
            count += 1
    for seat in range(v.players):
        count += t.hand[seat][kind]
        for place in range(PLACES):
            if v.face_up[seat][place] == kind:
                count += 1
            if v.face_down[seat][place] == kind:
                count += 1
    return count


@clause("K26", "K27")
def deal_hidden(e: Edition, v: KarmaView, t: Table, pool: Pool, random: Random) -> None:
    """Deals the pool to a table that `lay_out` has laid out, or to a copy of it."""
    shuffle(pool.card, pool.count, random)
    dealt = 0
    for seat in range(v.players):
        held = 0
        for kind in range(e.kinds):
            held += t.hand[seat][kind]
        t.hand_size[seat] = held
        for _ in range(v.hand_size[seat] - held):
            put_in_hand(t, seat, pool.card[dealt], 1)
            dealt += 1
        for place in range(PLACES):
            if v.face_down[seat][place] == UNSEEN:
                t.face_down[seat][place] = pool.card[dealt]
                dealt += 1
    for i in range(t.draw_size):
        t.draw_pile[i] = pool.card[dealt]
        dealt += 1
    if t.awaits == SET_UP:
        for player in range(v.players):
            if v.has_chosen[player] and player != v.player:
                choose_best(e, t, player)


@clause("K3")
def choose_best(e: Edition, t: Table, player: int) -> None:
    """A choice that nobody has seen yet: taken to be the highest cards, karma cards first."""
    hand = t.hand[t.seat_of[player]]
    place = PLACES
    for rank in range(e.kinds):
        kind = e.kinds - 1 - rank
        for _ in range(hand[kind]):
            if place > 0:
                place -= 1
                t.chosen[player][place] = kind


@helper
def copy_table(e: Edition, source: Table, t: Table) -> None:
    """Copies the parts of a table that are in use, but no memory."""
    t.known_rows = 0
    t.players = source.players
    t.dealer = source.dealer
    t.direction = source.direction
    t.turn_player = source.turn_player
    t.turn_seat = source.turn_seat
    t.again = source.again
    t.turns = source.turns
    t.awaits = source.awaits
    t.ending = source.ending
    t.loser = source.loser
    t.giving_from = source.giving_from
    t.giving = source.giving
    t.draw_offers = source.draw_offers
    t.draw_size = source.draw_size
    t.discard_size = source.discard_size
    t.pending_size = source.pending_size
    for i in range(source.draw_size):
        t.draw_pile[i] = source.draw_pile[i]
    for i in range(source.discard_size):
        t.discard_pile[i] = source.discard_pile[i]
    for i in range(source.pending_size):
        t.pending[i] = source.pending[i]
    for kind in range(e.kinds):
        t.removed[kind] = source.removed[kind]
    for each in range(source.players):
        for kind in range(e.kinds):
            t.hand[each][kind] = source.hand[each][kind]
        for place in range(PLACES):
            t.face_up[each][place] = source.face_up[each][place]
            t.face_down[each][place] = source.face_down[each][place]
            t.peeked[each][place] = source.peeked[each][place]
            t.chosen[each][place] = source.chosen[each][place]
        t.hand_size[each] = source.hand_size[each]
        t.face_up_size[each] = source.face_up_size[each]
        t.face_down_size[each] = source.face_down_size[each]
        t.seat_of[each] = source.seat_of[each]
        t.player_at[each] = source.player_at[each]
        t.lost_turns[each] = source.lost_turns[each]
        t.out[each] = source.out[each]
        t.draw_agreed[each] = source.draw_agreed[each]
