"""Asked and not granted: what a table of people refuses, in a sentence and with the field that is meant."""

from threefold.game import Json, Refusal
from threefold.texts import Text


class NotAllowed(Refusal):
    """Somebody asked for what they may not have, or for nothing that makes sense."""

    def __init__(self, text: Text, field: str | None = None) -> None:
        super().__init__(text)
        self.field = field


class NotFound(NotAllowed):
    """There is no such table, game or person."""


def refuse(key: str, *, field: str | None = None, **parameters: Json) -> NotAllowed:
    """The refusal with this sentence of the catalogue."""
    return NotAllowed(_text(key, field, parameters), field)


def not_found(key: str, *, field: str | None = None, **parameters: Json) -> NotFound:
    """The refusal for what is not there."""
    return NotFound(_text(key, field, parameters), field)


def _text(key: str, field: str | None, parameters: dict[str, Json]) -> Text:
    return Text(f"live.refusal.{key}", parameters if field is None else {"field": field, **parameters})
