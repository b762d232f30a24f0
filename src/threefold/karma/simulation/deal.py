"""The deal of a simulated game of Karma, in the same source for both speeds."""

from threefold.clauses import helper
from threefold.karma.rules import deal
from threefold.karma.table import Edition, Table
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
