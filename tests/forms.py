"""Does a value have exactly the form that a type declares: no field more, none less?"""

import types
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from threefold.facts import EventForm, Words


def misfits(value: Any, shape: Any, where: str = "$") -> list[str]:
    """Where the value differs from the type; empty if it fits."""
    origin: Any = get_origin(shape)
    arguments = get_args(shape)
    if shape is Any:
        return []
    if origin is Annotated:
        words = [mark.words for mark in arguments[1:] if isinstance(mark, Words)]
        if words and value not in words[0]:
            return [f"{where}: {value!r} is none of {words[0]}"]
        return misfits(value, arguments[0], where)
    if origin is Literal:
        return [] if value in arguments else [f"{where}: {value!r} is none of {arguments}"]
    if origin in (Union, types.UnionType):
        tries = [misfits(value, each, where) for each in arguments]
        return min(tries, key=len)
    if is_typeddict(shape):
        return _object_misfits(value, shape, where)
    if origin is list:
        if not isinstance(value, list):
            return [f"{where}: {value!r} is no list"]
        return [each for i, item in enumerate(value) for each in misfits(item, arguments[0], f"{where}[{i}]")]
    if origin is dict:
        return [each for name, item in value.items() for each in misfits(item, arguments[1], f"{where}.{name}")]
    return [] if type(value) is shape else [f"{where}: {value!r} is no {shape}"]


def _object_misfits(value: Any, shape: Any, where: str) -> list[str]:
    if not isinstance(value, dict):
        return [f"{where}: {value!r} is no object"]
    found = []
    hints = get_type_hints(shape, include_extras=True)
    for name, hint in hints.items():
        needed = get_args(hint)[0] if get_origin(hint) is NotRequired else hint
        if name in value:
            found += misfits(value[name], needed, f"{where}.{name}")
        elif name in shape.__required_keys__ and get_origin(hint) is not NotRequired:
            found.append(f"{where}.{name} is missing")
    return found + [f"{where}.{name} is not declared" for name in value if name not in hints]


def event_misfits(event: dict[str, Any], forms: dict[str, EventForm]) -> list[str]:
    """The same for an event, as somebody is told of it."""
    form = forms.get(event["event"])
    if form is None:
        return [f"{event['event']} is not declared"]
    found = [f"{form.name}.{name} is not declared" for name in event if name not in form.facts and name != "event"]
    for name, shape in form.facts.items():
        if name in event:
            found += misfits(event[name], shape, f"{form.name}.{name}")
        elif name not in form.optional:
            found.append(f"{form.name}.{name} is missing")
    return found
