"""Every event, power, card and location of Karma has its sentence, which asks for nothing that is not told."""

from typing import Any

import pytest

from tests.karma.rules.steps import (
    WITHDRAWN,
    again,
    agreed_to_draw,
    brought_back,
    card_given,
    cleared,
    declined,
    did_not_draw,
    drew,
    ended,
    face_up_chosen,
    face_up_shown,
    flipped,
    gift_chosen,
    hands_exchanged,
    hands_passed,
    left,
    moved_up,
    nothing_to_do,
    offered_draw,
    peeked_at,
    picked_up,
    pile_given,
    played,
    reversed_by,
    seats_changed,
    swapped,
    turn,
    turn_lost,
    turns_to_lose,
    went_out,
)
from tests.karma.test_refusals import parameters_in
from threefold.game import Json, event_text
from threefold.karma.cards import NUMBER_CARDS, PRINTED
from threefold.karma.events import EVENTS
from threefold.karma.notation import ENDINGS, LOCATIONS
from threefold.karma.powers import VOCABULARY
from threefold.texts import Names, catalogue, say

SENTENCES: list[tuple[Json, int | None, str]] = [
    (face_up_chosen(0, "7 8 9"), 0, "You picked 7, 8 and 9 to lie face up."),
    (face_up_chosen(0, None), 1, "Player 0 has picked three face-up cards."),
    (face_up_shown(0, "7 7 9"), 0, "You lay 2 × 7 and 9 face up."),
    (face_up_shown(0, "7 7 7"), None, "Player 0 lays 3 × 7 face up."),
    (turn(0), 0, "It is your turn."),
    (turn(0), 1, "It is player 0's turn."),
    (again(0), 0, "You play again."),
    (again(0), 1, "Player 0 plays again."),
    (played(0, "7"), 0, "You play 7."),
    (played(0, "GIV"), 1, "Player 0 plays Give the Pile to a Friend."),
    (played(0, "7", 2), 0, "You play 2 × 7."),
    (played(0, "7", 2), 1, "Player 0 plays 2 × 7."),
    (played(0, "7", of="face_up"), 0, "You play 7 from the face-up cards."),
    (played(0, "7", of="face_up"), 1, "Player 0 plays 7 from the face-up cards."),
    (played(0, "7", 2, of="face_up"), 0, "You play 2 × 7 from the face-up cards."),
    (played(0, "7", 2, of="face_up"), 1, "Player 0 plays 2 × 7 from the face-up cards."),
    (flipped(0, 1, "7"), 0, "You flip 7, and it may be played."),
    (flipped(0, 1, "7"), 1, "Player 0 flips 7, and it may be played."),
    (flipped(0, 1, "7", fits=False), 0, "You flip 7, which may not be played here."),
    (flipped(0, 1, "7", fits=False), 1, "Player 0 flips 7, which may not be played here."),
    (picked_up(0, "7 8"), 0, "You pick up the pile: 7 and 8."),
    (picked_up(0, "7"), 1, "Player 0 picks up the pile: 7."),
    (cleared(0, "7 7 7"), 0, "You complete the run and clear 3 × 7."),
    (cleared(0, "7 7 7"), 1, "Player 0 completes the run and clears 3 × 7."),
    (cleared(0, "7", "power"), 0, "You clear the pile: 7."),
    (cleared(0, "7", "power"), 1, "Player 0 clears the pile: 7."),
    (cleared(0, "", "power"), 0, "You clear the pile; it was empty."),
    (cleared(0, "", "power"), 1, "Player 0 clears the pile; it was empty."),
    (left(0, "GIV"), 0, "Give the Pile to a Friend leaves the game."),
    (left(0, "GIV", 2), 0, "2 × Give the Pile to a Friend leave the game."),
    (pile_given(0, 1, "7"), 0, "You give the pile to player 1: 7."),
    (pile_given(0, 1, "7"), 1, "Player 0 gives you the pile: 7."),
    (pile_given(0, 1, "7"), None, "Player 0 gives the pile to player 1: 7."),
    (moved_up(0, "7"), 0, "The bottom card moves to the top of the pile: 7."),
    (reversed_by(0, -1), 0, "The direction turns: play goes on anticlockwise."),
    (reversed_by(0, 1), 0, "The direction turns: play goes on clockwise."),
    (seats_changed(0, (0, 0, 1)), 0, "Places are changed; all cards stay where they lie."),
    (hands_passed(0, "right"), 0, "Everyone passes their hand to the right."),
    (hands_passed(0, "left"), 0, "Everyone passes their hand to the left."),
    (hands_exchanged(0, 1), 0, "You exchange hands with player 1."),
    (hands_exchanged(0, 1), 1, "Player 0 exchanges hands with you."),
    (hands_exchanged(0, 1), 2, "Player 0 exchanges hands with player 1."),
    (turns_to_lose(0, 1), 1, "You will lose a turn."),
    (turns_to_lose(0, 1), 0, "Player 1 will lose a turn."),
    (turns_to_lose(0, 1, 2), 1, "You will lose 2 turns."),
    (turns_to_lose(0, 1, 2), 0, "Player 1 will lose 2 turns."),
    (turn_lost(0), 0, "You lose this turn."),
    (turn_lost(0), 1, "Player 0 loses this turn."),
    (gift_chosen(0, "7"), 0, "You pick 7 to give away."),
    (gift_chosen(0, "7", of="face_up"), 1, "Player 0 picks 7 to give away."),
    (gift_chosen(0, None), 1, "Player 0 picks a card to give away."),
    (gift_chosen(0, None, of="face_down", place=1), 0, "You pick a card to give away."),
    (card_given(0, 1, "7"), 0, "You give 7 to player 1."),
    (card_given(0, 1, "7"), 1, "Player 0 gives you 7."),
    (card_given(0, 1, "7", of="face_up"), None, "Player 0 gives 7 to player 1."),
    (card_given(0, 1, None, of="face_down", place=1), 0, "You give player 1 a card, unseen."),
    (card_given(0, 1, None), None, "Player 0 gives player 1 a card."),
    (card_given(0, 1, None), 1, "Player 0 gives you a card."),
    (drew(0, "7 8"), 0, "You draw 7 and 8."),
    (drew(0, None, 1), 1, "Player 0 draws a card."),
    (drew(0, None, 2), 1, "Player 0 draws 2 cards."),
    (drew(0, "7"), None, "Player 0 draws 7."),
    (did_not_draw(0), 0, "You end your turn without drawing."),
    (did_not_draw(0), 1, "Player 0 ends the turn without drawing."),
    (declined(0, "give_cards"), 0, "You leave it: give cards away."),
    (declined(0, "give_cards"), 1, "Player 0 leaves it: give cards away."),
    (nothing_to_do(0, "give_pile"), 0, "Nothing happens: give the pile to another player."),
    (peeked_at(0, 2, "7"), 0, "You peek at face-down card 2: it is 7."),
    (peeked_at(0, 2, None), 1, "Player 0 peeks at face-down card 2."),
    (peeked_at(0, 2, "7"), None, "Player 0 peeks at face-down card 2: it is 7."),
    (swapped(0, 2, "7", "8"), 0, "You take 7 into your hand and lay 8 in its place."),
    (swapped(0, 2, "7", "8"), 1, "Player 0 takes 7 into the hand and lays 8 in its place."),
    (went_out(0), 0, "You have no cards left: you are out."),
    (went_out(0), 1, "Player 0 has no cards left and is out."),
    (brought_back(0), 0, "You are back in the game."),
    (brought_back(0), 1, "Player 0 is back in the game."),
    (offered_draw(0), 0, "You offer a draw."),
    (offered_draw(0), 1, "Player 0 offers a draw."),
    (agreed_to_draw(0), 0, "You agree to a draw."),
    (agreed_to_draw(0), 1, "Player 0 agrees to a draw."),
    (WITHDRAWN, 0, "Play goes on: the offered draw is withdrawn."),
    (ended("one_left", 0), 0, "The game is over: you are left with cards and lose; all others win."),
    (ended("one_left", 0), 1, "The game is over: player 0 is left with cards and loses; all others win."),
    (ended("nobody_left"), 0, "The game is over. Nobody has cards left, so nobody loses."),
    (ended("turn_limit"), 0, "The game is over: the agreed number of turns has been played. Nobody loses."),
    (ended("draw_agreed"), 0, "The game is over: all agreed to a draw. Nobody loses."),
]


@pytest.mark.parametrize(("event", "viewer", "sentence"), SENTENCES)
def test_what_happened_is_told_to_each_viewer_in_one_sentence(event: Json, viewer: int | None, sentence: str) -> None:
    assert say(event_text("karma", event), viewer=viewer) == sentence


def test_every_event_has_a_sentence_and_every_sentence_an_event() -> None:
    events = {f"karma.event.{row.name}" for row in EVENTS.values()}
    assert events == {key for key in catalogue() if key.startswith("karma.event.")}
    assert events == {f"karma.event.{event['event']}" for event, _, _ in SENTENCES}


@pytest.mark.parametrize("row", EVENTS.values(), ids=lambda row: row.name)
def test_a_sentence_asks_only_for_what_its_event_tells(row: Any) -> None:
    facts = {*row.facts, *(["cards"] if row.with_cards else []), *(["moved"] if row.with_moves else [])}
    assert set(parameters_in(catalogue()[f"karma.event.{row.name}"])) <= facts
    assert row.secrets <= facts


def test_every_branch_of_every_event_is_said_by_some_example() -> None:
    said = {say(event_text("karma", event), viewer=viewer) for event, viewer, _ in SENTENCES}
    assert len(said) == len(SENTENCES)
    leaves = sum(count_of_leaves(catalogue()[key]) for key in catalogue() if key.startswith("karma.event."))
    assert leaves <= len(SENTENCES)


def count_of_leaves(sentence: Json) -> int:
    if isinstance(sentence, str):
        return 1
    return sum(count_of_leaves(each) for branch, each in sentence.items() if branch != "by")


def test_every_power_has_its_words_and_its_name_and_asks_only_for_its_parameters() -> None:
    names = {power.name for power in VOCABULARY}
    for start in ("karma.power.", "karma.power_name."):
        assert {key.removeprefix(start) for key in catalogue() if key.startswith(start)} == names
    for power in VOCABULARY:
        parameters = {each.name for each in power.parameters}
        assert set(parameters_in(catalogue()[f"karma.power.{power.name}"])) <= parameters
        assert set(parameters_in(catalogue()[f"karma.power_name.{power.name}"])) == set()


def test_every_card_has_a_name() -> None:
    cards = {card.code for card in NUMBER_CARDS} | {card.code for card in PRINTED}
    assert {key.removeprefix("card.") for key in catalogue() if key.startswith("card.")} >= cards


def test_every_location_and_every_ending_has_its_words() -> None:
    assert {f"karma.location.{name}" for name in LOCATIONS.values()} <= set(catalogue())
    branches = set(catalogue()["karma.event.game_ended"])
    assert set(ENDINGS.values()) - {"draw_agreed"} <= branches


def test_every_key_of_karma_belongs_to_something() -> None:
    starts = ("event", "refusal", "location", "power_name", "power", "card", "setup", "design")
    for key in catalogue():
        if key.startswith("karma."):
            assert key.split(".")[1] in starts
    assert {key for key in catalogue() if key.startswith("karma.card.")} == {"karma.card.leaves", "karma.card.stays"}


def test_people_and_designed_cards_are_called_by_their_names() -> None:
    names = Names(players=("Ada", "Ben"), cards={"D1": "Whirl"})
    assert say(event_text("karma", played(1, "D1")), viewer=0, names=names) == "Ben plays Whirl."
    assert say(event_text("karma", hands_exchanged(0, 2)), names=names) == "Ada exchanges hands with player 2."
