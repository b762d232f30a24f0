"""Table: seats, hands, table cards, piles, whose turn it is and which powers are pending; and the records beside it.

Every record is declared once and serves both speeds: lists of numbers here, NumPy records in `fast/`. A card is stored
as its kind, an index into `Edition.cards`. Index as `t.hand[seat][kind]`, and never assign a whole row. A list may name
the number that says how much of it is in use: `fast/packing.py` stores only that part, and any other list whole.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

if TYPE_CHECKING:
    from threefold.karma.cards import Card
    from threefold.karma.deal import Deal

# The sizes of the records.
SEATS: Final = 12
HIGHEST: Final = 16
KINDS: Final = 48  # of one edition: numbers, printed karma cards and designs together
COPIES: Final = 6  # of one kind in one deck (K63)
DECKS: Final = 2
CARDS: Final = KINDS * COPIES * DECKS
PLACES: Final = 3  # of table cards
POWERS: Final = 3  # of one card (K61)
PENDING: Final = (POWERS - 1) * KINDS * COPIES * DECKS + POWERS
"""Every karma card played as a table card on the one before, each leaving its other powers behind."""
MOVES: Final = CARDS + 32
"""A hand of all cards: each kind once, twice, … as often as there are copies; and the moves without a card."""
TAPE: Final = 2 * CARDS
"""All cards picked up, one row each, and as many rows for everything else."""
EVENT: Final = 6  # a code and five numbers

KNOWN: Final = (SEATS + 1) * SEATS
"""What a spectator and every player know of every hand, one row each."""

NONE: Final = -1

# Location: where cards lie.
NOWHERE: Final = 0
HAND: Final = 1
FACE_UP: Final = 2
FACE_DOWN: Final = 3

# What the table waits for.
SET_UP: Final = 0
TURN: Final = 1
POWER: Final = 2
DRAWING: Final = 3
MUST_DRAW: Final = 4
OVER: Final = 5

# How the game ended.
ONE_LEFT: Final = 1
NOBODY_LEFT: Final = 2
TURN_LIMIT: Final = 3
DRAW_AGREED: Final = 4

PerKind = Annotated[list[int], (KINDS,), ("kinds",)]
PerSeat = Annotated[list[int], (SEATS,), ("players",)]
PerPlayer = Annotated[list[int], (SEATS,), ("players",)]
PerPlace = Annotated[list[list[int]], (SEATS, PLACES), ("players", None)]
DrawPile = Annotated[list[int], (CARDS,), ("draw_size",)]
Pending = Annotated[list[int], (PENDING,), ("pending_size",)]
DiscardPile = Annotated[list[int], (CARDS,), ("discard_size",)]


@dataclass(slots=True)
class Edition:
    """The rules that a game is played by, as numbers: which kinds there are, what each asks for and does."""

    kinds: int
    number: PerKind  # 1 to 16; 0 is a karma card. Numbers come first, in ascending order
    kinds_below: Annotated[list[int], (HIGHEST + 2,)]  # by number: how many kinds of number are lower
    copies: PerKind  # all decks together
    leaves: PerKind  # K31
    asks_low: PerKind  # what the card asks of a number played on it
    asks_high: PerKind
    powers: Annotated[list[list[int]], (KINDS, POWERS)]  # packed, in the order they act
    powers_of: PerKind  # how many rows of powers are filled
    clears_at: int  # K16
    after_clear: int  # K21: the packed power that a clear leaves pending when it takes the run alone; 0 takes the pile
    table_cards_wait: int  # K6: until the draw pile is gone
    draw_by_hand: int  # K12
    turn_limit: int  # K24; 0 is none
    most_players: int  # K1
    cards: "tuple[Card, ...]"  # by kind; plain only
    codes: "tuple[str, ...]"  # by kind: how the card is written; plain only


@dataclass(slots=True)
class Table:
    """One game of Karma as it lies: who sits where, which cards are where, and what is awaited."""

    hand: Annotated[list[list[int]], (SEATS, KINDS), ("players", "kinds")]  # how many of each kind
    hand_size: PerSeat
    face_up: PerPlace  # kind or NONE
    face_up_size: PerSeat
    face_down: PerPlace
    face_down_size: PerSeat
    peeked: PerPlace  # K27: one bit for each player who knows the face-down card there
    chosen: PerPlace  # K3: by player, kinds put aside to be shown; NONE before the choice
    draw_pile: DrawPile  # the last is drawn first
    draw_size: int
    discard_pile: DiscardPile  # the last is on top
    discard_size: int
    removed: PerKind
    seat_of: PerPlayer
    player_at: PerSeat
    lost_turns: PerPlayer  # K48: still to be lost
    out: PerPlayer  # K22
    draw_agreed: PerPlayer  # K24
    draw_offers: int  # how many have agreed
    pending: Pending  # packed powers, the last acts next
    pending_size: int
    giving_from: int  # K51: where the card to be given lies, NOWHERE while none is chosen
    giving: int  # its kind, or its place if it is face down
    known: Annotated[list[list[int]], (KNOWN, KINDS), ("known_rows", "kinds")]  # K28: see memory.py
    known_rows: int
    players: int
    dealer: int
    direction: int
    turn_player: int
    turn_seat: int  # the place the turn is played at; play goes on from there (K46)
    again: int  # K19: this player's turn is followed by another
    turns: int
    awaits: int
    ending: int
    loser: int
    deal: "Deal"  # what the game was dealt from; plain only


@dataclass(slots=True)
class Moves:
    """The legal moves of one decision."""

    move: Annotated[list[int], (MOVES,)]
    count: int


@dataclass(slots=True)
class Tape:
    """The events of one move as rows of numbers. A tape without room stays empty, as in simulation."""

    row: Annotated[list[list[int]], (TAPE, EVENT)]
    size: int
    room: int
