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
from threefold.setgame.moves import card_in
from threefold.setgame.refusals import deadline_of
from threefold.setgame.search import makes_a_set, somebody_can_take
from threefold.setgame.table import (
    A_POINT,
    AGREED,
    ALL_FOUND,
    ALL_LEFT,
    FITTING,
    GOES_ON,
    LAST_ONE_LEFT,
    NO_MORE_CARDS,
    NO_SET_LEFT,
    NONE,
    NOWHERE,
    PLACES,
    PREVIOUS_FROM,
    SET_CARDS,
    TARGET_REACHED,
    TIME_OVER,
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
    CHAIN_BROKEN,
    DEAL_BEGAN,
    DEAL_ENDED,
    DISCARD_PILE,
    GAME_ENDED,
    GAVE_UP,
    HAND_WON,
    LAYOUT_DONE,
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
    fill_gaps(v, t, tape)


@helper
def _clear_the_table(v: Variant, t: Table) -> None:
    """Takes all cards up; the deck is as it is."""
    for card in range(v.first_card, v.first_card + v.cards):
        t.where[card] = NOWHERE
    for place in range(PLACES + SET_CARDS):
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
    t.previous_size = 0
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
def take(v: Variant, t: Table, tape: Tape, player: int, move: int, at: int) -> None:
    """Cards are named: a SET, or a wrong one. Without a call before it, the take is its own call."""
    if t.control == NONE:
        withdraw_agreement(t, tape)
    if makes_a_set(v.set_size, move):
        take_a_set(v, t, tape, player, move, at)
    else:
        tell(tape, WRONG_SET, player, 0, 0, 0)
        tell_cards(v, t, tape, move)
        fail_call(v, t, tape, player, at, WRONG)


@helper
def tell_cards(v: Variant, t: Table, tape: Tape, move: int) -> None:
    """Names the cards of a take."""
    for i in range(v.set_size):
        card = card_in(move, i)
        tell_card(tape, card, t.where[card])


@clause("S12", "T4", "M1", "M41")
def take_a_set(v: Variant, t: Table, tape: Tape, player: int, move: int, at: int) -> None:
    """The SET scores, goes to the player or to the discard pile, and the places it lay at are filled."""
    t.control = NONE
    t.call_deadline = NONE
    t.sets[player] += 1
    add_points(v, t, player, v.set_points)
    tell(tape, SET_TAKEN, player, v.set_points, t.score[player], 0)
    tell_cards(v, t, tape, move)
    work_off_penalty(v, t, tape, player)
    lay = t.laid
    if v.stays == 1:
        keep_set(v, t, player, move)
    elif v.chain == 1:
        put_previous_set_away(v, t, move)
    else:
        put_set_away(v, t, player, move)
    if has_personal_cards(v) and t.personal_size[player] == 0:
        win_hand(v, t, tape, player, at)
        return
    if v.goal > 0 and t.score[player] >= v.goal:
        end_game(t, tape, TARGET_REACHED, NONE if v.together == 1 else player)
        return
    if not has_personal_cards(v):
        close_ranks(v, t, tape, lay - t.laid)
    fill_gaps(v, t, tape)
    see_what_lies(v, t, tape, at)


@clause("S12", "S13", "M82")
def add_points(v: Variant, t: Table, player: int, points: int) -> None:
    """The points count for the player; where all play together they count for everybody."""
    if v.together == 0:
        t.score[player] += points
    else:
        for each in range(t.players):
            t.score[each] += points


@clause("S12", "T4", "T8", "M3")
def put_set_away(v: Variant, t: Table, player: int, move: int) -> None:
    """The cards go to the player who took them; in 20/20 SET, and where they are used again, to the discard pile."""
    if v.set_points > 0 and v.returns == 0:
        keep_set(v, t, player, move)
        for i in range(v.set_size):
            pick_up(t, card_in(move, i))
    else:
        for i in range(v.set_size):
            discard_card(t, card_in(move, i))


@clause("S12", "M41")
def keep_set(v: Variant, t: Table, player: int, move: int) -> None:
    """The SET is noted as the player's."""
    for i in range(v.set_size):
        t.taken[t.taken_size][i] = card_in(move, i)
    t.taken_by[t.taken_size] = player
    t.taken_size += 1


@clause("M31")
def put_previous_set_away(v: Variant, t: Table, move: int) -> None:
    """In a chain the new SET takes the place of the previous one, whose other cards are out of play."""
    for i in range(v.set_size):
        if t.where[card_in(move, i)] < PREVIOUS_FROM:
            pick_up(t, card_in(move, i))
    used = NONE
    for i in range(v.set_size):
        if t.where[card_in(move, i)] != NOWHERE:
            used = card_in(move, i)
    clear_previous_set(t, used)
    for i in range(v.set_size):
        card = card_in(move, i)
        t.layout[PREVIOUS_FROM + i] = card
        t.where[card] = PREVIOUS_FROM + i
    t.previous_size = v.set_size


@helper
def clear_previous_set(t: Table, used: int) -> None:
    """The cards of the previous SET are out of play, on the discard pile; all but the one that is used again."""
    for i in range(t.previous_size):
        card = t.layout[PREVIOUS_FROM + i]
        t.layout[PREVIOUS_FROM + i] = NONE
        t.where[card] = NOWHERE
        if card != used:
            t.discard[t.discard_size] = card
            t.discard_size += 1
    t.previous_size = 0


@clause("S12", "T4", "T8", "M2", "M3")
def fill_gaps(v: Variant, t: Table, tape: Tape) -> None:
    """New cards go to the same places, the first one to the lowest, as far as the deck goes; then gaps stay."""
    if t.laid >= v.layout:
        return
    for place in range(v.layout):
        if t.layout[place] == NONE and there_is_a_next_card(v, t):
            if v.more == FITTING and t.laid == v.layout - 1:
                find_fitting_card(v, t, tape, place)
            lay_card(t, tape, place, next_card(t, tape))


@clause("T8", "M3")
def there_is_a_next_card(v: Variant, t: Table) -> bool:
    """Is there a card in the deck, or does the discard pile become the deck?"""
    return t.deck_size > 0 or has_personal_cards(v) or (v.returns == 1 and t.discard_size > 0)


@clause("M2")
def find_fitting_card(v: Variant, t: Table, tape: Tape, place: int) -> None:
    """The first card of the deck that leaves a SET at this place is the next one, also from cards used again."""
    if not put_fitting_card_first(v, t, place) and v.returns == 1 and t.discard_size > 0:
        shuffle_in(t, t.discard, t.discard_size)
        t.discard_size = 0
        tell(tape, RESHUFFLED, DISCARD_PILE, t.deck_size, 0, 0)
        put_fitting_card_first(v, t, place)


@helper
def put_fitting_card_first(v: Variant, t: Table, place: int) -> bool:
    """Changes the deck's first card for the first one that leaves a SET at this place. Is there one?"""
    for i in range(t.dealt, t.dealt + t.deck_size):
        card = t.deck[i]
        t.layout[place] = card
        t.where[card] = place
        fits = somebody_can_take(v, t)
        t.layout[place] = NONE
        t.where[card] = NOWHERE
        if fits:
            t.deck[i] = t.deck[t.dealt]
            t.deck[t.dealt] = card
            return True
    return False


@clause("S13", "T3")
def fail_call(v: Variant, t: Table, tape: Tape, player: int, at: int, reason: int) -> None:
    """A call with no SET, or a wrong one: it costs a point or brings a card, and the next call must wait."""
    t.control = NONE
    t.call_deadline = NONE
    if t.players > 1:
        t.may_call_from[player] = at + v.cooldown_ms
    tell(tape, CALL_FAILED, player, reason, t.may_call_from[player], 0)
    if v.wrong_costs == A_POINT:
        t.lost[player] += 1
        add_points(v, t, player, -1)
        tell(tape, POINT_LOST, player, t.score[player], 0, 0)
    elif reason != LEFT_TABLE:
        give_penalty_card(v, t, tape, player)


@clause("S13")
def give_up(v: Variant, t: Table, tape: Tape, player: int, at: int) -> None:
    """The caller may give up, which counts as having none."""
    fail_call(v, t, tape, player, at, GAVE_UP)


@clause("S13", "S14", "S17", "T10", "M11")
def time_up(v: Variant, t: Table, tape: Tape, at: int) -> None:
    """Time runs out: of the game, for the caller, for those who have not agreed, or for the pause between deals."""
    if v.time_ms > 0 and deadline_of(v, t) == v.time_ms:
        end_game(t, tape, TIME_OVER, NONE)
    elif t.control != NONE:
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
        lay_more(v, t, tape)
        see_what_lies(v, t, tape, at)
    else:
        end_deal(v, t, tape, at, AGREED)


@clause("S14", "S15", "M22")
def lay_more(v: Variant, t: Table, tape: Tape) -> None:
    """Three more cards are laid behind the others, or as many as there are: 15, 18, 21. Some modes lay fewer."""
    for _ in range(min(v.at_once, t.deck_size)):
        t.places += 1
        lay_card(t, tape, t.places - 1, next_card(t, tape))


@clause("S14", "S16", "M32", "M41")
def see_what_lies(v: Variant, t: Table, tape: Tape, at: int) -> None:
    """The table sees by itself that no SET is left once the deck is empty; if it deals by itself, also before."""
    if has_personal_cards(v):
        return
    if v.auto_deal == 0 and t.deck_size > 0:
        return
    while t.ending == GOES_ON and t.next_deal_at == NONE and not somebody_can_take(v, t):
        if v.stays == 1 and t.deals < v.rounds:
            lay_next_layout(v, t, tape)
        elif v.stays == 1:
            end_game(t, tape, ALL_FOUND, NONE)
        elif t.deck_size > 0 and t.places + v.at_once <= v.most_laid:
            lay_more(v, t, tape)
        elif t.previous_size > 0:
            break_chain(t, tape)
        else:
            end_deal(v, t, tape, at, NO_SET_LEFT)


@clause("M32")
def break_chain(t: Table, tape: Tape) -> None:
    """Where no SET continues the chain and no more cards can be laid, the previous SET is put away."""
    clear_previous_set(t, NONE)
    tell(tape, CHAIN_BROKEN, 0, 0, 0, 0)


@clause("M41")
def lay_next_layout(v: Variant, t: Table, tape: Tape) -> None:
    """All SETs are found: the layout makes room for the next one."""
    tell(tape, LAYOUT_DONE, t.deals, v.rounds, 0, 0)
    for place in range(t.places):
        if t.layout[place] != NONE:
            discard_card(t, t.layout[place])
    t.taken_size = 0
    t.deals += 1
    fill_gaps(v, t, tape)


@clause("S15", "M22")
def close_ranks(v: Variant, t: Table, tape: Tape, taken: int) -> None:
    """Above the table's layout nothing is replaced: what is left of the last places moves into the gaps."""
    fewer = min(taken, t.places - v.layout)
    if fewer <= 0:
        return
    t.places -= fewer
    announced = False
    gap = 0
    for place in range(t.places, t.places + fewer):
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
        end_game(t, tape, AGREED if somebody_can_take(v, t) else NO_SET_LEFT, NONE)


@clause("S17", "T10")
def begin_next_deal(v: Variant, t: Table, tape: Tape, at: int) -> None:
    """All cards are collected and shuffled, and the next player deals."""
    t.dealer = next_dealer(v, t)
    for i in range(v.cards):
        t.deck[i] = v.first_card + i
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
    lay_more(v, t, tape)
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
    while tries < MOST_NEW_CENTRES and not somebody_can_take(v, t):
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
