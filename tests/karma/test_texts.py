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

DECLINED = [
    ("play_table_card", 0, "You pass on playing a table card."),
    ("play_table_card", 1, "Player 0 passes on playing a table card."),
    ("give_cards", 0, "You pass on giving a card away."),
    ("give_cards", 1, "Player 0 passes on giving a card away."),
    ("lose_turns", 0, "You pass on making anyone lose a turn."),
    ("lose_turns", 1, "Player 0 passes on making anyone lose a turn."),
    ("peek_face_down", 0, "You pass on peeking at a card."),
    ("peek_face_down", 1, "Player 0 passes on peeking at a card."),
    ("swap_face_up", 0, "You pass on swapping a card."),
    ("swap_face_up", 1, "Player 0 passes on swapping a card."),
    ("draw_cards", 0, "You pass on: draw cards."),
    ("draw_cards", 1, "Player 0 passes on: draw cards."),
]
NOTHING_TO_DO = [
    ("give_pile", "There was no pile to give."),
    ("give_cards", "There was no card to give."),
    ("draw_cards", "There were no cards left to draw."),
    ("play_table_card", "There was no card to play."),
    ("peek_face_down", "There was no face-down card to peek at."),
    ("swap_face_up", "There was nothing to swap."),
    ("lose_turns", "There was nobody to lose a turn."),
    ("exchange_hands", "Nothing happens: swap hands with another player."),
]
SENTENCES: list[tuple[Json, int | None, str]] = [
    (face_up_chosen(0, "7 8 9"), 0, "You choose a 7, an 8 and a 9 as your face-up cards."),
    (face_up_chosen(0, None), 1, "Player 0 has chosen three face-up cards."),
    (face_up_shown(0, "7 7 9"), 0, "You lay out two 7s and a 9."),
    (face_up_shown(0, "7 7 7"), None, "Player 0 lays out three 7s."),
    (turn(0), 0, "Your turn."),
    (turn(0), 1, "Player 0's turn."),
    (again(0), 0, "You play again."),
    (again(0), 1, "Player 0 plays again."),
    (played(0, "7"), 0, "You play a 7."),
    (played(0, "GIV"), 1, "Player 0 plays Give the Pile to a Friend."),
    (played(0, "7", 2), 0, "You play two 7s."),
    (played(0, "7", 2), 1, "Player 0 plays two 7s."),
    (played(0, "7", of="face_up"), 0, "You play a 7 from your face-up cards."),
    (played(0, "7", of="face_up"), 1, "Player 0 plays a 7 from the face-up cards."),
    (played(0, "7", 2, of="face_up"), 0, "You play two 7s from your face-up cards."),
    (played(0, "7", 2, of="face_up"), 1, "Player 0 plays two 7s from the face-up cards."),
    (flipped(0, 1, "7"), 0, "You flip a 7: it fits!"),
    (flipped(0, 1, "7"), 1, "Player 0 flips a 7: it fits!"),
    (flipped(0, 1, "7", fits=False), 0, "You flip a 7, but it doesn't fit: you take the pile."),
    (flipped(0, 1, "7", fits=False), 1, "Player 0 flips a 7, but it doesn't fit."),
    (picked_up(0, "7 8"), 0, "You pick up the pile: a 7 and an 8."),
    (picked_up(0, "7"), 1, "Player 0 picks up the pile: a 7."),
    (cleared(0, "7 7 7"), 0, "You make three 7s and clear them away."),
    (cleared(0, "7 7 7"), 1, "Player 0 makes three 7s and clears them away."),
    (cleared(0, "5 7 7 7"), 0, "You make three 7s and clear the pile."),
    (cleared(0, "5 7 7 7"), 1, "Player 0 makes three 7s and clears the pile."),
    (cleared(0, "5 8 8"), 1, "Player 0 makes two 8s and clears the pile."),
    (cleared(0, "7", "power"), 0, "You clear the pile: a 7."),
    (cleared(0, "7", "power"), 1, "Player 0 clears the pile: a 7."),
    (cleared(0, "", "power"), 0, "You clear the pile, but it was empty anyway."),
    (cleared(0, "", "power"), 1, "Player 0 clears the pile, but it was empty anyway."),
    (left(0, "GIV"), 0, "Give the Pile to a Friend leaves the game."),
    (left(0, "GIV", 2), 0, "Two Give the Pile to a Friend cards leave the game."),
    (pile_given(0, 1, "7"), 0, "You give player 1 the pile: a 7."),
    (pile_given(0, 1, "7"), 1, "Player 0 gives you the pile: a 7."),
    (pile_given(0, 1, "7"), None, "Player 0 gives player 1 the pile: a 7."),
    (moved_up(0, "7"), 0, "The bottom card moves to the top: a 7."),
    (reversed_by(0, -1), 0, "Play changes direction and now goes anticlockwise."),
    (reversed_by(0, 1), 0, "Play changes direction and now goes clockwise."),
    (seats_changed(0, (0, 0, 1), (1, 1, 0)), 1, "Player 0 and you swap seats."),
    (seats_changed(0, (0, 0, 1), (1, 1, 0)), 0, "You and player 1 swap seats."),
    (seats_changed(0, (0, 0, 1), (1, 1, 2), (2, 2, 0)), 0, "Everyone changes seats. The cards stay where they are."),
    (hands_passed(0, "right"), 0, "Everyone passes their hand to the right."),
    (hands_passed(0, "left"), 0, "Everyone passes their hand to the left."),
    (hands_exchanged(0, 1), 0, "You swap hands with player 1."),
    (hands_exchanged(0, 1), 1, "Player 0 swaps hands with you."),
    (hands_exchanged(0, 1), 2, "Player 0 swaps hands with player 1."),
    (turns_to_lose(0, 1), 1, "You'll lose a turn."),
    (turns_to_lose(0, 1), 0, "Player 1 will lose a turn."),
    (turns_to_lose(0, 1, 2), 1, "You'll lose 2 turns."),
    (turns_to_lose(0, 1, 2), 0, "Player 1 will lose 2 turns."),
    (turn_lost(0), 0, "You lose this turn."),
    (turn_lost(0), 1, "Player 0 loses this turn."),
    (gift_chosen(0, "7"), 0, "You choose a 7 to give away."),
    (gift_chosen(0, "7", of="face_up"), 1, "Player 0 chooses a 7 to give away."),
    (gift_chosen(0, None), 1, "Player 0 chooses a card to give away."),
    (gift_chosen(0, None, of="face_down", place=1), 0, "You choose a card to give away."),
    (card_given(0, 1, "7"), 0, "You give player 1 a 7."),
    (card_given(0, 1, "7"), 1, "Player 0 gives you a 7."),
    (card_given(0, 1, "7", of="face_up"), None, "Player 0 gives player 1 a 7."),
    (card_given(0, 1, None, of="face_down", place=1), 0, "You give player 1 a card without looking."),
    (card_given(0, 1, None), None, "Player 0 gives player 1 a card."),
    (card_given(0, 1, None), 1, "Player 0 gives you a card."),
    (drew(0, "7 8"), 0, "You draw a 7 and an 8."),
    (drew(0, None, 1), 1, "Player 0 draws a card."),
    (drew(0, None, 2), 1, "Player 0 draws 2 cards."),
    (drew(0, "7"), None, "Player 0 draws a 7."),
    (did_not_draw(0), 0, "You end your turn without drawing."),
    (did_not_draw(0), 1, "Player 0 ends the turn without drawing."),
    *[(declined(0, power), viewer, sentence) for power, viewer, sentence in DECLINED],
    *[(nothing_to_do(0, power), 0, sentence) for power, sentence in NOTHING_TO_DO],
    (peeked_at(0, 2, "7"), 0, "You peek at face-down card 2: it's a 7."),
    (peeked_at(0, 2, None), 1, "Player 0 peeks at face-down card 2."),
    (peeked_at(0, 2, "7"), None, "Player 0 peeks at face-down card 2: it's a 7."),
    (swapped(0, 2, "7", "8"), 0, "You take the 7 and lay out the 8 instead."),
    (swapped(0, 2, "7", "8"), 1, "Player 0 takes the 7 and lays out the 8 instead."),
    (went_out(0), 0, "No cards left: you're safe!"),
    (went_out(0), 1, "Player 0 has no cards left and is safe!"),
    (brought_back(0), 0, "You're back in the game."),
    (brought_back(0), 1, "Player 0 is back in the game."),
    (offered_draw(0), 0, "You offer a draw."),
    (offered_draw(0), 1, "Player 0 offers a draw."),
    (agreed_to_draw(0), 0, "You agree to a draw."),
    (agreed_to_draw(0), 1, "Player 0 agrees to a draw."),
    (WITHDRAWN, 0, "Play goes on, so the draw offer is off."),
    (ended("one_left", 0), 0, "You're the last one with cards, so you lose. Everyone else wins!"),
    (ended("one_left", 0), 1, "Player 0 is the last one with cards and loses. Everyone else wins!"),
    (ended("nobody_left"), 0, "Nobody has any cards left, so nobody loses."),
    (ended("turn_limit"), 0, "That was the last turn agreed on. Nobody loses."),
    (ended("draw_agreed"), 0, "Everyone agreed to a draw. Nobody loses."),
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
    for start in ("karma.power.", "power."):
        assert {key.removeprefix(start) for key in catalogue() if key.startswith(start)} == names
    for power in VOCABULARY:
        parameters = {each.name for each in power.parameters}
        assert set(parameters_in(catalogue()[f"karma.power.{power.name}"])) <= parameters
        assert set(parameters_in(catalogue()[f"power.{power.name}"])) == set()


def test_every_card_has_a_name() -> None:
    cards = {card.code for card in NUMBER_CARDS} | {card.code for card in PRINTED}
    assert {key.removeprefix("card.") for key in catalogue() if key.startswith("card.")} >= cards


def test_every_location_and_every_ending_has_its_words() -> None:
    assert {f"location.{name}" for name in LOCATIONS.values()} <= set(catalogue())
    branches = set(catalogue()["karma.event.game_ended"])
    assert set(ENDINGS.values()) - {"draw_agreed"} <= branches


def test_every_key_of_karma_belongs_to_something() -> None:
    starts = ("event", "refusal", "power", "card", "setup", "design", "hint", "warning", "brief", "why")
    for key in catalogue():
        if key.startswith("karma."):
            assert key.split(".")[1] in starts
        if key.startswith("karma.brief."):
            assert key.replace("brief", "event") in catalogue(), "a short sentence is about an event"
    assert {key for key in catalogue() if key.startswith("karma.card.")} == {"karma.card.leaves", "karma.card.stays"}


def test_people_and_designed_cards_are_called_by_their_names() -> None:
    names = Names(players=("Ada", "Ben"), cards={"D1": "Whirl"})
    assert say(event_text("karma", played(1, "D1")), viewer=0, names=names) == "Ben plays Whirl."
    assert say(event_text("karma", hands_exchanged(0, 2)), names=names) == "Ada swaps hands with player 2."
