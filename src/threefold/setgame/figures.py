"""A person's figures over many games of SET: times by difficulty, and personal bests, each with its game."""

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from threefold.game import Json
from threefold.setgame.review import TimesForm, times_by_features


class BestForm(TypedDict):
    """A personal best and the id of its game; `before` is the best of all other games, with its game."""

    value: int
    game: str
    before: int | None
    before_game: str | None


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
    ordered = sorted(values)
    if not ordered:
        return None
    best, game = ordered[0]
    before, before_game = next(((abs(value), other) for value, other in ordered if other != game), (None, None))
    return {"value": abs(best), "game": game, "before": before, "before_game": before_game}
