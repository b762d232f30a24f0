"""What is to be simulated, and one chunk of it: the same chunk is the same anywhere, on any machine, at either speed.

The games are cut into chunks of CHUNK. A chunk's generators come from the seed and the chunk's number alone, and a
chunk's result is whole numbers, so the sum does not depend on who played which chunk.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from threefold.bots.karma import POLICIES as KARMA_POLICIES
from threefold.bots.set_sense import SetChoice
from threefold.bots.setgame import POLICIES as SET_POLICIES
from threefold.fields import a_list, a_whole_number, one_of, refuse, shown
from threefold.game import BadSetup, Json
from threefold.karma.bot_view import KarmaView
from threefold.karma.deal import deal_from as karma_deal
from threefold.karma.table import TAPE, Edition, Moves, Table, Tape
from threefold.records import blank, shapes
from threefold.setgame.deal import deal_from as set_deal
from threefold.setgame.sight import SetView
from threefold.setgame.table import Table as SetTable
from threefold.setgame.table import Tape as SetTape
from threefold.setgame.table import Variant
from threefold.shuffle import Random, random_from
from threefold.simulation import karma_games, set_games
from threefold.simulation.karma_games import Job, KarmaTally, Notes
from threefold.simulation.set_games import SetJob, SetTally

CHUNK = 1_000
TURN_LIMIT = 1_000
MOST_MOVES = 100_000
Tally = dict[str, Any]
"""What happened, as whole numbers and lists of them."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What is to be simulated: a game, its rules, the players by name, and the seed. It travels between machines."""

    game: str
    rules: str  # JSON of the edition or the variant's name
    options: str  # JSON
    players: tuple[str, ...]
    seed: str
    turn_limit: int = TURN_LIMIT
    plain: bool = False

    def with_seed(self, seed: str) -> "Spec":
        """The same with other cards."""
        return replace(self, seed=seed)


@dataclass(frozen=True, slots=True)
class Chunk:
    """What came of one chunk. Rows of games are kept only where somebody wants them."""

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
    """Checks what is asked for; raises BadSetup with a sentence that says what to change."""
    policies = {"karma": KARMA_POLICIES, "set": SET_POLICIES}[one_of(game, "game", ("karma", "set"))]
    for i, name in enumerate(a_list(list(players), "players")):
        one_of(name, f"players[{i}]", policies)
    given = dict(options or {})
    asked = given.pop("turn_limit", None) if turn_limit is None else turn_limit
    limit = TURN_LIMIT if asked is None else a_whole_number(asked, "turn_limit", 1, 1_000_000)
    text = seed if seed.startswith("v1:") else f"v1:{seed}"
    spec = Spec(game, json.dumps(rules), json.dumps(given), tuple(players), text, limit, plain)
    try:
        random_from(f"{text[:40]}")
    except ValueError:
        raise refuse("not_a_seed", given=shown(seed)) from None
    _edition(spec) if game == "karma" else _variant(spec)
    return spec


def _set_up(spec: Spec, rules: str) -> dict[str, Json]:
    options = json.loads(spec.options)
    return {rules: json.loads(spec.rules), "players": len(spec.players), "options": options, "seed": "v1:any"}


@lru_cache(maxsize=64)
def _edition(spec: Spec) -> Edition:
    setup = _set_up(spec, "edition")
    setup["options"] = {**setup["options"], "turn_limit": spec.turn_limit}
    return karma_deal(setup).edition


@lru_cache(maxsize=64)
def _variant(spec: Spec) -> Variant:
    return set_deal(_set_up(spec, "variant")).variant


def edition_played(spec: Spec) -> Edition:
    """The edition of a simulation of Karma."""
    return _edition(spec)


def variant_played(spec: Spec) -> Variant:
    """The variant of a simulation of SET."""
    return _variant(spec)


def is_compiled(spec: Spec) -> bool:
    """Does this run at the second speed? Without Numba everything works too, only slower."""
    return not spec.plain and find_spec("numba") is not None


def bin_width(spec: Spec) -> int:
    """How many turns (SET: seconds) one bar of the histogram takes."""
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
    job = blank(Job)
    job.players, job.first_game, job.games, job.bin_width = len(spec.players), number * CHUNK, games, bin_width(spec)
    job.policy[: job.players] = [KARMA_POLICIES[name] for name in spec.players]
    if is_compiled(spec):
        from threefold.simulation import compiled  # noqa: PLC0415 (seconds to load; not wanted where all is plain)

        return compiled.play_karma_games(_edition(spec), job, deals, choices)
    tape, tally = blank(Tape), blank(KarmaTally)
    tape.room = TAPE
    rows = [[0] * karma_games.COLUMNS for _ in range(games)]
    table = blank(Table, deal=None)
    karma_games.play_karma_games(
        [_edition(spec)],
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
        from threefold.simulation import compiled  # noqa: PLC0415 (seconds to load; not wanted where all is plain)

        return compiled.play_set_games(_variant(spec), job, deals, choices)
    tally = blank(SetTally)
    rows = [[0] * set_games.COLUMNS for _ in range(games)]
    set_games.play_set_games(
        [_variant(spec)],
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
    """A record of counts as numbers and lists."""
    return {name: getattr(record, name) for name in shapes(type(record))}


def added(one: Tally, two: Tally) -> Tally:
    """Two tallies together."""
    return {name: _added(value, two[name]) for name, value in one.items()}


def _added(one: Any, two: Any) -> Any:
    if isinstance(one, list):
        return [_added(a, b) for a, b in zip(one, two, strict=True)]
    return one + two


__all__ = ["CHUNK", "BadSetup", "Chunk", "Spec", "Tally", "added", "play_chunk", "spec_from"]
