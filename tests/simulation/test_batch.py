"""Many tables stepped together are the games that the engine plays, with its legal moves as masks."""

from typing import Any

import numpy as np
import pytest

from benchmarks.random_choices import choose_any
from tests.karma.laws.setups import ALL_RULES, Rules
from threefold.compiling import to_records
from threefold.karma.bot_view import KarmaView, look
from threefold.karma.decisions import legal_moves
from threefold.karma.simulation.deal import shuffle_and_deal
from threefold.karma.simulation.stepper import KarmaStepper
from threefold.karma.simulation.stepping import move_numbered, number_of
from threefold.karma.table import OVER, Table, Tape
from threefold.karma.turn import first_awaited, make_move
from threefold.records import blank, flat
from threefold.shuffle import random_from
from threefold.simulation.batch import Arrays, Batch


def stepper_of(batch: Batch) -> KarmaStepper:
    assert isinstance(batch.stepper, KarmaStepper)
    return batch.stepper


def dealt(batch: Batch, random: Any) -> Any:
    table = blank(Table, deal=type("", (), {"edition": stepper_of(batch).edition})())
    shuffle_and_deal(stepper_of(batch).edition, table, random, batch.players)
    return table


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_a_batch_plays_the_games_of_the_engine(rules: Rules) -> None:
    players = 3
    batch = Batch(rules.edition, players=players, tables=4, seed="law", options=rules.options, turn_limit=60)
    edition, numbering = stepper_of(batch).edition, stepper_of(batch).numbering
    arrays, chosen = batch.arrays(views=True), np.zeros(4, np.int64)
    batch.begin(arrays)
    randoms = [random_from("v1:law", f"table {i}") for i in range(4)]
    tables = [dealt(batch, each) for each in randoms]
    picks, tape, ends = to_records([random_from("v1:picks")]), blank(Tape), 0
    for _ in range(250):
        for i, table in enumerate(tables):
            player = first_awaited(table)
            assert arrays.awaited[i] == player
            numbers = {number_of(numbering, table, player, move): move for move in legal_moves(table, player)}
            assert set(np.flatnonzero(arrays.masks[i]).tolist()) == set(numbers)
            for number, move in numbers.items():
                assert move_numbered(numbering, table, player, number) == move
            seen = blank(KarmaView)
            look(edition, table, player, seen)
            assert flat(seen)[:80] == arrays.views[i : i + 1].view(np.int64)[:80].tolist()
        choose_any(arrays.masks, picks, chosen)
        for i, table in enumerate(tables):
            player = first_awaited(table)
            make_move(
                edition,
                table,
                tape,
                player,
                move_numbered(numbering, table, player, int(chosen[i])),
            )
        batch.step(chosen, arrays)
        for i, table in enumerate(tables):
            assert bool(arrays.ended[i]) == (table.awaits == OVER)
            if table.awaits == OVER:
                ends += 1
                assert arrays.losers[i] == table.loser
                shuffle_and_deal(edition, table, randoms[i], players)
    assert ends > 0


def test_the_number_of_tables_changes_no_game() -> None:
    seen = []
    for tables in (1, 5):
        batch = Batch("mini_round", players=2, tables=tables, seed="same")
        arrays, chosen = batch.arrays(), np.zeros(tables, np.int64)
        batch.begin(arrays)
        for _ in range(60):
            chosen[:] = np.argmax(arrays.masks, axis=1)
            batch.step(chosen, arrays)
        seen.append(arrays.masks[0].tolist())
    assert seen[0] == seen[1]


def test_a_move_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    batch = Batch(players=2, tables=3, seed="x")
    arrays = batch.arrays()
    batch.begin(arrays)
    before = arrays.masks.copy()
    chosen = np.argmax(arrays.masks, axis=1)
    for wrong in (0, -1, batch.moves):
        with pytest.raises(ValueError, match=f"table 1: move number {wrong} is not legal"):
            batch.step(np.array([chosen[0], wrong, chosen[2]]), arrays)
    assert (arrays.masks == before).all()


def test_the_callers_own_arrays_are_filled() -> None:
    batch = Batch(players=2, tables=8, seed="own")
    whole = np.zeros((16, batch.moves), np.uint8)
    numbers = np.zeros((3, 8), np.int64)
    arrays = Arrays(whole[8:], *numbers)
    batch.begin(arrays)
    assert whole[:8].sum() == 0
    assert (whole[8:].sum(axis=1) > 0).all()
    text = batch.move_text(0, int(numbers[0][0]), int(np.argmax(whole[8])))
    assert text.startswith("face up ")
