"""Whole games between two simple kinds of players, to test and measure the rules; they run plain and compiled.

Perfect players miss no SET: whenever there is one, a player takes it (in 20/20 SET the one with the most personal
cards). They agree, or in solitaire ask for more cards, only when there is none. They do not plan ahead.
Random players take any SET. Of sixteen calls they give one up and name three random cards in two. Sometimes they agree,
ask for a card or want more cards although there is a SET.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Final

import numpy as np

from threefold.clauses import helper
from threefold.compiling import compiler, record_type, to_records
from threefold.setgame.moves import (
    AGREE_NO_SET,
    ASK_FOR_CARD,
    CALL,
    GIVE_UP,
    MORE_CARDS,
    TAKE,
    TIME_UP,
    card_in,
    with_card,
)
from threefold.setgame.refusals import ACCEPTED, deadline_of, no_more_may_be_laid, why_no_personal_card
from threefold.setgame.search import card_within_reach, first_set, is_found, nth_set, reach, sets_within_reach
from threefold.setgame.simulation.deal import shuffle_and_deal
from threefold.setgame.table import (
    GOES_ON,
    NONE,
    PERSONAL_FROM,
    PREVIOUS_FROM,
    Table,
    Tape,
    Variant,
    has_personal_cards,
)
from threefold.setgame.turn import make_move
from threefold.shuffle import Random, below

RANDOM_PLAYERS: Final = 0
PERFECT_PLAYERS: Final = 1
MOVE_INTERVAL_MS: Final = 1_000
REASONS: Final = 9


@dataclass(slots=True)
class Choice:
    """The next move: who makes it, what it is, and when."""

    player: int
    move: int
    at: int
    planned_take: int  # the SET for which a perfect player has called


@dataclass(slots=True)
class Report:
    """Counts over many games."""

    games: int
    moves: int
    deals: int
    sets: int
    lost: int  # points
    reached: Annotated[list[int], (4,)]  # games whose layout grew by at least 3, 6, 9 cards (index 1 to 3)
    endings: Annotated[list[int], (REASONS,)]  # by reason
    won: int  # games with a single winner; in solitaire games without a penalty left
    reshuffles: int
    cards_asked_for: int
    score: int  # sum of the winning scores
    longest: int  # moves in the longest game


@helper
def choose(v: Variant, t: Table, random: Random, policy: int, choice: Choice) -> None:
    """Chooses the next move. Every game ends sooner or later."""
    choice.at = t.now + MOVE_INTERVAL_MS
    if v.time_ms > 0 and choice.at >= v.time_ms:
        choice.player = NONE
        choice.move = TIME_UP
        choice.at = max(t.now, deadline_of(v, t))
    elif t.next_deal_at != NONE:
        choice.player = NONE
        choice.move = TIME_UP
        choice.at = t.next_deal_at
    elif policy == PERFECT_PLAYERS:
        choose_perfectly(v, t, random, choice)
    else:
        choose_at_random(v, t, random, choice)


@helper
def choose_perfectly(v: Variant, t: Table, random: Random, choice: Choice) -> None:
    """The caller takes the planned SET; else the first player from a random seat with a SET calls; else one agrees."""
    if t.control != NONE:
        choice.player = t.control
        choice.move = choice.planned_take
        return
    start = below(random, t.players) if t.players > 1 else 0
    for i in range(t.players if has_personal_cards(v) else 1):
        player = (start + i) % t.players
        take = best_set(v, t, player)
        if take != 0:
            choice.player = player
            choice.planned_take = take
            choice.move = CALL if v.call_first == 1 else take
            return
    choice.player = start
    choice.move = MORE_CARDS
    if v.alone == 0:
        choice.move = AGREE_NO_SET
        while t.agreed[choice.player] == 1:
            choice.player = (choice.player + 1) % t.players


@helper
def best_set(v: Variant, t: Table, player: int) -> int:
    """The take of the first SET, or with personal cards of the one that uses most of them; 0 if there is none."""
    if not has_personal_cards(v):
        return first_set(v, t, player)
    best = 0
    most = NONE
    for n in range(sets_within_reach(v, t, player)):
        take = nth_set(v, t, player, n)
        own = 0
        for i in range(v.set_size):
            own += 1 if t.where[card_in(take, i)] >= PERSONAL_FROM else 0
        if own > most:
            most = own
            best = take
    return best


@helper
def choose_at_random(v: Variant, t: Table, random: Random, choice: Choice) -> None:
    """The caller takes three cards, mostly a SET; else a random player calls, agrees, asks or wants more cards."""
    if t.control != NONE:
        choice.player = t.control
        choice.move = random_take(v, t, random, t.control)
        return
    player = below(random, t.players)
    choice.player = player
    if deadline_of(v, t) != NONE and deadline_of(v, t) != v.time_ms and below(random, 4) == 0:
        choice.player = NONE
        choice.move = TIME_UP
        if deadline_of(v, t) > choice.at:
            choice.at = deadline_of(v, t)
    elif below(random, 16) == 0 and why_no_personal_card(v, t, player) == ACCEPTED:
        choice.move = ASK_FOR_CARD
    elif sets_within_reach(v, t, player) == 0 or below(random, 16) == 0:
        claim_no_set(v, t, random, choice)
    else:
        call_or_take(v, t, random, choice)


@helper
def claim_no_set(v: Variant, t: Table, random: Random, choice: Choice) -> None:
    """Agrees that there is no SET, or in solitaire wants more cards. Calls where neither is allowed."""
    if no_more_may_be_laid(v, t):
        call_or_take(v, t, random, choice)
    elif v.alone == 1:
        choice.move = MORE_CARDS
    else:
        choice.move = AGREE_NO_SET
        while t.agreed[choice.player] == 1:
            choice.player = (choice.player + 1) % t.players


@helper
def call_or_take(v: Variant, t: Table, random: Random, choice: Choice) -> None:
    """Calls, or takes at once where a take is its own call; waits after a failed call."""
    if t.may_call_from[choice.player] > choice.at:
        choice.at = t.may_call_from[choice.player]
    choice.move = CALL if v.call_first == 1 else random_take(v, t, random, choice.player)


@helper
def random_take(v: Variant, t: Table, random: Random, player: int) -> int:
    """Any of the SETs; but one time in sixteen a caller gives up, and two times takes three random cards."""
    sets = sets_within_reach(v, t, player)
    dice = below(random, 16)
    if dice == 0 and t.control != NONE:
        return GIVE_UP
    if dice > 2 and sets > 0:
        return nth_set(v, t, player, below(random, sets))
    take = random_cards(v, t, random, player)
    while v.stays == 1 and is_found(v.set_size, take, t.taken, t.taken_size):
        take = random_cards(v, t, random, player)
    return take


@helper
def random_cards(v: Variant, t: Table, random: Random, player: int) -> int:
    """A take of any different cards within reach; in a chain the last one is of the previous SET."""
    take = TAKE
    for i in range(v.set_size):
        card = random_card(v, t, random, player)
        while not fits(v, t, take, i, card):
            card = random_card(v, t, random, player)
        take = with_card(take, i, card)
    return take


@helper
def fits(v: Variant, t: Table, take: int, i: int, card: int) -> bool:
    """May this be card number `i` of a take?"""
    for j in range(i):
        if card_in(take, j) == card:
            return False
    return t.previous_size == 0 or (t.where[card] >= PREVIOUS_FROM) == (i == v.set_size - 1)


@helper
def random_card(v: Variant, t: Table, random: Random, player: int) -> int:
    """Any card within the player's reach."""
    card = NONE
    while card == NONE:
        card = card_within_reach(t, player, below(random, reach(t, v.most_personal)))
    return card


@helper
def play_out(v: Variant, t: Table, tape: Tape, random: Random, policy: int, choice: Choice, report: Report) -> None:
    """Plays a game to its end and adds it to the report."""
    moves = 0
    most = t.places
    while t.ending == GOES_ON:
        choose(v, t, random, policy, choice)
        if choice.move == ASK_FOR_CARD:
            report.cards_asked_for += 1
        make_move(v, t, tape, choice.player, choice.move, choice.at)
        moves += 1
        if t.places > most:
            most = t.places
    report.games += 1
    report.moves += moves
    report.deals += t.deals
    report.reshuffles += t.reshuffles
    report.endings[t.ending] += 1
    for more in range(1, 4):
        if most >= v.layout + 3 * more:
            report.reached[more] += 1
    if moves > report.longest:
        report.longest = moves
    count_scores(v, t, report)


@helper
def count_scores(v: Variant, t: Table, report: Report) -> None:
    """Adds the SETs, the points lost and the winners' score to the report."""
    highest = t.score[0]
    winners = 0
    for player in range(t.players):
        report.sets += t.sets[player]
        report.lost += t.lost[player]
        if t.score[player] > highest:
            highest = t.score[player]
    for player in range(t.players):
        winners += 1 if t.score[player] == highest else 0
    if v.alone == 1:
        winners = 1 if t.penalty == 0 else 0
    report.won += 1 if winners == 1 else 0
    report.score += highest


@helper
def play_games(
    vs: list[Variant],
    ts: list[Table],
    tapes: list[Tape],
    rs: list[Random],
    choices: list[Choice],
    reports: list[Report],
    policy: int,
    players: int,
    games: int,
) -> None:
    """Plays many games, one after the other at one table."""
    for _ in range(games):
        shuffle_and_deal(vs[0], ts[0], tapes[0], rs[0], players)
        play_out(vs[0], ts[0], tapes[0], rs[0], policy, choices[0], reports[0])


_compiled = compiler("setgame", module=__name__)


@_compiled
def choose_compiled(vs: Any, ts: Any, i: int, rs: Any, policy: int, choices: Any) -> None:
    """`choose`, compiled, over arrays of records and an index."""
    choose(vs[0], ts[i], rs[0], policy, choices[0])


@_compiled
def play_games_compiled(
    vs: Any, ts: Any, tapes: Any, rs: Any, choices: Any, reports: Any, policy: int, players: int, games: int
) -> None:
    """`play_games`, compiled."""
    play_games(vs, ts, tapes, rs, choices, reports, policy, players, games)


def simulate(variant: Variant, players: int, policy: int, games: int, random: Random) -> dict[str, Any]:
    """Plays games at the compiled speed and returns their Report as a dict. The tape has no room, so it stays empty."""
    ts, tapes, choices, reports = (np.zeros(1, record_type(each)) for each in (Table, Tape, Choice, Report))
    play_games_compiled(
        to_records([variant]), ts, tapes, to_records([random]), choices, reports, policy, players, games
    )
    return {name: reports[0][name].tolist() for name in reports.dtype.names or ()}
