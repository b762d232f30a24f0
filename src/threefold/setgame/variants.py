"""The variants of SET as rows of data, and the options a table may choose. The rules use the row, never its name.

             cards  layout  personal  players  a SET   a wrong one  deals                 target
full           81     12       -       2–20    1 point  -1 point    one                   -
small_deck     27   12 or 9    -       2–20    1 point  -1 point    one                   -
longer_game    81     12       -       2–20    1 point  -1 point    every player deals    -
solitaire      81     12       -         1     1 point  -1 point    one                   -
twenty_twenty  81      6       6       2–8     -        one card    until the target      10 × players
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from threefold.setgame.cards import FULL_DECK, SMALL_DECK
from threefold.setgame.moves import AGREE_NO_SET, ASK_FOR_CARD, MORE_CARDS
from threefold.setgame.notation import WORDS
from threefold.setgame.table import A_CARD, A_POINT, NONE, Variant, has_personal_cards

CALL_FIRST: Final = "first"
CALL_WITH_TAKE: Final = "with take"
COSTS: Final = MappingProxyType({A_POINT: "point", A_CARD: "card"})
"""What a wrong call costs, in words."""
OFF: Final = "off"
LONGEST_MS: Final = 86_400_000


FULL: Final = Variant(
    name="full",
    cards=FULL_DECK,
    layout=12,
    most_laid=21,
    personal=0,
    most_personal=0,
    fewest_players=2,
    most_players=20,
    alone=0,
    set_points=1,
    wrong_costs=A_POINT,
    every_player_deals=0,
    target_per_player=0,
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
ROWS: Final = (
    FULL,
    SMALL,
    LONGER,
    SOLITAIRE,
    TWENTY_TWENTY,
)
VARIANTS: Final = MappingProxyType({row.name: row for row in ROWS})

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
OPTIONS: Final = ("layout", *TIMES, "auto_deal", "call")


def with_options(row: Variant, options: Mapping[str, Any]) -> Variant:
    """The variant with these options, which have been checked."""
    changes = dict(options)
    if "call" in changes:
        changes["call_first"] = int(changes.pop("call") == CALL_FIRST)
    if "auto_deal" in changes:
        changes["auto_deal"] = int(changes["auto_deal"])
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
    }


def flags_of(v: Variant, players: int) -> dict[str, Any]:
    """What a variant does, for everybody who shows it; `SetFlags` in `forms.py` explains each field."""
    moves = [MORE_CARDS] if v.alone else [] if v.auto_deal else [AGREE_NO_SET]
    if has_personal_cards(v):
        moves.append(ASK_FOR_CARD)
    return {
        "call_first": bool(v.call_first),
        "alone": bool(v.alone),
        "layout": v.layout,
        "most_laid": v.most_laid,
        "personal": v.personal,
        "most_personal": v.most_personal,
        "deals": None if v.target_per_player else players if v.every_player_deals else 1,
        "target": v.target_per_player * players or None,
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
