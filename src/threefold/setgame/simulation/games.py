"""Plays and counts whole games of SET between policies; runs plain and compiled.

There are no turns. At each step every policy chooses a move and a delay; the move with the shortest delay is made, and
all choose again. In game number g the policies are rotated by g seats. Cards and choices come from two generators.
"""

from dataclasses import dataclass
from typing import Annotated, Final

from threefold.clauses import helper
from threefold.setgame.bot_view import SetView, look
from threefold.setgame.bots import choose_set_move
from threefold.setgame.bots.sense import SetChoice
from threefold.setgame.moves import TIME_UP
from threefold.setgame.refusals import deadline_of
from threefold.setgame.search import sets_of_layout
from threefold.setgame.simulation.deal import shuffle_and_deal
from threefold.setgame.table import GOES_ON, NONE, PLACES, PerPlayer, Table, Tape, Variant
from threefold.setgame.turn import make_move
from threefold.shuffle import Random, below
from threefold.simulation_parts.policy_games import Job

BINS: Final = 2_001
"""Bars of the histogram of times; the last one holds all longer games."""
MOST_COUNTED: Final = 41  # the last column of `layouts` holds all layouts with at least 40 SETs
REASONS: Final = 10  # how games end; the last is a game that was stopped
STOPPED: Final = 9

# Columns of the row that is kept for each game.
ROTATION: Final = 0
WINNER: Final = 1  # index of a single winner in the list of policies, or NONE
MOVES_MADE: Final = 2
TENTHS: Final = 3  # of a second
SETS: Final = 4
POINTS_LOST: Final = 5
MOST_LAID: Final = 6
LEFT_OVER: Final = 7
DEALS: Final = 8
PENALTY: Final = 9
ENDING: Final = 10
COLUMNS: Final = 11


@dataclass(slots=True)
class SetTally:
    """Counts over many games. All are integers, so the sum of chunks does not depend on their grouping."""

    games: int
    moves: int
    deals: int
    sets: int
    sets_squared: int
    lost: int  # points
    tenths: int
    tenths_squared: int
    penalties: int
    stopped: int
    wins: PerPlayer  # alone or shared, by index in the list of policies
    scores: PerPlayer
    sets_of: PerPlayer
    lost_of: PerPlayer
    layouts: Annotated[list[list[int]], (PLACES + 1, MOST_COUNTED)]  # by number of cards and number of SETs
    most_laid: Annotated[list[int], (PLACES + 1,)]
    left_over: Annotated[list[int], (PLACES + 1,)]
    endings: Annotated[list[int], (REASONS,)]
    lengths: Annotated[list[int], (BINS,)]


@helper
def choose_next(
    v: Variant, t: Table, view: SetView, random: Random, job: Job, rotation: int, plan: SetChoice, best: SetChoice
) -> int:
    """The player who acts next (NONE: a deadline passes first); `best` receives the move and its delay."""
    best.acts = 0
    next_player = NONE
    start = below(random, t.players) if t.players > 1 else 0
    for i in range(t.players):
        player = (start + i) % t.players
        look(v, t, player, view)
        choose_set_move(job.policy[(player + rotation) % job.players], view, random, plan)
        if plan.acts == 1 and (best.acts == 0 or plan.after_ms < best.after_ms):
            best.acts = 1
            best.move = plan.move
            best.after_ms = plan.after_ms
            next_player = player
    deadline = deadline_of(v, t)
    if deadline != NONE and (best.acts == 0 or deadline < t.now + best.after_ms):
        best.acts = 1
        best.move = TIME_UP
        best.after_ms = max(0, deadline - t.now)
        next_player = NONE
    return next_player


@helper
def count_layout(v: Variant, t: Table, tally: SetTally) -> None:
    """Counts the SETs of the layout on the table."""
    tally.layouts[t.laid][min(sets_of_layout(v, t), MOST_COUNTED - 1)] += 1


@helper
def play_a_game(
    v: Variant,
    t: Table,
    tape: Tape,
    view: SetView,
    random: Random,
    job: Job,
    rotation: int,
    plans: list[SetChoice],
    tally: SetTally,
    row: list[int],
) -> None:
    """Plays a dealt game to its end, counts its layouts and begins its row."""
    moves_made = 0
    most = t.laid
    dealt = t.dealt
    laid = t.laid
    count_layout(v, t, tally)
    while t.ending == GOES_ON and moves_made < job.most_moves:
        player = choose_next(v, t, view, random, job, rotation, plans[0], plans[1])
        if plans[1].acts == 0:
            break
        make_move(v, t, tape, player, plans[1].move, t.now + plans[1].after_ms)
        moves_made += 1
        if t.dealt != dealt or t.laid != laid:
            dealt = t.dealt
            laid = t.laid
            count_layout(v, t, tally)
            most = max(most, laid)
    row[ROTATION] = rotation
    row[MOVES_MADE] = moves_made
    row[MOST_LAID] = most


@helper
def count_game(v: Variant, t: Table, job: Job, tally: SetTally, row: list[int]) -> None:
    """Adds a finished game to the tally and to its row."""
    highest = t.score[0]
    sets = 0
    lost = 0
    for player in range(t.players):
        highest = max(highest, t.score[player])
        sets += t.sets[player]
        lost += t.lost[player]
    row[WINNER] = NONE
    winners = 0
    for player in range(t.players):
        slot = (player + row[ROTATION]) % t.players
        tally.scores[slot] += t.score[player]
        tally.sets_of[slot] += t.sets[player]
        tally.lost_of[slot] += t.lost[player]
        if has_won(v, t, player, highest):
            winners += 1
            tally.wins[slot] += 1
            row[WINNER] = slot
    if winners != 1:
        row[WINNER] = NONE
    tenths = t.now // 100
    row[TENTHS] = tenths
    row[SETS] = sets
    row[POINTS_LOST] = lost
    row[LEFT_OVER] = t.laid
    row[DEALS] = t.deals
    row[PENALTY] = t.penalty
    row[ENDING] = t.ending if t.ending != GOES_ON else STOPPED
    tally.games += 1
    tally.moves += row[MOVES_MADE]
    tally.deals += t.deals
    tally.sets += sets
    tally.sets_squared += sets * sets
    tally.lost += lost
    tally.tenths += tenths
    tally.tenths_squared += tenths * tenths
    tally.penalties += t.penalty
    tally.stopped += 1 if t.ending == GOES_ON else 0
    tally.most_laid[row[MOST_LAID]] += 1
    tally.left_over[t.laid] += 1
    tally.endings[row[ENDING]] += 1
    tally.lengths[min(tenths // 10 // job.bin_width, BINS - 1)] += 1


@helper
def has_won(v: Variant, t: Table, player: int, highest: int) -> bool:
    """Has this player won? By the highest score; in solitaire with no penalty left; with a target, by reaching it."""
    if t.ending == GOES_ON:
        return False
    if v.alone == 1:
        return t.penalty == 0
    if t.winner != NONE:
        return player == t.winner
    return t.score[player] == highest


@helper
def play_games(
    vs: list[Variant],
    ts: list[Table],
    tapes: list[Tape],
    views: list[SetView],
    deals: list[Random],
    choices: list[Random],
    jobs: list[Job],
    plans: list[SetChoice],
    tallies: list[SetTally],
    rows: list[list[int]],
) -> None:
    """Plays a chunk of games, one after the other, on one table."""
    job = jobs[0]
    for i in range(job.games):
        rotation = (job.first_game + i) % job.players
        shuffle_and_deal(vs[0], ts[0], tapes[0], deals[0], job.players)
        play_a_game(vs[0], ts[0], tapes[0], views[0], choices[0], job, rotation, plans, tallies[0], rows[i])
        count_game(vs[0], ts[0], job, tallies[0], rows[i])
