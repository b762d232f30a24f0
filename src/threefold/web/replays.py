"""HTTP routes for looking back at a finished game: replay, check and, if the game has one, review."""

import asyncio
import gzip
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

import msgspec
from litestar import MediaType, Response, get
from litestar.params import Parameter

from threefold.facts import PageType
from threefold.fields import a_whole_number
from threefold.game import EndingForm, Json
from threefold.kit import Kits
from threefold.live import entries as e
from threefold.live.record import (
    bot_of,
    can_be_replayed,
    reasons_of,
    record_of,
    saved_of,
    settled_calls,
    shown_name,
    verify,
)
from threefold.live.refusals import not_found, refuse
from threefold.live.replay import Seeing, timeline
from threefold.live.state import commitment
from threefold.live.statistics import close_calls, review_of
from threefold.live.store import GameRow, PlayerRow
from threefold.texts import Text, TextForm
from threefold.web.identity import address_of, find_person
from threefold.web.problems import error_responses
from threefold.web.protocol import Result, ShownEvent, ShownView
from threefold.web.server import HttpRequest, server_of

CACHED_REPLAYS = 16
"""People switch between the players' views of one game."""
SMALLEST_COMPRESSED = 1000
"""Bytes; smaller answers are sent as they are."""


# ---------------------------------------------------------------- Replay


class ReplayPlayer(msgspec.Struct, kw_only=True):
    """A player of the game."""

    player: int
    seat: int
    name: str
    bot: str | None
    result: Result
    score: int | None


class ReplayStep(msgspec.Struct, kw_only=True):
    """One move: the player (null: time ran out), the game's own time, the events, and the change of the View.

    A change is `["is", value]`, `["in", {part: change}]`, `["keep", n, rest]` or `["gone"]`; null: nothing changed.
    """

    player: int | None
    move: str
    at: int | None
    events: list[ShownEvent]
    change: list[Json] | None


class Timeline(msgspec.Struct, kw_only=True):
    """A game as one viewer saw it: the first View and every move."""

    first: ShownView
    steps: list[ReplayStep]


class ReplayShown(msgspec.Struct, kw_only=True):
    """A finished game. `you` is the player who sent the request; `timeline` is null if the rules have changed since."""

    id: str
    game: str
    what: str
    rules: int
    began: int
    ended: int
    ending: EndingForm | None
    seed: str
    commitment: str
    you: int | None
    players: list[ReplayPlayer]
    timeline: Timeline | None


@get("/api/games/{game:str}/replay", tags=["games"], responses=error_responses(404))
async def replay(
    request: HttpRequest, game: str, viewer: Annotated[str, Parameter(max_length=8)] = "open"
) -> Response[ReplayShown]:
    """A finished game move by move, as one player saw it (`viewer` is 0, 1, …) or with all cards `open`.

    `timeline` is null if the game was played with another version of the rules; its record is still available.
    """
    server = server_of(request)
    server.limits.check("heavy", address_of(request))
    row, bodies = await server.lobby.finished(game)
    seeing = _seeing(viewer, len(row.players))
    me = await find_person(request)
    own = next((each.player for each in row.players if me is not None and each.person == me.id), None)
    return _compressed(request, await asyncio.to_thread(_replay, server.kits, row, tuple(bodies), seeing, own))


def _seeing(viewer: str, players: int) -> Seeing:
    if viewer == "open":
        return "open"
    if not (viewer.isascii() and viewer.isdecimal()):
        raise refuse("no_such_viewer", field="viewer", given=viewer)
    return a_whole_number(int(viewer), "viewer", 0, players - 1)


def _replay(kits: Kits, row: GameRow, bodies: tuple[str, ...], seeing: Seeing, own: int | None) -> bytes:
    started = _started(bodies)
    shown = ReplayShown(
        id=row.id,
        game=row.game,
        what=row.what,
        rules=row.rules,
        began=row.began,
        ended=row.ended,
        ending=row.ending,
        seed=started.setup["seed"],
        commitment=commitment(started.setup["seed"]),
        you=own,
        players=[_player(kits, row, each, started.seats[each.player]) for each in row.players],
        timeline=None,
    )
    if not can_be_replayed(row, kits):
        return msgspec.json.encode(shown)
    fields: dict[str, object] = msgspec.structs.asdict(shown)
    return msgspec.json.encode({**fields, "timeline": msgspec.Raw(_timeline(kits, row.game, bodies, seeing))})


def _started(bodies: Sequence[str]) -> e.Started:
    """The first entry of a game's part of the log."""
    started = e.decode(bodies[0])
    assert isinstance(started, e.Started)
    return started


def _player(kits: Kits, row: GameRow, player: PlayerRow, seat: int) -> ReplayPlayer:
    own = {"name": shown_name(player, kits.get(row.game)), "bot": bot_of(player, kits.get(row.game)), "seat": seat}
    results = {"result": player.result, "score": player.score}
    return msgspec.convert({"player": player.player, **own, **results}, ReplayPlayer)


@lru_cache(maxsize=CACHED_REPLAYS)
def _timeline(kits: Kits, game: str, bodies: tuple[str, ...], seeing: Seeing) -> bytes:
    """The timeline as JSON. A finished game never changes, so they can be cached."""
    entries = [e.decode(body) for body in bodies]
    shown = timeline(saved_of(game, entries), seeing, settled_calls(entries), reasons_of(entries), kits)
    return msgspec.json.encode(shown)


def _compressed(request: HttpRequest, body: bytes) -> Response[ReplayShown]:
    """The answer, with gzip if the client accepts it: replays are repetitive and shrink to a tenth."""
    headers = {"vary": "accept-encoding"}
    if len(body) > SMALLEST_COMPRESSED and "gzip" in request.headers.get("accept-encoding", ""):
        body, headers = gzip.compress(body, 1), {**headers, "content-encoding": "gzip"}
    answer: Response[ReplayShown] = Response(body, media_type=MediaType.JSON, headers=headers)  # type: ignore[arg-type] # bytes are sent as they are
    return answer


# ---------------------------------------------------------------- Check


class Checked(msgspec.Struct, kw_only=True):
    """Whether a finished game is sound, with the reasons as text keys."""

    sound: bool
    texts: list[TextForm]


@get("/api/games/{game:str}/verify", tags=["games"], responses=error_responses(404))
async def check(request: HttpRequest, game: str) -> Checked:
    """Replays a finished game of this server and tells whether it is sound."""
    server = server_of(request)
    server.limits.check("heavy", address_of(request))
    row, bodies = await server.lobby.finished(game)
    if not can_be_replayed(row, server.kits):
        return Checked(sound=False, texts=[Text("live.verify.other_rules").as_json()])
    report = await asyncio.to_thread(lambda: verify(record_of(row, bodies, server.kits), server.kits))
    keys = report.problems or ("sound",)
    return Checked(sound=not report.problems, texts=[Text(f"live.verify.{key}").as_json() for key in keys])


# ---------------------------------------------------------------- Review


class CloseCall(msgspec.Struct, kw_only=True):
    """Calls at almost the same time: the first player, their margin in milliseconds, and the others in order."""

    move: int
    player: int
    margin_ms: int | None
    others: list[int]


class PlayerReviewed(msgspec.Struct, kw_only=True):
    """A player, and their figures in this game."""

    player: int
    seat: int
    name: str
    bot: str | None
    you: bool
    score: int | None
    summary: Annotated[dict[str, Json], PageType("GameSummary")]


class ReviewShown(msgspec.Struct, kw_only=True):
    """The review of a finished game: the report of its kit, the players, and the calls at almost the same time."""

    id: str
    game: str
    report: Annotated[dict[str, Json], PageType("GameReport")]
    players: list[PlayerReviewed]
    close: list[CloseCall]


@get("/api/games/{game:str}/review", tags=["games"], responses=error_responses(404))
async def review(request: HttpRequest, game: str) -> ReviewShown:
    """The review of a finished game, if its game has one: what was possible, and what each player made of it."""
    server = server_of(request)
    server.limits.check("heavy", address_of(request))
    row, bodies = await server.lobby.finished(game)
    entries = [e.decode(body) for body in bodies]
    review = await asyncio.to_thread(lambda: review_of(row, entries, server.kits))
    if review is None:
        raise not_found("no_review", field="game", given=row.game)
    me = await find_person(request)
    seats = _started(bodies).seats
    players = [
        PlayerReviewed(
            player=each.player,
            seat=seats[each.player],
            name=shown_name(each, server.kits.get(row.game)),
            bot=bot_of(each, server.kits.get(row.game)),
            you=me is not None and each.person == me.id,
            score=each.score,
            summary=summary,
        )
        for each, summary in zip(row.players, review["summaries"], strict=True)
    ]
    close = msgspec.convert(close_calls(entries), list[CloseCall])
    return ReviewShown(id=row.id, game=row.game, report=review["report"], players=players, close=close)


ROUTES = [replay, check, review]
