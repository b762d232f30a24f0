"""SetView: what one player may know of a table of SET, as a record; the only thing that a policy sees at either speed.

Nothing lies hidden in SET but the order of the deck, so the record holds the cards within a player's reach and what the
player may do. `look` fills it from a Table, compiled; `read_view` fills it from the JSON View, plain.
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
    """What one player may know and do, as numbers."""

    player: int  # who looks on
    players: int
    card: Annotated[list[int], (REACH,)]  # the cards within reach: those of the layout, then one's own
    cards_within_reach: int
    of_the_layout: int  # how many of them lie in the layout
    at: Annotated[list[int], (CARDS,)]  # card -> which of the cards within reach it is, or NONE
    has_control: int
    wait_ms: int  # so long after a failed call one may not call
    may_call: int
    may_take: int
    may_give_up: int
    may_agree: int
    may_ask: int
    may_want_more: int
    deck_left: int


@clause("T2")
def look(v: Variant, t: Table, player: int, view: SetView) -> None:
    """Fills the record with what this player may know and do."""
    view.player = player
    view.players = t.players
    forget_cards(view)
    for i in range(reach(t, v.most_personal)):
        card = card_within_reach(t, player, i)
        if card != NONE:
            see_card(view, card)
        if i == t.places - 1:
            view.of_the_layout = view.cards_within_reach
    soonest = max(t.now, t.may_call_from[player])
    view.has_control = 1 if t.control == player else 0
    view.wait_ms = 0 if t.control == player else soonest - t.now
    view.may_take = 0
    if view.cards_within_reach >= 3:
        move = take_of(view.card[0], view.card[1], view.card[2])
        view.may_take = 1 if refusal(v, t, player, move, soonest) == ACCEPTED else 0
    view.may_call = 1 if refusal(v, t, player, CALL, soonest) == ACCEPTED else 0
    view.may_give_up = 1 if refusal(v, t, player, GIVE_UP, t.now) == ACCEPTED else 0
    view.may_agree = 1 if refusal(v, t, player, AGREE_NO_SET, t.now) == ACCEPTED else 0
    view.may_ask = 1 if refusal(v, t, player, ASK_FOR_CARD, t.now) == ACCEPTED else 0
    view.may_want_more = 1 if refusal(v, t, player, MORE_CARDS, t.now) == ACCEPTED else 0
    view.deck_left = t.deck_size


@helper
def forget_cards(view: SetView) -> None:
    """No card is within reach."""
    for card in range(CARDS):
        view.at[card] = NONE
    view.cards_within_reach = 0
    view.of_the_layout = 0


@helper
def see_card(view: SetView, card: int) -> None:
    """One more card is within reach."""
    view.card[view.cards_within_reach] = card
    view.at[card] = view.cards_within_reach
    view.cards_within_reach += 1


def read_view(seen: Mapping[str, Any]) -> SetView:
    """A player's JSON View as the record that a policy gets."""
    view = SetView(0, 0, [0] * REACH, 0, 0, [NONE] * CARDS, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    view.player = player = seen["viewer"]
    view.players = seen["players"]
    for card in seen["centre"] if "centre" in seen else seen["layout"]:
        if card is not None:
            see_card(view, parse_card(card))
    view.of_the_layout = view.cards_within_reach
    for card in seen["personal"][player] if "personal" in seen else ():
        if card is not None:
            see_card(view, parse_card(card))
    view.has_control = int(seen["control"] == player)
    view.wait_ms = 0 if view.has_control else max(0, seen["may_call_from"][player] - seen["now"])
    view.may_take = int(seen["take"] is not None)
    moves = seen["moves"]
    view.may_call = int(WORDS[CALL] in moves)
    view.may_give_up = int(WORDS[GIVE_UP] in moves)
    view.may_agree = int(WORDS[AGREE_NO_SET] in moves)
    view.may_ask = int(WORDS[ASK_FOR_CARD] in moves)
    view.may_want_more = int(WORDS[MORE_CARDS] in moves)
    view.deck_left = seen["deck_size"]
    return view
