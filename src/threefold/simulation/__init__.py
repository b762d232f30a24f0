"""Many games at a time, with honest statistics: `simulate`, `compare`, `try_design`.

>>> from threefold.simulation import simulate
>>> result = simulate("karma", "classic", players=["careful", "random", "random", "random"], games=2000, seed="one")
>>> result.bots["careful"].high < 0.25
True
"""

from collections.abc import Mapping, Sequence

from threefold.game import Json
from threefold.simulation.comparison import Comparison, compared
from threefold.simulation.designs import Trial, try_design
from threefold.simulation.jobs import Spec, Tally, spec_from
from threefold.simulation.results import KarmaResult, Result, SetResult, result_of
from threefold.simulation.runner import Progress, Report, run
from threefold.simulation.statistics import Estimate, share

__all__ = [
    "Comparison",
    "Estimate",
    "KarmaResult",
    "Progress",
    "Result",
    "SetResult",
    "Trial",
    "compare",
    "simulate",
    "try_design",
]

GAMES = 100_000
SEED = "threefold"


def simulate(
    game: str,
    rules: Json | None = None,
    *,
    players: Sequence[str],
    games: int = GAMES,
    seed: str = SEED,
    options: Mapping[str, Json] | None = None,
    turn_limit: int | None = None,
    until: float | None = None,
    workers: int | None = None,
    dask: str | None = None,
    keep_games: bool = False,
    plain: bool = False,
    report: Report | None = None,
) -> KarmaResult | SetResult:
    """Plays many games between bots and says what came of them.

    `rules` is an edition of Karma (a name, or a house edition) or a variant of SET. `until=0.002` stops as soon as the
    rate of every bot is known to ±0.2 %. `keep_games` keeps a row for each game. The same seed gives the same result,
    whatever the number of workers. Ctrl-C ends it with the result so far.
    """
    chosen = ("classic" if game == "karma" else "full") if rules is None else rules
    spec = spec_from(game, chosen, players, seed, options, turn_limit, plain=plain)
    done = run(
        spec,
        games,
        workers=workers,
        dask=dask,
        keep_rows=keep_games,
        enough=None if until is None else lambda tally: is_precise(spec, tally, until),
        report=report,
    )
    result: KarmaResult | SetResult = result_of(done)
    return result


def is_precise(spec: Spec, tally: Tally, margin: float) -> bool:
    """Is the rate of every bot known to this margin?"""
    counts = tally["losses" if spec.game == "karma" else "wins"]
    totals: dict[str, list[int]] = {}
    for bot, count in zip(spec.players, counts, strict=False):
        total = totals.setdefault(bot, [0, 0])
        total[0] += count
        total[1] += tally["games"]
    return all(share(*total).margin <= margin for total in totals.values())


def compare(
    first: Mapping[str, Json],
    second: Mapping[str, Json],
    *,
    games: int = GAMES,
    seed: str = SEED,
    workers: int | None = None,
    dask: str | None = None,
    report: Report | None = None,
) -> Comparison:
    """Plays two simulations with the same seed and compares them game by game.

    Each side is what `simulate` takes: `{"game": "karma", "rules": "classic", "players": [...]}`.
    """
    sides = [
        simulate(**side, games=games, seed=seed, workers=workers, dask=dask, report=report, keep_games=True)
        for side in (first, second)
    ]
    return compared(*sides)
