"""Ties each function of the rules to the clauses it carries out, and keeps the register of them.

The register knows nothing of compilers: a game's `compiled.py` reads it and compiles what it finds there.
"""

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

CLAUSES: dict[str, list[str]] = {}
"""Clause id -> the functions that carry it out, as `module.name`."""

_REGISTERED: list[Callable[..., Any]] = []
APART: set[Callable[..., Any]] = set()
"""Functions that compiled code calls, however short they are: it does not copy them into each of their many callers."""


def clause(*ids: str) -> Callable[[Function], Function]:
    """Marks a function as carrying out these clauses: `@clause("K7")`."""

    def register(function: Function) -> Function:
        for each in ids:
            CLAUSES.setdefault(each, []).append(f"{function.__module__}.{function.__qualname__}")
        return helper(function)

    return register


def helper(function: Function) -> Function:
    """Marks a function that the rules are built from but that is no clause of its own."""
    _REGISTERED.append(function)
    return function


def apart(function: Function) -> Function:
    """Marks a short helper that is used in very many places."""
    APART.add(function)
    return helper(function)


def registered(*packages: str) -> list[Callable[..., Any]]:
    """All marked functions of these packages or modules, in the order they were defined."""
    return [f for f in _REGISTERED if any(f.__module__ == p or f.__module__.startswith(f"{p}.") for p in packages)]
