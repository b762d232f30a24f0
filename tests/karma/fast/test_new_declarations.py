"""A new event, a new field of the table and a new card are declared once, and play at both speeds.

Each is added to a copy of the package, by the lines that an engineer would write; nothing in `karma/fast` is touched.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from threefold import compiling
from threefold.karma import tape

ADDED = {
    "karma/tape.py": (
        'GAME_ENDED: Final = _event("game_ended", "reason", "loser", nullable="loser")\n',
        'CHEERED: Final = _event("cheered", "player", "count", "why", "up", secret="up")\n',
    ),
    "karma/table.py": (
        "    draw_offers: int  # how many have agreed\n",
        "    cheers: PerPlayer\n    mood: int\n    row_of_seven: Annotated[list[int], (7,)]\n",
    ),
    "karma/cards.py": (
        '    KarmaCard("ONE", "K51", ZERO, (card_power("give_cards", n=1),)),\n',
        '    KarmaCard("LONG5", "K44", ZERO, (card_power("peek_face_down"), card_power("reverse"))),\n',
    ),
    "karma/rules.py": (
        "    tell(tape, TURN_BEGAN, player, t.turn_seat, t.again, 0, 0)\n",
        """\
    t.cheers[player] += 150
    t.mood = t.turns - 70_000
    t.row_of_seven[t.turns % 7] = t.turns
    tell(tape, CHEERED, player, t.cheers[player], t.turns % 2, t.turns % e.kinds, 0)
""",
    ),
}
"""File -> the line after which something is added, and the lines that are added."""
IMPORTED = ("karma/rules.py", "from threefold.karma.tape import (\n", "    CHEERED,\n")

PROGRAM = """
from threefold.karma import KARMA
from threefold.karma.cards import PRINTED_CODES
from threefold.karma.fast import FAST_KARMA
from threefold.karma.fast.game import unpack
from threefold.karma.table import HIGHEST, KINDS
from threefold.serialising import PlainSerialiser
from threefold.shuffle import below, random_from

plain_json, seen, made = PlainSerialiser(KARMA), set(), 0
edition = {"karma": dict.fromkeys(PRINTED_CODES, 3), "clear": 3}
for number, players in enumerate((2, 4, 6)):
    setup = {"edition": edition, "players": players, "seed": f"v1:new-{number}", "options": {"turn_limit": 300}}
    plain, fast, random = KARMA.new(setup), FAST_KARMA.new(setup), random_from(f"v1:new-{number}", "picks")
    viewers = [None, *range(players)]
    while decisions := KARMA.decisions(plain):
        assert FAST_KARMA.decisions(fast) == decisions
        decision = decisions[below(random, len(decisions))]
        move = decision.moves[below(random, len(decision.moves))]
        step, fast_step = KARMA.play(plain, decision.player, move), FAST_KARMA.play(fast, decision.player, move)
        plain, fast = step.table, fast_step.table
        again = unpack(fast)
        for field in ("cheers", "mood", "row_of_seven", "turns"):
            assert getattr(again, field) == getattr(plain, field), field
        assert list(fast_step.events) == list(step.events)
        assert FAST_KARMA.json_events(fast_step.events, viewers) == plain_json.json_events(step.events, viewers)
        assert FAST_KARMA.json_views(fast, viewers) == plain_json.json_views(plain, viewers)
        assert FAST_KARMA.ending(fast) == KARMA.ending(plain)
        seen.update(event.name for event in step.events)
        seen.update(event.facts["card"] for event in step.events if event.name == "cards_played")
        made += 1
    assert min(plain.cheers[:players]) > 0
assert {"cheered", "LONG5"} <= seen, seen
assert HIGHEST + len(PRINTED_CODES) < KINDS
print(made)
"""


@pytest.mark.slow
def test_a_new_event_a_new_field_and_a_new_card_play_at_both_speeds(tmp_path: Path) -> None:
    package = tmp_path / "threefold"
    shutil.copytree(compiling.HOME, package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    for file, (line, added) in [*ADDED.items(), (IMPORTED[0], IMPORTED[1:])]:
        before = (package / file).read_text("utf-8")
        assert before.count(line) == 1, file
        (package / file).write_text(before.replace(line, line + added), "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "THREEFOLD_CACHE": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 300


def test_an_event_with_more_facts_than_a_row_has_numbers_is_refused_when_it_is_declared() -> None:
    with pytest.raises(AssertionError, match="a row of the tape holds 5 numbers, not 6"):
        tape._event("long", "a", "b", "c", "d", "e", "f")
    assert len(tape.NUMBERS) == len(tape.EVENTS) + 2
