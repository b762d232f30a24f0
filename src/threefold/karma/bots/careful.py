"""Karma `careful`: plays low cards early, keeps high and karma cards, never picks up when it can play.

It is the player one meets at a kitchen table: no counting, no plans, no spite beyond picking on whoever has the fewest
cards. A turn clock that runs out plays what it would.
"""

from threefold.clauses import helper
from threefold.karma.bot_view import Edition, KarmaView, Moves
from threefold.karma.bots.sense import (
    NEVER,
    fewest_cards,
    fewest_in_hand,
    is_known_to_fit,
    is_never_declined,
    worth_keeping,
)
from threefold.karma.moves import (
    CHOOSE_FACE_UP,
    CHOOSE_PLAYER,
    DECLINE,
    END_TURN,
    FLIP,
    GIVE,
    PICK_UP,
    PLAY,
    SWAP,
    first_of,
    second_of,
    third_of,
    what_of,
)
from threefold.karma.powers import CHANGE_SEATS, EXCHANGE_HANDS
from threefold.shuffle import Random


@helper
def careful_move(e: Edition, v: KarmaView, moves: Moves, random: Random) -> int:
    """The move it likes best; of two it likes the same, the one listed first."""
    best = moves.move[0]
    liking = careful_liking(e, v, best)
    for i in range(1, moves.count):
        other = careful_liking(e, v, moves.move[i])
        if other > liking:
            best = moves.move[i]
            liking = other
    return best


@helper
def careful_liking(e: Edition, v: KarmaView, move: int) -> int:
    """How much it likes a move, compared with others that answer the same question."""
    what = what_of(move)
    first = first_of(move)
    if what == PLAY:  # the lowest number, all there are of it; karma cards last
        return 1000 - 10 * worth_keeping(e, first) + second_of(move)
    if what == PICK_UP:
        return 0
    if what == FLIP:
        return 2 if is_known_to_fit(e, v, first) else 1
    if what == CHOOSE_FACE_UP:
        return worth_keeping(e, first) + worth_keeping(e, second_of(move)) + worth_keeping(e, third_of(move))
    if what == CHOOSE_PLAYER:
        if v.power == EXCHANGE_HANDS:
            return -fewest_in_hand(v, first)
        if v.power == CHANGE_SEATS:
            return -v.cards_left[v.seat_of[first]]
        return -fewest_cards(v, first)
    if what == GIVE:
        return 100 - worth_keeping(e, first)
    if what == SWAP:  # a better card goes to the table, where it waits for the end
        return worth_keeping(e, second_of(move)) - worth_keeping(e, first)
    if what == DECLINE:
        return -NEVER - 1 if is_never_declined(v.power) else 0
    if what == END_TURN:
        return 0
    return 1
