"""Many tables of Karma stepped together, for learners; in the same source for both speeds.

Every move has a fixed number in a catalogue made for an edition and a number of players, so that the legal moves of a
table are a mask: 1 where the move with that number is legal. Three face-up cards are numbered by their places among the
six in the hand, in the order of the kinds, which makes twenty choices whatever the cards are.

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
from threefold.karma.table import NONE, OVER, PLACES, Edition, Moves, Table, Tape
from threefold.karma.turn import first_awaited, list_moves, make_move
from threefold.shuffle import Random
from threefold.simulation.karma_deal import shuffle_and_deal

SIX: Final = 6
CHOICES: Final = tuple((i, j, k) for i in range(SIX) for j in range(i + 1, SIX) for k in range(j + 1, SIX))
FIRST, SECOND, THIRD = (bytes(choice[n] for choice in CHOICES) for n in range(3))
RANK: Final = bytes(
    CHOICES.index((i, j, k)) if i < j < k else 0 for i in range(SIX) for j in range(SIX) for k in range(SIX)
)


@dataclass(slots=True)
class Catalogue:
    """Where each sort of move begins in the numbering, and how many moves there are."""

    kinds: int
    shift: int  # a play is its kind shifted by so many bits, and how many cards beyond the first
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


def catalogue_for(e: Edition, players: int) -> Catalogue:
    """The numbering of all moves of an edition for so many players."""
    shift = (max(e.copies[: e.kinds]) - 1).bit_length()
    sizes = (e.kinds << shift, PLACES, 1, players, e.kinds, PLACES, 1, 1, 1, PLACES, PLACES * e.kinds, len(CHOICES))
    starts = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
    return Catalogue(e.kinds, shift, players, *starts)


@helper
def number_of(c: Catalogue, t: Table, player: int, move: int) -> int:
    """The number of a legal move of this player."""
    what = what_of(move)
    first = first_of(move)
    if what == PLAY:
        return c.play + (first << c.shift) + second_of(move) - 1
    if what == FLIP:
        return c.flip + first
    if what == PICK_UP:
        return c.pick_up
    if what == CHOOSE_PLAYER:
        return c.choose + first
    if what == GIVE:
        return c.give + first
    if what == GIVE_FACE_DOWN:
        return c.give_face_down + first
    if what == DECLINE:
        return c.decline
    if what == DRAW:
        return c.draw
    if what == END_TURN:
        return c.end_turn
    if what == PEEK:
        return c.peek + first
    seat = t.seat_of[player]
    if what == SWAP:
        return c.swap + place_of(t, seat, first) * c.kinds + second_of(move)
    second = second_of(move)
    third = third_of(move)
    i = cards_below(t, seat, first)
    j = cards_below(t, seat, second) + (1 if second == first else 0)
    k = cards_below(t, seat, third) + (1 if third == first else 0) + (1 if third == second else 0)
    return c.face_up + RANK[(i * SIX + j) * SIX + k]


@helper
def move_numbered(c: Catalogue, t: Table, player: int, number: int) -> int:
    """The move that has this number; it must be legal."""
    if number < c.flip:
        return move_of(PLAY, number >> c.shift, (number & ((1 << c.shift) - 1)) + 1, 0)
    if number < c.pick_up:
        return move_of(FLIP, number - c.flip, 0, 0)
    if number < c.choose:
        return move_of(PICK_UP, 0, 0, 0)
    if number < c.give:
        return move_of(CHOOSE_PLAYER, number - c.choose, 0, 0)
    if number < c.give_face_down:
        return move_of(GIVE, number - c.give, 0, 0)
    if number < c.decline:
        return move_of(GIVE_FACE_DOWN, number - c.give_face_down, 0, 0)
    if number < c.draw:
        return move_of(DECLINE, 0, 0, 0)
    if number < c.end_turn:
        return move_of(DRAW, 0, 0, 0)
    if number < c.peek:
        return move_of(END_TURN, 0, 0, 0)
    if number < c.swap:
        return move_of(PEEK, number - c.peek, 0, 0)
    seat = t.seat_of[player]
    if number < c.face_up:
        place = (number - c.swap) // c.kinds
        return move_of(SWAP, t.face_up[seat][place], (number - c.swap) % c.kinds, 0)
    choice = number - c.face_up
    return move_of(
        CHOOSE_FACE_UP,
        card_in_hand(t, seat, FIRST[choice]),
        card_in_hand(t, seat, SECOND[choice]),
        card_in_hand(t, seat, THIRD[choice]),
    )


@helper
def cards_below(t: Table, seat: int, kind: int) -> int:
    """How many cards of the hand come before this kind."""
    count = 0
    for each in range(kind):
        count += t.hand[seat][each]
    return count


@helper
def card_in_hand(t: Table, seat: int, i: int) -> int:
    """The kind of the hand's card with this number, in the order of the kinds."""
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
def show_moves(e: Edition, t: Table, c: Catalogue, moves: Moves, mask: list[int]) -> int:
    """Fills the mask of whoever is awaited first; who that is."""
    player = first_awaited(t)
    list_moves(e, t, player, moves)
    for i in range(c.size):
        mask[i] = 0
    for i in range(moves.count):
        mask[number_of(c, t, player, moves.move[i])] = 1
    return player


@helper
def begin_tables(
    es: list[Edition],
    ts: list[Table],
    ms: list[Moves],
    rs: list[Random],
    cs: list[Catalogue],
    masks: list[list[int]],
    awaited: list[int],
) -> None:
    """Deals a new game at every table."""
    for i in range(len(ts)):
        shuffle_and_deal(es[0], ts[i], rs[i], cs[0].players)
        awaited[i] = show_moves(es[0], ts[i], cs[0], ms[0], masks[i])


@helper
def step_tables(
    es: list[Edition],
    ts: list[Table],
    ms: list[Moves],
    tapes: list[Tape],
    rs: list[Random],
    cs: list[Catalogue],
    chosen: list[int],
    masks: list[list[int]],
    awaited: list[int],
    ended: list[int],
    losers: list[int],
) -> None:
    """Makes the chosen move at every table; where a game ends, says who lost and deals the next one."""
    for i in range(len(ts)):
        t = ts[i]
        make_move(es[0], t, tapes[0], awaited[i], move_numbered(cs[0], t, awaited[i], chosen[i]))
        ended[i] = 0
        if t.awaits == OVER:
            ended[i] = 1
            losers[i] = t.loser
            shuffle_and_deal(es[0], t, rs[i], cs[0].players)
        awaited[i] = show_moves(es[0], t, cs[0], ms[0], masks[i])
