"""How a game declares its facts for the page: types, constants and events, from which TypeScript is generated.

The declarations use Python's own types: `int`, `str | None`, `Literal[…]`, `list[…]`, TypedDicts, and
`Annotated[str, Words(…)]` for a text that is one of the words of a table. A game groups them into files (`PageFile`);
`web/typescript.py` writes them. This module needs only the standard library.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = Any
Type = Any
"""A Python type: `int`, `list[str]`, a TypedDict …"""


@dataclass(frozen=True, slots=True, init=False)
class Words:
    """Marks a text as one of some words: `Annotated[str, Words(LOCATIONS.values())]`."""

    words: tuple[str, ...]

    def __init__(self, words: Iterable[str]) -> None:
        object.__setattr__(self, "words", tuple(dict.fromkeys(words)))


@dataclass(frozen=True, slots=True)
class PageType:
    """Marks a value that has a type of its own on the page: `Annotated[dict[str, Json], PageType("GameView")]`."""

    name: str


@dataclass(frozen=True, slots=True)
class TypeFact:
    """A type of the page: a TypedDict becomes an object type, any other type an alias."""

    name: str
    type: Type
    about: str = ""


@dataclass(frozen=True, slots=True)
class ConstantFact:
    """A constant of the page. Its type is that of its value (`as const`), unless one is given."""

    name: str
    about: str
    value: Json
    type: Type | None = None


@dataclass(frozen=True, slots=True)
class EventForm:
    """One sort of event: its facts with their types. Facts in `optional` may be missing."""

    name: str
    facts: Mapping[str, Type] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class EventsFact:
    """All events of a game: a union, distinguished by `event`."""

    name: str
    about: str
    forms: Sequence[EventForm]


Fact = TypeFact | ConstantFact | EventsFact


@dataclass(frozen=True, slots=True)
class PageFile:
    """One generated file: `name` without its ending, and its facts in order. Small files load where they are needed."""

    name: str
    facts: Sequence[Fact]


@dataclass(frozen=True, slots=True)
class PageFacts:
    """All facts of one game for the page: its files, and the names of the types of its Views, events and figures."""

    views: Sequence[str]
    events: str
    files: Sequence[PageFile]
    figures: str | None = None
    """The type of a person's figures over many games, if the game has any."""
    report: str | None = None
    """The type of the report in a review, if the game has one."""
    summary: str | None = None
    """The type of one player's figures beside that report."""
