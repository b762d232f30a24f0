"""Serialiser: a game's Views and events as bytes. Optional for a game; other games get the plain default.

`Game` knows rules and no bytes. A game that serialises its own Views faster also implements `Serialiser`;
`serialiser_of` returns the right one. Both write the same bytes, and a test compares them over whole games.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import msgspec

from threefold.game import Event, Game, Json, Viewer

_encode = msgspec.json.Encoder().encode
_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(list[tuple[str, dict[str, Any], dict[str, Any], frozenset[int]]]).decode


@runtime_checkable
class Serialiser(Protocol):
    """What the live layer needs of a game as bytes."""

    def json_views(self, table: Any, viewers: Sequence[Viewer]) -> list[bytes]:
        """The View of each viewer, as JSON."""

    def json_events(self, events: Sequence[Event], viewers: Sequence[Viewer]) -> list[bytes]:
        """One move's events as each viewer may know them, as a JSON list; one shared object if nothing is secret."""

    def pack_events(self, events: Sequence[Event]) -> bytes:
        """One move's events with all secrets, in few bytes: for keeping in memory, never for sending."""

    def unpack_events(self, packed: bytes, table: Any) -> Sequence[Event]:
        """The events again; `table` is any table of the same game."""

    def position(self, table: Any) -> int:
        """A fingerprint of what a spectator sees, without the count of turns: equal when the table repeats (K24)."""


@runtime_checkable
class BuildsViewsTogether(Protocol):
    """Optional for a plain game: several Views for less work than one `view` each."""

    def views(self, table: Any, viewers: Sequence[Viewer]) -> Sequence[Mapping[str, Json]]:
        """The View of each viewer."""


class PlainSerialiser:
    """The default: the game's own Views and events, encoded as they are."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._views = game.views if isinstance(game, BuildsViewsTogether) else self._one_by_one

    def json_views(self, table: Any, viewers: Sequence[Viewer]) -> list[bytes]:
        """The View of each viewer, as JSON."""
        return [_encode(view) for view in self._views(table, viewers)]

    def _one_by_one(self, table: Any, viewers: Sequence[Viewer]) -> Sequence[Mapping[str, Json]]:
        return [self._game.view(table, viewer) for viewer in viewers]

    def json_events(self, events: Sequence[Event], viewers: Sequence[Viewer]) -> list[bytes]:
        """One move's events as each viewer may know them, as a JSON list."""
        if not any(each.known_to for each in events):
            return [_encode([each.seen_by(None) for each in events])] * len(viewers)
        return [_encode([each.seen_by(viewer) for each in events]) for viewer in viewers]

    def pack_events(self, events: Sequence[Event]) -> bytes:
        """One move's events with all secrets, in few bytes."""
        return _pack([(each.name, each.facts, each.secrets, each.known_to) for each in events])

    def unpack_events(self, packed: bytes, table: Any) -> Sequence[Event]:  # noqa: ARG002 (the protocol's signature)
        """The events again."""
        return [Event(*each) for each in _unpack(packed)]

    def position(self, table: Any) -> int:
        """A fingerprint of what a spectator sees, without the count of turns."""
        seen = {name: value for name, value in self._game.view(table, None).items() if name != "turns"}
        return int.from_bytes(hashlib.blake2b(_encode(seen), digest_size=8).digest(), "big")


def serialiser_of(game: Game[Any]) -> Serialiser:
    """The game itself if it serialises its own Views, else the plain default."""
    return game if isinstance(game, Serialiser) else PlainSerialiser(game)
