"""Searches in the record of a finished game are repeated from what their players could know."""

import copy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.live.room import Room, in_a_room, until
from threefold import karma
from threefold.game import BadSetup, Json
from threefold.games import KITS
from threefold.karma import Karma
from threefold.karma.table import Table
from threefold.karma.thoughts import SEARCH
from threefold.kit import Kits
from threefold.live import entries as e
from threefold.live.bot_proof import Proof, prove
from threefold.live.bot_runner import choice_of
from threefold.saved import Move, save
from threefold.shuffle import is_seed

KARMA = KITS["karma"]


@pytest.fixture(scope="module")
def record() -> Json:
    """A short game of three bots that search, with their thoughts."""
    table = karma.new({"edition": "mini_round", "players": 3, "seed": "v1:proof", "options": {"turn_limit": 12}})
    moves, thoughts = [], []
    while decisions := karma.decisions(table):
        player = decisions[0].player
        assert player is not None
        choice = choice_of(KARMA.reference, "hard", karma.view(table, player))
        assert choice is not None
        moves.append(Move(player, choice.move))
        thoughts.append(choice.thought)
        table = karma.play(table, player, choice.move).table
    return {"saved": save(KARMA.game, table, moves), "thoughts": thoughts}


def test_every_search_is_found_again(record: Json) -> None:
    searched = [each for each in record["thoughts"] if each is not None]
    assert len(searched) > 5
    assert len({each["seed"] for each in searched}) == len(searched)
    assert prove(record) == Proof(again=len(searched))


def other_reason(thought: Json) -> None:
    thought["percent"] += 1


def other_seed(thought: Json) -> None:
    thought["seed"], thought["redeals"] = "v1:other", thought["redeals"] + 1


@pytest.mark.parametrize("change", [other_reason, other_seed])
def test_a_thought_that_was_changed_is_found_out(record: Json, change: Callable[[Json], None]) -> None:
    changed = copy.deepcopy(record)
    number = next(i for i, each in enumerate(changed["thoughts"]) if each is not None and each["redeals"])
    change(changed["thoughts"][number])
    proof = prove(changed)
    assert proof.moved_otherwise == [number + 1]
    assert not proof.is_sound


def test_searches_of_another_version_are_counted_and_not_repeated(record: Json) -> None:
    changed = copy.deepcopy(record)
    for each in changed["thoughts"]:
        if each is not None:
            each["search"] += 1
    proof = prove(changed)
    assert proof.is_sound
    assert (proof.again, proof.other_version) == (0, sum(each is not None for each in record["thoughts"]))


@pytest.mark.parametrize(
    "wrong", [[1], [{"search": 1}], [{"search": 1, "rollouts": 10**9, "redeals": 1, "bot": "hard", "seed": "v1:x"}]]
)
def test_thoughts_that_are_none_are_refused(record: Json, wrong: Json) -> None:
    with pytest.raises(BadSetup):
        prove({**record, "thoughts": wrong})


class Leaky(Karma):
    """Its Views show the next card of the draw pile."""

    def view(self, table: Table, viewer: int | None) -> Json:
        next_card = table.draw_pile[table.draw_size - 1] if table.draw_size else None
        return {**super().view(table, viewer), "next_card": next_card}


def test_a_view_that_shows_more_than_its_player_may_know_is_found_out(record: Json) -> None:
    leaky = Kits([replace(KARMA, game=Leaky())])
    proof = prove(record, leaky)
    assert len(proof.peeked) > 3


def test_a_record_without_thoughts_has_nothing_to_repeat(record: Json) -> None:
    assert prove({"saved": record["saved"]}) == Proof()


def test_the_moves_of_bots_at_a_table_are_logged_with_what_it_takes_to_find_them_again(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", bots=("hard", "sharp"), setup={"edition": "mini_round"})
        await until(lambda: session.state.current is not None and session.state.current.moves == 2)
        entries = [e.decode(body) for _, body in await session.store.entries(session.id, 0, 100)]
        thoughts = {each.player: each.thought for each in entries if isinstance(each, e.Moved)}
        assert thoughts.keys() == {1, 2}
        assert (thoughts[1]["bot"], thoughts[1]["search"]) == ("hard", SEARCH)
        assert is_seed(thoughts[1]["seed"])
        assert thoughts[2] is None

    in_a_room(tmp_path, test)
