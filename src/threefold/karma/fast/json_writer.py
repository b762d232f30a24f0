"""Views and events written as JSON, at either speed: byte for byte the encoding of the plain forms.

`p` is the edition's Pieces, `out` takes the bytes, and `at` is where the next one goes; a function returns where to go
on. The common part of all Views is written once, for a spectator, and copied for each player.
"""

from typing import Final

from threefold.clauses import apart, clause, helper
from threefold.karma.fast.json_pieces import (
    A_NUMBER,
    ABOUT_A_DRAW,
    AGAIN,
    ANYTIME,
    ASKED,
    ASKED_BY,
    ASKS_FOR,
    AWAITS,
    CARD_OF,
    CARD_VALUES,
    CARDS_OF,
    CHOSEN,
    CODE,
    DEALER,
    DIRECTION,
    DISCARD_PILE,
    DRAW_AGREED,
    DRAW_PILE,
    ENDING,
    EVENT,
    FACE_DOWN_OF,
    FACE_UP_OF,
    FACTS,
    FIRST,
    FROM_SEAT,
    GIFT_FACE_DOWN,
    GIVEN_CARD,
    GIVEN_PLACE,
    GIVING,
    GIVING_FROM,
    HAND_OF,
    HAND_SIZE,
    HAS_CHOSEN,
    HIGH,
    ITS_MOVES,
    KNOWN_OF,
    LOCATION_VALUES,
    LONGEST_CARD,
    LONGEST_EVENT,
    LONGEST_WORDS_OF_MOVE,
    LOSERS,
    LOST_TURNS,
    LOW,
    MOVE,
    MOVED_PLAYER,
    MOVES_OF,
    NEXT_PLAYER,
    NULL,
    OUT,
    PENDING,
    PENDING_POWER,
    PLAY_FROM,
    POWER_OF,
    POWER_VALUES,
    QUESTION,
    REASON,
    REASON_VALUES,
    REMOVED,
    RUN,
    SCORES,
    SEAT,
    SEATS_OPEN,
    SECOND,
    SINGLES,
    TEXT_OF_SINGLES,
    THE_CARDS,
    TO_SEAT,
    TURN_OF,
    TURN_SEAT,
    TURNS,
    WINNERS,
    YES_OR_NO,
    Pieces,
)
from threefold.karma.memory import known_row
from threefold.karma.moves import (
    CHOOSE_FACE_UP,
    CHOOSE_PLAYER,
    FLIP,
    GIVE,
    GIVE_FACE_DOWN,
    PEEK,
    PLAY,
    SWAP,
    first_of,
    second_of,
    third_of,
    what_of,
)
from threefold.karma.outlook import location_of_the_next_card, run_on_the_pile, upcoming_player
from threefold.karma.powers import code_of, first_parameter, second_parameter
from threefold.karma.rules import (
    cards_at,
    has_chosen_face_up,
    highest_number_asked_for,
    holds_cards,
    lowest_number_asked_for,
)
from threefold.karma.table import (
    CARDS,
    COPIES,
    DECKS,
    FACE_DOWN,
    FACE_UP,
    HAND,
    HIGHEST,
    MOVES,
    NONE,
    NOWHERE,
    OVER,
    PLACES,
    POWER,
    SEATS,
    SET_UP,
    TAPE,
    Edition,
    Moves,
    Table,
    Tape,
)
from threefold.karma.table import PENDING as POWERS_PENDING
from threefold.karma.tape import EVERYBODY, GIFT_CHOSEN, MOVED, known_to
from threefold.karma.turn import draw_move, is_awaited, list_moves

COMMA: Final = 44
DIGIT: Final = 48
MINUS: Final = 45
QUOTE: Final = 34
SPACE: Final = 32
OPENED: Final = 91  # [
CLOSED: Final = 93  # ]
DONE: Final = 125  # }

COPY_AHEAD: Final = 16

# Marks: where things are in `out`. First the seats of the spectator's View, then the start and end for each viewer.
VIEWS: Final = SEATS + 1
SPECTATOR: Final = VIEWS + 2 * SEATS
LISTS: Final = SPECTATOR + 2  # where a player's moves come
REST: Final = LISTS + 1
END: Final = REST + 1
MARKS: Final = END + 1

# The most bytes that can be written, from the declarations.
_NUMBER: Final = 20  # digits of 64 bits
_CARD: Final = LONGEST_CARD + len('"",')
_MOVE: Final = LONGEST_WORDS_OF_MOVE + len('"",') + COPIES * DECKS * (LONGEST_CARD + 1)
_PENDING: Final = POWERS_PENDING * (TEXT_OF_SINGLES + 3 * _NUMBER)
_VIEW: Final = (
    (SEATS * PLACES + 1) * (TEXT_OF_SINGLES + SINGLES * _NUMBER) + 2 * CARDS * _CARD + (MOVES + 1) * _MOVE + _PENDING
)
"""No single piece comes more often than once for each place of each seat, with a number after it. Pending powers do."""
_EVENTS: Final = TAPE * (LONGEST_EVENT + FACTS * _NUMBER)
ROOM: Final = (SEATS + 1) * max(_VIEW, _EVENTS) + COPY_AHEAD
"""Every player's and a spectator's View, or the events of one move for each of them."""

# ---------------------------------------------------------------- Pieces, numbers, lists


def copy_bytes(out: bytearray, at: int, source: bytearray | bytes, start: int, count: int) -> None:
    """Copies bytes. The compiled form (`copying.py`) may read and write up to COPY_AHEAD bytes beyond them."""
    out[at : at + count] = source[start : start + count]


@helper
def put(p: Pieces, out: bytearray, at: int, piece: int) -> int:
    """One piece."""
    start = p.start[piece]
    count = p.start[piece + 1] - start
    copy_bytes(out, at, p.text, start, count)
    return at + count


@helper
def put_number(out: bytearray, at: int, number: int) -> int:
    """A whole number."""
    if 0 <= number < 10:
        out[at] = DIGIT + number
        return at + 1
    return put_digits(out, at, number)


@apart
def put_digits(out: bytearray, at: int, number: int) -> int:
    """A number of any size."""
    if number < 0:
        out[at] = MINUS
        at += 1
        number = -number
    power = 1
    while number >= 10 * power:
        power *= 10
    while power > 0:
        out[at] = DIGIT + number // power % 10
        at += 1
        power //= 10
    return at


@apart
def put_next(out: bytearray, at: int, number: int) -> int:
    """A number of a list."""
    at = put_number(out, at, number)
    out[at] = COMMA
    return at + 1


@apart
def put_card(p: Pieces, out: bytearray, at: int, kind: int) -> int:
    """A card of a list; NONE is null."""
    at = put(p, out, at, NULL if kind == NONE else CARD_VALUES + kind)
    out[at] = COMMA
    return at + 1


@apart
def put_counted(e: Edition, p: Pieces, out: bytearray, at: int, counts: list[int]) -> int:
    """Cards that are counted by kind, as single cards."""
    for kind in range(e.kinds):
        for _ in range(counts[kind]):
            at = put_card(p, out, at, kind)
    return at


@apart
def put_after(p: Pieces, out: bytearray, at: int, piece: int) -> int:
    """A piece that ends a list; it replaces the comma after the last item."""
    return put(p, out, at - 1 if out[at - 1] == COMMA else at, piece)


@apart
def close_list(out: bytearray, at: int) -> int:
    """The end of a list; it replaces the comma after the last item."""
    if out[at - 1] == COMMA:
        at -= 1
    out[at] = CLOSED
    return at + 1


@helper
def put_again(out: bytearray, at: int, start: int, stop: int) -> int:
    """A copy of bytes that were written before."""
    copy_bytes(out, at, out, start, stop - start)
    return at + stop - start


# ---------------------------------------------------------------- Moves


@helper
def put_code(p: Pieces, out: bytearray, at: int, kind: int) -> int:
    """A card as a word of a move."""
    out[at] = SPACE
    return put(p, out, at + 1, CODE + kind)


@apart
def put_move(p: Pieces, out: bytearray, at: int, move: int) -> int:
    """A move of a list, as people write it."""
    what = what_of(move)
    out[at] = QUOTE
    at = put(p, out, at + 1, MOVE + what)
    if what == PLAY:
        for _ in range(second_of(move)):
            at = put_code(p, out, at, first_of(move))
    elif what == CHOOSE_FACE_UP or what == SWAP or what == GIVE:
        at = put_code(p, out, at, first_of(move))
        if what != GIVE:
            at = put_code(p, out, at, second_of(move))
        if what == CHOOSE_FACE_UP:
            at = put_code(p, out, at, third_of(move))
    elif what == CHOOSE_PLAYER or what == FLIP or what == GIVE_FACE_DOWN or what == PEEK:
        out[at] = SPACE
        at = put_number(out, at + 1, first_of(move) + (0 if what == CHOOSE_PLAYER else 1))
    out[at] = QUOTE
    out[at + 1] = COMMA
    return at + 2


@helper
def put_moves(e: Edition, t: Table, p: Pieces, moves: Moves, out: bytearray, at: int, player: int) -> int:
    """All moves by which a player can answer."""
    list_moves(e, t, player, moves)
    for i in range(moves.count):
        at = put_move(p, out, at, moves.move[i])
    return at


@clause("K24")
def put_draw_move(t: Table, p: Pieces, out: bytearray, at: int, player: int) -> int:
    """The move with which a player offers a draw or agrees to one, if there is one."""
    move = draw_move(t, player)
    return put_move(p, out, at, move) if move else at


# ---------------------------------------------------------------- Views


@clause("K25", "K26", "K27")
def write_views(
    e: Edition, t: Table, p: Pieces, moves: Moves, out: bytearray, at: int, mark: list[int], who: int
) -> int:
    """A spectator's View, then the Views of the players whose bits are set in `who`; all from the dealer on."""
    at = put_spectators(e, t, p, out, at, mark)
    for player in range(t.players):
        if who >> player & 1:
            mark[VIEWS + 2 * player] = at
            at = put_view_of(e, t, p, moves, out, at, mark, player)
            mark[VIEWS + 2 * player + 1] = at
    return at


@clause("K25")
def put_spectators(e: Edition, t: Table, p: Pieces, out: bytearray, at: int, mark: list[int]) -> int:
    """A spectator's View, with marks where a player's differs."""
    mark[SPECTATOR] = at
    at = put_open_to_all(e, t, p, out, at)
    for seat in range(t.players):
        mark[seat] = at
        at = put_seat(e, t, p, out, at, seat, NONE)
    mark[t.players] = at
    at = put_question(e, t, p, out, at)
    mark[LISTS] = at
    at = put(p, out, at, ANYTIME)
    mark[REST] = at
    at = put_ending(t, p, out, at)
    at = put_pending(t, p, out, at)
    mark[END] = at
    at = put_giving(t, p, out, at, NONE)
    at = put_play_from(e, t, p, out, at, NONE)
    out[at] = DONE
    mark[SPECTATOR + 1] = at + 1
    return at + 1


@clause("K26", "K27")
def put_view_of(
    e: Edition, t: Table, p: Pieces, moves: Moves, out: bytearray, at: int, mark: list[int], player: int
) -> int:
    """A player's View, made from a spectator's."""
    at = put_seats_of(e, t, p, out, at, mark, player)
    at = put_moves(e, t, p, moves, out, at, player)
    at = put_after(p, out, at, ANYTIME)
    at = put_draw_move(t, p, out, at, player)
    if out[at - 1] == COMMA:
        at -= 1
    at = put_again(out, at, mark[REST], mark[END])
    at = put_giving(t, p, out, at, player)
    at = put_play_from(e, t, p, out, at, player)
    at = put_own_choice(t, p, out, at, player)
    out[at] = DONE
    return at + 1


@clause("K25")
def put_open_to_all(e: Edition, t: Table, p: Pieces, out: bytearray, at: int) -> int:
    """The part that is open to all, up to the seats."""
    at = put_number(out, put(p, out, at, DEALER), t.dealer)
    at = put(p, out, at, TURN_OF)
    at = put(p, out, at, NULL) if t.turn_player == NONE else put_number(out, at, t.turn_player)
    at = put_number(out, put(p, out, at, TURNS), t.turns)
    at = put(p, out, at, NEXT_PLAYER)
    follows = upcoming_player(t)
    at = put(p, out, at, NULL) if follows == NONE else put_number(out, at, follows)
    at = put_number(out, put(p, out, at, DIRECTION), t.direction)
    at = put(p, out, at, DISCARD_PILE)
    for i in range(t.discard_size):
        at = put_card(p, out, at, t.discard_pile[i])
    at = put_number(out, put_after(p, out, at, RUN), run_on_the_pile(t))
    at = put_counted(e, p, out, put(p, out, at, REMOVED), t.removed)
    at = put_after(p, out, at, LOST_TURNS)
    for player in range(t.players):
        at = put_next(out, at, t.lost_turns[player])
    at = put_after(p, out, at, OUT)
    for player in range(t.players):
        if t.out[player]:
            at = put_next(out, at, player)
    at = put_after(p, out, at, DRAW_AGREED)
    for player in range(t.players):
        if t.draw_agreed[player]:
            at = put_next(out, at, player)
    return put_after(p, out, at, SEATS_OPEN)


@clause("K25", "K26", "K27")
def put_seat(e: Edition, t: Table, p: Pieces, out: bytearray, at: int, seat: int, viewer: int) -> int:
    """A seat as a viewer sees it: with their own hand, and with the face-down cards they have peeked at."""
    if seat > 0:
        out[at] = COMMA
        at += 1
    at = put_number(out, put(p, out, at, SEAT), t.player_at[seat])
    at = put_number(out, put(p, out, at, HAND_SIZE), t.hand_size[seat])
    at = put(p, out, at, HAND_OF)
    if t.player_at[seat] == viewer:
        out[at] = OPENED
        at = close_list(out, put_counted(e, p, out, at + 1, t.hand[seat]))
    else:
        at = put(p, out, at, NULL)
    at = put(p, out, at, FACE_UP_OF)
    for place in range(PLACES):
        at = put_card(p, out, at, t.face_up[seat][place])
    at = put_after(p, out, at, FACE_DOWN_OF)
    for place in range(PLACES):
        at = put_face_down(t, p, out, at, seat, place, viewer)
    at = put_number(out, put_after(p, out, at, CARDS_OF), cards_at(t, seat))
    at = put(p, out, at, KNOWN_OF)
    if t.player_at[seat] != viewer:
        at = put_counted(e, p, out, at, t.known[known_row(t, viewer, seat)])
    at = close_list(out, at)
    out[at] = DONE
    return at + 1


@clause("K27")
def put_face_down(t: Table, p: Pieces, out: bytearray, at: int, seat: int, place: int, viewer: int) -> int:
    """A face-down card: its kind if the viewer knows it, else null."""
    kind = t.face_down[seat][place]
    if kind == NONE:
        at = put(p, out, at, NULL)
    else:
        at = put(p, out, at, CARD_OF)
        at = put(p, out, at, CARD_VALUES + kind if knows(t, seat, place, viewer) else NULL)
        out[at] = DONE
        at += 1
    out[at] = COMMA
    return at + 1


@clause("K27")
def knows(t: Table, seat: int, place: int, viewer: int) -> bool:
    """Has this viewer peeked at the card there?"""
    return viewer != NONE and t.peeked[seat][place] >> viewer & 1 == 1


@clause("K26", "K27")
def put_seats_of(e: Edition, t: Table, p: Pieces, out: bytearray, at: int, mark: list[int], viewer: int) -> int:
    """A player's View up to their moves: a spectator's, but for the seats at which they know more."""
    start = mark[SPECTATOR]
    for seat in range(t.players):
        more = t.player_at[seat] == viewer or t.known_rows > t.players
        for place in range(PLACES):
            more = more or knows(t, seat, place, viewer)
        if more:
            at = put_again(out, at, start, mark[seat])
            at = put_seat(e, t, p, out, at, seat, viewer)
            start = mark[seat + 1]
    return put_again(out, at, start, mark[LISTS])


@helper
def put_question(e: Edition, t: Table, p: Pieces, out: bytearray, at: int) -> int:
    """After the seats: what the pile asks for, and the players whom the table awaits."""
    at = put_number(out, put(p, out, at, DRAW_PILE), t.draw_size)
    at = put(p, out, at, ASKS_FOR)
    low = lowest_number_asked_for(e, t)
    high = highest_number_asked_for(e, t)
    if low <= 1 and high == HIGHEST:
        at = put(p, out, at, NULL)
    else:
        at = put_number(out, put(p, out, at, LOW), low)
        at = put_number(out, put(p, out, at, HIGH), high)
        out[at] = DONE
        at += 1
    at = put(p, out, at, AWAITS)
    for player in range(t.players):
        if is_awaited(t, player):
            at = put_awaited(t, p, out, at, player)
            out[at] = DONE
            out[at + 1] = COMMA
            at += 2
    return put_after(p, out, at, MOVES_OF)


@helper
def put_awaited(t: Table, p: Pieces, out: bytearray, at: int, player: int) -> int:
    """An awaited player, the question, and the power that asks it."""
    at = put_number(out, put(p, out, at, SEAT), player)
    at = put(p, out, at, QUESTION)
    if t.awaits != POWER:
        return put(p, out, at, ASKED + t.awaits)
    code = code_of(t.pending[t.pending_size - 1])
    at = put(p, out, at, ASKED_BY + (code if t.giving_from == NOWHERE else 0))
    return put(p, out, put(p, out, at, POWER_OF), POWER_VALUES + code)


@clause("K3", "K22", "K23", "K24")
def put_ending(t: Table, p: Pieces, out: bytearray, at: int) -> int:
    """The players whose chosen cards wait to be shown; and how the game ended."""
    at = put(p, out, at, HAS_CHOSEN)
    for player in range(t.players):
        if t.awaits == SET_UP and has_chosen_face_up(t, player):
            at = put_next(out, at, player)
    at = put_after(p, out, at, ENDING)
    if t.awaits != OVER:
        return put(p, out, at, NULL)
    at = put(p, out, put(p, out, at, REASON), REASON_VALUES + t.ending)
    at = put(p, out, at, WINNERS)
    for player in range(t.players):
        if not holds_cards(t, player):
            at = put_next(out, at, player)
    at = put_after(p, out, at, LOSERS)
    if t.loser != NONE:
        at = put_number(out, at, t.loser)
    return put(p, out, at, SCORES)


@helper
def put_pending(t: Table, p: Pieces, out: bytearray, at: int) -> int:
    """Whether the player of this turn plays again, where play goes on from, and what is still to act."""
    at = put(p, out, put(p, out, at, AGAIN), YES_OR_NO + t.again)
    at = put(p, out, at, TURN_SEAT)
    at = put(p, out, at, NULL) if t.turn_seat == NONE else put_number(out, at, t.turn_seat)
    at = put(p, out, at, PENDING)
    for i in range(t.pending_size):
        power = t.pending[i]
        at = put(p, out, put(p, out, at, PENDING_POWER), POWER_VALUES + code_of(power))
        at = put_number(out, put(p, out, at, FIRST), first_parameter(power))
        at = put_number(out, put(p, out, at, SECOND), second_parameter(power))
        out[at] = DONE
        out[at + 1] = COMMA
        at += 2
    return close_list(out, at)


@clause("K27", "K51")
def put_giving(t: Table, p: Pieces, out: bytearray, at: int, viewer: int) -> int:
    """The card that was picked to be given: known to its giver, and to all if it lies face up."""
    at = put(p, out, at, GIVING)
    if t.giving_from == NOWHERE:
        return put(p, out, at, NULL)
    at = put(p, out, put(p, out, at, GIVING_FROM), LOCATION_VALUES + t.giving_from)
    at = put(p, out, at, GIVEN_CARD)
    if t.giving_from == FACE_UP or (t.giving_from == HAND and viewer == t.turn_player):
        at = put(p, out, at, CARD_VALUES + t.giving)
    else:
        at = put(p, out, at, NULL)
    at = put(p, out, at, GIVEN_PLACE)
    at = put_number(out, at, t.giving + 1) if t.giving_from == FACE_DOWN else put(p, out, at, NULL)
    out[at] = DONE
    return at + 1


@clause("K6")
def put_play_from(e: Edition, t: Table, p: Pieces, out: bytearray, at: int, viewer: int) -> int:
    """Where the viewer's next card comes from; null for spectators, and while no location is open."""
    at = put(p, out, at, PLAY_FROM)
    location = NOWHERE if viewer == NONE else location_of_the_next_card(e, t, viewer)
    return put(p, out, at, NULL if location == NOWHERE else LOCATION_VALUES + location)


@clause("K3")
def put_own_choice(t: Table, p: Pieces, out: bytearray, at: int, player: int) -> int:
    """The cards that a player has put aside to be shown."""
    if t.awaits != SET_UP or not has_chosen_face_up(t, player):
        return at
    at = put(p, out, at, CHOSEN)
    for place in range(PLACES):
        at = put_card(p, out, at, t.chosen[player][place])
    return close_list(out, at)


@helper
def write_decisions(e: Edition, t: Table, p: Pieces, moves: Moves, out: bytearray, at: int) -> int:
    """All awaited players with their legal moves: a list of Decisions."""
    out[at] = OPENED
    at += 1
    for player in range(t.players):
        if is_awaited(t, player):
            at = put_awaited(t, p, out, at, player)
            at = put(p, out, at, ITS_MOVES)
            at = put_moves(e, t, p, moves, out, at, player)
            at = close_list(out, at)
            out[at] = DONE
            out[at + 1] = COMMA
            at += 2
    return close_list(out, at)


@clause("K24")
def write_anytime(t: Table, p: Pieces, out: bytearray, at: int) -> int:
    """All players who may offer a draw, or agree to one: a list of Decisions."""
    out[at] = OPENED
    at += 1
    for player in range(t.players):
        if draw_move(t, player):
            at = put_number(out, put(p, out, at, SEAT), player)
            at = put_draw_move(t, p, out, put(p, out, at, ABOUT_A_DRAW), player)
            at = close_list(out, at)
            out[at] = DONE
            out[at + 1] = COMMA
            at += 2
    return close_list(out, at)


# ---------------------------------------------------------------- Events


@helper
def rows_of(tape: Tape, i: int) -> int:
    """Where the next event begins: cards and moves belong to the row before them."""
    i += 1
    while i < tape.size and tape.row[i][0] <= MOVED:
        i += 1
    return i


@clause("K26", "K27")
def who_knows_more(p: Pieces, tape: Tape) -> int:
    """The players who may know a secret of this tape, one bit each."""
    players = 0
    i = 0
    while i < tape.size:
        row = tape.row[i]
        if p.secret_from[row[0]] < p.facts[row[0]]:
            knowing = known_to(row[0], row[1], row[2], row[3])
            players |= 0 if knowing == EVERYBODY else knowing
        i = rows_of(tape, i)
    return players


@clause("K25", "K26", "K27")
def write_events(p: Pieces, tape: Tape, out: bytearray, at: int, viewer: int) -> int:
    """The events of a tape as one viewer may know them, as a list."""
    out[at] = OPENED
    at += 1
    i = 0
    while i < tape.size:
        after = rows_of(tape, i)
        at = put_event(p, tape, out, at, i, after, viewer)
        out[at] = DONE
        out[at + 1] = COMMA
        at += 2
        i = after
    return close_list(out, at)


@clause("K26", "K27")
def put_event(p: Pieces, tape: Tape, out: bytearray, at: int, i: int, after: int, viewer: int) -> int:
    """One event: its facts, and its secrets if the viewer may know them."""
    row = tape.row[i]
    code = row[0]
    facts = p.facts[code]
    face_down_gift = code == GIFT_CHOSEN and row[2] == FACE_DOWN
    if face_down_gift:
        facts = p.secret_from[code]
    knowing = known_to(code, row[1], row[2], row[3])
    may_know = knowing == EVERYBODY or (viewer != NONE and knowing >> viewer & 1 == 1)
    at = put(p, out, at, EVENT + code)
    for fact in range(facts):
        at = put(p, out, at, p.key[code][fact])
        if fact >= p.secret_from[code] and not may_know:
            at = put(p, out, at, NULL)
        else:
            at = put_fact(p, tape, out, at, row[p.number[code][fact]], p.form[code][fact], i + 1, after)
    if face_down_gift:
        at = put_number(out, put(p, out, at, GIFT_FACE_DOWN), row[3] + 1)
    return at


@apart
def put_fact(p: Pieces, tape: Tape, out: bytearray, at: int, value: int, form: int, first: int, after: int) -> int:
    """The value of a fact: a number, a piece of a table, or the rows that belong to the event."""
    if form == A_NUMBER:
        return put_number(out, at, value)
    if form > 0:
        return put(p, out, at, form + value)
    out[at] = OPENED
    at += 1
    for i in range(first, after):
        row = tape.row[i]
        if form == THE_CARDS:
            at = put_card(p, out, at, row[1])
        else:
            at = put_number(out, put(p, out, at, MOVED_PLAYER), row[1])
            at = put_number(out, put(p, out, at, FROM_SEAT), row[2])
            at = put_number(out, put(p, out, at, TO_SEAT), row[3])
            out[at] = DONE
            out[at + 1] = COMMA
            at += 2
    return close_list(out, at)
