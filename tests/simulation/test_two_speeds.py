"""A simulation is the same at both speeds, with any number of workers, and on every run."""

import json
from typing import Any

import pytest

from threefold.game import BadSetup
from threefold.simulation import simulate
from threefold.simulation.jobs import CHUNK, play_chunk, spec_from

SPECS: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
    ("karma", "classic", ("sharp", "careful", "random")),
    ("karma", "classic_alternative_triples", ("sharp", "sharp")),
    ("karma", "second_edition", ("random", "sharp", "careful", "careful")),
    ("karma", "mini_round", ("careful", "sharp", "sharp", "random")),
    ("karma", "second_edition", ("beginner", "sharp", "beginner")),
    ("set", "full", ("human3", "perfect", "random")),
    ("set", "small_deck", ("human5", "human4")),
    ("set", "solitaire", ("human1",)),
    ("set", "twenty_twenty", ("human4", "human5", "perfect")),
)


@pytest.mark.parametrize(("game", "rules", "players"), SPECS)
def test_plain_and_compiled_simulations_are_equal_game_by_game(game: str, rules: str, players: tuple[str, ...]) -> None:
    plain = play_chunk(spec_from(game, rules, players, "both", plain=True), 2, 8, keep_rows=True)
    compiled = play_chunk(spec_from(game, rules, players, "both"), 2, 8, keep_rows=True)
    assert plain == compiled


@pytest.mark.parametrize("game", ["karma", "set"])
def test_the_number_of_workers_does_not_change_the_result(game: str) -> None:
    bots = {"karma": ["sharp", "careful", "random"], "set": ["human5", "human4"]}[game]
    results = [simulate(game, players=bots, games=3 * CHUNK + 7, seed="same", workers=n) for n in (1, 2, 3)]
    first, *others = [json.dumps(each.as_json()) for each in results]
    assert others == [first, first]


def test_processes_play_the_same_as_threads() -> None:
    bots = ["careful", "careful"]
    plain = simulate("karma", "mini_round", players=bots, games=CHUNK + 20, workers=2, plain=True)
    compiled = simulate("karma", "mini_round", players=bots, games=CHUNK + 20, workers=1)
    assert plain.as_json() == compiled.as_json()


def test_another_seed_gives_other_games() -> None:
    one, two = (simulate("karma", players=["careful"] * 2, games=100, seed=seed).as_json() for seed in ("a", "b"))
    assert one["turns"] != two["turns"]


def test_the_same_cards_are_dealt_whatever_the_players_choose() -> None:
    one, two = (
        simulate("karma", players=bots, games=50, seed="cards")
        for bots in (["random"] * 3, ["sharp", "careful", "sharp"])
    )
    assert one.tally["dealt_to"] == two.tally["dealt_to"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"game": "chess", "players": ["random"]}, "game"),
        ({"game": "karma", "players": ["perfect", "random"]}, "players[0]"),
        ({"game": "karma", "rules": "third", "players": ["random"] * 2}, "edition"),
        ({"game": "karma", "players": ["random"] * 9}, "players"),
        ({"game": "karma", "players": ["random"] * 2, "seed": "two words"}, "seed"),
        ({"game": "set", "rules": "solitaire", "players": ["perfect"] * 2}, "players"),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_words(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(BadSetup, match="(?i)" + says.replace("[", r"\[")):
        simulate(**arguments)
