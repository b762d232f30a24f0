"""What a simulation says is what was played: shares add up, pages and files hold it, runs stop when they should."""

import csv
import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from threefold.karma.design import code_from_design, design_from_json
from threefold.karma.simulation import KarmaResult
from threefold.setgame.simulation import SetResult
from threefold.simulation import compare, runner, simulate, try_design
from threefold.simulation.export import write_csv, write_parquet
from threefold.simulation.jobs import CHUNK
from threefold.simulation.report import report_page
from threefold.simulation_parts.statistics import difference, share

BOTS = ["sharp", "careful", "random", "careful"]


@pytest.fixture(scope="module")
def karma() -> KarmaResult:
    found = simulate("karma", "second_edition", players=BOTS, games=2 * CHUNK, seed="results", keep_games=True)
    assert isinstance(found, KarmaResult)
    return found


@pytest.fixture(scope="module")
def full() -> SetResult:
    found = simulate("set", "full", players=["human4", "human2"], games=CHUNK, seed="results", keep_games=True)
    assert isinstance(found, SetResult)
    return found


def test_every_game_has_one_loser_or_none(karma: KarmaResult) -> None:
    lost = sum(each.rate.value for each in karma.by_player)
    assert lost + karma.stopped.value + karma.nobody_lost.value == pytest.approx(1)
    assert sum(each.value for each in karma.by_seat) == pytest.approx(lost)


def test_the_histogram_counts_every_game(karma: KarmaResult) -> None:
    assert sum(count for _, count in karma.histogram) == karma.games == len(karma.rows)
    mean = sum(turns * count for turns, count in karma.histogram) / karma.games
    assert mean == pytest.approx(karma.turns.value)


def test_rows_of_games_add_up_to_the_tally(karma: KarmaResult) -> None:
    rows = karma.game_rows()
    assert sum(row["pick_ups"] for row in rows) == karma.tally["pick_ups"]
    assert sum(row["loser_bot"] == "random" for row in rows) == karma.tally["losses"][2]
    assert {row["ending"] for row in rows} <= {"one_left", "turn_limit"}
    assert [row["rotation"] for row in rows[:5]] == [0, 1, 2, 3, 0]


def test_all_cards_are_counted(karma: KarmaResult) -> None:
    assert len(karma.cards) == 24
    assert all(card.cards_per_game >= card.plays_per_game > 0 for card in karma.cards)
    assert all(0.2 < card.lost_when_dealt.value < 0.3 for card in karma.cards)


def test_twelve_cards_hold_as_many_sets_as_they_must() -> None:
    first = simulate("set", "full", players=["perfect", "perfect"], games=CHUNK, seed="first")
    assert isinstance(first, SetResult)
    twelve = first.layouts[12]
    empty = twelve[0] / sum(twelve)
    assert (
        0.03 < empty < 0.09
    )  # a first layout holds none one time in thirty; later ones, from what is left, more often
    assert first.reached[12].value == 1 > first.reached[15].value > first.reached[18].value
    assert first.tally["lost"] == 0


def test_sets_of_all_players_are_the_sets_found(full: SetResult) -> None:
    assert sum(each.numbers["sets"] for each in full.by_player) == pytest.approx(full.sets.value)
    assert full.bots["human4"].low > full.bots["human2"].high
    assert sum(each.value for each in full.endings.values()) == pytest.approx(1)


def test_the_page_is_complete_in_itself_and_well_formed(karma: KarmaResult, full: SetResult) -> None:
    for result in (karma, full):
        page = report_page(result)
        assert not re.search(r"(src|href)=|url\(|@import|<script", page)
        assert page.count("<svg") >= 4
        assert "prefers-color-scheme: dark" in page
        for plot in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
            ET.fromstring(plot)  # noqa: S314 (our own)
            assert "nan" not in plot


def test_games_are_written_as_csv_and_parquet(karma: KarmaResult, tmp_path: Path) -> None:
    write_csv(karma, tmp_path / "games.csv")
    with (tmp_path / "games.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == karma.games
    assert rows[0]["turns"] == str(karma.game_rows()[0]["turns"])
    parquet = import_module("pyarrow.parquet")
    write_parquet(karma, tmp_path / "games.parquet")
    assert parquet.read_table(tmp_path / "games.parquet").to_pylist() == karma.game_rows()


def test_a_run_stops_when_it_is_precise_enough_whatever_the_workers() -> None:
    runs = [
        simulate("karma", "mini_round", players=["careful"] * 2, games=50_000, until=0.01, workers=n) for n in (1, 2)
    ]
    assert runs[0].precise_enough
    assert CHUNK <= runs[0].games < 50_000
    assert runs[0].as_json() == runs[1].as_json()
    assert runs[0].bots["careful"].margin <= 0.01


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_gives_the_result_so_far(workers: int) -> None:
    def interrupt(progress: runner.Progress) -> None:
        if progress.games >= 2 * CHUNK:
            raise KeyboardInterrupt

    found = simulate("karma", players=["careful"] * 2, games=100 * CHUNK, workers=workers, on_progress=interrupt)
    assert found.interrupted
    whole = simulate("karma", players=["careful"] * 2, games=2 * CHUNK)
    assert {**found.as_json(), "interrupted": False} == whole.as_json()


def test_progress_tells_rate_and_time_left() -> None:
    seen: list[runner.Progress] = []
    simulate("karma", players=["careful"] * 2, games=3 * CHUNK, on_progress=seen.append, workers=1)
    assert [each.games for each in seen] == [CHUNK, 2 * CHUNK, 3 * CHUNK]
    assert seen[0].rate > 0
    assert seen[-1].seconds_left == 0


# ---------------------------------------------------------------- Comparisons


def test_the_same_on_both_sides_differs_in_nothing() -> None:
    side = {"game": "karma", "players": ["careful"] * 3}
    found = compare(side, side, games=CHUNK)
    assert found.sentence == "No difference can be seen in 1,000 games."
    assert all(each.difference.value == 0 for each in found.differences)


def test_a_better_player_loses_clearly_less() -> None:
    first = {"game": "karma", "players": ["random", "careful", "careful"]}
    found = compare(first, {**first, "players": ["careful"] * 3}, games=CHUNK)
    lost = found["games lost by player 1 (random, then careful)"]
    assert lost.is_clear
    assert lost.difference.high < -0.3
    assert lost.sentence in [each.sentence for each in found.differences]
    assert json.loads(json.dumps(found.as_json()))["differences"][0]["clear"]


def test_common_cards_make_differences_surer() -> None:
    first: dict[str, Any] = {"game": "karma", "players": ["sharp", *["careful"] * 3]}
    found = compare(first, {**first, "players": ["careful"] * 4}, games=8 * CHUNK)
    lost = found["games lost by player 1 (sharp, then careful)"]
    sides = (share(round(rate * 8 * CHUNK), 8 * CHUNK) for rate in (lost.first, lost.second))
    assert lost.difference.margin < 0.9 * difference(*sides).margin


def test_editions_and_variants_are_compared() -> None:
    found = compare(
        {"game": "set", "rules": "full", "players": ["human5"] * 2},
        {"game": "set", "rules": "small_deck", "players": ["human5"] * 2},
        games=CHUNK,
    )
    assert found["SETs a game"].difference.high < 0


# ---------------------------------------------------------------- Designed cards


def code(*powers: dict[str, object], leaves: bool = False) -> str:
    return code_from_design(design_from_json({"name": "Tried", "leaves": leaves, "powers": list(powers)}))


@pytest.mark.rule("K66")
def test_a_designed_card_is_tried_in_bulk() -> None:
    broom = code({"power": "clear_pile"}, leaves=True)
    trial = try_design(broom, "classic", players=["careful"] * 4, games=8 * CHUNK)
    assert trial.turns.low < trial.turns.value < trial.turns.high
    assert trial.pick_ups.high < 0
    assert trial.holder.high < 0
    assert trial.plays_per_game > 0.5
    assert len(trial.by_seat) == 4
    assert trial.warnings == []
    said = json.loads(json.dumps(trial.as_json()))
    assert said["holder"]["difference"]["high"] < 0
    assert len(said["sentences"]) == 5


@pytest.mark.rule("K66")
def test_a_card_with_which_games_stop_ending_is_warned_of() -> None:
    endless = code({"power": "give_pile"}, {"power": "change_seats"})
    trial = try_design(endless, "classic", copies=6, players=["careful"] * 4, games=2 * CHUNK)
    assert "Games stop ending" in trial.warnings[0]
    assert trial.warnings[0] in trial.sentences()
