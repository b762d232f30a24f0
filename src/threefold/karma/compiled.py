"""Karma at the second speed. Entry points take arrays of records and an index; they trust their moves."""

from typing import Any

import numpy as np

from threefold.compiling import NUMBER, compiler, record_type, to_records
from threefold.karma import compact, playouts, turn, writing
from threefold.karma.table import NONE, SEATS, Edition, Moves, Table, Tape
from threefold.karma.table import TAPE as ROWS
from threefold.karma.words import TEXT, Words
from threefold.shuffle import Random

EDITION = record_type(Edition)
TABLE = record_type(Table)
MOVES = record_type(Moves)
TAPE = record_type(Tape)
RANDOM = record_type(Random)
WORDS = np.dtype([*record_type(Words).descr, ("text", np.uint8, (TEXT,))])
PRINTED = np.dtype([("edition", EDITION), ("words", WORDS)])
"""All that belongs to an edition."""
ROOM = 1 << 18
"""More bytes than all Views of the largest table take, with what is told; a test holds it against that."""
DESK = np.dtype(
    [
        ("table", TABLE),
        ("moves", MOVES),
        ("tape", TAPE),
        ("mark", NUMBER, (writing.MARKS,)),
        ("out", np.uint8, (ROOM,)),
    ]
)
"""Where one table after the other is laid out, played on and written down; one array, so that a call is cheap."""

_compiled = compiler("karma")


@_compiled
def list_moves(es: Any, ts: Any, i: int, player: int, ms: Any) -> int:
    """Lists a player's legal moves; how many there are."""
    turn.list_moves(es[0], ts[i], player, ms[0])
    count: int = ms[0].count
    return count


@_compiled
def make_move(es: Any, ts: Any, i: int, tapes: Any, player: int, move: int) -> None:
    """Makes a legal move."""
    turn.make_move(es[0], ts[i], tapes[0], player, move)


@_compiled
def first_awaited(ts: Any, i: int) -> int:
    """Who moves next."""
    player: int = turn.first_awaited(ts[i])
    return player


@_compiled
def shuffle_and_deal(es: Any, ts: Any, i: int, rs: Any, players: int) -> None:
    """A new game."""
    playouts.shuffle_and_deal(es[0], ts[i], rs[0], players)


@_compiled
def is_conserved(es: Any, ts: Any, i: int) -> bool:
    """Are all cards where cards can be?"""
    kept: bool = playouts.is_conserved(es[0], ts[i])
    return kept


@_compiled
def play_games(es: Any, ts: Any, ms: Any, tapes: Any, rs: Any, players: int, games: int) -> int:
    """Many random games; how many moves were made."""
    made: int = playouts.play_games(es, ts, ms, tapes, rs, players, games)
    return made


# ---------------------------------------------------------------- A served table: bytes in, bytes out


@_compiled
def play(ps: Any, ds: Any, packed: bytes, player: int, move: int) -> int:
    """Plays on a packed table: what it is then, and after it what happened; 0 if the move is illegal."""
    e, w, desk = ps[0].edition, ps[0].words, ds[0]
    compact.unpack(e, desk.table, packed)
    if not turn.is_legal(e, desk.table, player, move, desk.moves):
        return 0
    turn.make_move(e, desk.table, desk.tape, player, move)
    size = compact.pack(e, desk.table, desk.out)
    desk.mark[0] = size
    end: int = compact.pack_tape(w, desk.tape, desk.out, size)
    return end


@_compiled
def write_views(ps: Any, ds: Any, packed: bytes, who: int) -> None:
    """Writes a spectator's View of a packed table, and those of the players whose bits are set."""
    e, w, desk = ps[0].edition, ps[0].words, ds[0]
    compact.unpack(e, desk.table, packed)
    writing.write_views(e, desk.table, w, desk.moves, desk.out, 0, desk.mark, who)


@_compiled
def write_scenes(ps: Any, ds: Any, packed: bytes, rows: bytes, begin: bytes, between: bytes, who: int) -> None:
    """Writes whole Views of a packed table, each with what its viewer is told of packed events."""
    e, w, desk = ps[0].edition, ps[0].words, ds[0]
    compact.unpack(e, desk.table, packed)
    compact.unpack_tape(w, desk.tape, rows, len(rows))
    writing.write_scenes(e, desk.table, w, desk.moves, desk.tape, begin, between, desk.out, desk.mark, who)


@_compiled
def write_told(ps: Any, ds: Any, rows: bytes) -> int:
    """Writes what is told of packed events to a spectator, and to those who know more: the answer is who."""
    w, desk = ps[0].words, ds[0]
    compact.unpack_tape(w, desk.tape, rows, len(rows))
    who: int = writing.who_knows_more(w, desk.tape)
    at = writing.write_told(w, desk.tape, desk.out, 0, NONE)
    desk.mark[writing.SPECTATOR] = 0
    desk.mark[writing.SPECTATOR + 1] = at
    for player in range(SEATS):
        if who >> player & 1:
            desk.mark[writing.VIEWS + 2 * player] = at
            at = writing.write_told(w, desk.tape, desk.out, at, player)
            desk.mark[writing.VIEWS + 2 * player + 1] = at
    return who


@_compiled
def write_decisions(ps: Any, ds: Any, packed: bytes) -> int:
    """Writes the decisions of a packed table, and after them what may be done at any time; where that ends."""
    e, w, desk = ps[0].edition, ps[0].words, ds[0]
    compact.unpack(e, desk.table, packed)
    desk.mark[0] = writing.write_decisions(e, desk.table, w, desk.moves, desk.out, 0)
    end: int = writing.write_anytime(desk.table, w, desk.out, desk.mark[0])
    return end


class Desk:
    """A desk, and its marks and its bytes as Python reads them."""

    __slots__ = ("array", "mark", "out")

    def __init__(self) -> None:
        self.array = np.zeros(1, DESK)
        self.array["tape"]["room"] = ROWS
        self.mark = memoryview(self.array[0]["mark"])
        self.out = memoryview(self.array[0]["out"])


def printed_records(edition: Edition, words: Words) -> Any:
    """An edition and its words as compiled code reads them."""
    printed = np.zeros(1, PRINTED)
    printed["edition"] = to_records([edition])
    printed["words"] = _words_records(words)
    return printed


def _words_records(words: Words) -> Any:
    array = np.zeros(1, WORDS)
    for name in record_type(Words).names or ():
        array[0][name] = getattr(words, name)
    array[0]["text"][: len(words.text)] = np.frombuffer(words.text, np.uint8)
    return array


def blank_tables(count: int) -> Any:
    """Room for tables."""
    return np.zeros(count, TABLE)


def blank_moves() -> Any:
    """Room for the legal moves of one decision."""
    return np.zeros(1, MOVES)


def blank_tape(room: int = 0) -> Any:
    """A tape; without room nothing is written on it."""
    tape = np.zeros(1, TAPE)
    tape["room"] = room
    return tape


def edition_records(edition: Edition) -> Any:
    """An edition as compiled code reads it."""
    return to_records([edition])


def random_records(random: Random) -> Any:
    """A generator as compiled code reads it."""
    return to_records([random])
