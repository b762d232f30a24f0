"""The rules of Karma, K1–K33, in the order of the rules page. No card and no edition is named here: both are data.

`e` is the Edition, `t` the Table, `tape` takes what happens. Moves are trusted: `refusals.py` has checked them.
"""

from threefold.clauses import clause, helper
from threefold.karma.memory import forget_all, see_join
from threefold.karma.moves import CHOOSE_FACE_UP, FLIP, PLAY, add, move_of
from threefold.karma.table import (
    DRAW_AGREED,
    DRAWING,
    FACE_DOWN,
    FACE_UP,
    HAND,
    HIGHEST,
    MUST_DRAW,
    NOBODY_LEFT,
    NONE,
    NOWHERE,
    ONE_LEFT,
    OVER,
    PLACES,
    SET_UP,
    TURN,
    TURN_LIMIT,
    Edition,
    Moves,
    Table,
    Tape,
)
from threefold.karma.tape import (
    AGREED_TO_DRAW,
    BROUGHT_BACK,
    BY_RUN,
    CARD_FLIPPED,
    CARDS_DRAWN,
    CARDS_LEFT,
    CARDS_PLAYED,
    DID_NOT_DRAW,
    DRAW_OFFERED,
    DRAW_WITHDRAWN,
    FACE_UP_CHOSEN,
    FACE_UP_SHOWN,
    GAME_ENDED,
    PILE_CLEARED,
    PILE_PICKED_UP,
    TURN_BEGAN,
    TURN_LOST,
    WENT_OUT,
    tell,
    tell_card,
    tell_pile,
)

# ---------------------------------------------------------------- Set-up


@clause("K1", "K2", "K3", "K4", "K5")
def deal(e: Edition, t: Table, players: int, dealer: int) -> None:
    """From the shuffled draw pile, its last card first: three face-down cards each, then six to choose from."""
    t.players = players
    t.dealer = dealer
    _clear_the_table(e, t)
    for dealt in range(3 + 6):
        for i in range(players):
            seat = (dealer + 1 + i) % players
            kind = next_card(t)
            if dealt < PLACES:
                t.face_down[seat][dealt] = kind
                t.face_down_size[seat] += 1
            else:
                put_in_hand(t, seat, kind, 1)


@helper
def _clear_the_table(e: Edition, t: Table) -> None:
    t.discard_size = 0
    t.pending_size = 0
    t.giving_from = NOWHERE
    t.giving = NONE
    t.draw_offers = 0
    t.direction = 1
    t.turn_player = NONE
    t.turn_seat = NONE
    t.again = 0
    t.turns = 0
    t.awaits = SET_UP
    t.ending = 0
    t.loser = NONE
    forget_all(e, t)
    for kind in range(e.kinds):
        t.removed[kind] = 0
    for seat in range(t.players):
        for kind in range(e.kinds):
            t.hand[seat][kind] = 0
        for place in range(PLACES):
            t.face_up[seat][place] = NONE
            t.face_down[seat][place] = NONE
            t.peeked[seat][place] = 0
            t.chosen[seat][place] = NONE
        t.hand_size[seat] = 0
        t.face_up_size[seat] = 0
        t.face_down_size[seat] = 0
        t.seat_of[seat] = seat
        t.player_at[seat] = seat
        t.lost_turns[seat] = 0
        t.out[seat] = 0
        t.draw_agreed[seat] = 0


@clause("K3")
def has_chosen_face_up(t: Table, player: int) -> bool:
    """Has this player picked the face-up cards?"""
    return t.chosen[player][0] != NONE


@clause("K3")
def list_face_up_choices(e: Edition, t: Table, seat: int, moves: Moves) -> None:
    """Any three of the six."""
    hand = t.hand[seat]
    for a in range(e.kinds):
        if hand[a] == 0:
            continue
        for b in range(a, e.kinds):
            if hand[b] <= (1 if a == b else 0):
                continue
            for c in range(b, e.kinds):
                if hand[c] > (1 if a == c else 0) + (1 if b == c else 0):
                    add(moves, CHOOSE_FACE_UP, a, b, c)


@clause("K3", "K5")
def choose_face_up(e: Edition, t: Table, tape: Tape, player: int, a: int, b: int, c: int) -> None:
    """All choose at the same time; when the last has chosen all are shown, and the dealer's left starts."""
    t.chosen[player][0] = a
    t.chosen[player][1] = b
    t.chosen[player][2] = c
    tell(tape, FACE_UP_CHOSEN, player, 0, 0, 0, 0)
    for place in range(PLACES):
        tell_card(tape, t.chosen[player][place])
    for each in range(t.players):
        if not has_chosen_face_up(t, each):
            return
    for each in range(t.players):
        seat = t.seat_of[each]
        tell(tape, FACE_UP_SHOWN, each, seat, 0, 0, 0)
        for place in range(PLACES):
            kind = t.chosen[each][place]
            put_in_hand(t, seat, kind, -1)
            t.face_up[seat][place] = kind
            t.face_up_size[seat] += 1
            tell_card(tape, kind)
    start_turn(e, t, tape, t.player_at[(t.dealer + 1) % t.players])


# ---------------------------------------------------------------- Where cards lie


@helper
def put_in_hand(t: Table, seat: int, kind: int, count: int) -> None:
    """Cards join a hand, or leave it where the count is negative."""
    t.hand[seat][kind] += count
    t.hand_size[seat] += count


@helper
def next_card(t: Table) -> int:
    """Takes the top card of the draw pile."""
    t.draw_size -= 1
    return t.draw_pile[t.draw_size]


@helper
def take(t: Table, seat: int, location: int, kind: int, count: int) -> None:
    """Takes identical cards away from the hand or the face-up cards."""
    if location == HAND:
        put_in_hand(t, seat, kind, -count)
        return
    for place in range(PLACES):
        if count > 0 and t.face_up[seat][place] == kind:
            t.face_up[seat][place] = NONE
            t.face_up_size[seat] -= 1
            count -= 1


@helper
def take_face_down(t: Table, seat: int, place: int) -> int:
    """Takes a face-down card away; whoever had peeked at it need not remember it any more."""
    kind = t.face_down[seat][place]
    t.face_down[seat][place] = NONE
    t.face_down_size[seat] -= 1
    t.peeked[seat][place] = 0
    return kind


@helper
def cards_at(t: Table, seat: int) -> int:
    """How many cards lie at a seat."""
    return t.hand_size[seat] + t.face_up_size[seat] + t.face_down_size[seat]


@helper
def holds_cards(t: Table, player: int) -> bool:
    """Does this player have any card left?"""
    return cards_at(t, t.seat_of[player]) > 0


# ---------------------------------------------------------------- A turn


@clause("K6")
def location_to_play_from(e: Edition, t: Table, seat: int) -> int:
    """The hand; when it is empty the face-up cards; when those are gone the face-down cards."""
    if t.hand_size[seat] > 0:
        return HAND
    if e.table_cards_wait and t.draw_size > 0:
        return NOWHERE
    return location_of_table_cards(t, seat)


@clause("K6", "K41")
def location_of_table_cards(t: Table, seat: int) -> int:
    """Face-up cards before face-down cards."""
    if t.face_up_size[seat] > 0:
        return FACE_UP
    if t.face_down_size[seat] > 0:
        return FACE_DOWN
    return NOWHERE


@clause("K7", "K31")
def lowest_number_asked_for(e: Edition, t: Table) -> int:
    """The lowest number that may be played; 0 where any may."""
    return e.asks_low[t.discard_pile[t.discard_size - 1]] if t.discard_size > 0 else 0


@clause("K7", "K31")
def highest_number_asked_for(e: Edition, t: Table) -> int:
    """The highest number that may be played."""
    return e.asks_high[t.discard_pile[t.discard_size - 1]] if t.discard_size > 0 else HIGHEST


@clause("K7", "K8")
def may_be_played(e: Edition, t: Table, kind: int) -> bool:
    """A karma card goes on anything, a number on what asks for it."""
    number = e.number[kind]
    return number == 0 or lowest_number_asked_for(e, t) <= number <= highest_number_asked_for(e, t)


@clause("K9", "K13")
def list_plays(e: Edition, t: Table, seat: int, location: int, anything_goes: bool, moves: Moves) -> None:
    """All ways to play from one location: any number of identical cards at once, or one face-down card blind."""
    low = 0 if anything_goes else lowest_number_asked_for(e, t)
    high = HIGHEST if anything_goes else highest_number_asked_for(e, t)
    if location == HAND:
        list_kinds_in_hand(t, seat, e.kinds_below[low], e.kinds_below[high + 1], moves)
        list_kinds_in_hand(t, seat, e.kinds_below[HIGHEST + 1], e.kinds, moves)
    elif location == FACE_UP:
        for place in range(PLACES):
            kind = t.face_up[seat][place]
            if kind != NONE:
                number = e.number[kind]
                if number == 0 or low <= number <= high:
                    add(moves, PLAY, kind, identical_up_to(t, seat, place), 0)
    else:  # face-down cards: whoever has nothing to play from begins the turn by drawing (K12a)
        for place in range(PLACES):
            if t.face_down[seat][place] != NONE:
                add(moves, FLIP, place, 0, 0)


@helper
def list_kinds_in_hand(t: Table, seat: int, first: int, last: int, moves: Moves) -> None:
    """Any number of cards of each kind, from the first kind up to the last but one.

    The play of one card is written for every kind and stays only where there is a card: so the processor has no branch
    to guess wrong, and lists much faster.
    """
    hand = t.hand[seat]
    listed = moves.count
    for kind in range(first, last):
        moves.move[listed] = move_of(PLAY, kind, 1, 0)
        for count in range(2, hand[kind] + 1):
            moves.move[listed + count - 1] = move_of(PLAY, kind, count, 0)
        listed += hand[kind]
    moves.count = listed


@helper
def identical_up_to(t: Table, seat: int, place: int) -> int:
    """How many of the face-up cards up to this place are the same as the one that lies there."""
    count = 0
    for each in range(place + 1):
        if t.face_up[seat][each] == t.face_up[seat][place]:
            count += 1
    return count


@clause("K9")
def play_cards(e: Edition, t: Table, tape: Tape, location: int, kind: int, count: int) -> None:
    """Identical cards, all from one location."""
    seat = t.seat_of[t.turn_player]
    take(t, seat, location, kind, count)
    if location == HAND:
        see_join(t, seat, kind, -count)
    tell(tape, CARDS_PLAYED, t.turn_player, seat, location, kind, count)
    lay(e, t, tape, kind, count)


@clause("K10", "K14")
def pick_up_pile(t: Table, tape: Tape) -> None:
    """The whole discard pile goes into the hand."""
    seat = t.seat_of[t.turn_player]
    tell(tape, PILE_PICKED_UP, t.turn_player, seat, 0, 0, 0)
    tell_pile(tape, t, 0)
    pile_becomes_hand_cards(t, seat)


@clause("K14", "K28")
def pile_becomes_hand_cards(t: Table, seat: int) -> None:
    """Cards picked up or received are hand cards."""
    for i in range(t.discard_size):
        t.hand[seat][t.discard_pile[i]] += 1
        see_join(t, seat, t.discard_pile[i], 1)
    t.hand_size[seat] += t.discard_size
    t.discard_size = 0


@clause("K11")
def draw_up_to_three(t: Table, tape: Tape, player: int) -> None:
    """Draw until you hold three, or the draw pile is gone."""
    draw_cards(t, tape, player, 3 - t.hand_size[t.seat_of[player]])


@helper
def draw_cards(t: Table, tape: Tape, player: int, count: int) -> None:
    """Draws that many cards, or as many as there are."""
    count = min(count, t.draw_size)
    if count <= 0:
        return
    seat = t.seat_of[player]
    tell(tape, CARDS_DRAWN, player, seat, count, 0, 0)
    for _ in range(count):
        kind = next_card(t)
        put_in_hand(t, seat, kind, 1)
        tell_card(tape, kind)


@clause("K12")
def end_turn_without_drawing(e: Edition, t: Table, tape: Tape) -> None:
    """Whoever forgets to draw plays the next turn from what is left."""
    tell(tape, DID_NOT_DRAW, t.turn_player, 0, 0, 0, 0)
    end_turn(e, t, tape)


@clause("K12a")
def must_draw_first(e: Edition, t: Table, seat: int) -> bool:
    """An empty hand at the beginning of a turn, and table cards that wait for the draw pile."""
    return location_to_play_from(e, t, seat) == NOWHERE


@clause("K13")
def flip(e: Edition, t: Table, tape: Tape, place: int, anything_goes: bool) -> None:
    """A face-down card is flipped onto the pile: played if it may be, else picked up with the pile."""
    seat = t.seat_of[t.turn_player]
    kind = take_face_down(t, seat, place)
    fits = anything_goes or may_be_played(e, t, kind)
    tell(tape, CARD_FLIPPED, t.turn_player, seat, place, kind, 1 if fits else 0)
    if fits:
        lay(e, t, tape, kind, 1)
    else:
        put_on_pile(t, kind, 1)
        pick_up_pile(t, tape)


@clause("K15", "K46", "K48")
def next_player(t: Table, tape: Tape) -> int:
    """On from the place the turn was played at, skipping players without cards and turns that are lost."""
    seat = t.turn_seat
    while True:
        seat = seat_after(t, seat)
        player = t.player_at[seat]
        if t.out[player]:
            continue
        if t.lost_turns[player] == 0:
            return player
        t.lost_turns[player] -= 1
        tell(tape, TURN_LOST, player, t.lost_turns[player], 0, 0, 0)


@helper
def seat_after(t: Table, seat: int) -> int:
    """The next place in the direction of play."""
    seat += t.direction
    if seat == t.players:
        return 0
    return t.players - 1 if seat < 0 else seat


# ---------------------------------------------------------------- Clearing


@helper
def put_on_pile(t: Table, kind: int, count: int) -> None:
    """Lays cards on top of the discard pile."""
    for _ in range(count):
        t.discard_pile[t.discard_size] = kind
        t.discard_size += 1


@clause("K16", "K20", "K30", "K31")
def lay(e: Edition, t: Table, tape: Tape, kind: int, count: int) -> None:
    """Cards are laid first; then a full run clears, or else the card's powers wake, once however many were played."""
    put_on_pile(t, kind, count)
    run = run_on_top(t)
    if run >= e.clears_at:
        clear_by_run(e, t, tape, run)
        return
    if e.leaves[kind]:
        tell(tape, CARDS_LEFT, t.turn_player, kind, count, 0, 0)
        remove_from_pile(t, count)
    for i in range(e.powers_of[kind] - 1, -1, -1):
        add_pending(t, e.powers[kind][i])


@clause("K16", "K17", "K18")
def run_on_top(t: Table) -> int:
    """How many identical cards lie on top in a row."""
    top = t.discard_pile[t.discard_size - 1]
    run = 1
    while run < t.discard_size and t.discard_pile[t.discard_size - 1 - run] == top:
        run += 1
    return run


@clause("K16", "K19", "K20", "K21")
def clear_by_run(e: Edition, t: Table, tape: Tape, run: int) -> None:
    """The pile leaves the game (or the run alone, and the rest is given away); whatever was pending is dropped."""
    t.pending_size = 0
    t.again = 1
    count = run if e.after_clear else t.discard_size
    tell(tape, PILE_CLEARED, t.turn_player, BY_RUN, 0, 0, 0)
    tell_pile(tape, t, t.discard_size - count)
    remove_from_pile(t, count)
    if t.discard_size > 0:
        add_pending(t, e.after_clear)


@helper
def remove_from_pile(t: Table, count: int) -> None:
    """The top cards of the pile leave the game."""
    for i in range(t.discard_size - count, t.discard_size):
        t.removed[t.discard_pile[i]] += 1
    t.discard_size -= count


@helper
def add_pending(t: Table, power: int) -> None:
    """A power is to act next."""
    t.pending[t.pending_size] = power
    t.pending_size += 1


# ---------------------------------------------------------------- Going out and ending


@clause("K11", "K12", "K46")
def end_play(e: Edition, t: Table, tape: Tape) -> None:
    """The play and its effects are done: draw (at the place where one sits now), then the turn ends."""
    player = t.turn_player
    if t.hand_size[t.seat_of[player]] < 3 and t.draw_size > 0:
        if e.draw_by_hand:
            t.awaits = DRAWING
            return
        draw_up_to_three(t, tape, player)
    end_turn(e, t, tape)


@clause("K22")
def see_who_is_out(t: Table, tape: Tape) -> int:
    """Says who went out and who was brought back; how many hold cards."""
    holders = 0
    for player in range(t.players):
        if holds_cards(t, player):
            holders += 1
            if t.out[player]:
                t.out[player] = 0
                tell(tape, BROUGHT_BACK, player, 0, 0, 0, 0)
        elif not t.out[player]:
            t.out[player] = 1
            tell(tape, WENT_OUT, player, 0, 0, 0, 0)
    return holders


@clause("K19", "K23")
def end_turn(e: Edition, t: Table, tape: Tape) -> None:
    """The game ends if at most one player holds cards; else whoever cleared plays again, or play goes on."""
    holders = see_who_is_out(t, tape)
    if holders == 0:
        end_game(t, tape, NOBODY_LEFT, NONE)
    elif holders == 1:
        for player in range(t.players):
            if not t.out[player]:
                end_game(t, tape, ONE_LEFT, player)
    elif t.again and not t.out[t.turn_player]:
        start_turn(e, t, tape, t.turn_player)
    else:
        t.again = 0
        start_turn(e, t, tape, next_player(t, tape))


@clause("K12a", "K24")
def start_turn(e: Edition, t: Table, tape: Tape, player: int) -> None:
    """A turn begins, unless the agreed number of turns has been played."""
    if e.turn_limit > 0 and t.turns >= e.turn_limit:
        end_game(t, tape, TURN_LIMIT, NONE)
        return
    t.turns += 1
    t.turn_player = player
    t.turn_seat = t.seat_of[player]
    tell(tape, TURN_BEGAN, player, t.turn_seat, t.again, 0, 0)
    t.again = 0
    t.awaits = TURN
    if must_draw_first(e, t, t.turn_seat):
        if e.draw_by_hand:
            t.awaits = MUST_DRAW
        else:
            draw_up_to_three(t, tape, player)


@clause("K23", "K24")
def end_game(t: Table, tape: Tape, ending: int, loser: int) -> None:
    """Who is left with cards loses, if the game ends that way."""
    t.awaits = OVER
    t.ending = ending
    t.loser = loser
    tell(tape, GAME_ENDED, ending, loser, 0, 0, 0)


@clause("K24")
def agree_to_a_draw(t: Table, tape: Tape, player: int) -> None:
    """The first to agree makes the offer; when all who hold cards agree the game is drawn."""
    tell(tape, AGREED_TO_DRAW if t.draw_offers > 0 else DRAW_OFFERED, player, 0, 0, 0, 0)
    t.draw_agreed[player] = 1
    t.draw_offers += 1
    for each in range(t.players):
        if holds_cards(t, each) and not t.draw_agreed[each]:
            return
    end_game(t, tape, DRAW_AGREED, NONE)


@clause("K24")
def withdraw_draw_offer(t: Table, tape: Tape) -> None:
    """Any play withdraws an offered draw."""
    if t.draw_offers > 0:
        t.draw_offers = 0
        for player in range(t.players):
            t.draw_agreed[player] = 0
        tell(tape, DRAW_WITHDRAWN, 0, 0, 0, 0, 0)
