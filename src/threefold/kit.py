"""Kit: everything that makes a game playable here: rules, speeds, bots, lessons, review, simulation, page facts.

Nothing outside a game's own folder names the game; `games.py` lists the kits. A registry is a value: a test or a server
that wants one more game makes a larger one (`KITS.with_kit(kit)`) and passes it on.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, Protocol, TypedDict, TypeVar

from threefold.bots import Bot, Character, Choice
from threefold.bots.characters import UNDERSTUDIES, free_persona
from threefold.facts import PageFacts
from threefold.game import BadSetup, Event, Game, Json
from threefold.guide import Guides
from threefold.lessons import Lesson
from threefold.puzzles import Puzzles
from threefold.shuffle import Random
from threefold.texts import Text

Part = TypeVar("Part")
After = tuple[int, Any, Sequence[Event]]
"""One move: its time in the game's own clock, the table after it, and its events."""
Request = Callable[[Mapping[str, Json]], dict[str, Json]]
"""The answer to a request of the engine protocol that only one game knows."""


class Review(TypedDict):
    """The review of a finished game: a report in the game's own form, and for each player two sets of figures.

    `figures` are stored with the result; `summaries` are shown beside the report.
    """

    report: Json
    figures: list[Json]
    summaries: list[Json]


class SecondSpeed(Protocol):
    """The compiled engine of a game. Its module is imported only by servers that want it."""

    def is_cached(self) -> bool:
        """Is it compiled already?"""

    def warm_up(self) -> Game[Any]:
        """Loads the engine from the cache."""


class DesignForm(TypedDict):
    """A designed card with its share code, its mark on the table, and its rules in sentences."""

    code: str
    design: Json
    mark: str
    words: list[str]


class Designs(Protocol):
    """Cards that people design."""

    def powers(self) -> Sequence[Mapping[str, Json]]:
        """Everything that a designed card can do, with the limits."""

    def from_json(self, design: Json, /) -> DesignForm:
        """Checks a design; raises BadSetup."""

    def from_code(self, code: str, /) -> DesignForm:
        """The card behind a share code; raises BadSetup."""


class Advice(Protocol):
    """Advice for people at a table."""

    def reason(self, view: Json, move: str, thought: Mapping[str, Json] | None, /) -> Text | None:
        """Why a hint is a good move, from what the player knows and from the thought of the bot, if it has one."""

    def told(self, thought: Mapping[str, Json], player: int, /) -> Text | None:
        """Why a bot made a move, for everybody at the table: nothing that only its player may know."""

    def warning(self, view: Json, events: Sequence[Json], /) -> Text | None:
        """What speaks against a legal move, from the events that it would cause.

        The player reads it before the move, so it says nothing that the View before the move does not tell.
        """


class Analysis(Protocol):
    """Says what decided a finished game: luck, errors and the choices of others, for every player. Takes seconds."""

    def __call__(
        self,
        first: Any,
        moves: Iterable[tuple[int | None, str, Any, Sequence[Event]]],
        /,
        *,
        seed: str,
        players: Sequence[int] | None = None,
        threads: int = 1,
        on_progress: Callable[[float], None] = ...,
    ) -> Json:
        """The analysis, for all players or some; the same seed gives the same one.

        A move is its player, its text, the table after it, and its events.
        """


class BotProof(Protocol):
    """Shows that bots which say how they found a move (`Choice.thought`) knew only their player's View."""

    def exchanged(self, table: Any, player: int, random: Random, /) -> Any:
        """The same table to the player's eyes, with other cards where the player cannot see them."""

    def again(self, view: Mapping[str, Json], thought: Mapping[str, Json], random: Random, /) -> Choice | None:
        """The choice, found again; None: another version of the bots made it."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A View for the terminal: a grid with a title, and facts below it."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    facts: Mapping[str, str]


class Terminal(Protocol):
    """How a game is played in the terminal, against bots."""

    def setup(self, way: str, players: int) -> dict[str, Json]:
        """The set-up of this way to play, for this number of players."""

    def draw(self, view: Json, names: Sequence[str]) -> Drawing:
        """A View as a drawing."""


@dataclass(frozen=True, slots=True)
class Kit:
    """One game. `reference` is where a worker process finds the kit: `package.module:NAME`."""

    reference: str
    game: Game[Any]
    bots: Mapping[str, Bot]
    stand_in: str
    """The bot that plays for guests who are absent, have left or are out of time."""
    hints_from: str = ""
    """The bot that gives hints, if it can say why; else the stand-in does."""
    levels: Sequence[str] = ()
    """The bots that people are offered at a table, the weakest first; without any, all bots are."""
    lighter_bots: Mapping[str, str] = field(default_factory=dict)
    """Bot that thinks long -> the bot that moves in its place while many others wait for their move."""
    characters: Sequence[Character] = ()
    """The bots as people know them, the weakest first; without any, all bots are understudies."""
    way: str = "edition"
    """The field of a set-up that chooses between the ways to play."""
    ways: Callable[[], Sequence[Mapping[str, Json]]] = tuple
    """The published ways to play; each has its name in the field that `way` says. The first is the default."""
    guides: Guides | None = None
    lessons: Sequence[Lesson] = ()
    review: Callable[[Any, Iterable[After]], Review] | None = None
    """Reviews a finished game, from its first table and its moves."""
    analyse: Analysis | None = None
    figures: Callable[[Sequence[Any]], Json] | None = None
    """A person's figures over many games, from the rows of results that have a review."""
    puzzles: Puzzles | None = None
    designs: Designs | None = None
    advice: Advice | None = None
    bot_proof: BotProof | None = None
    terminal: Terminal | None = None
    out: Callable[[Mapping[str, Json]], Sequence[int]] = lambda _: ()
    """The players who have finished although the game goes on, from any View."""
    shown_while_paused: Sequence[str] = ()
    """Fields of a View that a paused game against time still shows."""
    page: PageFacts | None = None
    requests: Mapping[str, tuple[tuple[str, ...], Request]] = field(default_factory=dict)
    """Requests of the engine protocol -> the fields they take, and the answer."""
    compiled: str | None = None
    """Module of the compiled engine, a `SecondSpeed`; run as a program, it fills the compiler's cache."""
    simulation: str = "threefold.simulation_parts.any_game"
    """Module with a `SIMULATED`: the game's own simulation, or that of any game through its rules and bots."""
    table_of_bots: Sequence[str] = ()
    """The bots that a simulation uses if none are named."""
    options_in_force: Callable[[Mapping[str, Json]], Sequence[Text]] = lambda _: ()
    """The options of a set-up that a player should know before the game, in a few words each."""
    fewest_players: Callable[[Mapping[str, Json]], int] = lambda _: 2
    """The fewest players of a set-up."""
    way_of_designs: str | None = None
    """The way to play that a table starts with if somebody brings a designed card."""
    quick_match: Mapping[str, Json] = field(default_factory=dict)
    """The set-up that two strangers play; empty: the default."""

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.game.name

    def character(self, name: str) -> Character | None:
        """The character with this name."""
        return next((each for each in self.characters if each.name == name), None)

    def level_of(self, bot: str) -> str:
        """The bot that plays: that of a character, or a bot named as such."""
        character = self.character(bot)
        return bot if character is None else character.level

    def bot_called(self, name: str) -> str:
        """The bot that has this name; the stand-in, if it is an understudy's or one that bots had earlier."""
        character = self.character(name)
        return self.stand_in if character is None else character.level

    def name_for(self, bot: str, taken: Sequence[str]) -> str:
        """The name under which a character or a level sits down at a table where these names are taken."""
        level = self.level_of(bot)
        of_level = [each.name for each in self.characters if each.level == level]
        return free_persona(taken, of_level if bot == level else [bot, *of_level])

    @staticmethod
    def name_in_seat(seat: int) -> str:
        """The name of a bot that was seated before bots had names."""
        return [*UNDERSTUDIES][seat % len(UNDERSTUDIES)]

    def tempo_of(self, name: str) -> int:
        """How long the bot with this name thinks, in percent of the usual time."""
        character = self.character(name)
        return 100 if character is None or self.game.timed else character.tempo

    def name_of_way(self, setup: Mapping[str, Json]) -> Json:
        """The chosen edition or variant of a set-up, or the default."""
        ways = self.ways()
        return setup.get(self.way, ways[0][self.way] if ways else None)

    def rules_in_force(self, setup: Mapping[str, Json]) -> list[Text]:
        """The edition or variant of a set-up and its options, in a few words each."""
        way = self.name_of_way(setup)
        name = [] if way is None else [Text(f"page.edition.{way if isinstance(way, str) else 'house'}")]
        try:
            return [*name, *self.options_in_force(setup)]
        except BadSetup:  # of an older version, which allowed something else
            return name


class Kits(Mapping[str, Kit]):
    """A registry of games by name. It never changes."""

    def __init__(self, kits: Iterable[Kit]) -> None:
        self._kits = {kit.name: kit for kit in kits}

    def __getitem__(self, name: str) -> Kit:
        return self._kits[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kits)

    def __len__(self) -> int:
        return len(self._kits)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__  # a registry never changes, so it may be a key

    def offering(self, part: Callable[[Kit], Part | None]) -> tuple[Kit, Part] | None:
        """The first game that has this part, and the part: `kits.offering(lambda kit: kit.puzzles)`."""
        for kit in self._kits.values():
            if (own := part(kit)) is not None:
                return kit, own
        return None

    def with_kit(self, kit: Kit) -> "Kits":
        """A registry with one more game."""
        return Kits((*self._kits.values(), kit))


@cache
def kit_at(reference: str) -> Kit:
    """The kit that a reference names, in any process."""
    module, _, name = reference.partition(":")
    kit: Kit = getattr(import_module(module), name)
    return kit
