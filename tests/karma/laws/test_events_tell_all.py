"""Events are complete: whoever moves cards as the events tell has the table that the engine has."""

from hypothesis import given

from tests.karma.laws.model import Cards
from tests.karma.laws.walks import Moment, moments, often, tables
from threefold.game import event_text
from threefold.karma import Table
from threefold.karma.table import OVER
from threefold.texts import say


@often
@given(tables())
def test_a_model_made_from_a_table_lies_like_it(table: Table) -> None:
    Cards(table).lies_like(table)


@often
@given(moments())
def test_moving_cards_as_the_events_tell_gives_the_table_after_the_move(moment: Moment) -> None:
    cards = Cards(moment.table)
    step = moment.step()
    cards.follow(event.whole() for event in step.events)
    cards.lies_like(step.table)


@often
@given(moments())
def test_the_last_event_says_whose_turn_is_next_or_how_the_game_ended(moment: Moment) -> None:
    step = moment.step()
    names = [event.name for event in step.events]
    if step.table.awaits == OVER:
        assert names[-1] == "game_ended"
    elif step.table.turns > moment.table.turns:
        began = [event for event in step.events if event.name == "turn_began"]
        assert [event.facts["player"] for event in began] == [step.table.turn_player]
        assert names[-1] in {"turn_began", "cards_drawn"}  # K12a: some draw before they play
    else:
        assert "turn_began" not in names


@often
@given(moments())
def test_every_event_has_a_sentence_for_every_viewer(moment: Moment) -> None:
    for event in moment.step().events:
        for viewer in (None, *range(moment.table.players)):
            words = say(event_text("karma", event.seen_by(viewer)), viewer=viewer)
            assert words.endswith((".", "!"))
            assert "{" not in words
            assert "None" not in words
