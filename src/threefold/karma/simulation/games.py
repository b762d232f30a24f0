"""Plays and counts whole games of Karma between policies; runs plain and compiled.

In game number g the policies are rotated by g seats, so each plays from every seat. Cards and choices come from two
generators, so two simulations with the same seed deal the same cards whatever the players choose.
"""

from dataclasses import dataclass
from typing import Annotated, Final

from threefold.clauses import helper
from threefold.karma.bot_view import KarmaView, look
from threefold.karma.bots import RANDOM, choose_move
from threefold.karma.simulation.deal import shuffle_and_deal
from threefold.karma.table import (
    KINDS,
    NONE,
    ONE_LEFT,
    OVER,
    TURN_LIMIT,
    Edition,
    Moves,
    PerKind,
    PerSeat,
    Table,
    Tape,
)
from threefold.karma.tape import CARD_FLIPPED, CARDS_PLAYED, PILE_CLEARED, PILE_PICKED_UP
from threefold.karma.turn import first_awaited, list_moves, make_move
from threefold.shuffle import Random
from threefold.simulation_parts.policy_games import Job

BINS: Final = 2_001
"""Bars of the histogram of turns; the last one holds all longer games."""

# Columns of the row that is kept for each game.
ROTATION: Final = 0  # by how many seats the policies were rotated
LOSER: Final = 1  # index in the list of policies, or NONE
LOSER_ORDER: Final = 2  # position in order of play, 0 for the starter; NONE without a loser
TURNS: Final = 3
MOVES_MADE: Final = 4
PICK_UPS: Final = 5
CLEARS: Final = 6
ENDING: Final = 7
COLUMNS: Final = 8


@dataclass(slots=True)
class KarmaTally:
    """Counts over many games. All are integers, so the sum of chunks does not depend on their grouping."""

    games: int
    moves: int
    turns: int
    turns_squared: int
    pick_ups: int
    pick_ups_squared: int
    clears: int
    clears_squared: int
    stopped: int
    nobody_lost: int
    losses: PerSeat  # by index in the list of policies
    losses_by_order: PerSeat  # by order of play, the starter first
    pick_ups_of: PerSeat
    clears_of: PerSeat
    moves_of: PerSeat
    lengths: Annotated[list[int], (BINS,)]
    plays: PerKind  # times this card was played; several at once count once
    cards_played: PerKind
    players_who_played: PerKind
    lost_after_playing: PerKind
    dealt_to: PerKind  # players who were dealt it among their first six
    lost_after_dealt: PerKind


@dataclass(slots=True)
class Notes:
    """Counts of the game in progress."""

    pick_ups: PerSeat  # by player
    clears: PerSeat
    moves: PerSeat
    played: PerSeat  # a bit for each kind of card
    dealt: PerSeat  # a bit for each kind of card


@helper
def reset_notes(e: Edition, t: Table, notes: Notes) -> None:
    """Sets the counts to zero and notes the cards dealt to each player."""
    for player in range(t.players):
        notes.pick_ups[player] = 0
        notes.clears[player] = 0
        notes.moves[player] = 0
        notes.played[player] = 0
        notes.dealt[player] = 0
        for kind in range(e.kinds):
            if t.hand[t.seat_of[player]][kind] > 0:
                notes.dealt[player] |= 1 << kind


@helper
def note_events(tape: Tape, notes: Notes, tally: KarmaTally) -> None:
    """Counts the events of the last move."""
    for i in range(tape.size):
        row = tape.row[i]
        if row[0] == CARDS_PLAYED:
            notes.played[row[1]] |= 1 << row[4]
            tally.plays[row[4]] += 1
            tally.cards_played[row[4]] += row[5]
        elif row[0] == CARD_FLIPPED:
            if row[5] == 1:
                notes.played[row[1]] |= 1 << row[4]
                tally.plays[row[4]] += 1
                tally.cards_played[row[4]] += 1
        elif row[0] == PILE_PICKED_UP:
            notes.pick_ups[row[1]] += 1
        elif row[0] == PILE_CLEARED:
            notes.clears[row[1]] += 1


@helper
def play_a_game(
    e: Edition,
    t: Table,
    moves: Moves,
    tape: Tape,
    view: KarmaView,
    random: Random,
    job: Job,
    rotation: int,
    notes: Notes,
    tally: KarmaTally,
) -> int:
    """Plays a dealt game to its end and returns the number of moves. Policies get the view, never the table."""
    reset_notes(e, t, notes)
    moves_made = 0
    while t.awaits != OVER:
        player = first_awaited(t)
        list_moves(e, t, player, moves)
        policy = job.policy[(player + rotation) % job.players]
        if policy != RANDOM:
            look(e, t, player, view)
        make_move(e, t, tape, player, choose_move(policy, e, view, moves, random))
        note_events(tape, notes, tally)
        notes.moves[player] += 1
        moves_made += 1
    return moves_made


@helper
def count_game(e: Edition, t: Table, job: Job, rotation: int, moves_made: int, notes: Notes, tally: KarmaTally) -> None:
    """Adds a finished game to the tally."""
    pick_ups = 0
    clears = 0
    loser = t.loser
    for player in range(t.players):
        slot = (player + rotation) % t.players
        pick_ups += notes.pick_ups[player]
        clears += notes.clears[player]
        tally.pick_ups_of[slot] += notes.pick_ups[player]
        tally.clears_of[slot] += notes.clears[player]
        tally.moves_of[slot] += notes.moves[player]
        lost = 1 if player == loser else 0
        for kind in range(e.kinds):
            if notes.played[player] >> kind & 1:
                tally.players_who_played[kind] += 1
                tally.lost_after_playing[kind] += lost
            if notes.dealt[player] >> kind & 1:
                tally.dealt_to[kind] += 1
                tally.lost_after_dealt[kind] += lost
    tally.games += 1
    tally.moves += moves_made
    tally.turns += t.turns
    tally.turns_squared += t.turns * t.turns
    tally.pick_ups += pick_ups
    tally.pick_ups_squared += pick_ups * pick_ups
    tally.clears += clears
    tally.clears_squared += clears * clears
    tally.lengths[min(t.turns // job.bin_width, BINS - 1)] += 1
    if t.ending == TURN_LIMIT:
        tally.stopped += 1
    elif t.ending != ONE_LEFT:
        tally.nobody_lost += 1
    if loser != NONE:
        tally.losses[(loser + rotation) % t.players] += 1
        tally.losses_by_order[(loser - t.dealer - 1) % t.players] += 1


@helper
def fill_row(t: Table, row: list[int], rotation: int, moves_made: int, notes: Notes) -> None:
    """Writes a finished game into its row."""
    row[ROTATION] = rotation
    row[LOSER] = NONE
    row[LOSER_ORDER] = NONE
    if t.loser != NONE:
        row[LOSER] = (t.loser + rotation) % t.players
        row[LOSER_ORDER] = (t.loser - t.dealer - 1) % t.players
    row[TURNS] = t.turns
    row[MOVES_MADE] = moves_made
    row[PICK_UPS] = 0
    row[CLEARS] = 0
    for player in range(t.players):
        row[PICK_UPS] += notes.pick_ups[player]
        row[CLEARS] += notes.clears[player]
    row[ENDING] = t.ending


@helper
def play_games(
    es: list[Edition],
    ts: list[Table],
    ms: list[Moves],
    tapes: list[Tape],
    views: list[KarmaView],
    deals: list[Random],
    choices: list[Random],
    jobs: list[Job],
    notes: list[Notes],
    tallies: list[KarmaTally],
    rows: list[list[int]],
) -> None:
    """Plays a chunk of games, one after the other, on one table."""
    job = jobs[0]
    for i in range(job.games):
        rotation = (job.first_game + i) % job.players
        shuffle_and_deal(es[0], ts[0], deals[0], job.players)
        moves_made = play_a_game(
            es[0], ts[0], ms[0], tapes[0], views[0], choices[0], job, rotation, notes[0], tallies[0]
        )
        count_game(es[0], ts[0], job, rotation, moves_made, notes[0], tallies[0])
        fill_row(ts[0], rows[i], rotation, moves_made, notes[0])


assert KINDS < 63, "the kinds of a hand fit the bits of one number"
