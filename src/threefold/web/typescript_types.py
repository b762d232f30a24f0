"""Writes Python types and values as TypeScript."""

import inspect
import json
import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import msgspec

from threefold.facts import ConstantFact, EventForm, EventsFact, Fact, PageType, Type, TypeFact, Words
from threefold.game import Json

PLAIN: Mapping[Type, str] = {
    Any: "Json",
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    dict: "Parameters",
}


class TypeWriter:
    """Writes types by the names under which the page knows them. `used` collects the names that a file refers to."""

    def __init__(self, names: Mapping[Type, str]) -> None:
        self._names = names
        self.used: set[str] = set()

    def write(self, shape: Type) -> str:
        """A type; TypedDicts, structs and named types by their names."""
        if isinstance(shape, type) and issubclass(shape, msgspec.Struct):
            return self._use(shape.__name__)
        if (name := self._named(shape)) is not None:
            return self._use(name)
        origin: Type = get_origin(shape)
        arguments = get_args(shape)
        if origin is Annotated:
            return self._annotated(arguments[0], arguments[1:])
        if origin is Literal:
            return " | ".join(_text(each) for each in arguments)
        if origin in (Union, types.UnionType):
            return " | ".join(dict.fromkeys(self.write(each) for each in arguments))
        if origin in (list, Sequence):
            inner = self.write(arguments[0])
            return f"({inner})[]" if "|" in inner or "&" in inner else f"{inner}[]"
        if origin in (dict, Mapping):
            return f"{{ [name: string]: {self.write(arguments[1])} }}"
        if shape in PLAIN:
            return self._use(PLAIN[shape])
        raise TypeError(f"no TypeScript for {shape}")

    def _annotated(self, shape: Type, marks: Iterable[object]) -> str:
        for mark in marks:
            if isinstance(mark, Words):
                return " | ".join(_text(each) for each in mark.words)
            if isinstance(mark, PageType):
                return self._use(mark.name)
        return self.write(shape)

    def _named(self, shape: Type) -> str | None:
        return next((name for named, name in self._names.items() if named is shape or named == shape), None)

    def _use(self, name: str) -> str:
        self.used.add(name)
        return name

    # ------------------------------------------------------------ Declarations

    def declaration(self, fact: Fact) -> str:
        """One exported type, union or constant."""
        match fact:
            case TypeFact() if is_typeddict(fact.type):
                return (
                    _comment(fact.about or fact.type.__doc__)
                    + f"export type {fact.name} = {self._typed_dict(fact.type)};\n"
                )
            case TypeFact():
                return _comment(fact.about) + f"export type {fact.name} = {self._unnamed(fact.type)};\n"
            case EventsFact():
                return _comment(fact.about) + f"export type {fact.name} ={self._events(fact.forms)};\n"
            case ConstantFact(type=None):
                return _comment(fact.about) + f"export const {fact.name} = {_text(fact.value)} as const;\n"
            case ConstantFact():
                written = self.write(fact.type)
                return _comment(fact.about) + f"export const {fact.name}: {written} = {_text(fact.value)};\n"

    def _unnamed(self, shape: Type) -> str:
        """The right side of the declaration that gives this type its name."""
        names, self._names = self._names, {each: name for each, name in self._names.items() if each != shape}
        written = self.write(shape)
        self._names = names
        return written

    def _typed_dict(self, form: Type) -> str:
        lines = ["{"]
        for name, shape in get_type_hints(form, include_extras=True).items():
            optional = get_origin(shape) is NotRequired or name in form.__optional_keys__
            inner = get_args(shape)[0] if get_origin(shape) is NotRequired else shape
            lines.append(f"  {_key(name)}{'?' if optional else ''}: {self.write(inner)};")
        return "\n".join([*lines, "}"])

    def struct(self, struct: type[msgspec.Struct]) -> str:
        """A message or an HTTP body. Bodies from the client may omit fields that have a default."""
        lines = [_comment(inspect.getdoc(struct)) + f"export type {struct.__name__} = {{"]
        config = struct.__struct_config__
        if config.tag is not None:
            lines.append(f"  {config.tag_field}: {_text(config.tag)};")
        for each in msgspec.structs.fields(struct):
            optional = "?" if config.forbid_unknown_fields and not each.required else ""
            lines.append(f"  {_key(each.encode_name)}{optional}: {self.write(each.type)};")
        return "\n".join([*lines, "};\n"])

    def _events(self, forms: Sequence[EventForm]) -> str:
        members = []
        for form in forms:
            facts = [f'event: "{form.name}"']
            facts += [
                f"{_key(name)}{'?' if name in form.optional else ''}: {self.write(shape)}"
                for name, shape in form.facts.items()
            ]
            members.append(f"\n  | {{ {'; '.join(facts)} }}")
        return "".join(members)


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    return name if name.isidentifier() else _text(name)


def _comment(words: str | None) -> str:
    return f"/** {' '.join(words.split())} */\n" if words else ""
