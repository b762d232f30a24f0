"""What is installed when somebody installs Threefold."""

import subprocess
import sys
import zipfile
from pathlib import Path

import threefold
from tests.rule_coverage import ROOT

SOURCE = Path(threefold.__file__).parent


def test_the_wheel_holds_every_module_every_sentence_and_the_licence(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    suffixes = {".py", ".json", ".typed"}
    wanted = {path.relative_to(SOURCE.parent).as_posix() for path in SOURCE.rglob("*") if path.suffix in suffixes}
    assert "threefold/texts/en/karma.json" in wanted
    assert "threefold/py.typed" in wanted
    assert wanted <= held
    assert any(name.endswith("/licenses/LICENSE") for name in held)
