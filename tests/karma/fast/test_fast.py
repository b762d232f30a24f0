"""Fast Karma is the same game: every answer of it, byte for byte, at every step of whole games."""

import os
import subprocess
import sys
import threading

import pytest

from tests.karma.fast.comparing import BothGames, Seen, compare_games
from tests.karma.laws.setups import ALL_RULES, Rules, design, power, seatings
from tests.karma.rules.steps import ALL_TWELVE, PLAIN, tidy
from tests.karma.test_refusals import MOVES
from tests.karma.two_speeds.test_room import everything
from threefold import karma
from threefold.game import IllegalMove
from threefold.karma import KARMA
from threefold.karma.deal import deal_from
from threefold.karma.design import code_from_design, design_from_json
from threefold.karma.fast import FAST_KARMA, json_writer, kernels, packing
from threefold.karma.fast.game import unpack
from threefold.karma.fast.json_pieces import TEXT, pieces_of
from threefold.karma.table import MOVES as MOST_MOVES
from threefold.karma.tape import EVENTS
from threefold.serialising import PlainSerialiser, serialiser_of

GAMES = {"fast": 1, "default": 2, "thorough": 30}[os.environ.get("THREEFOLD_PROFILE", "default")]


@pytest.mark.rule("K24", "K25", "K26", "K27")
@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_whole_games_agree_in_everything_that_is_asked_of_a_game(rules: Rules) -> None:
    seen = Seen()
    compare_games(rules, GAMES, seen)
    assert seen.games == GAMES * len(seatings(rules))
    assert seen.moves > 50 * seen.games
    assert seen.draw_offers > 0
    assert seen.refused > 0
    assert seen.secrets > 0
    assert seen.largest < 8192


def test_every_sort_of_event_is_written_as_the_plain_one_is() -> None:
    seen = Seen()
    for rules in ALL_RULES[-3:]:
        compare_games(rules, 1, seen)
    rare = {"draw_withdrawn", "agreed_to_draw", "brought_back", "did_not_draw"}
    assert {row.name for row in EVENTS.values()} - rare <= seen.events


@pytest.mark.parametrize("key", MOVES)
def test_a_move_is_refused_with_the_same_words(key: str) -> None:
    position, player, move, _ = MOVES[key]
    both = BothGames({"position": position}, Seen())
    both.refuse(player, move)
    both.refuse(player, move)  # now its meaning is known
    assert both.seen.refused == 2


@pytest.mark.rule("K27")
def test_what_was_peeked_at_is_shown_to_who_peeked_alone() -> None:
    peek = code_from_design(design_from_json(design("Look", power("peek_face_down"))))
    row = {"karma": ALL_TWELVE, "designs": [{"code": peek}]}
    setup = {"edition": row, "players": 3, "seed": "v1:peek", "options": {"turn_limit": 50}}
    table = karma.new(setup)
    table.peeked[1][2] = 0b100
    fast = FAST_KARMA.pack(table)
    for viewer in (None, 0, 1, 2):
        assert FAST_KARMA.json_views(fast, [viewer]) == PLAIN.json_views(table, [viewer])
    shown = FAST_KARMA.view(fast, 2)["seats"][1]["face_down"][2]
    assert shown == {"card": table.deal.edition.codes[table.face_down[1][2]]}
    assert FAST_KARMA.view(fast, 0)["seats"][1]["face_down"][2] == {"card": None}


def test_nobody_looks_on_as_a_player_who_is_not_there() -> None:
    table = FAST_KARMA.new({"edition": "classic", "players": 3, "seed": "v1:a"})
    with pytest.raises(IndexError):
        FAST_KARMA.json_views(table, [0, 3])


def test_a_move_of_nobody_is_refused_and_words_may_be_written_in_any_way() -> None:
    table = FAST_KARMA.new({"edition": "classic", "players": 2, "seed": "v1:a"})
    (first, _) = FAST_KARMA.decisions(table)
    with pytest.raises(IllegalMove):
        FAST_KARMA.play(table, None, first.moves[0])
    shouted = FAST_KARMA.play(table, first.player, f"  {first.moves[0].upper()} ")
    assert shouted.table == FAST_KARMA.play(table, first.player, first.moves[0]).table
    assert shouted.table != table


def test_the_largest_numbers_there_can_be_are_kept() -> None:
    table = karma.new({"edition": "second_edition", "players": 4, "seed": "v1:large"})
    table.turns, table.lost_turns[2], table.peeked[0][0] = 2_000_000_000, 1_000_000, 0b1111
    table.removed[3] = -2_000_000_000
    fast = FAST_KARMA.pack(table)
    assert tidy(unpack(fast)) == tidy(table)
    assert FAST_KARMA.json_views(fast, [2]) == PLAIN.json_views(table, [2])


def test_there_is_room_for_the_largest_table() -> None:
    start, cards = everything()
    for _ in range(11):
        cards.remove("16")
    hands = "; ".join(f"{player} hand 16" for player in range(1, 12))
    table = karma.new({"position": f"{start}; 0 hand {' '.join(cards)}; {hands}; turn 0"})
    table.pending_size = len(table.pending)
    table.pending[:] = [1 << 20] * table.pending_size
    table.peeked[:] = [[4095] * 3 for _ in table.peeked]
    assert len(FAST_KARMA.pack(table).packed) < packing.LARGEST
    table.pending_size = 0
    fast = FAST_KARMA.pack(table)
    everybody = (None, *range(12))
    views = FAST_KARMA.json_views(fast, everybody)
    assert views == PLAIN.json_views(table, everybody)
    assert sum(map(len, views)) < json_writer.ROOM / 2
    assert len(FAST_KARMA.decisions(fast)[0].moves) < MOST_MOVES
    cards.remove("16")
    table = karma.new({"position": f"{start}; 0 hand 16; {hands}; turn 0; pile {' '.join(cards)}"})
    plain, step = KARMA.play(table, 0, "pick up"), FAST_KARMA.play(FAST_KARMA.pack(table), 0, "pick up")
    lists = FAST_KARMA.json_events(step.events, everybody)
    assert lists == PLAIN.json_events(plain.events, everybody)
    assert sum(map(len, lists)) < json_writer.ROOM / 2


def test_an_edition_whose_pieces_are_too_long_is_refused() -> None:
    edition = deal_from({"edition": "classic", "players": 2, "seed": "v1:a"}).edition
    pieces = pieces_of(edition)
    assert len(pieces.text) <= TEXT
    pieces.text *= 3
    with pytest.raises(ValueError, match="bytes"):
        kernels.edition_record(edition, pieces)


def test_events_are_a_sequence_like_any_other_and_plain_events_are_written_too() -> None:
    table = FAST_KARMA.new({"edition": "classic", "players": 2, "seed": "v1:a"})
    first, second = FAST_KARMA.decisions(table)
    step = FAST_KARMA.play(FAST_KARMA.play(table, first.player, first.moves[0]).table, second.player, second.moves[0])
    events = list(step.events)
    assert len(step.events) == len(events) > 2
    assert step.events[0] == events[0]
    assert step.events[-1:] == events[-1:]
    assert step.events == events
    assert step.events != events[1:]
    assert FAST_KARMA.json_events(step.events, [0, 1, None]) == FAST_KARMA.json_events(events, [0, 1, None])
    common, same, secret = FAST_KARMA.json_events(step.events, [0, None, 1])
    assert common is same
    assert secret != common


def test_events_are_kept_as_the_bytes_in_which_they_came() -> None:
    table = FAST_KARMA.new({"edition": "classic", "players": 2, "seed": "v1:a"})
    first, _ = FAST_KARMA.decisions(table)
    events = FAST_KARMA.play(table, first.player, first.moves[0]).events
    packed = FAST_KARMA.pack_events(events)
    assert FAST_KARMA.pack_events(events) is packed
    assert list(FAST_KARMA.unpack_events(packed, table)) == list(events)
    with pytest.raises(TypeError, match="another engine"):
        FAST_KARMA.pack_events(list(events))


def test_the_fast_game_serialises_itself() -> None:
    assert serialiser_of(FAST_KARMA) is FAST_KARMA
    assert isinstance(serialiser_of(KARMA), PlainSerialiser)


def test_several_threads_play_at_once() -> None:
    written_by: dict[int, list[bytes]] = {}

    def play(number: int) -> None:
        table = FAST_KARMA.new({"edition": "classic", "players": 4, "seed": "v1:threads"})
        written = written_by[number] = []
        while (asked := FAST_KARMA.decisions(table)) and len(written) < 300:
            table = FAST_KARMA.play(table, asked[0].player, asked[0].moves[len(written) % len(asked[0].moves)]).table
            written += FAST_KARMA.json_views(table, [0, 3])

    threads = [threading.Thread(target=play, args=(number,)) for number in range(4)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    finally:
        sys.setswitchinterval(before)
    assert len(written_by[0]) >= 300
    assert all(written_by[number] == written_by[0] for number in range(1, 4))


@pytest.mark.slow
def test_compiled_code_stays_within_the_bounds_of_its_records() -> None:
    command = [sys.executable, "-m", "tests.karma.fast.comparing", "--games", "1"]
    environment = {**os.environ, "THREEFOLD_BOUNDSCHECK": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "moves=" in done.stdout
