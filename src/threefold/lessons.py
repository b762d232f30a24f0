"""Lesson: a small position of a real game, solved in one or two moves. Each game's own folder has its lessons.

A lesson holds no rules: the engine lists the legal moves, plays them and explains refusals. Only the words that lead
from one lesson to the next are the page's (`alone.learn.…`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from threefold.game import Event, Json

LEARNER = 0
"""The learner is player 0."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position, the event that ends the lesson, and cards to point at. A chapter is a series of lessons."""

    key: str
    position: str
    event: str
    facts: Mapping[str, Json] = field(default_factory=dict)
    point: tuple[str, ...] = ()
    chapter: str = "basics"

    def reached(self, event: Event) -> bool:
        """Does this event complete the lesson?"""
        facts = event.seen_by(LEARNER)
        return event.name == self.event and all(facts[name] == value for name, value in self.facts.items())
