"""What a View says beyond the cards: who plays next, and where a player plays from. Compiled and plain."""

from threefold.clauses import clause
from threefold.karma.powers import PLAY_TABLE_CARD, code_of, location_for_a_table_card
from threefold.karma.rules import holds_cards, location_to_play_from, run_on_top, seat_after
from threefold.karma.table import NONE, OVER, POWER, SET_UP, Edition, Table
from threefold.karma.turn import is_awaited


@clause("K15", "K19", "K22", "K46", "K48")
def upcoming_player(t: Table) -> int:
    """The player whose turn follows if this turn ends now; NONE if none does.

    Whoever cleared plays again. Otherwise it is the player with the fewest turns to lose, and among those the nearest
    in the direction of play: everybody nearer loses a turn first, as often as play comes round.
    """
    if t.awaits == SET_UP or t.awaits == OVER:
        return NONE
    if t.again and will_hold_cards(t, t.turn_player):
        return t.turn_player
    nearest = NONE
    holders = 0
    seat = t.turn_seat
    for _ in range(t.players):
        seat = seat_after(t, seat)
        player = t.player_at[seat]
        if will_hold_cards(t, player):
            holders += 1
            if nearest == NONE or t.lost_turns[player] < t.lost_turns[nearest]:
                nearest = player
    return nearest if holders > 1 else NONE


@clause("K11", "K22")
def will_hold_cards(t: Table, player: int) -> bool:
    """Does this player hold cards when the turn is over? Whoever plays draws first, while the draw pile lasts."""
    return holds_cards(t, player) or (player == t.turn_player and t.draw_size > 0)


@clause("K6", "K12a", "K41", "K51")
def location_of_the_next_card(e: Edition, t: Table, player: int) -> int:
    """The location that this player must play or give a card from; NOWHERE if none is open now."""
    seat = t.seat_of[player]
    if t.awaits == POWER and is_awaited(t, player) and code_of(t.pending[t.pending_size - 1]) == PLAY_TABLE_CARD:
        return location_for_a_table_card(t, seat)
    return location_to_play_from(e, t, seat)


@clause("K16", "K17", "K18")
def run_on_the_pile(t: Table) -> int:
    """How many identical cards lie on top of the discard pile; 0 if it is empty."""
    return run_on_top(t) if t.discard_size > 0 else 0
