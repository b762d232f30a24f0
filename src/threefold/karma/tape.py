"""The tape on which the rules write what happens, as rows of numbers; and the declaration of every event.

An event is declared once, in one line: its code, its name, its facts and its secrets. `events.py` reads the tape into
events; `fast/` derives its tables and their sizes from EVENTS.
"""

from dataclasses import dataclass
from typing import Final

from threefold.clauses import clause, helper
from threefold.karma.table import EVENT, FACE_DOWN, FACE_UP, Table, Tape


@dataclass(frozen=True, slots=True)
class EventRow:
    """One sort of event: its name, its facts in the order of the row's numbers, and its secret facts.

    `with_cards` adds the fact `cards` from the CARD rows after it, `with_moves` the fact `moved` from MOVED rows.
    `nullable` names a fact that may be null for everybody, `sometimes` one that only some events of this sort have.
    """

    name: str
    facts: tuple[str, ...]
    with_cards: bool = False
    with_moves: bool = False
    secrets: frozenset[str] = frozenset()
    nullable: str = ""
    sometimes: str = ""


EVENTS: dict[int, EventRow] = {}
"""Code -> event, in the order of declaration."""
NUMBERS: list[int] = []
"""Code -> how many numbers follow the code in its row. Its length is the number of codes."""


def _row(numbers: int) -> int:
    """The code of one more sort of row."""
    assert numbers < EVENT, f"a row of the tape holds {EVENT - 1} numbers, not {numbers}: see EVENT in table.py"
    NUMBERS.append(numbers)
    return len(NUMBERS) - 1


def _event(
    name: str,
    *facts: str,
    with_cards: bool = False,
    with_moves: bool = False,
    secret: str = "",
    nullable: str = "",
    sometimes: str = "",
) -> int:
    """Declares an event and returns its code."""
    code = _row(len(facts))
    secrets = frozenset((secret,) if secret else ())
    EVENTS[code] = EventRow(name, facts, with_cards, with_moves, secrets, nullable, sometimes)
    return code


# Parts of the event in the row before them; their codes come first.
CARD: Final = _row(1)  # kind
MOVED: Final = _row(3)  # player, from seat, to seat

FACE_UP_CHOSEN: Final = _event("face_up_chosen", "player", with_cards=True, secret="cards")
FACE_UP_SHOWN: Final = _event("face_up_shown", "player", "seat", with_cards=True)
TURN_BEGAN: Final = _event("turn_began", "player", "seat", "again")
CARDS_PLAYED: Final = _event("cards_played", "player", "seat", "from", "card", "count")
CARD_FLIPPED: Final = _event("card_flipped", "player", "seat", "place", "card", "fits")
PILE_PICKED_UP: Final = _event("pile_picked_up", "player", "seat", with_cards=True)
PILE_CLEARED: Final = _event("pile_cleared", "player", "why", with_cards=True)
CARDS_LEFT: Final = _event("cards_left", "player", "card", "count")
PILE_GIVEN: Final = _event("pile_given", "player", "to", "seat", with_cards=True)
BOTTOM_MOVED_UP: Final = _event("bottom_moved_up", "player", "card")
DIRECTION_REVERSED: Final = _event("direction_reversed", "player", "direction")
SEATS_CHANGED: Final = _event("seats_changed", "player", with_moves=True)
HANDS_PASSED: Final = _event("hands_passed", "player", "way")
HANDS_EXCHANGED: Final = _event("hands_exchanged", "player", "to")
TURNS_TO_LOSE: Final = _event("turns_to_lose", "player", "to", "count")
TURN_LOST: Final = _event("turn_lost", "player", "count")
GIFT_CHOSEN: Final = _event("gift_chosen", "player", "from", "card", secret="card", sometimes="place")
CARD_GIVEN: Final = _event("card_given", "player", "to", "from", "place", "card", secret="card", nullable="place")
CARDS_DRAWN: Final = _event("cards_drawn", "player", "seat", "count", with_cards=True, secret="cards")
DID_NOT_DRAW: Final = _event("did_not_draw", "player")
DECLINED: Final = _event("declined", "player", "power")
NOTHING_TO_DO: Final = _event("nothing_to_do", "player", "power")
CARD_PEEKED_AT: Final = _event("card_peeked_at", "player", "seat", "place", "card", secret="card")
CARDS_SWAPPED: Final = _event("cards_swapped", "player", "seat", "place", "up", "hand")
WENT_OUT: Final = _event("went_out", "player")
BROUGHT_BACK: Final = _event("brought_back", "player")
DRAW_OFFERED: Final = _event("draw_offered", "player")
AGREED_TO_DRAW: Final = _event("agreed_to_draw", "player")
DRAW_WITHDRAWN: Final = _event("draw_withdrawn")
GAME_ENDED: Final = _event("game_ended", "reason", "loser", nullable="loser")

# Why a pile was cleared.
BY_RUN: Final = 0
BY_POWER: Final = 1

EVERYBODY: Final = -1


@helper
def tell(tape: Tape, code: int, a: int, b: int, c: int, d: int, e: int) -> None:
    """Writes one row, if there is room."""
    if tape.size < tape.room:
        row = tape.row[tape.size]
        row[0] = code
        row[1] = a
        row[2] = b
        row[3] = c
        row[4] = d
        row[5] = e
        tape.size += 1


@helper
def tell_card(tape: Tape, kind: int) -> None:
    """Names a card that the row before is about."""
    tell(tape, CARD, kind, 0, 0, 0, 0)


@helper
def tell_pile(tape: Tape, t: Table, bottom: int) -> None:
    """Names the cards of the discard pile from this one up."""
    if tape.room > 0:
        for i in range(bottom, t.discard_size):
            tell_card(tape, t.discard_pile[i])


@clause("K26", "K27")
def known_to(code: int, a: int, b: int, c: int) -> int:
    """Who may know the secrets of an event that begins with these numbers: one bit for each player."""
    if code == CARD_GIVEN:
        if c == FACE_UP:
            return EVERYBODY
        return 1 << b if c == FACE_DOWN else 1 << a | 1 << b
    if code == GIFT_CHOSEN and b == FACE_UP:
        return EVERYBODY
    return 1 << a
