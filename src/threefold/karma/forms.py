"""The forms of Karma's Views, events and designs. The type checker, the tests and the page's types all use them."""

from collections.abc import Iterator
from typing import Annotated, Literal, NotRequired, TypedDict

from threefold.facts import EventForm, Type, Words
from threefold.game import EndingForm
from threefold.karma.decisions import CHOOSE_PLAYER, QUESTIONS, QUESTIONS_OF_POWERS
from threefold.karma.events import CARD_FACTS, VALUES
from threefold.karma.notation import LOCATIONS
from threefold.karma.powers import VOCABULARY
from threefold.karma.tape import EVENTS

Location = Annotated[str, Words(LOCATIONS.values())]
Question = Annotated[str, Words([*QUESTIONS.values(), *QUESTIONS_OF_POWERS.values(), CHOOSE_PLAYER])]
PowerName = Annotated[str, Words(power.name for power in VOCABULARY)]

# ---------------------------------------------------------------- Set-up

HouseNumbers = TypedDict("HouseNumbers", {"from": int, "to": int, "copies": int}, total=False)
"""The number cards of a house edition: the lowest, the highest, and the copies of each."""


class HouseDesign(TypedDict):
    """A designed card of a house edition, by its share code."""

    code: str
    card: NotRequired[str]
    copies: NotRequired[int]


class HouseEdition(TypedDict, total=False):
    """An edition that the people at the table filled in. Every field has a default."""

    numbers: HouseNumbers
    karma: dict[str, int]
    designs: list[HouseDesign]
    clear: int
    clear_does: Literal["remove", "give"]
    table_cards_need_empty_draw_pile: bool


class KarmaOptions(TypedDict, total=False):
    """The choices of a table beside its edition. Every field has a default."""

    decks: int
    draw: Literal["automatic", "by hand"]
    turn_limit: int | None
    copies: dict[str, int]
    create_your_karma: str


class DesignedPower(TypedDict):
    """A power of a designed card, with its parameters."""

    power: PowerName
    n: NotRequired[int]
    low: NotRequired[int]
    high: NotRequired[int]
    way: NotRequired[str]
    whom: NotRequired[str]


class CardDesign(TypedDict):
    """A designed card."""

    name: str
    picture: str
    leaves: bool
    powers: list[DesignedPower]


# ---------------------------------------------------------------- Views


class FaceDownForm(TypedDict):
    """A face-down card: its code for those who have peeked at it."""

    card: str | None


class SeatForm(TypedDict):
    """A seat with its cards. An empty place is null; a hand is null for everybody but its owner.

    `known` are the cards of another player's hand that the viewer has seen join it (K28).
    """

    player: int
    hand_size: int
    hand: list[str] | None
    face_up: list[str | None]
    face_down: list[FaceDownForm | None]
    cards: int
    known: list[str]


class AskedFor(TypedDict):
    """The lowest and the highest number that the pile asks for."""

    low: int
    high: int


class AwaitedForm(TypedDict):
    """A player whom the table awaits, the question, and the power that asks it."""

    player: int
    question: Question
    power: NotRequired[PowerName]


class PendingPower(TypedDict):
    """A power that is still to act, with its parameters as numbers."""

    power: PowerName
    first: int
    second: int


GivingForm = TypedDict("GivingForm", {"from": Location, "card": str | None, "place": int | None})
"""A card that was picked to be given: its code for those who may know it, and its place if it lies face down."""


class OpenToAll(TypedDict):
    """The part of a View that is the same for everybody and that the whole table shows, too."""

    edition: str | HouseEdition
    options: KarmaOptions
    clears_at: int
    dealer: int
    turn: int | None
    turns: int
    next_player: int | None
    direction: int
    discard_pile: list[str]
    run: int
    removed: list[str]
    lost_turns: list[int]
    out: list[int]
    draw_agreed: list[int]


class KarmaView(OpenToAll):
    """Everything that one viewer may know of a table of Karma.

    `clears_at` is how many identical cards clear, `run` how many lie on top of the pile. `next_player` is the player
    whose turn follows if this turn ends now. `play_from` is where the viewer's next card comes from; null while no
    location is open. `chosen` are the viewer's own face-up cards while the others still choose. `again` says that the
    player of this turn plays again after it, `turn_seat` is the seat that play goes on from, and `pending` are the
    powers that are still to act, the next one last.
    """

    game: Literal["karma"]
    viewer: int | None
    seats: list[SeatForm]
    draw_pile: int
    asks_for: AskedFor | None
    awaits: list[AwaitedForm]
    moves: list[str]
    anytime: list[str]
    has_chosen: list[int]
    ending: EndingForm | None
    again: bool
    turn_seat: int | None
    pending: list[PendingPower]
    giving: GivingForm | None
    play_from: Location | None
    chosen: NotRequired[list[str]]


# ---------------------------------------------------------------- Events

MovedForm = TypedDict("MovedForm", {"player": int, "from": int, "to": int})
"""A player who moved from one seat to another."""


def event_forms() -> Iterator[EventForm]:
    """Every event, as the tape declares it; secrets are null for those who may not know them."""
    for row in EVENTS.values():
        facts = {name: _type(name) for name in row.facts}
        if row.with_cards:
            facts["cards"] = list[str]
        if row.with_moves:
            facts["moved"] = list[MovedForm]
        facts |= {name: facts[name] | None for name in facts if name in row.secrets or name == row.nullable}
        if row.sometimes:
            facts[row.sometimes] = _type(row.sometimes)
        yield EventForm(row.name, facts, optional=frozenset((row.sometimes,)))


def _type(fact: str) -> Type:
    """The type of a fact, from the table of its values."""
    if fact in CARD_FACTS:
        return str
    if fact not in VALUES:
        return int
    values = [each for each in VALUES[fact].values() if each is not None]
    return Annotated[str, Words(values)] if isinstance(values[0], str) else type(values[0])
