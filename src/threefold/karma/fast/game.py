"""FastKarma: Karma as a busy server plays it, compiled, on tables of a few hundred bytes, with Views written as JSON.

It is the same `Game` as KARMA, and its own `Serialiser`; a test compares the two at every step of whole games. The
calls of every move (`play`, `ending`, `position`, `json_views`, `json_events`) go through compiled code; the rare ones
unpack a plain table and ask the plain functions.
"""

import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, overload

import msgspec

from threefold import karma
from threefold.game import Decision, Ending, Event, IllegalMove, Json, Step, Viewer
from threefold.karma.deal import Deal
from threefold.karma.events import read_tape
from threefold.karma.fast import kernels, packing
from threefold.karma.fast.json_pieces import Pieces, pieces_of
from threefold.karma.fast.json_writer import SPECTATOR, VIEWS
from threefold.karma.notation import parse_move
from threefold.karma.refusals import checked
from threefold.karma.table import EVENT, OVER, SEATS, Edition, Tape
from threefold.karma.table import Table as PlainTable
from threefold.records import flat, from_flat
from threefold.serialising import PlainSerialiser

PARSED_MOVES: Final = 4096
"""Size of the parse cache, per edition."""
LONGEST_PARSED: Final = 80
"""Longer texts are not cached."""
EDITIONS: Final = 64
"""Size of the cache of editions, house editions included."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode
_join = b"".join


class FastEdition:
    """An edition as compiled code needs it, with a parse cache, and the beginning of every viewer's View."""

    __slots__ = ("moves", "pieces", "record", "rules", "view_starts")

    def __init__(self, deal: Deal) -> None:
        self.rules: Edition = deal.edition
        self.pieces: Pieces = pieces_of(deal.edition)
        self.record = kernels.edition_record(self.rules, self.pieces)
        self.moves: dict[str, int] = {}
        edition, options = deal.setup["edition"], deal.setup["options"]
        named = {"edition": edition, "options": options, "clears_at": deal.edition.clears_at}
        viewers: tuple[Viewer, ...] = (None, *range(SEATS))
        self.view_starts = {each: _encode({"game": "karma", "viewer": each, **named})[:-1] for each in viewers}

    def parse(self, move: str) -> int:
        """A text as a move; 0 if it is none."""
        try:
            number = parse_move(self.rules, move)
        except IllegalMove:
            return 0
        if len(self.moves) < PARSED_MOVES and len(move) <= LONGEST_PARSED:
            self.moves[move] = number
        return number


class Table(msgspec.Struct, eq=False, gc=False):
    """A table as a value of few bytes."""

    packed: bytes
    edition: FastEdition
    deal: Deal

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.packed == other.packed and self.deal.setup == other.deal.setup

    __hash__ = None  # type: ignore[assignment]  # like the plain table


class PackedEvents(Sequence[Event]):
    """The events of a move, kept as a packed tape and read on demand."""

    __slots__ = ("edition", "packed")

    def __init__(self, packed: bytes, edition: FastEdition) -> None:
        self.packed = packed
        self.edition = edition

    def read(self) -> list[Event]:
        """All events."""
        tape = Tape([[0] * EVENT for _ in self.packed], 0, 0)
        packing.unpack_tape(self.edition.pieces, tape, self.packed, len(self.packed))
        return read_tape(self.edition.rules, tape)

    def __len__(self) -> int:
        return len(self.read())

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        return self.read()[index]

    def __iter__(self) -> Iterator[Event]:
        return iter(self.read())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.read() == list(other)

    __hash__ = None  # type: ignore[assignment]  # like a list


class _Decision(msgspec.Struct):
    """A Decision as compiled code writes it."""

    player: int
    question: str
    moves: tuple[str, ...]
    power: str | None = None


_decode_decisions = msgspec.json.Decoder(list[_Decision]).decode


class _Desks(threading.local):
    """One desk for each thread."""

    def __init__(self) -> None:
        self.desk = kernels.Desk()


class FastKarma:
    """Karma as a `threefold.game.Game` that is its own `threefold.serialising.Serialiser`."""

    name = karma.KARMA.name
    rules_version = karma.KARMA.rules_version
    timed = karma.KARMA.timed

    def __init__(self) -> None:
        self._desks = _Desks()
        self._editions: dict[bytes, FastEdition] = {}
        self._plain = PlainSerialiser(karma.KARMA)

    # ------------------------------------------------------------ At every move

    def play(self, table: Table, player: int | None, move: str, at: int | None = None) -> Step[Table]:  # noqa: ARG002 (the protocol's signature)
        """Makes a move."""
        edition, desk = table.edition, self._desks.desk
        number = edition.moves.get(move)
        if number is None:
            number = edition.parse(move)
        seated = player is not None and 0 <= player < table.packed[packing.PLAYERS] - 1
        end = kernels.play(edition.record, desk.array, table.packed, player, number) if seated else 0
        if not end:
            checked(unpack(table), player, move)
            raise AssertionError(f"refused at one speed and not at the other: {move}")
        size, out = desk.marks[0], desk.out
        after = Table(out[:size].tobytes(), edition, table.deal)
        return Step(after, PackedEvents(out[size:end].tobytes(), edition))

    def ending(self, table: Table) -> Ending | None:
        """How the game ended, or None while it goes on."""
        return karma.ending(unpack(table)) if table.packed[packing.AWAITS] == OVER + 1 else None

    def position(self, table: Table) -> int:
        """A fingerprint of what a spectator sees, without the count of turns."""
        return int.from_bytes(table.packed[: packing.POSITION], "little")

    def json_views(self, table: Table, viewers: Sequence[Viewer]) -> list[bytes]:
        """The View of each viewer, as JSON."""
        edition, desk = table.edition, self._desks.desk
        who = 0
        for viewer in viewers:
            if viewer is not None:
                who |= 1 << viewer
        if who >> table.packed[packing.PLAYERS] - 1:
            raise IndexError("a viewer is not a player of this table")
        kernels.write_views(edition.record, desk.array, table.packed, who)
        marks, out, starts, views = desk.marks, desk.out, edition.view_starts, []
        for viewer in viewers:
            i = SPECTATOR if viewer is None else VIEWS + 2 * viewer
            views.append(_join((starts[viewer], out[marks[i] : marks[i + 1]])))
        return views

    def json_events(self, events: Sequence[Event], viewers: Sequence[Viewer]) -> list[bytes]:
        """One move's events as each viewer may know them; one shared object for all who know no secret of it."""
        if not isinstance(events, PackedEvents):
            return self._plain.json_events(events, viewers)
        desk = self._desks.desk
        who = kernels.write_events(events.edition.record, desk.array, events.packed)
        marks, out = desk.marks, desk.out
        common = out[: marks[SPECTATOR + 1]].tobytes()
        lists = []
        for viewer in viewers:
            if viewer is None or not who >> viewer & 1:
                lists.append(common)
            else:
                i = VIEWS + 2 * viewer
                lists.append(out[marks[i] : marks[i + 1]].tobytes())
        return lists

    def pack_events(self, events: Sequence[Event]) -> bytes:
        """The bytes in which `play` returned the events."""
        if not isinstance(events, PackedEvents):
            raise TypeError("these events are from another engine")
        return events.packed

    def unpack_events(self, packed: bytes, table: Table) -> Sequence[Event]:
        """The events again."""
        return PackedEvents(packed, table.edition)

    # ------------------------------------------------------------ Often

    def decisions(self, table: Table) -> list[Decision]:
        """All awaited players, with all legal moves."""
        desk = self._desks.desk
        kernels.write_decisions(table.edition.record, desk.array, table.packed)
        return [
            Decision(each.player, each.question, each.moves, {} if each.power is None else {"power": each.power})
            for each in _decode_decisions(desk.out[: desk.marks[0]])
        ]

    def anytime(self, table: Table) -> list[Decision]:
        """All players who may offer a draw, or agree to one."""
        desk = self._desks.desk
        end = kernels.write_decisions(table.edition.record, desk.array, table.packed)
        written = _decode_decisions(desk.out[desk.marks[0] : end])
        return [Decision(each.player, each.question, each.moves) for each in written]

    def view(self, table: Table, viewer: Viewer) -> dict[str, Json]:
        """Everything this viewer may know."""
        view: dict[str, Json] = _decode(self.json_views(table, (viewer,))[0])
        return view

    def players(self, table: Table) -> int:
        """The number of players."""
        return table.packed[packing.PLAYERS] - 1

    # ------------------------------------------------------------ Seldom

    def new(self, setup: Mapping[str, Json], /) -> Table:
        """Sets a table up."""
        return self.pack(karma.new(setup))

    def setup(self, table: Table) -> dict[str, Json]:
        """The complete set-up of a table."""
        return karma.setup(unpack(table))

    def card_names(self, table: Table) -> dict[str, str]:
        """Code -> name of the designed cards in this game."""
        return karma.card_names(unpack(table))

    def explain(self, table: Table, player: int | None, move: str, at: int | None = None) -> IllegalMove | None:
        """The refusal that `play` would raise, or None."""
        return karma.explain(unpack(table), player, move, at)

    def open_view(self, table: Table) -> Mapping[str, Json]:
        """A spectator's View with every card turned up."""
        return karma.open_view(unpack(table))

    def state(self, table: Table) -> dict[str, Json]:
        """The whole table."""
        return karma.state(unpack(table))

    def pack(self, table: PlainTable) -> Table:
        """A plain table in few bytes."""
        out = bytearray(packing.LARGEST)
        size = packing.pack(table.deal.edition, table, flat(table), out)
        return Table(bytes(out[:size]), self._edition_of(table.deal), table.deal)

    def _edition_of(self, deal: Deal) -> FastEdition:
        """The edition of a deal, from a cache of the latest ones."""
        key = _encode((deal.setup["edition"], deal.setup["options"]))
        edition = self._editions.pop(key, None) or FastEdition(deal)
        self._editions[key] = edition
        if len(self._editions) > EDITIONS:
            del self._editions[next(iter(self._editions))]
        return edition


def unpack(table: Table) -> PlainTable:
    """The plain table again."""
    numbers = [0] * packing.NUMBERS
    packing.unpack(table.deal.edition, table.packed, numbers)
    return from_flat(PlainTable, numbers, deal=table.deal)


FAST_KARMA: Final = FastKarma()
