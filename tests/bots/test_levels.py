"""The levels that people are offered: each beats the one before, SET's are ever faster, and beginners' games end."""

from itertools import pairwise
from statistics import median

import pytest

from threefold.games import KITS
from threefold.karma.bots import POLICIES
from threefold.setgame import SET
from threefold.setgame.search import sets_within_reach
from threefold.shuffle import random_from
from threefold.simulation import simulate

EDITIONS = [way["edition"] for way in KITS["karma"].ways()]
SET_LEVELS = KITS["set"].levels
KARMA_LEVELS = [level for level in KITS["karma"].levels if level in POLICIES]
"""The others search; tests/bots/test_search.py has them."""
SET_NEIGHBOURS = [*pairwise(SET_LEVELS)]
KARMA_NEIGHBOURS = [*pairwise(("random", *KARMA_LEVELS))]
LAYOUTS = 400


def times_to_a_set(bot: str) -> list[tuple[int, int]]:
    """For many first layouts with a SET: when the bot calls, in simulated milliseconds, and how often it gave in."""
    times = []
    for number in range(LAYOUTS):
        table = SET.new({"variant": "full", "players": 2, "seed": f"v1:{number}"})
        if sets_within_reach(table.deal.variant, table, 0) == 0:
            continue
        view, random, passed, looks = SET.view(table, 0), random_from(f"v1:{number}", "eyes"), 0, 0
        while (choice := KITS["set"].bots[bot](view, random)) is not None:
            passed += choice.after_ms
            if choice.move == "call":
                break
            looks += 1
        times.append((passed, looks))
    return times


@pytest.mark.parametrize(("slower", "faster"), SET_NEIGHBOURS)
def test_each_level_of_set_is_clearly_faster_and_overlooks_less(slower: str, faster: str) -> None:
    before, after = times_to_a_set(slower), times_to_a_set(faster)
    assert median(time for time, _ in after) < 0.75 * median(time for time, _ in before)
    assert sum(looks > 0 for _, looks in after) < sum(looks > 0 for _, looks in before)


@pytest.mark.parametrize(("weaker", "stronger"), SET_NEIGHBOURS)
def test_each_level_of_set_wins_against_the_one_before_and_finds_more(weaker: str, stronger: str) -> None:
    result = simulate("set", "full", players=[weaker, stronger], games=500, seed="levels")
    assert result.bots[stronger].low > 0.85
    found = {each.bot: each.numbers["sets"] for each in result.by_player}
    assert found[stronger] > 1.6 * found[weaker]


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("weaker", "stronger"), KARMA_NEIGHBOURS)
def test_each_level_of_karma_loses_less_than_the_one_before(
    edition: str, players: int, weaker: str, stronger: str
) -> None:
    bots = [stronger] + [weaker] * (players - 1)
    games = 2_000 if weaker == "random" else 60_000
    result = simulate("karma", edition, players=bots, games=games, seed="better")
    assert result.bots[stronger].high < 1 / players


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("edition", EDITIONS)
def test_games_of_beginners_have_a_normal_length(edition: str, players: int) -> None:
    options = {"decks": 2} if (edition, players) == ("mini_round", 6) else {}
    lengths = {}
    for bot in ("beginner", "careful"):
        bots = [bot] * players
        result = simulate("karma", edition, players=bots, options=options, games=3_000, seed="length", keep_games=True)
        lengths[bot] = sorted(row["turns"] for row in result.game_rows())
    beginners, careful = lengths["beginner"], lengths["careful"]
    assert median(beginners) < 1.35 * median(careful)
    assert beginners[len(beginners) * 99 // 100] < 300
    assert beginners[-1] < 500
