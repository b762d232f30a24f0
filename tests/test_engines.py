"""The engines of a server: compiled as soon as that is ready; plain where it cannot be."""

import queue
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from threefold import engines as module
from threefold.engines import Engines
from threefold.games import KITS
from threefold.karma import KARMA, fast

Results = queue.Queue[tuple[str, str]]


@pytest.fixture
def engines() -> Iterator[Engines]:
    started = Engines()
    yield started
    started.stop()


@pytest.fixture
def results() -> Results:
    return queue.Queue()


def test_games_start_plain_until_a_fast_engine_is_added(engines: Engines) -> None:
    assert engines.for_new_game("karma") is KARMA
    assert engines.speed("karma") == "plain"
    engines.add_fast(fast.FAST_KARMA)
    assert engines.for_new_game("karma") is fast.FAST_KARMA
    assert engines.speed("karma") == "compiled"
    assert engines.for_new_game("set") is KITS["set"].game
    assert engines.speed("set") == "plain"
    assert KITS["karma"].game is KARMA


def test_nobody_can_replace_a_game() -> None:
    with pytest.raises(TypeError):
        KITS["karma"] = KITS["set"]  # type: ignore[index]  # that is what is tested


def test_games_that_start_after_the_warm_up_are_compiled(
    engines: Engines, results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast, "is_cached", lambda: True)
    engines.warm_up(lambda *each: results.put(each))
    assert results.get(timeout=600) == ("karma", "compiled")  # an empty cache on a busy machine takes minutes
    assert engines.for_new_game("karma") is fast.FAST_KARMA


def test_without_a_compiler_games_stay_plain(
    engines: Engines, results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "threefold.karma.fast", None)
    monkeypatch.delattr("threefold.karma.fast")
    engines.warm_up(lambda *each: results.put(each))
    assert results.get(timeout=30)[1].startswith("plain: ")
    assert engines.speed("karma") == "plain"


def test_a_compiler_that_fails_leaves_games_plain(
    engines: Engines, results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast, "is_cached", lambda: False)
    monkeypatch.setattr(module.WarmUp, "command", (sys.executable, "-c", "raise OSError('no room on this disk')"))
    engines.warm_up(lambda *each: results.put(each))
    assert results.get(timeout=30)[1] == "plain: RuntimeError: OSError: no room on this disk"
    assert engines.speed("karma") == "plain"


def test_a_server_that_stops_does_not_wait_for_the_compiler(
    engines: Engines, results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast, "is_cached", lambda: False)
    monkeypatch.setattr(module.WarmUp, "command", (sys.executable, "-c", "import time; time.sleep(300)"))
    engines.warm_up(lambda *each: results.put(each))
    began = time.monotonic()
    engines.stop()
    assert time.monotonic() - began < 60
    assert results.empty()
    assert engines.speed("karma") == "plain"


def test_of_several_processes_that_start_together_one_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[float] = []

    def warm_up() -> None:
        time.sleep(0.3)
        compiled.append(time.monotonic())

    monkeypatch.setattr(fast, "warm_up", warm_up)
    mark = tmp_path / "cache" / "fast-processor"
    monkeypatch.setattr(fast, "mark_of", lambda *_: mark)
    monkeypatch.setattr("os.nice", lambda _: None)
    with ThreadPoolExecutor(3) as several:
        for each in [several.submit(fast.compile_all) for _ in range(3)]:
            each.result()
    assert len(compiled) == 1
    assert mark.exists()
