"""Whose turn it is, what the pile asks for, how set-up waits for all, and that a limit on turns ends every game."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.karma.laws.setups import ALL_RULES, Rules
from tests.karma.laws.walks import Moment, Picker, moments, often, setups, tables, walk
from threefold import karma
from threefold.game import Event
from threefold.karma import Table
from threefold.karma.cards import NumberCard
from threefold.karma.table import NONE, OVER
from threefold.records import flat


def cards_of(table: Table, player: int) -> int:
    seat = table.seat_of[player]
    return table.hand_size[seat] + table.face_up_size[seat] + table.face_down_size[seat]


def total(events: Sequence[Event], name: str, player: int, by: str = "player") -> int:
    """How many of something came to one player."""
    return sum(event.facts["count"] for event in events if event.name == name and event.facts[by] == player)


@pytest.mark.rule("K15", "K19", "K46", "K48")
@often
@given(moments())
def test_play_goes_on_from_its_place_past_players_without_cards_and_turns_that_are_lost(moment: Moment) -> None:
    before, step = moment.table, moment.step()
    after = step.table
    if before.turn_player == NONE or after.turns == before.turns or after.awaits == OVER:
        return
    names = [event.name for event in step.events]
    began = names.index("turn_began")
    facts = step.events[began].facts
    lost = [event.facts["player"] for event in step.events if event.name == "turn_lost"]
    owed = [
        before.lost_turns[player] + total(step.events, "turns_to_lose", player, "to") for player in range(after.players)
    ]
    if facts["again"]:
        assert "pile_cleared" in names or before.again
        assert facts["player"] == before.turn_player
    else:
        skipped = []
        seat = before.turn_seat
        while True:
            seat = (seat + after.direction) % after.players
            player = after.player_at[seat]
            if cards_of(after, player) - total(step.events[began:], "cards_drawn", player) == 0:
                continue
            if owed[player] == 0:
                break
            owed[player] -= 1
            skipped.append(player)
        assert lost == skipped
        assert (facts["player"], facts["seat"]) == (player, seat)
    assert after.lost_turns[: after.players] == owed
    assert (after.turn_player, after.turn_seat) == (facts["player"], facts["seat"])


@pytest.mark.rule("K22", "K23")
@often
@given(moments())
def test_the_game_is_over_exactly_when_at_most_one_player_holds_cards_after_a_turn(moment: Moment) -> None:
    after = moment.step().table
    holders = [player for player in range(after.players) if cards_of(after, player)]
    if after.turns > moment.table.turns:
        assert len(holders) > 1
    ended = karma.ending(after)
    if ended is not None and ended.reason in {"one_left", "nobody_left"}:
        assert len(holders) == (1 if ended.reason == "one_left" else 0)
        assert list(ended.losers) == holders
        assert list(ended.winners) == [player for player in range(after.players) if player not in holders]
    if ended is not None and ended.reason == "draw_agreed":
        assert ended.losers == ()


@pytest.mark.rule("K7", "K8", "K25")
@often
@given(tables())
def test_what_the_view_says_the_pile_asks_for_is_what_may_be_played(table: Table) -> None:
    for decision in karma.decisions(table):
        seen = karma.view(table, decision.player)
        assert decision.player is not None
        hand = seen["seats"][table.seat_of[decision.player]]["hand"]
        if decision.question != "play" or not hand:
            continue
        asked = seen["asks_for"] or {"low": 1, "high": 16}
        for card in table.deal.edition.cards:
            if card.code in hand:
                fits = not isinstance(card, NumberCard) or asked["low"] <= card.number <= asked["high"]
                assert (f"play {card.code}" in decision.moves) == fits
        assert ("pick up" in decision.moves) == bool(seen["discard_pile"])


@pytest.mark.rule("K3")
@often
@given(setups(), st.data())
def test_set_up_waits_for_all_at_once_and_shows_nothing_before_all_have_chosen(
    setup: dict[str, object], data: st.DataObject
) -> None:
    table = karma.new(setup)
    left = list(range(table.players))
    while left:
        assert [each.player for each in karma.decisions(table)] == left
        assert {each.question for each in karma.decisions(table)} == {"face_up"}
        assert not any(card for seat in karma.view(table, None)["seats"] for card in seat["face_up"])
        assert karma.view(table, None)["has_chosen"] == [p for p in range(table.players) if p not in left]
        player = data.draw(st.sampled_from(left))
        decision = next(each for each in karma.decisions(table) if each.player == player)
        table = karma.play(table, player, data.draw(st.sampled_from(decision.moves))).table
        left.remove(player)
    assert [each.player for each in karma.decisions(table)] == [(table.dealer + 1) % table.players]
    assert all(all(seat["face_up"]) for seat in karma.view(table, None)["seats"])


@pytest.mark.rule("K3")
@often
@given(setups(), st.integers(0, 999))
def test_in_whatever_order_they_choose_the_table_is_the_same(setup: dict[str, object], seed: int) -> None:
    pick = Picker(f"v1:{seed}")
    start = karma.new(setup)
    choices = {each.player: pick.one_of(each.moves) for each in karma.decisions(start)}
    ends = []
    for order in (list(choices), pick.in_any_order(list(choices))):
        table = start
        for player in order:
            table = karma.play(table, player, choices[player]).table
        ends.append(flat(table))
    assert ends[0] == ends[1]


@pytest.mark.rule("K24")
@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
@often
@given(st.data())
def test_every_game_with_a_limit_on_turns_ends_within_it(rules: Rules, data: st.DataObject) -> None:
    limit = data.draw(st.integers(1, 40))
    players = data.draw(st.integers(2, 6))
    draw = data.draw(st.sampled_from(("automatic", "by hand")))
    seed = f"v1:{data.draw(st.integers(0, 9_999))}"
    table = karma.new(rules.setup(players, seed, turn_limit=limit, draw=draw))
    walk(table, Picker(seed), players + 200 * limit, eager=data.draw(st.booleans()))
    ended = karma.ending(table)
    assert ended is not None
    assert table.turns <= limit
    if ended.reason == "turn_limit":
        assert table.turns == limit
        assert ended.losers == ()


@pytest.mark.rule("K11")
@often
@given(moments())
def test_after_a_turn_with_automatic_drawing_everybody_who_played_holds_three_or_the_pile_is_gone(
    moment: Moment,
) -> None:
    before, after = moment.table, moment.step().table
    played = before.turn_player
    if before.deal.edition.draw_by_hand or played == NONE or after.turns == before.turns or after.awaits == OVER:
        return
    assert after.draw_size == 0 or after.hand_size[after.seat_of[played]] >= 3
