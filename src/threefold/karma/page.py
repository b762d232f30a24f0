"""Karma's facts for the page: its Views and events, and its cards; powers and editions in a file of their own."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from threefold.facts import ConstantFact, EventsFact, PageFacts, PageFile, TypeFact
from threefold.game import Json
from threefold.karma import forms
from threefold.karma.cards import CREATE_YOUR_KARMA, PRINTED, PRINTED_IDEAS, OnPile, mark_of
from threefold.karma.design import (
    LONGEST_NAME,
    PICTURES,
    PREFIX,
    ParameterForm,
    PowerForm,
    sentences,
    vocabulary_as_json,
)
from threefold.karma.editions import (
    DEFAULT_IDEA,
    FEWEST_PLAYERS,
    FIRST_HOUSE,
    HOUSE,
    HOUSE_CLEARS_AT,
    HOUSE_COPIES,
    LONGEST_RUN,
    PUBLISHED,
    SHORTEST_RUN,
    EditionForm,
    EditionName,
    NumbersForm,
    clauses_by_edition,
    edition_row,
    editions_as_json,
    options_from,
)
from threefold.karma.powers import CardPower
from threefold.karma.table import COPIES, DECKS, HIGHEST, KINDS, PLACES, POWERS
from threefold.texts import Text, TextForm


class PrintedCard(TypedDict):
    """A printed karma card. `mark` is its effect on the pile; a picture of null is the page's drawing of its code.

    `words` are its rules in sentences.
    """

    code: str
    clause: str
    mark: str
    picture: str | None
    words: list[TextForm]


def _in_words(powers: Sequence[CardPower], *, leaves: bool) -> list[TextForm]:
    return [each.as_json() for each in sentences(powers, leaves=leaves)]


GAME = PageFile(
    "karma",
    (
        TypeFact("PowerName", forms.PowerName),
        TypeFact("KarmaQuestion", forms.Question),
        TypeFact("Location", forms.Location),
        TypeFact("HouseNumbers", forms.HouseNumbers, "The number cards: the lowest, the highest, the copies of each."),
        TypeFact("HouseDesign", forms.HouseDesign),
        TypeFact("HouseEdition", forms.HouseEdition),
        TypeFact("KarmaOptions", forms.KarmaOptions),
        TypeFact("DesignedPower", forms.DesignedPower),
        TypeFact("CardDesign", forms.CardDesign),
        TypeFact("FaceDownCard", forms.FaceDownForm),
        TypeFact("SeatView", forms.SeatForm),
        TypeFact("AskedFor", forms.AskedFor),
        TypeFact("PendingPower", forms.PendingPower),
        TypeFact("GivingForm", forms.GivingForm, "A card that was picked to be given, as far as the viewer knows it."),
        TypeFact("KarmaAwaited", forms.AwaitedForm),
        TypeFact("KarmaView", forms.KarmaView),
        TypeFact("SeatMoved", forms.MovedForm, "A player who moved from one seat to another."),
        EventsFact(
            "KarmaEvent",
            "Everything that happens in Karma. Secrets are null for viewers who may not know them.",
            tuple(forms.event_forms()),
        ),
        TypeFact("PrintedCard", PrintedCard),
        ConstantFact(
            "CARDS",
            "The printed karma cards, in the order of a hand. Numbers come before them, designed cards after them.",
            [
                {
                    "code": card.code,
                    "clause": card.clause,
                    "mark": mark_of(card),
                    "picture": card.picture or None,
                    "words": _in_words(card.powers, leaves=card.on_pile is OnPile.LEAVES),
                }
                for card in PRINTED
            ],
            list[PrintedCard],
        ),
        ConstantFact("HIGHEST_NUMBER", "Number cards go from 1 to this.", HIGHEST),
        ConstantFact("PLACES", "Table cards of each player, face up and face down.", PLACES),
        ConstantFact("CREATE_YOUR_KARMA", "The printed card that plays as the table decides.", CREATE_YOUR_KARMA),
        ConstantFact(
            "IDEAS_IN_WORDS",
            "The rules of that card in sentences, by the printed idea that the table chose.",
            {idea: _in_words(powers, leaves=True) for idea, powers in PRINTED_IDEAS.items()},
            dict[str, list[TextForm]],
        ),
        ConstantFact("DESIGN_CODE", "How the share code of a designed card begins.", PREFIX),
    ),
)
SETUP = PageFile(
    "karmaSetup",
    (
        TypeFact("EditionName", EditionName),
        TypeFact("EditionNumbers", NumbersForm, "The number cards: the lowest, the highest, the copies of each."),
        TypeFact("EditionOffered", EditionForm),
        ConstantFact("EDITIONS", "The published editions.", editions_as_json(), list[EditionForm]),
        ConstantFact(
            "CLAUSES",
            "Edition -> the clauses that its cards and its clearing rule bring. Clauses in no list apply everywhere.",
            clauses_by_edition(),
            dict[str, list[str]],
        ),
        ConstantFact("HOUSE", "The choice of an edition that people fill in themselves.", HOUSE),
        ConstantFact("IDEAS", "What the printed card Create Your Karma can do.", list(PRINTED_IDEAS)),
        TypeFact("ParameterOffered", ParameterForm),
        TypeFact("PowerOffered", PowerForm),
        ConstantFact(
            "POWERS",
            "The powers of designed cards, with their parameters and limits.",
            vocabulary_as_json(),
            list[PowerForm],
        ),
        ConstantFact("PICTURES", "The pictures of designed cards.", PICTURES),
        ConstantFact("MOST_POWERS", "Powers of one designed card.", POWERS),
        ConstantFact("LONGEST_NAME", "Bytes of a designed card's name.", LONGEST_NAME),
        ConstantFact("MOST_KINDS", "Kinds of cards in one edition: numbers, printed and designed cards.", KINDS),
        ConstantFact("MOST_COPIES", "Copies of one card in one deck.", COPIES),
        ConstantFact("MOST_DECKS", "Decks of one game.", DECKS),
        ConstantFact("FEWEST_PLAYERS", "Players of one game, at the least.", FEWEST_PLAYERS),
        ConstantFact("FIRST_HOUSE", "The house edition that a form starts with.", FIRST_HOUSE, forms.HouseEdition),
        ConstantFact(
            "HOUSE_COPIES",
            "Copies of each number, and of each designed card, unless a house edition says otherwise.",
            HOUSE_COPIES,
        ),
        ConstantFact(
            "HOUSE_CLEARS_AT", "Identical cards that clear, unless a house edition says otherwise.", HOUSE_CLEARS_AT
        ),
        ConstantFact(
            "SHORTEST_RUN",
            "The smallest number of identical cards that a house edition can ask for a clear.",
            SHORTEST_RUN,
        ),
        ConstantFact(
            "LONGEST_RUN",
            "The largest number of identical cards that a house edition can ask for a clear.",
            LONGEST_RUN,
        ),
    ),
)
PAGE = PageFacts(("KarmaView",), "KarmaEvent", (GAME, SETUP))


def options_in_force(setup: Mapping[str, Json]) -> list[Text]:
    """The options of a table in a few words each."""
    row, options = edition_row(setup.get("edition", PUBLISHED[0].name)), options_from(setup.get("options", {}))
    texts = []
    if row.name == HOUSE:
        texts.append(Text("live.rule.clears", {"n": row.clears_at}))
    if row.karma.get(CREATE_YOUR_KARMA):
        idea = options.create_your_karma or DEFAULT_IDEA
        printed = f"live.rule.own.{idea.replace(' ', '_')}"
        texts.append(Text(printed if idea in PRINTED_IDEAS else "live.rule.own.design"))
    if options.decks > 1:
        texts.append(Text("live.rule.decks", {"n": options.decks}))
    if options.draw_by_hand:
        texts.append(Text("live.rule.draw_by_hand"))
    if options.turn_limit:
        texts.append(Text("live.rule.turn_limit", {"n": options.turn_limit}))
    if options.copies:
        texts.append(Text("live.rule.copies"))
    return texts
