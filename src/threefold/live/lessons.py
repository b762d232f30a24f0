"""Lessons: small positions of the real games, solved in one or two moves.

A lesson holds no rules: the engine lists the legal moves, plays them and explains refusals. Only the words that lead
from one lesson to the next are the page's (`alone.learn.…`). Nothing is stored: an attempt is the moves so far.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from threefold.game import Event, IllegalMove, Json
from threefold.games import GAMES

LEARNER = 0
"""The learner is player 0."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position, the event that ends the lesson, and cards to point at."""

    key: str
    position: str
    event: str
    facts: Mapping[str, Json] = field(default_factory=dict)
    point: tuple[str, ...] = ()

    def reached(self, event: Event) -> bool:
        """Does this event complete the lesson?"""
        facts = event.told(LEARNER)
        return event.name == self.event and all(facts[name] == value for name, value in self.facts.items())


_OTHERS = "; 1 hand 8 9 13 up 6 11 12 down 5 14 15; 2 hand 1 7 16 up 10 13 14 down 2 4 9; turn 0"
_LATE = "; 1 hand 9 13 up 6 11 . down 5 14 15; 2 up 10 . . down 2 4 9; turn 0"

LESSONS: Mapping[str, tuple[Lesson, ...]] = MappingProxyType(
    {
        "karma": (
            Lesson(
                "higher",
                f"classic; 0 hand 3 7 12 up 4 9 16 down 1 6 LOW{_OTHERS}; pile 5; draw 8 2 11 3 BOT 10",
                "cards_played",
                {"player": LEARNER},
            ),
            Lesson(
                "same",
                f"classic; 0 hand 4 10 10 up 4 9 16 down 1 6 LOW{_OTHERS}; pile 2 6; draw 8 2 11 3 BOT 1",
                "cards_played",
                {"player": LEARNER, "count": 2},
            ),
            Lesson(
                "give",
                f"classic; 0 hand 2 4 GIV up 4 9 16 down 1 6 LOW{_OTHERS}; pile 8 11 15; draw 8 2 11 3 BOT 1",
                "pile_given",
                {"player": LEARNER},
            ),
            Lesson(
                "asks",
                f"classic; 0 hand 8 3 16 up 4 9 16 down 1 6 TAB{_OTHERS}; pile 12 LOW; draw 2 11 3 BOT 1",
                "cards_played",
                {"player": LEARNER},
            ),
            Lesson(
                "table",
                f"classic; 0 hand 3 6 TAB up 2 11 16 down 1 7 LOW{_OTHERS}; pile 12 15; draw 8 2 3 BOT 1",
                "cards_played",
                {"player": LEARNER, "from": "face_up"},
            ),
            Lesson(
                "bottoms",
                f"classic; 0 hand 4 7 BOT up 2 11 16 down 1 3 LOW{_OTHERS}; pile 3 10 15; draw 8 2 3 BOT 1",
                "bottom_moved_up",
                {"player": LEARNER},
            ),
            Lesson(
                "clear",
                f"classic; 0 hand 3 6 12 up 2 11 16 down 1 7 LOW{_OTHERS.replace('11 12', '11 15')}; pile 4 7 12 12;"
                " draw 8 2 3 BOT 1",
                "pile_cleared",
                {"player": LEARNER},
            ),
            Lesson(
                "pick_up",
                f"classic; 0 hand 2 3 5 up 4 11 16 down 1 7 LOW{_OTHERS}; pile 6 10 15; draw 8 2 3 BOT 1",
                "pile_picked_up",
                {"player": LEARNER},
            ),
            Lesson(
                "face_up",
                f"classic; 0 up 4 9 12 down 1 7 LOW{_LATE}; pile 3 7",
                "cards_played",
                {"player": LEARNER, "from": "face_up"},
            ),
            Lesson("out", "classic; 0 down . 8 .; 1 hand 9 13 up 6 . .; 2; turn 0; pile 2 5", "game_ended"),
        ),
        "set": (
            Lesson("same", "solitaire; players 1; layout 2RSO 3RSO 1RSO 2RSS 1GSS 1PSO; deck", "set_taken"),
            Lesson("different", "solitaire; players 1; layout 3GTS 2PTO 2RSD 1RSD 3GOS 1PSD; deck", "set_taken"),
            Lesson(
                "wrong",
                "solitaire; players 1; layout 1GTO 2GSS 3GSO 2ROD 1GSS 3PSS; deck",
                "wrong_set",
                point=("1GSS", "2GSS", "3PSS"),
            ),
            Lesson(
                "third",
                "solitaire; players 1; layout 1PTS 2POS 3PTD 2PTS 3POO 2PTO; deck",
                "set_taken",
                point=("1PTS", "2PTO"),
            ),
            Lesson(
                "find",
                "solitaire; players 1; layout 1GSD 2PTD 3PSD 3POS 3PSS 1RSS 2PSO 2PSD 2GTD 2GOD 3RTS 3GOD",
                "set_taken",
            ),
            Lesson(
                "call",
                "full; players 2; layout 2RSS 1GTD 2PSO 3PTS 2GSD 1ROD 3GOO 2ROS 1PTO 2GTS 1PTS 2GTD",
                "set_taken",
                {"player": LEARNER},
            ),
            Lesson(
                "none",
                "full; players 2; layout 3RSO 3GTO 1RSD 2GSO 3RTO 2ROO 3ROD 3GTS 3GOS 2GOO 2GOS 2RSO; agreed 1",
                "all_agreed",
            ),
            Lesson(
                "fifteen",
                "full; players 2; layout 1PTS 1ROD 1GTD 2PSD 3PTO 1GSO 2PSO 3PSO 2ROD 1PTD 3GOS 3ROO 2GTO 3GOD 2GOO;"
                " control 0 60000",
                "set_taken",
            ),
            Lesson(
                "end",
                "full; players 2; layout 3PSO 2POO 3PTS 3ROS 2RTO 3GSS; deck; control 0 60000; score 6 6; sets 6 6",
                "game_ended",
            ),
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of the learner's moves: the View, the events of the last move, and whether the lesson is done."""

    view: Json
    events: Sequence[Json] = ()
    done: bool = False
    refused: IllegalMove | None = None


def attempt(game: str, lesson: Lesson, moves: Sequence[str]) -> Attempt:
    """Plays the learner's moves, one per second; a refused move changes nothing and is explained."""
    rules = GAMES[game]
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
