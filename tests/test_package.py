"""What is installed when somebody installs Threefold."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import threefold
from tests.rule_coverage import ROOT
from threefold.simulation import simulate
from threefold.simulation.export import write_parquet
from threefold.simulation.runner import MissingExtra
from tools.wheel_trial import try_installed

SOURCE = Path(threefold.__file__).parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from these sources."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_the_wheel_holds_every_module_every_sentence_and_the_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    suffixes = {".py", ".json", ".typed"}
    wanted = {path.relative_to(SOURCE.parent).as_posix() for path in SOURCE.rglob("*") if path.suffix in suffixes}
    assert "threefold/texts/en/karma.json" in wanted
    assert "threefold/py.typed" in wanted
    assert wanted <= held
    assert any(name.endswith("/licenses/LICENSE") for name in held)


def test_the_wheel_plays_without_node_and_without_a_compiler(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    start = tmp_path / "start.py"  # this environment's libraries, and Threefold from the wheel alone
    code = f"import sys; sys.path.insert(0, {str(installed)!r})\nfrom threefold.cli import main; main()\n"
    start.write_text(code, "utf-8")
    cache = Path(os.environ.get("THREEFOLD_CACHE") or Path.home() / ".cache" / "threefold")
    seen = try_installed([sys.executable, str(start)], tmp_path, cache)
    assert re.fullmatch(r"the page came with \d\d+ files, and the first simulated game had \d+ moves", seen)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'threefold\[parquet\]'"):
        write_parquet(
            simulate("karma", players=["random"] * 3, games=1, keep_games=True, workers=1), tmp_path / "games.parquet"
        )
