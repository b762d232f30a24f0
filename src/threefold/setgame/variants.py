"""The variants of SET as rows of data, and the options a table may choose. The rules use the row, never its name.

               cards     a SET    layout   more cards       players  deals            ends
full            81       3 cards  12       on agreement     2–20     one              empty deck
small_deck      27       3 cards  12 or 9  on agreement     2–20     one              empty deck
longer_game     81       3 cards  12       on agreement     2–20     everybody deals  empty deck
solitaire       81       3 cards  12       for a penalty    1        one              empty deck
twenty_twenty   81       3 cards  6        on agreement     2–8      until the end    10 points × players
sprint          81, 27   3 cards  12 or 9  always a SET     1–20     one              10, 20 or 30 points
time_attack     81, 27   3 cards  12 or 9  always a SET     1–20     one              1, 2 or 5 minutes
puzzle_run      81, 27   3 cards  12 or 9  always a SET     1–20     3, 5 or 10       all SETs found
chain           81, 27   3 cards  12 or 9  by themselves    1–20     one              empty deck
ultraset        81, 27   4 cards  9 or 10  by themselves    1–20     one              empty deck
quads           64, 16   4 cards  9 or 7   by themselves    1–20     one              empty deck
ghost           81, 27   6 cards  12 or 9  by themselves    1–20     one              empty deck
mega           243       3 cards  15 or 12 always a SET     1–20     one              empty deck
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from threefold.setgame.cards import (
    DECKS,
    FULL_DECK,
    MEGA_DECK,
    NAMES,
    QUADS_DECK,
    QUADS_FROM,
    QUADS_SMALL_DECK,
    SMALL_DECK,
)
from threefold.setgame.moves import AGREE_NO_SET, ASK_FOR_CARD, MORE_CARDS
from threefold.setgame.notation import WORDS
from threefold.setgame.table import (
    A_CARD,
    A_POINT,
    AS_CHOSEN,
    AT_ONCE,
    FITTING,
    NONE,
    Variant,
    has_personal_cards,
)

CALL_FIRST: Final = "first"
CALL_WITH_TAKE: Final = "with take"
COSTS: Final = MappingProxyType({A_POINT: "point", A_CARD: "card"})
"""What a wrong call costs, in words."""
OFF: Final = "off"
LONGEST_MS: Final = 86_400_000


FULL: Final = Variant(
    name="full",
    first_card=0,
    cards=FULL_DECK,
    set_size=3,
    layout=12,
    most_laid=21,
    at_once=3,
    more=AS_CHOSEN,
    chain=0,
    stays=0,
    returns=0,
    personal=0,
    most_personal=0,
    fewest_players=2,
    most_players=20,
    alone=0,
    set_points=1,
    wrong_costs=A_POINT,
    every_player_deals=0,
    target_per_player=0,
    goal=0,
    rounds=0,
    time_ms=0,
    together=0,
    classroom=0,
    call_first=1,
    auto_deal=0,
    call_ms=6_000,
    cooldown_ms=2_000,
    agreement_ms=30_000,
    choices={"layout": (12,), "auto_deal": (False, True), "call": (CALL_FIRST, CALL_WITH_TAKE)},
)
SMALL: Final = replace(FULL, name="small_deck", cards=SMALL_DECK, choices={**FULL.choices, "layout": (12, 9)})
LONGER: Final = replace(FULL, name="longer_game", every_player_deals=1)
SOLITAIRE: Final = replace(
    FULL,
    name="solitaire",
    fewest_players=1,
    most_players=1,
    alone=1,
    call_first=0,
    choices={"layout": (12,), "auto_deal": (False,), "call": (CALL_WITH_TAKE,)},
)
TWENTY_TWENTY: Final = replace(
    FULL,
    name="twenty_twenty",
    layout=6,
    most_laid=6,
    personal=6,
    most_personal=9,
    most_players=8,
    set_points=0,
    wrong_costs=A_CARD,
    target_per_player=10,
    choices={**FULL.choices, "layout": (6,)},
)
DEALS_BY_ITSELF: Final = replace(
    FULL,
    name="",
    fewest_players=1,
    more=AT_ONCE,
    auto_deal=1,
    call_first=0,
    choices={
        "cards": (FULL_DECK, SMALL_DECK),
        "layout": (12, 9),
        "auto_deal": (True,),
        "call": (CALL_WITH_TAKE, CALL_FIRST),
    },
)
"""What the modes have in common: nobody agrees, one may play alone, and a take is its own call."""
ALWAYS_A_SET: Final = replace(DEALS_BY_ITSELF, more=FITTING, returns=1)
"""The layout always holds a SET, and the cards are used again: a game without an empty deck."""
SPRINT: Final = replace(ALWAYS_A_SET, name="sprint", goal=10, choices={**ALWAYS_A_SET.choices, "goal": (10, 20, 30)})
TIME_ATTACK: Final = replace(
    ALWAYS_A_SET,
    name="time_attack",
    time_ms=120_000,
    choices={**ALWAYS_A_SET.choices, "time_ms": (60_000, 120_000, 300_000)},
)
PUZZLE_RUN: Final = replace(
    ALWAYS_A_SET, name="puzzle_run", stays=1, rounds=3, choices={**ALWAYS_A_SET.choices, "rounds": (3, 5, 10)}
)
CHAIN: Final = replace(DEALS_BY_ITSELF, name="chain", chain=1)
ULTRASET: Final = replace(
    DEALS_BY_ITSELF,
    name="ultraset",
    set_size=4,
    layout=9,
    most_laid=10,
    at_once=1,
    choices={**DEALS_BY_ITSELF.choices, "layout": (9, 10)},
)
QUADS: Final = replace(
    ULTRASET,
    name="quads",
    first_card=QUADS_FROM,
    cards=QUADS_DECK,
    choices={**ULTRASET.choices, "cards": (QUADS_DECK, QUADS_SMALL_DECK), "layout": (9, 7)},
)
GHOST: Final = replace(
    DEALS_BY_ITSELF,
    name="ghost",
    set_size=6,
    layout=12,
    most_laid=21,
    choices={**DEALS_BY_ITSELF.choices, "layout": (12, 9)},
)
MEGA: Final = replace(
    ALWAYS_A_SET,
    name="mega",
    cards=MEGA_DECK,
    layout=15,
    returns=0,
    choices={**ALWAYS_A_SET.choices, "cards": (MEGA_DECK,), "layout": (15, 12)},
)
ROWS: Final = (
    FULL,
    SMALL,
    LONGER,
    SOLITAIRE,
    TWENTY_TWENTY,
    SPRINT,
    TIME_ATTACK,
    PUZZLE_RUN,
    CHAIN,
    ULTRASET,
    QUADS,
    GHOST,
    MEGA,
)
VARIANTS: Final = MappingProxyType({row.name: row for row in ROWS})

GROUPS: Final = MappingProxyType(
    {
        "sheets": tuple(row.name for row in ROWS if row.more == AS_CHOSEN),
        "speed": tuple(row.name for row in ROWS if row.goal or row.time_ms or row.rounds),
        "other": tuple(
            row.name for row in ROWS if row.more != AS_CHOSEN and not (row.goal or row.time_ms or row.rounds)
        ),
    }
)
"""The variants in the order in which a table chooses one: of the sheets, by speed, with another idea of a SET."""

STYLES: Final = MappingProxyType(
    {
        "quick": {"call": CALL_WITH_TAKE, "auto_deal": True},
        "tabletop": {"call": CALL_FIRST, "auto_deal": False},
    }
)
"""Ways to play with others, as options: three taps and a table that deals by itself, or as the sheet has it."""

TIMES: Final = MappingProxyType({"call_ms": 1, "cooldown_ms": 0, "agreement_ms": 0})
"""The options that are times in milliseconds -> the shortest allowed."""
CAN_BE_OFF: Final = ("agreement_ms",)
"""The times that a table may do without; NONE in the row."""
PARTS: Final = ("cards", "goal", "time_ms", "rounds")
"""The options that only some variants have; the rows say which, and what a table may choose."""
ANY_TABLE: Final = ("together", "classroom")
"""The options that any table may choose; a set-up names them only if they are chosen."""
OPTIONS: Final = ("layout", *TIMES, "auto_deal", "call", *PARTS, *ANY_TABLE)


def with_options(row: Variant, options: Mapping[str, Any]) -> Variant:
    """The variant with these options, which have been checked."""
    changes = dict(options)
    if "call" in changes:
        changes["call_first"] = int(changes.pop("call") == CALL_FIRST)
    if "auto_deal" in changes:
        changes["auto_deal"] = int(changes["auto_deal"])
    for name in ANY_TABLE:
        if name in changes:
            changes[name] = int(changes[name])
    for name in CAN_BE_OFF:
        if changes.get(name) == OFF:
            changes[name] = NONE
    return replace(row, **changes)


def options_of(v: Variant) -> dict[str, Any]:
    """The value of each option."""
    return {
        "layout": v.layout,
        **{name: OFF if getattr(v, name) == NONE else getattr(v, name) for name in TIMES},
        "auto_deal": bool(v.auto_deal),
        "call": CALL_FIRST if v.call_first else CALL_WITH_TAKE,
        **{name: getattr(v, name) for name in PARTS if name in v.choices},
        **{name: True for name in ANY_TABLE if getattr(v, name)},
    }


def features_of(v: Variant) -> tuple[str, ...]:
    """The features of the cards, in the order of the letters of their names."""
    features, _, _ = DECKS[max(len(NAMES[v.first_card]), len(NAMES[v.first_card + v.cards - 1]))]
    return features


def flags_of(v: Variant, players: int) -> dict[str, Any]:
    """What a variant does, for everybody who shows it; `SetFlags` in `forms.py` explains each field."""
    moves = [MORE_CARDS] if v.alone else [] if v.auto_deal else [AGREE_NO_SET]
    if has_personal_cards(v):
        moves.append(ASK_FOR_CARD)
    return {
        "features": list(features_of(v)),
        "set_size": v.set_size,
        "stays": bool(v.stays),
        "time_ms": v.time_ms or None,
        "together": bool(v.together),
        "classroom": bool(v.classroom),
        "call_first": bool(v.call_first),
        "alone": bool(v.alone),
        "layout": v.layout,
        "most_laid": v.most_laid,
        "personal": v.personal,
        "most_personal": v.most_personal,
        "deals": None if v.target_per_player else v.rounds or (players if v.every_player_deals else 1),
        "target": v.goal or v.target_per_player * players or None,
        "set_points": v.set_points,
        "wrong_costs": COSTS[v.wrong_costs],
        "moves": [WORDS[move] for move in moves],
    }


def sections_by_way() -> dict[str, list[str]]:
    """Variant, or the puzzles -> the sections of the rules that apply to it; sections in no list apply everywhere.

    Of variants with the same sections, the first one stands for all.
    """
    ways: dict[str, list[str]] = {}
    for row in ROWS:
        sections = [
            "cards",
            "20_20_set" if has_personal_cards(row) else "the_game",
            *(["solitaire"] if row.alone else []),
            *(["modes"] if row.more != AS_CHOSEN else []),
        ]
        if sections not in ways.values():
            ways[row.name] = sections
    return {**ways, "puzzles": ["cards", "puzzles"]}


def variants_as_json() -> list[dict[str, Any]]:
    """The variants, with the default and the allowed values of their options."""
    return [
        {
            "variant": row.name,
            "cards": row.cards,
            "players": [row.fewest_players, row.most_players],
            "flags": flags_of(row, row.fewest_players),
            "options": options_of(row),
            "choices": {name: list(values) for name, values in row.choices.items()},
        }
        for row in VARIANTS.values()
    ]
