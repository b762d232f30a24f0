"""The rules of SET and of 20/20 SET, in the order of the rules page. No variant is named here: they are data.

`v` is the Variant, `t` the Table, `tape` records the events, `at` is the time of the move in milliseconds.
Moves are trusted: `refusals.py` has checked them. The cards themselves (S1–S5) are in `cards.py` and `variants.py`.
"""

from typing import Final

from threefold.clauses import clause, helper
from threefold.setgame.card_handling import (
    discard_card,
    lay_card,
    lay_personal_card,
    next_card,
    pick_up,
    put_in_deck,
    reshuffle,
    shuffle_in,
)
from threefold.setgame.cards import completes
from threefold.setgame.search import somebody_can_take
from threefold.setgame.table import (
    A_POINT,
    AGREED,
    ALL_LEFT,
    GOES_ON,
    LAST_ONE_LEFT,
    NO_MORE_CARDS,
    NO_SET_LEFT,
    NONE,
    NOWHERE,
    PLACES,
    TARGET_REACHED,
    Table,
    Tape,
    Variant,
    has_personal_cards,
    no_card_is_left,
    takes_turns_dealing,
)
from threefold.setgame.tape import (
    AGREED_NO_SET,
    AGREEMENT_TIMED,
    AGREEMENT_WITHDRAWN,
    ALL_AGREED,
    ALL_CARDS,
    ASKED,
    CALL_FAILED,
    CALLED,
    CAME_BACK,
    CARDS_MOVED,
    CENTRE_REMOVED,
    DEAL_BEGAN,
    DEAL_ENDED,
    GAME_ENDED,
    GAVE_UP,
    HAND_WON,
    LEFT,
    LEFT_TABLE,
    MOVED,
    NO_PENALTY_CARD,
    PENALTY,
    PENALTY_ADDED,
    PENALTY_WORKED_OFF,
    PERSONAL_CARD_GIVEN,
    PERSONAL_CARDS_DEALT,
    POINT_LOST,
    REMOVED_AND_DISCARDED,
    REMOVED_INTO_DECK,
    RESHUFFLED,
    SET_TAKEN,
    TIME_UP,
    WENT_AWAY,
    WRONG,
    WRONG_SET,
    tell,
    tell_card,
)

AT_ONCE: Final = 3  # cards laid at a time, and cards of a SET
MOST_NEW_CENTRES: Final = 20  # by themselves after one move, then the players are asked again

# ---------------------------------------------------------------- The deal


@clause("S18", "T1", "T10")
def begin_game(v: Variant, t: Table, tape: Tape, players: int, dealer: int) -> None:
    """The players sit down, nobody has a point, and the first dealer deals the shuffled deck."""
    t.players = players
    t.first_dealer = dealer
    t.dealer = dealer
    t.deals = 0
    t.reshuffles = 0
    t.removed_size = 0
    t.penalty = 0
    t.now = 0
    t.ending = GOES_ON
    t.winner = NONE
    for player in range(players):
        t.score[player] = 0
        t.sets[player] = 0
        t.lost[player] = 0
        t.may_call_from[player] = 0
        t.away[player] = 0
        t.left[player] = 0
    deal_cards(v, t, tape)
    see_what_lies(v, t, tape, 0)
    change_centre(v, t, tape)


@clause("S10", "T1")
def deal_cards(v: Variant, t: Table, tape: Tape) -> None:
    """The deck lies shuffled: personal cards one at a time round the table from the dealer's left, then the layout."""
    _clear_the_table(v, t)
    t.deals += 1
    tell(tape, DEAL_BEGAN, t.deals, t.dealer, 0, 0)
    for _ in range(v.personal):
        for i in range(t.players):
            player = (t.dealer + 1 + i) % t.players
            if t.left[player] == 0:
                lay_personal_card(t, player, next_card(t, tape))
    if has_personal_cards(v):
        tell_personal_cards(v, t, tape)
    t.places = v.layout
    for place in range(v.layout):
        lay_card(t, tape, place, next_card(t, tape))


@helper
def _clear_the_table(v: Variant, t: Table) -> None:
    """Takes all cards up; the deck is as it is."""
    for card in range(v.cards):
        t.where[card] = NOWHERE
    for place in range(PLACES):
        t.layout[place] = NONE
    for player in range(t.players):
        t.agreed[player] = 0
        if has_personal_cards(v):
            t.personal_size[player] = 0
            for place in range(v.most_personal):
                t.personal[player][place] = NONE
    t.dealt = 0
    t.deck_size = v.cards
    t.laid = 0
    t.discard_size = 0
    t.taken_size = 0
    t.control = NONE
    t.call_deadline = NONE
    t.agreement_deadline = NONE
    t.next_deal_at = NONE


@helper
def tell_personal_cards(v: Variant, t: Table, tape: Tape) -> None:
    """Names every player's personal cards."""
    for player in range(t.players):
        if t.left[player] == 0:
            tell(tape, PERSONAL_CARDS_DEALT, player, 0, 0, 0)
            for place in range(v.personal):
                card = t.personal[player][place]
                tell_card(tape, card, t.where[card])


# ---------------------------------------------------------------- Calling and taking


@clause("S11", "S13", "T3")
def call(v: Variant, t: Table, tape: Tape, player: int, at: int) -> None:
    """The first call gets control; the caller has a time to finish, and what was agreed is withdrawn."""
    withdraw_agreement(t, tape)
    t.control = player
    t.call_deadline = at + v.call_ms
    tell(tape, CALLED, player, t.call_deadline, 0, 0)


@clause("S11", "S12", "S13", "S22", "T3")
def take(v: Variant, t: Table, tape: Tape, player: int, a: int, b: int, c: int, at: int) -> None:
    """Three cards are named: a SET, or a wrong one. Without a call before it, the take is its own call."""
    if t.control == NONE:
        withdraw_agreement(t, tape)
    if completes(a, b, c):
        take_a_set(v, t, tape, player, a, b, c, at)
    else:
        tell(tape, WRONG_SET, player, 0, 0, 0)
        tell_card(tape, a, t.where[a])
        tell_card(tape, b, t.where[b])
        tell_card(tape, c, t.where[c])
        fail_call(v, t, tape, player, at, WRONG)


@clause("S12", "T4")
def take_a_set(v: Variant, t: Table, tape: Tape, player: int, a: int, b: int, c: int, at: int) -> None:
    """The SET scores, goes to the player or to the discard pile, and the places it lay at are filled."""
    t.control = NONE
    t.call_deadline = NONE
    t.sets[player] += 1
    t.score[player] += v.set_points
    tell(tape, SET_TAKEN, player, v.set_points, t.score[player], 0)
    tell_card(tape, a, t.where[a])
    tell_card(tape, b, t.where[b])
    tell_card(tape, c, t.where[c])
    work_off_penalty(v, t, tape, player)
    put_set_away(v, t, player, a, b, c)
    if has_personal_cards(v) and t.personal_size[player] == 0:
        win_hand(v, t, tape, player, at)
        return
    if t.laid + AT_ONCE > v.layout and not has_personal_cards(v):
        close_ranks(t, tape)
    else:
        fill_gaps(v, t, tape)
    see_what_lies(v, t, tape, at)


@clause("S12", "T4", "T8")
def put_set_away(v: Variant, t: Table, player: int, a: int, b: int, c: int) -> None:
    """The cards go to the player who took them; in 20/20 SET to the common discard pile."""
    if v.set_points > 0:
        t.taken[t.taken_size][0] = a
        t.taken[t.taken_size][1] = b
        t.taken[t.taken_size][2] = c
        t.taken_by[t.taken_size] = player
        t.taken_size += 1
        pick_up(t, a)
        pick_up(t, b)
        pick_up(t, c)
    else:
        discard_card(t, a)
        discard_card(t, b)
        discard_card(t, c)


@clause("S12", "T4", "T8")
def fill_gaps(v: Variant, t: Table, tape: Tape) -> None:
    """New cards go to the same places, the first one to the lowest, as far as the deck goes; then gaps stay."""
    if t.laid == v.layout:
        return
    for place in range(v.layout):
        if t.layout[place] == NONE and (t.deck_size > 0 or has_personal_cards(v)):
            lay_card(t, tape, place, next_card(t, tape))


@clause("S13", "T3")
def fail_call(v: Variant, t: Table, tape: Tape, player: int, at: int, reason: int) -> None:
    """A call with no SET, or a wrong one: it costs a point or brings a card, and the next call must wait."""
    t.control = NONE
    t.call_deadline = NONE
    if v.alone == 0:
        t.may_call_from[player] = at + v.cooldown_ms
    tell(tape, CALL_FAILED, player, reason, t.may_call_from[player], 0)
    if v.wrong_costs == A_POINT:
        t.lost[player] += 1
        t.score[player] -= 1
        tell(tape, POINT_LOST, player, t.score[player], 0, 0)
    elif reason != LEFT_TABLE:
        give_penalty_card(v, t, tape, player)


@clause("S13")
def give_up(v: Variant, t: Table, tape: Tape, player: int, at: int) -> None:
    """The caller may give up, which counts as having none."""
    fail_call(v, t, tape, player, at, GAVE_UP)


@clause("S13", "S14", "S17", "T10")
def time_up(v: Variant, t: Table, tape: Tape, at: int) -> None:
    """Time runs out: for the caller, for those who have not agreed, or for the pause between two deals."""
    if t.control != NONE:
        fail_call(v, t, tape, t.control, at, TIME_UP)
    elif t.agreement_deadline != NONE:
        lay_after_agreement(v, t, tape, at, 1)
    else:
        begin_next_deal(v, t, tape, at)


# ---------------------------------------------------------------- Agreeing that there is none


@clause("S14")
def agree_no_set(v: Variant, t: Table, tape: Tape, player: int, at: int) -> None:
    """Players agree one by one."""
    t.agreed[player] = 1
    tell(tape, AGREED_NO_SET, player, those_who_agree(t), those_who_count(t), 0)
    see_whether_all_agree(v, t, tape, at)


@clause("S14")
def those_who_count(t: Table) -> int:
    """How many players are at the table: not those who are away or have left."""
    count = 0
    for player in range(t.players):
        if t.away[player] == 0 and t.left[player] == 0:
            count += 1
    return count


@clause("S14")
def those_who_agree(t: Table) -> int:
    """How many players have agreed."""
    count = 0
    for player in range(t.players):
        count += t.agreed[player]
    return count


@clause("S14")
def see_whether_all_agree(v: Variant, t: Table, tape: Tape, at: int) -> None:
    """All agree: cards are laid. More than half: the time of the others runs. Half or less: it stops."""
    agree = those_who_agree(t)
    if agree > 0 and agree == those_who_count(t):
        lay_after_agreement(v, t, tape, at, 0)
    elif silence_counts(v, t):
        if t.agreement_deadline == NONE:
            t.agreement_deadline = at + v.agreement_ms
            tell(tape, AGREEMENT_TIMED, t.agreement_deadline, 0, 0, 0)
    elif t.agreement_deadline != NONE:
        t.agreement_deadline = NONE
        tell(tape, AGREEMENT_TIMED, NONE, 0, 0, 0)


@clause("S14")
def silence_counts(v: Variant, t: Table) -> bool:
    """Once more than half agree, unless the table has turned it off; never with an empty deck, where it ends a game."""
    return v.agreement_ms != NONE and t.deck_size > 0 and 2 * those_who_agree(t) > those_who_count(t)


@clause("S14", "T6")
def withdraw_agreement(t: Table, tape: Tape) -> None:
    """A call or a change of the layout withdraws what was agreed."""
    if those_who_agree(t) > 0:
        for player in range(t.players):
            t.agreed[player] = 0
        t.agreement_deadline = NONE
        tell(tape, AGREEMENT_WITHDRAWN, 0, 0, 0, 0)


@clause("S14", "S16", "T7")
def lay_after_agreement(v: Variant, t: Table, tape: Tape, at: int, by_time: int) -> None:
    """Agreement stands even where a SET was there: three more cards, a new centre, or with an empty deck the end."""
    for player in range(t.players):
        t.agreed[player] = 0
    t.agreement_deadline = NONE
    tell(tape, ALL_AGREED, by_time, 0, 0, 0)
    if has_personal_cards(v):
        lay_new_centre(v, t, tape)
    elif t.deck_size > 0:
        lay_three_more(t, tape)
        see_what_lies(v, t, tape, at)
    else:
        end_deal(v, t, tape, at, AGREED)


@clause("S14", "S15")
def lay_three_more(t: Table, tape: Tape) -> None:
    """Three more cards are laid behind the others, or as many as there are: 15, 18, 21."""
    for _ in range(min(AT_ONCE, t.deck_size)):
        t.places += 1
        lay_card(t, tape, t.places - 1, next_card(t, tape))


@clause("S14", "S16")
def see_what_lies(v: Variant, t: Table, tape: Tape, at: int) -> None:
    """The table sees by itself that no SET is left once the deck is empty; if it deals by itself, also before."""
    if has_personal_cards(v):
        return
    while v.auto_deal == 1 and t.deck_size > 0 and not somebody_can_take(t, 0):
        lay_three_more(t, tape)
    if t.deck_size == 0 and not somebody_can_take(t, 0):
        end_deal(v, t, tape, at, NO_SET_LEFT)


@clause("S15")
def close_ranks(t: Table, tape: Tape) -> None:
    """Above the table's layout nothing is replaced: what is left of the last three places moves into the gaps."""
    t.places -= AT_ONCE
    announced = False
    gap = 0
    for place in range(t.places, t.places + AT_ONCE):
        card = t.layout[place]
        if card == NONE:
            continue
        while t.layout[gap] != NONE:
            gap += 1
        t.layout[place] = NONE
        t.layout[gap] = card
        t.where[card] = gap
        if not announced:
            tell(tape, CARDS_MOVED, 0, 0, 0, 0)
            announced = True
        tell(tape, MOVED, card, place, gap, 0)


# ---------------------------------------------------------------- The end, and the longer game


@clause("S16", "S17")
def end_deal(v: Variant, t: Table, tape: Tape, at: int, reason: int) -> None:
    """What remains lies. The deal passes on, or the game is over."""
    if takes_turns_dealing(v) and next_dealer(v, t) != NONE:
        tell(tape, DEAL_ENDED, reason, t.deals, 0, 0)
        wait_for_next_deal(v, t, at)
    else:
        end_game(t, tape, reason, NONE)


@clause("S17", "T10")
def next_dealer(v: Variant, t: Table) -> int:
    """The deal passes to the left, past those who have left; NONE when everybody has dealt and no more is needed."""
    player = t.dealer
    while True:
        player = (player + 1) % t.players
        if v.every_player_deals == 1 and player == t.first_dealer:
            return NONE
        if t.left[player] == 0:
            return player


@clause("T9")
def wait_for_next_deal(v: Variant, t: Table, at: int) -> None:
    """Between two deals nothing can be called. The pause is as long as the one after a failed call."""
    t.next_deal_at = at + v.cooldown_ms


@clause("S17")
def see_whether_somebody_deals(v: Variant, t: Table, tape: Tape) -> None:
    """In the pause the game is over as soon as nobody is left to deal, for the reason that ended the last deal."""
    if next_dealer(v, t) == NONE:
        end_game(t, tape, AGREED if somebody_can_take(t, v.most_personal) else NO_SET_LEFT, NONE)


@clause("S17", "T10")
def begin_next_deal(v: Variant, t: Table, tape: Tape, at: int) -> None:
    """All cards are collected and shuffled, and the next player deals."""
    t.dealer = next_dealer(v, t)
    for card in range(v.cards):
        t.deck[card] = card
    reshuffle(t, v.cards)
    tell(tape, RESHUFFLED, ALL_CARDS, v.cards, 0, 0)
    deal_cards(v, t, tape)
    see_what_lies(v, t, tape, at)


@helper
def end_game(t: Table, tape: Tape, reason: int, winner: int) -> None:
    """The game is over; what lies stays, and nothing is awaited any more."""
    t.control = NONE
    t.call_deadline = NONE
    t.agreement_deadline = NONE
    t.next_deal_at = NONE
    for player in range(t.players):
        t.agreed[player] = 0
    t.ending = reason
    t.winner = winner
    tell(tape, GAME_ENDED, reason, winner, 0, 0)


# ---------------------------------------------------------------- Players come and go


@clause("S14")
def go_away(v: Variant, t: Table, tape: Tape, player: int, at: int) -> None:
    """Players who are away do not count; an open call runs on."""
    t.away[player] = 1
    t.agreed[player] = 0
    tell(tape, WENT_AWAY, player, 0, 0, 0)
    see_whether_all_agree(v, t, tape, at)


@clause("S14")
def come_back(v: Variant, t: Table, tape: Tape, player: int, at: int) -> None:
    """A player who is back counts again, and has not agreed."""
    t.away[player] = 0
    tell(tape, CAME_BACK, player, 0, 0, 0)
    see_whether_all_agree(v, t, tape, at)


@clause("S18", "T10")
def leave(v: Variant, t: Table, tape: Tape, player: int, at: int) -> None:
    """Who leaves fails an open call and keeps what was scored; personal cards go to the discard pile."""
    if t.control == player:
        fail_call(v, t, tape, player, at, LEFT_TABLE)
    t.left[player] = 1
    t.away[player] = 0
    t.agreed[player] = 0
    tell(tape, LEFT, player, 0, 0, 0)
    for place in range(v.most_personal):
        card = t.personal[player][place]
        if card != NONE:
            tell_card(tape, card, t.where[card])
            discard_card(t, card)
    stay = 0
    last = NONE
    for each in range(t.players):
        if t.left[each] == 0:
            stay += 1
            last = each
    if stay == 0:
        end_game(t, tape, ALL_LEFT, NONE)
    elif stay == 1 and has_personal_cards(v):
        end_game(t, tape, LAST_ONE_LEFT, last)
    elif t.next_deal_at != NONE:
        see_whether_somebody_deals(v, t, tape)
    else:
        see_whether_all_agree(v, t, tape, at)


# ---------------------------------------------------------------- Solitaire


@clause("S20", "S21")
def lay_more_cards(v: Variant, t: Table, tape: Tape, player: int, at: int) -> None:
    """Alone and no SET found: three more cards for a penalty of one SET. With an empty deck the game ends."""
    if t.deck_size == 0:
        end_game(t, tape, NO_MORE_CARDS, NONE)
        return
    t.penalty += 1
    tell(tape, PENALTY_ADDED, player, t.penalty, 0, 0)
    lay_three_more(t, tape)
    see_what_lies(v, t, tape, at)


@clause("S21")
def penalty_can_be_worked_off(v: Variant, t: Table) -> bool:
    """With the deck empty and no more than the layout lying."""
    return t.penalty > 0 and t.deck_size == 0 and t.laid <= v.layout


@clause("S21")
def work_off_penalty(v: Variant, t: Table, tape: Tape, player: int) -> None:
    """Each SET found then takes off one penalty."""
    if penalty_can_be_worked_off(v, t):
        t.penalty -= 1
        tell(tape, PENALTY_WORKED_OFF, player, t.penalty, 0, 0)


# ---------------------------------------------------------------- 20/20 SET


@clause("T5")
def give_penalty_card(v: Variant, t: Table, tape: Tape, player: int) -> None:
    """A wrong call brings one more personal card; with nine there is none."""
    if t.personal_size[player] == v.most_personal or no_card_is_left(t):
        tell(tape, NO_PENALTY_CARD, player, 0, 0, 0)
    else:
        give_personal_card(t, tape, player, PENALTY)


@clause("T6")
def ask_for_card(t: Table, tape: Tape, player: int) -> None:
    """A player may ask for one more personal card; it withdraws agreement."""
    withdraw_agreement(t, tape)
    give_personal_card(t, tape, player, ASKED)


@helper
def give_personal_card(t: Table, tape: Tape, player: int, reason: int) -> None:
    """The next card goes to the player. There is one: `no_card_is_left` is asked first."""
    card = next_card(t, tape)
    lay_personal_card(t, player, card)
    tell(tape, PERSONAL_CARD_GIVEN, player, reason, 0, 0)
    tell_card(tape, card, t.where[card])


@clause("T7", "T8")
def lay_new_centre(v: Variant, t: Table, tape: Tape) -> None:
    """The centre is removed, new cards are laid, and the removed cards are shuffled into the deck.

    The discard pile joins them if the deck did not hold more than a centre, or two centres could alternate for ever.
    """
    discard_pile_joins = t.deck_size <= v.layout
    tell(tape, CENTRE_REMOVED, 0, 0, 0, 0)
    t.removed_size = 0
    for place in range(v.layout):
        card = t.layout[place]
        tell_card(tape, card, place)
        pick_up(t, card)
        t.removed[t.removed_size] = card
        t.removed_size += 1
    for place in range(v.layout):
        lay_card(t, tape, place, next_card(t, tape))
    put_in_deck(t, t.removed, t.removed_size)
    t.removed_size = 0
    if discard_pile_joins and t.discard_size > 0:
        shuffle_in(t, t.discard, t.discard_size)
        t.discard_size = 0
        tell(tape, RESHUFFLED, REMOVED_AND_DISCARDED, t.deck_size, 0, 0)
    else:
        shuffle_in(t, t.removed, 0)
        tell(tape, RESHUFFLED, REMOVED_INTO_DECK, t.deck_size, 0, 0)


@clause("S14", "T7")
def change_centre(v: Variant, t: Table, tape: Tape) -> None:
    """A table that deals by itself changes the centre while nobody can make a SET, up to twenty times after a move."""
    if v.auto_deal == 0 or not has_personal_cards(v):
        return
    if t.ending != GOES_ON or t.control != NONE or t.next_deal_at != NONE:
        return
    tries = 0
    while tries < MOST_NEW_CENTRES and not somebody_can_take(t, v.most_personal):
        withdraw_agreement(t, tape)
        lay_new_centre(v, t, tape)
        tries += 1


@clause("T9", "T10")
def win_hand(v: Variant, t: Table, tape: Tape, player: int, at: int) -> None:
    """The first without personal cards scores one point for each that the others hold; the hand ends there."""
    points = 0
    for other in range(t.players):
        points += t.personal_size[other]
    t.score[player] += points
    tell(tape, HAND_WON, player, points, t.score[player], t.deals)
    if t.score[player] >= v.target_per_player * t.players:
        end_game(t, tape, TARGET_REACHED, player)
    else:
        wait_for_next_deal(v, t, at)
