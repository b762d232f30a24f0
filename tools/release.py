"""`./run release --check`: everything that a release needs, up to the upload.

It looks at the version and the changelog, builds the wheel and the source distribution into dist/, lets twine check
them, and installs the wheel into an empty environment of every Python from 3.11 to 3.14 that this machine has or uv can
fetch. In each it opens the first page and simulates the first game, without Node and without a compiler.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import threefold
from tools.installation import PYTHON, REQUIREMENTS
from tools.wheel_trial import TrialFailed, try_installed

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SECTION = r"^## \[?{}\]?[^\n]*\n(.*?)(?=^## |\Z)"


def main() -> None:
    """Runs the checks in order and stops at the first that fails."""
    parser = argparse.ArgumentParser(prog="./run release", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", required=True, help="check everything; upload nothing")
    parser.add_argument("--pythons", default=",".join(PYTHONS), help="the versions of Python to try, with commas")
    options = parser.parse_args()
    try:
        _say(f"version {version()}, {changelog()}")
        wheel, sdist = build()
        _say(f"built {wheel.name} ({wheel.stat().st_size / 1e6:.1f} MB) and {sdist.name}")
        _run([sys.executable, "-m", "twine", "check", "--strict", wheel, sdist])
        _say("twine finds nothing wrong")
        tried = try_pythons(options.pythons.split(","), wheel)
        _run([_uv(), "tool", "run", "--python", PYTHON, "--from", wheel, "threefold", "--version"])
        _say("uvx runs the wheel")
    except TrialFailed as problem:
        sys.exit(f"release: {problem}")
    _say(f"ready for Python {', '.join(tried)}")
    _say(f"next: git tag v{version()}, then twine upload {wheel.relative_to(ROOT)} {sdist.relative_to(ROOT)}")


def version() -> str:
    """The version of the package."""
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", threefold.__version__):
        raise TrialFailed(f"{threefold.__version__!r} is no version for a release: give three numbers, 1.2.3")
    return threefold.__version__


def changelog() -> str:
    """Says under which heading the changelog describes this release."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    for heading in (re.escape(version()), "Unreleased"):
        found = re.search(SECTION.format(heading), text, re.MULTILINE | re.DOTALL)
        if found and (lines := len(re.findall(r"^- ", found.group(1), re.MULTILINE))):
            return f"{lines} lines of the changelog under {found.group().splitlines()[0].removeprefix('## ')}"
    raise TrialFailed(f"CHANGELOG.md has no line under {version()} or Unreleased: say what users will notice")


def build() -> tuple[Path, Path]:
    """The wheel, which holds the built page, and the source distribution."""
    shutil.rmtree(DIST, ignore_errors=True)
    _run([sys.executable, "-m", "hatchling", "build", "-d", DIST])
    return next(DIST.glob("*.whl")), next(DIST.glob("*.tar.gz"))


def try_pythons(wanted: Sequence[str], wheel: Path) -> list[str]:
    """Tries the wheel in each; returns those that could be had."""
    tried = [each for each in wanted if try_python(each, wheel)]
    if not tried:
        raise TrialFailed("there is none of these Pythons")
    return tried


def try_python(wanted: str, wheel: Path) -> bool:
    """Installs the wheel into an empty environment of this Python and tries it; False if there is no such Python."""
    with tempfile.TemporaryDirectory(prefix="threefold-release-") as made:
        folder = Path(made)
        environment = folder / "environment"
        found = subprocess.run(
            [_uv(), "venv", "--quiet", "--python", wanted, environment], check=False, text=True, capture_output=True
        )
        if found.returncode:
            _say(f"Python {wanted} is not on this machine, and uv could not fetch it")
            return False
        python = environment / "bin" / "python"
        install = [_uv(), "pip", "install", "--quiet", "--python", python, "-c", REQUIREMENTS / "serve.lock", wheel]
        _run(install)
        seen = try_installed([str(environment / "bin" / "threefold")], folder)
        _say(f"Python {wanted}: {seen}")
        return True


def _uv() -> str:
    return str(PYTHON.parent / "uv")


def _run(command: Sequence[object]) -> None:
    done = subprocess.run([str(each) for each in command], cwd=ROOT, text=True, capture_output=True, check=False)
    if done.returncode:
        raise TrialFailed(f"{' '.join(str(each) for each in command)} failed:\n{(done.stdout + done.stderr)[-3000:]}")


def _say(sentence: str) -> None:
    print(f"release: {sentence}", flush=True)


if __name__ == "__main__":
    main()
