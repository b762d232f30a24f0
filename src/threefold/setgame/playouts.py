"""Whole games by two sorts of players, as fast as the engine goes; in the same source for both speeds.

Perfect players miss no SET: one of them takes one as soon as there is one (in 20/20 SET the one that uses most personal
cards), and they agree, or alone ask for more cards, only when there is none. They plan nothing beyond that.
Random players see SETs but take any of them; of sixteen calls two name three cards at random and one is given up, and
now and then they agree, ask for a card or want more cards although there is a SET.
"""

from dataclasses import dataclass
from typing import Annotated, Final

from threefold.clauses import helper
from threefold.setgame.moves import (
    AGREE_NO_SET,
    ASK_FOR_CARD,
    CALL,
    GIVE_UP,
    MORE_CARDS,
    TIME_UP,
    first_of,
    second_of,
    take_of,
    third_of,
)
from threefold.setgame.refusals import ACCEPTED, deadline_of, no_more_may_be_laid, why_no_personal_card
from threefold.setgame.rules import begin_game
from threefold.setgame.search import card_within_reach, first_set, nth_set, reach, sets_within_reach
from threefold.setgame.table import GOES_ON, NONE, PERSONAL_FROM, Table, Tape, Variant, has_personal_cards
from threefold.setgame.turn import make_move
from threefold.shuffle import Random, below, next_bits, shuffle

RANDOM_PLAYERS: Final = 0
PERFECT_PLAYERS: Final = 1
A_MOMENT: Final = 1_000  # milliseconds between two moves
REASONS: Final = 7


@dataclass(slots=True)
class Choice:
    """What somebody does next."""

    player: int
    move: int
    at: int
    seen: int  # the take of the SET for which a perfect player has called


@dataclass(slots=True)
class Report:
    """What happened in many games, in numbers."""

    games: int
    moves: int
    deals: int
    sets: int
    lost: int  # points
    reached: Annotated[list[int], (4,)]  # games in which more than the layout lay: 3 more, 6 more, 9 more
    endings: Annotated[list[int], (REASONS,)]  # by reason
    won: int  # games with a winner alone; in solitaire those without a penalty left
    reshuffles: int
    asked: int
    score: int  # of the winners
    longest: int  # moves of the longest game


@helper
def shuffle_and_deal(v: Variant, t: Table, tape: Tape, random: Random, players: int) -> None:
    """A new game: the deck is shuffled, then the first dealer and a generator for the reshuffles are drawn."""
    for card in range(v.cards):
        t.deck[card] = card
    shuffle(t.deck, v.cards, random)
    dealer = below(random, players)
    for i in range(4):
        t.word[i] = next_bits(random)
    begin_game(v, t, tape, players, dealer)


@helper
def choose(v: Variant, t: Table, random: Random, policy: int, choice: Choice) -> None:
    """What the players do next; sooner or later that ends the game."""
    choice.at = t.now + A_MOMENT
    if t.next_deal_at != NONE:
        choice.player = NONE
        choice.move = TIME_UP
        choice.at = t.next_deal_at
    elif policy == PERFECT_PLAYERS:
        choose_perfectly(v, t, random, choice)
    else:
        choose_at_random(v, t, random, choice)


@helper
def choose_perfectly(v: Variant, t: Table, random: Random, choice: Choice) -> None:
    """The caller takes the SET seen; else the first from a random seat on who sees one calls; else somebody agrees."""
    if t.control != NONE:
        choice.player = t.control
        choice.move = choice.seen
        return
    start = below(random, t.players) if t.players > 1 else 0
    for i in range(t.players if has_personal_cards(v) else 1):
        player = (start + i) % t.players
        take = best_set(v, t, player)
        if take != 0:
            choice.player = player
            choice.seen = take
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
    """The first SET, or with personal cards the one that uses most of them; 0 if there is none."""
    if not has_personal_cards(v):
        return first_set(t, player, 0)
    best = 0
    most = NONE
    for n in range(sets_within_reach(t, player, v.most_personal)):
        take = nth_set(t, player, v.most_personal, n)
        own = 0
        own += 1 if t.where[first_of(take)] >= PERSONAL_FROM else 0
        own += 1 if t.where[second_of(take)] >= PERSONAL_FROM else 0
        own += 1 if t.where[third_of(take)] >= PERSONAL_FROM else 0
        if own > most:
            most = own
            best = take
    return best


@helper
def choose_at_random(v: Variant, t: Table, random: Random, choice: Choice) -> None:
    """The caller takes, mostly a SET; else somebody calls, agrees, asks or wants more cards."""
    if t.control != NONE:
        choice.player = t.control
        choice.move = random_take(v, t, random, t.control)
        return
    player = below(random, t.players)
    choice.player = player
    if deadline_of(t) != NONE and below(random, 4) == 0:
        choice.player = NONE
        choice.move = TIME_UP
        if deadline_of(t) > choice.at:
            choice.at = deadline_of(t)
    elif below(random, 16) == 0 and why_no_personal_card(v, t, player) == ACCEPTED:
        choice.move = ASK_FOR_CARD
    elif sets_within_reach(t, player, v.most_personal) == 0 or below(random, 16) == 0:
        give_in(v, t, random, choice)
    else:
        call_or_take(v, t, random, choice)


@helper
def give_in(v: Variant, t: Table, random: Random, choice: Choice) -> None:
    """No SET seen: agree, or alone want more cards; where that is not allowed, somebody calls all the same."""
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
    """Calls, or takes at once where a take is its own call; after a failed call not before one may."""
    if t.may_call_from[choice.player] > choice.at:
        choice.at = t.may_call_from[choice.player]
    choice.move = CALL if v.call_first == 1 else random_take(v, t, random, choice.player)


@helper
def random_take(v: Variant, t: Table, random: Random, player: int) -> int:
    """Mostly any of the SETs; one time in sixteen a caller gives up, and two times it is three cards at random."""
    sets = sets_within_reach(t, player, v.most_personal)
    luck = below(random, 16)
    if luck == 0 and t.control != NONE:
        return GIVE_UP
    if luck > 2 and sets > 0:
        return nth_set(t, player, v.most_personal, below(random, sets))
    a = random_card(v, t, random, player)
    b = random_card(v, t, random, player)
    while b == a:
        b = random_card(v, t, random, player)
    c = random_card(v, t, random, player)
    while c == a or c == b:
        c = random_card(v, t, random, player)
    return take_of(a, b, c)


@helper
def random_card(v: Variant, t: Table, random: Random, player: int) -> int:
    """Any card within the player's reach."""
    card = NONE
    while card == NONE:
        card = card_within_reach(t, player, below(random, reach(t, v.most_personal)))
    return card


@helper
def play_out(v: Variant, t: Table, tape: Tape, random: Random, policy: int, choice: Choice, report: Report) -> None:
    """Plays a game to its end and counts."""
    made = 0
    most = t.places
    while t.ending == GOES_ON:
        choose(v, t, random, policy, choice)
        if choice.move == ASK_FOR_CARD:
            report.asked += 1
        make_move(v, t, tape, choice.player, choice.move, choice.at)
        made += 1
        if t.places > most:
            most = t.places
    report.games += 1
    report.moves += made
    report.deals += t.deals
    report.reshuffles += t.reshuffles
    report.endings[t.ending] += 1
    for more in range(1, 4):
        if most >= v.layout + 3 * more:
            report.reached[more] += 1
    if made > report.longest:
        report.longest = made
    count_scores(v, t, report)


@helper
def count_scores(v: Variant, t: Table, report: Report) -> None:
    """Counts SETs, points lost and the winners' score."""
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
