"""One move on one position, at both speeds: what the tests of the rules are written in.

`after("classic; 0 hand 7; 1 hand 9; turn 0; pile 5", 0, "play 7")` lays the position out, makes the move plain and
compiled, and sees that both speeds agree about legal moves, table and events; that the position it started from is as
it was; that no card was lost or made; and that position and text say the same. The functions below it are the events,
as a referee sees them.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.karma.conservation import is_conserved
from tests.karma.laws.model import spread_memory
from threefold import karma
from threefold.game import Event, Json, Step, Viewer
from threefold.karma.decisions import legal_moves
from threefold.karma.design import code_from_design, design_from_json
from threefold.karma.fast import json_writer, packing
from threefold.karma.fast.json_pieces import Pieces, pieces_of
from threefold.karma.moves import AGREE_DRAW, OFFER_DRAW, PLAY, move_of
from threefold.karma.notation import format_move, parse_move
from threefold.karma.positions import format_position, parse_position
from threefold.karma.table import EVENT, NONE, SET_UP, TAPE, Edition, Moves, Table, Tape
from threefold.karma.tape import NUMBERS
from threefold.karma.turn import is_legal, make_move
from threefold.records import blank, copied, flat, from_flat
from threefold.serialising import PlainSerialiser

PLAIN = PlainSerialiser(karma.KARMA)
ROOM = 1 << 17
"""Bytes for everything that is written of a table."""
DRAWS = (move_of(OFFER_DRAW, 0, 0, 0), move_of(AGREE_DRAW, 0, 0, 0))
PLAIN_ONLY = bool(os.environ.get("THREEFOLD_PLAIN_ONLY"))
"""Mutation testing edits the rules over and over and cannot wait for them to compile."""


@dataclass(frozen=True)
class After:
    """A table after a move, and what happened."""

    table: Table
    step: list[Event]

    @property
    def events(self) -> list[Json]:
        """What happened, as a referee sees it."""
        return [each.whole() for each in self.step]

    def seen_by(self, viewer: Viewer) -> list[Json]:
        """What happened, as one viewer may know it."""
        return [each.seen_by(viewer) for each in self.step]

    @property
    def lies(self) -> str:
        """The position, without its edition and without the number of turns."""
        return lies(self.table)


def lay(position: str | Table) -> Table:
    """The table of a position."""
    return karma.new({"position": position}) if isinstance(position, str) else position


def after(position: str | Table | After, player: int, *moves: str) -> After:
    """Makes one move (or several of one player, for what they come to) at both speeds."""
    table = position.table if isinstance(position, After) else lay(position)
    events: list[Event] = []
    for move in moves:
        before = flat(table)
        check_legal_moves(table)
        step = karma.play(table, player, move)
        assert flat(table) == before, "the table it was made on stays as it was"
        assert is_conserved(step.table.deal.edition, step.table)
        tape = check_tape(table, player, move, step.table)
        check_written(step, tape)
        if not PLAIN_ONLY:
            check_compiled(table, player, move, step.table, tape)
            check_fast(table, player, move, step)
        check_text(step.table)
        check_legal_moves(step.table)
        table = step.table
        events += step.events
    return After(table, events)


def moves(position: str | Table | After, player: int | None = None) -> list[str]:
    """The legal moves of whom the table waits for; of one player, if several are awaited."""
    table = position.table if isinstance(position, After) else lay(position)
    check_legal_moves(table)
    found = [each for each in karma.decisions(table) if player is None or each.player == player]
    (decision,) = found
    return list(decision.moves)


def question(position: str | Table | After) -> tuple[int | None, str]:
    """Who is awaited, and what is asked."""
    table = position.table if isinstance(position, After) else lay(position)
    (decision,) = karma.decisions(table)
    return decision.player, decision.question


def lies(position: str | Table | After) -> str:
    """A position as text, without its edition, the number of turns, and what players remember."""
    table = position.table if isinstance(position, After) else lay(position)
    _, *sections = format_position(table).split("; ")
    return "; ".join(each for each in sections if not each.startswith(("turns ", "known ")))


def refused(position: str | Table | After, player: int, move: str) -> str | None:
    """The clause that a move is refused by; nothing changes."""
    table = position.table if isinstance(position, After) else lay(position)
    before = flat(table)
    illegal = karma.explain(table, player, move)
    assert illegal is not None, f"{move} is legal"
    assert flat(table) == before
    return illegal.clause


# ---------------------------------------------------------------- Both speeds agree


def check_legal_moves(table: Table) -> None:
    """Both speeds list the same moves, and every one of them is accepted."""
    for player in range(table.players):
        listed = legal_moves(table, player)
        assert listed == compiled_moves(table, player)
        assert len(listed) == len(set(listed))
        assert not is_legal(table.deal.edition, table, player, move_of(PLAY, 0, 99, 0), blank(Moves))
        about_a_draw = [
            format_move(table.deal.edition, move)
            for move in DRAWS
            if is_legal(table.deal.edition, table, player, move, blank(Moves))
        ]
        assert about_a_draw == [move for each in karma.anytime(table) if each.player == player for move in each.moves]
        for move in listed:
            assert is_legal(table.deal.edition, table, player, move, blank(Moves))
            assert karma.explain(table, player, format_move(table.deal.edition, move)) is None


def compiled_moves(table: Table, player: int) -> list[int]:
    if PLAIN_ONLY:
        return legal_moves(table, player)
    from tests.karma import compiled
    from threefold.compiling import to_records

    found = compiled.blank_moves()
    count = compiled.list_moves(edition_records(table.deal.edition), to_records([table]), 0, player, found)
    return [int(move) for move in found[0]["move"][:count]]


def check_tape(table: Table, player: int, move: str, expected: Table) -> list[list[int]]:
    """The rows that the move writes on a tape: they hold no number that no event tells."""
    tape = blank(Tape)
    tape.room = TAPE
    plain = copied(table)
    make_move(table.deal.edition, plain, tape, player, parse_move(table.deal.edition, move))
    assert flat(plain) == flat(expected)
    rows = tape.row[: tape.size]
    for row in rows:
        assert not any(row[1 + NUMBERS[row[0]] :])
    return rows


def check_compiled(table: Table, player: int, move: str, expected: Table, tape: list[list[int]]) -> None:
    """The same move on records gives the same numbers, on the table and on the tape."""
    import numpy as np

    from tests.karma import compiled
    from threefold.compiling import to_records

    edition = table.deal.edition
    number = parse_move(edition, move)
    tables, tapes = to_records([table]), compiled.blank_tape(TAPE)
    compiled.make_move(edition_records(edition), tables, 0, tapes, player, number)
    assert tables.view(np.int64).tolist() == flat(expected)
    assert tapes[0]["row"][: int(tapes[0]["size"])].tolist() == tape


def check_written(step: Step[Table], rows: list[list[int]]) -> None:
    """Packed tables and tapes are what they were, and JSON is written, piece by piece, as it is encoded."""
    table, edition = step.table, step.table.deal.edition
    out, pieces = bytearray(ROOM), pieces_of(edition)
    size = packing.pack(edition, table, flat(table), out)
    numbers = [0] * packing.NUMBERS
    packing.unpack(edition, out[:size], numbers)
    again = from_flat(Table, numbers, deal=table.deal)
    assert tidy(again) == tidy(table)
    assert PLAIN.position(again) == PLAIN.position(table)
    viewers: list[Viewer] = [None, *range(table.players)]
    marks = [0] * json_writer.MARKS
    json_writer.write_views(edition, table, pieces, blank(Moves), out, 0, marks, (1 << table.players) - 1)
    for viewer, expected in zip(viewers, PLAIN.json_views(table, viewers), strict=True):
        i = json_writer.SPECTATOR if viewer is None else json_writer.VIEWS + 2 * viewer
        assert expected.endswith(b"," + out[marks[i] + 1 : marks[i + 1]])
    only_spectator = [0] * json_writer.MARKS
    end = json_writer.write_views(edition, table, pieces, blank(Moves), bytearray(ROOM), 0, only_spectator, 0)
    assert end == marks[json_writer.SPECTATOR + 1]
    end = json_writer.write_decisions(edition, table, pieces, blank(Moves), out, 0)
    decisions = [
        {"player": each.player, "question": each.question, **each.details, "moves": list(each.moves)}
        for each in karma.decisions(table)
    ]
    assert json.loads(out[:end]) == decisions
    end = json_writer.write_anytime(table, pieces, out, 0)
    assert json.loads(out[:end]) == [each.as_json() for each in karma.anytime(table)]
    check_events(step, rows, pieces, out)


def check_events(step: Step[Table], rows: list[list[int]], pieces: Pieces, out: bytearray) -> None:
    """Events are written as they are encoded, from rows that were packed in between."""
    size = packing.pack_tape(pieces, Tape(rows, len(rows), 0), out, 0)
    tape = Tape([[0] * EVENT for _ in rows], 0, 0)
    packing.unpack_tape(pieces, tape, out[:size], size)
    assert tape.row == rows
    knowing = json_writer.who_knows_more(pieces, tape)
    spectators = PLAIN.json_events(step.events, [None])[0]
    for viewer in range(step.table.players):
        expected = PLAIN.json_events(step.events, [viewer])[0]
        end = json_writer.write_events(pieces, tape, out, 0, viewer)
        assert out[:end] == expected
        assert knowing >> viewer & 1 or expected == spectators
    end = json_writer.write_events(pieces, tape, out, 0, NONE)
    assert out[:end] == spectators


def check_fast(table: Table, player: int, move: str, expected: Step[Table]) -> None:
    """The compiled game comes to the same."""
    from threefold.karma.fast import FAST_KARMA

    viewers: list[Viewer] = [None, *range(table.players)]
    step = FAST_KARMA.play(FAST_KARMA.pack(table), player, move)
    assert step.table == FAST_KARMA.pack(expected.table)
    assert list(step.events) == list(expected.events)
    assert FAST_KARMA.json_views(step.table, viewers) == PLAIN.json_views(expected.table, viewers)
    assert FAST_KARMA.json_events(step.events, viewers) == PLAIN.json_events(expected.events, viewers)


def edition_records(edition: Edition) -> Any:
    from tests.karma import compiled

    return compiled.edition_records(edition)


def check_text(table: Table) -> None:
    """The position as text gives the same table again."""
    again = parse_position(format_position(table))
    assert tidy(again) == tidy(table)
    assert format_position(again) == format_position(table)


def tidy(table: Table) -> list[int]:
    """A table's numbers that mean something: none above a pile or beyond the last seat, nor what was once chosen."""
    table = copied(table)
    spread_memory(table)
    for pile, size in (
        (table.discard_pile, table.discard_size),
        (table.draw_pile, table.draw_size),
        (table.pending, table.pending_size),
    ):
        pile[size:] = [0] * (len(pile) - size)
    for rows in (table.face_up, table.face_down, table.chosen):
        rows[table.players :] = []
    if table.awaits != SET_UP:
        table.chosen = []
    return flat(table)


# ---------------------------------------------------------------- House editions


@cache
def _code(design: str) -> str:
    return code_from_design(design_from_json(json.loads(design)))


def code(*powers: str | Mapping[str, Json], leaves: bool = False, name: str = "Test") -> str:
    """The code of a design with these powers: `code("reverse", {"power": "draw_cards", "n": 1, "whom": "one"})`."""
    rows = [{"power": each} if isinstance(each, str) else dict(each) for each in powers]
    return _code(json.dumps({"name": name, "leaves": leaves, "powers": rows}))


ALL_TWELVE = dict.fromkeys(["GIV", "TAB", "BOT", "LOW", "OWN", "EXC", "SEA", "CLR", "LOS", "711", "PAS", "ONE"], 3)


def house(*designs: str, **fields: Json) -> str:
    """A house edition with all printed karma cards and these designs, as the first section of a position."""
    options = fields.pop("options", {})
    rows = [{"code": each} for each in designs]
    row = {"karma": ALL_TWELVE, "designs": rows, **fields}
    return json.dumps(row) + (f" {json.dumps(options)}" if options else "")


HOUSE = house()


# ---------------------------------------------------------------- What happens, as a referee sees it


def _event(name: str, **facts: Json) -> Json:
    return {"event": name, **{name.rstrip("_"): fact for name, fact in facts.items()}}


def played(player: int, card: str, count: int = 1, *, of: str = "hand", seat: int | None = None) -> Json:
    return _event("cards_played", player=player, seat=_seat(player, seat), from_=of, card=card, count=count)


def flipped(player: int, place: int, card: str, *, fits: bool = True, seat: int | None = None) -> Json:
    return _event("card_flipped", player=player, seat=_seat(player, seat), place=place, card=card, fits=fits)


def picked_up(player: int, cards: str, *, seat: int | None = None) -> Json:
    return _event("pile_picked_up", player=player, seat=_seat(player, seat), cards=cards.split())


def cleared(player: int, cards: str, why: str = "run") -> Json:
    return _event("pile_cleared", player=player, why=why, cards=cards.split())


def left(player: int, card: str, count: int = 1) -> Json:
    return _event("cards_left", player=player, card=card, count=count)


def pile_given(player: int, to: int, cards: str, *, seat: int | None = None) -> Json:
    return _event("pile_given", player=player, to=to, seat=_seat(to, seat), cards=cards.split())


def moved_up(player: int, card: str) -> Json:
    return _event("bottom_moved_up", player=player, card=card)


def reversed_by(player: int, direction: int) -> Json:
    return _event("direction_reversed", player=player, direction=direction)


def seats_changed(player: int, *moved: tuple[int, int, int]) -> Json:
    rows = [{"player": who, "from": old, "to": new} for who, old, new in moved]
    return _event("seats_changed", player=player, moved=rows)


def hands_passed(player: int, way: str) -> Json:
    return _event("hands_passed", player=player, way=way)


def hands_exchanged(player: int, to: int) -> Json:
    return _event("hands_exchanged", player=player, to=to)


def turns_to_lose(player: int, to: int, count: int = 1) -> Json:
    return _event("turns_to_lose", player=player, to=to, count=count)


def turn_lost(player: int, still: int = 0) -> Json:
    return _event("turn_lost", player=player, count=still)


def gift_chosen(player: int, card: str | None, *, of: str = "hand", place: int | None = None) -> Json:
    more = {} if place is None else {"place": place}
    return _event("gift_chosen", player=player, from_=of, card=card, **more)


def card_given(player: int, to: int, card: str | None, *, of: str = "hand", place: int | None = None) -> Json:
    return _event("card_given", player=player, to=to, from_=of, place=place, card=card)


def drew(player: int, cards: str | None, count: int = 0, *, seat: int | None = None) -> Json:
    known = None if cards is None else cards.split()
    return _event("cards_drawn", player=player, seat=_seat(player, seat), count=count or len(known or ()), cards=known)


def did_not_draw(player: int) -> Json:
    return _event("did_not_draw", player=player)


def declined(player: int, power: str) -> Json:
    return _event("declined", player=player, power=power)


def nothing_to_do(player: int, power: str) -> Json:
    return _event("nothing_to_do", player=player, power=power)


def peeked_at(player: int, place: int, card: str | None, *, seat: int | None = None) -> Json:
    return _event("card_peeked_at", player=player, seat=_seat(player, seat), place=place, card=card)


def swapped(player: int, place: int, up: str, hand: str, *, seat: int | None = None) -> Json:
    return _event("cards_swapped", player=player, seat=_seat(player, seat), place=place, up=up, hand=hand)


def turn(player: int, *, seat: int | None = None, again: bool = False) -> Json:
    return _event("turn_began", player=player, seat=_seat(player, seat), again=again)


def again(player: int, *, seat: int | None = None) -> Json:
    return turn(player, seat=seat, again=True)


def went_out(player: int) -> Json:
    return _event("went_out", player=player)


def brought_back(player: int) -> Json:
    return _event("brought_back", player=player)


def offered_draw(player: int) -> Json:
    return _event("draw_offered", player=player)


def agreed_to_draw(player: int) -> Json:
    return _event("agreed_to_draw", player=player)


WITHDRAWN = _event("draw_withdrawn")


def ended(reason: str, loser: int | None = None) -> Json:
    return _event("game_ended", reason=reason, loser=loser)


def face_up_chosen(player: int, cards: str | None) -> Json:
    return _event("face_up_chosen", player=player, cards=None if cards is None else cards.split())


def face_up_shown(player: int, cards: str) -> Json:
    return _event("face_up_shown", player=player, seat=player, cards=cards.split())


def _seat(player: int, seat: int | None) -> int:
    return player if seat is None else seat
