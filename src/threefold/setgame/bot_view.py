"""SetView: the record of what one player may know of a table of SET. It is a bot's only input, plain and compiled.

Only the order of the deck is hidden in SET, so the record holds the cards within a player's reach and the moves that
the player may make. `look` fills it from a Table, compiled; `read_view` fills it from the JSON View, plain.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from threefold.clauses import clause, helper
from threefold.setgame.cards import parse_card
from threefold.setgame.moves import AGREE_NO_SET, ASK_FOR_CARD, CALL, GIVE_UP, MORE_CARDS, take_of
from threefold.setgame.notation import WORDS
from threefold.setgame.refusals import ACCEPTED, refusal
from threefold.setgame.search import card_within_reach, reach
from threefold.setgame.table import CARDS, NONE, PERSONAL, PLACES, Table, Variant

__all__ = ["NONE", "REACH", "SetView", "look", "read_view"]

REACH: Final = PLACES + PERSONAL


@dataclass(slots=True)
class SetView:
    """The cards within a player's reach and the moves the player may make, as numbers."""

    player: int  # the viewer
    players: int
    card: Annotated[list[int], (REACH,)]  # the cards within reach: the layout, then the player's own
    cards_within_reach: int
    of_the_layout: int  # how many of them belong to the layout
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
    earliest = max(t.now, t.may_call_from[player])
    view.has_control = 1 if t.control == player else 0
    view.wait_ms = 0 if t.control == player else earliest - t.now
    view.may_take = 0
    if view.cards_within_reach >= 3:
        move = take_of(view.card[0], view.card[1], view.card[2])
        view.may_take = 1 if refusal(v, t, player, move, earliest) == ACCEPTED else 0
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
    view = SetView(0, 0, [0] * REACH, 0, 0, [NONE] * CARDS, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    view.player = player = json_view["viewer"]
    view.players = json_view["players"]
    for card in json_view["centre"] if "centre" in json_view else json_view["layout"]:
        if card is not None:
            add_card(view, parse_card(card))
    view.of_the_layout = view.cards_within_reach
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
