"""SET's facts for the page: its Views and events, its features; the variants in a file of their own."""

from collections.abc import Mapping

from threefold.facts import ConstantFact, EventsFact, PageFacts, PageFile, TypeFact
from threefold.game import Json
from threefold.setgame import forms, review
from threefold.setgame.cards import DECKS, FEATURES, LETTERS, SET_SIZE
from threefold.setgame.figures import BestForm, FiguresForm
from threefold.setgame.puzzles import KINDS, PUZZLE_EVENTS
from threefold.setgame.variants import (
    ANY_TABLE,
    FULL,
    GROUPS,
    PARTS,
    STYLES,
    VARIANTS,
    sections_by_way,
    variants_as_json,
    with_options,
)
from threefold.texts import Text

GAME = PageFile(
    "set",
    (
        TypeFact("VariantName", forms.VariantName),
        TypeFact("SetQuestion", forms.Question),
        TypeFact("Area", forms.Area, "Where a card lies."),
        TypeFact("SetOptions", forms.SetOptions),
        TypeFact("SetFlags", forms.SetFlags),
        TypeFact("TakenSet", forms.TakenForm),
        TypeFact("SetTake", forms.TakeForm, "The cards to take a SET from, and until or from when."),
        TypeFact("SetAwaited", forms.SetAwaited, "A player whom the table awaits; a player of null is the clock."),
        TypeFact("PausedSetView", forms.PausedSetView),
        TypeFact("SetView", forms.SetView),
        TypeFact("SetReviewed", review.SetReviewed),
        TypeFact("LayoutReviewed", review.LayoutReviewed),
        TypeFact("WrongReviewed", review.WrongReviewed),
        TypeFact("SetReport", review.ReportForm),
        TypeFact("SetTimes", review.TimesForm),
        TypeFact("SetSummary", review.SummaryForm),
        TypeFact("SetBest", BestForm),
        TypeFact("SetFigures", FiguresForm),
        EventsFact("SetEvent", "Everything that happens in SET.", tuple(forms.event_forms())),
        EventsFact("PuzzleEvent", "The outcome of a try in a puzzle or in practice.", PUZZLE_EVENTS),
        ConstantFact("FEATURES", "The features of a card, in the order of its code.", FEATURES),
        ConstantFact(
            "CARD_FEATURES",
            "Number of letters of a card's code -> the features they stand for.",
            {str(letters): list(features) for letters, (features, _, _) in DECKS.items()},
        ),
        ConstantFact("SET_SIZE", "Cards of a SET.", SET_SIZE),
        ConstantFact("LETTERS", "The letters of each feature's values.", LETTERS),
    ),
)
SETUP = PageFile(
    "setSetup",
    (
        TypeFact("VariantOffered", forms.VariantForm),
        ConstantFact("VARIANTS", "The variants.", variants_as_json(), list[forms.VariantForm]),
        ConstantFact(
            "GROUPS",
            "The variants in groups, as a table chooses one.",
            {group: list(names) for group, names in GROUPS.items()},
        ),
        ConstantFact("PARTS", "The options that only some variants have; their choices say which.", PARTS),
        ConstantFact("ANY_TABLE", "The options that any table may choose.", ANY_TABLE),
        ConstantFact("STYLES", "Ways to play with others, as options of a table.", dict(STYLES)),
        ConstantFact(
            "SECTIONS",
            "Variant, or the puzzles -> the sections of the rules that apply to it alone or with others.",
            sections_by_way(),
            dict[str, list[str]],
        ),
        ConstantFact("PUZZLE_KINDS", "The kinds of daily puzzles.", list(KINDS)),
    ),
)
PAGE = PageFacts(
    ("SetView", "PausedSetView"),
    "SetEvent",
    (GAME, SETUP),
    figures="SetFigures",
    report="SetReport",
    summary="SetSummary",
)


def options_in_force(setup: Mapping[str, Json]) -> list[Text]:
    """The options of a table in a few words each."""
    row = VARIANTS[setup.get("variant", FULL.name)]
    if row.alone:
        return []
    chosen = with_options(row, setup.get("options", {}))
    call = Text("live.rule.call_first", {"seconds": f"{chosen.call_ms / 1000:g}"})
    texts = [call if chosen.call_first else Text("live.rule.take")]
    if chosen.auto_deal:
        texts.append(Text("live.rule.auto_deal"))
    if chosen.layout != row.layout:
        texts.append(Text("live.rule.layout", {"n": chosen.layout}))
    return texts
