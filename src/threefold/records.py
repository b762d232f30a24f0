"""Records of whole numbers: one declaration that is a dataclass of lists (plain) and a NumPy record (compiled).

A field is `int`, or `Annotated[list[...], shape]` of one or two dimensions. Any other annotation is a plain-only
field: it is carried along in Python (a table's deal, an edition's card names) and does not exist in compiled code.
"""

from dataclasses import fields
from typing import Any, TypeVar

Record = TypeVar("Record")
Shape = tuple[int, ...]


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
    if kind not in _COPYING:
        _COPYING[kind] = [(each.name, len(shapes(kind).get(each.name, ()))) for each in fields(kind)]  # type: ignore[arg-type]
    values = []
    for name, dimensions in _COPYING[kind]:
        value = getattr(record, name)
        if dimensions == 1:
            value = value[:]
        elif dimensions == 2:
            value = list(map(list.copy, value))
        values.append(value)
    return kind(*values)


_COPYING: dict[type[Any], list[tuple[str, int]]] = {}
"""By record: its fields, each with how many dimensions it has."""


def flat(record: object) -> list[int]:
    """All numbers of a record in declared order, as its compiled form lays them out in memory."""
    numbers: list[int] = []
    for name, shape in shapes(type(record)).items():
        value = getattr(record, name)
        for _ in shape[1:]:
            value = [each for row in value for each in row]
        numbers.extend(value if shape else [value])
    return numbers
