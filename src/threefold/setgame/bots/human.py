"""SET `human1` … `human5`: players who look for SETs as people do, from beginner to expert.

The model. Each SET within reach would be seen after a time that is exponential, like a bus that may come any moment;
its mean is half the level's search time, and as much again for each feature in which the cards differ, and it grows
with every card beyond twelve. Some SETs are overlooked, those that differ in more features more easily: they are seen
at a second look only, when patience has run out. The SET seen first is called, and calling takes a hand's time. Whoever
has seen none when patience runs out agrees that there is none, or alone wants more cards; with the chance of a slip
they call all the same. Having called, a person names an easy SET; with the chance of a slip it is three cards that
miss by one feature.

An exponential time has no memory, so a person may well think anew whenever the table changes: nothing is lost by it.

    level              1      2      3      4      5
    search time      40 s   26 s   16 s    9 s   4.5 s    to see a SET that differs in one feature, among twelve cards
    overlooked       30 %   20 %   12 %    6 %    2 %     of those SETs; 2.5 times as many where all features differ
    slips            12 %    8 %    5 %    3 %    1 %
    patience         45 s   35 s   26 s   18 s   11 s     on average
    hand            1.1 s  0.95 s  0.8 s  0.65 s  0.5 s
"""

import math
from typing import Final

from threefold.clauses import helper
from threefold.setgame.bot_view import SetView
from threefold.setgame.bots.sense import SetChoice, decide, give_in
from threefold.setgame.cards import CARD_VALUES, third_card
from threefold.setgame.moves import CALL, GIVE_UP, take_of
from threefold.shuffle import Random, below

HUMAN_LEVELS: Final = 5
# By level, from 1 up.
SEARCH_MS: Final = (40_000, 26_000, 16_000, 9_000, 4_500)
OVERLOOKED: Final = (30, 20, 12, 6, 2)  # in a hundred
SLIPS: Final = (12, 8, 5, 3, 1)  # in a hundred
PATIENCE_MS: Final = (45_000, 35_000, 26_000, 18_000, 11_000)
HAND_MS: Final = (1_100, 950, 800, 650, 500)

STEPS: Final = 256
FORTIETHS: Final = 40
EXPONENTIAL: Final = bytes(round(-FORTIETHS * math.log(1 - (i + 0.5) / STEPS)) for i in range(STEPS))
"""Quantiles of a waiting time, in fortieths of its mean: a table, so that both speeds draw the same numbers."""
DIFFERING: Final = bytes(sum(x != y for x, y in zip(a, b, strict=True)) for a in CARD_VALUES for b in CARD_VALUES)
"""In how many features two cards differ, in rows of 81; for two cards of a SET, in how many all three do."""
FAR: Final = 1 << 60


@helper
def human_choice(level: int, v: SetView, random: Random, choice: SetChoice) -> None:
    """What a person of this level (0 to 4) does next, and when."""
    if v.has_control == 1:
        decide(choice, human_take(level, v, random), HAND_MS[level] + below(random, HAND_MS[level]))
        return
    patience = PATIENCE_MS[level] // 2 + PATIENCE_MS[level] * EXPONENTIAL[below(random, STEPS)] // (2 * FORTIETHS)
    seen_after = FAR
    take = 0
    for i in range(v.cards_within_reach - 2):
        for j in range(i + 1, v.cards_within_reach - 1):
            third = third_card(v.card[i], v.card[j])
            if v.at[third] > j:
                features = DIFFERING[81 * v.card[i] + v.card[j]]
                after = search_time(level, v, features, random)
                if below(random, 100) < OVERLOOKED[level] * (1 + features) // 2:
                    after += patience
                if after < seen_after:
                    seen_after = after
                    take = take_of(v.card[i], v.card[j], third)
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
def search_time(level: int, v: SetView, features: int, random: Random) -> int:
    """When a person would see this SET, in milliseconds: later the more features differ and the more cards lie."""
    mean = SEARCH_MS[level] * (1 + features) // 2 * max(12, v.cards_within_reach) // 12
    return mean * EXPONENTIAL[below(random, STEPS)] // FORTIETHS


@helper
def human_take(level: int, v: SetView, random: Random) -> int:
    """The SET that was called: an easy one, as those are seen first; or a slip."""
    best = 0
    least = FAR
    for i in range(v.cards_within_reach - 2):
        for j in range(i + 1, v.cards_within_reach - 1):
            third = third_card(v.card[i], v.card[j])
            if v.at[third] > j:
                after = search_time(level, v, DIFFERING[81 * v.card[i] + v.card[j]], random)
                if after < least:
                    least = after
                    best = take_of(v.card[i], v.card[j], third)
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
                if DIFFERING[81 * third + c] == 1:
                    return take_of(a, b, c)
    return 0
