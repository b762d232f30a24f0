"""Over HTTP: lessons that are played with the real rules. Nothing is kept, and nobody needs to be somebody."""

from typing import Literal

from litestar import get, post

from threefold.fields import refuse as refuse_field
from threefold.game import event_text
from threefold.live.lessons import LEARNER, LESSONS, Lesson, tried
from threefold.live.refusals import not_found
from threefold.texts import say
from threefold.web.hall import Asking, address_of, hall_of
from threefold.web.problems import may_fail, problem_of
from threefold.web.protocol import LessonMoves, LessonShown, LessonTried

GameName = Literal["karma", "set"]
MOST_MOVES = 6
LONGEST_MOVE = 60


@get("/api/lessons/{game:str}", tags=["lessons"], responses=may_fail())
async def lessons(request: Asking, game: GameName) -> list[LessonShown]:
    """The lessons of a game, in order, each with the table as the learner sees it."""
    hall_of(request).limits.check("heavy", address_of(request))
    return [
        LessonShown(key=each.key, view=tried(game, each, ()).view, point=list(each.point)) for each in LESSONS[game]
    ]


@post("/api/lessons/{game:str}/{key:str}", tags=["lessons"], responses=may_fail(403, 404), status_code=200)
async def try_lesson(request: Asking, game: GameName, key: str, data: LessonMoves) -> LessonTried:
    """Plays the learner's moves from the beginning of a lesson. The last one may be refused, and is explained."""
    hall_of(request).limits.check("puzzles", address_of(request))
    if len(data.moves) > MOST_MOVES:
        raise refuse_field("too_many", field="moves", most=MOST_MOVES, count=len(data.moves))
    found = tried(game, _lesson(game, key), [move[:LONGEST_MOVE] for move in data.moves])
    events = [{**each, "says": say(event_text(game, each), viewer=LEARNER)} for each in found.events]
    refused = None if found.refused is None else problem_of(found.refused)
    return LessonTried(view=found.view, events=events, done=found.done, refused=refused)


def _lesson(game: str, key: str) -> Lesson:
    for each in LESSONS[game]:
        if each.key == key:
            return each
    raise not_found("no_such_lesson", field="key", given=key[:40])


ROUTES = [lessons, try_lesson]
