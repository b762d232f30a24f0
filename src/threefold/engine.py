"""The engine protocol: JSON lines, one request, one answer, so that any program can play, test or referee.

docs/reference/engine-protocol.md shows every request with a full answer, and is itself a test.
"""

import json
import logging
import math
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, BinaryIO

from threefold.fields import (
    a_text,
    a_whole_number,
    an_object,
    one_of,
    refuse,
    required,
    shown,
)
from threefold.game import Event, Game, Json, Refusal, event_text
from threefold.games import KITS
from threefold.kit import Kits, Request
from threefold.saved import Move, load, save
from threefold.texts import Names, say

LONGEST_LINE = 8_000_000
MOST_TABLES = 10_000
LATEST_TIME = 2**53
LONGEST_NUMBER = 1_000
"""Digits of a whole number in a request."""
ALSO_STOPPED = ("save", "close")
"""Requests that a table answers even after a fault inside its rules."""

_log = logging.getLogger("threefold.engine")


@dataclass(slots=True)
class OpenTable:
    """A table of this process with its history."""

    name: str
    game: Game[Any]
    table: Any
    moves: list[Move] = field(default_factory=list)
    events: list[list[Event]] = field(default_factory=list)
    stopped: str | None = None
    """The reference of the fault that stopped this table."""


@dataclass(slots=True)
class Engine:
    """All tables of one conversation, and the answers to its requests."""

    kits: Kits = KITS
    tables: dict[str, OpenTable] = field(default_factory=dict)
    named: int = 0
    is_over: bool = False

    def answer_line(self, line: bytes) -> Json:
        """The answer to one line, whatever it holds."""
        try:
            request = _parse(line)
        except Refusal as refused:
            return _refused(None, refused)
        number = request.get("id") if isinstance(request, Mapping) else None
        try:
            return {"id": number, "ok": True, **self.answer(request)}
        except Refusal as refused:
            return _refused(number, refused)

    def answer(self, request: Json) -> dict[str, Json]:
        """The answer to one request; raises Refusal, and then nothing has changed.

        A fault inside the rules is logged under a reference and refused with it. Its table stops; all others go on.
        """
        if not isinstance(request, Mapping):
            raise refuse("not_an_object", field="request", given=shown(request))
        requests = requests_of(self.kits)
        do = one_of(required(request, "do", "request"), "do", requests)
        fields, answer = requests[do]
        if fields is not None:
            an_object(request, f"request {do}", ("id", "do", *fields))
        name = request.get("table")
        opened = self.tables.get(name) if isinstance(name, str) else None
        if opened is not None and opened.stopped is not None and do not in ALSO_STOPPED:
            raise refuse("table_has_stopped", given=opened.stopped)
        named = self.named
        try:
            return answer(self, request)
        except Refusal:
            raise
        except RecursionError:
            raise refuse("nested_too_deep") from None
        except Exception as fault:
            reference = secrets.token_hex(4)
            _log.exception("fault %s in the request %s", reference, do)
            if self.named > named:
                del self.tables[f"t{self.named}"]
            if opened is not None:
                opened.stopped = reference
            raise refuse("fault", given=reference) from fault

    def open(self, game: Game[Any], table: Any) -> OpenTable:
        """Gives a new table its name."""
        if len(self.tables) >= MOST_TABLES:
            raise refuse("too_many_tables", most=MOST_TABLES)
        self.named += 1
        opened = OpenTable(f"t{self.named}", game, table)
        self.tables[opened.name] = opened
        return opened

    def table(self, request: Mapping[str, Json]) -> OpenTable:
        """The table that a request is about."""
        name = a_text(required(request, "table", "request"), "table")
        if name not in self.tables:
            raise refuse("no_such_table", given=shown(name))
        return self.tables[name]


def _parse(line: bytes) -> Json:
    """The JSON of a line; refuses what is none, or what no answer could repeat."""
    try:
        return json.loads(line, parse_constant=_no_constant, parse_int=_whole_number, parse_float=_number)
    except json.JSONDecodeError as problem:
        raise refuse("not_json", place=problem.pos + 1) from None
    except UnicodeDecodeError:
        raise refuse("not_json", place=None) from None
    except RecursionError:
        raise refuse("nested_too_deep") from None


def _no_constant(_: str) -> Json:
    raise refuse("not_json", place=None)


def _whole_number(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise refuse("number_too_large")
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits)
    if number in (math.inf, -math.inf):
        raise refuse("number_too_large")
    return number


def _refused(number: Json, refused: Refusal) -> Json:
    return {"id": number, "ok": False, "error": refused.as_json()}


def _report(opened: OpenTable) -> dict[str, Json]:
    """Where a table stands: what every answer about moves says."""
    game, table = opened.game, opened.table
    ended = game.ending(table)
    return {
        "table": opened.name,
        "seq": len(opened.moves),
        "decisions": [each.as_json() for each in game.decisions(table)],
        "anytime": [each.as_json() for each in game.anytime(table)],
        "ending": None if ended is None else ended.as_json(),
    }


def _new(engine: Engine, request: Mapping[str, Json]) -> dict[str, Json]:
    kits = engine.kits
    game = kits[one_of(request.get("game", next(iter(kits))), "game", kits)].game
    setup = {name: value for name, value in request.items() if name not in ("id", "do", "game")}
    opened = engine.open(game, game.new(setup))
    return {**_report(opened), "setup": game.setup(opened.table)}


def _play(engine: Engine, request: Mapping[str, Json]) -> dict[str, Json]:
    opened = engine.table(request)
    move = _move(opened, request)
    step = opened.game.play(opened.table, move.player, move.move, move.at)
    opened.table = step.table
    opened.moves.append(move)
    opened.events.append(list(step.events))
    names = _names(opened)
    return {"events": [_narrated(opened, each.whole(), None, names) for each in step.events], **_report(opened)}


def _explain(engine: Engine, request: Mapping[str, Json]) -> dict[str, Json]:
    opened = engine.table(request)
    move = _move(opened, request)
    refused = opened.game.explain(opened.table, move.player, move.move, move.at)
    return {"legal": refused is None, "error": None if refused is None else refused.as_json()}


def _move(opened: OpenTable, request: Mapping[str, Json]) -> Move:
    player = _player(opened, request)
    move = a_text(required(request, "move", "request"), "move")
    at = request.get("at")
    if opened.game.timed:
        at = a_whole_number(required(request, "at", "request"), "at", 0, LATEST_TIME)
    elif at is not None:
        raise refuse("no_time", game=opened.game.name)
    return Move(player, move, at)


def _player(opened: OpenTable, request: Mapping[str, Json]) -> int | None:
    player = required(request, "player", "request")
    most = opened.game.players(opened.table) - 1
    return None if player is None else a_whole_number(player, "player", 0, most)


def _view(engine: Engine, request: Mapping[str, Json]) -> dict[str, Json]:
    opened = engine.table(request)
    viewer = _player(opened, request)
    return {"seq": len(opened.moves), "view": opened.game.view(opened.table, viewer)}


def _events(engine: Engine, request: Mapping[str, Json]) -> dict[str, Json]:
    opened = engine.table(request)
    viewer = _player(opened, request)
    since = a_whole_number(request.get("since", 0), "since", 0, len(opened.moves))
    names = _names(opened)
    events = [each.seen_by(viewer) for move in opened.events[since:] for each in move]
    return {"seq": len(opened.moves), "events": [_narrated(opened, each, viewer, names) for each in events]}


def _narrated(opened: OpenTable, event: Json, viewer: int | None, names: Names) -> Json:
    return {**event, "says": say(event_text(opened.game.name, event), viewer=viewer, names=names)}


def _names(opened: OpenTable) -> Names:
    return Names(cards=opened.game.card_names(opened.table))


def _state(engine: Engine, request: Mapping[str, Json]) -> dict[str, Json]:
    opened = engine.table(request)
    return {"seq": len(opened.moves), "state": opened.game.state(opened.table)}


def _save(engine: Engine, request: Mapping[str, Json]) -> dict[str, Json]:
    opened = engine.table(request)
    return {"saved": save(opened.game, opened.table, opened.moves)}


def _load(engine: Engine, request: Mapping[str, Json]) -> dict[str, Json]:
    replay = load(required(request, "saved", "request"), engine.kits)
    opened = engine.open(replay.game, replay.table)
    opened.moves = list(replay.moves)
    opened.events = [list(each) for each in replay.events]
    return _report(opened)


def _close(engine: Engine, request: Mapping[str, Json]) -> dict[str, Json]:
    opened = engine.table(request)
    del engine.tables[opened.name]
    return {"table": opened.name}


def _quit(engine: Engine, _: Mapping[str, Json]) -> dict[str, Json]:
    engine.is_over = True
    return {}


Answer = Callable[[Engine, Mapping[str, Json]], dict[str, Json]]

REQUESTS: dict[str, tuple[tuple[str, ...] | None, Answer]] = {
    "new": (None, _new),
    "play": (("table", "player", "move", "at"), _play),
    "explain": (("table", "player", "move", "at"), _explain),
    "view": (("table", "player"), _view),
    "events": (("table", "player", "since"), _events),
    "state": (("table",), _state),
    "save": (("table",), _save),
    "load": (("saved",), _load),
    "close": (("table",), _close),
    "quit": ((), _quit),
}
"""Request -> the fields it takes beside `id` and `do` (None: the game's own set-up checks them), and its answer."""


@cache
def requests_of(kits: Kits) -> dict[str, tuple[tuple[str, ...] | None, Answer]]:
    """All requests: those about tables, and the games' own."""
    own = {name: row for kit in kits.values() for name, row in kit.requests.items()}
    return {**REQUESTS, **{name: (fields, _about_a_game(answer)) for name, (fields, answer) in own.items()}}


def _about_a_game(answer: Request) -> Answer:
    return lambda _, request: answer(request)


def converse(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answers every line until `quit` or the end of input."""
    engine = Engine()
    while not engine.is_over and (line := requests.readline(LONGEST_LINE + 1)):
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            while (rest := requests.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            answer = _refused(None, refuse("line_too_long", most=LONGEST_LINE))
        elif not line.strip():
            continue
        else:
            answer = engine.answer_line(line)
        answers.write(_line(answer))
        answers.flush()


def _line(answer: Json) -> bytes:
    try:
        text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except RecursionError:  # an id that can be read but not written
        text = json.dumps(_refused(None, refuse("nested_too_deep")))
    return text.encode("utf-8", "backslashreplace") + b"\n"  # half a surrogate pair stays an escape
