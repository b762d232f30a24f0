"""A bot, and so a hint, declines an optional power only when every way to use it would be worse for the player."""

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.karma.laws.setups import ALL_RULES, Rules
from threefold import karma
from threefold.games import KITS
from threefold.karma.bot_view import KarmaView, look
from threefold.karma.bots import POLICIES, choose_move
from threefold.karma.bots.sense import worth_keeping
from threefold.karma.moves import DECLINE, SWAP, first_of, second_of, what_of
from threefold.karma.powers import SWAP_FACE_UP, VOCABULARY
from threefold.karma.simulation.deal import shuffle_and_deal
from threefold.karma.table import OVER, Edition, Moves, Table, Tape
from threefold.karma.turn import first_awaited, list_moves, make_move
from threefold.records import blank
from threefold.shuffle import random_from

LEVELS = [level for level in KITS["karma"].levels if level in POLICIES]
OPTIONAL = {power.code for power in VOCABULARY if power.may_decline}
GAMES = 12


def answers(rules: Rules, bot: str) -> Iterator[tuple[Edition, int, list[int], int]]:
    """Every answer to an optional power in games of this bot: the edition, the power, all answers, the chosen one."""
    edition = karma.new(rules.setup(3, "v1:declining", turn_limit=400)).deal.edition
    table, moves, tape, view = blank(Table, deal=None), blank(Moves), blank(Tape), blank(KarmaView)
    random = random_from("v1:declining", rules.name)
    for _ in range(GAMES):
        shuffle_and_deal(edition, table, random, 3)
        while table.awaits != OVER:
            player = first_awaited(table)
            list_moves(edition, table, player, moves)
            look(edition, table, player, view)
            chosen = choose_move(POLICIES[bot], edition, view, moves, random)
            possible = moves.move[: moves.count]
            if DECLINE in map(what_of, possible):
                yield edition, view.power, possible, chosen
            make_move(edition, table, tape, player, chosen)


@pytest.mark.parametrize("bot", LEVELS)
def test_a_bot_declines_nothing_but_a_swap_that_would_cost_it_a_better_card(bot: str) -> None:
    asked: Counter[int] = Counter()
    declined = 0
    for rules in ALL_RULES:
        for edition, power, possible, chosen in answers(rules, bot):
            asked[power] += 1
            gains = [
                worth_keeping(edition, second_of(each)) - worth_keeping(edition, first_of(each))
                for each in possible
                if what_of(each) == SWAP
            ]
            if what_of(chosen) == DECLINE:
                assert power == SWAP_FACE_UP
                assert max(gains) <= 0
                declined += 1
            elif power == SWAP_FACE_UP:
                assert max(gains) >= 0
    assert set(asked) == OPTIONAL
    assert min(asked.values()) > 50, asked
    assert declined > 0


@pytest.mark.parametrize("bot", LEVELS)
@pytest.mark.parametrize("others", ["1 hand 5 5 6 7", "1 hand 5 5 6 7; 2 hand 8; 3 hand 9 9 10"])
def test_somebody_else_loses_the_turn(bot: str, others: str) -> None:
    position = f"second_edition; 0 hand 3 3 4; {others}; pile LOS; pending lose_turns 1 one; turn 0"
    view = karma.view(karma.new({"position": position}), 0)
    assert "decline" in view["moves"]
    choice = KITS["karma"].bots[bot](view, random_from("v1:x"))
    assert choice is not None
    assert choice.move.startswith("choose ")


def test_hints_come_from_one_of_these_bots() -> None:
    assert KITS["karma"].stand_in in LEVELS
