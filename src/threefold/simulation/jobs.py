"""Spec describes a simulation; a Chunk is the result of a part of its games, the same on any machine.

Games are divided into chunks of CHUNK games. The generators of a chunk depend only on the seed and on its number, and
its result consists of integers, so the total does not depend on which worker played which chunk.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from threefold.fields import a_list, a_whole_number, one_of, refuse, shown
from threefold.game import Json
from threefold.games import KITS
from threefold.kit import Kits, kit_at
from threefold.records import shapes
from threefold.shuffle import Random, is_seed, random_from

if TYPE_CHECKING:
    from threefold.simulation.results import Result

CHUNK = 1_000
TURN_LIMIT = 1_000
MOST_MOVES = 100_000
Tally = dict[str, Any]
"""Counts over many games: integers and lists of integers."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What to simulate: a game, its rules, the names of the bots, and the seed. Workers get a pickled copy."""

    game: str
    rules: str  # JSON of the edition or the variant's name
    options: str  # JSON
    players: tuple[str, ...]
    seed: str
    kit: str
    turn_limit: int = TURN_LIMIT
    plain: bool = False


class Simulated(Protocol):
    """How one game is simulated."""

    result: "type[Result]"
    """The class of its results."""

    def check(self, spec: Spec) -> None:
        """Refuses rules that cannot be played; raises BadSetup."""

    def bin_width(self, spec: Spec) -> int:
        """The width of a bar in the histogram of lengths."""

    def play(self, spec: Spec, first: int, games: int, deals: Random, choices: Random) -> tuple[Tally, Any]:
        """Plays games, counted from number `first`: their tally, and a row for each."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The result of one chunk; `rows` holds its single games if they were asked for."""

    number: int
    tally: Tally
    rows: list[list[int]] | None


def spec_from(
    game: str,
    rules: Json,
    players: Sequence[str],
    seed: str,
    options: Mapping[str, Json] | None = None,
    turn_limit: int | None = None,
    *,
    plain: bool = False,
    kits: Kits = KITS,
) -> Spec:
    """Checks the arguments; raises BadSetup with a sentence that says what to change."""
    kit = kits[one_of(game, "game", kits)]
    for i, name in enumerate(a_list(list(players), "players")):
        one_of(name, f"players[{i}]", kit.bots)
    other_options = dict(options or {})
    wanted = other_options.pop("turn_limit", None) if turn_limit is None else turn_limit
    limit = TURN_LIMIT if wanted is None else a_whole_number(wanted, "turn_limit", 1, 1_000_000)
    text = seed if seed.startswith("v1:") else f"v1:{seed}"
    spec = Spec(game, json.dumps(rules), json.dumps(other_options), tuple(players), text, kit.reference, limit, plain)
    if not is_seed(text):
        raise refuse("not_a_seed", given=shown(seed))
    simulated(spec.kit).check(spec)
    return spec


def setup_of(spec: Spec, **options: Json) -> dict[str, Json]:
    """The set-up of a game of a simulation, with any seed."""
    given = {**json.loads(spec.options), **options}
    rules = {kit_at(spec.kit).way: json.loads(spec.rules)}
    return {**rules, "players": len(spec.players), "options": given, "seed": "v1:any"}


@cache
def simulated(reference: str) -> Simulated:
    """How the games of a kit are simulated: in the game's own way, or through its rules and bots."""
    module = kit_at(reference).simulation or "threefold.simulation.plain_simulated"
    own: Simulated = import_module(module).SIMULATED
    return own


def is_compiled(spec: Spec) -> bool:
    """Does this run compiled? Without Numba it runs plain, which is slower."""
    return not spec.plain and find_spec("numba") is not None


def play_chunk(spec: Spec, number: int, games: int = CHUNK, *, keep_rows: bool = False) -> Chunk:
    """Plays one chunk of games."""
    deals, choices = (random_from(spec.seed, f"simulation {number} {what}") for what in ("deals", "choices"))
    tally, rows = simulated(spec.kit).play(spec, number * CHUNK, games, deals, choices)
    return Chunk(number, tally, [[int(each) for each in row] for row in rows] if keep_rows else None)


def as_tally(record: Any) -> Tally:
    """A record of counts as a dict."""
    return {name: getattr(record, name) for name in shapes(type(record))}


def add_tallies(one: Tally, two: Tally) -> Tally:
    """The sum of two tallies."""
    return {name: _add(value, two[name]) for name, value in one.items()}


def _add(one: Any, two: Any) -> Any:
    if isinstance(one, list):
        return [_add(a, b) for a, b in zip(one, two, strict=True)]
    return one + two
