"""The compiled speed: registered rules through Numba, over NumPy records. Each package's kernels build on this.

Numba's own cache looks only at the file of the function it compiles, so it would miss an edit in another file of the
rules. Here the cache folder is named after a hash of all engine sources: an edited rule is always compiled anew.
"""

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite.binding import get_host_cpu_name
from numba.extending import register_jitable

import threefold
from threefold.clauses import APART, registered
from threefold.records import shapes

HOME = Path(threefold.__file__).parent
NUMBER = np.int64
"""Every field of every record: one width, one compiled version of each rule."""

OPTIONS: dict[str, Any] = {"boundscheck": bool(os.environ.get("THREEFOLD_BOUNDSCHECK")), "error_model": "numpy"}


SHORT = 500
"""Functions with less bytecode than this are inlined into their callers: most rules are that short."""


def record_type(record: type) -> np.dtype[Any]:
    """The NumPy form of a record, from its declaration."""
    return np.dtype([(name, NUMBER, shape) for name, shape in shapes(record).items()])


def sources(*packages: str) -> list[Path]:
    """The files that compiled code is made from: these packages, and the modules directly in `threefold`."""
    return sorted([*HOME.glob("*.py"), *(path for each in packages for path in (HOME / each).glob("**/*.py"))])


def fingerprint(*packages: str) -> str:
    """A hash of everything that decides what is compiled."""
    digest = hashlib.sha256(repr((numba.__version__, sys.version, OPTIONS)).encode())
    for path in sources(*packages):
        digest.update(path.relative_to(HOME).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


def cache_folder() -> Path:
    """Where compiled code is kept between runs."""
    folder = os.environ.get("THREEFOLD_CACHE")
    if folder:
        return Path(folder)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "threefold"


def mark_of(name: str, *packages: str) -> Path:
    """The file whose existence says that everything of this name is in the cache, compiled for this processor."""
    return cache_folder() / fingerprint(*packages) / f"{name}-{get_host_cpu_name()}"


@contextmanager
def one_at_a_time(mark: Path) -> Iterator[None]:
    """A lock between processes: of several that start together the first compiles, and the others use its cache."""
    mark.parent.mkdir(parents=True, exist_ok=True)
    with mark.with_name(f"{mark.name}.lock").open("w") as lock:
        with suppress(ImportError):
            import fcntl  # noqa: PLC0415 (not on Windows, where each process compiles for itself)

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


_REGISTERED: set[Callable[..., Any]] = set()


def _register(*modules: str) -> None:
    """Registers every marked function with Numba, once."""
    for function in registered(*modules):
        if function not in _REGISTERED:
            _REGISTERED.add(function)
            inlined = len(function.__code__.co_code) < SHORT and function not in APART
            register_jitable(**OPTIONS, forceinline=inlined)(function)


def compiler(*packages: str, module: str = "", nogil: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """A decorator that compiles entry points over the rules of these packages, with a cache between runs.

    A benchmark or test that marks functions of its own with `@helper` names its module, too. With `nogil` the entry
    points release the GIL, so threads run them in parallel.
    """
    _register("threefold.shuffle", "threefold.move_numbers", *(f"threefold.{each}" for each in packages), module)
    folder = cache_folder() / fingerprint(*packages)

    def compiled(function: Callable[..., Any]) -> Any:
        numba.config.CACHE_DIR = str(folder)
        return numba.njit(cache=True, nogil=nogil, **OPTIONS)(function)

    return compiled


def to_records(things: list[Any]) -> Any:
    """Plain records of one type as a NumPy array of records."""
    kind = record_type(type(things[0]))
    array = np.zeros(len(things), kind)
    for i, thing in enumerate(things):
        for name in kind.names or ():
            array[i][name] = getattr(thing, name)
    return array
