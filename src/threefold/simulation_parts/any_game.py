"""How a game without a simulation of its own is simulated: through its rules and its bots, as people would play it."""

from typing import Any

from threefold.game import Json
from threefold.kit import kit_at
from threefold.shuffle import Random, below
from threefold.simulation_parts.results import Measure, Result, Row, number
from threefold.simulation_parts.spec import MOST_MOVES, Simulated, Spec, Tally, setup_of

BINS = 1_000
A_STEP_MS = 1_000

# Columns of the row that is kept for each game.
MOVES_MADE = 0
WINNER = 1  # place of a single winner, or -1


class AnyResult(Result):
    """The result of many games of any sort: who won, and how many moves it took."""

    rated_column = WINNER

    def named(self, row: Row) -> dict[str, Json]:
        """The moves of a game, and its winner if there is only one."""
        winner = row[WINNER]
        return {"moves": row[MOVES_MADE], "winner": None if winner < 0 else winner, "winner_bot": self.bot_at(winner)}

    def measures(self, players: Any) -> list[Measure]:
        """Games won, and their length."""
        return [*super().measures(players), Measure("moves a game", number(MOVES_MADE))]


class SimulatedAnyGame(Simulated):
    """Any game as a `Simulated`."""

    result = AnyResult

    def check(self, spec: Spec) -> None:
        """Refuses a set-up that cannot be played."""
        kit_at(spec.kit).game.new(setup_of(spec))

    def bin_width(self, spec: Spec) -> int:  # noqa: ARG002 (the protocol's signature)
        """The width of a histogram bar, in moves."""
        return 1

    def play(self, spec: Spec, first: int, games: int, deals: Random, choices: Random) -> tuple[Tally, Any]:
        """Plays games between the bots. Seats rotate from game to game, as in all simulations."""
        players = len(spec.players)
        tally: Tally = {"games": games, "moves": 0, "wins": [0] * players, "lengths": [0] * BINS}
        rows = []
        for game in range(first, first + games):
            moves, winners = _play(spec, game % players, deals, choices)
            tally["moves"] += moves
            tally["lengths"][min(moves, BINS - 1)] += 1
            for winner in winners:
                tally["wins"][winner] += 1
            rows.append([moves, winners[0] if len(winners) == 1 else -1])
        return tally, rows


def _play(spec: Spec, rotation: int, deals: Random, choices: Random) -> tuple[int, list[int]]:
    """Plays one game: the number of moves, and the winners by their place in `Spec.players`."""
    kit = kit_at(spec.kit)
    game, players = kit.game, len(spec.players)
    table = game.new({**setup_of(spec), "seed": f"v1:{below(deals, 10**9)}"})
    moves = 0
    while (awaited := game.decisions(table)) and moves < MOST_MOVES:
        for each in awaited:
            bot = None if each.player is None else kit.bots[spec.players[(each.player + rotation) % players]]
            choice = None if bot is None else bot(game.view(table, each.player), choices)
            move = each.moves[0] if choice is None else choice.move
            table = game.play(table, each.player, move, moves * A_STEP_MS if game.timed else None).table
            moves += 1
            break
    ending = game.ending(table)
    return moves, [] if ending is None else [(winner + rotation) % players for winner in ending.winners]


SIMULATED = SimulatedAnyGame()
