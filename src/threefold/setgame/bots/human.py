"""SET `human1` … `human5`: players who look for SETs as people do, from beginner to expert.

How fast they are, and what that is based on, is in `setgame/pace.py`: a race of independent searches, one per SET. The
SET seen first is called, and calling takes a hand's time. A player who has seen none when patience runs out agrees that
there is none, or alone wants more cards; with the chance of a slip the player calls all the same. Having called, a
player names an easy SET; with the chance of a slip it is three cards that miss by one feature.
"""

import math
from typing import Final

from threefold.clauses import helper
from threefold.setgame.bot_view import SetView
from threefold.setgame.bots.sense import SetChoice, decide, give_in
from threefold.setgame.cards import FULL_DECK, third_card
from threefold.setgame.moves import CALL, GIVE_UP, take_of
from threefold.setgame.pace import (
    DIFFERING,
    HAND_MS,
    PACES,
    PATIENCE_MS,
    SLIPS,
    VALUE_COUNTS,
    mean_time_to_see,
    most_frequent_values,
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
        counts += VALUE_COUNTS[v.card[i]]
    frequent = most_frequent_values(counts)
    for i in range(v.cards_within_reach - 2):
        for j in range(i + 1, v.cards_within_reach - 1):
            third = third_card(v.card[i], v.card[j])
            if v.at[third] > j:
                mean = mean_time_to_see(level, v.card[i], v.card[j], frequent, v.cards_within_reach)
                after = waiting_time(mean, random)
                if after < choice.after_ms:
                    choice.after_ms = after
                    choice.move = take_of(v.card[i], v.card[j], third)


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
                if DIFFERING[FULL_DECK * third + c] == 1:
                    return take_of(a, b, c)
    return 0
