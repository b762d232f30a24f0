"""The second speed: registered rules through Numba over NumPy records. A game's `compiled.py` builds on this.

Numba's own cache looks only at the file of the function it compiles, so an edit in another file of the rules would go
unseen. Here the cache folder is named after a hash of all engine sources: an edited rule is always compiled anew.
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
from numba.core import cgutils, types
from numba.extending import intrinsic, overload, register_jitable

import threefold
from threefold.clauses import APART, registered
from threefold.packing import copy_bytes
from threefold.records import shapes

HOME = Path(threefold.__file__).parent
NUMBER = np.int64
"""Every field of every record: one width, one compiled version of each rule."""

OPTIONS: dict[str, Any] = {"boundscheck": bool(os.environ.get("THREEFOLD_BOUNDSCHECK")), "error_model": "numpy"}


SHORT = 500
"""Functions of fewer bytes are compiled into their callers: the small steps that most rules are."""


def record_type(record: type) -> np.dtype[Any]:
    """The NumPy form of a record, from its declaration."""
    return np.dtype([(name, NUMBER, shape) for name, shape in shapes(record).items()])


def sources(*packages: str) -> list[Path]:
    """The files that compiled code is made from: these packages and all modules beside them."""
    return sorted([*HOME.glob("*.py"), *(path for each in packages for path in (HOME / each).glob("**/*.py"))])


def fingerprint(*packages: str) -> str:
    """A hash of everything that decides what is compiled."""
    digest = hashlib.sha256(repr((numba.__version__, sys.version, OPTIONS)).encode())
    for path in sources(*packages):
        digest.update(path.relative_to(HOME).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


def cache_folder() -> Path:
    """Where compiled code is kept between runs."""
    given = os.environ.get("THREEFOLD_CACHE")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "threefold"


def mark_of(name: str, *packages: str) -> Path:
    """A file that says: everything of this name is compiled and remembered, for this very processor."""
    return cache_folder() / fingerprint(*packages) / f"{name}-{get_host_cpu_name()}"


@contextmanager
def one_at_a_time(mark: Path) -> Iterator[None]:
    """Several processes that start together compile one after the other: the second finds it done."""
    mark.parent.mkdir(parents=True, exist_ok=True)
    with mark.with_name(f"{mark.name}.lock").open("w") as lock:
        with suppress(ImportError):
            import fcntl  # noqa: PLC0415 (Windows has no such thing, and compiles once for each)

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


_REGISTERED: set[Callable[..., Any]] = set()


def _register(*packages: str) -> None:
    """Every function once, however many entry points are built on it."""
    for function in registered(*packages):
        if function not in _REGISTERED:
            _REGISTERED.add(function)
            inlined = len(function.__code__.co_code) < SHORT and function not in APART
            register_jitable(**OPTIONS, forceinline=inlined)(function)


def compiler(*packages: str) -> Callable[[Callable[..., Any]], Any]:
    """A decorator that compiles entry points over the rules of these packages, and remembers what it compiled."""
    _register("threefold.shuffle", "threefold.packing", *(f"threefold.{each}" for each in packages))
    folder = cache_folder() / fingerprint(*packages)

    def compiled(function: Callable[..., Any]) -> Any:
        numba.config.CACHE_DIR = str(folder)
        return numba.njit(cache=True, **OPTIONS)(function)

    return compiled


def _bytes_copied(typing: Any, out: Any, at: Any, given: Any, start: Any, count: Any) -> Any:
    """Few bytes by one instruction each way, more by the processor's own way of copying."""
    few = 16

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        places = []
        for array, index, kind in (
            (values[0], values[1], signature.args[0]),
            (values[2], values[3], signature.args[2]),
        ):
            data = context.make_array(kind)(context, builder, array).data
            places.append(builder.gep(data, [index]))
        short = builder.icmp_signed("<=", values[4], values[4].type(few))
        with builder.if_else(short) as (then, otherwise):
            with then:
                cgutils.raw_memcpy(builder, *places, values[4].type(few), 1)
            with otherwise:
                cgutils.raw_memcpy(builder, *places, values[4], 1)
        return context.get_dummy_value()

    return types.void(out, types.int64, given, types.int64, types.int64), generate


_copy = intrinsic(_bytes_copied)


def _copying(out: Any, at: Any, given: Any, start: Any, count: Any) -> Any:
    def copying(out: Any, at: Any, given: Any, start: Any, count: Any) -> None:
        _copy(out, at, given, start, count)

    return copying


overload(copy_bytes)(_copying)


def to_records(things: list[Any]) -> Any:
    """Plain records of one sort as a NumPy array of records."""
    kind = record_type(type(things[0]))
    array = np.zeros(len(things), kind)
    for i, thing in enumerate(things):
        for name in kind.names or ():
            array[i][name] = getattr(thing, name)
    return array
