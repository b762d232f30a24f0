"""An attempt at a lesson: the learner's moves so far, played with the real rules. Nothing is stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from threefold.game import Game, IllegalMove, Json
from threefold.lessons import LEARNER, Lesson


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of the learner's moves: the View, the events of the last move, and whether the lesson is done."""

    view: Json
    events: Sequence[Json] = ()
    done: bool = False
    refused: IllegalMove | None = None


def attempt(rules: Game[Any], lesson: Lesson, moves: Sequence[str]) -> Attempt:
    """Plays the learner's moves, one per second; a refused move changes nothing and is explained."""
    table = rules.new({"position": lesson.position})
    events: list[Json] = []
    done = False
    for number, move in enumerate(moves, 1):
        try:
            step = rules.play(table, LEARNER, move, number * 1000 if rules.timed else None)
        except IllegalMove as refused:
            return Attempt(rules.view(table, LEARNER), events, done, refused)
        table = step.table
        events = [each.told(LEARNER) for each in step.events]
        done = done or any(lesson.reached(each) for each in step.events)
    return Attempt(rules.view(table, LEARNER), events, done)
