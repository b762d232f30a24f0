"""SET `human1` … `human5`: players who look for SETs as people do, from beginner to expert.

How fast they are, and what that is based on, is in `setgame/pace.py`: a race of independent searches, one per SET. The
SET seen first is called, and calling takes a hand's time. A player who has seen none when patience runs out agrees that
there is none, or alone wants more cards; with the chance of a slip the player calls all the same. Having called, a
player names an easy SET; with the chance of a slip it is cards that miss by one feature.
"""

import math
from typing import Final

from threefold.clauses import helper
from threefold.setgame.bot_view import SetView, next_open_set
from threefold.setgame.bots.sense import SetChoice, decide, give_in, holds
from threefold.setgame.cards import third_card
from threefold.setgame.moves import CALL, GIVE_UP, card_in, take_of, with_card
from threefold.setgame.pace import (
    BITS,
    HAND_MS,
    PACES,
    PATIENCE_MS,
    SLIPS,
    differences,
    mean_time_to_see,
    most_frequent_values,
    value_counts,
)
from threefold.shuffle import Random, below

HUMAN_LEVELS: Final = len(PACES)
STEPS: Final = 256
FORTIETHS: Final = 40
EXPONENTIAL: Final = bytes(round(-FORTIETHS * math.log(1 - (i + 0.5) / STEPS)) for i in range(STEPS))
"""Quantiles of a waiting time, in fortieths of its mean: a table, so that both speeds draw the same numbers."""
FAR: Final = 1 << 60


@helper
def human_choice(level: int, v: SetView, random: Random, choice: SetChoice) -> None:
    """What a person of this level (0 to 4) does next, and when."""
    if v.has_control == 1:
        decide(choice, human_take(level, v, random, choice), HAND_MS[level] + below(random, HAND_MS[level]))
        return
    patience = PATIENCE_MS[level] // 2 + waiting_time(PATIENCE_MS[level] // 2, random)
    race(level, v, random, choice)
    take = choice.move
    seen_after = choice.after_ms
    if seen_after > patience and below(random, 100) < SLIPS[level]:
        seen_after = patience  # believes to see one
        take = a_near_miss(v, random)
    if take == 0 or seen_after > patience:
        give_in(v, random, choice, patience)
        if choice.acts == 1 or take == 0:
            return
    if v.may_call == 1:
        decide(choice, CALL, max(seen_after, v.wait_ms) + HAND_MS[level] // 2)
    elif v.may_take == 1:
        if below(random, 100) < SLIPS[level]:
            miss = a_near_miss(v, random)
            take = take if miss == 0 else miss  # among the last cards there may be none
        decide(choice, take, max(seen_after, v.wait_ms) + HAND_MS[level])


@helper
def race(level: int, v: SetView, random: Random, choice: SetChoice) -> None:
    """The SET that is seen first, and when; the move is 0 if there is none. It decides nothing yet."""
    choice.move = 0
    choice.after_ms = FAR
    counts = 0
    for i in range(v.cards_within_reach):
        counts += value_counts(v.card[i])
    frequent = most_frequent_values(counts)
    take = next_open_set(v, 0)
    while take != 0:
        after = waiting_time(mean_time_to_see(level, v.set_size, take, frequent, v.cards_within_reach), random)
        if after < choice.after_ms:
            choice.after_ms = after
            choice.move = take
        take = next_open_set(v, take)


@helper
def waiting_time(mean: int, random: Random) -> int:
    """An exponential time with this mean."""
    return mean * EXPONENTIAL[below(random, STEPS)] // FORTIETHS


@helper
def human_take(level: int, v: SetView, random: Random, choice: SetChoice) -> int:
    """The SET that was called: an easy one, as those are seen first; or a slip."""
    race(level, v, random, choice)
    best = choice.move
    if best == 0 or below(random, 100) < SLIPS[level]:
        best = a_near_miss(v, random)
    return GIVE_UP if best == 0 else best


@helper
def a_near_miss(v: SetView, random: Random) -> int:
    """Cards that miss being a SET by one feature; 0 if there are none."""
    if v.set_size == 3 and v.chained == 0:
        return three_that_miss(v, random)
    return with_a_wrong_card(v, random)


@helper
def three_that_miss(v: SetView, random: Random) -> int:
    """Three cards that miss being a SET by one feature, looked for from a random card on; 0 if there are none."""
    n = v.cards_within_reach
    start = below(random, n)
    for i in range(n):
        a = v.card[(start + i) % n]
        for j in range(i + 1, n):
            b = v.card[(start + j) % n]
            third = third_card(a, b)
            for k in range(j + 1, n):
                c = v.card[(start + k) % n]
                if BITS[differences(third, c)] == 1:
                    return take_of(a, b, c)
    return 0


@helper
def with_a_wrong_card(v: SetView, random: Random) -> int:
    """A SET whose first card is changed for one that differs in one feature; 0 if there is no such card."""
    take = next_open_set(v, 0)
    if take == 0:
        return 0
    start = below(random, v.of_the_layout)
    for i in range(v.of_the_layout):
        card = v.card[(start + i) % v.of_the_layout]
        if BITS[differences(card, card_in(take, 0))] == 1 and not holds(take, v.set_size, card):
            return with_card(take & ~(511 << 8), 0, card)
    return 0
