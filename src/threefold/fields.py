"""Reading JSON that people wrote: every mistake is refused with a sentence that names the field and what to change."""

import json
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from threefold.game import BadSetup, Json
from threefold.shuffle import is_seed
from threefold.texts import Text

LONGEST_SHOWN = 60


def refuse(key: str, **parameters: Json) -> BadSetup:
    """The refusal with this sentence of the catalogue."""
    return BadSetup(Text(f"setup.{key}", parameters))


def shown(value: Json) -> str:
    """A value as a message quotes it: as JSON, and short."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=repr)
    except (ValueError, RecursionError):  # no JSON: nested too deep, or within itself
        text = "…"
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "…"


def an_object(value: Json, field: str, allowed: Iterable[str]) -> Mapping[str, Any]:
    """An object with no other fields than these."""
    if not isinstance(value, Mapping):
        raise refuse("not_an_object", field=field, given=shown(value))
    known = list(allowed)
    for name in value:
        if name not in known:
            raise refuse("unknown_field", field=field, given=shown(name), allowed=", ".join(known))
    return value


def a_whole_number(value: Json, field: str, least: int, most: int) -> int:
    """A whole number between two limits."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        if least == most:
            raise refuse("not_this_number", field=field, given=shown(value), least=least)
        raise refuse("not_a_number_between", field=field, given=shown(value), least=least, most=most)
    return value


def true_or_false(value: Json, field: str) -> bool:
    """A yes or no."""
    if not isinstance(value, bool):
        raise refuse("not_true_or_false", field=field, given=shown(value))
    return value


def one_of(value: Json, field: str, allowed: Iterable[str]) -> str:
    """One of some words."""
    known = list(allowed)
    if not isinstance(value, str) or value not in known:
        raise refuse("not_one_of", field=field, given=shown(value), allowed=", ".join(known))
    return value


def a_list(value: Json, field: str) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise refuse("not_a_list", field=field, given=shown(value))
    return value


def a_text(value: Json, field: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise refuse("not_a_text", field=field, given=shown(value))
    return value


def a_card_name(value: Json, field: str) -> str:
    """The name of a card: a text, also where it is a number."""
    if not isinstance(value, str):
        raise refuse("card_not_a_text", field=field, given=shown(value))
    return value


def a_date(value: Json, field: str) -> date:
    """A day, written 2026-11-15."""
    try:
        return date.fromisoformat(a_text(value, field))
    except ValueError:
        raise refuse("not_a_date", field=field, given=shown(value)) from None


def a_seed(value: Json) -> str:
    """A seed that can be shuffled by."""
    seed = a_text(value, "seed")
    if not is_seed(seed):
        raise refuse("not_a_seed", given=shown(seed))
    return seed


def required(values: Mapping[str, Any], name: str, field: str) -> Json:
    """A field that must be there."""
    if name not in values:
        raise refuse("missing_field", field=field, given=name)
    return values[name]
