"""Whole games are told, move by move and viewer by viewer, as their files have it; and the files leave nothing out."""

from functools import cache
from pathlib import Path

import pytest

from tests.karma.laws.setups import DESIGNS
from tests.karma.playthroughs.telling import GAMES, MADE, Feature, features, read, written
from threefold import karma
from threefold.karma.cards import NUMBER_CARDS, PRINTED_CODES
from threefold.karma.decisions import CHOOSE_PLAYER, QUESTIONS, QUESTIONS_OF_POWERS
from threefold.karma.editions import EDITIONS
from threefold.karma.events import EVENTS
from threefold.karma.notation import ENDINGS
from threefold.karma.powers import VOCABULARY

FILES = sorted(GAMES.glob("*.txt"))


@cache
def all_features() -> frozenset[Feature]:
    return frozenset(feature for path in FILES for feature in features(read(path)))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_game_is_told_as_its_file_has_it(path: Path) -> None:
    assert written(read(path)) == path.read_text("utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_holds_a_whole_game_and_says_how_it_is_remade(path: Path) -> None:
    *_, (_, _, _, last) = read(path).steps()
    assert karma.ending(last) is not None
    assert path.read_text("utf-8").splitlines()[1] == MADE


def test_the_files_are_short_enough_to_read() -> None:
    sizes = {path.name: path.stat().st_size for path in FILES}
    assert max(sizes.values()) < 60_000, sizes
    assert sum(sizes.values()) < 600_000, sizes


def names(sort: str) -> set[str]:
    return {name for each, name in all_features() if each == sort}


def test_every_edition_occurs() -> None:
    assert names("edition") == {*EDITIONS, "house"}


def test_every_card_is_played() -> None:
    cards = {*PRINTED_CODES, *(card.code for card in NUMBER_CARDS), *(each["name"] for each in DESIGNS)}
    assert names("card") >= cards


def test_every_power_does_its_work() -> None:
    assert names("power") == {power.name for power in VOCABULARY}


def test_every_event_occurs() -> None:
    assert names("event") == {row.name for row in EVENTS.values()}


def test_every_question_is_asked() -> None:
    asked = {*QUESTIONS.values(), *QUESTIONS_OF_POWERS.values(), CHOOSE_PLAYER, "draw_game"}
    assert names("question") == asked


def test_every_ending_occurs() -> None:
    assert names("ending") == set(ENDINGS.values())
