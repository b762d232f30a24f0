"""The deal of a simulated game of SET, in the same source for both speeds."""

from threefold.clauses import helper
from threefold.setgame.rules import begin_game
from threefold.setgame.table import Table, Tape, Variant
from threefold.shuffle import Random, below, next_bits, shuffle


@helper
def shuffle_and_deal(v: Variant, t: Table, tape: Tape, random: Random, players: int) -> None:
    """Starts a new game: shuffles the deck, then draws the first dealer and the generator for the reshuffles."""
    for i in range(v.cards):
        t.deck[i] = v.first_card + i
    shuffle(t.deck, v.cards, random)
    dealer = below(random, players)
    t.keyed = 0
    for i in range(4):
        t.word[i] = next_bits(random)
    begin_game(v, t, tape, players, dealer)
