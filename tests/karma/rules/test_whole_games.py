"""Whole games by players who choose any legal move, in plain Python: they end, and every card stays accounted for."""

import pytest

from benchmarks.karma_playouts import play_games
from tests.karma.conservation import is_conserved
from tests.karma.rules.steps import HOUSE, lay, tidy
from threefold.karma.decisions import legal_moves
from threefold.karma.editions import EDITIONS, Options, build
from threefold.karma.simulation.deal import shuffle_and_deal
from threefold.karma.table import ONE_LEFT, OVER, SEATS, SET_UP, TAPE, TURN_LIMIT, Moves, Table, Tape
from threefold.karma.turn import first_awaited, is_awaited, make_move
from threefold.records import blank, shapes
from threefold.shuffle import random_from

ANY = lay("classic; 0 hand 1; 1 hand 2; turn 0").deal
"""A table's deal is for views and texts; these games are played without."""


@pytest.mark.rule("K23", "K24")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_random_game_ends_with_a_loser_or_at_the_limit_and_no_card_is_lost(edition: str) -> None:
    e = build(EDITIONS[edition], Options(turn_limit=300))
    table, tape = blank(Table, deal=ANY), blank(Tape)
    tape.room = TAPE
    made = play_games([e], [table], [blank(Moves)], [tape], [random_from("v1:games")], 3, 3)
    assert made > 3 * 3
    assert table.awaits == OVER
    assert table.ending in (ONE_LEFT, TURN_LIMIT)
    assert is_conserved(e, table)


@pytest.mark.rule("K2", "K3", "K4")
def test_a_deal_leaves_nothing_of_the_game_before() -> None:
    e = build(EDITIONS["classic"], Options())
    fresh, used = blank(Table, deal=ANY), blank(Table, deal=ANY)
    for name, shape in shapes(Table).items():
        if shape:
            rows = getattr(used, name) if len(shape) == 2 else [getattr(used, name)]
            for row in rows:
                row[:] = [5] * len(row)
        else:
            setattr(used, name, 5)
    for table in (fresh, used):
        shuffle_and_deal(e, table, random_from("v1:a"), 6)
        for name, shape in shapes(Table).items():
            if shape and shape[0] == SEATS:
                del getattr(table, name)[6:]
    for rows in (fresh.hand, used.hand, fresh.known, used.known):
        for row in rows:
            del row[e.kinds :]
    del fresh.removed[e.kinds :], used.removed[e.kinds :]
    assert tidy(fresh) == tidy(used)


@pytest.mark.rule("K3", "K15")
def test_the_first_awaited_is_the_first_who_has_not_chosen_and_then_whose_turn_it_is() -> None:
    e = build(EDITIONS["classic"], Options())
    table, tape = blank(Table, deal=ANY), blank(Tape)
    shuffle_and_deal(e, table, random_from("v1:a"), 3)
    for chooser in (1, 0, 2):
        assert table.awaits == SET_UP
        assert first_awaited(table) == min(player for player in range(3) if is_awaited(table, player))
        make_move(e, table, tape, chooser, legal_moves(table, chooser)[0])
    assert first_awaited(table) == table.turn_player == (table.dealer + 1) % 3


def test_a_tape_without_room_stays_empty() -> None:
    table, tape = lay("classic; 0 hand 7; 1 hand 9; turn 0; pile 7 7"), blank(Tape)
    make_move(table.deal.edition, table, tape, 0, legal_moves(table, 0)[0])
    assert tape.size == 0
    assert table.awaits == OVER


@pytest.mark.parametrize("field", ["removed", "hand_size", "face_up_size", "face_down_size", "player_at"])
def test_a_lost_a_second_or_a_miscounted_card_is_noticed(field: str) -> None:
    table = lay(f"{HOUSE}; 0 hand 7 up 8 . . down 9 . .; 1 hand 9; turn 0; pile 5; draw 6")
    assert is_conserved(table.deal.edition, table)
    getattr(table, field)[0] += 1
    assert not is_conserved(table.deal.edition, table)
