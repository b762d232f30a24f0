"""Text <-> cards and moves. (Positions are in `positions.py`, whole games in `threefold.saved`.)

Cards: number, colour R P G, shading S solid, T striped, O outlined, shape D diamond, O oval, S squiggle: `2RTO`.
Cards of Mega may have a letter more, those of Quads have one less (`cards.py`).
Moves: `call`, `take 2RTO 1GSD 3POS`, `give up`, `agree`, `ask`, `more cards`, `time up`, `away`, `back`, `leave`.
"""

from threefold.game import IllegalMove
from threefold.setgame import moves as m
from threefold.setgame.cards import CARD_OF, SET_SIZE, format_card
from threefold.setgame.table import (
    AGREED,
    ALL_FOUND,
    ALL_LEFT,
    LAST_ONE_LEFT,
    NO_MORE_CARDS,
    NO_SET_LEFT,
    NONE,
    TARGET_REACHED,
    TIME_OVER,
)
from threefold.texts import Text

ENDINGS = {
    NO_SET_LEFT: "no_set_left",
    AGREED: "agreed",
    NO_MORE_CARDS: "no_more_cards",
    TARGET_REACHED: "target_reached",
    LAST_ONE_LEFT: "last_one_left",
    ALL_LEFT: "all_left",
    TIME_OVER: "time_over",
    ALL_FOUND: "all_found",
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
    """A move in notation."""
    if m.what_of(move) == m.TAKE:
        return " ".join(["take", *(format_card(card) for card in m.cards_in(move))])
    return WORDS[m.what_of(move)]


def parse_move(text: str) -> int:
    """Parses a move. Raises IllegalMove for text that is not a move on any table."""
    words = text.split()
    normalised = " ".join(words).lower()
    if normalised in MOVES:
        return MOVES[normalised]
    if normalised.partition(" ")[0] != "take":
        raise IllegalMove(Text("set.refusal.not_a_move", {"move": text[:60]}))
    cards = [card_of(word) for word in words[1:]]
    if not SET_SIZE <= len(cards) <= m.MOST_CARDS:
        raise IllegalMove(Text("set.refusal.not_three_cards", {"count": len(cards), "n": SET_SIZE}), "S12")
    return m.take_all(cards)


def card_or_none(card: int) -> str | None:
    """The name of the card at a place; None for an empty place."""
    return None if card == NONE else format_card(card)


def card_of(word: str) -> int:
    """The card with this name, in upper or lower case. Raises IllegalMove for any other text."""
    card = CARD_OF.get(word.upper())
    if card is None:
        raise IllegalMove(Text("set.refusal.no_such_card", {"given": word[:20]}), "S12")
    return card
