"""Tries an installed Threefold: the first page with everything that it loads, and the first simulated game."""

import json
import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path


class TrialFailed(Exception):
    """Says what did not work."""


def try_installed(threefold: Sequence[str], folder: Path, cache: Path | None = None) -> str:
    """Serves and simulates with this command, with nothing else on the path; returns a sentence about what was seen.

    `cache` may hold compiled rules, which otherwise take a minute.
    """
    variables = {
        "PATH": str(folder / "nothing"),
        "HOME": str(folder),
        "THREEFOLD_CACHE": str(cache or folder / "cache"),
    }
    files = _first_page(threefold, folder, variables)
    command = [*threefold, "simulate", "karma", "--games", "1", "--json"]
    done = subprocess.run(command, env=variables, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise TrialFailed(f"the first simulated game failed:\n{done.stderr[-2000:]}")
    moves = json.loads(done.stdout)["moves"]
    return f"the page came with {files} files, and the first simulated game had {moves} moves"


def _first_page(threefold: Sequence[str], folder: Path, variables: dict[str, str]) -> int:
    """Starts a server and fetches the page with every file that it names; returns their number."""
    command = [*threefold, "serve", "--port", "0", "--data-dir", str(folder / "data")]
    log = folder / "log"
    with log.open("w") as errors:
        server = subprocess.Popen(command, env=variables, cwd=folder, stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            assert server.stdout is not None
            told = re.search(r"http://\S+/", server.stdout.readline())
            if told is None:
                raise TrialFailed(f"the server did not start:\n{log.read_text('utf-8')[-2000:]}")
            address = told.group().rstrip("/")
            page = _fetch(f"{address}/")
            files = re.findall(r'(?:href|src)="(/[^"]+)"', page)
            if not any(each.startswith("/assets/") for each in files):
                raise TrialFailed("the page is not the built one")
            for each in files:
                _fetch(address + each)
            return len(files)
        finally:
            server.terminate()
            server.communicate(timeout=30)


def _fetch(address: str) -> str:
    for _ in range(600):
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:  # noqa: S310 (this server's own address)
                return str(answer.read().decode("utf-8", "replace"))
        except urllib.error.HTTPError as problem:
            raise TrialFailed(f"{address}: {problem}") from None
        except urllib.error.URLError:  # not listening yet
            time.sleep(0.1)
    raise TrialFailed(f"{address} did not answer")
