"""What importing the rules needs: the standard library, and nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import threefold

SOURCE = Path(threefold.__file__).parent
GAMES = ("karma", "setgame")

BLOCKER = '''
import sys


class OnlyTheStandardLibrary:
    """Refuses every module that is neither in the standard library nor in threefold."""

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top != "threefold" and top not in sys.stdlib_module_names:
            raise ImportError(f"{name} is not in the standard library", name=name)


sys.meta_path.insert(0, OnlyTheStandardLibrary())
'''

WHOLE_GAMES = '''
import io
import json

from threefold import engine, games, saved
from threefold.games import KITS
from threefold.shuffle import random_from

SETUPS = {
    "karma": {"edition": "second_edition", "players": 3, "seed": "v1:plain", "options": {"turn_limit": 300}},
    "set": {"variant": "solitaire", "players": 1, "seed": "v1:plain"},
}
BOT = {"karma": "sharp", "set": "perfect"}


def ask(conversation, **request):
    answer = conversation.answer_line(json.dumps(request).encode())
    assert answer["ok"], answer
    return answer


def play(name):
    """A bot plays a whole game by lines of the engine protocol; then the game is saved and loaded again."""
    conversation, random, time = engine.Engine(), random_from("v1:bot"), 0
    report = ask(conversation, do="new", game=name, **SETUPS[name])
    table, players = report["table"], SETUPS[name]["players"]
    while report["ending"] is None:
        for player in range(players):
            view = ask(conversation, do="view", table=table, player=player)["view"]
            choice = KITS[name].bots[BOT[name]](view, random)
            if choice is None:
                continue
            time += 1 + choice.after_ms
            at = {"at": time} if KITS[name].game.timed else {}
            report = ask(conversation, do="play", table=table, player=player, move=choice.move, **at)
            assert report["events"] and all(event["says"] for event in report["events"])
            break
        else:
            raise AssertionError("nobody moves")
    replay = saved.load(ask(conversation, do="save", table=table)["saved"])
    assert KITS[name].game.ending(replay.table).as_json() == report["ending"]
    answers = io.BytesIO()
    engine.converse(io.BytesIO(b'{"id":1,"do":"quit"}'), answers)
    assert json.loads(answers.getvalue()) == {"id": 1, "ok": True}
    print(name, len(replay.moves))


for name in SETUPS:
    play(name)
'''


def plain_modules() -> list[str]:
    """The modules that the standard library is enough for."""
    single = [
        "game",
        "games",
        "engines",
        "saved",
        "facts",
        "kit",
        "lessons",
        "shuffle",
        "engine",
        "texts",
        "fields",
        "records",
        "clauses",
        "move_numbers",
        "puzzles",
    ]
    packages = {
        "karma": (SOURCE / "karma").glob("*.py"),
        "setgame": [path for path in (SOURCE / "setgame").glob("*.py") if path.stem != "compiled"],
        "bots": (SOURCE / "bots").glob("*.py"),
        "karma.bots": (SOURCE / "karma" / "bots").glob("*.py"),
        "setgame.bots": (SOURCE / "setgame" / "bots").glob("*.py"),
    }
    inside = [f"{package}.{path.stem}" for package, paths in packages.items() for path in paths]
    return sorted(f"threefold.{each.removesuffix('.__init__')}" for each in single + inside)


def run(program: str) -> str:
    """What a program prints in a fresh process, in which only our own sources are on the path."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE.parent)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_blocker_blocks() -> None:
    with pytest.raises(AssertionError, match="msgspec is not in the standard library"):
        run(f"{BLOCKER}\nimport threefold.serialising")


def test_all_plain_modules_are_imported_and_whole_games_are_played_without_third_party_packages() -> None:
    imports = "\n".join(f"import {module}" for module in plain_modules())
    played = dict(line.split() for line in run(f"{BLOCKER}\n{imports}\n{WHOLE_GAMES}").splitlines())
    assert set(played) == {"karma", "set"}
    assert all(int(moves) > 10 for moves in played.values())


@pytest.mark.parametrize("game", GAMES)
def test_a_game_does_not_import_the_other(game: str) -> None:
    others = {f"threefold.{other}" for other in GAMES if other != game}
    assert not set(run(f"import threefold.{game}\nimport sys\nprint(*sys.modules)").split()) & others
