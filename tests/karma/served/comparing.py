"""Karma as a server plays it beside the plain one: whole random games, compared after every move.

By hand, for as many games as one has patience: `python -m tests.karma.served.comparing --games 5`. With
THREEFOLD_BOUNDSCHECK=1 in the environment compiled code checks every index.
"""

import argparse
import time
from dataclasses import dataclass, field

import pytest

from tests.karma.laws.setups import ALL_RULES, Rules, seatings
from tests.karma.laws.walks import Picker, any_text
from tests.karma.rules.steps import tidy
from threefold.game import IllegalMove, Viewer, a_turn_began
from threefold.karma import KARMA, served
from threefold.karma.decisions import draw_moves
from threefold.karma.notation import format_move, parse_move
from threefold.karma.served import SERVED

TURN_LIMIT = 250
AUTOMATIC, BY_HAND = "automatic", "by hand"


@dataclass(slots=True)
class Seen:
    """What was compared, so that a test can see it was not nothing."""

    games: int = 0
    moves: int = 0
    draw_offers: int = 0
    refused: int = 0
    secrets: int = 0
    largest: int = 0
    events: set[str] = field(default_factory=set)
    questions: set[str] = field(default_factory=set)


BETWEEN = b',"events":'


class BothGames:
    """One game, plain and served."""

    def __init__(self, setup: dict[str, object], seen: Seen) -> None:
        self.seen = seen
        self.plain = KARMA.new(setup)
        self.served = SERVED.new(KARMA.setup(self.plain))
        players = self.plain.players
        self.viewers: list[Viewer] = [None, *range(players)]
        self.positions: dict[int, int] = {}
        self.numbers: dict[int, int] = {}
        seen.games += 1
        assert SERVED.setup(self.served) == KARMA.setup(self.plain)
        assert SERVED.players(self.served) == players
        assert SERVED.card_names(self.served) == KARMA.card_names(self.plain)
        self.tables_agree()
        self.everything_agrees()

    def tables_agree(self) -> None:
        """What a server asks at every move."""
        plain, served_table = self.plain, self.served
        assert SERVED.written_views(served_table, self.viewers) == KARMA.written_views(plain, self.viewers)
        assert SERVED.decisions(served_table) == KARMA.decisions(plain)
        assert SERVED.ending(served_table) == KARMA.ending(plain)
        lies, number = KARMA.position(plain), SERVED.position(served_table)
        assert self.positions.setdefault(lies, number) == number, "one position has two numbers"
        assert self.numbers.setdefault(number, lies) == lies, "two positions have one number"
        self.seen.largest = max(self.seen.largest, len(served_table.packed))
        self.seen.questions.update(each.question for each in SERVED.decisions(served_table))

    def everything_agrees(self) -> None:
        """What is asked now and then."""
        plain, served_table = self.plain, self.served
        assert tidy(served.unpack(served_table)) == tidy(plain)
        assert served.pack(plain) == served_table
        assert SERVED.anytime(served_table) == KARMA.anytime(plain)
        assert SERVED.state(served_table) == KARMA.state(plain)
        assert SERVED.open_view(served_table) == KARMA.open_view(plain)
        assert SERVED.views(served_table, self.viewers) == KARMA.views(plain, self.viewers)
        assert SERVED.view(served_table, 0) == KARMA.view(plain, 0)

    def play(self, player: int, move: str) -> None:
        """Makes a move at both."""
        before = self.served.packed
        plain, step = KARMA.play(self.plain, player, move), SERVED.play(self.served, player, move)
        assert self.served.packed is before
        self.plain, self.served = plain.table, step.table
        self.tables_agree()
        assert list(step.events) == list(plain.events)
        assert SERVED.told(step.events, self.viewers) == KARMA.told(plain.events, self.viewers)
        seen = SERVED.written_scenes(step.table, step.events, tuple(self.viewers), BETWEEN)
        assert seen == KARMA.written_scenes(plain.table, plain.events, tuple(self.viewers), BETWEEN)
        assert a_turn_began(step.events) == a_turn_began(plain.events)
        self.seen.moves += 1
        self.seen.events.update(each.name for each in plain.events)
        self.seen.secrets += any(each.secrets for each in plain.events)
        if self.seen.moves % 16 == 0:
            self.everything_agrees()

    def refuse(self, player: int | None, move: str) -> None:
        """Tries a move that may be illegal: both refuse it with the same words, or neither does."""
        expected = KARMA.explain(self.plain, player, move)
        if expected is None:
            SERVED.play(self.served, player, move)
        else:
            with pytest.raises(IllegalMove) as refused:
                SERVED.play(self.served, player, move)
            assert (refused.value.text, refused.value.clause) == (expected.text, expected.clause)
            self.seen.refused += 1
        again = SERVED.explain(self.served, player, move)
        assert (again and again.text) == (expected and expected.text)


def compare_game(rules: Rules, players: int, draw: str, seed: str, seen: Seen) -> None:
    """One game to its end."""
    both = BothGames(rules.setup(players, seed, draw=draw, turn_limit=TURN_LIMIT), seen)
    pick = Picker(seed)
    eager = pick.chance(50)
    edition = both.plain.deal.edition
    while asked := KARMA.decisions(both.plain):
        if pick.chance(3):
            player = pick.below(players)
            if offers := draw_moves(both.plain, player):
                both.play(player, format_move(edition, offers[0]))
                seen.draw_offers += 1
                continue
        if pick.chance(10):
            both.refuse(pick.below(players + 1), any_text(pick, edition, players))
        decision = pick.one_of(asked)
        moves = [parse_move(edition, each) for each in decision.moves]
        assert decision.player is not None
        both.play(decision.player, format_move(edition, pick.move(moves, eager=eager)))
    both.everything_agrees()
    both.refuse(0, "pick up")


def compare_games(rules: Rules, games: int, seen: Seen) -> None:
    """Games with every number of players that these rules are tried with, drawing automatically and by hand."""
    for number in range(games):
        for i, players in enumerate(seatings(rules)):
            draw = (AUTOMATIC, BY_HAND)[(i + number) % 2]
            compare_game(rules, players, draw, f"v1:{rules.name[:20]}-{players}-{number}", seen)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2, help="for each number of players")
    arguments = parser.parse_args()
    seen, began = Seen(), time.perf_counter()
    for rules in ALL_RULES:
        compare_games(rules, arguments.games, seen)
    print(f"{seen} in {time.perf_counter() - began:.0f} s")  # noqa: T201 (run by hand, it prints its figures)


if __name__ == "__main__":
    main()
