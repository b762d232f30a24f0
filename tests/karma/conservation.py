"""No card is lost or made: a count of all cards, in the same source for both speeds."""

from threefold.clauses import helper
from threefold.karma.table import PLACES, Edition, Table


@helper
def is_conserved(e: Edition, t: Table) -> bool:
    """Is every card of the deck somewhere, and are the counts beside the cards right?"""
    for kind in range(e.kinds):
        lying = t.removed[kind]
        for i in range(t.draw_size):
            lying += 1 if t.draw_pile[i] == kind else 0
        for i in range(t.discard_size):
            lying += 1 if t.discard_pile[i] == kind else 0
        for seat in range(t.players):
            lying += t.hand[seat][kind]
            for place in range(PLACES):
                lying += 1 if t.face_up[seat][place] == kind else 0
                lying += 1 if t.face_down[seat][place] == kind else 0
        if lying != e.copies[kind]:
            return False
    for seat in range(t.players):
        held = 0
        for kind in range(e.kinds):
            held += t.hand[seat][kind]
        up = 0
        down = 0
        for place in range(PLACES):
            up += 1 if t.face_up[seat][place] >= 0 else 0
            down += 1 if t.face_down[seat][place] >= 0 else 0
        if held != t.hand_size[seat] or up != t.face_up_size[seat] or down != t.face_down_size[seat]:
            return False
        if t.player_at[t.seat_of[seat]] != seat:
            return False
    return True
