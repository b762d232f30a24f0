"""Karma as a busy server plays it: compiled, on tables of a few hundred bytes, with Views written as JSON at once.

SERVED is the same `Game` as KARMA, and a test compares the two at every step of whole games. What happens at every move
(`play`, `ending`, `position`, `written_scenes`) goes through compiled code; what is asked for now and then is
answered by the plain functions, on a plain table.

`python -m threefold.karma.served` compiles everything once and remembers it, for processes that start later.
"""

import os
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final, overload

import msgspec

from threefold import karma
from threefold.compiling import mark_of, one_at_a_time
from threefold.game import Decision, Ending, Event, Game, IllegalMove, Json, Kept, Step, Viewer, scenes
from threefold.game import told as told_plainly
from threefold.karma import compact, compiled, writing
from threefold.karma.deal import Deal
from threefold.karma.events import read_tape
from threefold.karma.notation import parse_move
from threefold.karma.refusals import checked
from threefold.karma.table import EVENT, OVER, SEATS, Edition, Tape
from threefold.karma.table import Table as PlainTable
from threefold.karma.words import Words, words_of
from threefold.records import blank

TEXTS: Final = 4096
LONGEST: Final = 80
"""So many texts of moves are remembered by what they mean, for each edition; none longer than this."""
EDITIONS: Final = 64
"""So many editions are remembered, house editions among them."""
LONGEST_BEGIN: Final = 4096
"""Compiled code has room for so many bytes that are not its own in each View; an edition's designs may take more."""
SEATED: Final = (1 << SEATS) - 1

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode
_join = b"".join


class Printed:
    """An edition as a server needs it: for compiled code, with its words, and the beginning of everybody's View."""

    __slots__ = ("begins", "edition", "numbers", "records", "words")

    def __init__(self, deal: Deal) -> None:
        self.edition: Edition = deal.edition
        self.words: Words = words_of(deal.edition)
        self.records = compiled.printed_records(self.edition, self.words)
        self.numbers: dict[str, int] = {}
        named = {"edition": deal.setup["edition"], "options": deal.setup["options"]}
        viewers: tuple[Viewer, ...] = (None, *range(SEATS))
        self.begins = {each: _encode({"game": "karma", "viewer": each, **named})[:-1] for each in viewers}

    def number_of(self, move: str) -> int:
        """A text as a move; 0 if it is none at all."""
        try:
            number = parse_move(self.edition, move)
        except IllegalMove:
            return 0
        if len(self.numbers) < TEXTS and len(move) <= LONGEST:
            self.numbers[move] = number
        return number


_printed: dict[bytes, Printed] = {}


def _printed_for(deal: Deal) -> Printed:
    """The edition of a deal; the latest ones are remembered by how they were asked for."""
    key = _encode((deal.setup["edition"], deal.setup["options"]))
    found = _printed.pop(key, None) or Printed(deal)
    _printed[key] = found
    if len(_printed) > EDITIONS:
        del _printed[next(iter(_printed))]
    return found


class Table(msgspec.Struct, eq=False, gc=False):
    """A table as a value of few bytes."""

    packed: bytes
    printed: Printed
    deal: Deal

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.packed == other.packed and self.deal.setup == other.deal.setup

    __hash__ = None  # type: ignore[assignment]  # as the plain one


class Happened(Kept):
    """The events of a move, kept as few bytes and read when somebody asks for them."""

    __slots__ = ("printed",)

    def __init__(self, kept: bytes, printed: Printed) -> None:
        self.kept = kept
        self.printed = printed

    def of(self, kept: bytes) -> "Happened":
        """The events of another move of the same game."""
        return Happened(kept, self.printed)

    @property
    def turn_began(self) -> bool:
        """Whether a turn began."""
        return self.kept[0] == 1

    def events(self) -> list[Event]:
        """All of them."""
        tape = Tape([[0] * EVENT for _ in self.kept], 0, 0)
        compact.unpack_tape(self.printed.words, tape, self.kept, len(self.kept))
        return read_tape(self.printed.edition, tape)

    def __len__(self) -> int:
        return len(self.events())

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        return self.events()[index]

    def __iter__(self) -> Any:
        return iter(self.events())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.events() == list(other)

    __hash__ = None  # type: ignore[assignment]  # as a list


class _Desks(threading.local):
    """A desk for each thread."""

    def __init__(self) -> None:
        self.desk = compiled.Desk()


_desks = _Desks()


def pack(table: PlainTable) -> Table:
    """A plain table as a server keeps it."""
    out = bytearray(compact.LARGEST)
    size = compact.pack(table.deal.edition, table, out)
    return Table(bytes(out[:size]), _printed_for(table.deal), table.deal)


def unpack(table: Table) -> PlainTable:
    """The plain table again."""
    laid = blank(PlainTable, deal=table.deal)
    compact.unpack(table.deal.edition, laid, table.packed)
    return laid


# ---------------------------------------------------------------- At every move


def play(table: Table, player: int | None, move: str, at: int | None = None) -> Step[Table]:
    """Makes a move and gives the table after it."""
    printed, desk = table.printed, _desks.desk
    number = printed.numbers.get(move)
    if number is None:
        number = printed.number_of(move)
    known = player is not None and 0 <= player < table.packed[compact.PLAYERS] - 1
    end = compiled.play(printed.records, desk.array, table.packed, player, number) if known else 0
    if not end:
        checked(unpack(table), player, move)
        raise AssertionError(f"refused at one speed and not at the other: {move}")
    size, out = desk.mark[0], desk.out
    after = Table(out[:size].tobytes(), printed, table.deal)
    return Step(after, Happened(out[size:end].tobytes(), printed))


def ending(table: Table) -> Ending | None:
    """How the game ended, or None while it goes on."""
    return karma.ending(unpack(table)) if table.packed[compact.AWAITS] == OVER + 1 else None


def position(table: Table) -> int:
    """A number for what a spectator sees, the count of turns aside."""
    return int.from_bytes(table.packed[: compact.AWAITS], "little")


def written_views(table: Table, viewers: Sequence[Viewer]) -> list[bytes]:
    """The Views of several viewers, as JSON."""
    printed, desk = table.printed, _desks.desk
    who = 0
    for viewer in viewers:
        if viewer is not None:
            who |= 1 << viewer
    if who >> table.packed[compact.PLAYERS] - 1:
        raise IndexError("somebody looks on who does not play")
    compiled.write_views(printed.records, desk.array, table.packed, who)
    mark, out, begins, written = desk.mark, desk.out, printed.begins, []
    for viewer in viewers:
        i = writing.SPECTATOR if viewer is None else writing.VIEWS + 2 * viewer
        written.append(_join((begins[viewer], out[mark[i] : mark[i + 1]])))
    return written


def written_scenes(
    table: Table, events: Sequence[Event], viewers: tuple[Viewer, ...], between: bytes
) -> dict[Viewer, bytes]:
    """By viewer: their View, then `between`, then what they are told of the events that led to it."""
    printed, desk = table.printed, _desks.desk
    begin = printed.begins[None]
    if not isinstance(events, Happened) or len(begin) + len(between) > LONGEST_BEGIN:
        return scenes(viewers, written_views(table, viewers), told(events, viewers), between)
    who, places = _places(viewers)
    if (who & SEATED) >> table.packed[compact.PLAYERS] - 1:
        raise IndexError("somebody looks on who does not play")
    compiled.write_scenes(printed.records, desk.array, table.packed, events.kept, begin, between, who)
    mark, out = desk.mark, desk.out
    return {viewer: out[mark[i] : mark[i + 1]].tobytes() for viewer, i in places}


@lru_cache(1024)
def _places(viewers: tuple[Viewer, ...]) -> tuple[int, list[tuple[Viewer, int]]]:
    """Who looks on, one bit each, and where the marks of their Views are."""
    who = sum(1 << (SEATS if each is None else each) for each in set(viewers))
    return who, [(each, writing.SPECTATOR if each is None else writing.VIEWS + 2 * each) for each in viewers]


def told(events: Sequence[Event], viewers: Sequence[Viewer]) -> list[bytes]:
    """What each viewer is told of a move's events, as a JSON list: the same object for all who know no more."""
    if not isinstance(events, Happened):
        return told_plainly(events, viewers)
    desk = _desks.desk
    who = compiled.write_told(events.printed.records, desk.array, events.kept)
    mark, out = desk.mark, desk.out
    common = out[: mark[writing.SPECTATOR + 1]].tobytes()
    written = []
    for viewer in viewers:
        if viewer is None or not who >> viewer & 1:
            written.append(common)
        else:
            i = writing.VIEWS + 2 * viewer
            written.append(out[mark[i] : mark[i + 1]].tobytes())
    return written


# ---------------------------------------------------------------- Often


class _Asked(msgspec.Struct):
    """A decision as compiled code writes it."""

    player: int
    question: str
    moves: tuple[str, ...]
    power: str | None = None


_decode_asked = msgspec.json.Decoder(list[_Asked]).decode


def decisions(table: Table) -> list[Decision]:
    """Everyone who is awaited, with all legal moves."""
    desk = _desks.desk
    compiled.write_decisions(table.printed.records, desk.array, table.packed)
    return [
        Decision(each.player, each.question, each.moves, {} if each.power is None else {"power": each.power})
        for each in _decode_asked(desk.out[: desk.mark[0]])
    ]


def anytime(table: Table) -> list[Decision]:
    """Who may offer a draw, or agree to one."""
    desk = _desks.desk
    end = compiled.write_decisions(table.printed.records, desk.array, table.packed)
    return [Decision(each.player, each.question, each.moves) for each in _decode_asked(desk.out[desk.mark[0] : end])]


def views(table: Table, viewers: Sequence[Viewer]) -> list[dict[str, Json]]:
    """The Views of several viewers."""
    return [_decode(each) for each in written_views(table, viewers)]


def view(table: Table, viewer: Viewer) -> dict[str, Json]:
    """Everything this viewer may know."""
    return views(table, (viewer,))[0]


def players(table: Table) -> int:
    """How many players the table has."""
    return table.packed[compact.PLAYERS] - 1


# ---------------------------------------------------------------- Now and then


def new(given: Mapping[str, Json]) -> Table:
    """Sets a table up."""
    return pack(karma.new(given))


def setup(table: Table) -> dict[str, Json]:
    """What a table was set up from, complete."""
    return karma.setup(unpack(table))


def card_names(table: Table) -> dict[str, str]:
    """What the designed cards of this game are called."""
    return karma.card_names(unpack(table))


def explain(table: Table, player: int | None, move: str, at: int | None = None) -> IllegalMove | None:
    """What `play` would refuse this move with, or None."""
    return karma.explain(unpack(table), player, move, at)


def open_view(table: Table) -> dict[str, Json]:
    """A spectator's View with every card turned up."""
    return karma.open_view(unpack(table))


def state(table: Table) -> dict[str, Json]:
    """Everything there is."""
    return karma.state(unpack(table))


class ServedKarma:
    """Karma at the server's speed as one of the games that everything outside knows (`threefold.game.Game`)."""

    name = karma.KARMA.name
    rules_version = karma.KARMA.rules_version
    timed = karma.KARMA.timed
    new = staticmethod(new)
    setup = staticmethod(setup)
    players = staticmethod(players)
    card_names = staticmethod(card_names)
    decisions = staticmethod(decisions)
    anytime = staticmethod(anytime)
    play = staticmethod(play)
    explain = staticmethod(explain)
    view = staticmethod(view)
    views = staticmethod(views)
    written_views = staticmethod(written_views)
    written_scenes = staticmethod(written_scenes)
    told = staticmethod(told)
    position = staticmethod(position)
    open_view = staticmethod(open_view)
    state = staticmethod(state)
    ending = staticmethod(ending)


SERVED: Game[Table] = ServedKarma()


def warm() -> None:
    """Goes through every entry point once: what was compiled before is loaded, what was not is compiled now."""
    table = new({"edition": "classic", "players": 2, "seed": "v1:warm"})
    decision = decisions(table)[0]
    step = play(table, decision.player, decision.moves[0])
    written_views(step.table, (0, None))
    written_scenes(step.table, step.events, (0, None), b",")
    told(step.events, (0, None))


def is_remembered() -> bool:
    """Whether everything was compiled before, so that warming up takes a moment."""
    return mark_of("served", "karma").exists()


def main() -> None:
    """Compiles everything, when nothing else wants the processor."""
    with suppress(AttributeError, OSError):  # Windows has no such thing, and a hardened service may not
        os.nice(19)
    mark = mark_of("served", "karma")
    with one_at_a_time(mark):
        if not mark.exists():
            warm()
            mark.touch()


if __name__ == "__main__":
    main()
