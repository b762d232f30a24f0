"""SET `random`: sees the SETs, but takes any of them, and now and then does something foolish.

One take in eight names three cards at random; one time in sixteen it wants more cards, asks or agrees although there
is a SET. It acts after one to three seconds.
"""

from threefold.clauses import helper
from threefold.setgame.bot_view import SetView
from threefold.setgame.bots.sense import SetChoice, count_sets, decide, give_in, set_number
from threefold.setgame.moves import CALL, GIVE_UP, take_of
from threefold.shuffle import Random, below


@helper
def random_choice(v: SetView, random: Random, choice: SetChoice) -> None:
    """Mostly a SET, sometimes not."""
    after = 1_000 + below(random, 2_000)
    if v.has_control == 1:
        decide(choice, any_take(v, random), after // 2)
        return
    sets = count_sets(v)
    if sets == 0 or below(random, 16) == 0:
        give_in(v, random, choice, after)
        if choice.acts == 1 or sets == 0:
            return
    if v.may_call == 1:
        decide(choice, CALL, after + v.wait_ms)
    elif v.may_take == 1:
        decide(choice, any_take(v, random), after + v.wait_ms)


@helper
def any_take(v: SetView, random: Random) -> int:
    """Any of the SETs; one time in eight, or without a SET, three cards at random, or giving up."""
    sets = count_sets(v)
    if sets > 0 and below(random, 8) > 0:
        return set_number(v, below(random, sets))
    if v.may_give_up == 1 and below(random, 2) == 0:
        return GIVE_UP
    n = v.cards_within_reach
    a = below(random, n)
    b = (a + 1 + below(random, n - 1)) % n
    c = below(random, n)
    while c == a or c == b:
        c = below(random, n)
    return take_of(v.card[a], v.card[b], v.card[c])
