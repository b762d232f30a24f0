from tests.docs.engine_page import PAGE, with_answers
from threefold.engine import REQUESTS
from threefold.karma.decisions import CHOOSE_PLAYER, QUESTIONS, QUESTIONS_OF_POWERS
from threefold.karma.events import EVENTS
from threefold.karma.notation import ENDINGS
from threefold.setgame.events import EVENTS as SET_EVENTS
from threefold.setgame.notation import ENDINGS as SET_ENDINGS


def test_every_answer_on_the_page_is_what_the_engine_answers() -> None:
    page = PAGE.read_text("utf-8")
    assert with_answers(page) == page


def test_the_page_shows_every_request_question_and_ending_and_lists_every_event() -> None:
    page = PAGE.read_text("utf-8")
    shown = [f'"do": "{name}"' for name in REQUESTS]
    shown += [f'"question": "{name}"' for name in {*QUESTIONS.values(), *QUESTIONS_OF_POWERS.values(), CHOOSE_PLAYER}]
    shown += [f'"reason": "{name}"' for name in ENDINGS.values()]
    shown += [f"`{row.name}`" for row in EVENTS.values()]
    shown += [f"`{name}`" for name, *_ in SET_EVENTS.values()]
    shown += [f"`{name}`" for name in SET_ENDINGS.values()]
    assert [each for each in shown if each not in page] == []
