"""SetView: the record of what one player may know of a table of SET. It is a bot's only input, plain and compiled.

Only the order of the deck is hidden in SET, so the record holds the cards within a player's reach and the moves that
the player may make. `look` fills it from a Table, compiled; `read_view` fills it from the JSON View, plain.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from threefold.clauses import clause, helper
from threefold.records import blank
from threefold.setgame.cards import parse_card
from threefold.setgame.moves import AGREE_NO_SET, ASK_FOR_CARD, CALL, GIVE_UP, MORE_CARDS, TAKE, with_card
from threefold.setgame.notation import WORDS
from threefold.setgame.refusals import ACCEPTED, FOUND_ALREADY, NOT_IN_CHAIN, refusal
from threefold.setgame.search import card_within_reach, is_found, next_set, reach
from threefold.setgame.table import CARDS, NONE, PERSONAL, PLACES, SET_CARDS, Table, Variant

__all__ = ["NONE", "REACH", "SetView", "look", "next_open_set", "read_view"]

REACH: Final = PLACES + PERSONAL
MOST_FOUND: Final = 27  # SETs of one layout that stays


@dataclass(slots=True)
class SetView:
    """The cards within a player's reach and the moves the player may make, as numbers."""

    player: int  # the viewer
    players: int
    card: Annotated[list[int], (REACH,)]  # the cards within reach: the layout, then the player's own
    cards_within_reach: int
    of_the_layout: int  # how many of them belong to the layout
    set_size: int
    chained: int  # M31: a SET uses exactly one of the cards behind the layout
    found: Annotated[list[list[int]], (MOST_FOUND, SET_CARDS)]  # M42: the SETs that cannot be taken again
    found_size: int
    at: Annotated[list[int], (CARDS,)]  # card -> its index in `card`, or NONE
    has_control: int
    wait_ms: int  # time until the player may call again after a failed call
    may_call: int
    may_take: int
    may_give_up: int
    may_agree: int
    may_ask: int
    may_want_more: int
    deck_left: int


@clause("T2")
def look(v: Variant, t: Table, player: int, view: SetView) -> None:
    """Fills the record for this player."""
    view.player = player
    view.players = t.players
    clear_cards(view)
    for i in range(reach(t, v.most_personal)):
        card = card_within_reach(t, player, i)
        if card != NONE:
            add_card(view, card)
        if i == t.places - 1:
            view.of_the_layout = view.cards_within_reach
    view.set_size = v.set_size
    view.chained = 1 if t.previous_size > 0 else 0
    view.found_size = 0
    if v.stays == 1:
        for i in range(t.taken_size):
            for j in range(v.set_size):
                view.found[i][j] = t.taken[i][j]
        view.found_size = t.taken_size
    earliest = max(t.now, t.may_call_from[player])
    view.has_control = 1 if t.control == player else 0
    view.wait_ms = 0 if t.control == player else earliest - t.now
    view.may_take = 0
    if view.cards_within_reach >= v.set_size:
        move = TAKE
        for i in range(v.set_size):
            move = with_card(move, i, view.card[i])
        reason = refusal(v, t, player, move, earliest)
        view.may_take = 1 if reason == ACCEPTED or reason == NOT_IN_CHAIN or reason == FOUND_ALREADY else 0
    view.may_call = 1 if refusal(v, t, player, CALL, earliest) == ACCEPTED else 0
    view.may_give_up = 1 if refusal(v, t, player, GIVE_UP, t.now) == ACCEPTED else 0
    view.may_agree = 1 if v.auto_deal == 0 and refusal(v, t, player, AGREE_NO_SET, t.now) == ACCEPTED else 0
    view.may_ask = 1 if refusal(v, t, player, ASK_FOR_CARD, t.now) == ACCEPTED else 0
    view.may_want_more = 1 if refusal(v, t, player, MORE_CARDS, t.now) == ACCEPTED else 0
    view.deck_left = t.deck_size


@helper
def clear_cards(view: SetView) -> None:
    """Removes all cards from the record."""
    for card in range(CARDS):
        view.at[card] = NONE
    view.cards_within_reach = 0
    view.of_the_layout = 0


@helper
def add_card(view: SetView, card: int) -> None:
    """Adds a card within reach."""
    view.card[view.cards_within_reach] = card
    view.at[card] = view.cards_within_reach
    view.cards_within_reach += 1


def read_view(json_view: Mapping[str, Any]) -> SetView:
    """Converts a player's JSON View to the record."""
    view = blank(SetView)
    clear_cards(view)
    view.player = player = json_view["viewer"]
    view.players = json_view["players"]
    for card in json_view["centre"] if "centre" in json_view else json_view["layout"]:
        if card is not None:
            add_card(view, parse_card(card))
    view.of_the_layout = view.cards_within_reach
    for card in json_view.get("previous", ()):
        add_card(view, parse_card(card))
        view.chained = 1
    flags = json_view["flags"]
    view.set_size = flags["set_size"]
    for taken in json_view["taken"] if flags["stays"] else ():
        view.found[view.found_size][: view.set_size] = map(parse_card, taken["cards"])
        view.found_size += 1
    for card in json_view["personal"][player] if "personal" in json_view else ():
        if card is not None:
            add_card(view, parse_card(card))
    view.has_control = int(json_view["control"] == player)
    view.wait_ms = 0 if view.has_control else max(0, json_view["may_call_from"][player] - json_view["now"])
    view.may_take = int(json_view["take"] is not None)
    moves = json_view["moves"]
    view.may_call = int(WORDS[CALL] in moves)
    view.may_give_up = int(WORDS[GIVE_UP] in moves)
    view.may_agree = int(WORDS[AGREE_NO_SET] in moves and not json_view["options"]["auto_deal"])
    view.may_ask = int(WORDS[ASK_FOR_CARD] in moves)
    view.may_want_more = int(WORDS[MORE_CARDS] in moves)
    view.deck_left = json_view["deck_size"]
    return view


@clause("M31", "M42")
def next_open_set(v: SetView, after: int) -> int:
    """The take of the next SET within reach that can still be taken, in the order of the cards; 0 if there is none."""
    chain_from = v.of_the_layout if v.chained == 1 else NONE
    take = next_set(v.set_size, v.card, v.at, v.cards_within_reach, chain_from, after)
    while take != 0 and is_found(v.set_size, take, v.found, v.found_size):
        take = next_set(v.set_size, v.card, v.at, v.cards_within_reach, chain_from, take)
    return take
