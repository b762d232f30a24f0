"""An attempt at a lesson: the learner's moves so far, played with the real rules. Nothing is stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from threefold.game import Game, IllegalMove, Json
from threefold.lessons import LEARNER, Lesson


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of the learner's moves: the View, the events of the last move, and whether the lesson is done.

    `seen` is the View before the last move.

    `continues` says that the last move asks the learner something else (whom to give the pile to); after any other move
    that does not complete the lesson, the learner tries again from the beginning.
    """

    view: Json
    events: Sequence[Json] = ()
    done: bool = False
    continues: bool = False
    refused: IllegalMove | None = None
    seen: Json = None


def attempt(rules: Game[Any], lesson: Lesson, moves: Sequence[str]) -> Attempt:
    """Plays the learner's moves, one per second; a refused move changes nothing and is explained."""
    table = rules.new({"position": lesson.position})
    first = _asked(rules, table)
    events: list[Json] = []
    done, seen = False, None
    for number, move in enumerate(moves, 1):
        try:
            step = rules.play(table, LEARNER, move, number * 1000 if rules.timed else None)
        except IllegalMove as refused:
            return Attempt(rules.view(table, LEARNER), events, done, refused=refused)
        seen, table = rules.view(table, LEARNER), step.table
        events = [each.seen_by(LEARNER) for each in step.events]
        done = done or any(lesson.reached(each) for each in step.events)
    continues = not done and _asked(rules, table) not in (None, first)
    return Attempt(rules.view(table, LEARNER), events, done, continues, seen=seen)


def _asked(rules: Game[Any], table: Any) -> str | None:
    """The question to the learner, if the table waits for nobody else."""
    asked = {each.player: each.question for each in rules.decisions(table) if each.player is not None}
    return asked.get(LEARNER) if len(asked) == 1 else None
