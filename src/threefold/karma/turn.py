"""The two questions anyone asks a table: which moves are legal now, and what does this move do?"""

from threefold.clauses import clause, helper
from threefold.karma.moves import (
    AGREE_DRAW,
    DRAW,
    END_TURN,
    FLIP,
    OFFER_DRAW,
    PICK_UP,
    PLAY,
    add,
    first_of,
    move_of,
    second_of,
    third_of,
    what_of,
)
from threefold.karma.powers import act, answer, asks, list_answers
from threefold.karma.rules import (
    agree_to_a_draw,
    choose_face_up,
    draw_up_to_three,
    end_play,
    end_turn,
    end_turn_without_drawing,
    flip,
    has_chosen_face_up,
    holds_cards,
    list_face_up_choices,
    list_plays,
    location_to_play_from,
    pick_up_pile,
    play_cards,
    withdraw_draw_offer,
)
from threefold.karma.table import DRAWING, MUST_DRAW, OVER, POWER, SET_UP, TURN, Edition, Moves, Table, Tape


@clause("K3")
def is_awaited(t: Table, player: int) -> bool:
    """During set-up all who have not chosen; then the player whose turn it is."""
    if t.awaits == SET_UP:
        return not has_chosen_face_up(t, player)
    return t.awaits != OVER and player == t.turn_player


@clause("K3")
def first_awaited(t: Table) -> int:
    """The player whose turn it is; during set-up the first who has not chosen."""
    player = t.turn_player
    if t.awaits == SET_UP:
        player = 0
        while has_chosen_face_up(t, player):
            player += 1
    return player


@clause("K10", "K12", "K12a")
def list_moves(e: Edition, t: Table, player: int, moves: Moves) -> None:
    """Every legal answer of one player to what the table waits for."""
    moves.count = 0
    if not is_awaited(t, player):
        return
    seat = t.seat_of[player]
    if t.awaits == TURN:
        list_plays(e, t, seat, location_to_play_from(e, t, seat), False, moves)
        if t.discard_size > 0:
            add(moves, PICK_UP, 0, 0, 0)
    elif t.awaits == POWER:
        list_answers(e, t, t.pending[t.pending_size - 1], moves)
    elif t.awaits == SET_UP:
        list_face_up_choices(e, t, seat, moves)
    else:
        add(moves, DRAW, 0, 0, 0)
        if t.awaits == DRAWING and holds_cards(t, player):
            add(moves, END_TURN, 0, 0, 0)


@clause("K24")
def draw_move(t: Table, player: int) -> int:
    """Offer a draw if none is offered, agree if one is and one has not; 0 if neither may be done."""
    if t.awaits == OVER or not holds_cards(t, player) or t.draw_agreed[player]:
        return 0
    return move_of(AGREE_DRAW if t.draw_offers > 0 else OFFER_DRAW, 0, 0, 0)


@helper
def is_legal(e: Edition, t: Table, player: int, move: int, moves: Moves) -> bool:
    """Is this one of the player's moves now? `moves` is room to list them."""
    what = what_of(move)
    if what == OFFER_DRAW or what == AGREE_DRAW:
        return move == draw_move(t, player)
    list_moves(e, t, player, moves)
    for i in range(moves.count):
        if moves.move[i] == move:
            return True
    return False


@clause("K62")
def let_powers_act(e: Edition, t: Table, tape: Tape) -> None:
    """The one interpreter: pending powers act, the newest first, until one asks or none is left."""
    while t.pending_size > 0:
        power = t.pending[t.pending_size - 1]
        if asks(e, t, power):
            t.awaits = POWER
            return
        t.pending_size -= 1
        act(e, t, tape, power)
    end_play(e, t, tape)


@clause("K6", "K10", "K12", "K24")
def make_move(e: Edition, t: Table, tape: Tape, player: int, move: int) -> None:
    """Makes a legal move, and tells what came of it."""
    tape.size = 0
    what = what_of(move)
    if what == OFFER_DRAW or what == AGREE_DRAW:
        agree_to_a_draw(t, tape, player)
        return
    withdraw_draw_offer(t, tape)
    if t.awaits == TURN:
        if what == PLAY:
            location = location_to_play_from(e, t, t.seat_of[player])
            play_cards(e, t, tape, location, first_of(move), second_of(move))
        elif what == FLIP:
            flip(e, t, tape, first_of(move), False)
        else:
            pick_up_pile(t, tape)
        let_powers_act(e, t, tape)
    elif t.awaits == POWER:
        t.pending_size -= 1
        answer(e, t, tape, t.pending[t.pending_size], move)
        let_powers_act(e, t, tape)
    elif t.awaits == SET_UP:
        choose_face_up(e, t, tape, player, first_of(move), second_of(move), third_of(move))
    elif t.awaits == MUST_DRAW:
        draw_up_to_three(t, tape, player)
        t.awaits = TURN
    elif what == DRAW:
        draw_up_to_three(t, tape, player)
        end_turn(e, t, tape)
    else:
        end_turn_without_drawing(e, t, tape)
