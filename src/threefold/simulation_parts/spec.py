"""Spec describes a simulation; `Simulated` is how one game is simulated."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from threefold.game import Json
from threefold.kit import kit_at
from threefold.shuffle import Random

if TYPE_CHECKING:
    from threefold.simulation_parts.results import Result

TURN_LIMIT = 1_000
MOST_MOVES = 100_000
"""A game without a limit of turns is stopped after these moves."""
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


class Trial(Protocol):
    """The result of a trial of a designed card: the rules with it, and without it."""

    @property
    def heading(self) -> str:
        """What was tried, and how often."""

    @property
    def warnings(self) -> list[str]:
        """Problems that the card brings to the game."""

    def sentences(self) -> list[str]:
        """The results as sentences, the warnings among them."""

    def as_json(self) -> Json:
        """The output of `--json`."""


class Stepper(Protocol):
    """Many tables of a game that are stepped together; `Batch` is its face for users."""

    moves: int
    """The number of all moves: the width of a mask."""

    def arrays(self, *, views: bool) -> tuple[Any, ...]:
        """New arrays of the right shapes, in the order of the fields of `Arrays`."""

    def begin(self, arrays: Any) -> None:
        """Deals a new game at every table."""

    def check(self, chosen: Any, arrays: Any) -> None:
        """Raises ValueError if a chosen move is not legal."""

    def step(self, chosen: Any, arrays: Any) -> None:
        """Makes the chosen moves."""

    def move_text(self, table: int, player: int, number: int) -> str:
        """The move with this number, in notation."""


PlayRules = Callable[[Json], Any]
"""Simulates many games by these rules, and gives their result."""


class Simulated(Protocol):
    """How one game is simulated. A game derives its own, or is played through its rules and bots (`any_game.py`)."""

    result: "type[Result]"
    """The class of its results."""
    policies: ClassVar[Mapping[str, int] | None] = None
    """The bots that can be simulated; None: all bots of the game."""
    trial_bots: Sequence[str] = ()
    """The bots that try designed cards if none are named."""

    def check(self, spec: Spec) -> None:
        """Refuses rules that cannot be played; raises BadSetup."""

    def bin_width(self, spec: Spec) -> int:
        """The width of a bar in the histogram of lengths."""

    def play(self, spec: Spec, first: int, games: int, deals: Random, choices: Random) -> tuple[Tally, Any]:
        """Plays games, counted from number `first`: their tally, and a row for each."""

    def stepper(self, spec: Spec, randoms: Sequence[Random]) -> Stepper | None:  # noqa: ARG002 (of games that have one)
        """Many tables to be stepped together, one for each generator; None: the game cannot be stepped so."""
        return None

    def try_design(self, code: str, rules: Json, copies: int, play: PlayRules) -> Trial | None:  # noqa: ARG002 (the same)
        """Plays these rules with copies of a designed card and without it; None: the game has no designed cards."""
        return None


def setup_of(spec: Spec, **options: Json) -> dict[str, Json]:
    """The set-up of a game of a simulation, with any seed."""
    given = {**json.loads(spec.options), **options}
    rules = {kit_at(spec.kit).way: json.loads(spec.rules)}
    return {**rules, "players": len(spec.players), "options": given, "seed": "v1:any"}


@cache
def simulated(reference: str) -> Simulated:
    """How the games of a kit are simulated: in the game's own way, or through its rules and bots."""
    own: Simulated = import_module(kit_at(reference).simulation).SIMULATED
    return own


def is_compiled(spec: Spec) -> bool:
    """Does this run compiled? Without Numba it runs plain, which is slower."""
    return not spec.plain and find_spec("numba") is not None
