"""Writes the page's types from `protocol.py`: `python -m threefold.web.typescript` prints them.

A test compares them with frontend/src/generated/protocol.ts.
"""

import inspect
import json
import sys
import typing
from typing import Any

import msgspec
from msgspec import inspect as shapes

from threefold.live.entries import Settings
from threefold.web import protocol

HEAD = """\
// Made from src/threefold/web/protocol.py by `python -m threefold.web.typescript`; a test compares the two.
// Do not edit: change protocol.py and make it anew.

"""
PLAIN: dict[type[Any], str] = {
    shapes.AnyType: "unknown",
    shapes.NoneType: "null",
    shapes.BoolType: "boolean",
    shapes.IntType: "number",
    shapes.FloatType: "number",
    shapes.StrType: "string",
}


def structs() -> list[type[msgspec.Struct]]:
    """Every message and every part of one, in the order of the page."""
    found = [each for each in vars(protocol).values() if isinstance(each, type) and issubclass(each, msgspec.Struct)]
    own = [each for each in found if each.__module__ == protocol.__name__ and not each.__name__.startswith("_")]
    return [Settings, *own]


def typescript() -> str:
    """The whole file."""
    parts = [
        HEAD,
        f"export const PROTOCOL = {protocol.PROTOCOL};\n",
        f"export const REACTIONS = {json.dumps(protocol.REACTIONS, ensure_ascii=False)} as const;\n",
        f"export const PHRASES = {json.dumps(protocol.PHRASES)} as const;\n",
        f"export const LONGEST_TEXT = {protocol.LONGEST_TEXT};\n",
        *(_interface(each) for each in structs()),
        _union("Asked", protocol.Asked),
        _union("Told", protocol.Told),
    ]
    return "\n".join(parts)


def _union(name: str, union: Any) -> str:
    members = "".join(f"\n  | {each.__name__}" for each in typing.get_args(union))
    return f"export type {name} ={members};\n"


def _interface(struct: type[msgspec.Struct]) -> str:
    shape = shapes.type_info(struct)
    assert isinstance(shape, shapes.StructType)
    lines = [f"/** {' '.join((inspect.getdoc(struct) or '').split())} */", f"export interface {struct.__name__} {{"]
    if shape.tag is not None:
        lines.append(f"  {shape.tag_field}: {json.dumps(shape.tag)};")
    asked = struct.__struct_config__.forbid_unknown_fields
    for field in shape.fields:
        optional = "?" if asked and not field.required else ""
        lines.append(f"  {field.encode_name}{optional}: {_type(field.type)};")
    return "\n".join([*lines, "}\n"])


def _type(shape: shapes.Type) -> str:
    """A type as TypeScript writes it."""
    if type(shape) in PLAIN:
        return PLAIN[type(shape)]
    match shape:
        case shapes.StructType():
            return shape.cls.__name__
        case shapes.LiteralType():
            return " | ".join(json.dumps(each) for each in shape.values)
        case shapes.UnionType():
            return " | ".join(_type(each) for each in shape.types)
        case shapes.ListType():
            inner = _type(shape.item_type)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case shapes.DictType():
            return f"Record<{_type(shape.key_type)}, {_type(shape.value_type)}>"
        case _:
            raise TypeError(f"no TypeScript for {shape}")


if __name__ == "__main__":
    sys.stdout.write(typescript())
