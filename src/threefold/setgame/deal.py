"""Deal: the start of a game, read from a set-up: variant, options, players, dealer, seed and order of the deck."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from threefold.clauses import clause
from threefold.fields import (
    a_card_name,
    a_list,
    a_seed,
    a_whole_number,
    an_object,
    one_of,
    required,
    shown,
    true_or_false,
)
from threefold.game import BadSetup, Json
from threefold.records import blank
from threefold.setgame.cards import CARD_OF, format_card
from threefold.setgame.rules import begin_game
from threefold.setgame.table import NONE, Table, Variant, cards_of, open_tape
from threefold.setgame.variants import (
    ANY_TABLE,
    CAN_BE_OFF,
    LONGEST_MS,
    OFF,
    OPTIONS,
    PARTS,
    TIMES,
    VARIANTS,
    options_of,
    with_options,
)
from threefold.shuffle import draw_deal, is_keyed, key_of, new_seed, random_from
from threefold.texts import Text

FIELDS = ("variant", "players", "dealer", "seed", "deck", "options")
LARGEST_LAYOUT = max(max(row.choices["layout"]) for row in VARIANTS.values())
RESHUFFLES = "reshuffles"
"""Purpose, as in `random_from` and `key_of`, of all reshuffles of a game."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A game before its first move: the same deal gives the same table, card by card, and the same reshuffles."""

    variant: Variant
    players: int
    dealer: int
    deck: tuple[int, ...]  # in dealing order; empty for a table set up from a position
    setup: Mapping[str, Json]


@clause("S18", "T1")
def deal_from(setup: Mapping[str, Json]) -> Deal:
    """Reads a set-up. A seed or first dealer that it leaves out is drawn at random."""
    an_object(setup, "setup", FIELDS)
    row = VARIANTS[one_of(setup.get("variant", "full"), "variant", VARIANTS)]
    variant = with_options(row, options_from(row, setup.get("options", {})))
    players = players_from(variant, required(setup, "players", "setup"))
    seed = a_seed(setup.get("seed", new_seed()))
    deck = list(cards_of(variant))
    drawn_dealer = draw_deal(deck, seed, players)
    dealer = a_whole_number(setup.get("dealer", drawn_dealer), "dealer", 0, players - 1)
    complete = {
        "variant": variant.name,
        "players": players,
        "dealer": dealer,
        "seed": seed,
        "options": options_of(variant),
    }
    if "deck" in setup:
        deck = _deck(variant, a_list(setup["deck"], "deck"))
        complete["deck"] = [format_card(card) for card in deck]
    return Deal(variant, players, dealer, tuple(deck), complete)


def options_from(row: Variant, fields: Json) -> dict[str, Any]:
    """Reads and checks the options of a variant."""
    options: dict[str, Any] = {}
    for name, value in an_object(fields, "options", OPTIONS).items():
        field = f"options.{name}"
        if name in CAN_BE_OFF and isinstance(value, str):
            options[name] = one_of(value, field, (OFF,))
        elif name in TIMES:
            options[name] = a_whole_number(value, field, TIMES[name], LONGEST_MS)
        elif name in PARTS:
            options[name] = a_whole_number(value, field, 0, LONGEST_MS)
        elif name == "auto_deal" or name in ANY_TABLE:
            options[name] = true_or_false(value, field)
        elif name == "call":
            options[name] = one_of(value, field, ("first", "with take"))
        else:
            options[name] = a_whole_number(value, field, 6, LARGEST_LAYOUT)
        choices = row.choices.get(name, () if name in PARTS else None)
        if choices is not None and options[name] not in choices:
            allowed = ", ".join(str(each).lower() for each in choices) or "-"
            raise BadSetup(
                Text("set.setup.option_not_here", {"field": field, "given": shown(value), "allowed": allowed}), "S10"
            )
    return options


@clause("S18", "T1")
def players_from(variant: Variant, value: Json) -> int:
    """Reads the number of players: 2 to 20, one in solitaire, up to 8 with personal cards."""
    try:
        return a_whole_number(value, "players", variant.fewest_players, variant.most_players)
    except BadSetup as refused:
        raise BadSetup(refused.text, "T1" if variant.personal else "S18") from None


def _deck(variant: Variant, names: list[Json]) -> list[int]:
    deck: list[int] = []
    for name in names:
        if CARD_OF.get(a_card_name(name, "deck"), NONE) not in cards_of(variant):
            raise BadSetup(Text("set.setup.unknown_card", {"given": shown(name), "count": variant.cards}))
        deck.append(CARD_OF[name])
    for card in cards_of(variant):
        if deck.count(card) != 1:
            raise BadSetup(Text("set.setup.wrong_deck", {"card": format_card(card), "count": deck.count(card)}))
    return deck


@clause("S10", "T1")
def dealt(deal: Deal) -> Table:
    """The table after the first deal. The deck's first card is dealt first; `deal_cards` says where it goes."""
    table = blank(Table, deal=deal)
    table.deck[: len(deal.deck)] = deal.deck
    seed_reshuffles(table, deal.setup["seed"])
    begin_game(deal.variant, table, open_tape(), deal.players, deal.dealer)
    return table


def seed_reshuffles(table: Table, seed: str) -> None:
    """Sets where the table's reshuffles come from: the key of version 2, or the generator of version 1."""
    if is_keyed(seed):
        table.keyed, table.key[:] = 1, key_of(seed, RESHUFFLES)
    else:
        table.word[:] = random_from(seed, RESHUFFLES).word
