"""Ties each function of the rules to the clauses it carries out, and keeps the register of these functions.

The register knows nothing of compilers: `compiling.py` reads it and compiles the functions in it.
"""

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

CLAUSES: dict[str, list[str]] = {}
"""Clause id -> the functions that carry it out, as `module.name`."""

_REGISTERED: list[Callable[..., Any]] = []
APART: set[Callable[..., Any]] = set()
"""Functions that the compiler never inlines, although they are short: they have very many callers."""


def clause(*ids: str) -> Callable[[Function], Function]:
    """Marks a function as carrying out these clauses: `@clause("K7")`."""

    def register(function: Function) -> Function:
        for each in ids:
            CLAUSES.setdefault(each, []).append(f"{function.__module__}.{function.__qualname__}")
        return helper(function)

    return register


def helper(function: Function) -> Function:
    """Marks a function that the rules are built from, without a clause of its own."""
    _REGISTERED.append(function)
    return function


def apart(function: Function) -> Function:
    """Marks a short helper with very many callers: the compiler does not inline it."""
    APART.add(function)
    return helper(function)


def registered(*packages: str) -> list[Callable[..., Any]]:
    """All marked functions of these packages or modules, in the order they were defined."""
    return [f for f in _REGISTERED if any(f.__module__ == p or f.__module__.startswith(f"{p}.") for p in packages)]
