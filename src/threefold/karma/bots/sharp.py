"""Karma `sharp`: a good hand-written player. It adds up what speaks for a move and what against, and takes the best.

While the draw pile lasts a hand is refilled, so it gets rid of low cards and keeps high numbers and karma cards for the
end. Once the draw pile is gone every card counts. It picks up only if nothing better can be played. It clears when it
can, leaves hard piles to a next player who is near going out, gives piles to whoever is nearest, exchanges hands
with whoever holds fewer, and sits down where fewest cards lie, best of all in the place of somebody who is out.

How much each of these counts is a row of WEIGHTS. They were found by playing against `careful` and against themselves
in all four editions (docs/guides/simulation.md shows how well they do); no card and no edition is named here.
"""

from collections.abc import Sequence
from typing import Final

from threefold.clauses import helper
from threefold.karma.bot_view import HIGHEST, NONE, PLACES, UNSEEN, Edition, KarmaView, Moves
from threefold.karma.bots.random import random_play
from threefold.karma.bots.sense import (
    fits,
    is_known_to_fit,
    is_never_declined,
    next_seat_with_cards,
    run_on_top_with,
    tries_something_else,
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
from threefold.karma.powers import (
    BOTTOMS_UP,
    CHANGE_SEATS,
    CLEAR_PILE,
    EXCHANGE_HANDS,
    GIVE_CARDS,
    GIVE_PILE,
    LEFT,
    LOSE_TURNS,
    PLAY_TABLE_CARD,
    ROTATE_HANDS,
    code_of,
    first_parameter,
)
from threefold.shuffle import Random

# What each weight is about. Early: while the draw pile lasts.
SHED_EARLY: Final = 0  # a card less
SHED_LATE: Final = 1
NUMBER_EARLY: Final = 2  # each point of the number played, however many of it
NUMBER_LATE: Final = 3
KARMA_EARLY: Final = 4  # karma cards played, however many at once
KARMA_LATE: Final = 5
CLEAR_EARLY: Final = 6
CLEAR_LATE: Final = 7
CLEARED_CARD: Final = 8  # each card of a pile that a clear removes
PRESSURE: Final = 9  # how hard the pile is for the next player
PRESSURE_NEAR: Final = 10  # the same, for one who is near going out
SURE_PICK_UP: Final = 11  # the next player plays open cards, and none fits
GIVEN_CARD: Final = 12  # each card of a pile that is given away
EXCHANGE: Final = 13  # each card the other hand has less
SEAT: Final = 14  # each point by which another place is better
GO_OUT: Final = 15
TABLE_CARD: Final = 16
LOSE_TURN: Final = 17
OUT_COUNTS_AS: Final = 18  # how near to going out somebody is who is out already, in cards
GIVE_A_CARD: Final = 19
PASS_HANDS: Final = 20  # each card the hand to come has less
KARMA_WORTH: Final = 21  # a karma card in numbers
PAIR: Final = 22  # two identical cards among the face-up ones
SPLIT: Final = 23  # identical cards kept back
KARMA_MORE: Final = 24  # each karma card played beyond the first

WEIGHTS: Final = (
    1, 4, -4, -10, -141, -225, 90, 80, 0, 4, 0, 17, 0, 60, 20, 300,
    -50, 80, 1000, -3, 20, 20, 5, 0, -1,
)  # fmt: skip

Weights = Sequence[int]
LAST: Final = -5_000
"""Picking up the pile: only if nothing better can be played."""
NEVER: Final = -1_000_000


@helper
def sharp_move(e: Edition, v: KarmaView, moves: Moves, random: Random) -> int:
    """The move that most speaks for; of two equal ones, the one listed first."""
    if tries_something_else(v, random):
        return random_play(e, v, moves, random)
    return weighed_move(e, v, moves, WEIGHTS)


@helper
def weighed_move(e: Edition, v: KarmaView, moves: Moves, w: Weights) -> int:
    """The move that most speaks for by these weights."""
    best = moves.move[0]
    if moves.count == 1:
        return best
    speaks = speaks_for(e, v, best, w)
    for i in range(1, moves.count):
        other = speaks_for(e, v, moves.move[i], w)
        if other > speaks:
            best = moves.move[i]
            speaks = other
    return best


@helper
def speaks_for(e: Edition, v: KarmaView, move: int, w: Weights) -> int:
    """What speaks for a move, compared with others that answer the same question."""
    what = what_of(move)
    first = first_of(move)
    if what == PLAY:
        return speaks_for_play(e, v, first, second_of(move), w)
    if what == PICK_UP:
        return LAST
    if what == FLIP:
        return speaks_for_flip(e, v, first)
    if what == CHOOSE_FACE_UP:
        return speaks_for_face_up(e, first, second_of(move), third_of(move), w)
    if what == CHOOSE_PLAYER:
        return speaks_for_choosing(e, v, first, w)
    if what == GIVE:
        return 1_000 - 10 * worth(e, first, w) + (100 if holds(v, first) == 1 else 0)
    if what == SWAP:
        return worth(e, second_of(move), w) - worth(e, first, w)
    if what == DECLINE and is_never_declined(v.power):
        return NEVER
    if what == DECLINE or what == END_TURN:
        return 0
    return 1


# ---------------------------------------------------------------- Cards


@helper
def worth(e: Edition, kind: int, w: Weights) -> int:
    """What a card is worth to hold, in numbers."""
    return w[KARMA_WORTH] if e.number[kind] == 0 else e.number[kind]


@helper
def holds(v: KarmaView, kind: int) -> int:
    """How many of this card are where the player plays from: the hand, or else the face-up cards."""
    if v.hand_size[v.own_seat] > 0:
        return v.held[kind]
    count = 0
    for place in range(PLACES):
        if v.face_up[v.own_seat][place] == kind:
            count += 1
    return count


@helper
def speaks_for_face_up(e: Edition, a: int, b: int, c: int, w: Weights) -> int:
    """The sheets advise the highest and karma cards; two of a kind are played together."""
    pairs = (1 if a == b else 0) + (1 if b == c else 0)
    return worth(e, a, w) + worth(e, b, w) + worth(e, c, w) + w[PAIR] * pairs


# ---------------------------------------------------------------- Playing


@helper
def speaks_for_play(e: Edition, v: KarmaView, kind: int, count: int, w: Weights) -> int:
    """Cards less, good cards less, a clear, a hard pile for the next, and what the card does."""
    late = v.draw_size == 0 or v.power == PLAY_TABLE_CARD or v.hand_size[v.own_seat] == 0
    total = count * (w[SHED_LATE] if late else w[SHED_EARLY])
    if e.number[kind] == 0:
        total += (w[KARMA_LATE] if late else w[KARMA_EARLY]) + w[KARMA_MORE] * (count - 1)
    else:
        total += e.number[kind] * (w[NUMBER_LATE] if late else w[NUMBER_EARLY])
    total += w[SPLIT] * (holds(v, kind) - count)
    if v.draw_size == 0 and v.cards_left[v.own_seat] == count:
        total += w[GO_OUT]
    if run_on_top_with(v, kind, count) >= e.clears_at:
        total += w[CLEAR_LATE] if v.draw_size == 0 else w[CLEAR_EARLY]
        gone = v.discard_size + count
        return total + gone * (w[GIVEN_CARD] if e.after_clear > 0 else w[CLEARED_CARD])
    return total + speaks_for_powers(e, v, kind, count, w) + speaks_for_the_pile_left(e, v, kind, count, w)


@helper
def speaks_for_the_pile_left(e: Edition, v: KarmaView, kind: int, count: int, w: Weights) -> int:
    """How hard the pile is for the next player, and how much that hurts."""
    low = e.asks_low[kind]
    high = e.asks_high[kind]
    pile = v.discard_size + count
    if e.leaves[kind]:
        low = v.low
        high = v.high
        pile = v.discard_size
    for i in range(e.powers_of[kind]):
        code = code_of(e.powers[kind][i])
        if code == GIVE_PILE or code == CLEAR_PILE:
            return 0
        if code == BOTTOMS_UP and v.discard_size > 0:
            low = e.asks_low[v.discard_pile[0]]
            high = e.asks_high[v.discard_pile[0]]
    refused = HIGHEST - high + (low - 1 if low > 1 else 0)
    if refused == 0 or pile == 0:
        return 0
    seat = next_seat_with_cards(v, v.own_seat)
    if v.hand_size[seat] == 0 and (v.draw_size == 0 or e.table_cards_wait == 0):
        open_cards = open_cards_that_fit(e, v, seat, low, high)
        if open_cards >= 0:
            return w[SURE_PICK_UP] * (5 + pile) if open_cards == 0 else 0
    weight = w[PRESSURE]
    if v.cards_left[seat] <= 4:
        weight += w[PRESSURE_NEAR]
    return weight * chance_of_no_card(refused, v.hand_size[seat]) * (5 + pile) // 1024


@helper
def chance_of_no_card(refused: int, cards: int) -> int:
    """The chance, in 1,024ths, that no unknown card fits, from their count and from how many of 16 numbers do not."""
    chance = 1024
    for _ in range(min(cards, 6)):
        chance = chance * refused * 13 // (16 * HIGHEST)  # about 13 cards in 16 are numbers
    return chance


@helper
def open_cards_that_fit(e: Edition, v: KarmaView, seat: int, low: int, high: int) -> int:
    """How many face-up cards at a place go on a pile that asks for this; NONE if no card lies face up."""
    lying = 0
    fitting = 0
    for place in range(PLACES):
        kind = v.face_up[seat][place]
        if kind != NONE:
            lying += 1
            number = e.number[kind]
            if number == 0 or low <= number <= high:
                fitting += 1
    return fitting if lying > 0 else NONE


@helper
def speaks_for_powers(e: Edition, v: KarmaView, kind: int, count: int, w: Weights) -> int:
    """What the card's powers would do for the player now."""
    total = 0
    for i in range(e.powers_of[kind]):
        power = e.powers[kind][i]
        code = code_of(power)
        if code == GIVE_PILE:
            total += w[GIVEN_CARD] * (v.discard_size + (0 if e.leaves[kind] else count))
        elif code == CLEAR_PILE:
            total += w[CLEAR_LATE] if v.draw_size == 0 else w[CLEAR_EARLY]
            total += w[CLEARED_CARD] * v.discard_size
        elif code == EXCHANGE_HANDS:
            total += w[EXCHANGE] * (v.hand_size[v.own_seat] - count - smallest_other_hand(v))
        elif code == CHANGE_SEATS:
            total += w[SEAT] * (burden(e, v, v.own_seat, w) - lightest_other_burden(e, v, w))
        elif code == PLAY_TABLE_CARD:
            total += w[TABLE_CARD]
        elif code == LOSE_TURNS:
            total += w[LOSE_TURN]
        elif code == GIVE_CARDS:
            total += w[GIVE_A_CARD]
        elif code == ROTATE_HANDS:
            step = -1 if first_parameter(power) == LEFT else 1
            to_come = (v.own_seat + step + v.players) % v.players
            total += w[PASS_HANDS] * (v.hand_size[v.own_seat] - count - v.hand_size[to_come])
    return total


@helper
def speaks_for_flip(e: Edition, v: KarmaView, place: int) -> int:
    """A card known to fit, else one nobody knows; one known not to fit is worse than picking up."""
    if is_known_to_fit(e, v, place) or v.power == PLAY_TABLE_CARD:
        return 20_000
    kind = v.face_down[v.own_seat][place]
    return 10_000 if kind == UNSEEN or fits(e, v, kind) else -20_000


# ---------------------------------------------------------------- Choosing a player


@helper
def speaks_for_choosing(e: Edition, v: KarmaView, player: int, w: Weights) -> int:
    """Whoever is nearest to going out; for a better hand or place, whoever has it."""
    seat = v.seat_of[player]
    if v.power == EXCHANGE_HANDS:
        return -100 * v.hand_size[seat] - v.cards_left[seat]
    if v.power == CHANGE_SEATS:
        return -burden(e, v, seat, w)
    cards = w[OUT_COUNTS_AS] if v.out[player] else v.cards_left[seat]
    return -10 * cards - v.lost_turns[player]


@helper
def burden(e: Edition, v: KarmaView, seat: int, w: Weights) -> int:
    """How much lies at a place that must still be played: cards, and more for low ones that lie open."""
    total = 10 * v.cards_left[seat]
    for place in range(PLACES):
        if v.face_up[seat][place] != NONE:
            total -= worth(e, v.face_up[seat][place], w) // 4
    return total


@helper
def lightest_other_burden(e: Edition, v: KarmaView, w: Weights) -> int:
    """The burden of the best place among the others."""
    least = NONE
    for seat in range(v.players):
        if seat != v.own_seat:
            other = burden(e, v, seat, w)
            if least == NONE or other < least:
                least = other
    return least


@helper
def smallest_other_hand(v: KarmaView) -> int:
    """How many cards the smallest hand among the others has."""
    least = NONE
    for seat in range(v.players):
        if seat != v.own_seat and (least == NONE or v.hand_size[seat] < least):
            least = v.hand_size[seat]
    return least
