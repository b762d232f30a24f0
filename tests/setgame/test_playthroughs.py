"""Golden games: what is written in them is what happens."""

import re

import pytest

from tests.setgame.write_playthroughs import FOLDER, NAMES, text_of
from threefold.setgame.events import EVENTS
from threefold.setgame.notation import WORDS
from threefold.setgame.variants import VARIANTS


@pytest.mark.parametrize("name", NAMES)
def test_a_playthrough_is_what_happens(name: str) -> None:
    written = (FOLDER / f"{name}.txt").read_text("utf-8")
    assert written == text_of(name), "python -m tests.setgame.write_playthroughs writes it anew"


def test_every_variant_every_move_and_every_event_is_in_a_playthrough() -> None:
    files = [path.read_text("utf-8") for path in FOLDER.glob("*.txt")]
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(NAMES)
    together = "\n".join(files)
    assert {name for name in VARIANTS if f'"variant": "{name}"' in together} == set(VARIANTS)
    moves = set(re.findall(r"^\d+\. at \d+ (?:\d+|-): (\D+?)(?: \d.*)?$", together, re.MULTILINE))
    assert moves == {*WORDS.values(), "take"}
    assert set(re.findall(r'^ +{"event": "(\w+)"', together, re.MULTILINE)) == {row[0] for row in EVENTS.values()}
