"""Karma as a server plays it is the same game: every answer of it, byte for byte, at every step of whole games."""

import os
import subprocess
import sys
import threading

import pytest

from tests.karma.laws.setups import ALL_RULES, Rules, design, power, seatings
from tests.karma.rules.steps import ALL_TWELVE, tidy
from tests.karma.served.comparing import BothGames, Seen, compare_games
from tests.karma.test_refusals import MOVES
from tests.karma.two_speeds.test_room import everything
from threefold import karma
from threefold.game import Event, IllegalMove
from threefold.karma import KARMA, compact, compiled, served
from threefold.karma.design import code_from_design, design_from_json
from threefold.karma.events import EVENTS
from threefold.karma.served import SERVED
from threefold.karma.table import MOVES as MOST_MOVES
from threefold.live.recent import RECENT, Recent

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
    assert seen.largest < 1024


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
    kept = served.pack(table)
    for viewer in (None, 0, 1, 2):
        (written,) = SERVED.written_views(kept, [viewer])
        assert written == KARMA.written_views(table, [viewer])[0]
    shown = SERVED.view(kept, 2)["seats"][1]["face_down"][2]
    assert shown == {"card": table.deal.edition.codes[table.face_down[1][2]]}
    assert SERVED.view(kept, 0)["seats"][1]["face_down"][2] == {"card": None}


def test_nobody_looks_on_as_a_player_who_is_not_there() -> None:
    table = SERVED.new({"edition": "classic", "players": 3, "seed": "v1:a"})
    with pytest.raises(IndexError):
        SERVED.written_views(table, [0, 3])
    player, move = SERVED.decisions(table)[0].player, SERVED.decisions(table)[0].moves[0]
    step = SERVED.play(table, player, move)
    with pytest.raises(IndexError):
        SERVED.written_scenes(step.table, step.events, (0, 3), b",")
    assert list(SERVED.written_scenes(step.table, step.events, (None, 2), b",")) == [None, 2]


def test_a_move_of_nobody_is_refused_and_words_may_be_written_in_any_way() -> None:
    table = SERVED.new({"edition": "classic", "players": 2, "seed": "v1:a"})
    (first, _) = SERVED.decisions(table)
    with pytest.raises(IllegalMove):
        SERVED.play(table, None, first.moves[0])
    shouted = SERVED.play(table, first.player, f"  {first.moves[0].upper()} ")
    assert shouted.table == SERVED.play(table, first.player, first.moves[0]).table
    assert shouted.table != table


def test_the_largest_numbers_there_can_be_are_kept() -> None:
    table = karma.new({"edition": "second_edition", "players": 4, "seed": "v1:large"})
    table.turns, table.lost_turns[2], table.peeked[0][0] = 4_000_000_000, 1_000_000, 0b1111
    kept = served.pack(table)
    assert tidy(served.unpack(kept)) == tidy(table)
    assert SERVED.written_views(kept, [2]) == KARMA.written_views(table, [2])


def test_there_is_room_for_the_largest_table() -> None:
    start, cards = everything()
    for _ in range(11):
        cards.remove("16")
    hands = "; ".join(f"{player} hand 16" for player in range(1, 12))
    table = karma.new({"position": f"{start}; 0 hand {' '.join(cards)}; {hands}; turn 0"})
    table.pending_size = len(table.pending)
    table.pending[:] = [1 << 20] * table.pending_size
    table.peeked[:] = [[4095] * 3 for _ in table.peeked]
    assert len(served.pack(table).packed) < compact.LARGEST
    table.pending_size = 0
    kept = served.pack(table)
    written = SERVED.written_views(kept, [None, *range(12)])
    assert written == KARMA.written_views(table, [None, *range(12)])
    assert sum(map(len, written)) < compiled.ROOM - 1000
    assert len(SERVED.decisions(kept)[0].moves) < MOST_MOVES
    cards.remove("16")
    table = karma.new({"position": f"{start}; 0 hand 16; {hands}; turn 0; pile {' '.join(cards)}"})
    plain, step = KARMA.play(table, 0, "pick up"), SERVED.play(served.pack(table), 0, "pick up")
    assert SERVED.told(step.events, [None, 0]) == KARMA.told(plain.events, [None, 0])
    everybody, longest = (None, *range(12)), b"," * (served.LONGEST_BEGIN - 100)
    scenes = SERVED.written_scenes(step.table, step.events, everybody, longest)
    assert scenes == KARMA.written_scenes(plain.table, plain.events, everybody, longest)
    most = 13 * (served.LONGEST_BEGIN + max(map(len, SERVED.told(step.events, everybody))))
    assert sum(map(len, written)) + most < compiled.ROOM - 1000


def test_what_is_too_long_for_compiled_code_is_put_together_all_the_same() -> None:
    table = karma.new({"edition": "classic", "players": 2, "seed": "v1:a"})
    move = karma.decisions(table)[0].moves[0]
    plain, step = KARMA.play(table, 0, move), SERVED.play(served.pack(table), 0, move)
    long = b"," * (served.LONGEST_BEGIN + 1)
    expected = KARMA.written_scenes(plain.table, plain.events, (0, None), long)
    assert SERVED.written_scenes(step.table, step.events, (0, None), long) == expected
    again = SERVED.written_scenes(step.table, list(step.events), (0, None), b",")
    assert again == SERVED.written_scenes(step.table, step.events, (0, None), b",")


def test_events_are_a_sequence_like_any_other_and_are_told_when_they_are_plain_too() -> None:
    table = SERVED.new({"edition": "classic", "players": 2, "seed": "v1:a"})
    first, second = SERVED.decisions(table)
    step = SERVED.play(SERVED.play(table, first.player, first.moves[0]).table, second.player, second.moves[0])
    events = list(step.events)
    assert len(step.events) == len(events) > 2
    assert step.events[0] == events[0]
    assert step.events[-1:] == events[-1:]
    assert step.events == events
    assert step.events != events[1:]
    assert SERVED.told(step.events, [0, 1, None]) == SERVED.told(events, [0, 1, None])
    common, same, secret = SERVED.told(step.events, [0, None, 1])
    assert common is same
    assert secret != common


def test_what_happened_is_kept_as_its_own_bytes() -> None:
    table = SERVED.new({"edition": "classic", "players": 2, "seed": "v1:a"})
    first, _ = SERVED.decisions(table)
    happened = SERVED.play(table, first.player, first.moves[0]).events
    assert isinstance(happened, served.Happened)
    recent = Recent()
    for number in range(RECENT + 5):
        recent.append(number, happened)
    kept = recent.after(-1)
    assert len(kept) == RECENT
    assert all(events == happened for _, events in kept)
    assert all(events[1] is happened.kept for events in recent._packed)
    recent.clear()
    assert recent.after(-1) == []
    assert isinstance(kept[0][1][0], Event)


def test_several_threads_play_at_once() -> None:
    found: dict[int, list[bytes]] = {}

    def play(number: int) -> None:
        table = SERVED.new({"edition": "classic", "players": 4, "seed": "v1:threads"})
        written = found[number] = []
        while (asked := SERVED.decisions(table)) and len(written) < 300:
            table = SERVED.play(table, asked[0].player, asked[0].moves[len(written) % len(asked[0].moves)]).table
            written += SERVED.written_views(table, [0, 3])

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
    assert len(found[0]) >= 300
    assert all(found[number] == found[0] for number in range(1, 4))


@pytest.mark.slow
def test_compiled_code_stays_within_the_bounds_of_its_records() -> None:
    command = [sys.executable, "-m", "tests.karma.served.comparing", "--games", "1"]
    environment = {**os.environ, "THREEFOLD_BOUNDSCHECK": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "moves=" in done.stdout
