"""Toy games: the number of tables that can come up is what it was, and from each of them the game can still end.

The figures were counted by `explore`; `python -m tests.karma.counts.toys` prints those of today.
"""

import pytest

from tests.karma.counts.toys import TOYS, Reached, explore

REACHED = {
    "three clear": Reached(tables=3779, endings=228, moves=7655, stuck=0, furthest=8, endless=3139),
    "three clear, karma": Reached(tables=113, endings=25, moves=165, stuck=0, furthest=5, endless=75),
    "three clear, three players": Reached(tables=198, endings=39, moves=281, stuck=0, furthest=6, endless=113),
    "three clear, drawing": Reached(tables=1962, endings=344, moves=3832, stuck=0, furthest=5, endless=1156),
    "pairs clear": Reached(tables=146, endings=20, moves=195, stuck=0, furthest=7, endless=57),
    "pairs clear, karma": Reached(tables=2096, endings=381, moves=3491, stuck=0, furthest=6, endless=914),
    "the rest is given": Reached(tables=5329, endings=972, moves=10574, stuck=0, furthest=5, endless=2919),
    "the rest is given, three players": Reached(tables=690, endings=81, moves=1305, stuck=0, furthest=6, endless=486),
    "second edition, drawing": Reached(tables=836, endings=156, moves=1194, stuck=0, furthest=6, endless=304),
    "second edition, three players": Reached(tables=520, endings=204, moves=608, stuck=0, furthest=4, endless=0),
    "second edition, drawing by hand": Reached(tables=671, endings=91, moves=1163, stuck=0, furthest=6, endless=444),
    "designs that swap and give": Reached(tables=3577, endings=643, moves=5211, stuck=0, furthest=5, endless=1363),
    "designs that move": Reached(tables=224, endings=46, moves=287, stuck=0, furthest=6, endless=43),
    "designs that clear, pairs": Reached(tables=139, endings=41, moves=160, stuck=0, furthest=4, endless=0),
    "nobody left": Reached(tables=53, endings=21, moves=53, stuck=0, furthest=4, endless=0),
}


@pytest.mark.rule("K24")
@pytest.mark.parametrize("name", TOYS)
def test_a_toy_game_has_the_tables_it_had_and_can_always_end(name: str) -> None:
    reached = explore(TOYS[name])
    assert reached.stuck == 0
    assert reached == REACHED[name]


@pytest.mark.rule("K24")
def test_endless_games_exist_in_mini_round() -> None:
    assert explore(TOYS["pairs clear"]).endless > 0


def test_every_toy_has_its_figures() -> None:
    assert set(TOYS) == set(REACHED)
