"""Steps many tables of Karma together, for reinforcement learning; runs plain and compiled.

For an edition and a number of players, every move has a fixed number, so the legal moves of a table are a mask: 1 if
the move with that number is legal. A choice of three face-up cards is numbered by their positions among the six cards
of the hand, in the order of the kinds; that makes twenty choices, whatever the cards are.

    play      kind × how many      pick up   1          give             kind      draw       1     peek   place
    flip      place                choose    player     give face down   place     end turn   1     swap   place × kind
    decline   1                    face up   3 of 6
"""

from dataclasses import dataclass
from typing import Final

from threefold.clauses import helper
from threefold.karma.moves import (
    CHOOSE_FACE_UP,
    CHOOSE_PLAYER,
    DECLINE,
    DRAW,
    END_TURN,
    FLIP,
    GIVE,
    GIVE_FACE_DOWN,
    PEEK,
    PICK_UP,
    PLAY,
    SWAP,
    first_of,
    move_of,
    second_of,
    third_of,
    what_of,
)
from threefold.karma.simulation.deal import shuffle_and_deal
from threefold.karma.table import NONE, OVER, PLACES, Edition, Moves, Table, Tape
from threefold.karma.turn import first_awaited, list_moves, make_move
from threefold.shuffle import Random

SIX: Final = 6
CHOICES: Final = tuple((i, j, k) for i in range(SIX) for j in range(i + 1, SIX) for k in range(j + 1, SIX))
FIRST, SECOND, THIRD = (bytes(choice[n] for choice in CHOICES) for n in range(3))
RANK: Final = bytes(
    CHOICES.index((i, j, k)) if i < j < k else 0 for i in range(SIX) for j in range(SIX) for k in range(SIX)
)


@dataclass(slots=True)
class MoveNumbering:
    """The first number of each kind of move, and the number of all moves."""

    kinds: int
    shift: int  # the number of a play is its kind shifted by these bits, plus the number of cards beyond the first
    players: int
    play: int
    flip: int
    pick_up: int
    choose: int
    give: int
    give_face_down: int
    decline: int
    draw: int
    end_turn: int
    peek: int
    swap: int
    face_up: int
    size: int


def numbering_for(e: Edition, players: int) -> MoveNumbering:
    """The numbering of all moves of an edition for this number of players."""
    shift = (max(e.copies[: e.kinds]) - 1).bit_length()
    sizes = (e.kinds << shift, PLACES, 1, players, e.kinds, PLACES, 1, 1, 1, PLACES, PLACES * e.kinds, len(CHOICES))
    starts = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
    return MoveNumbering(e.kinds, shift, players, *starts)


@helper
def number_of(numbering: MoveNumbering, t: Table, player: int, move: int) -> int:
    """The number of a legal move of this player."""
    what = what_of(move)
    first = first_of(move)
    if what == PLAY:
        return numbering.play + (first << numbering.shift) + second_of(move) - 1
    if what == FLIP:
        return numbering.flip + first
    if what == PICK_UP:
        return numbering.pick_up
    if what == CHOOSE_PLAYER:
        return numbering.choose + first
    if what == GIVE:
        return numbering.give + first
    if what == GIVE_FACE_DOWN:
        return numbering.give_face_down + first
    if what == DECLINE:
        return numbering.decline
    if what == DRAW:
        return numbering.draw
    if what == END_TURN:
        return numbering.end_turn
    if what == PEEK:
        return numbering.peek + first
    seat = t.seat_of[player]
    if what == SWAP:
        return numbering.swap + place_of(t, seat, first) * numbering.kinds + second_of(move)
    second = second_of(move)
    third = third_of(move)
    i = cards_below(t, seat, first)
    j = cards_below(t, seat, second) + (1 if second == first else 0)
    k = cards_below(t, seat, third) + (1 if third == first else 0) + (1 if third == second else 0)
    return numbering.face_up + RANK[(i * SIX + j) * SIX + k]


@helper
def move_numbered(numbering: MoveNumbering, t: Table, player: int, number: int) -> int:
    """The move that has this number; it must be legal."""
    if number < numbering.flip:
        return move_of(PLAY, number >> numbering.shift, (number & ((1 << numbering.shift) - 1)) + 1, 0)
    if number < numbering.pick_up:
        return move_of(FLIP, number - numbering.flip, 0, 0)
    if number < numbering.choose:
        return move_of(PICK_UP, 0, 0, 0)
    if number < numbering.give:
        return move_of(CHOOSE_PLAYER, number - numbering.choose, 0, 0)
    if number < numbering.give_face_down:
        return move_of(GIVE, number - numbering.give, 0, 0)
    if number < numbering.decline:
        return move_of(GIVE_FACE_DOWN, number - numbering.give_face_down, 0, 0)
    if number < numbering.draw:
        return move_of(DECLINE, 0, 0, 0)
    if number < numbering.end_turn:
        return move_of(DRAW, 0, 0, 0)
    if number < numbering.peek:
        return move_of(END_TURN, 0, 0, 0)
    if number < numbering.swap:
        return move_of(PEEK, number - numbering.peek, 0, 0)
    seat = t.seat_of[player]
    if number < numbering.face_up:
        place = (number - numbering.swap) // numbering.kinds
        return move_of(SWAP, t.face_up[seat][place], (number - numbering.swap) % numbering.kinds, 0)
    choice = number - numbering.face_up
    return move_of(
        CHOOSE_FACE_UP,
        card_in_hand(t, seat, FIRST[choice]),
        card_in_hand(t, seat, SECOND[choice]),
        card_in_hand(t, seat, THIRD[choice]),
    )


@helper
def cards_below(t: Table, seat: int, kind: int) -> int:
    """The number of cards in the hand that come before this kind."""
    count = 0
    for each in range(kind):
        count += t.hand[seat][each]
    return count


@helper
def card_in_hand(t: Table, seat: int, i: int) -> int:
    """The kind of card number `i` in the hand, in the order of the kinds."""
    kind = 0
    while i >= t.hand[seat][kind]:
        i -= t.hand[seat][kind]
        kind += 1
    return kind


@helper
def place_of(t: Table, seat: int, kind: int) -> int:
    """The first place at which this card lies face up."""
    for place in range(PLACES):
        if t.face_up[seat][place] == kind:
            return place
    return NONE


@helper
def fill_mask(e: Edition, t: Table, numbering: MoveNumbering, moves: Moves, mask: list[int]) -> int:
    """Fills the mask with the legal moves of the first awaited player, and returns the player."""
    player = first_awaited(t)
    list_moves(e, t, player, moves)
    for i in range(numbering.size):
        mask[i] = 0
    for i in range(moves.count):
        mask[number_of(numbering, t, player, moves.move[i])] = 1
    return player


@helper
def begin_tables(
    es: list[Edition],
    ts: list[Table],
    ms: list[Moves],
    rs: list[Random],
    numberings: list[MoveNumbering],
    masks: list[list[int]],
    awaited: list[int],
) -> None:
    """Deals a new game at every table."""
    for i in range(len(ts)):
        shuffle_and_deal(es[0], ts[i], rs[i], numberings[0].players)
        awaited[i] = fill_mask(es[0], ts[i], numberings[0], ms[0], masks[i])


@helper
def step_tables(
    es: list[Edition],
    ts: list[Table],
    ms: list[Moves],
    tapes: list[Tape],
    rs: list[Random],
    numberings: list[MoveNumbering],
    chosen: list[int],
    masks: list[list[int]],
    awaited: list[int],
    ended: list[int],
    losers: list[int],
) -> None:
    """Makes the chosen move at every table; if a game ends, records the loser and deals the next one."""
    for i in range(len(ts)):
        t = ts[i]
        make_move(es[0], t, tapes[0], awaited[i], move_numbered(numberings[0], t, awaited[i], chosen[i]))
        ended[i] = 0
        if t.awaits == OVER:
            ended[i] = 1
            losers[i] = t.loser
            shuffle_and_deal(es[0], t, rs[i], numberings[0].players)
        awaited[i] = fill_mask(es[0], t, numberings[0], ms[0], masks[i])
