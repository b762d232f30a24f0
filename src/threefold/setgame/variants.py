"""The variants of SET as rows of data, and the options a table may agree on. The rules ask the row, never its name.

             cards  layout  personal  players  a SET   a wrong one  deals                 target
full           81     12       -       2–20    1 point  -1 point    one                   -
small_deck     27   12 or 9    -       2–20    1 point  -1 point    one                   -
longer_game    81     12       -       2–20    1 point  -1 point    every player deals    -
solitaire      81     12       -         1     1 point  -1 point    one                   -
twenty_twenty  81      6       6       2–8     -        one card    until the target      10 × players
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from threefold.clauses import helper
from threefold.setgame.cards import FULL_DECK, SMALL_DECK

# What a wrong call costs.
A_POINT: Final = 0
A_CARD: Final = 1

CALL_FIRST: Final = "first"
CALL_WITH_TAKE: Final = "with take"
LONGEST_MS: Final = 86_400_000


@dataclass(slots=True)
class Variant:
    """The rules that a game is played by, as numbers; its options included."""

    cards: int  # the deck is card 0 up to this one
    layout: int  # S10; T1: the centre
    most_laid: int  # S15: beyond this many there is always a SET, and no more are laid
    personal: int  # T1: cards dealt to each player; 0: a game without personal cards
    most_personal: int  # T6
    fewest_players: int
    most_players: int  # S18, T1
    alone: int  # S20: solitaire
    set_points: int  # S12; T4: a SET scores nothing and goes to the discard pile
    wrong_costs: int  # S13, T5
    every_player_deals: int  # S17
    target_per_player: int  # T10; 0: no target
    call_first: int  # S11
    auto_deal: int  # S14
    call_ms: int  # S13
    cooldown_ms: int  # S13
    agreement_ms: int  # S14
    name: str  # plain only, as what follows
    choices: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)  # option -> what the table may choose


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
VARIANTS: Final = MappingProxyType({row.name: row for row in (FULL, SMALL, LONGER, SOLITAIRE, TWENTY_TWENTY)})

TIMES: Final = MappingProxyType({"call_ms": 1, "cooldown_ms": 0, "agreement_ms": 0})
"""The options that are times in milliseconds -> the shortest."""
OPTIONS: Final = ("layout", *TIMES, "auto_deal", "call")


def with_options(row: Variant, options: Mapping[str, Any]) -> Variant:
    """The row as a table has agreed on it. The options have been checked."""
    changes = dict(options)
    if "call" in changes:
        changes["call_first"] = int(changes.pop("call") == CALL_FIRST)
    if "auto_deal" in changes:
        changes["auto_deal"] = int(changes["auto_deal"])
    return replace(row, **changes)


def options_of(v: Variant) -> dict[str, Any]:
    """What the table agreed on, option by option."""
    return {
        "layout": v.layout,
        **{name: getattr(v, name) for name in TIMES},
        "auto_deal": bool(v.auto_deal),
        "call": CALL_FIRST if v.call_first else CALL_WITH_TAKE,
    }


@helper
def has_personal_cards(v: Variant) -> bool:
    """Are SETs made from personal cards and a centre (T1)?"""
    return v.personal > 0


@helper
def takes_turns_dealing(v: Variant) -> bool:
    """Does the deal pass to the left (S17, T10)?"""
    return v.every_player_deals == 1 or v.target_per_player > 0
