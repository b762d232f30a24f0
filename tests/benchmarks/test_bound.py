"""The bound in C plays the engine's own games, or says that there is no compiler."""

import os
import shutil
from pathlib import Path

import pytest

from benchmarks.peers import bound
from tests.benchmarks.tracing import ROOM, SEATINGS, Engine, edition
from threefold.shuffle import random_from

GAMES = {"fast": 50, "default": 300, "thorough": 10_000}[os.environ.get("THREEFOLD_PROFILE", "default")]
EDITIONS = {"classic": bound.CLASSIC, "mini_round": bound.MINI_ROUND}


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    folder = tmp_path_factory.mktemp("bound")
    if any(map(shutil.which, bound.COMPILERS)):
        return bound.compiled_bound(folder)
    with pytest.raises(bound.NoCompiler, match="no C compiler"):  # nothing else to prove on such a machine
        bound.compiled_bound(folder)
    return None


@pytest.mark.parametrize(("name", "players"), SEATINGS)
def test_c_and_the_engine_make_the_same_moves_from_the_same_generator(
    library: Path | None, name: str, players: int
) -> None:
    if library is None:
        return
    engine = Engine(edition(name, players), players, "v1:c")
    in_c = bound.Bound(library, random_from("v1:c").word)
    losses = [0] * (players + 1)
    for _ in range(GAMES):
        expected = engine.play()
        played = in_c.play(EDITIONS[name], players, 1, turn_limit=1000, trace=ROOM)
        assert played.moves == len(expected)
        assert list(played.trace) == expected
        assert list(played.words) == engine.generator()
        losses = [one + other for one, other in zip(losses, played.losses, strict=True)]
    assert losses == engine.losses


def test_the_bound_is_compiled_once(library: Path | None) -> None:
    if library is not None:
        before = library.stat().st_mtime_ns
        assert bound.compiled_bound(library.parent) == library
        assert library.stat().st_mtime_ns == before


def test_without_a_compiler_the_message_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(bound.NoCompiler, match=r"no C compiler \(cc, gcc, clang\) here: the bound is left out"):
        bound.compiled_bound(tmp_path)
