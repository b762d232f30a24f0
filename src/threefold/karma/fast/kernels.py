"""The compiled entry points of fast Karma: packed tables and tapes in, packed tables and tapes or JSON out.

An entry point takes the edition (`es`) and the desk (`ds`) as arrays with one record each, because Numba passes arrays
of records at low cost. A move is checked here; a table is trusted.
"""

from typing import Any

import numpy as np

from threefold.compiling import NUMBER, compiler, record_type, to_records
from threefold.karma import turn
from threefold.karma.fast import copying, json_writer, packing
from threefold.karma.fast.json_pieces import TEXT, Pieces
from threefold.karma.table import NONE, SEATS, TAPE, Edition, Moves, Table, Tape

PIECES = np.dtype([*record_type(Pieces).descr, ("text", np.uint8, (TEXT + json_writer.COPY_AHEAD,))])
EDITION = np.dtype([("rules", record_type(Edition)), ("pieces", PIECES)])
"""Everything that belongs to an edition."""


def _desk_type() -> np.dtype[Any]:
    """The table comes twice at the same place: by its fields, and as the row of all its numbers."""
    table, moves, tape = record_type(Table), record_type(Moves), record_type(Tape)
    fields: list[tuple[str, Any]] = [
        ("table", table),
        ("numbers", (NUMBER, (packing.NUMBERS,))),
        ("moves", moves),
        ("tape", tape),
        ("marks", (NUMBER, (json_writer.MARKS,))),
        ("out", (np.uint8, (json_writer.ROOM,))),
    ]
    formats = [np.dtype(each) for _, each in fields]
    offsets, end = [0], 0
    for each in formats[1:]:
        offsets.append(end)
        end += each.itemsize
    return np.dtype({"names": [name for name, _ in fields], "formats": formats, "offsets": offsets, "itemsize": end})


DESK = _desk_type()
"""Working memory: a table is unpacked, played on and written down here. One array, so that a call is cheap."""

copying.install()
_compiled = compiler("karma")


@_compiled
def play(es: Any, ds: Any, packed: bytes, player: int, move: int) -> int:
    """Makes a move. Writes the packed table after it (up to marks[0]) and its packed tape; 0 if the move is illegal."""
    e, p, desk = es[0].rules, es[0].pieces, ds[0]
    packing.unpack(e, packed, desk.numbers)
    if not turn.is_legal(e, desk.table, player, move, desk.moves):
        return 0
    turn.make_move(e, desk.table, desk.tape, player, move)
    size = packing.pack(e, desk.table, desk.numbers, desk.out)
    desk.marks[0] = size
    end: int = packing.pack_tape(p, desk.tape, desk.out, size)
    return end


@_compiled
def write_views(es: Any, ds: Any, packed: bytes, who: int) -> None:
    """Writes a spectator's View of a packed table, and the Views of the players whose bits are set."""
    e, p, desk = es[0].rules, es[0].pieces, ds[0]
    packing.unpack(e, packed, desk.numbers)
    json_writer.write_views(e, desk.table, p, desk.moves, desk.out, 0, desk.marks, who)


@_compiled
def write_events(es: Any, ds: Any, packed: bytes) -> int:
    """Writes the events of a packed tape for a spectator and for every player who may know more; returns those."""
    p, desk = es[0].pieces, ds[0]
    packing.unpack_tape(p, desk.tape, packed, len(packed))
    who: int = json_writer.who_knows_more(p, desk.tape)
    at = json_writer.write_events(p, desk.tape, desk.out, 0, NONE)
    desk.marks[json_writer.SPECTATOR] = 0
    desk.marks[json_writer.SPECTATOR + 1] = at
    for player in range(SEATS):
        if who >> player & 1:
            desk.marks[json_writer.VIEWS + 2 * player] = at
            at = json_writer.write_events(p, desk.tape, desk.out, at, player)
            desk.marks[json_writer.VIEWS + 2 * player + 1] = at
    return who


@_compiled
def write_decisions(es: Any, ds: Any, packed: bytes) -> int:
    """Writes the decisions of a packed table (up to marks[0]), and then its anytime moves; returns their end."""
    e, p, desk = es[0].rules, es[0].pieces, ds[0]
    packing.unpack(e, packed, desk.numbers)
    desk.marks[0] = json_writer.write_decisions(e, desk.table, p, desk.moves, desk.out, 0)
    end: int = json_writer.write_anytime(desk.table, p, desk.out, desk.marks[0])
    return end


class Desk:
    """A desk, with its marks and its bytes as Python reads them."""

    __slots__ = ("array", "marks", "out")

    def __init__(self) -> None:
        self.array = np.zeros(1, DESK)
        self.array["tape"]["room"] = TAPE
        self.marks = memoryview(self.array[0]["marks"])
        self.out = memoryview(self.array[0]["out"])


def edition_record(edition: Edition, pieces: Pieces) -> Any:
    """An edition and its pieces as compiled code reads them."""
    record = np.zeros(1, EDITION)
    record["rules"] = to_records([edition])
    for name in record_type(Pieces).names or ():
        record["pieces"][name] = getattr(pieces, name)
    if len(pieces.text) > TEXT:
        raise ValueError(f"the pieces of this edition take {len(pieces.text)} bytes, more than {TEXT}")
    record["pieces"]["text"][0, : len(pieces.text)] = np.frombuffer(pieces.text, np.uint8)
    return record
