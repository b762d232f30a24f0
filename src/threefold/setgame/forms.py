"""The forms of SET's Views and events. The type checker, the tests and the page's types all use them."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from threefold.facts import EventForm, Type, Words
from threefold.game import EndingForm
from threefold.setgame import tape as rows
from threefold.setgame.cards import MEGA_FEATURES
from threefold.setgame.decisions import DEADLINES, PLAYER_MOVES, TAKE
from threefold.setgame.events import AREAS, EVENTS, EVENTS_WITH_CARDS, FAILURES, GIFTS, SHUFFLES
from threefold.setgame.moves import TIME_UP
from threefold.setgame.notation import ENDINGS, WORDS
from threefold.setgame.variants import CALL_FIRST, CALL_WITH_TAKE, COSTS, VARIANTS
from threefold.texts import TextForm

VariantName = Annotated[str, Words(VARIANTS)]
Question = Annotated[str, Words([TAKE, *(WORDS[what] for what in (*PLAYER_MOVES, TIME_UP))])]
Area = Annotated[str, Words(AREAS)]
Deadline = Annotated[str, Words(DEADLINES)]


class SetOptions(TypedDict):
    """The options of a table."""

    layout: int
    call_ms: int
    cooldown_ms: int
    agreement_ms: int | Literal["off"]
    auto_deal: bool
    call: Annotated[str, Words((CALL_FIRST, CALL_WITH_TAKE))]
    cards: NotRequired[int]
    goal: NotRequired[int]
    time_ms: NotRequired[int]
    rounds: NotRequired[int]
    together: NotRequired[bool]
    classroom: NotRequired[bool]


class SetFlags(TypedDict):
    """What the variant does, with the options of the table.

    `moves` are the moves beside calling and taking that are offered: where the table deals by itself, nobody is asked
    whether there is no SET. `personal` is the number of personal cards that each player is dealt; 0 is a game with a
    layout alone. `deals` is the number of deals; null is as many as it takes to reach the target. `alone` is a game of
    one player against the clock, with penalty SETs.

    `features` are those of the cards, in the order of the letters of their names. A SET has `set_size` cards. `stays`:
    a SET stays where it lies, and the next layout comes when all are found. `time_ms` ends the game. `together`: all
    players have one score. `classroom`: scores are hidden until the end.
    """

    features: list[Annotated[str, Words(MEGA_FEATURES)]]
    set_size: int
    stays: bool
    time_ms: int | None
    together: bool
    classroom: bool

    call_first: bool
    alone: bool
    layout: int
    most_laid: int
    personal: int
    most_personal: int
    deals: int | None
    target: int | None
    set_points: int
    wrong_costs: Annotated[str, Words(COSTS.values())]
    moves: list[str]


class VariantForm(TypedDict):
    """A variant as a table can choose it: its flags for the fewest players, and its options with their choices."""

    variant: VariantName
    cards: int
    players: list[int]
    flags: SetFlags
    options: SetOptions
    choices: dict[str, list[Any]]


class TakenForm(TypedDict):
    """A SET that a player holds."""

    player: int
    cards: list[str]


TakeForm = TypedDict(
    "TakeForm", {"take": int, "from": list[str], "deadline": NotRequired[int], "not_before": NotRequired[int]}
)
"""The cards from which the viewer may take a SET, and until when or from when."""

SetAwaited = TypedDict(
    "SetAwaited",
    {
        "player": int | None,
        "question": Question,
        "moves": NotRequired[list[str]],
        "take": NotRequired[int],
        "from": NotRequired[list[str]],
        "deadline": NotRequired[int],
        "for": NotRequired[Deadline],
        "not_before": NotRequired[int],
    },
)
"""A player whom the table awaits, and the question. A player of null is the clock, with the deadline it waits for."""


class WithoutCards(TypedDict):
    """The part of a View that a paused game shows, too: no cards, so that nobody can go on searching."""

    game: Literal["set"]
    viewer: int | None
    variant: VariantName
    options: SetOptions
    flags: SetFlags
    players: int
    dealer: int
    deal: int
    deck_size: int
    scores: list[int]
    sets: list[int]
    points_lost: list[int]
    away: list[int]
    left: list[int]
    ending: EndingForm | None
    target: NotRequired[int]
    penalty: NotRequired[int]


class PausedSetView(WithoutCards):
    """The View while the game is paused."""

    paused: Literal[True]


class PublicTable(TypedDict):
    """The part of a View that is the same for everybody. `layout` or `centre` depends on the variant.

    `works_off`: alone, would a SET work off a penalty now? `previous`: the previous SET of a chain. `sets_left`: how
    many SETs of a layout that stays are not found. In a classroom the lists of scores are empty until the end.
    """

    variant: VariantName
    options: SetOptions
    flags: SetFlags
    players: int
    dealer: int
    deal: int
    now: int
    deck_size: int
    scores: list[int]
    sets: list[int]
    points_lost: list[int]
    control: int | None
    call_deadline: int | None
    may_call_from: list[int]
    agreed: list[int]
    agreement_deadline: int | None
    next_deal_at: int | None
    away: list[int]
    left: list[int]
    layout: NotRequired[list[str | None]]
    taken: NotRequired[list[TakenForm]]
    centre: NotRequired[list[str | None]]
    personal: NotRequired[list[list[str | None]]]
    discard_pile: NotRequired[list[str]]
    target: NotRequired[int]
    penalty: NotRequired[int]
    works_off: NotRequired[bool]
    previous: NotRequired[list[str]]
    sets_left: NotRequired[int]
    ends_at: NotRequired[int]


class SetView(PublicTable):
    """Everything that one viewer may know of a table of SET: all but the order of the deck."""

    game: Literal["set"]
    viewer: int | None
    awaits: list[SetAwaited]
    moves: list[str]
    take: TakeForm | None
    anytime: list[str]
    ending: EndingForm | None
    paused: NotRequired[None]


# ---------------------------------------------------------------- Events

FACTS: dict[str, Type] = {
    "failure": Annotated[str, Words(FAILURES.values())],
    "shuffled": Annotated[str, Words(SHUFFLES.values())],
    "gift": Annotated[str, Words(GIFTS.values())],
    "reason": Annotated[str, Words(ENDINGS.values())],
    "deadline": int | None,
    "by_time": bool,
}
"""The types of the facts that are no numbers."""


def event_forms() -> Iterator[EventForm]:
    """Every event, with the types of its facts."""
    for code, (name, *names) in EVENTS.items():
        facts = {fact: FACTS.get(fact, int) for fact in names}
        if code in EVENTS_WITH_CARDS:
            facts |= {"cards": list[str], "areas": list[Area], "places": list[int]}
        if code == rows.WRONG_SET:
            facts["failing"] = list[TextForm]
        if code == rows.CARDS_MOVED:
            facts |= {"cards": list[str], "from_places": list[int], "to_places": list[int]}
        if code == rows.GAME_ENDED:
            facts |= {"winners": list[int], "scores": list[int]}
        yield EventForm(name, facts)
