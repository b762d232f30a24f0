"""A saved game is JSON of its set-up and its moves; loading replays it, or says at which move it does not replay."""

import json

import pytest

from threefold import karma, saved
from threefold.game import BadSetup, Json
from threefold.karma import KARMA
from threefold.records import flat
from threefold.saved import FORMAT, Move, load, save

SET_UPS: list[dict[str, Json]] = [
    {"edition": "classic", "players": 3, "dealer": 1, "seed": "v1:saved", "options": {}},
    {"edition": "mini_round", "players": 2, "dealer": 0, "seed": "v1:saved", "options": {"draw": "by hand"}},
    {"edition": {"karma": {"EXC": 6}}, "players": 2, "dealer": 0, "seed": "v1:saved", "options": {"decks": 2}},
    {"position": "second_edition; 0 hand SEA 8 9; 1 hand 9 10; 2 hand 7 8; turn 0; pile 5"},
]


def some_game(setup: dict[str, Json], length: int = 30) -> tuple[karma.Table, list[Move]]:
    """A game in which everyone makes the last of their legal moves."""
    table, moves = karma.new(setup), []
    for _ in range(length):
        for decision in karma.decisions(table)[:1]:
            moves.append(Move(decision.player, decision.moves[-1]))
            table = karma.play(table, decision.player, moves[-1].move).table
    return table, moves


@pytest.mark.parametrize("setup", SET_UPS)
def test_a_saved_game_is_its_set_up_beside_its_moves_and_replays_to_the_same_table(setup: dict[str, Json]) -> None:
    table, moves = some_game(setup)
    text = json.dumps(save(KARMA, table, moves))
    assert json.loads(text) == {
        "format": FORMAT,
        "game": "karma",
        "rules": KARMA.rules_version,
        **setup,
        "moves": [{"player": move.player, "move": move.move} for move in moves],
    }
    replay = load(json.loads(text))
    assert replay.game is KARMA
    assert flat(replay.table) == flat(table)
    assert list(replay.moves) == moves
    assert len(replay.events) == len(moves)
    assert all(replay.events)
    assert json.dumps(save(replay.game, replay.table, replay.moves)) == text


def test_a_game_without_a_seed_is_saved_with_the_one_it_drew() -> None:
    table = karma.new({"players": 2})
    kept = save(KARMA, table, [])
    assert kept["seed"].startswith("v2:")
    assert flat(load(kept).table) == flat(table)


def test_a_deck_that_was_given_is_saved() -> None:
    deck = [str(number) for number in range(1, 17)] * 3 + ["GIV", "TAB", "BOT", "LOW"] * 3
    table = karma.new({"players": 2, "deck": deck, "dealer": 0, "seed": "v1:a"})
    kept = save(KARMA, table, [])
    assert kept["deck"] == deck
    assert flat(load(kept).table) == flat(table)


def test_a_move_in_a_game_against_time_says_when() -> None:
    assert Move(0, "call", 5).as_json() == {"player": 0, "move": "call", "at": 5}
    assert Move(None, "time up", 5).as_json() == {"player": None, "move": "time up", "at": 5}


@pytest.mark.parametrize("at", [0, 3, 9])
def test_a_game_that_does_not_replay_is_refused_with_the_number_of_the_move(at: int) -> None:
    kept = save(KARMA, *some_game(SET_UPS[0], 10))
    kept["moves"][at]["move"] = "play 17"
    with pytest.raises(BadSetup) as refused:
        load(kept)
    assert refused.value.text.key == "saved.does_not_replay"
    assert refused.value.text.parameters["n"] == at + 1
    assert f"move {at + 1}, “play 17”" in str(refused.value)


def test_the_clause_that_refuses_a_move_is_told() -> None:
    kept = save(KARMA, karma.new(SET_UPS[3]), [Move(0, "play 8"), Move(0, "play 9")])
    with pytest.raises(BadSetup) as refused:
        load(kept)
    assert refused.value.clause == "K15"
    assert refused.value.text.parameters["n"] == 2


@pytest.mark.parametrize("player", [3, 99, None])
def test_a_move_of_nobody_at_the_table_does_not_replay(player: int | None) -> None:
    kept = save(KARMA, karma.new(SET_UPS[0]), [Move(player, "pick up")])
    with pytest.raises(BadSetup) as refused:
        load(kept)
    assert refused.value.text.key == "saved.does_not_replay"


GOOD = {"format": 1, "game": "karma", "rules": KARMA.rules_version, "players": 2, "seed": "v1:a", "moves": []}


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        (None, "setup.not_an_object"),
        ([], "setup.not_an_object"),
        ({}, "setup.missing_field"),
        ({**GOOD, "format": 2}, "setup.not_this_number"),
        ({**GOOD, "format": True}, "setup.not_this_number"),
        ({**GOOD, "format": "1"}, "setup.not_this_number"),
        ({**GOOD, "game": "bridge"}, "setup.not_one_of"),
        ({**GOOD, "rules": 0}, "setup.other_rules"),
        ({**GOOD, "rules": True}, "setup.other_rules"),
        ({**GOOD, "rules": float(KARMA.rules_version)}, "setup.other_rules"),
        ({**GOOD, "rules": None}, "setup.other_rules"),
        ({**GOOD, "moves": {}}, "setup.not_a_list"),
        ({**GOOD, "moves": ["pick up"]}, "setup.not_an_object"),
        ({**GOOD, "moves": [{}]}, "setup.missing_field"),
        ({**GOOD, "moves": [{"player": 0}]}, "setup.missing_field"),
        ({**GOOD, "moves": [{"player": "0", "move": "draw"}]}, "setup.not_a_number_between"),
        ({**GOOD, "moves": [{"player": 100, "move": "draw"}]}, "setup.not_a_number_between"),
        ({**GOOD, "moves": [{"player": 0, "move": 7}]}, "setup.not_a_text"),
        ({**GOOD, "moves": [{"player": 0, "move": "draw", "at": 5}]}, "setup.unknown_field"),
        ({**GOOD, "moves": [{"player": 0, "move": "draw", "why": "x"}]}, "setup.unknown_field"),
        ({**GOOD, "players": 99}, "setup.not_a_number_between"),
        ({**GOOD, "colour": "red"}, "setup.unknown_field"),
        ({name: value for name, value in GOOD.items() if name != "moves"}, "setup.missing_field"),
        ({name: value for name, value in GOOD.items() if name != "rules"}, "setup.missing_field"),
    ],
)
def test_what_is_no_saved_game_is_refused(wrong: Json, key: str) -> None:
    with pytest.raises(BadSetup) as refused:
        load(wrong)
    assert refused.value.text.key == key


def test_a_long_move_is_quoted_short() -> None:
    with pytest.raises(BadSetup) as refused:
        load({**GOOD, "moves": [{"player": 0, "move": "x" * 100_000}]})
    assert len(str(refused.value)) < 400


def test_the_good_one_is_good() -> None:
    assert saved.load(GOOD).moves == []
