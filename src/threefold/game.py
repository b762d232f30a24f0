"""The rules protocol that both games implement; everything outside `karma` and `setgame` knows only this.

A game is set up from JSON (`new`), asks its players for moves (`decisions`), accepts moves as text (`play`) and reports
what happened as events. A View is everything that one person may know. This module needs only the standard library.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypedDict, TypeVar

from threefold.texts import Text, say

Json = Any
"""A value that JSON can hold."""
Viewer = int | None
"""The player who looks at the table; None is a spectator."""


class Refusal(ValueError):
    """A request that cannot be fulfilled: the clause that forbids it (if one does) and a sentence to read."""

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
    """A move that the table does not accept now. The table is unchanged."""


class BadSetup(Refusal):
    """A set-up from which no game can be made."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One thing the table waits for: a player (None: nobody, only time), a question, and the moves that answer it.

    `details` says more about the question, and describes moves that are too many to list (`take` and `from`).
    """

    player: int | None
    question: str
    moves: tuple[str, ...] = ()
    details: Mapping[str, Json] = field(default_factory=dict)

    def as_json(self) -> Json:
        """The form in the engine protocol and in Views; without `moves` where the details describe them."""
        listed = {"moves": list(self.moves)} if self.moves else {}
        return {"player": self.player, "question": self.question, **listed, **self.details}


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: facts for everybody, and secrets for the players who may know them."""

    name: str
    facts: Mapping[str, Json] = field(default_factory=dict)
    secrets: Mapping[str, Json] = field(default_factory=dict)
    known_to: frozenset[int] = frozenset()

    def seen_by(self, viewer: Viewer) -> Json:
        """The event as this viewer may know it: other players' secrets are null."""
        knows = viewer in self.known_to
        return {
            "event": self.name,
            **self.facts,
            **{name: value if knows else None for name, value in self.secrets.items()},
        }

    def whole(self) -> Json:
        """The event with all its secrets, for referees and for replays of finished games."""
        return {"event": self.name, **self.facts, **self.secrets}


class EndingForm(TypedDict):
    """How a game ended, as every interface shows it."""

    reason: str
    winners: list[int]
    losers: list[int]
    scores: list[int] | None


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended. Scores are by player; a game without points has none."""

    reason: str
    winners: tuple[int, ...]
    losers: tuple[int, ...]
    scores: tuple[int, ...] | None = None

    def as_json(self) -> EndingForm:
        """The form in which every interface shows it."""
        scores = None if self.scores is None else list(self.scores)
        return {"reason": self.reason, "winners": list(self.winners), "losers": list(self.losers), "scores": scores}


Table = TypeVar("Table")


class Step(NamedTuple, Generic[Table]):
    """The result of a move: the table after it, and the events in order.

    A named tuple, because one is made at every move: a frozen dataclass costs three times as much to make.
    """

    table: Table
    events: Sequence[Event]


class Game(Protocol[Table]):
    """The rules of one game. Its tables are values: a move returns a new table and leaves the old one unchanged."""

    name: str
    rules_version: int
    timed: bool
    """Do moves carry the time at which they were accepted?"""

    def new(self, setup: Mapping[str, Json], /) -> Table:
        """Sets a table up; raises BadSetup with a sentence that says what to change."""

    def setup(self, table: Table) -> dict[str, Json]:
        """The complete set-up of the table: `new` makes the same first table from it, card by card."""

    def players(self, table: Table) -> int:
        """The number of players."""

    def card_names(self, table: Table) -> dict[str, str]:
        """Code -> name of the cards that players designed, which are in no catalogue."""

    def decisions(self, table: Table) -> list[Decision]:
        """The players whom the table waits for, and their questions. Empty when the game is over."""

    def anytime(self, table: Table) -> list[Decision]:
        """Moves that nobody waits for but that are allowed (offer a draw, leave …). All other moves are illegal."""

    def play(self, table: Table, player: int | None, move: str, at: int | None = None) -> Step[Table]:
        """Makes a move; raises IllegalMove when it is none of the decisions' or anytime moves."""

    def explain(self, table: Table, player: int | None, move: str, at: int | None = None) -> IllegalMove | None:
        """The refusal that `play` would raise; None if it would accept the move. Nothing changes."""

    def view(self, table: Table, viewer: Viewer) -> Mapping[str, Json]:
        """Everything this viewer may know, and nothing else."""

    def open_view(self, table: Table) -> Mapping[str, Json]:
        """The View of somebody who sees every card on the table, for replays of finished games. Never for players."""

    def state(self, table: Table) -> Mapping[str, Json]:
        """The whole table, for referees and tests."""

    def ending(self, table: Table) -> Ending | None:
        """How the game ended, or None while it goes on."""


def event_text(game: str, shown: Mapping[str, Json]) -> Text:
    """The sentence of an event from the form that a viewer sees; `say` it to that same viewer."""
    return Text(f"{game}.event.{shown['event']}", {name: fact for name, fact in shown.items() if name != "event"})
