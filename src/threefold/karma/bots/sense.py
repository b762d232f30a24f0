"""Common measures of all Karma policies: the worth of a card, how near players are to going out, runs on the pile."""

from typing import Final

from threefold.clauses import helper
from threefold.karma.bot_view import NONE, UNSEEN, Edition, KarmaView
from threefold.karma.powers import PLAY_TABLE_CARD, SWAP_FACE_UP
from threefold.shuffle import Random, below

NEVER: Final = 1_000
LONG: Final = 250
"""A game of more turns has usually come to a standstill, in which the same cards go round and round."""


@helper
def tries_something_else(v: KarmaView, random: Random) -> bool:
    """Does a player who sees that a game gets nowhere try any card now? Up to one time in three, as it goes on."""
    return v.power == 0 and v.turns > LONG and below(random, 3 * LONG) < min(v.turns - LONG, LONG)


@helper
def worth_keeping(e: Edition, kind: int) -> int:
    """Its number; a karma card, which goes on anything, is worth more than any number."""
    return 20 if e.number[kind] == 0 else e.number[kind]


@helper
def fits(e: Edition, v: KarmaView, kind: int) -> bool:
    """May this card be played on the pile as it is?"""
    number = e.number[kind]
    return number == 0 or v.low <= number <= v.high


@helper
def is_known_to_fit(e: Edition, v: KarmaView, place: int) -> bool:
    """Has the viewer peeked at this face-down card of theirs, and may it be played?"""
    kind = v.face_down[v.own_seat][place]
    return kind != NONE and kind != UNSEEN and fits(e, v, kind)


@helper
def is_known_not_to_fit(e: Edition, v: KarmaView, place: int) -> bool:
    """Has the viewer peeked at this face-down card of theirs, and would it have to be picked up with the pile?"""
    kind = v.face_down[v.own_seat][place]
    return v.power != PLAY_TABLE_CARD and kind != NONE and kind != UNSEEN and not fits(e, v, kind)


@helper
def is_never_declined(power: int) -> bool:
    """Is it never worse to use this power than to decline it? A swap can be: of a good card for a bad one.

    A turn that another player loses is a turn gained, a card given or played is a card less, and a peek costs nothing.
    """
    return power != SWAP_FACE_UP


@helper
def fewest_cards(v: KarmaView, player: int) -> int:
    """How many cards another player still has to play; one who is out needs no more trouble."""
    return NEVER if v.out[player] else v.cards_left[v.seat_of[player]]


@helper
def fewest_in_hand(v: KarmaView, player: int) -> int:
    """How many cards another player's hand has."""
    return v.hand_size[v.seat_of[player]]


@helper
def run_on_top_with(v: KarmaView, kind: int, count: int) -> int:
    """How many identical cards would lie on top in a row if these were laid."""
    run = count
    i = v.discard_size - 1
    while i >= 0 and v.discard_pile[i] == kind:
        run += 1
        i -= 1
    return run


@helper
def next_seat_with_cards(v: KarmaView, seat: int) -> int:
    """Whose turn comes after this place, if nothing changes."""
    for _ in range(v.players):
        seat += v.direction
        if seat == v.players:
            seat = 0
        elif seat < 0:
            seat = v.players - 1
        if v.cards_left[seat] > 0:
            return seat
    return seat
