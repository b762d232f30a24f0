"""The packed roll-outs make the engine's own moves."""

import os
import random
from itertools import pairwise

import pytest

from benchmarks.peers import packed_karma as packed
from benchmarks.peers.packed_karma import Packed, Rollouts, Trace, is_packable
from tests.benchmarks.tracing import SEATINGS, Engine, edition
from threefold.karma.deal import deal_from
from threefold.karma.moves import CHOOSE_FACE_UP, CHOOSE_PLAYER, DECLINE, FLIP, PICK_UP, PLAY, first_of, what_of
from threefold.records import blank
from threefold.shuffle import below, random_from

GAMES = {"fast": 200, "default": 1000, "thorough": 50_000}[os.environ.get("THREEFOLD_PROFILE", "default")]


@pytest.mark.parametrize(("name", "players"), SEATINGS)
def test_the_same_generator_gives_the_same_moves_and_endings_as_the_engine(name: str, players: int) -> None:
    rules = edition(name, players)
    engine = Engine(rules, players, "v1:trace")
    rollouts = Rollouts(rules, players, random_from("v1:trace"))
    for _ in range(GAMES):
        expected = engine.play()
        assert rollouts.play(1, trace=packed.TRACE) == len(expected)
        assert rollouts.trace() == expected
        assert rollouts.losses() == engine.losses
        assert rollouts.generator() == engine.generator()
    assert sum(rollouts.losses()) == GAMES


@pytest.mark.parametrize("limit", [1, 2, 7, 50])
def test_the_turn_limit_stops_packed_games_where_it_stops_the_engine(limit: int) -> None:
    rules = edition("classic", 3, limit)
    engine, rollouts = Engine(rules, 3, "v1:limit"), Rollouts(rules, 3, random_from("v1:limit"))
    for _ in range(50):
        expected = engine.play()
        rollouts.play(1, trace=packed.TRACE)
        assert rollouts.trace() == expected
    assert rollouts.losses() == engine.losses
    assert rollouts.losses()[-1] > 0


def test_games_without_a_limit_come_to_their_end() -> None:
    rollouts = Rollouts(edition("classic", 4, 0), 4, random_from("v1:no-limit"))
    assert rollouts.play(GAMES) > 100 * GAMES
    assert rollouts.trace() == []
    assert rollouts.losses()[-1] == 0


def test_the_games_compared_hold_every_sort_of_move_and_nested_table_cards() -> None:
    engine = Engine(edition("classic", 4), 4, "v1:trace")
    played = [engine.play() for _ in range(100)]
    sorts = {what_of(move) for moves in played for _, move in moves}
    assert sorts == {CHOOSE_FACE_UP, PLAY, FLIP, PICK_UP, CHOOSE_PLAYER, DECLINE}
    table_card = [card.code for card in deal_from({"players": 4}).edition.cards].index("TAB")
    nested = [
        (one, two)
        for moves in played
        for (_, one), (_, two) in pairwise(moves)
        if what_of(one) == what_of(two) == PLAY and first_of(one) == first_of(two) == table_card
    ]
    assert nested


@pytest.mark.parametrize(("name", "players"), [("classic", 4), ("mini_round", 2)])
def test_packed_games_are_the_same_at_the_plain_speed(name: str, players: int) -> None:
    rules = edition(name, players, 300)
    game, generator, trace = packed.packed(rules, players), random_from("v1:plain"), blank(Trace)
    trace.room = packed.TRACE
    compiled = Rollouts(rules, players, random_from("v1:plain"))
    assert packed.play_games([game], [generator], [trace], 6) == compiled.play(6, trace=packed.TRACE)
    assert list(zip(trace.player, trace.move, strict=True))[: trace.size] == compiled.trace()
    assert [*game.losses[:players], game.stopped] == compiled.losses()
    assert generator.word == compiled.generator()


def test_ones_are_counted_and_found() -> None:
    pick = random.Random(60)  # noqa: S311 (no secret)
    words = [0, 1, (1 << 60) - 1, *(pick.getrandbits(60) & pick.getrandbits(60) for _ in range(200))]
    for word in words:
        places = [place for place in range(60) if word >> place & 1]
        assert packed.ones(word) == len(places)
        assert [packed.nth(word, n) for n in range(len(places))] == places
        assert places == [] or packed.lowest(word) == places[0]


def test_numbers_below_are_those_of_the_shuffle() -> None:
    for n in (1, 2, 3, 7, 60, 3_000_000_000):  # with the last, three numbers in ten are drawn anew
        one, other = random_from("v1:below"), random_from("v1:below")
        assert [packed.below(one, n) for _ in range(200)] == [below(other, n) for _ in range(200)]
        assert one.word == other.word


@pytest.mark.parametrize(
    ("setup", "players"),
    [
        ({"edition": "second_edition"}, 4),
        ({"edition": "classic_alternative_triples"}, 4),
        ({"edition": "classic", "options": {"decks": 2}}, 4),
        ({"edition": "classic", "options": {"draw": "by hand"}}, 4),
        ({"edition": "classic", "options": {"copies": {"7": 4}}}, 4),
        ({"edition": {"karma": {"711": 3, "GIV": 3, "TAB": 3, "BOT": 3, "LOW": 3}}}, 4),
        ({"edition": "mini_round"}, 5),
        ({"edition": "classic"}, 7),
        ({"edition": "classic"}, 1),
    ],
)
def test_what_cannot_be_packed_is_refused(setup: dict[str, object], players: int) -> None:
    rules = deal_from({**setup, "players": 2}).edition
    assert not is_packable(rules, players)
    with pytest.raises(ValueError, match="Classic and Mini Round"):
        packed.packed(rules, players)


def test_every_card_of_the_deck_has_a_bit_of_its_own() -> None:
    game: Packed = packed.packed(edition("classic", 4), 4)
    assert sorted(game.card[: game.cards]) == list(range(60))
    assert game.fits[packed.EMPTY] == (1 << 60) - 1
