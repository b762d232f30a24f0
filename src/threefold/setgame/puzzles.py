"""Puzzles: layouts with a known number of SETs, to be solved against the clock. One a day, and any number by seed.

A puzzle's cards depend only on the text of its seed; for daily puzzles that is the date (UTC) and `VERSION`. Any change
in how they are drawn needs a new version; the puzzles of a version never change.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType

from threefold.clauses import clause
from threefold.facts import EventForm
from threefold.game import BadSetup, Event, IllegalMove, Json
from threefold.setgame.cards import FULL_DECK, SET_SIZE, SMALL_DECK, format_cards, why, why_not
from threefold.setgame.notation import card_of
from threefold.setgame.search import DIFFICULTIES, Triple, all_sets, difficulty
from threefold.setgame.search import hint as easiest_set
from threefold.shuffle import Random, below, random_from
from threefold.texts import Text, TextForm

VERSION = 1


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of puzzle: the deck, the number of cards and the number of SETs."""

    name: str
    deck: int
    cards: int
    sets: int


KINDS = MappingProxyType(
    {
        each.name: each
        for each in (
            Kind("basic", deck=SMALL_DECK, cards=9, sets=4),
            Kind("advanced", deck=FULL_DECK, cards=12, sets=6),
        )
    }
)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A layout and all its SETs."""

    kind: Kind
    cards: tuple[int, ...]
    sets: tuple[Triple, ...]

    @property
    def difficulties(self) -> tuple[int, ...]:
        """The difficulty of each SET: the number of features in which its cards differ."""
        return tuple(difficulty(*each) for each in self.sets)

    @property
    def difficulty(self) -> int:
        """The difficulty of the puzzle: the sum over its SETs."""
        return sum(self.difficulties)

    def as_json(self, *, solved: bool = False) -> Json:
        """The puzzle for clients; its SETs only if `solved`."""
        shown = {
            "kind": self.kind.name,
            "cards": format_cards(list(self.cards)),
            "count": len(self.sets),
            "difficulty": self.difficulty,
        }
        if solved:
            shown["sets"] = [
                {"cards": format_cards(list(each)), "difficulty": hard}
                for each, hard in zip(self.sets, self.difficulties, strict=True)
            ]
        return shown

    def begin(self, at: int) -> "Solving":
        """Somebody looks at the puzzle for the first time."""
        return Solving(self, at)

    def hint(self, count: int) -> list[str]:
        """The first cards of the easiest SET, always of the same one."""
        return format_cards(list(easiest_set(self.cards, count)))

    def hint_reason(self, count: int) -> Text:
        """Why these cards belong together."""
        reasons = [each.as_json() for each in why(*easiest_set(self.cards, 3))]
        return Text(f"set.hint.{count}", {"reasons": reasons})


def kind_named(name: str) -> Kind:
    """The kind of puzzle with this name."""
    if name not in KINDS:
        raise BadSetup(Text("set.setup.unknown_puzzle", {"given": str(name)[:20], "allowed": ", ".join(KINDS)}), "P1")
    return KINDS[name]


@clause("P1")
def daily(name: str, day: date) -> Puzzle:
    """The puzzle of a day, the same for everyone: made from the date and the version alone."""
    return _draw_puzzle(kind_named(name), random_from(f"v1:daily-{VERSION}", f"{name} {day.isoformat()}"))


def practice(name: str, seed: str, number: int = 0) -> Puzzle:
    """A practice puzzle: number 0, 1, 2 … of a seed."""
    return _draw_puzzle(kind_named(name), random_from(seed, f"practice {VERSION} {name} {number}"))


TRAINING = Kind("training", deck=FULL_DECK, cards=12, sets=0)
MOST_TRAINING_SETS = 3
"""Few enough that a player has to search the layout."""


def training(differing: int | None, seed: str) -> Puzzle:
    """A layout for practice with one to three SETs, all of which differ in `differing` features (None: any number)."""
    random = random_from(seed, f"training {VERSION} {differing}")
    deck = list(range(FULL_DECK))
    while True:
        cards = _draw_cards(deck, TRAINING.cards, random)
        sets = all_sets(cards)
        if 1 <= len(sets) <= MOST_TRAINING_SETS and all(differing in (None, difficulty(*each)) for each in sets):
            return Puzzle(TRAINING, cards, tuple(sets))


def _draw_cards(deck: list[int], count: int, random: Random) -> tuple[int, ...]:
    """Draws `count` cards at random; reorders the deck."""
    for i in range(count):
        j = i + below(random, len(deck) - i)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck[:count])


def _draw_puzzle(kind: Kind, random: Random) -> Puzzle:
    """Draws layouts until one has the right number of SETs."""
    deck = list(range(kind.deck))
    while True:
        cards = _draw_cards(deck, kind.cards, random)
        sets = all_sets(cards)
        if len(sets) == kind.sets:
            return Puzzle(kind, cards, tuple(sets))


@dataclass(frozen=True, slots=True)
class Solving:
    """One person's progress in a puzzle. Immutable; times are in milliseconds."""

    puzzle: Puzzle
    began: int
    found: tuple[Triple, ...] = ()
    wrong: int = 0
    solved_in: int | None = None

    @property
    def left(self) -> int:
        """The number of SETs not found yet."""
        return len(self.puzzle.sets) - len(self.found)

    def guess(self, cards: Sequence[str], at: int) -> tuple["Solving", list[Event]]:
        """Tries three cards."""
        return guess(self, cards, at)


SOLVED, FOUND, AGAIN, WRONG = "puzzle_solved", "puzzle_set_found", "puzzle_set_again", "puzzle_wrong_set"
PUZZLE_EVENTS = (
    EventForm(WRONG, {"cards": list[str], "failing": list[TextForm], "wrong": int, "says": str}),
    EventForm(AGAIN, {"cards": list[str], "says": str}),
    EventForm(FOUND, {"cards": list[str], "count": int, "difficulty": int, "says": str}),
    EventForm(SOLVED, {"milliseconds": int, "wrong": int, "says": str}),
)
"""The outcomes of a guess, as the page gets them: each with its sentence."""


@clause("P2")
def guess(solving: Solving, names: Sequence[str], at: int) -> tuple[Solving, list[Event]]:
    """Tries three cards: a SET, a SET found before, or a wrong one, which is counted and explained."""
    if solving.solved_in is not None:
        raise IllegalMove(Text("set.refusal.puzzle_is_solved"), "P2")
    cards = [card_of(name) for name in names]
    if len(cards) != SET_SIZE:
        raise IllegalMove(Text("set.refusal.not_three_cards", {"count": len(cards)}), "P2")
    if len(set(cards)) != SET_SIZE:
        raise IllegalMove(Text("set.refusal.not_different"), "P2")
    foreign = [card for card in cards if card not in solving.puzzle.cards]
    if foreign:
        raise IllegalMove(Text("set.refusal.not_in_puzzle", {"cards": format_cards(foreign)}), "P2")
    shown = {"cards": format_cards(cards)}
    match = next((each for each in solving.puzzle.sets if set(each) == set(cards)), None)
    if match is None:
        failing = [reason.as_json() for reason in why_not(cards[0], cards[1], cards[2])]
        after = replace(solving, wrong=solving.wrong + 1)
        return after, [Event(WRONG, {**shown, "failing": failing, "wrong": after.wrong})]
    if match in solving.found:
        return solving, [Event(AGAIN, shown)]
    after = replace(solving, found=(*solving.found, match))
    events = [Event(FOUND, {**shown, "count": after.left, "difficulty": difficulty(*match)})]
    if after.left == 0:
        after = replace(after, solved_in=at - solving.began)
        events.append(Event(SOLVED, {"milliseconds": after.solved_in, "wrong": after.wrong}))
    return after, events


class SetPuzzles:
    """SET's puzzles, as a kit offers them."""

    kinds = MappingProxyType({kind.name: kind.sets for kind in KINDS.values()})
    differences = DIFFICULTIES
    solution_size = SET_SIZE

    def daily(self, kind: str, day: date) -> Puzzle:
        """The puzzle of a day."""
        return daily(kind, day)

    def training(self, differing: int | None, seed: str) -> Puzzle:
        """A layout for practice."""
        return training(differing, seed)

    def laid_out(self, cards: Sequence[str]) -> Puzzle | None:
        """The layout for practice with these cards; None if their number is wrong."""
        if len(cards) != TRAINING.cards:
            return None
        numbers = [card_of(name) for name in cards]
        return Puzzle(TRAINING, tuple(numbers), tuple(all_sets(numbers)))


PUZZLES = SetPuzzles()
