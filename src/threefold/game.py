"""The small protocol both games implement; everything outside `karma` and `setgame` knows only this.

A game is set up from JSON (`new`), asks its players for moves (`decisions`), takes them as text (`play`), and tells
what happened as events. What one person may know is their View. Nothing here knows which game it is.
"""

import hashlib
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from threefold.texts import Text, say

Json = Any
"""A value that JSON can hold."""
Viewer = int | None
"""The player who looks on; None is a spectator."""


class Refusal(ValueError):
    """Something was asked that cannot be: the clause that forbids it (if one does) and a sentence to read."""

    def __init__(self, text: Text, clause: str | None = None) -> None:
        super().__init__(text, clause)
        self.text = text
        self.clause = clause

    def __str__(self) -> str:
        return say(self.text)

    def as_json(self, viewer: Viewer = None) -> Json:
        """The form in which every interface shows a refusal."""
        return {"clause": self.clause, "message": say(self.text, viewer=viewer), "text": self.text.as_json()}


class IllegalMove(Refusal):
    """A move that the table does not accept now. The table is as it was."""


class BadSetup(Refusal):
    """A game that cannot be set up as asked."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the table waits for: a player (None: nobody, only time), a question, and the moves that answer it.

    `details` says more about the question, and describes moves too many to list (SET's `take` and `from`).
    """

    player: int | None
    question: str
    moves: tuple[str, ...] = ()
    details: Mapping[str, Json] = field(default_factory=dict)

    def as_json(self) -> Json:
        """As the engine protocol and the Views show it; no `moves` where the details describe them."""
        listed = {"moves": list(self.moves)} if self.moves else {}
        return {"player": self.player, "question": self.question, **listed, **self.details}


@dataclass(frozen=True, slots=True)
class Event:
    """What happened: facts for all, and secrets for the players who may know them."""

    name: str
    facts: Mapping[str, Json] = field(default_factory=dict)
    secrets: Mapping[str, Json] = field(default_factory=dict)
    known_to: frozenset[int] = frozenset()

    def told(self, viewer: Viewer) -> Json:
        """The event as this viewer may know it: a secret of others is null."""
        knows = viewer in self.known_to
        return {
            "event": self.name,
            **self.facts,
            **{name: value if knows else None for name, value in self.secrets.items()},
        }

    def whole(self) -> Json:
        """The event with all its secrets, for referees and for replays of finished games."""
        return {"event": self.name, **self.facts, **self.secrets}


class Kept(Sequence[Event]):
    """Events that are kept as few bytes and read when somebody asks for them."""

    __slots__ = ("kept",)

    kept: bytes

    @abstractmethod
    def of(self, kept: bytes) -> "Kept":
        """The events of another move of the same game, from its bytes."""

    @property
    @abstractmethod
    def turn_began(self) -> bool:
        """Whether a turn began, without reading them."""


def a_turn_began(events: Sequence[Event]) -> bool:
    """Whether a turn began with these events."""
    return events.turn_began if isinstance(events, Kept) else any(each.name == "turn_began" for each in events)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended. Scores are by player; a game without points has none."""

    reason: str
    winners: tuple[int, ...]
    losers: tuple[int, ...]
    scores: tuple[int, ...] | None = None

    def as_json(self) -> Json:
        """As every interface shows it."""
        scores = None if self.scores is None else list(self.scores)
        return {"reason": self.reason, "winners": list(self.winners), "losers": list(self.losers), "scores": scores}


Table = TypeVar("Table")


class Step(msgspec.Struct, Generic[Table], frozen=True, gc=False):
    """The result of a move: the table after it and what happened, in order."""

    table: Table
    events: Sequence[Event]


class Game(Protocol[Table]):
    """One of the games. Its tables are values: a move gives a new one and leaves the old one as it was."""

    name: str
    rules_version: int
    timed: bool
    """Do moves carry the time at which they were accepted?"""

    def new(self, given: Mapping[str, Json], /) -> Table:
        """Sets a table up; raises BadSetup with a sentence that says what to change."""

    def setup(self, table: Table) -> dict[str, Json]:
        """What the table was set up from, complete: `new` of it gives the same first table, card by card."""

    def players(self, table: Table) -> int:
        """How many players the table has."""

    def card_names(self, table: Table) -> dict[str, str]:
        """The names of cards that are in no catalogue, because players designed them."""

    def decisions(self, table: Table) -> list[Decision]:
        """Who is awaited, and for what. Empty when the game is over."""

    def anytime(self, table: Table) -> list[Decision]:
        """What players may do although nobody waits for it (offer a draw, leave …). All other moves are illegal."""

    def play(self, table: Table, player: int | None, move: str, at: int | None = None) -> Step[Table]:
        """Makes a move; raises IllegalMove when it is none of the decisions' or anytime moves."""

    def explain(self, table: Table, player: int | None, move: str, at: int | None = None) -> IllegalMove | None:
        """What `play` would refuse the move with; None if it would accept it. Nothing changes."""

    def view(self, table: Table, viewer: Viewer) -> dict[str, Json]:
        """Everything this viewer may know, and nothing else."""

    def views(self, table: Table, viewers: Sequence[Viewer]) -> list[dict[str, Json]]:
        """The Views of several viewers: the same as each one's `view`, for less."""

    def written_views(self, table: Table, viewers: Sequence[Viewer]) -> list[bytes]:
        """The same Views as JSON, ready to be sent."""

    def told(self, events: Sequence[Event], viewers: Sequence[Viewer]) -> list[bytes]:
        """What each viewer is told of a move's events, as a JSON list: the same object for all if nothing is secret."""

    def written_scenes(
        self, table: Table, events: Sequence[Event], viewers: tuple[Viewer, ...], between: bytes
    ) -> dict[Viewer, bytes]:
        """By viewer: their View, then `between`, then what they are told of the events that led to it."""

    def position(self, table: Table) -> int:
        """A number for what a spectator sees, the count of turns aside: the same again when the table is (K24)."""

    def open_view(self, table: Table) -> dict[str, Json]:
        """The View of somebody who sees every card on the table, for replays of finished games. Never for players."""

    def state(self, table: Table) -> dict[str, Json]:
        """Everything there is, for referees and tests."""

    def ending(self, table: Table) -> Ending | None:
        """How the game ended, or None while it goes on."""


def event_text(game: str, told: Mapping[str, Json]) -> Text:
    """The sentence of an event as it was told: `say` it to that same viewer."""
    return Text(f"{game}.event.{told['event']}", {name: fact for name, fact in told.items() if name != "event"})


# ---------------------------------------------------------------- As JSON, from the plain forms

_written = msgspec.json.Encoder().encode


def written(things: Sequence[Json]) -> list[bytes]:
    """Each as JSON."""
    return [_written(each) for each in things]


def told(events: Sequence[Event], viewers: Sequence[Viewer]) -> list[bytes]:
    """`Game.told` of events that are all there."""
    if not any(each.known_to for each in events):
        return [_written([each.told(None) for each in events])] * len(viewers)
    return [_written([each.told(viewer) for each in events]) for viewer in viewers]


def scenes(
    viewers: Sequence[Viewer], views: Sequence[bytes], told: Sequence[bytes], between: bytes
) -> dict[Viewer, bytes]:
    """`Game.written_scenes` of Views and what is told."""
    return {viewer: view + between + each for viewer, view, each in zip(viewers, views, told, strict=True)}


def position(seen: Mapping[str, Json]) -> int:
    """`Game.position` of a spectator's View."""
    lies = _written({name: value for name, value in seen.items() if name != "turns"})
    return int.from_bytes(hashlib.blake2b(lies, digest_size=8).digest(), "big")
