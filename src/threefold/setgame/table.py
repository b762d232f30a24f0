"""Table: the layout, the deck, personal cards, SETs, scores, the call and the agreement; and the records beside it.

Every record is declared once and serves both speeds: lists of numbers here, a NumPy record in `compiled.py`. Cards are
numbers (`cards.py`). Index as `t.personal[player][place]`, and never assign a whole row.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final

from threefold.clauses import helper
from threefold.shuffle import KEY, Random

if TYPE_CHECKING:
    from threefold.setgame.deal import Deal

# Array sizes.
PLAYERS: Final = 20
CARDS: Final = 307  # of all decks together
DECK: Final = 243  # of the largest deck
PLACES: Final = 21  # of the layout (S15)
PERSONAL: Final = 9  # cards of one player (T6)
SEATS_20_20: Final = 8  # players who can have personal cards (T1)
SETS: Final = 81
SET_CARDS: Final = 6  # of the largest SET
CENTRE: Final = 6
TAPE: Final = 512
EVENT: Final = 5  # a code and four numbers

NONE: Final = -1

# Where a card lies: the number of its place in the layout, or PERSONAL_FROM and up for the personal cards.
NOWHERE: Final = -1  # in the deck, the discard pile or a player's SETs
PREVIOUS_FROM: Final = PLACES  # M31: the previous SET, behind the places of the layout
PERSONAL_FROM: Final = 32  # nine places for each player

# How a game ended.
GOES_ON: Final = 0
NO_SET_LEFT: Final = 1
AGREED: Final = 2
NO_MORE_CARDS: Final = 3
TARGET_REACHED: Final = 4
LAST_ONE_LEFT: Final = 5
ALL_LEFT: Final = 6
TIME_OVER: Final = 7
ALL_FOUND: Final = 8

# What a wrong call costs.
A_POINT: Final = 0
A_CARD: Final = 1

# When more cards come.
AS_CHOSEN: Final = 0  # S14: by agreement, or by themselves if the table has chosen it
AT_ONCE: Final = 1  # by themselves, as soon as there is no SET
FITTING: Final = 2  # M2: the last new card is one that leaves a SET, as long as there is such a card

PerPlayer = Annotated[list[int], (PLAYERS,)]
Pile = Annotated[list[int], (DECK,)]


@dataclass(slots=True)
class Variant:
    """The rules of a game as numbers, including its options."""

    first_card: int  # the deck is this card
    cards: int  # and the ones that follow, so many in all
    set_size: int  # 3: S2; 4: two pairs (M21, M51); 6: three pairs (M61)
    layout: int  # S10; T1: the centre
    most_laid: int  # S15: beyond this many there is always a SET, and no more are laid
    at_once: int  # S14: how many cards more are laid at a time
    more: int  # S14, M2: when more cards come
    chain: int  # M31: a SET uses exactly one card of the previous one
    stays: int  # M41: found SETs stay, until all of a layout are found
    returns: int  # M3: the cards of SETs are shuffled and used again
    personal: int  # T1: cards dealt to each player; 0: a game without personal cards
    most_personal: int  # T6
    fewest_players: int
    most_players: int  # S18, T1
    alone: int  # S20: solitaire
    set_points: int  # S12; T4: a SET scores nothing and goes to the discard pile
    wrong_costs: int  # S13, T5
    every_player_deals: int  # S17
    target_per_player: int  # T10; 0: no target
    goal: int  # M1: points that end the game; 0: none
    rounds: int  # M41: layouts that end the game; 0: none
    time_ms: int  # M11: time that ends the game; 0: none
    together: int  # M82: all players have one score
    classroom: int  # M81: nobody sees a score before the end
    call_first: int  # S11
    auto_deal: int  # S14
    call_ms: int  # S13
    cooldown_ms: int  # S13
    agreement_ms: int  # S14; NONE: silence never counts as agreement
    name: str  # plain only, like the field below
    choices: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)  # option -> what the table may choose


@dataclass(slots=True)
class Table(Random):
    """The state of one game of SET. It is also the generator (`word`) of its reshuffles, unless `keyed`."""

    deck: Pile  # in dealing order; the cards before index `dealt` have been dealt
    dealt: int
    deck_size: int
    layout: Annotated[list[int], (PLACES + SET_CARDS,)]  # card or NONE, by place (20/20 SET: the centre); M31
    places: int  # how many places the layout has now
    laid: int  # how many cards lie on them
    personal: Annotated[list[list[int]], (SEATS_20_20, PERSONAL)]  # card or NONE, by place
    personal_size: Annotated[list[int], (SEATS_20_20,)]
    previous_size: int  # M31: how many cards of the previous SET lie behind the places of the layout
    where: Annotated[list[int], (CARDS,)]  # by card
    discard: Pile  # T4; the last is on top
    discard_size: int
    removed: Annotated[list[int], (CENTRE,)]  # T7, while the centre is changed
    removed_size: int
    taken: Annotated[list[list[int]], (SETS, SET_CARDS)]  # the SETs found in this deal, the earliest first
    taken_by: Annotated[list[int], (SETS,)]
    taken_size: int
    score: PerPlayer
    sets: PerPlayer  # SETs found in the whole game
    lost: PerPlayer  # points lost by wrong calls in the whole game
    penalty: int  # S20: SETs still to be worked off
    control: int  # the player who has called, or NONE
    call_deadline: int  # milliseconds, or NONE
    may_call_from: PerPlayer  # S13
    agreed: PerPlayer
    agreement_deadline: int
    next_deal_at: int  # between two deals: when the next one may begin, otherwise NONE
    away: PerPlayer
    left: PerPlayer
    players: int
    first_dealer: int
    dealer: int
    deals: int  # how many deals have begun
    reshuffles: int
    keyed: int  # 1: the reshuffles come from the keyed stream, 0: from the generator
    key: Annotated[list[int], (KEY,)]
    now: int  # when the last move was accepted
    ending: int
    winner: int  # T10: the player who reached the target or stayed last, or NONE
    deal: "Deal"  # the set-up of the game; plain only


@dataclass(slots=True)
class Tape:
    """Rows of events. A tape without room records nothing; simulations use it."""

    row: Annotated[list[list[int]], (TAPE, EVENT)]
    size: int
    room: int


def open_tape() -> Tape:
    """An empty tape that records events."""
    return Tape([[0] * EVENT for _ in range(TAPE)], 0, TAPE)


@helper
def has_personal_cards(v: Variant) -> bool:
    """Are SETs made from personal cards and a centre (T1)?"""
    return v.personal > 0


@helper
def takes_turns_dealing(v: Variant) -> bool:
    """Does the deal pass to the left (S17, T10)?"""
    return v.every_player_deals == 1 or v.target_per_player > 0


@helper
def no_card_is_left(t: Table) -> bool:
    """Is there nothing in the deck and nothing to reshuffle (T8)? Only if a position has cards out of the deal."""
    return t.deck_size == 0 and t.discard_size == 0


def cards_of(v: Variant) -> range:
    """The cards of the deck."""
    return range(v.first_card, v.first_card + v.cards)
