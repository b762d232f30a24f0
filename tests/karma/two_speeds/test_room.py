"""The records have room for the worst that a house edition can bring: compiled code would write past their ends."""

import json

import pytest

from tests.karma.laws.setups import design, power
from threefold import karma
from threefold.karma.cards import PRINTED_CODES
from threefold.karma.decisions import legal_moves
from threefold.karma.design import code_from_design, design_from_json
from threefold.karma.positions import parse_position
from threefold.karma.table import CARDS, COPIES, HIGHEST, KINDS, MOVES, PENDING, POWER, TAPE, Moves, Tape
from threefold.karma.turn import list_moves, make_move
from threefold.records import blank

NESTING = code_from_design(
    design_from_json(
        design("Nest", power("play_table_card"), power("peek_face_down"), power("lose_turns", n=1, whom="one"))
    )
)


DESIGNS = KINDS - HIGHEST - len(PRINTED_CODES)


def everything(clear: int = 99) -> tuple[str, list[str]]:
    """The largest house edition, as a position begins, and all its cards."""
    codes = [*map(str, range(1, 17)), *PRINTED_CODES, *(f"D{i + 1}" for i in range(DESIGNS))]
    edition = {
        "numbers": {"copies": COPIES},
        "karma": dict.fromkeys(PRINTED_CODES, COPIES),
        "designs": [{"code": NESTING, "copies": COPIES}] * DESIGNS,
        "clear": clear,
    }
    cards = [code for code in codes for _ in range(2 * COPIES)]
    assert len(cards) <= CARDS
    return f'{json.dumps(edition)} {{"decks":2}}', cards


@pytest.mark.rule("K63")
def test_a_hand_of_all_cards_can_be_listed() -> None:
    start, cards = everything()
    cards.remove("16")
    table = parse_position(f"{start}; 0 hand {' '.join(cards)}; 1 hand 16; turn 0")
    moves = legal_moves(table, 0)
    assert len(moves) == len(cards)  # each kind once, twice, … as often as there are copies
    assert len(moves) < MOVES


def test_picking_up_all_cards_can_be_told() -> None:
    start, cards = everything()
    for _ in range(2):
        cards.remove("16")
    table = parse_position(f"{start}; 0 hand 16; 1 hand 16; turn 0; pile {' '.join(cards)}")
    step = karma.play(table, 0, "pick up")
    assert step.events[0].facts["cards"] == cards
    assert step.events[-1].name == "turn_began"
    assert len(cards) + len(step.events) < TAPE


@pytest.mark.rule("K41", "K61")
def test_table_cards_can_be_played_one_on_the_other_as_long_as_there_are_any() -> None:
    start, cards = everything()
    nesting = [card for card in cards if card.startswith(("D", "TAB"))]
    table = parse_position(f"{start}; 0 hand {' '.join(nesting)}; 1 hand 16; turn 0")
    tape, listed, deepest = blank(Tape), blank(Moves), 0
    tape.room = TAPE
    for _ in nesting:
        list_moves(table.deal.edition, table, 0, listed)
        make_move(table.deal.edition, table, tape, 0, listed.move[0])
        deepest = max(deepest, table.pending_size)
    assert table.awaits == POWER
    assert deepest == 2 * DESIGNS * 2 * COPIES - 1  # two wait below each card, and the last one asks at once
    assert deepest < PENDING - 3
    assert table.hand_size[0] == 0
