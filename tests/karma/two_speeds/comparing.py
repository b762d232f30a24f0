"""Whole random games at both speeds at once, compared after every move: legal moves, tables, events, cards.

By hand, for as many games as one has patience: `python -m tests.karma.two_speeds.comparing --games 50`.
With THREEFOLD_BOUNDSCHECK=1 in the environment compiled code checks every index.
"""

import argparse
import itertools
import time
from array import array
from dataclasses import dataclass

from tests.karma import compiled, conservation
from tests.karma.laws.setups import ALL_RULES, Rules, seatings
from tests.karma.laws.walks import Picker
from threefold.karma import Table, new, turn
from threefold.karma.deal import deal_from
from threefold.karma.decisions import draw_moves
from threefold.karma.table import OVER, SET_UP, TAPE, Moves, Tape
from threefold.records import blank, flat
from threefold.shuffle import random_from

TURN_LIMIT = 400
AUTOMATIC, BY_HAND = "automatic", "by hand"


@dataclass(slots=True)
class Compared:
    """What was compared: for figures, and so that a test can see it was not nothing."""

    games: int = 0
    moves: int = 0
    draw_offers: int = 0
    longest_tape: int = 0
    most_moves: int = 0

    def add(self, other: "Compared") -> None:
        self.games += other.games
        self.moves += other.moves
        self.draw_offers += other.draw_offers
        self.longest_tape = max(self.longest_tape, other.longest_tape)
        self.most_moves = max(self.most_moves, other.most_moves)


def table_bytes(table: Table) -> bytes:
    """A plain table as compiled code lays it out."""
    return array("q", flat(table)).tobytes()


class BothSpeeds:
    """One game on a plain table and on a compiled one."""

    def __init__(self, setup: dict[str, object], *, seed: str) -> None:
        self.edition = deal_from(setup).edition
        self.table = new({**setup, "seed": seed})
        self.listed = blank(Moves)
        self.tape = blank(Tape)
        self.tape.room = TAPE
        self.made = 0
        self.es = compiled.edition_records(self.edition)
        self.ts = compiled.blank_tables(1)
        self.ms = compiled.blank_moves()
        self.tapes = compiled.blank_tape(TAPE)
        compiled.shuffle_and_deal(self.es, self.ts, 0, compiled.random_records(random_from(seed)), self.table.players)
        self.tables_agree()

    def tables_agree(self) -> None:
        assert table_bytes(self.table) == self.ts.tobytes(), "the tables differ"

    def moves_agree(self, player: int) -> list[int]:
        turn.list_moves(self.edition, self.table, player, self.listed)
        moves = self.listed.move[: self.listed.count]
        count = compiled.list_moves(self.es, self.ts, 0, player, self.ms)
        assert moves == self.ms[0]["move"][:count].tolist(), "the legal moves differ"
        assert len(set(moves)) == len(moves), "a move is listed twice"
        return moves

    def make(self, player: int, move: int) -> None:
        turn.make_move(self.edition, self.table, self.tape, player, move)
        compiled.make_move(self.es, self.ts, 0, self.tapes, player, move)
        self.tables_agree()
        size = self.tape.size
        assert size == self.tapes[0]["size"]
        assert self.tape.row[:size] == self.tapes[0]["row"][:size].tolist(), "the events differ"
        assert size < TAPE, "the tape was too short for what happened"
        assert compiled.is_conserved(self.es, self.ts, 0), "a card was lost or made"
        self.made += 1
        if self.made % 20 == 0:  # the tables are equal, so this adds only that both speeds count alike
            assert conservation.is_conserved(self.edition, self.table)


def compare_game(rules: Rules, players: int, draw: str, seed: str) -> Compared:
    """One game to its end."""
    game = BothSpeeds(rules.setup(players, seed, draw=draw, turn_limit=TURN_LIMIT), seed=seed)
    pick = Picker(seed)
    eager = pick.chance(50)  # nobody picks up by choice, so that more games come to their end
    seen = Compared(games=1)
    while game.table.awaits != OVER:
        if pick.chance(2):
            player = pick.below(players)
            offers = draw_moves(game.table, player)
            if offers:
                game.make(player, offers[0])
                seen.draw_offers += 1
                continue
        awaited = [each for each in range(players) if turn.is_awaited(game.table, each)]
        assert compiled.first_awaited(game.ts, 0) == turn.first_awaited(game.table) == awaited[0]
        player = pick.one_of(awaited)
        moves = game.moves_agree(player)
        idle = (player + 1) % players
        if game.table.awaits != SET_UP:
            assert game.moves_agree(idle) == []
        game.make(player, pick.move(moves, eager=eager))
        seen.moves += 1
        seen.longest_tape = max(seen.longest_tape, game.tape.size)
        seen.most_moves = max(seen.most_moves, len(moves))
    return seen


def compare_games(rules: Rules, games: int, purpose: str = "") -> Compared:
    """Games with every number of players that these rules are tried with, drawing automatically and by hand."""
    seen = Compared()
    for players, draw in itertools.product(seatings(rules), (AUTOMATIC, BY_HAND)):
        for number in range(games):
            name = f"v1:{purpose}{rules.name[:20]}-{players}-{draw[:2]}-{number}"
            seen.add(compare_game(rules, players, draw, name))
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10, help="for each number of players and way of drawing")
    parser.add_argument("--rules", choices=[rules.name for rules in ALL_RULES], nargs="*")
    arguments = parser.parse_args()
    total, began = Compared(), time.perf_counter()
    for rules in ALL_RULES:
        if not arguments.rules or rules.name in arguments.rules:
            seen = compare_games(rules, arguments.games)
            total.add(seen)
            print(f"{rules.name}: {seen}", flush=True)  # noqa: T201 (run by hand, it prints its figures)
    print(f"all: {total} in {time.perf_counter() - began:.0f} s")  # noqa: T201


if __name__ == "__main__":
    main()
