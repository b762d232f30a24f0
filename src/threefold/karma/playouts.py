"""Whole games by players who choose any legal move, as fast as the engine goes; in the same source for both speeds."""

from threefold.clauses import helper
from threefold.karma.rules import deal
from threefold.karma.table import OVER, Edition, Moves, Table, Tape
from threefold.karma.turn import first_awaited, list_moves, make_move
from threefold.shuffle import Random, below, shuffle


@helper
def shuffle_and_deal(e: Edition, t: Table, random: Random, players: int) -> None:
    """A new game: the deck is shuffled, then the first dealer is drawn (K5)."""
    t.draw_size = 0
    for kind in range(e.kinds):
        for _ in range(e.copies[kind]):
            t.draw_pile[t.draw_size] = kind
            t.draw_size += 1
    shuffle(t.draw_pile, t.draw_size, random)
    deal(e, t, players, below(random, players))


@helper
def play_out(e: Edition, t: Table, moves: Moves, tape: Tape, random: Random) -> int:
    """Plays a game to its end, every legal move as likely as the others; how many moves were made."""
    made = 0
    while t.awaits != OVER:
        player = first_awaited(t)
        list_moves(e, t, player, moves)
        make_move(e, t, tape, player, moves.move[below(random, moves.count)])
        made += 1
    return made


@helper
def play_games(
    es: list[Edition],
    ts: list[Table],
    ms: list[Moves],
    tapes: list[Tape],
    rs: list[Random],
    players: int,
    games: int,
) -> int:
    """Plays many games, one after the other at one table; how many moves were made."""
    made = 0
    for _ in range(games):
        shuffle_and_deal(es[0], ts[0], rs[0], players)
        made += play_out(es[0], ts[0], ms[0], tapes[0], rs[0])
    return made


@helper
def is_conserved(e: Edition, t: Table) -> bool:
    """No card is lost or made, and the counts kept beside the cards are right."""
    for kind in range(e.kinds):
        found = t.removed[kind]
        for i in range(t.draw_size):
            found += 1 if t.draw_pile[i] == kind else 0
        for i in range(t.discard_size):
            found += 1 if t.discard_pile[i] == kind else 0
        for seat in range(t.players):
            found += t.hand[seat][kind]
            for place in range(3):
                found += 1 if t.face_up[seat][place] == kind else 0
                found += 1 if t.face_down[seat][place] == kind else 0
        if found != e.copies[kind]:
            return False
    for seat in range(t.players):
        held = 0
        for kind in range(e.kinds):
            held += t.hand[seat][kind]
        up = 0
        down = 0
        for place in range(3):
            up += 1 if t.face_up[seat][place] >= 0 else 0
            down += 1 if t.face_down[seat][place] >= 0 else 0
        if held != t.hand_size[seat] or up != t.face_up_size[seat] or down != t.face_down_size[seat]:
            return False
        if t.player_at[t.seat_of[seat]] != seat:
            return False
    return True
