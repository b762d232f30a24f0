"""Refusals of a table of people: a sentence from the catalogue, and the field that is wrong."""

from threefold.game import Json, Refusal
from threefold.texts import Text


class NotAllowed(Refusal):
    """A request that is not allowed, or makes no sense."""

    def __init__(self, text: Text, field: str | None = None) -> None:
        super().__init__(text)
        self.field = field


class NotFound(NotAllowed):
    """There is no such table, game or person."""


def refuse(key: str, *, field: str | None = None, **parameters: Json) -> NotAllowed:
    """The refusal with this sentence of the catalogue."""
    return NotAllowed(_text(key, field, parameters), field)


def not_found(key: str, *, field: str | None = None, **parameters: Json) -> NotFound:
    """The refusal for something that does not exist."""
    return NotFound(_text(key, field, parameters), field)


def _text(key: str, field: str | None, parameters: dict[str, Json]) -> Text:
    return Text(f"live.refusal.{key}", parameters if field is None else {"field": field, **parameters})
