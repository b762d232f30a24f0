"""Deal: the start of a game: an edition, players, a dealer, and the order of the cards."""

from collections.abc import Mapping
from dataclasses import dataclass

from threefold.clauses import clause
from threefold.fields import a_card_name, a_list, a_seed, a_whole_number, an_object, required, shown
from threefold.game import BadSetup, Json
from threefold.karma import rules
from threefold.karma.editions import (
    FEWEST_PLAYERS,
    as_printed,
    build,
    cards_of,
    complete_options,
    edition_row,
    options_from,
)
from threefold.karma.table import Edition, Table
from threefold.records import blank
from threefold.shuffle import draw_deal, new_seed
from threefold.texts import Text

FIELDS = ("edition", "players", "dealer", "seed", "deck", "options")


@dataclass(frozen=True, slots=True)
class Deal:
    """A game before its first move: the same deal gives the same table, card by card."""

    edition: Edition
    players: int
    dealer: int
    deck: tuple[int, ...]  # in dealing order; empty for a position that was laid out
    setup: Mapping[str, Json]


@clause("K1", "K4", "K5")
def deal_from(setup: Mapping[str, Json]) -> Deal:
    """Reads a set-up; a missing seed and a missing first dealer are drawn."""
    an_object(setup, "setup", FIELDS)
    edition_field = setup.get("edition", "classic")
    options_field = setup.get("options", {})
    edition = _edition(edition_field, options_field)
    players = _players(edition, required(setup, "players", "setup"))
    seed = a_seed(setup.get("seed", new_seed()))
    shuffled = cards_of(edition)
    drawn_dealer = draw_deal(shuffled, seed, players)
    dealer = a_whole_number(setup.get("dealer", drawn_dealer), "dealer", 0, players - 1)
    complete = {
        "edition": edition_field,
        "players": players,
        "dealer": dealer,
        "seed": seed,
        "options": complete_options(edition, options_field),
    }
    if "deck" in setup:
        deck = _deck(edition, a_list(setup["deck"], "deck"))
        complete["deck"] = setup["deck"]
    else:
        deck = tuple(reversed(shuffled))
    return Deal(edition, players, dealer, deck, complete)


def _edition(edition: Json, options: Json) -> Edition:
    """The edition with its options; tables that play it as printed share one."""
    if isinstance(edition, str):
        printed = as_printed(edition)
        if options in ({}, complete_options(printed, {})):
            return printed
    return build(edition_row(edition), options_from(options))


def _players(edition: Edition, players: Json) -> int:
    if edition.most_players < FEWEST_PLAYERS:
        raise BadSetup(Text("karma.setup.too_few_cards", {"count": sum(edition.copies), "least": 18}), "K1")
    try:
        return a_whole_number(players, "players", FEWEST_PLAYERS, edition.most_players)
    except BadSetup as refused:
        raise BadSetup(refused.text, "K1") from None


def _deck(edition: Edition, codes: list[Json]) -> tuple[int, ...]:
    kind_of = {card.code: kind for kind, card in enumerate(edition.cards)}
    for code in codes:
        if a_card_name(code, "deck") not in kind_of:
            raise BadSetup(Text("karma.setup.unknown_card", {"given": shown(code), "allowed": " ".join(kind_of)}))
    deck = tuple(kind_of[code] for code in codes)
    for kind, card in enumerate(edition.cards):
        if deck.count(kind) != edition.copies[kind]:
            wrong = {"card": card.code, "count": deck.count(kind), "n": edition.copies[kind]}
            raise BadSetup(Text("karma.setup.wrong_deck", wrong))
    return deck


@clause("K2", "K3")
def dealt(deal: Deal) -> Table:
    """The first table of a deal: face-down cards lie, six cards are in each hand, all are to choose."""
    table = blank(Table, deal=deal)
    for kind in reversed(deal.deck):
        table.draw_pile[table.draw_size] = kind
        table.draw_size += 1
    rules.deal(deal.edition, table, deal.players, deal.dealer)
    return table
