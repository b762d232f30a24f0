"""The public Python interface as text: every name of `threefold.interface.PUBLIC` with its signature.

After a change of the interface, add a line to CHANGELOG.md and record both: python -m tools.interface "The line."
"""

import importlib
import inspect
import json
import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from threefold.interface import OPAQUE, PUBLIC

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "python-interface.txt"
RECORD = ROOT / "docs" / "reference" / "python-interface.json"
"""Every change: a hash of the interface after it -> the line of the changelog that announced it."""

ADDRESS = re.compile(r" object at 0x[0-9a-f]+>")


def signatures() -> str:
    """The whole interface, one line for each name, method and attribute."""
    return "".join(f"{line}\n" for module, names in PUBLIC.items() for name in names for line in _lines(module, name))


def digest(text: str) -> str:
    """The hash under which a state of the interface is recorded."""
    return sha256(text.encode()).hexdigest()[:16]


def _lines(module: str, name: str) -> Iterator[str]:
    value = getattr(importlib.import_module(module), name)
    where = f"{module}.{name}"
    if not inspect.isclass(value):
        yield f"{where}{_signature(value)}" if inspect.isroutine(value) else f"{where}: {_type_name(type(value))}"
        return
    yield f"class {where}"
    if name in OPAQUE:
        return
    for each, member in sorted(_members(value).items()):
        if isinstance(member, property):
            yield f"{where}.{each}: {_annotation(member.fget)}"
        elif isinstance(member, staticmethod | classmethod) or inspect.isfunction(member):
            yield f"{where}.{each}{_signature(getattr(value, each))}"
    for each, annotation in sorted(inspect.get_annotations(value).items()):
        if not each.startswith("_"):
            yield f"{where}.{each}: {_words(annotation)}"


def _members(value: type) -> dict[str, Any]:
    """The public members that a class of ours declares or inherits from one of ours."""
    ours = [each for each in reversed(value.__mro__) if each.__module__.startswith("threefold")]
    found: dict[str, Any] = {}
    for each in ours:
        found |= {name: member for name, member in vars(each).items() if not name.startswith("_")}
    return found


def _signature(function: Any) -> str:
    signature = inspect.signature(function)
    plain = [each.replace(annotation=inspect.Parameter.empty) for each in signature.parameters.values()]
    parts = []
    for short, each in zip(plain, signature.parameters.values(), strict=True):
        words = "" if each.annotation is inspect.Parameter.empty else f": {_words(each.annotation)}"
        text, equals, default = str(short).partition("=")
        parts.append(f"{text}{words}" + (f" = {ADDRESS.sub('>', default)}" if equals else ""))
    stars = [each.kind for each in plain]
    if inspect.Parameter.KEYWORD_ONLY in stars and inspect.Parameter.VAR_POSITIONAL not in stars:
        parts.insert(stars.index(inspect.Parameter.KEYWORD_ONLY), "*")
    return f"({', '.join(parts)}) -> {_words(signature.return_annotation)}"


def _annotation(function: Any) -> str:
    return _words(inspect.signature(function).return_annotation)


def _words(annotation: Any) -> str:
    """An annotation as it is written, the same in every Python."""
    if annotation is None:
        return "None"
    if isinstance(annotation, str):
        return annotation
    return (
        _type_name(annotation)
        if inspect.isclass(annotation) and not hasattr(annotation, "__args__")
        else str(annotation)
    )


def _type_name(value: type) -> str:
    return value.__qualname__ if value.__module__ == "builtins" else f"{value.__module__}.{value.__qualname__}"


def changelog_lines() -> set[str]:
    """The entries of the changelog, each as one line."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    return {" ".join(entry.split()) for entry in re.findall(r"^- (.*?)(?=^- |^$|\Z)", text, re.DOTALL | re.MULTILINE)}


def main() -> None:
    """Records the interface as it is now."""
    if len(sys.argv) != 2 or (line := " ".join(sys.argv[1].split())) not in changelog_lines():
        sys.exit('Give the line of CHANGELOG.md that announces the change: python -m tools.interface "The line."')
    text = signatures()
    PAGE.write_text(text, "utf-8")
    record = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    RECORD.write_text(json.dumps({**record, digest(text): line}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
