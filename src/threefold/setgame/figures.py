"""A person's figures over many games of SET: times by difficulty, and personal bests, each with its game."""

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from threefold.game import Json
from threefold.setgame.review import times_by_features


class TimesForm(TypedDict):
    """How fast a player found SETs that differ in `features` features."""

    features: int
    count: int
    best_ms: int | None
    median_ms: int | None


class BestForm(TypedDict):
    """A personal best and the id of its game."""

    value: int
    game: str


class FiguresForm(TypedDict):
    """A person's figures over many games of SET."""

    found: int
    wrong: int
    times: list[TimesForm]
    fastest: BestForm | None
    fastest_solitaire: BestForm | None
    fewest_missed: BestForm | None
    most_found: BestForm | None


def figures(rows: Sequence[Any]) -> FiguresForm:
    """From the results of finished games; `figures` of a row are those that the review kept of the player."""
    times = [(*time, each.id) for each in rows for time in each.figures["times"]]
    solved = [each for each in rows if each.what == "solitaire" and each.result == "won"]
    played_out = [each for each in rows if each.result in ("won", "lost") and each.figures["times"]]
    return {
        "found": len(times),
        "wrong": sum(each.figures["wrong"] for each in rows),
        "times": times_by_features(time[:2] for time in times),
        "fastest": _best(((ms, game) for _, ms, game in times)),
        "fastest_solitaire": _best((each.figures["took_ms"], each.id) for each in solved),
        "fewest_missed": _best((each.figures["missed"], each.id) for each in played_out),
        "most_found": _best((-len(each.figures["times"]), each.id) for each in rows if each.figures["times"]),
    }


def _best(values: Iterable[tuple[int, str]]) -> Json:
    best: Any = min(values, default=None)
    return None if best is None else {"value": abs(best[0]), "game": best[1]}
