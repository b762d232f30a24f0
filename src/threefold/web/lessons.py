"""HTTP routes for lessons, which are played with the real rules. The server stores nothing, and no cookie is needed."""

import msgspec
from litestar import get, post

from threefold.fields import one_of
from threefold.fields import refuse as refuse_field
from threefold.game import event_text
from threefold.kit import Kit
from threefold.lessons import LEARNER, Lesson
from threefold.live.lessons import attempt
from threefold.live.refusals import not_found
from threefold.texts import TextForm, say
from threefold.web.identity import address_of
from threefold.web.problems import Problem, error_responses, problem_of
from threefold.web.protocol import ShownEvent, ShownView
from threefold.web.server import HttpRequest, server_of

MOST_MOVES = 6
LONGEST_MOVE = 60


class LessonShown(msgspec.Struct, kw_only=True):
    """A lesson: the first View of the learner, who is player 0, and the cards to point at."""

    key: str
    chapter: str
    view: ShownView
    point: list[str]


class LessonMoves(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The learner's moves since the lesson began."""

    moves: list[str]


class LessonTried(msgspec.Struct, kw_only=True):
    """The View after these moves, the events of the last one, and whether the lesson is done.

    `continues` says that the last move asks the learner something else; after any other move that does not complete the
    lesson, the learner tries again. `refused` explains why the last move is not allowed, and `warning` speaks against a
    last move that is legal, as at a table.
    """

    view: ShownView
    events: list[ShownEvent]
    done: bool
    continues: bool
    refused: Problem | None
    warning: TextForm | None


@get("/api/lessons/{game:str}", tags=["lessons"], responses=error_responses(404))
async def lessons(request: HttpRequest, game: str) -> list[LessonShown]:
    """The lessons of a game in order, each with the learner's View."""
    server_of(request).limits.check("heavy", address_of(request))
    kit = _kit(request, game)
    return [
        LessonShown(key=each.key, chapter=each.chapter, view=attempt(kit.game, each, ()).view, point=list(each.point))
        for each in kit.lessons
    ]


@post("/api/lessons/{game:str}/{key:str}", tags=["lessons"], responses=error_responses(403, 404), status_code=200)
async def try_lesson(request: HttpRequest, game: str, key: str, data: LessonMoves) -> LessonTried:
    """Plays the learner's moves from the beginning of a lesson. If the last one is refused, the answer explains why."""
    server_of(request).limits.check("puzzles", address_of(request))
    if len(data.moves) > MOST_MOVES:
        raise refuse_field("too_many", field="moves", most=MOST_MOVES, count=len(data.moves))
    kit = _kit(request, game)
    outcome = attempt(kit.game, _lesson(kit, key), [move[:LONGEST_MOVE] for move in data.moves])
    events = [{**each, "says": say(event_text(game, each), viewer=LEARNER)} for each in outcome.events]
    refused = None if outcome.refused is None else problem_of(outcome.refused)
    warning = None if refused or kit.advice is None else kit.advice.warning(outcome.seen, outcome.events)
    return LessonTried(
        view=outcome.view,
        events=events,
        done=outcome.done,
        continues=outcome.continues,
        refused=refused,
        warning=None if warning is None else warning.as_json(),
    )


def _kit(request: HttpRequest, game: str) -> Kit:
    kits = server_of(request).kits
    return kits[one_of(game, "game", kits)]


def _lesson(kit: Kit, key: str) -> Lesson:
    for each in kit.lessons:
        if each.key == key:
            return each
    raise not_found("no_such_lesson", field="key", given=key[:40])


ROUTES = [lessons, try_lesson]
