"""The cards: numbers, and the twelve printed karma cards as rows of data (K40–K51)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from threefold.karma.powers import ASK_FOR, BOTTOMS_UP, CardPower, card_power
from threefold.karma.table import HIGHEST


class OnPile(Enum):
    """What a karma card is once it was played (K31)."""

    LEAVES = "leaves"  # it goes out of the game
    ZERO = "zero"  # it stays, and any card may be played on it
    ASKS = "asks"  # it stays, and the next player must play what it asks for


@dataclass(frozen=True, slots=True)
class NumberCard:
    """A card with a number from 1 to 16."""

    number: int

    @property
    def code(self) -> str:
        """How it is written: its number."""
        return str(self.number)

    clause = "K7"


@dataclass(frozen=True, slots=True)
class KarmaCard:
    """A karma card: its code, what it is on the pile, and its powers in the order they act."""

    code: str
    clause: str
    on_pile: OnPile
    powers: tuple[CardPower, ...]
    name: str = ""  # of a designed card; the printed ones are named in the catalogue
    picture: str = ""  # of a designed card, or of a printed one that the page has no drawing for


def mark_of(card: KarmaCard) -> str:
    """A karma card's effect on the pile, as a sign: it leaves, it turns the pile over, it asks for a range, it is 0."""
    if card.on_pile is OnPile.LEAVES:
        return "↗"
    for each in card.powers:
        if each.power.code == ASK_FOR:
            return f"{each.first}–{each.second}"
        if each.power.code == BOTTOMS_UP:
            return "⤒"
    return "0"


Card = NumberCard | KarmaCard
"""A kind of card: identical cards are of the same kind (K17)."""

NUMBER_CARDS: tuple[NumberCard, ...] = tuple(NumberCard(number) for number in range(1, HIGHEST + 1))

LEAVES, ZERO, ASKS = OnPile.LEAVES, OnPile.ZERO, OnPile.ASKS

PRINTED: tuple[KarmaCard, ...] = (
    KarmaCard("GIV", "K40", LEAVES, (card_power("give_pile"),)),
    KarmaCard("TAB", "K41", ZERO, (card_power("play_table_card"),)),
    KarmaCard("BOT", "K42", ZERO, (card_power("bottoms_up"),)),
    KarmaCard("LOW", "K43", ASKS, (card_power("ask_for", low=1, high=5),)),
    KarmaCard("OWN", "K44", LEAVES, (card_power("reverse"),)),
    KarmaCard("EXC", "K45", LEAVES, (card_power("exchange_hands"),)),
    KarmaCard("SEA", "K46", LEAVES, (card_power("change_seats"),)),
    KarmaCard("CLR", "K47", LEAVES, (card_power("clear_pile"),)),
    KarmaCard("LOS", "K48", ZERO, (card_power("lose_turns", n=1, whom="one"),)),
    KarmaCard("711", "K49", ASKS, (card_power("ask_for", low=7, high=11),)),
    KarmaCard("PAS", "K50", LEAVES, (card_power("rotate_hands", way="right"),)),
    KarmaCard("ONE", "K51", ZERO, (card_power("give_cards", n=1),)),
)
PRINTED_CODES: tuple[str, ...] = tuple(card.code for card in PRINTED)

CREATE_YOUR_KARMA = "OWN"
PRINTED_IDEAS: Mapping[str, tuple[CardPower, ...]] = {
    "reverse": (card_power("reverse"),),
    "move left": (card_power("rotate_seats", n=1, way="left"),),
}
"""K60: the two ideas that the Second Edition prints for Create Your Karma."""
