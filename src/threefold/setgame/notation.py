"""Text <-> cards and moves. (Positions are in `positions.py`, whole games in `threefold.saved`.)

Cards: number, colour R P G, shading S solid, T striped, O outlined, shape D diamond, O oval, S squiggle: `2RTO`.
Moves: `call`, `take 2RTO 1GSD 3POS`, `give up`, `agree`, `ask`, `more cards`, `time up`, `away`, `back`, `leave`.
"""

from threefold.game import IllegalMove
from threefold.setgame import moves as m
from threefold.setgame.cards import CARD_OF, format_card
from threefold.setgame.table import (
    AGREED,
    ALL_LEFT,
    LAST_ONE_LEFT,
    NO_MORE_CARDS,
    NO_SET_LEFT,
    TARGET_REACHED,
)
from threefold.texts import Text

ENDINGS = {
    NO_SET_LEFT: "no_set_left",
    AGREED: "agreed",
    NO_MORE_CARDS: "no_more_cards",
    TARGET_REACHED: "target_reached",
    LAST_ONE_LEFT: "last_one_left",
    ALL_LEFT: "all_left",
}
WORDS = {
    m.CALL: "call",
    m.GIVE_UP: "give up",
    m.AGREE_NO_SET: "agree",
    m.ASK_FOR_CARD: "ask",
    m.MORE_CARDS: "more cards",
    m.TIME_UP: "time up",
    m.GO_AWAY: "away",
    m.COME_BACK: "back",
    m.LEAVE: "leave",
}
MOVES = {words: what for what, words in WORDS.items()}


def format_move(move: int) -> str:
    """A move as people write it."""
    if m.what_of(move) == m.TAKE:
        cards = (m.first_of(move), m.second_of(move), m.third_of(move))
        return " ".join(["take", *(format_card(card) for card in cards)])
    return WORDS[m.what_of(move)]


def parse_move(text: str) -> int:
    """Reads a move; raises IllegalMove for what is no move at all, whatever lies on the table."""
    words = text.split()
    said = " ".join(words).lower()
    if said in MOVES:
        return MOVES[said]
    if said.partition(" ")[0] != "take":
        raise IllegalMove(Text("set.refusal.not_a_move", {"move": text[:60]}))
    cards = [card_of(word) for word in words[1:]]
    if len(cards) != 3:
        raise IllegalMove(Text("set.refusal.not_three_cards", {"count": len(cards)}), "S12")
    return m.take_of(*cards)


def card_of(word: str) -> int:
    """The card of this name; a move with another word is refused."""
    card = CARD_OF.get(word.upper())
    if card is None:
        raise IllegalMove(Text("set.refusal.no_such_card", {"given": word[:20]}), "S12")
    return card
