"""The engine's own random games, written down: what the packed roll-outs and the bound in C are held to."""

from dataclasses import dataclass
from typing import Annotated, Any

from benchmarks import karma_playouts
from threefold.compiling import compiler, to_records
from threefold.karma.deal import deal_from
from threefold.karma.simulation.deal import shuffle_and_deal
from threefold.karma.table import ONE_LEFT, OVER, Edition
from threefold.karma.turn import first_awaited, list_moves, make_move
from threefold.records import blank
from threefold.shuffle import below, random_from

ROOM = 1 << 14
SEATINGS = [("classic", players) for players in (2, 3, 4, 5, 6)] + [("mini_round", players) for players in (2, 3, 4)]


@dataclass(slots=True)
class Written:
    """Who moved what in one game."""

    player: Annotated[list[int], (ROOM,)]
    move: Annotated[list[int], (ROOM,)]
    size: int


@compiler("karma")
def _play(es: Any, ts: Any, ms: Any, tapes: Any, rs: Any, ws: Any, players: int) -> None:
    shuffle_and_deal(es[0], ts[0], rs[0], players)
    written = ws[0]
    written.size = 0
    while ts[0].awaits != OVER:
        player = first_awaited(ts[0])
        list_moves(es[0], ts[0], player, ms[0])
        move = ms[0].move[below(rs[0], ms[0].count)]
        make_move(es[0], ts[0], tapes[0], player, move)
        written.player[written.size] = player
        written.move[written.size] = move
        written.size += 1


class Engine:
    """Random games of the compiled engine, one after the other, each written down."""

    def __init__(self, edition: Edition, players: int, seed: str) -> None:
        self.players = players
        self.losses = [0] * (players + 1)
        self._records = karma_playouts.records(edition, random_from(seed))
        self._written = to_records([blank(Written)])

    def play(self) -> list[tuple[int, int]]:
        """One more game: player and move, as they were made."""
        _play(*self._records, self._written, self.players)
        table, written = self._records[1][0], self._written[0]
        self.losses[table["loser"] if table["ending"] == ONE_LEFT else self.players] += 1
        size = int(written["size"])
        return list(zip(written["player"][:size].tolist(), written["move"][:size].tolist(), strict=True))

    def generator(self) -> list[int]:
        """The words of the generator as they are now."""
        words: list[int] = self._records[4][0]["word"].tolist()
        return words


def edition(name: str, players: int, turn_limit: int = 1000) -> Edition:
    """An edition with a limit on turns, so that a trace has room for every game."""
    setup = {"edition": name, "players": players, "seed": "v1:a", "options": {"turn_limit": turn_limit}}
    return deal_from(setup).edition
