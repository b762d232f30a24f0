"""The editions, as rows of data, and house editions that people fill in themselves.

| row | what it says |
| numbers, copies | the lowest and the highest number card, and the copies of each in one deck |
| karma | karma card -> copies in one deck |
| clears_at | how many identical cards in a row clear (K16) |
| clear_gives | a clear takes the run alone out of the game, and the rest of the pile is given away (K21) |
| table_cards_wait | table cards wait until the draw pile is gone, too (K6) |
| seats | how many players one deck seats (K1) |
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Annotated, Literal, TypedDict

from threefold.facts import Words
from threefold.fields import a_list, a_text, a_whole_number, an_object, one_of, refuse, required, true_or_false
from threefold.game import BadSetup, Json
from threefold.karma.cards import (
    CREATE_YOUR_KARMA,
    NUMBER_CARDS,
    PRINTED,
    PRINTED_CODES,
    PRINTED_IDEAS,
    Card,
    KarmaCard,
    OnPile,
)
from threefold.karma.design import CLAUSES as DESIGN_CLAUSES
from threefold.karma.design import Design, design_from_code
from threefold.karma.powers import ASK_FOR, VALUE_ZERO, card_power
from threefold.karma.table import COPIES, DECKS, HIGHEST, KINDS, SEATS, Edition
from threefold.records import blank
from threefold.texts import Text

SEATS_A_DECK = 6
CARDS_A_PLAYER = 9
SHORTEST_RUN = 2
LONGEST_RUN = 99
TURN_LIMITS = 1_000_000


@dataclass(frozen=True, slots=True)
class EditionRow:
    """One edition."""

    name: str
    copies: int
    karma: Mapping[str, int]
    clears_at: int
    clear_gives: bool = False
    table_cards_wait: bool = False
    seats: int = SEATS_A_DECK
    numbers: tuple[int, int] = (1, HIGHEST)
    designs: tuple[tuple[Design, int], ...] = field(default=())


PUBLISHED: tuple[EditionRow, ...] = (
    EditionRow("classic", 3, dict.fromkeys(("GIV", "TAB", "BOT", "LOW"), 3), 3),
    EditionRow("classic_alternative_triples", 3, dict.fromkeys(("TAB", "BOT", "LOW"), 3), 3, clear_gives=True),
    EditionRow(
        "second_edition",
        3,
        dict.fromkeys(("OWN", "EXC", "SEA", "CLR", "LOS", "711", "PAS", "ONE"), 3),
        3,
        table_cards_wait=True,
    ),
    EditionRow("mini_round", 2, dict.fromkeys(("GIV", "TAB", "BOT", "LOW"), 2), 2, seats=4),
)
EDITIONS: Mapping[str, EditionRow] = {row.name: row for row in PUBLISHED}
CLEAR_GIVES_CLAUSE = "K21"


def clauses_by_edition() -> dict[str, list[str]]:
    """Published edition -> the clauses that its cards and its clearing rule bring; all others apply everywhere."""
    return {
        row.name: [
            *(card.clause for card in PRINTED if row.karma.get(card.code, 0) > 0),
            *(DESIGN_CLAUSES if row.karma.get(CREATE_YOUR_KARMA, 0) > 0 else ()),
            *([CLEAR_GIVES_CLAUSE] if row.clear_gives else ()),
        ]
        for row in PUBLISHED
    }


FEWEST_PLAYERS = 2
EDITION_OF_DESIGNS = next(row.name for row in PUBLISHED if row.karma.get(CREATE_YOUR_KARMA))
"""The edition in which a printed card can play as a designed one."""
HOUSE = "house"
HOUSE_FIELDS = ("numbers", "karma", "designs", "clear", "clear_does", "table_cards_need_empty_draw_pile")
HOUSE_COPIES = 3
"""Copies of each number, and of each designed card, unless the house edition says otherwise."""
HOUSE_CLEARS_AT = 3
FIRST_HOUSE: Mapping[str, Json] = {
    "numbers": {"from": 1, "to": HIGHEST, "copies": HOUSE_COPIES},
    "karma": dict.fromkeys(("GIV", "TAB", "LOS", "CLR", "ONE"), 2),
    "clear": HOUSE_CLEARS_AT,
}
"""The house edition that a form starts with."""
DEFAULT_IDEA = "reverse"
"""What Create Your Karma does if the table does not say (K60)."""
OPTIONS = ("decks", "draw", "turn_limit", "copies", "create_your_karma")
BY_HAND = "by hand"


@dataclass(frozen=True, slots=True)
class Options:
    """What a table agrees on beside its edition."""

    decks: int = 1
    draw_by_hand: bool = False
    turn_limit: int = 0
    copies: Mapping[str, int] = field(default_factory=dict)
    create_your_karma: str | None = None
    """None: the table has not said; then it is DEFAULT_IDEA."""


def edition_row(edition: Json) -> EditionRow:
    """The row of a published edition's name, or of a house edition's object."""
    if isinstance(edition, Mapping):
        return house_edition(edition)
    return EDITIONS[one_of(edition, "edition", EDITIONS)]


def house_edition(house: Mapping[str, Json]) -> EditionRow:
    """The row that the people at the table filled in."""
    an_object(house, "edition", HOUSE_FIELDS)
    numbers = an_object(house.get("numbers", {}), "edition.numbers", ("from", "to", "copies"))
    low = a_whole_number(numbers.get("from", 1), "edition.numbers.from", 1, HIGHEST)
    high = a_whole_number(numbers.get("to", HIGHEST), "edition.numbers.to", low, HIGHEST)
    karma = an_object(house.get("karma", {}), "edition.karma", PRINTED_CODES)
    return EditionRow(
        HOUSE,
        copies=_copies(numbers.get("copies", HOUSE_COPIES), "edition.numbers.copies"),
        karma={code: _copies(copies, f"edition.karma.{code}") for code, copies in karma.items()},
        clears_at=a_whole_number(house.get("clear", HOUSE_CLEARS_AT), "edition.clear", SHORTEST_RUN, LONGEST_RUN),
        clear_gives=one_of(house.get("clear_does", "remove"), "edition.clear_does", ("remove", "give")) == "give",
        table_cards_wait=true_or_false(
            house.get("table_cards_need_empty_draw_pile", False), "edition.table_cards_need_empty_draw_pile"
        ),
        numbers=(low, high),
        designs=_designs(a_list(house.get("designs", []), "edition.designs")),
    )


def _designs(rows: list[Json]) -> tuple[tuple[Design, int], ...]:
    if len(rows) > KINDS:
        raise refuse("too_many", field="edition.designs", most=KINDS, count=len(rows))
    designs = []
    for i, row in enumerate(rows):
        where = f"edition.designs[{i}]"
        an_object(row, where, ("code", "card", "copies"))
        one_of(row.get("card", f"D{i + 1}"), f"{where}.card", (f"D{i + 1}",))
        design = design_from_code(a_text(required(row, "code", where), f"{where}.code"))
        designs.append((design, _copies(row.get("copies", HOUSE_COPIES), f"{where}.copies")))
    return tuple(designs)


def _copies(copies: Json, where: str) -> int:
    try:
        return a_whole_number(copies, where, 0, COPIES)
    except BadSetup as refused:
        raise BadSetup(refused.text, "K63") from None


def options_from(chosen: Json) -> Options:
    """The options of a table, each with its default."""
    options = an_object(chosen, "options", OPTIONS)
    copies = options.get("copies", {})
    if not isinstance(copies, Mapping):
        an_object(copies, "options.copies", ())
    limit = options.get("turn_limit", 0)
    return Options(
        decks=a_whole_number(options.get("decks", 1), "options.decks", 1, DECKS),
        draw_by_hand=one_of(options.get("draw", "automatic"), "options.draw", ("automatic", BY_HAND)) == BY_HAND,
        turn_limit=0 if limit is None else a_whole_number(limit, "options.turn_limit", 0, TURN_LIMITS),
        copies={code: _copies(n, f"options.copies.{code}") for code, n in copies.items()},
        create_your_karma=_idea(options["create_your_karma"]) if "create_your_karma" in options else None,
    )


def _idea(chosen: Json) -> str:
    """K44, K60: one of the two printed ideas, or the code of a design that leaves as the printed card does."""
    idea = a_text(chosen, "options.create_your_karma")
    if idea not in PRINTED_IDEAS and not (design := design_from_code(idea)).leaves:
        raise BadSetup(Text("karma.setup.own_card_must_leave", {"given": design.name}), "K44")
    return idea


def build(row: EditionRow, options: Options) -> Edition:
    """The edition as the rules read it: all its kinds with their copies, in the order of the rules page."""
    kinds = _kinds(row, options)
    cards = tuple(card for card, _ in kinds)
    edition = blank(Edition, cards=cards, codes=tuple(card.code for card in cards))
    edition.kinds = len(kinds)
    for kind, (card, copies) in enumerate(kinds):
        edition.copies[kind] = copies * options.decks
        if isinstance(card, KarmaCard):
            _fill_karma_card(edition, kind, card)
        else:
            edition.number[kind] = card.number
            edition.asks_low[kind] = card.number
            edition.asks_high[kind] = HIGHEST
    for number in range(HIGHEST + 2):
        edition.kinds_below[number] = sum(0 < each < number for each in edition.number)
    edition.clears_at = row.clears_at
    edition.after_clear = card_power("give_pile").packed() if row.clear_gives else 0
    edition.table_cards_wait = int(row.table_cards_wait)
    edition.draw_by_hand = int(options.draw_by_hand)
    edition.turn_limit = options.turn_limit
    edition.most_players = min(row.seats * options.decks, sum(edition.copies) // CARDS_A_PLAYER, SEATS)
    return edition


def complete_options(edition: Edition, options: Mapping[str, Json]) -> dict[str, Json]:
    """The options of a table, with the default of what they leave open: what Create Your Karma does."""
    decided = {"create_your_karma": DEFAULT_IDEA} if CREATE_YOUR_KARMA in edition.codes else {}
    return {**decided, **options}


@cache
def as_printed(name: str) -> Edition:
    """An edition without options, built once: all tables that play it share it."""
    return build(edition_row(name), Options())


def _fill_karma_card(edition: Edition, kind: int, card: KarmaCard) -> None:
    edition.leaves[kind] = int(card.on_pile is OnPile.LEAVES)
    edition.asks_high[kind] = HIGHEST
    for each in card.powers:
        if each.power.code == ASK_FOR:
            edition.asks_low[kind], edition.asks_high[kind] = each.first, each.second
        elif each.power.code != VALUE_ZERO:
            edition.powers[kind][edition.powers_of[kind]] = each.packed()
            edition.powers_of[kind] += 1


def _kinds(row: EditionRow, options: Options) -> list[tuple[Card, int]]:
    low, high = row.numbers
    kinds: list[tuple[Card, int]] = [(card, row.copies) for card in NUMBER_CARDS if low <= card.number <= high]
    for card in PRINTED:
        if card.code in row.karma:
            kinds += [(_decided(card, options.create_your_karma or DEFAULT_IDEA), row.karma[card.code])]
    kinds += [(design.as_card(f"D{i + 1}"), copies) for i, (design, copies) in enumerate(row.designs)]
    an_object(options.copies, "options.copies", [card.code for card, _ in kinds])
    counted = [(card, options.copies.get(card.code, copies)) for card, copies in kinds]
    used = [(card, copies) for card, copies in counted if copies > 0]
    if options.create_your_karma is not None and not any(card.code == CREATE_YOUR_KARMA for card, _ in used):
        raise BadSetup(Text("karma.setup.no_own_card"), "K44")
    if len(used) > KINDS:
        raise BadSetup(Text("karma.setup.too_many_kinds", {"count": len(used), "most": KINDS}), "K63")
    return used


def _decided(card: KarmaCard, idea: str) -> KarmaCard:
    """K44, K60: what the table decided that Create Your Karma does."""
    if card.code != CREATE_YOUR_KARMA:
        return card
    if idea in PRINTED_IDEAS:
        return replace(card, powers=PRINTED_IDEAS[idea])
    design = design_from_code(idea)
    return replace(card, powers=design.powers, name=design.name, picture=design.picture)


def cards_of(edition: Edition) -> list[int]:
    """Every card of the game, as kinds, in order."""
    return [kind for kind in range(edition.kinds) for _ in range(edition.copies[kind])]


NumbersForm = TypedDict("NumbersForm", {"from": int, "to": int, "copies": int})
"""The number cards of an edition: the lowest, the highest, and the copies of each."""


EditionName = Annotated[str, Words(EDITIONS)]


class EditionForm(TypedDict):
    """A published edition. `players` is how many it seats, by the number of decks."""

    edition: EditionName
    numbers: NumbersForm
    karma: dict[str, int]
    clear: int
    clear_does: Literal["remove", "give"]
    table_cards_need_empty_draw_pile: bool
    cards: int
    players: list[int]


def editions_as_json() -> list[EditionForm]:
    """The published editions, as the rules page tables them, and what a table may choose beside."""
    return [
        {
            "edition": row.name,
            "numbers": {"from": row.numbers[0], "to": row.numbers[1], "copies": row.copies},
            "karma": dict(row.karma),
            "clear": row.clears_at,
            "clear_does": "give" if row.clear_gives else "remove",
            "table_cards_need_empty_draw_pile": row.table_cards_wait,
            "cards": sum(build(row, Options()).copies),
            "players": [build(row, Options(decks=decks)).most_players for decks in range(1, DECKS + 1)],
        }
        for row in PUBLISHED
    ]


assert len(NUMBER_CARDS) + len(PRINTED) <= KINDS, "no room for all printed cards in one edition: see KINDS in table.py"
