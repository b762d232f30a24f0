"""Laws that hold in every game of every variant, whatever the players do."""

import json
import random
import subprocess
import sys
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.setgame.tables import SETUPS, Move, cards_everywhere, wander
from threefold import setgame
from threefold.game import event_text
from threefold.records import copied
from threefold.serialising import serialiser_of
from threefold.setgame.cards import format_cards
from threefold.setgame.notation import WORDS
from threefold.setgame.table import NONE, Table, cards_of
from threefold.setgame.variants import VARIANTS
from threefold.texts import say

setups = st.sampled_from(SETUPS)
seeds = st.integers(0, 2**32)

PLAIN = serialiser_of(setgame.SET)
VIEWERS = (None, 0)
SIZES = sorted({row.set_size for row in VARIANTS.values()})


@given(setups, seeds)
def test_no_card_is_ever_lost_or_made(setup: dict[str, Any], seed: int) -> None:
    for wandered in wander(setup, seed, 60):
        now = wandered.step.table
        assert cards_everywhere(now) == list(cards_of(now.deal.variant))
        assert now.laid == sum(card != NONE for card in now.layout[: now.places])


@given(setups, seeds)
def test_scores_are_sets_minus_penalties_and_with_personal_cards_what_hands_brought(
    setup: dict[str, Any], seed: int
) -> None:
    hands: dict[int, int] = {}
    for wandered in wander(setup, seed, 60):
        now = wandered.step.table
        for event in wandered.step.events:
            if event.name == "hand_won":
                winner = event.facts["player"]
                hands[winner] = hands.get(winner, 0) + event.facts["points"]
        for player in range(now.players):
            if now.deal.variant.personal:
                assert now.score[player] == hands.get(player, 0)
            elif now.deal.variant.together:
                assert now.score[player] == sum(now.sets[: now.players]) - sum(now.lost[: now.players])
            else:
                assert now.score[player] == now.sets[player] - now.lost[player]


def described(now: Table, player: int | None, move: str, at: int) -> bool:
    """Do the decisions, or the moves at any time, have this move at this time? The View limits takes further."""
    view = setgame.view(now, None)
    for each in [*setgame.decisions(now), *setgame.anytime(now)]:
        if each.player != player or at < each.details.get("not_before", 0):
            continue
        if each.question != "presence" and player is not None and at > (view["flags"]["time_ms"] or at):
            continue
        if each.question == "take":
            words = move.split()
            as_many = words[:1] == ["take"] and len(set(words[1:])) == len(words[1:]) == each.details["take"]
            if not as_many or not set(words[1:]) <= set(each.details["from"]) or at > each.details.get("deadline", at):
                continue
            if (previous := view.get("previous")) and len(set(previous) & set(words[1:])) != 1:
                continue
            if not view["flags"]["stays"] or set(words[1:]) not in [set(found["cards"]) for found in view["taken"]]:
                return True
        elif move in each.moves and (player is not None or at >= each.details["deadline"]):
            return True
    return False


@given(setups, seeds)
def test_a_move_is_accepted_if_and_only_if_it_is_described_and_a_refused_one_changes_nothing(
    setup: dict[str, Any], seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 (a test may be predictable)
    for wandered in wander(setup, seed, 25):
        now = wandered.step.table
        for _ in range(12):
            player = chance.choice([None, *range(now.players)])
            cards = [*cards_of(now.deal.variant)[:27], *(card for card in now.layout if card != NONE)]
            takes = [" ".join(chance.sample(format_cards(cards), size)) for size in SIZES]
            found = [" ".join(each["cards"]) for each in setgame.view(now, None).get("taken", ())][-1:]
            move = chance.choice([*WORDS.values(), *(f"take {each}" for each in (*takes, *found))])
            at = now.now + chance.choice((0, 1, 2000, 6000, 30_000, 40_000))
            before = json.dumps(setgame.state(now))
            accepted = setgame.explain(now, player, move, at) is None
            assert accepted == described(now, player, move, at), (player, move, at)
            assert json.dumps(setgame.state(now)) == before
        assert described(wandered.before, *wandered.move)


@given(setups, seeds)
def test_a_table_is_a_value_that_a_move_leaves_as_it_was(setup: dict[str, Any], seed: int) -> None:
    kept = [
        (wandered.before, json.dumps(setgame.state(wandered.before)), wandered) for wandered in wander(setup, seed, 30)
    ]
    for before, state, wandered in kept:
        assert json.dumps(setgame.state(before)) == state
        assert setgame.play(before, *wandered.move).events == wandered.step.events


@given(setups, seeds)
def test_nobody_can_know_the_order_of_the_deck(setup: dict[str, Any], seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 (a test may be predictable)
    for wandered in wander(setup, seed, 30):
        now, other = wandered.before, copied(wandered.before)
        rest = now.deck[now.dealt : now.dealt + now.deck_size]
        chance.shuffle(rest)
        other.deck[now.dealt : now.dealt + now.deck_size] = rest
        other.word[:] = [chance.randrange(2**32) for _ in range(4)]
        for viewer in (None, *range(now.players)):
            assert json.dumps(setgame.view(other, viewer)) == json.dumps(setgame.view(now, viewer))
        player, move, at = wandered.move
        assert setgame.explain(other, player, move, at) is None
        drawn = {"cards_laid", "personal_card_given", "personal_cards_dealt"}
        steps = [setgame.play(each, player, move, at).events for each in (now, other)]
        if not any(event.name in drawn for events in steps for event in events):
            assert steps[0] == steps[1]
        seen = json.dumps(setgame.view(now, None))
        assert setgame.setup(now)["seed"] not in seen
        assert '"deck"' not in seen


@given(setups, seeds)
def test_views_events_and_decisions_are_json_and_every_event_has_its_sentence(setup: dict[str, Any], seed: int) -> None:
    for wandered in wander(setup, seed, 40):
        now = wandered.step.table
        for viewer in (None, 0):
            seen = setgame.view(now, viewer)
            assert json.loads(json.dumps(seen)) == seen
            for event in wandered.step.events:
                happened = event.seen_by(viewer)
                assert json.loads(json.dumps(happened)) == happened
                sentence = say(event_text("set", happened), viewer=viewer)
                assert sentence[0].isupper() or not sentence[0].isalpha()
                assert "None" not in sentence
        assert json.loads(json.dumps(setgame.state(now))) == setgame.state(now)
        events = wandered.step.events
        for viewer, view, shown in zip(
            VIEWERS, PLAIN.json_views(now, VIEWERS), PLAIN.json_events(events, VIEWERS), strict=True
        ):
            assert json.loads(view) == setgame.view(now, viewer)
            assert json.loads(shown) == [each.seen_by(viewer) for each in events]
        assert PLAIN.unpack_events(PLAIN.pack_events(events), now) == list(events)


@given(setups, seeds)
def test_time_never_runs_backwards_and_one_deadline_runs_at_most(setup: dict[str, Any], seed: int) -> None:
    for wandered in wander(setup, seed, 60):
        now = wandered.step.table
        assert now.now == wandered.move[2] >= wandered.before.now
        assert (now.call_deadline == NONE) == (now.control == NONE)
        deadlines = (now.call_deadline, now.agreement_deadline, now.next_deal_at)
        assert sum(each != NONE for each in deadlines) <= 1


@pytest.mark.rule("S11")
@given(setups, seeds, st.data())
def test_in_every_order_of_racing_players_exactly_one_gets_control(
    setup: dict[str, Any], seed: int, data: st.DataObject
) -> None:
    for wandered in wander(setup, seed, data.draw(st.integers(1, 25))):
        now = wandered.step.table
    racers = [each.player for each in setgame.decisions(now) if each.question == "call"][:3]
    at = max([now.now, *(now.may_call_from[player] for player in racers if player is not None)])
    for order in permutations(racers):
        lying, got = now, []
        for player in order:
            if setgame.explain(lying, player, "call", at) is None:
                lying = setgame.play(lying, player, "call", at).table
                got.append(player)
        assert got == list(order[:1])
        assert not order or lying.control == order[0]


PLAY = """
import json, sys
from tests.setgame.tables import wander
from threefold import setgame
for wandered in wander(json.loads(sys.argv[1]), int(sys.argv[2]), 80):
    print(json.dumps([event.whole() for event in wandered.step.events]))
    print(json.dumps(setgame.state(wandered.step.table), sort_keys=True))
"""


@pytest.mark.parametrize("setup", [SETUPS[5], SETUPS[9]])
def test_the_same_seed_and_moves_give_the_same_game_in_another_process(setup: dict[str, Any]) -> None:
    command = [sys.executable, "-c", PLAY, json.dumps(setup), "11"]
    games = [
        subprocess.run(
            command, capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed, "PYTHONPATH": path()}
        ).stdout
        for seed in ("1", "2")
    ]
    assert games[0] == games[1]
    assert len(games[0].splitlines()) > 60


def path() -> str:
    return ":".join(each for each in sys.path if each)


@pytest.mark.parametrize("setup", SETUPS)
def test_the_same_moves_at_the_same_times_are_the_same_game(setup: dict[str, Any]) -> None:
    moves: list[Move] = []
    last = setgame.new({**setup, "seed": "v1:5"})
    for wandered in wander(setup, 5, 120):
        moves.append(wandered.move)
        last = wandered.step.table
    again = setgame.new(setgame.setup(last))
    for player, move, at in moves:
        again = setgame.play(again, player, move, at).table
    assert setgame.state(again) == setgame.state(last)
