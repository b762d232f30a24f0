"""Fast Karma beside the plain one: whole random games, compared after every move.

By hand, for as many games as one has patience: `python -m tests.karma.fast.comparing --games 5`. With
THREEFOLD_BOUNDSCHECK=1 in the environment compiled code checks every index.
"""

import argparse
import time
from dataclasses import dataclass, field

import pytest

from tests.karma.laws.setups import ALL_RULES, Rules, seatings
from tests.karma.laws.walks import Picker, any_text
from tests.karma.rules.steps import tidy
from threefold.game import IllegalMove, Viewer
from threefold.karma import KARMA
from threefold.karma.decisions import draw_moves
from threefold.karma.fast import FAST_KARMA
from threefold.karma.fast.game import unpack
from threefold.karma.notation import format_move, parse_move
from threefold.serialising import PlainSerialiser

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


PLAIN = PlainSerialiser(KARMA)


class BothGames:
    """One game, plain and fast."""

    def __init__(self, setup: dict[str, object], seen: Seen) -> None:
        self.seen = seen
        self.plain = KARMA.new(setup)
        self.fast = FAST_KARMA.new(KARMA.setup(self.plain))
        players = self.plain.players
        self.viewers: list[Viewer] = [None, *range(players)]
        self.positions: dict[int, int] = {}
        self.numbers: dict[int, int] = {}
        seen.games += 1
        assert FAST_KARMA.setup(self.fast) == KARMA.setup(self.plain)
        assert FAST_KARMA.players(self.fast) == players
        assert FAST_KARMA.card_names(self.fast) == KARMA.card_names(self.plain)
        self.tables_agree()
        self.everything_agrees()

    def tables_agree(self) -> None:
        """The questions of every move."""
        plain, fast = self.plain, self.fast
        assert FAST_KARMA.json_views(fast, self.viewers) == PLAIN.json_views(plain, self.viewers)
        assert FAST_KARMA.decisions(fast) == KARMA.decisions(plain)
        assert FAST_KARMA.ending(fast) == KARMA.ending(plain)
        lies, number = PLAIN.position(plain), FAST_KARMA.position(fast)
        assert self.positions.setdefault(lies, number) == number, "one position has two numbers"
        assert self.numbers.setdefault(number, lies) == lies, "two positions have one number"
        self.seen.largest = max(self.seen.largest, len(fast.packed))
        self.seen.questions.update(each.question for each in FAST_KARMA.decisions(fast))

    def everything_agrees(self) -> None:
        """The questions that are asked seldom."""
        plain, fast = self.plain, self.fast
        assert tidy(unpack(fast)) == tidy(plain)
        assert FAST_KARMA.pack(plain) == fast
        assert FAST_KARMA.anytime(fast) == KARMA.anytime(plain)
        assert FAST_KARMA.state(fast) == KARMA.state(plain)
        assert FAST_KARMA.open_view(fast) == KARMA.open_view(plain)
        assert [FAST_KARMA.view(fast, each) for each in self.viewers] == [
            KARMA.view(plain, each) for each in self.viewers
        ]

    def play(self, player: int, move: str) -> None:
        """Makes a move at both."""
        before = self.fast.packed
        plain, step = KARMA.play(self.plain, player, move), FAST_KARMA.play(self.fast, player, move)
        assert self.fast.packed is before
        self.plain, self.fast = plain.table, step.table
        self.tables_agree()
        assert list(step.events) == list(plain.events)
        assert FAST_KARMA.json_events(step.events, self.viewers) == PLAIN.json_events(plain.events, self.viewers)
        again = FAST_KARMA.unpack_events(FAST_KARMA.pack_events(step.events), step.table)
        assert list(again) == list(PLAIN.unpack_events(PLAIN.pack_events(plain.events), plain.table))
        self.seen.moves += 1
        self.seen.events.update(each.name for each in plain.events)
        self.seen.secrets += any(each.secrets for each in plain.events)
        if self.seen.moves % 16 == 0:
            self.everything_agrees()

    def refuse(self, player: int | None, move: str) -> None:
        """Tries a move that may be illegal: both refuse it with the same words, or neither does."""
        expected = KARMA.explain(self.plain, player, move)
        if expected is None:
            FAST_KARMA.play(self.fast, player, move)
        else:
            with pytest.raises(IllegalMove) as refused:
                FAST_KARMA.play(self.fast, player, move)
            assert (refused.value.text, refused.value.clause) == (expected.text, expected.clause)
            self.seen.refused += 1
        again = FAST_KARMA.explain(self.fast, player, move)
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
