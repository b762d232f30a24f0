"""Spec describes a simulation; a Chunk is the result of a part of its games, the same on any machine.

Games are divided into chunks of CHUNK games. The generators of a chunk depend only on the seed and on its number, and
its result consists of integers, so the total does not depend on which worker played which chunk.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from threefold.bots.karma import POLICIES as KARMA_POLICIES
from threefold.bots.set_sense import SetChoice
from threefold.bots.setgame import POLICIES as SET_POLICIES
from threefold.fields import a_list, a_whole_number, one_of, refuse, shown
from threefold.game import Json
from threefold.karma.bot_view import KarmaView
from threefold.karma.deal import deal_from as karma_deal
from threefold.karma.table import TAPE, Edition, Moves, Table, Tape
from threefold.records import blank, shapes
from threefold.setgame.bot_view import SetView
from threefold.setgame.deal import deal_from as set_deal
from threefold.setgame.table import Table as SetTable
from threefold.setgame.table import Tape as SetTape
from threefold.setgame.table import Variant
from threefold.shuffle import Random, is_seed, random_from
from threefold.simulation import karma_games, set_games
from threefold.simulation.karma_games import KarmaJob, KarmaTally, Notes
from threefold.simulation.set_games import SetJob, SetTally

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
    turn_limit: int = TURN_LIMIT
    plain: bool = False


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
) -> Spec:
    """Checks the arguments; raises BadSetup with a sentence that says what to change."""
    policies = {"karma": KARMA_POLICIES, "set": SET_POLICIES}[one_of(game, "game", ("karma", "set"))]
    for i, name in enumerate(a_list(list(players), "players")):
        one_of(name, f"players[{i}]", policies)
    other_options = dict(options or {})
    wanted = other_options.pop("turn_limit", None) if turn_limit is None else turn_limit
    limit = TURN_LIMIT if wanted is None else a_whole_number(wanted, "turn_limit", 1, 1_000_000)
    text = seed if seed.startswith("v1:") else f"v1:{seed}"
    spec = Spec(game, json.dumps(rules), json.dumps(other_options), tuple(players), text, limit, plain)
    if not is_seed(text):
        raise refuse("not_a_seed", given=shown(seed))
    edition_of(spec) if game == "karma" else variant_of(spec)
    return spec


def _setup(spec: Spec, rules: str) -> dict[str, Json]:
    options = json.loads(spec.options)
    return {rules: json.loads(spec.rules), "players": len(spec.players), "options": options, "seed": "v1:any"}


@lru_cache(maxsize=64)
def edition_of(spec: Spec) -> Edition:
    """The edition of a simulation of Karma."""
    setup = _setup(spec, "edition")
    setup["options"] = {**setup["options"], "turn_limit": spec.turn_limit}
    return karma_deal(setup).edition


@lru_cache(maxsize=64)
def variant_of(spec: Spec) -> Variant:
    """The variant of a simulation of SET."""
    return set_deal(_setup(spec, "variant")).variant


def is_compiled(spec: Spec) -> bool:
    """Does this run compiled? Without Numba it runs plain, which is slower."""
    return not spec.plain and find_spec("numba") is not None


def bin_width(spec: Spec) -> int:
    """The width of a histogram bar: turns in Karma, seconds in SET."""
    if spec.game == "set":
        return 10
    return spec.turn_limit // karma_games.BINS + 1


def play_chunk(spec: Spec, number: int, games: int = CHUNK, *, keep_rows: bool = False) -> Chunk:
    """Plays one chunk of games."""
    deals, choices = (random_from(spec.seed, f"simulation {number} {what}") for what in ("deals", "choices"))
    if spec.game == "karma":
        tally, rows = _play_karma(spec, number, games, deals, choices)
    else:
        tally, rows = _play_set(spec, number, games, deals, choices)
    return Chunk(number, tally, [[int(each) for each in row] for row in rows] if keep_rows else None)


def _play_karma(spec: Spec, number: int, games: int, deals: Random, choices: Random) -> tuple[Tally, Any]:
    job = blank(KarmaJob)
    job.players, job.first_game, job.games, job.bin_width = len(spec.players), number * CHUNK, games, bin_width(spec)
    job.policy[: job.players] = [KARMA_POLICIES[name] for name in spec.players]
    if is_compiled(spec):
        from threefold.simulation import compiled  # noqa: PLC0415 (takes seconds to load; plain runs do without)

        return compiled.play_karma_games(edition_of(spec), job, deals, choices)
    tape, tally = blank(Tape), blank(KarmaTally)
    tape.room = TAPE
    rows = [[0] * karma_games.COLUMNS for _ in range(games)]
    table = blank(Table, deal=None)
    karma_games.play_karma_games(
        [edition_of(spec)],
        [table],
        [blank(Moves)],
        [tape],
        [blank(KarmaView)],
        [deals],
        [choices],
        [job],
        [blank(Notes)],
        [tally],
        rows,
    )
    return as_tally(tally), rows


def _play_set(spec: Spec, number: int, games: int, deals: Random, choices: Random) -> tuple[Tally, Any]:
    job = blank(SetJob)
    job.players, job.first_game, job.games, job.bin_width = len(spec.players), number * CHUNK, games, bin_width(spec)
    job.most_moves = MOST_MOVES
    job.policy[: job.players] = [SET_POLICIES[name] for name in spec.players]
    if is_compiled(spec):
        from threefold.simulation import compiled  # noqa: PLC0415 (takes seconds to load; plain runs do without)

        return compiled.play_set_games(variant_of(spec), job, deals, choices)
    tally = blank(SetTally)
    rows = [[0] * set_games.COLUMNS for _ in range(games)]
    set_games.play_set_games(
        [variant_of(spec)],
        [blank(SetTable, deal=None)],
        [blank(SetTape)],
        [blank(SetView)],
        [deals],
        [choices],
        [job],
        [blank(SetChoice), blank(SetChoice)],
        [tally],
        rows,
    )
    return as_tally(tally), rows


def as_tally(record: KarmaTally | SetTally) -> Tally:
    """A record of counts as a dict."""
    return {name: getattr(record, name) for name in shapes(type(record))}


def add_tallies(one: Tally, two: Tally) -> Tally:
    """The sum of two tallies."""
    return {name: _add(value, two[name]) for name, value in one.items()}


def _add(one: Any, two: Any) -> Any:
    if isinstance(one, list):
        return [_add(a, b) for a, b in zip(one, two, strict=True)]
    return one + two
