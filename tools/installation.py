"""Makes .venv and the browser page from the locks in requirements/. Runs on Python's standard library alone.

`uv` installs the packages, because it is several times faster than pip. It comes from pip, with its hash. If uv cannot
reach the packages, pip tries with its own configuration.
"""

import hashlib
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import hatch_build

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
REQUIREMENTS = ROOT / "requirements"
INSTALLED = VENV / ".installed"
"""A file for each lock that is installed, with its hash."""
SERVE = ("serve",)
"""What the server and all commands of players need."""
EVERYTHING = ("setup", "build", "serve", "test", "measure", "docs")
"""All locks, each constrained by those before it."""


class CannotInstall(Exception):
    """Says what went wrong and what to do."""


def set_up(locks: tuple[str, ...], *, page: bool) -> None:
    """Creates .venv, installs these locks and builds the page, where something is missing or has changed.

    Node is needed only to build the page. If it is not among the locks, it is removed afterwards, with everything
    that npm installed.
    """
    stale = [name for name in locks if not _is_installed(name)]
    page_is_stale = page and not hatch_build.up_to_date()
    if not stale and not page_is_stale and PYTHON.exists():
        return
    with _progress():
        _make_environment()
        with tempfile.TemporaryDirectory(dir=VENV, prefix="setup-") as folder:
            tools = Path(folder)
            uv = _find_uv(tools)
            if _is_installed("build") or "build" in stale:
                _install(uv, tools, stale)
                if page_is_stale:
                    _build(PYTHON, {})
                return
            with ThreadPoolExecutor() as pool:
                tasks = [pool.submit(_install_and_load, uv, tools, stale)]
                if page_is_stale:
                    tasks.append(pool.submit(_build_with_passing_node, uv, tools))
                for task in tasks:
                    task.result()


def write_locks(arguments: list[str]) -> int:
    """Writes the locks anew; the arguments go to `uv pip compile`, for example --upgrade-package litestar."""
    command = [VENV / "bin" / "uv", "pip", "compile", "--universal", "--generate-hashes", "--no-annotate"]
    command += ["--no-emit-index-url", "--no-header", "--quiet", *arguments]
    earlier: list[str] = []
    for name in sorted(EVERYTHING, key=lambda each: each != "serve"):
        what = ["pyproject.toml"] if name == "serve" else ["--group", name]
        lock = f"requirements/{name}.lock"
        done = subprocess.run([str(each) for each in [*command, *earlier, *what, "-o", lock]], cwd=ROOT, check=False)
        if done.returncode:
            return done.returncode
        earlier += ["-c", lock]
    return 0


def _digest(name: str) -> str:
    return hashlib.sha256((REQUIREMENTS / f"{name}.lock").read_bytes()).hexdigest()


def _is_installed(name: str) -> bool:
    mark = INSTALLED / name
    return mark.is_file() and mark.read_text("utf-8") == _digest(name)


def _make_environment() -> None:
    if not PYTHON.exists():
        # Without pip: uv needs none, and Debian's Python cannot add it.
        made = _run([sys.executable, "-m", "venv", "--clear", "--without-pip", VENV])
        if made.returncode:
            raise CannotInstall(f"{made.stdout}\nPython's venv module could not create {VENV.name}; see above.")
    packages = next(VENV.glob("lib/python*/site-packages"), VENV / "Lib" / "site-packages")
    (packages / "threefold.pth").write_text(f"{ROOT / 'src'}\n", "utf-8")  # an editable installation
    if INSTALLED.is_file():
        INSTALLED.unlink()
    INSTALLED.mkdir(exist_ok=True)


def _find_uv(tools: Path) -> Path | None:
    """The path of uv, which is installed into the folder if there is none; None: only pip can be had."""
    for place in (str(PYTHON.parent), os.environ.get("PATH", "")):
        if found := shutil.which("uv", path=place):
            return Path(found)
    if _pip_install(["--target", tools / "uv"], ["setup"]) is None:
        return Path(shutil.which("uv", path=str(tools / "uv" / "bin")) or "")
    return None


def _install(uv: Path | None, tools: Path, locks: list[str], target: Path | None = None) -> None:
    """Installs locks into .venv, or into a folder."""
    if not locks:
        return
    files = [part for name in locks for part in ("-r", REQUIREMENTS / f"{name}.lock")]
    where = ["--target", target] if target else []
    problem: str | None = "uv is missing"
    if uv is not None:
        command = [uv, "pip", "install", "--quiet", "--python", PYTHON, "--cache-dir", tools / "cache", *where]
        done = _run([*command, "--require-hashes", "--no-deps", *files])
        problem = done.stdout if done.returncode else None
    if problem is not None:
        problem = _pip_install(where, locks)
    if problem is not None:
        time.sleep(3)
        problem = _pip_install(where, locks)
    if problem is not None:
        raise CannotInstall(f"{problem}\nThe packages could not be installed; see above.")
    if target is None:
        for name in locks:
            (INSTALLED / name).write_text(_digest(name), "utf-8")


def _install_and_load(uv: Path | None, tools: Path, locks: list[str]) -> None:
    """Installs; then lets Python compile the server's modules while the page is still being built."""
    _install(uv, tools, locks)
    _run([PYTHON, "-c", "import threefold.cli.serve, threefold.web.app"])


def _pip_install(where: list[object], locks: list[str]) -> str | None:
    """Installs with Python's own pip, which is told about .venv; returns what went wrong."""
    pip = [sys.executable, "-m", "pip"]
    if _run([*pip, "--python", PYTHON, "--version"]).returncode:
        return "pip 22.3 or newer is needed (Debian: apt-get install python3-pip)."
    files = [part for name in locks for part in ("-r", REQUIREMENTS / f"{name}.lock")]
    quietly = ["-qq", "--disable-pip-version-check", "--no-input", "--no-cache-dir", "--no-compile"]
    done = _run([*pip, "--python", PYTHON, "install", *quietly, *where, "--require-hashes", "--no-deps", *files])
    return done.stdout if done.returncode else None


def _build_with_passing_node(uv: Path | None, tools: Path) -> None:
    """Builds the page with a Node that is removed afterwards."""
    kept = hatch_build.WEB / "node_modules"
    had_modules = kept.exists()
    _install(uv, tools, ["build"], tools / "node")
    try:
        _build(sys.executable, {"PYTHONPATH": str(tools / "node"), "NPM_CONFIG_CACHE": str(tools / "npm")})
    finally:
        if not had_modules:
            shutil.rmtree(kept, ignore_errors=True)


def _build(python: object, variables: Mapping[str, str]) -> None:
    done = _run([python, ROOT / "hatch_build.py"], variables)
    if done.returncode:
        raise CannotInstall(f"{done.stdout}\nThe browser page could not be built; see above.")


def _run(command: list[object], variables: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a command in the project's folder; its output is kept, for the case that it fails."""
    return subprocess.run(
        [str(each) for each in command],
        cwd=ROOT,
        env={**os.environ, **(variables or {})},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )


@contextmanager
def _progress() -> Iterator[None]:
    """One line on standard error: what happens, and for how long it has."""
    began = time.monotonic()
    done = threading.Event()

    def show() -> None:
        for tick in itertools.count():
            line = f"threefold: setting up, once; this takes half a minute … {time.monotonic() - began:.0f} s"
            if tick == 0 or sys.stderr.isatty():
                print(f"\r{line}", end="", file=sys.stderr, flush=True)
            if done.wait(1):
                return

    thread = threading.Thread(target=show)
    thread.start()
    outcome = "failed"
    try:
        yield
        outcome = "done"
    finally:
        done.set()
        thread.join()
        print(f" … {outcome} after {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
