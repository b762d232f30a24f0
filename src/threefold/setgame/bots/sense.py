"""Common steps of all SET policies: find SETs among the cards within reach, and give in when there is none."""

from dataclasses import dataclass

from threefold.clauses import helper
from threefold.setgame.bot_view import SetView, next_open_set
from threefold.setgame.moves import AGREE_NO_SET, ASK_FOR_CARD, GIVE_UP, MORE_CARDS, card_in
from threefold.shuffle import Random, below


@dataclass(slots=True)
class SetChoice:
    """The choice of a policy: nothing, or a move after some time."""

    acts: int
    move: int
    after_ms: int


@helper
def decide(choice: SetChoice, move: int, after_ms: int) -> None:
    """The policy wants to do this."""
    choice.acts = 1
    choice.move = move
    choice.after_ms = after_ms


@helper
def count_sets(v: SetView) -> int:
    """How many SETs are within reach."""
    sets = 0
    take = next_open_set(v, 0)
    while take != 0:
        sets += 1
        take = next_open_set(v, take)
    return sets


@helper
def set_number(v: SetView, n: int) -> int:
    """The take of the SET with this number, counted from 0 in the order of the cards; 0 if there are fewer."""
    take = next_open_set(v, 0)
    while take != 0 and n > 0:
        n -= 1
        take = next_open_set(v, take)
    return take


@helper
def set_with_most_personal_cards(v: SetView) -> int:
    """The take of the SET that uses most of one's own cards, the first of them; 0 if there is none."""
    best = next_open_set(v, 0)
    if v.of_the_layout == v.cards_within_reach or v.chained == 1:
        return best
    most = -1
    take = best
    while take != 0:
        own = 0
        for i in range(v.set_size):
            own += personal_cards(v, v.at[card_in(take, i)])
        if own > most:
            most = own
            best = take
        take = next_open_set(v, take)
    return best


@helper
def personal_cards(v: SetView, i: int) -> int:
    """1 if this card within reach is one's own, 0 if it lies in the layout."""
    return 1 if i >= v.of_the_layout else 0


@helper
def give_in(v: SetView, random: Random, choice: SetChoice, after_ms: int) -> None:
    """No SET to be seen: agree, alone want more cards, or as a caller give up. Nothing, if none of these is open."""
    if v.may_give_up == 1:
        decide(choice, GIVE_UP, after_ms)
    elif v.may_want_more == 1:
        decide(choice, MORE_CARDS, after_ms)
    elif v.may_agree == 1:
        decide(choice, AGREE_NO_SET, after_ms)
    elif v.may_ask == 1 and below(random, 4) == 0:
        decide(choice, ASK_FOR_CARD, after_ms)


@helper
def holds(take: int, count: int, card: int) -> bool:
    """Is the card among the first `count` of the take?"""
    for i in range(count):
        if card_in(take, i) == card:
            return True
    return False
