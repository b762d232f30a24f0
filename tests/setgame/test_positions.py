"""Positions: what no game can come to is refused with its reason; what is accepted conserves its cards."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.setgame.tables import (
    NO_SET,
    ONE_SET,
    SETUPS,
    THE_SET,
    after,
    cards_everywhere,
    layout,
    some_move,
    step,
    table,
    wander,
)
from threefold import setgame
from threefold.game import BadSetup
from threefold.setgame.cards import CARD_NAMES
from threefold.setgame.positions import format_position, parse_position

CENTRE = "1RSD 1RSO 1RTD 1RTO 1PSD 1PSO"
HANDS = "personal 0 1PTD; personal 1 1PTO"
MORE_HANDS = f"{HANDS}; personal 2 2RSD"

REASONS = [
    ("full; players 2; layout 1RSD 1RTD 1ROD 2RSD 2RTD", "layout_with_deck", "S12"),
    ("full; players 2", "layout_with_deck", "S12"),
    (f"full; players 2; layout {NO_SET} 3GSS; deck 3GSO 3GSD 2GSS", "layout_with_deck", "S12"),
    (f"full; players 2; layout {NO_SET.replace('1RSO', '.')}; deck 3GSO 3GSD 2GSS", "layout_with_deck", "S12"),
    (f"full; players 2; layout {NO_SET} . 3GSO; deck", "gaps_above_layout", "S15"),
    (f"full; players 2; layout {' '.join(CARD_NAMES[:22])}", "too_many_places", None),
    (f"full; players 2; layout {ONE_SET}; dealer 7", "not_a_number_between", None),
    (f"full; players 2; layout {ONE_SET}; first_dealer 2", "not_a_number_between", None),
    (f"full; players 2; layout {ONE_SET}; now -5", "not_a_number_between", None),
    (f"full; players 2; layout {ONE_SET}; now soon", "not_a_number_between", None),
    (f"full; players 2; layout {ONE_SET}; deals 0", "not_a_number_between", None),
    (f"full; players 2; layout {ONE_SET}; sets -1 0", "not_a_number_between", None),
    (f"full; players 2; layout {ONE_SET}; lost 0 -1", "not_a_number_between", None),
    (f"full; players 2; layout {ONE_SET}; may_call_from 0 -1", "not_a_number_between", None),
    (f"full; players 2; layout {ONE_SET}; score 1", "too_short", None),
    (f"full; players 2; layout {ONE_SET}; score 1 2 3", "too_much", None),
    (f"full; score 1; players 2; layout {ONE_SET}", "players_first", None),
    (f"full; away 0; players 2; layout {ONE_SET}", "players_first", None),
    (f"full; players 2; layout {ONE_SET}; layout 3GSS", "section_twice", None),
    (f"full; players 2; layout {ONE_SET}; penalty 1", "penalty_alone", "S20"),
    (f"solitaire; players 1; layout {ONE_SET}; penalty -1", "not_a_number_between", None),
    (f"full; players 2; layout {ONE_SET}; personal 0 3GSS", "not_in_variant", None),
    (f"full; players 2; layout {ONE_SET}; discard 3GSS", "not_in_variant", None),
    (f"full; players 2; layout {ONE_SET}; taken 0 3GSS 3GSO 2GSD", "not_a_set", None),
    (f"full; players 2; layout {ONE_SET}; taken 0 3GSS 3GSS 3GSS", "not_a_set", None),
    (f"full; players 2; layout {ONE_SET}; deck 3GSS 3GSS 3GSO", "card_twice", None),
    (f"full; players 2; layout {ONE_SET} 1RSD 3GSS 3GSO", "card_twice", None),
    ("small_deck; players 2; layout 1RTD", "not_in_deck", None),
    (f"full; players 2; layout {ONE_SET}; random 1 2 3 x", "not_hexadecimal", None),
    (f"full; players 2; layout {ONE_SET}; random 1 2 3 123456789", "not_hexadecimal", None),
    (f"full; players 2; layout {ONE_SET}; random 1 2 3 4 5", "too_much", None),
    (f"full; players 2; layout {ONE_SET}; random 1 2 3 4 5 6 7 8 9", "too_much", None),
    (f"full; players 2; layout {ONE_SET}; weather fine", "unknown_section", None),
    (f"full; players 2; layout {ONE_SET}; ended badly", "unknown_word", None),
    (f"ultra; players 2; layout {ONE_SET}", "unknown_word", None),
    (f"full {{; players 2; layout {ONE_SET}", "not_json", None),
    (f"full; players 2; layout {ONE_SET}; away 0; left 0", "away_and_left", None),
    (f"full; players 2; layout {ONE_SET}; left 0 1", "nobody_plays", "S18"),
    (f"full; players 2; layout {ONE_SET}; left 0; control 0 9", "no_call_now", "S13"),
    (f"full; players 2; layout {ONE_SET}; ended agreed; control 0 9", "no_call_now", "S13"),
    (f'full {{"call": "with take"}}; players 2; layout {ONE_SET}; control 0 9', "no_call_here", "S11"),
    (f"full; players 3; layout {ONE_SET}; agreed 0; control 1 9", "no_agreement_now", "S14"),
    (f"full; players 3; layout {ONE_SET}; agreed 0; ended agreed", "no_agreement_now", "S14"),
    (f"full; players 3; layout {ONE_SET}; agreed 0; away 0", "agreed_but_absent", "S14"),
    (f"full; players 3; layout {ONE_SET}; agreed 0 1; away 2", "all_agreed", "S14"),
    (f"full; players 3; layout {ONE_SET}; agreed 0 1", "agreement_deadline", "S14"),
    (f"full; players 4; layout {ONE_SET}; agreed 0 1; agreement_deadline 9", "agreement_deadline", "S14"),
    (f"full; players 3; layout {ONE_SET}; deck; agreed 0 1; agreement_deadline 9", "agreement_deadline", "S14"),
    (f"full; players 2; layout {ONE_SET}; deck; next_deal_at 9", "no_next_deal", "S17"),
    (f"longer_game; players 2; layout {ONE_SET}; next_deal_at 9", "deal_goes_on", "S17"),
    (
        f"longer_game; players 2; layout {ONE_SET}; deck; next_deal_at 9; dealer 1; first_dealer 0",
        "nobody_deals",
        "S17",
    ),
    ("twenty_twenty; players 2", "centre_not_full", "T1"),
    (f"twenty_twenty; players 2; layout {CENTRE}", "no_personal_cards", "T9"),
    (f"twenty_twenty; players 2; layout {CENTRE} 3GSS 3GSO; {HANDS}", "too_many_places", None),
    (f"twenty_twenty; players 2; layout {CENTRE.replace('1RSO', '.')}; {HANDS}", "centre_not_full", "T1"),
    (f"twenty_twenty; players 2; layout {CENTRE}; {HANDS}; personal 1 3GSS", "section_twice", None),
    (f"twenty_twenty; players 2; layout {CENTRE}; {HANDS}; taken 0 3GSS 3GSO 3GSD", "not_in_variant", None),
    (f"twenty_twenty; players 2; layout {CENTRE}; {HANDS}; score -1 0", "score_below_zero", "T5"),
    (f"twenty_twenty; players 2; layout {CENTRE}; {HANDS}; left 0", "nobody_plays", "T10"),
    (f"twenty_twenty; players 3; layout {CENTRE}; {MORE_HANDS}; left 0", "left_with_cards", "T10"),
    (f"twenty_twenty; players 2; layout {CENTRE}; {HANDS}; next_deal_at 9", "no_hand_won", "T9"),
    (
        f"twenty_twenty; players 2; layout {CENTRE}; personal 0 {' '.join(CARD_NAMES[40:50])}; personal 1 1PTO",
        "too_many_places",
        None,
    ),
]
"""A position that is refused, the reason, and its clause."""


@pytest.mark.rule("S10", "S12", "S14", "S17", "T1", "T9", "T10")
@pytest.mark.parametrize(("position", "reason", "clause"), REASONS)
def test_a_position_that_no_game_can_come_to_is_refused_with_its_reason(
    position: str, reason: str, clause: str | None
) -> None:
    with pytest.raises(BadSetup) as refused:
        parse_position(position)
    (why,) = refused.value.text.parameters["failing"]
    assert (why["key"].rpartition(".")[2], refused.value.clause) == (reason, clause)
    assert str(refused.value)[-1] == "."


def test_a_long_number_and_a_long_section_are_quoted_short() -> None:
    for section in (f"now {'9' * 5000}", "x" * 100_000):
        with pytest.raises(BadSetup) as refused:
            table(f"full; players 2; layout ONE_SET; {section}")
        assert len(str(refused.value)) < 500


@pytest.mark.rule("S12")
def test_a_deck_too_short_for_a_refill_is_laid_as_far_as_it_goes() -> None:
    start = table("full; players 2; layout ONE_SET; deck 3GSO 3GSD; control 0 9")
    lying = after(start, (0, THE_SET, 1))
    assert layout(lying)[:4] == ["3GSO", "3GSD", None, "1RSO"]
    assert lying.deck_size == 0
    assert cards_everywhere(lying) == cards_everywhere(start)


@pytest.mark.rule("S14", "S15")
def test_a_deck_too_short_for_three_more_is_laid_as_far_as_it_goes() -> None:
    start = table("full; players 2; layout ONE_SET; deck 3GSO 3GSD")
    lying = after(start, (0, "agree", 1), (1, "agree", 2))
    assert (lying.places, lying.laid, lying.deck_size) == (14, 14, 0)
    taken = after(lying, (0, "call", 3), (0, THE_SET, 4))
    assert cards_everywhere(taken) == cards_everywhere(start)


def test_scores_below_zero_can_be_reached_where_wrong_calls_cost_a_point() -> None:
    assert table("full; players 2; layout ONE_SET; score 3 -1").score[:2] == [3, -1]


def test_between_two_hands_the_winner_holds_no_cards_and_the_centre_has_gaps() -> None:
    position = f"twenty_twenty; players 2; layout {CENTRE.replace('1RSO', '.')}; personal 1 1PTO; next_deal_at 2000"
    assert after(table(position), (None, "time up", 2000)).laid == 6


@st.composite
def positions(draw: st.DrawFn) -> str:
    """A table of a game with some sections changed, left out or added: some a game can come to, some not."""
    setup: dict[str, Any] = draw(st.sampled_from(SETUPS))
    moves = draw(st.integers(1, 30))
    *_, last = wander(setup, draw(st.integers(0, 2**32)), moves)
    first, players, *sections = format_position(last.step.table).split("; ")
    for _ in range(draw(st.integers(0, 3))):
        change = draw(st.sampled_from(("leave out", "shorten", "add", "add")))
        i = draw(st.integers(0, len(sections) - 1))
        words = sections[i].split()
        if change == "leave out":
            del sections[i]
        elif change == "shorten":
            sections[i] = " ".join(words[: draw(st.integers(min(2, len(words)), len(words)))])
        else:
            section = draw(more_sections(last.step.table.players))
            sections = [each for each in sections if each.split()[0] != section.split()[0]] + [section]
    return "; ".join([first, players, *sections])


def more_sections(players: int) -> st.SearchStrategy[str]:
    """A section with numbers or players of this table."""
    player = st.integers(0, players - 1).map(str)
    listed = st.lists(player, max_size=players).map(" ".join)
    time = st.integers(-1, 40_000).map(str)
    per_player = st.lists(st.integers(-3, 9).map(str), min_size=players, max_size=players).map(" ".join)
    return st.one_of(
        st.sampled_from(("deck", "deck 3GSO 3GSD", "layout", "discard", "ended agreed", "ended all_left")),
        st.tuples(player, time).map(" ".join).map("control {}".format),
        *(
            numbers.map(f"{name} {{}}".format)
            for name, numbers in (
                ("agreed", listed), ("away", listed), ("left", listed), ("dealer", player), ("first_dealer", player),
                ("score", per_player), ("sets", per_player), ("may_call_from", per_player), ("penalty", time),
                ("next_deal_at", time), ("agreement_deadline", time), ("now", time), ("deals", time),
            )
        ),
    )  # fmt: skip


@pytest.mark.rule("S12", "S15", "T7", "T8")
@given(positions(), st.integers(0, 2**32))
def test_an_accepted_position_conserves_its_cards_whatever_is_played(position: str, seed: int) -> None:
    try:
        now = parse_position(position)
    except BadSetup:
        return
    chance = random.Random(seed)  # noqa: S311 (a test may be predictable)
    for _ in range(15):
        if setgame.ending(now) is not None or not setgame.anytime(now):
            break
        after_it = step(now, *some_move(now, chance)).table
        whole = list(range(now.deal.variant.cards))
        assert cards_everywhere(after_it) == (cards_everywhere(now) if after_it.deals == now.deals else whole)
        assert after_it.deck_size >= 0
        assert after_it.laid == sum(card >= 0 for card in after_it.layout[: after_it.places])
        lying = sum(card >= 0 for card in after_it.layout)
        assert after_it.laid + after_it.previous_size == lying, "no card lies where nobody sees it"
        now = after_it
