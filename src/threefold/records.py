"""Records of whole numbers: one declaration that is a dataclass of lists (plain) and a NumPy record (compiled).

A field is `int`, or `Annotated[list[...], shape]`. Any other annotation is a plain-only field: it is carried along
in Python (a table's deal, an edition's card names) and does not exist in compiled code.
"""

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

Record = TypeVar("Record")
Shape = tuple[int, ...]


@cache
def shapes(record: type) -> dict[str, Shape]:
    """Field -> shape, read from the annotations; () is a single number. Plain-only fields are left out."""
    found: dict[str, Shape] = {}
    for field in fields(record):
        if field.type is int:
            found[field.name] = ()
        elif hasattr(field.type, "__metadata__"):
            found[field.name] = field.type.__metadata__[0]
    return found


def zeros(shape: Shape) -> Any:
    """Nested lists of zeros; a plain 0 for the empty shape."""
    return [zeros(shape[1:]) for _ in range(shape[0])] if shape else 0


def blank(record: type[Record], **plain_only: object) -> Record:
    """A record full of zeros."""
    return record(**{name: zeros(shape) for name, shape in shapes(record).items()}, **plain_only)


@cache
def _copiers(record: type) -> list[tuple[str, int]]:
    sizes = shapes(record)
    return [(field.name, len(sizes.get(field.name, ()))) for field in fields(record)]


def copied(record: Record) -> Record:
    """A copy that shares no list with the original."""
    values: list[Any] = []
    for name, depth in _copiers(type(record)):
        value = getattr(record, name)
        if depth == 0:
            values.append(value)
        elif depth == 1:
            values.append(value[:])
        elif depth == 2:
            values.append([row[:] for row in value])
        else:
            values.append([[row[:] for row in rows] for rows in value])
    make: Callable[..., Record] = type(record)
    return make(*values)


def flat(record: object) -> list[int]:
    """All numbers of a record in declared order, as its compiled form lays them out in memory."""
    numbers: list[int] = []
    for name, shape in shapes(type(record)).items():
        value = getattr(record, name)
        for _ in shape[1:]:
            value = [each for row in value for each in row]
        numbers.extend(value if shape else [value])
    return numbers
