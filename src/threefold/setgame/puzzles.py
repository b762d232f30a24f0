"""Puzzles: a layout with a known number of SETs, to be found all against the clock. One a day, and any number by seed.

A puzzle's cards depend on the words of its seed alone: the date (UTC) and `VERSION` for the daily ones. A change in how
they are made is a new version; a version's puzzles stay as they are for ever.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from types import MappingProxyType

from threefold.clauses import clause
from threefold.game import BadSetup, Event, IllegalMove, Json
from threefold.setgame.cards import FULL_DECK, SMALL_DECK, format_cards, why_not
from threefold.setgame.notation import card_of
from threefold.setgame.search import Triple, all_sets, difficulty
from threefold.shuffle import Random, below, random_from
from threefold.texts import Text

VERSION = 1


@dataclass(frozen=True, slots=True)
class Kind:
    """A sort of puzzle: how many cards of which deck, with how many SETs."""

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
    """Cards and all their SETs."""

    kind: Kind
    cards: tuple[int, ...]
    sets: tuple[Triple, ...]

    @property
    def difficulties(self) -> tuple[int, ...]:
        """How hard each SET is to see: the number of features in which its cards differ."""
        return tuple(difficulty(*each) for each in self.sets)

    @property
    def difficulty(self) -> int:
        """How hard the puzzle is: its SETs' difficulties together."""
        return sum(self.difficulties)

    def as_json(self, *, solved: bool = False) -> Json:
        """As interfaces show it; the SETs only when it is solved."""
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


def kind_named(name: str) -> Kind:
    """The sort of puzzle with this name."""
    if name not in KINDS:
        raise BadSetup(Text("set.setup.unknown_puzzle", {"given": str(name)[:20], "allowed": ", ".join(KINDS)}), "P1")
    return KINDS[name]


@clause("P1")
def daily(name: str, day: date) -> Puzzle:
    """The puzzle of a day, the same for everyone: made from the date and the version alone."""
    return _made(kind_named(name), random_from(f"v1:daily-{VERSION}", f"{name} {day.isoformat()}"))


@clause("P1")
def day_of(at: int) -> date:
    """The date (UTC) of a moment given in milliseconds since 1970."""
    return datetime.fromtimestamp(at / 1000, UTC).date()


def practice(name: str, seed: str, number: int = 0) -> Puzzle:
    """One of as many practice puzzles as wanted: number 0, 1, 2 … of a seed."""
    return _made(kind_named(name), random_from(seed, f"practice {VERSION} {name} {number}"))


TRAINING = Kind("training", deck=FULL_DECK, cards=12, sets=0)
MOST_TO_TRAIN = 3
"""Few enough SETs that each layout has to be searched."""


def training(differing: int | None, seed: str) -> Puzzle:
    """A layout to practise with: all its SETs, one to three, differ in so many features (None: in any number)."""
    random = random_from(seed, f"training {VERSION} {differing}")
    deck = list(range(FULL_DECK))
    while True:
        cards = _drawn(deck, TRAINING.cards, random)
        sets = all_sets(cards)
        if 1 <= len(sets) <= MOST_TO_TRAIN and all(differing in (None, difficulty(*each)) for each in sets):
            return Puzzle(TRAINING, cards, tuple(sets))


def laid_out(cards: Sequence[int]) -> Puzzle:
    """These cards as a layout to practise with."""
    return Puzzle(TRAINING, tuple(cards), tuple(all_sets(cards)))


def _drawn(deck: list[int], count: int, random: Random) -> tuple[int, ...]:
    """So many cards from the deck, which is left in another order."""
    for i in range(count):
        j = i + below(random, len(deck) - i)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck[:count])


def _made(kind: Kind, random: Random) -> Puzzle:
    """Draws cards until they hold just the right number of SETs."""
    deck = list(range(kind.deck))
    while True:
        cards = _drawn(deck, kind.cards, random)
        sets = all_sets(cards)
        if len(sets) == kind.sets:
            return Puzzle(kind, cards, tuple(sets))


@dataclass(frozen=True, slots=True)
class Solving:
    """One person's way through a puzzle. A try gives a new one; times are milliseconds."""

    puzzle: Puzzle
    began: int
    found: tuple[Triple, ...] = ()
    wrong: int = 0
    solved_in: int | None = None


@clause("P2")
def guess(solving: Solving, names: Sequence[str], at: int) -> tuple[Solving, list[Event]]:
    """Tries three cards: a SET, one found before, or a wrong one, which is counted and explained."""
    if solving.solved_in is not None:
        raise IllegalMove(Text("set.refusal.puzzle_is_solved"), "P2")
    cards = [card_of(name) for name in names]
    if len(cards) != 3:
        raise IllegalMove(Text("set.refusal.not_three_cards", {"count": len(cards)}), "P2")
    if len(set(cards)) != 3:
        raise IllegalMove(Text("set.refusal.not_different"), "P2")
    strange = [card for card in cards if card not in solving.puzzle.cards]
    if strange:
        raise IllegalMove(Text("set.refusal.not_in_puzzle", {"cards": format_cards(strange)}), "P2")
    shown = {"cards": format_cards(cards)}
    match = next((each for each in solving.puzzle.sets if set(each) == set(cards)), None)
    if match is None:
        failing = [reason.as_json() for reason in why_not(cards[0], cards[1], cards[2])]
        after = replace(solving, wrong=solving.wrong + 1)
        return after, [Event("puzzle_wrong_set", {**shown, "failing": failing, "wrong": after.wrong})]
    if match in solving.found:
        return solving, [Event("puzzle_set_again", shown)]
    after = replace(solving, found=(*solving.found, match))
    left = len(solving.puzzle.sets) - len(after.found)
    events = [Event("puzzle_set_found", {**shown, "count": left, "difficulty": difficulty(*match)})]
    if left == 0:
        after = replace(after, solved_in=at - solving.began)
        events.append(Event("puzzle_solved", {"milliseconds": after.solved_in, "wrong": after.wrong}))
    return after, events
