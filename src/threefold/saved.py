"""A saved game: JSON of what a game was set up from and the moves that were made. Loading it replays it.

`{"format": 1, "game": "karma", "rules": 1, "edition": …, "seed": …, "moves": [{"player": 1, "move": "play 7"}, …]}`:
the fields of the set-up, as `new` takes them, stand beside the moves. A game that does not replay is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from threefold.fields import a_list, a_whole_number, an_object, one_of, refuse, required, shown
from threefold.game import BadSetup, Event, Game, Json, Refusal
from threefold.games import KITS
from threefold.kit import Kits
from threefold.texts import Text, say

FORMAT = 1
ABOUT = ("format", "game", "rules", "moves")


@dataclass(frozen=True, slots=True)
class Move:
    """A move that was accepted, who made it (None: nobody, time ran out), and when, in a game played against time."""

    player: int | None
    move: str
    at: int | None = None

    def as_json(self) -> Json:
        """As it is saved."""
        return {"player": self.player, "move": self.move, **({} if self.at is None else {"at": self.at})}


@dataclass(frozen=True, slots=True)
class Replay:
    """A game with its history: the table as it is now, and what happened at each move."""

    game: Game[Any]
    table: Any
    moves: Sequence[Move]
    events: Sequence[Sequence[Event]]


def save(game: Game[Any], table: Any, moves: Sequence[Move]) -> dict[str, Json]:
    """The game as JSON."""
    about = {"format": FORMAT, "game": game.name, "rules": game.rules_version}
    return {**about, **game.setup(table), "moves": [each.as_json() for each in moves]}


@dataclass(frozen=True, slots=True)
class Played:
    """One move of a saved game: what was done, the table after it, and what happened."""

    move: Move
    table: Any
    events: Sequence[Event]


def load(saved: Json, kits: Kits = KITS) -> Replay:
    """Replays a saved game; refuses one that does not replay, saying at which move."""
    game, table, rows = opened(saved, kits)
    moves: list[Move] = []
    events: list[Sequence[Event]] = []
    for each in played(game, table, rows):
        table = each.table
        moves.append(each.move)
        events.append(each.events)
    return Replay(game, table, moves, events)


def opened(saved: Json, kits: Kits = KITS) -> tuple[Game[Any], Any, Sequence[Json]]:
    """The game, its first table, and the moves as they were saved; `played` makes them."""
    if not isinstance(saved, Mapping):
        raise refuse("not_an_object", field="saved game", given=shown(saved))
    a_whole_number(required(saved, "format", "saved game"), "format", FORMAT, FORMAT)
    game = kits[one_of(required(saved, "game", "saved game"), "game", kits)].game
    rules = required(saved, "rules", "saved game")
    if type(rules) is not int or rules != game.rules_version:
        raise refuse("other_rules", given=shown(rules), allowed=str(game.rules_version))
    rows = a_list(required(saved, "moves", "saved game"), "moves")
    return game, game.new({name: value for name, value in saved.items() if name not in ABOUT}), rows


def played(game: Game[Any], table: Any, rows: Sequence[Json]) -> Iterator[Played]:
    """Makes the moves one after the other; refuses the first that cannot be made."""
    for number, row in enumerate(rows, 1):
        move = _move(game, row, f"moves[{number - 1}]")
        try:
            step = game.play(table, move.player, move.move, move.at)
        except Refusal as refused:
            parameters = {"n": number, "move": move.move[:60], "given": say(refused.text)}
            raise BadSetup(Text("saved.does_not_replay", parameters), refused.clause) from None
        table = step.table
        yield Played(move, table, step.events)


def _move(game: Game[Any], row: Json, where: str) -> Move:
    an_object(row, where, ("player", "move", "at") if game.timed else ("player", "move"))
    player, move, at = required(row, "player", where), required(row, "move", where), row.get("at")
    if player is not None:
        a_whole_number(player, f"{where}.player", 0, 99)
    if not isinstance(move, str):
        raise refuse("not_a_text", field=f"{where}.move", given=shown(move))
    if at is not None:
        a_whole_number(at, f"{where}.at", 0, 2**53)
    return Move(player, move, at)
