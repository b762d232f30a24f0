"""The arguments of a simulation as a Spec, and its Chunks: the results of parts of its games, the same on any machine.

Games are divided into chunks of CHUNK games. The generators of a chunk depend only on the seed and on its number, and
its result consists of integers, so the total does not depend on which worker played which chunk.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from threefold.fields import a_list, a_whole_number, one_of, refuse, shown
from threefold.game import Json
from threefold.games import KITS
from threefold.kit import Kits
from threefold.shuffle import is_seed, random_from
from threefold.simulation_parts.spec import TURN_LIMIT, Spec, Tally, simulated

CHUNK = 1_000


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
    """Checks the arguments; raises BadSetup with a sentence that says what to change. Without rules, the default."""
    kit = kits[one_of(game, "game", kits)]
    chosen = kit.name_of_way({}) if rules is None else rules
    for i, name in enumerate(a_list(list(players), "players")):
        one_of(name, f"players[{i}]", simulated(kit.reference).policies or kit.bots)
    other_options = dict(options or {})
    wanted = other_options.pop("turn_limit", None) if turn_limit is None else turn_limit
    limit = TURN_LIMIT if wanted is None else a_whole_number(wanted, "turn_limit", 1, 1_000_000)
    text = seed if seed.startswith("v1:") else f"v1:{seed}"
    spec = Spec(game, json.dumps(chosen), json.dumps(other_options), tuple(players), text, kit.reference, limit, plain)
    if not is_seed(text):
        raise refuse("not_a_seed", given=shown(seed))
    simulated(spec.kit).check(spec)
    return spec


def play_chunk(spec: Spec, number: int, games: int = CHUNK, *, keep_rows: bool = False) -> Chunk:
    """Plays one chunk of games."""
    deals, choices = (random_from(spec.seed, f"simulation {number} {what}") for what in ("deals", "choices"))
    tally, rows = simulated(spec.kit).play(spec, number * CHUNK, games, deals, choices)
    return Chunk(number, tally, [[int(each) for each in row] for row in rows] if keep_rows else None)


def add_tallies(one: Tally, two: Tally) -> Tally:
    """The sum of two tallies."""
    return {name: _add(value, two[name]) for name, value in one.items()}


def _add(one: Any, two: Any) -> Any:
    if isinstance(one, list):
        return [_add(a, b) for a, b in zip(one, two, strict=True)]
    return one + two
