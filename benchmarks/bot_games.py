"""Games of Karma between bots that search, policies, and players with perturbed weights; for `bench_bots.py`."""

import time
from dataclasses import replace
from typing import Any, Final

import numpy as np

from threefold.clauses import helper
from threefold.compiling import compiler, record_type, to_records
from threefold.karma import turn
from threefold.karma.bot_view import KarmaView, look
from threefold.karma.bots import POLICIES, choose_move
from threefold.karma.bots.sharp import weighed_move
from threefold.karma.fast.search import CompiledDesk
from threefold.karma.rollouts import POPULATION, population
from threefold.karma.search import LEVELS, spend
from threefold.karma.simulation.deal import shuffle_and_deal
from threefold.karma.table import OVER, Edition, Moves, Table, Tape
from threefold.shuffle import Random, below, random_from

SEARCHES: Final = -1
PERTURBED: Final = 100
MOST_MOVES: Final = 3_000
BUDGETS: Final = {name: replace(level, deadline_ms=0) for name, level in LEVELS.items()}
"""Without deadlines, so that the results are the same on every machine."""
FORGETFUL: Final = {"hard without memory": replace(LEVELS["hard"], remembers=False)}


@helper
def play_on(
    e: Edition, t: Table, tape: Tape, moves: Moves, view: KarmaView, random: Random, plays: Any, weights: Any
) -> int:
    """Plays until a bot that searches is awaited, and has a choice; the player. -1: the game is over."""
    made = 0
    while t.awaits != OVER and made < MOST_MOVES:
        player = turn.first_awaited(t)
        turn.list_moves(e, t, player, moves)
        move = moves.move[0]
        if moves.count > 1:
            look(e, t, player, view)
            if plays[player] == SEARCHES:
                return player
            if plays[player] >= PERTURBED:
                move = weighed_move(e, view, moves, weights[player])
            else:
                move = choose_move(plays[player], e, view, moves, random)
        turn.make_move(e, t, tape, player, move)
        made += 1
    return -1


_compiled = compiler("karma", module=__name__, nogil=True)


@_compiled
def _deal(es: Any, ts: Any, rs: Any, players: int) -> None:
    shuffle_and_deal(es[0], ts[0], rs[0], players)


@_compiled
def _play_on(es: Any, ts: Any, tapes: Any, ms: Any, vs: Any, rs: Any, plays: Any, weights: Any) -> int:
    player: int = play_on(es[0], ts[0], tapes[0], ms[0], vs[0], rs[0], plays, weights)
    return player


@_compiled
def _make(es: Any, ts: Any, tapes: Any, player: int, move: int) -> None:
    turn.make_move(es[0], ts[0], tapes[0], player, move)


class TableOfBots:
    """One table of bots, with the desk on which those that search think."""

    def __init__(self, edition: Edition, bots: list[str], seed: str) -> None:
        self.bots, self.seed = bots, seed
        self.desk = CompiledDesk()
        self.desk.es = to_records([edition])
        self.ts, self.tapes = np.zeros(1, record_type(Table)), np.zeros(1, record_type(Tape))
        self.rows = np.array(population(), np.int64)

    def play(self, number: int) -> tuple[int, list[float]]:
        """One game; the index in `bots` of the loser (-1: nobody), and how long each search took, in milliseconds."""
        players, desk = len(self.bots), self.desk
        seats = [(player + number) % players for player in range(players)]
        levels = {**BUDGETS, **FORGETFUL}
        plays = np.array([self._plays(self.bots[bot]) for bot in seats], np.int64)
        random = random_from(self.seed, f"weights {number}")
        weights = self.rows[[1 + below(random, POPULATION - 1) for _ in range(players)]]
        desk.rs = to_records([random_from(self.seed, f"search {number}")])
        choices = to_records([random_from(self.seed, f"choices {number}")])
        _deal(desk.es, self.ts, to_records([random_from(self.seed, f"deal {number}")]), players)
        times: list[float] = []
        while True:
            player = _play_on(desk.es, self.ts, self.tapes, desk.ms, desk.vs, choices, plays, weights)
            if player < 0 or len(times) > MOST_MOVES:
                break
            level = levels[self.bots[seats[player]]]
            if not level.remembers:
                desk.vs["known"][0] = 0
            began = time.thread_time()
            best, _ = spend(desk, level, desk.begin_records(level))
            times.append(1000 * (time.thread_time() - began))
            _make(desk.es, self.ts, self.tapes, player, int(desk.ms[0]["move"][best]))
        loser = int(self.ts[0]["loser"]) if self.ts[0]["awaits"] == OVER else -1
        return (-1 if loser < 0 else seats[loser]), times

    def _plays(self, bot: str) -> int:
        if bot == "perturbed sharp":
            return PERTURBED
        return POLICIES.get(bot, SEARCHES)
