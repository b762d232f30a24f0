"""Common steps of all SET policies: find SETs among the cards within reach, and give in when there is none."""

from dataclasses import dataclass

from threefold.clauses import helper
from threefold.setgame.bot_view import SetView
from threefold.setgame.cards import third_card
from threefold.setgame.moves import AGREE_NO_SET, ASK_FOR_CARD, GIVE_UP, MORE_CARDS, take_of
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
    for i in range(v.cards_within_reach - 2):
        for j in range(i + 1, v.cards_within_reach - 1):
            if v.at[third_card(v.card[i], v.card[j])] > j:
                sets += 1
    return sets


@helper
def set_number(v: SetView, n: int) -> int:
    """The take of the SET with this number, counted from 0 in the order of the cards; 0 if there are fewer."""
    for i in range(v.cards_within_reach - 2):
        for j in range(i + 1, v.cards_within_reach - 1):
            third = third_card(v.card[i], v.card[j])
            if v.at[third] > j:
                if n == 0:
                    return take_of(v.card[i], v.card[j], third)
                n -= 1
    return 0


@helper
def set_with_most_personal_cards(v: SetView) -> int:
    """The take of the SET that uses most of one's own cards, the first of them; 0 if there is none."""
    best = 0
    most = -1
    for i in range(v.cards_within_reach - 2):
        for j in range(i + 1, v.cards_within_reach - 1):
            third = third_card(v.card[i], v.card[j])
            if v.at[third] > j:
                own = personal_cards(v, i) + personal_cards(v, j) + personal_cards(v, v.at[third])
                if own > most:
                    most = own
                    best = take_of(v.card[i], v.card[j], third)
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
