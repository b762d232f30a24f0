"""Programs that tests need and Debian has: found, or installed where that is possible."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")


def installed(find: Callable[[], Found | None], package: str) -> Found:
    """What `find` finds, if need be after the installation of the package."""
    for _ in range(2):
        found = find()
        if found is not None:
            return found
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            break
        with Path(tempfile.gettempdir(), "threefold-apt.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes, and apt lets only one in
            if find() is None:
                environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
                for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", package]):
                    subprocess.run(["apt-get", *command], check=False, env=environment)
    raise RuntimeError(f"The tests need {package} (Debian: apt-get install {package}).")
