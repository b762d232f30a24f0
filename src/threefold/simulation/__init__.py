"""Simulations of many games between bots, with confidence intervals: `simulate`, `compare`, `try_design`.

>>> from threefold.simulation import simulate
>>> result = simulate("karma", "classic", players=["careful", "random", "random", "random"], games=2000, seed="one")
>>> result.bots["careful"].high < 0.25
True
"""

from collections.abc import Mapping, Sequence
from typing import Any

from threefold.game import Json
from threefold.games import KITS
from threefold.kit import Kits
from threefold.simulation.comparison import Comparison, compare_results
from threefold.simulation.jobs import spec_from
from threefold.simulation.runner import OnProgress, Progress, run
from threefold.simulation_parts.plots import dot_plot, histogram
from threefold.simulation_parts.results import Result, rates_by_bot
from threefold.simulation_parts.spec import Spec, Tally, Trial, simulated
from threefold.simulation_parts.statistics import Estimate

__all__ = [
    "Comparison",
    "Estimate",
    "Progress",
    "Result",
    "Trial",
    "compare",
    "dot_plot",
    "histogram",
    "simulate",
    "try_design",
]

GAMES = 100_000
TRIAL_GAMES = 40_000
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
    kits: Kits = KITS,
    on_progress: OnProgress | None = None,
) -> Any:
    """Plays many games between bots and returns their statistics.

    `rules` is an edition or a variant: a name, or a house edition. `until=0.002` stops as soon as the
    rate of every bot is known to ±0.2 %. `keep_games` keeps a row for each game. The same seed gives the same result
    with any number of workers. Ctrl-C stops early and returns the result so far.
    """
    spec = spec_from(game, rules, players, seed, options, turn_limit, plain=plain, kits=kits)
    played = run(
        spec,
        games,
        workers=workers,
        dask=dask,
        keep_rows=keep_games,
        enough=None if until is None else lambda tally: is_precise(spec, tally, until),
        on_progress=on_progress,
    )
    return simulated(spec.kit).result(played)


def is_precise(spec: Spec, tally: Tally, margin: float) -> bool:
    """Is the rate of every bot known to this margin?"""
    rates = rates_by_bot(spec.players, tally[simulated(spec.kit).result.rated], tally["games"])
    return all(rate.margin <= margin for rate in rates.values())


def compare(
    first: Mapping[str, Json],
    second: Mapping[str, Json],
    *,
    games: int = GAMES,
    seed: str = SEED,
    workers: int | None = None,
    dask: str | None = None,
    on_progress: OnProgress | None = None,
) -> Comparison:
    """Plays two simulations with the same seed and compares them game by game.

    Each side holds arguments of `simulate`: `{"game": "karma", "rules": "classic", "players": [...]}`.
    """
    sides = [
        simulate(**side, games=games, seed=seed, workers=workers, dask=dask, on_progress=on_progress, keep_games=True)
        for side in (first, second)
    ]
    return compare_results(*sides)


def try_design(
    code: str,
    rules: Json = None,
    *,
    copies: int = 3,
    players: Sequence[str] | None = None,
    games: int = TRIAL_GAMES,
    seed: str = "design",
    workers: int | None = None,
    kits: Kits = KITS,
    on_progress: OnProgress | None = None,
) -> Any:
    """Simulates published rules with a designed card, by its code, and without it."""
    offered = kits.offering(lambda kit: kit.designs)
    assert offered is not None, "no game has designed cards"
    kit = offered[0]
    own = simulated(kit.reference)
    bots = own.trial_bots if players is None else players

    def play(each: Json) -> Any:
        arguments: dict[str, Any] = {"players": bots, "games": games, "seed": seed, "workers": workers, "kits": kits}
        return simulate(kit.name, each, **arguments, on_progress=on_progress)

    return own.try_design(code, kit.name_of_way({}) if rules is None else rules, copies, play)
