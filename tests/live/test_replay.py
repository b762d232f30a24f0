"""Replays: what each viewer saw, move by move, made from the moves alone; and what a person's games add up to."""

import json
from typing import Any

import pytest

from tests.finished import KARMA_WAYS, SET_WAYS, play_out
from threefold.games import KITS
from threefold.live.replay import Seeing, difference, timeline
from threefold.live.statistics import stats
from threefold.live.store import ResultRow

Json = Any
DAY = 86_400_000


def changed(value: Json, change: Json) -> Json:
    """The twin of what the page does with a change."""
    if change is None:
        return value
    sort, *rest = change
    if sort == "is":
        return rest[0]
    if sort == "keep":
        return value[: rest[0]] + rest[1]
    if isinstance(value, list):
        return [changed(each, rest[0].get(str(i))) for i, each in enumerate(value)]
    after = {name: changed(each, rest[0].get(name)) for name, each in value.items() if rest[0].get(name) != ["gone"]}
    return after | {name: each[1] for name, each in rest[0].items() if name not in value}


WAYS = [("karma", way) for way in KARMA_WAYS.values()] + [("set", way) for way in SET_WAYS.values()]


@pytest.mark.parametrize(("game", "way"), WAYS, ids=[*KARMA_WAYS, *SET_WAYS])
def test_the_frames_of_a_viewer_are_the_views_they_had(game: str, way: Json) -> None:
    bots = ["careful"] * 3 if game == "karma" else ["human4"] * (1 if way["variant"] == "solitaire" else 2)
    played = play_out(game, way, bots, most=120)
    rules = KITS[game].game
    viewers: list[Seeing] = ["open", *range(len(bots))]
    for seeing in viewers:
        made = timeline(played.saved, seeing)
        table = rules.new(played.setup)
        shown = made["first"]
        for move, step in zip(played.moves, made["steps"], strict=True):
            happened = rules.play(table, move.player, move.move, move.at)
            table = happened.table
            shown = changed(shown, step["change"])
            view = rules.open_view(table) if seeing == "open" else rules.view(table, seeing)
            for name in set(view) - {"moves", "anytime", "take", "awaits"}:
                assert shown[name] == view[name], name
            assert not shown["moves"]
            if seeing != "open":
                assert step["events"] == [event.seen_by(seeing) for event in happened.events]
        assert shown["ending"] == played.ending


def test_with_all_cards_open_every_hand_and_every_face_down_card_is_shown_and_for_a_player_only_theirs() -> None:
    played = play_out("karma", KARMA_WAYS["classic"], ["careful"] * 3)
    everything, own = timeline(played.saved, "open")["first"], timeline(played.saved, 1)["first"]
    assert all(len(seat["hand"]) == 6 for seat in everything["seats"])
    assert all(each["card"] for seat in everything["seats"] for each in seat["face_down"])
    assert [seat["hand"] is not None for seat in own["seats"]] == [seat["player"] == 1 for seat in own["seats"]]
    assert all(each["card"] is None for seat in own["seats"] for each in seat["face_down"])


def test_a_difference_leads_from_the_one_to_the_other() -> None:
    pairs: list[tuple[Json, Json]] = [
        ({"a": 1}, {"a": None}),
        ({"a": 1, "b": 2}, {"b": 2, "c": [1]}),
        ({"a": [1, 2]}, {"a": [1, 2, 3]}),
        ({"a": [1, 2]}, {"a": []}),
        ({"a": [{"x": 1}, None]}, {"a": [{"x": 2}, {"y": 3}]}),
        ({"a": {"b": [1, {"c": 2}]}}, {"a": {"b": [1, {"c": 3}]}}),
    ]
    for before, after in pairs:
        assert changed(before, json.loads(json.dumps(difference(before, after)))) == after
    assert difference({"a": [1]}, {"a": [1]}) is None


def row(number: int, result: str, day: int, *, what: str = "classic", figures: Json = None) -> ResultRow:
    game = "karma" if what == "classic" else "set"
    return ResultRow(f"g{number}", game, what, day * DAY, day * DAY + 1000, result, None, figures)


def test_games_add_up_to_results_and_streaks() -> None:
    rows = [row(1, "won", 10), row(2, "won", 11), row(3, "open", 11), row(4, "won", 12), row(5, "lost", 14)]
    found = stats(rows, 15 * DAY, 0)
    assert found["wins"] == {"best": 3, "now": 0}
    assert found["days"] == {"played": 4, "best": 3, "now": 1}, "yesterday's game keeps the streak alive"
    assert stats(rows, 16 * DAY, 0)["days"]["now"] == 0
    (counted,) = found["results"]
    assert (counted["games"], counted["won"], counted["lost"], counted["open"]) == (5, 3, 1, 1)
    assert stats([], DAY, 0)["days"] == {"played": 0, "best": 0, "now": 0}


def test_days_are_those_of_the_persons_own_clock() -> None:
    late = ResultRow("g", "karma", "classic", 0, 10 * DAY - 1000, "won", None, None)
    early = ResultRow("h", "karma", "classic", 0, 10 * DAY + 1000, "won", None, None)
    assert stats([late, early], 10 * DAY, 0)["days"]["played"] == 2
    assert stats([late, early], 10 * DAY, 60)["days"]["played"] == 1


def test_set_times_and_personal_bests_say_in_which_game_they_were() -> None:
    one = {"times": [[1, 4000], [4, 9000]], "wrong": 1, "missed": 2, "took_ms": 90_000}
    two = {"times": [[1, 2000]], "wrong": 0, "missed": 0, "took_ms": 70_000}
    rows = [row(1, "won", 1, what="full", figures=one), row(2, "won", 2, what="solitaire", figures=two)]
    found = stats(rows, 3 * DAY, 0)["figures"]["set"]
    assert found["fastest"] == {"value": 2000, "game": "g2", "before": 4000, "before_game": "g1"}
    assert found["fastest_solitaire"] == {"value": 70_000, "game": "g2", "before": None, "before_game": None}
    assert found["fewest_missed"] == {"value": 0, "game": "g2", "before": 2, "before_game": "g1"}
    assert found["most_found"] == {"value": 2, "game": "g1", "before": 1, "before_game": "g2"}
    assert found["times"][0] == {"features": 1, "count": 2, "best_ms": 2000, "median_ms": 3000}
    assert (found["found"], found["wrong"]) == (3, 1)
    assert stats([], DAY, 0)["figures"]["set"]["fastest"] is None
