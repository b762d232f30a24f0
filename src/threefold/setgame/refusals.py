"""Which moves the table accepts now, and for each that it does not, the clause and the sentence that say why.

`refusal` runs at both speeds and gives a number; `REFUSALS` gives that number its clause and its words.
"""

from typing import Final

from threefold.clauses import clause, helper
from threefold.setgame.moves import (
    AGREE_NO_SET,
    CALL,
    COME_BACK,
    GIVE_UP,
    GO_AWAY,
    LEAVE,
    MORE_CARDS,
    MOST_CARDS,
    TAKE,
    TIME_UP,
    card_in,
    what_of,
)
from threefold.setgame.search import index_within_reach, is_found, makes_a_set
from threefold.setgame.table import (
    AS_CHOSEN,
    GOES_ON,
    NONE,
    NOWHERE,
    PERSONAL_FROM,
    PREVIOUS_FROM,
    Table,
    Variant,
    has_personal_cards,
    no_card_is_left,
)

ACCEPTED: Final = 0
TIME_WENT_BACK: Final = 1
GAME_IS_OVER: Final = 2
HAS_LEFT: Final = 3
IS_AWAY: Final = 4
BETWEEN_DEALS: Final = 5
SOMEBODY_HAS_CONTROL: Final = 6
HAS_CALLED: Final = 7
NO_CALL_ALONE: Final = 8
CALL_BY_TAKING: Final = 9
TOO_SOON: Final = 10
NOT_CALLED: Final = 11
TIME_IS_OVER: Final = 12
NOT_IN_DECK: Final = 13
NOT_DIFFERENT: Final = 14
TAKEN: Final = 15
NOT_YOURS: Final = 16
NO_AGREEMENT_ALONE: Final = 17
AGREED_ALREADY: Final = 18
ALWAYS_A_SET: Final = 19
ONLY_ALONE: Final = 20
NO_PERSONAL_CARDS: Final = 21
MOST_PERSONAL: Final = 22
NOTHING_RUNS: Final = 23
NOT_YET: Final = 24
AWAY_ALREADY: Final = 25
NOT_AWAY: Final = 26
NO_CARD_LEFT: Final = 27
WRONG_NUMBER: Final = 28
FOUND_ALREADY: Final = 29
NOT_IN_CHAIN: Final = 30
GAME_TIME_IS_OVER: Final = 31

REFUSALS: Final = {
    TIME_WENT_BACK: (None, None, "time_went_back"),
    GAME_IS_OVER: ("S16", "T10", "game_is_over"),
    HAS_LEFT: ("S18", "T10", "has_left"),
    IS_AWAY: ("S14", "S14", "is_away"),
    BETWEEN_DEALS: ("S17", "T9", "between_deals"),
    SOMEBODY_HAS_CONTROL: ("S11", "T3", "somebody_has_control"),
    HAS_CALLED: ("S13", "T3", "has_called"),
    NO_CALL_ALONE: ("S22", "S22", "no_call_alone"),
    CALL_BY_TAKING: ("S11", "S11", "call_by_taking"),
    TOO_SOON: ("S13", "S13", "too_soon"),
    NOT_CALLED: ("S11", "S11", "not_called"),
    TIME_IS_OVER: ("S13", "S13", "time_is_over"),
    NOT_IN_DECK: ("S12", "S12", "not_in_deck"),
    NOT_DIFFERENT: ("S12", "S12", "not_different"),
    TAKEN: ("S12", "S12", "taken"),
    NOT_YOURS: ("T2", "T2", "not_yours"),
    NO_AGREEMENT_ALONE: ("S20", "S20", "no_agreement_alone"),
    AGREED_ALREADY: ("S14", "S14", "agreed_already"),
    ALWAYS_A_SET: ("S15", "S15", "always_a_set"),
    ONLY_ALONE: ("S20", "S20", "only_alone"),
    NO_PERSONAL_CARDS: ("T6", "T6", "no_personal_cards"),
    MOST_PERSONAL: ("T6", "T6", "most_personal"),
    NOTHING_RUNS: ("S13", "S13", "nothing_runs"),
    NOT_YET: ("S13", "S13", "not_yet"),
    AWAY_ALREADY: ("S14", "S14", "away_already"),
    NOT_AWAY: ("S14", "S14", "not_away"),
    NO_CARD_LEFT: ("T8", "T8", "no_card_left"),
    WRONG_NUMBER: ("S12", "S12", "not_three_cards"),
    FOUND_ALREADY: ("M42", "M42", "found_already"),
    NOT_IN_CHAIN: ("M31", "M31", "not_in_chain"),
    GAME_TIME_IS_OVER: ("M11", "M11", "game_time_is_over"),
}
"""Refusal -> the clause that forbids the move, the one with personal cards, and the key of the sentence."""


@helper
def refusal(v: Variant, t: Table, player: int, move: int, at: int) -> int:
    """Why the table refuses this move at this time; ACCEPTED if it does not."""
    what = what_of(move)
    if at < t.now:
        return TIME_WENT_BACK
    if t.ending != GOES_ON:
        return GAME_IS_OVER
    if what == TIME_UP:
        return why_time_is_not_up(v, t, at)
    if t.left[player] == 1:
        return HAS_LEFT
    if what == GO_AWAY:
        return AWAY_ALREADY if t.away[player] == 1 else ACCEPTED
    if what == COME_BACK:
        return ACCEPTED if t.away[player] == 1 else NOT_AWAY
    if what == LEAVE:
        return ACCEPTED
    if t.away[player] == 1:
        return IS_AWAY
    if 0 < v.time_ms < at:
        return GAME_TIME_IS_OVER
    if t.next_deal_at != NONE:
        return BETWEEN_DEALS
    if t.control != NONE and t.control != player:
        return SOMEBODY_HAS_CONTROL
    if what == TAKE:
        return why_no_take(v, t, player, move, at)
    if what == GIVE_UP:
        return ACCEPTED if t.control == player else NOT_CALLED
    if t.control == player:
        return HAS_CALLED
    if what == CALL:
        return why_no_call(v, t, player, at)
    if what == AGREE_NO_SET:
        return why_no_agreement(v, t, player)
    if what == MORE_CARDS:
        return why_no_more_cards(v, t)
    return why_no_personal_card(v, t, player)


@clause("S13", "S14")
def why_time_is_not_up(v: Variant, t: Table, at: int) -> int:
    """Time is up from the deadline on: of the call, of the agreement, or of the pause between deals."""
    deadline = deadline_of(v, t)
    if deadline == NONE:
        return NOTHING_RUNS
    return NOT_YET if at < deadline else ACCEPTED


@clause("S13", "S14", "T9", "M11")
def deadline_of(v: Variant, t: Table) -> int:
    """The deadline that comes first, or NONE."""
    deadline = t.next_deal_at
    if t.call_deadline != NONE:
        deadline = t.call_deadline
    elif t.agreement_deadline != NONE:
        deadline = t.agreement_deadline
    if v.time_ms > 0 and (deadline == NONE or v.time_ms <= deadline):
        return v.time_ms
    return deadline


@clause("S11", "S13", "S22")
def why_no_call(v: Variant, t: Table, player: int, at: int) -> int:
    """Alone nobody calls; where a take is its own call neither; and not too soon after a failed call."""
    if v.alone == 1:
        return NO_CALL_ALONE
    if v.call_first == 0:
        return CALL_BY_TAKING
    return TOO_SOON if at < t.may_call_from[player] else ACCEPTED


@clause("S11", "S12", "S13", "T2")
def why_no_take(v: Variant, t: Table, player: int, move: int, at: int) -> int:
    """A take needs the call, its time, and three different cards within reach; what they are is judged later."""
    if v.call_first == 1 and t.control == NONE:
        return NOT_CALLED
    if t.control == player and at > t.call_deadline:
        return TIME_IS_OVER
    if t.control == NONE and at < t.may_call_from[player]:
        return TOO_SOON
    if card_in(move, v.set_size - 1) < 0 or (v.set_size < MOST_CARDS and card_in(move, v.set_size) >= 0):
        return WRONG_NUMBER
    for i in range(v.set_size):
        if not v.first_card <= card_in(move, i) < v.first_card + v.cards:
            return NOT_IN_DECK
    for i in range(1, v.set_size):
        for j in range(i):
            if card_in(move, i) == card_in(move, j):
                return NOT_DIFFERENT
    for i in range(v.set_size):
        if t.where[card_in(move, i)] == NOWHERE:
            return TAKEN
    for i in range(v.set_size):
        if index_within_reach(t, player, card_in(move, i)) == NONE:
            return NOT_YOURS
    if t.previous_size > 0 and not continues_chain(v, t, move):
        return NOT_IN_CHAIN
    if v.stays == 1 and makes_a_set(v.set_size, move) and is_found(v.set_size, move, t.taken, t.taken_size):
        return FOUND_ALREADY
    return ACCEPTED


@clause("M31")
def continues_chain(v: Variant, t: Table, move: int) -> bool:
    """Is exactly one of the cards of the previous SET?"""
    previous = 0
    for i in range(v.set_size):
        if PREVIOUS_FROM <= t.where[card_in(move, i)] < PERSONAL_FROM:
            previous += 1
    return previous == 1


@clause("S14", "S15", "S20")
def why_no_agreement(v: Variant, t: Table, player: int) -> int:
    """Once each, not alone, and not where there must be a SET."""
    if v.alone == 1:
        return NO_AGREEMENT_ALONE
    if t.agreed[player] == 1:
        return AGREED_ALREADY
    return ALWAYS_A_SET if no_more_may_be_laid(v, t) else ACCEPTED


@clause("S15", "M2")
def no_more_may_be_laid(v: Variant, t: Table) -> bool:
    """21 cards always hold a SET, so no more are laid while the deck has cards. Most modes have always one."""
    if v.more != AS_CHOSEN:
        return True
    return not has_personal_cards(v) and t.laid >= v.most_laid and t.deck_size > 0


@clause("S15", "S20")
def why_no_more_cards(v: Variant, t: Table) -> int:
    """Only alone, and not where there must be a SET."""
    if v.alone == 0:
        return ONLY_ALONE
    return ALWAYS_A_SET if no_more_may_be_laid(v, t) else ACCEPTED


@clause("T6", "T8")
def why_no_personal_card(v: Variant, t: Table, player: int) -> int:
    """Only where there are personal cards, up to nine, and while there is a card to give."""
    if not has_personal_cards(v):
        return NO_PERSONAL_CARDS
    if t.personal_size[player] >= v.most_personal:
        return MOST_PERSONAL
    return NO_CARD_LEFT if no_card_is_left(t) else ACCEPTED
