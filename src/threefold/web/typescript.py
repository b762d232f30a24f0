"""Generates the page's types from the socket protocol and the HTTP bodies: `python -m threefold.web.typescript`.

A test compares the output with frontend/src/generated/protocol.ts.
"""

import inspect
import json
import sys
from types import ModuleType
from typing import Any

import msgspec
from msgspec import inspect as shapes

from threefold.live.entries import Settings
from threefold.web import bodies, problems, protocol
from threefold.web.app import ROUTE_MODULES
from threefold.web.protocol import ClientMessage, ServerMessage

HEADER = """\
// Generated from src/threefold/web by `python -m threefold.web.typescript`; a test compares the two.
// Do not edit: change the messages in protocol.py or the bodies beside the HTTP routes, and generate this file again.

"""
UNIONS: dict[str, type[msgspec.Struct]] = {"ClientMessage": ClientMessage, "ServerMessage": ServerMessage}
"""The page's name for the union of all messages derived from a base class."""
PLAIN: dict[type[Any], str] = {
    shapes.AnyType: "unknown",
    shapes.NoneType: "null",
    shapes.BoolType: "boolean",
    shapes.IntType: "number",
    shapes.FloatType: "number",
    shapes.StrType: "string",
}


def structs() -> list[type[msgspec.Struct]]:
    """Every message and HTTP body, and their parts, in the order of the source."""
    return [Settings, *(each for module in (protocol, problems, bodies, *ROUTE_MODULES) for each in _declared(module))]


def _declared(module: ModuleType) -> list[type[msgspec.Struct]]:
    """The structs that a module declares itself, without the base classes of messages."""
    return [
        each
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, msgspec.Struct)
        and each.__module__ == module.__name__
        and each not in UNIONS.values()
    ]


def typescript() -> str:
    """The whole file."""
    parts = [
        HEADER,
        f"export const PROTOCOL = {protocol.PROTOCOL};\n",
        f"export const REACTIONS = {json.dumps(protocol.REACTIONS, ensure_ascii=False)} as const;\n",
        f"export const PHRASES = {json.dumps(protocol.PHRASES)} as const;\n",
        f"export const LONGEST_TEXT = {protocol.LONGEST_TEXT};\n",
        *(_interface(each) for each in structs()),
        *(_union(name, base) for name, base in UNIONS.items()),
    ]
    return "\n".join(parts)


def _union(name: str, base: type[msgspec.Struct]) -> str:
    members = "".join(f"\n  | {each.__name__}" for each in base.__subclasses__())
    return f"export type {name} ={members};\n"


def _interface(struct: type[msgspec.Struct]) -> str:
    shape = shapes.type_info(struct)
    assert isinstance(shape, shapes.StructType)
    lines = [f"/** {' '.join((inspect.getdoc(struct) or '').split())} */", f"export interface {struct.__name__} {{"]
    if shape.tag is not None:
        lines.append(f"  {shape.tag_field}: {json.dumps(shape.tag)};")
    comes_from_client = struct.__struct_config__.forbid_unknown_fields
    for field in shape.fields:
        optional = "?" if comes_from_client and not field.required else ""
        lines.append(f"  {field.encode_name}{optional}: {_type(field.type)};")
    return "\n".join([*lines, "}\n"])


def _type(shape: shapes.Type) -> str:
    """A type in TypeScript."""
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
