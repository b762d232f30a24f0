"""Analysis of a finished game: how the chance to lose changed for every player, and what changed it.

For each player, the outcome (1: lost) is the sum of four terms: the start (a fair share), luck, the player's own
errors, and what the others chose.

- Luck: what the deal, a draw or a flip changed. After an own move it is the value of the position that came of it,
  less the value of the move, which was estimated before its cards were seen.
- An own error: the value of the move that was made, less the value of the best move, unless that is noise.
- The rest of each change is what the others chose.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import local
from typing import Final, Literal, TypedDict

from threefold.game import Event
from threefold.karma.notation import parse_move
from threefold.karma.search import Desk
from threefold.karma.table import Table
from threefold.karma.valuation import Value, outcome, position, value
from threefold.shuffle import random_from

REDEALS: Final = 1_200
"""Redeals for each position, shared by the players whose values are wanted."""
TURNING_POINTS: Final = 3
DEAL: Final = 0
"""The number of the change before the first move."""

Cause = Literal["luck", "error", "others"]
MoveMade = tuple[int | None, str, Table, Sequence[Event]]
"""Who moved (None: time ran out), the move in notation, the table after it, and its events."""


class DecisionForm(TypedDict):
    """A decision between several moves; `error` is 0 if nothing else was clearly better. Shares of games lost."""

    move: int
    player: int
    made: str
    best: str
    error: float
    noise: float


class TurningPointForm(TypedDict):
    """A move after which a player's chance to lose was clearly different, and the largest term of the change."""

    move: int
    player: int
    before: float
    after: float
    cause: Cause


class SummaryForm(TypedDict):
    """One player's terms: `outcome` is the sum of `start`, `luck`, `errors` and `others`.

    `adjusted` is the outcome without luck, and `error` the mean error of a decision.
    """

    player: int
    outcome: float
    start: float
    luck: float
    errors: float
    others: float
    adjusted: float
    decisions: int
    error: float


class AnalysisForm(TypedDict):
    """The analysis of a game. `losing` has for each player analysed the chance to lose after each number of moves."""

    players: list[int]
    losing: list[list[float]]
    decisions: list[DecisionForm]
    turning_points: list[TurningPointForm]
    summaries: list[SummaryForm]


@dataclass(slots=True)
class Change:
    """How one move changed a player's chance to lose."""

    luck: float = 0.0
    error: float = 0.0
    others: float = 0.0

    @property
    def whole(self) -> float:
        """All of it."""
        return self.luck + self.error + self.others

    @property
    def cause(self) -> Cause:
        """The largest term."""
        terms: dict[Cause, float] = {"luck": self.luck, "error": self.error, "others": self.others}
        return max(terms, key=lambda name: abs(terms[name]))


@dataclass(slots=True)
class Curve:
    """One player's values before each move and at the end."""

    player: int
    values: list[Value] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)


class Game:
    """A finished game: the tables before and after its moves."""

    def __init__(self, first: Table, moves: Iterable[MoveMade]) -> None:
        self.tables, self.movers, self.numbers, self.events = (
            [first],
            list[int | None](),
            list[int](),
            list[Sequence[Event]](),
        )
        for mover, text, table, events in moves:
            self.movers.append(mover)
            self.numbers.append(parse_move(first.deal.edition, text))
            self.tables.append(table)
            self.events.append(events)

    def __len__(self) -> int:
        return len(self.movers)

    def own_move(self, at: int, player: int) -> int | None:
        """The move that the player made at this table; None: somebody else moved, or the game was over."""
        return self.numbers[at] if at < len(self) and self.movers[at] == player else None

    def is_flip(self, at: int) -> bool:
        """Did this move turn up a card that nobody could choose?"""
        return any(event.name == "card_flipped" for event in self.events[at])


def analyse(
    new_desk: Callable[[], Desk],
    first: Table,
    moves: Iterable[MoveMade],
    *,
    seed: str,
    players: Sequence[int] | None = None,
    redeals: int = REDEALS,
    threads: int = 1,
    on_progress: Callable[[float], None] = lambda _: None,
) -> AnalysisForm:
    """Analyses a finished game for all players or some. The number of threads makes no difference to the result."""
    game = Game(first, moves)
    chosen = list(range(first.players)) if players is None else list(players)
    share = max(1, redeals // len(chosen))
    desks = local()

    def estimate(task: tuple[int, int]) -> Value | None:
        player, at = task
        table = game.tables[at]
        if (known := outcome(table, player)) is not None:
            return Value(known, known)
        seen = position(table, player, game.own_move(at, player))
        if seen is None:
            return None
        if not hasattr(desks, "desk"):
            desks.desk = new_desk()
        return value(desks.desk, seen, share, random_from(seed, f"analysis {player} {at}"))

    tasks = [(player, at) for player in chosen for at in range(len(game) + 1)]
    found: list[Value | None] = []
    with ThreadPoolExecutor(threads) as pool:
        for each in pool.map(estimate, tasks):
            found.append(each)
            on_progress(len(found) / len(tasks))
    size = len(game) + 1
    curves = [_curve(game, player, found[i * size : (i + 1) * size]) for i, player in enumerate(chosen)]
    return _report(curves, first.players)


def _curve(game: Game, player: int, found: Sequence[Value | None]) -> Curve:
    """The values and their changes. A position whose value is not known keeps the value of the one before."""
    start = 1 / game.tables[0].players
    curve, before = Curve(player), Value(start, start)
    for each in found:
        before = Value(before.best, before.best) if each is None else each
        curve.values.append(before)
    curve.changes.append(Change(luck=curve.values[0].usual - start))
    curve.changes[DEAL].others = curve.values[0].best - start - curve.changes[DEAL].luck
    for at in range(len(game)):
        before, after = curve.values[at], curve.values[at + 1]
        change = Change()
        if game.movers[at] == player:
            change.error = before.made - before.best
            change.luck = after.usual - before.made
        elif game.is_flip(at):
            change.luck = after.usual - before.best
        change.others = after.best - before.best - change.error - change.luck
        curve.changes.append(change)
    return curve


def _report(curves: Sequence[Curve], players: int) -> AnalysisForm:
    return {
        "players": [each.player for each in curves],
        "losing": [[each.best for each in curve.values] for curve in curves],
        "decisions": sorted(_decisions(curves), key=lambda each: each["move"]),
        "turning_points": _turning_points(curves),
        "summaries": [_summary(curve, 1 / players) for curve in curves],
    }


def _decisions(curves: Sequence[Curve]) -> Iterator[DecisionForm]:
    for curve in curves:
        for number, each in enumerate(curve.values, 1):
            if (made := each.decision) is not None:
                yield {
                    "move": number,
                    "player": curve.player,
                    "made": made.made,
                    "best": made.best,
                    "error": made.error,
                    "noise": made.noise,
                }


def _turning_points(curves: Sequence[Curve]) -> list[TurningPointForm]:
    """The moves that changed a player's chance most, in order; at most one for each move."""
    points: dict[int, TurningPointForm] = {}
    size: dict[int, float] = {}
    for curve in curves:
        for at, change in enumerate(curve.changes[1:], 1):
            if abs(change.whole) > size.get(at, 0.0):
                size[at] = abs(change.whole)
                before, after = curve.values[at - 1].best, curve.values[at].best
                points[at] = {
                    "move": at,
                    "player": curve.player,
                    "before": before,
                    "after": after,
                    "cause": change.cause,
                }
    largest = sorted(points, key=lambda at: -size[at])[:TURNING_POINTS]
    return [points[at] for at in sorted(largest)]


def _summary(curve: Curve, start: float) -> SummaryForm:
    luck, errors, others = (sum(getattr(each, name) for each in curve.changes) for name in ("luck", "error", "others"))
    decisions = sum(each.decision is not None for each in curve.values)
    result = curve.values[-1].best
    return {
        "player": curve.player,
        "outcome": result,
        "start": start,
        "luck": luck,
        "errors": errors,
        "others": others,
        "adjusted": result - luck,
        "decisions": decisions,
        "error": errors / decisions if decisions else 0.0,
    }
