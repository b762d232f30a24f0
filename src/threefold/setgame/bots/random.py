"""SET `random`: sees the SETs, but takes any of them, and now and then does something foolish.

One take in eight names cards at random; one time in sixteen it wants more cards, asks or agrees although there
is a SET. It acts after one to three seconds.
"""

from threefold.clauses import helper
from threefold.setgame.bot_view import SetView
from threefold.setgame.bots.sense import SetChoice, count_sets, decide, give_in, holds, set_number
from threefold.setgame.moves import CALL, GIVE_UP, TAKE, with_card
from threefold.setgame.search import is_found
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
    """Any of the SETs; one time in eight, or without a SET, cards at random, or giving up."""
    sets = count_sets(v)
    if sets > 0 and below(random, 8) > 0:
        return set_number(v, below(random, sets))
    if v.may_give_up == 1 and below(random, 2) == 0:
        return GIVE_UP
    take = any_cards(v, random)
    while is_found(v.set_size, take, v.found, v.found_size):
        take = any_cards(v, random)
    return take


@helper
def any_cards(v: SetView, random: Random) -> int:
    """Different cards within reach; in a chain one of the previous SET is the last."""
    n = v.of_the_layout if v.chained == 1 else v.cards_within_reach
    size = v.set_size - v.chained
    a = below(random, n)
    take = with_card(with_card(TAKE, 0, v.card[a]), 1, v.card[(a + 1 + below(random, n - 1)) % n])
    for i in range(2, size):
        card = v.card[below(random, n)]
        while holds(take, i, card):
            card = v.card[below(random, n)]
        take = with_card(take, i, card)
    if v.chained == 1:
        take = with_card(take, size, v.card[n + below(random, v.cards_within_reach - n)])
    return take
