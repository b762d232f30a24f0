"""Records of whole numbers: one declaration that is a dataclass of lists (plain) and a NumPy record (compiled).

A field is `int`, or `Annotated[list[...], shape]` with one or two dimensions. Any other annotation is a plain-only
field: it is carried along in Python (a table's deal, an edition's card names) and does not exist in compiled code.
`Annotated[list[...], shape, limits]` names, for each dimension, the number that says how much of it is in use.
"""

from collections.abc import Sequence
from dataclasses import fields
from math import prod
from typing import Any, TypeVar

Record = TypeVar("Record")
Shape = tuple[int, ...]
Limits = tuple[str | None, ...]


def shapes(record: type[Any]) -> dict[str, Shape]:
    """Field -> shape, read from the annotations; () is a single number. Plain-only fields are left out."""
    if record not in _SHAPES:
        _SHAPES[record] = {
            each.name: getattr(each.type, "__metadata__", ((),))[0]
            for each in fields(record)
            if each.type is int or hasattr(each.type, "__metadata__")
        }
    return _SHAPES[record]


_SHAPES: dict[type[Any], dict[str, Shape]] = {}


def limits(record: type[Any]) -> dict[str, Limits]:
    """List -> for each dimension the name of the number that says how much is in use; None is all of it."""
    declared: dict[str, tuple[Any, ...]] = {
        each.name: getattr(each.type, "__metadata__", ()) for each in fields(record)
    }
    return {
        name: declared[name][1] if len(declared[name]) > 1 else (None,) * len(shape)
        for name, shape in shapes(record).items()
        if shape
    }


def starts(record: type[Any]) -> dict[str, int]:
    """Field -> the index of its first number in the flat form."""
    indices, start = {}, 0
    for name, shape in shapes(record).items():
        indices[name] = start
        start += prod(shape)
    return indices


def size(record: type[Any]) -> int:
    """How many numbers a record has."""
    return sum(map(prod, shapes(record).values()))


def zeros(shape: Shape) -> Any:
    """Nested lists of zeros; a plain 0 for the empty shape."""
    if len(shape) < 2:
        return [0] * shape[0] if shape else 0
    return [zeros(shape[1:]) for _ in range(shape[0])]


def blank(record: type[Record], **plain_only: object) -> Record:
    """A record full of zeros."""
    return record(**{name: zeros(shape) for name, shape in shapes(record).items()}, **plain_only)


def copied(record: Record) -> Record:
    """A copy that shares no list with the original."""
    kind = type(record)
    if kind not in _DIMENSIONS:
        _DIMENSIONS[kind] = [(each.name, len(shapes(kind).get(each.name, ()))) for each in fields(kind)]  # type: ignore[arg-type]  # a record is a dataclass
    values = []
    for name, dimensions in _DIMENSIONS[kind]:
        value = getattr(record, name)
        if dimensions == 1:
            value = value[:]
        elif dimensions == 2:
            value = list(map(list.copy, value))
        values.append(value)
    return kind(*values)


_DIMENSIONS: dict[type[Any], list[tuple[str, int]]] = {}
"""Record -> its fields, each with its number of dimensions."""


def flat(record: object) -> list[int]:
    """All numbers of a record in declared order, as its compiled form lays them out in memory."""
    numbers: list[int] = []
    for name, shape in shapes(type(record)).items():
        value = getattr(record, name)
        for _ in shape[1:]:
            value = [each for row in value for each in row]
        numbers.extend(value if shape else [value])
    return numbers


def from_flat(record: type[Record], numbers: Sequence[int], **plain_only: object) -> Record:
    """The record whose flat form these numbers are."""
    values: dict[str, Any] = {}
    for name, start in starts(record).items():
        shape = shapes(record)[name]
        row = list(numbers[start : start + prod(shape)])
        if len(shape) == 2:
            values[name] = [row[i : i + shape[1]] for i in range(0, len(row), shape[1])]
        else:
            values[name] = row if shape else row[0]
    return record(**values, **plain_only)
