"""Over HTTP: a finished game to look at again, move by move, whether it is sound, and what can be learnt from it."""

import asyncio
import gzip
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

import msgspec
from litestar import MediaType, Response, get
from litestar.params import Parameter

from threefold.bots import BOTS
from threefold.fields import a_whole_number
from threefold.live import entries as e
from threefold.live.figures import review_of
from threefold.live.record import can_be_replayed, record_of, saved_of, settled_calls, verify
from threefold.live.refusals import not_found, refuse
from threefold.live.replay import Seeing, frames
from threefold.live.sitting import commitment
from threefold.live.store import GameRow, PlayerRow
from threefold.setgame.review import times_by_features
from threefold.texts import Text
from threefold.web.hall import Asking, address_of, hall_of, somebody
from threefold.web.problems import may_fail
from threefold.web.protocol import Checked, PlayerReviewed, ReplayPlayer, ReplayShown, ReviewShown

KEPT = 16
"""So many replays are kept in memory: people go back and forth between seats."""
SMALL = 1000
"""Answers below so many bytes are not packed."""


@get("/api/games/{game:str}/replay", tags=["games"], responses=may_fail(404))
async def replay(
    request: Asking, game: str, viewer: Annotated[str, Parameter(max_length=8)] = "open"
) -> Response[ReplayShown]:
    """A finished game move by move, as one player saw it (0, 1, …) or with all cards `open`.

    `frames` is null where the game was played by rules of another version; its record can still be fetched.
    """
    hall = hall_of(request)
    hall.limits.check("heavy", address_of(request))
    row, bodies = await hall.lobby.finished(game)
    seeing = _seeing(viewer, len(row.players))
    me = await somebody(request)
    own = next((each.player for each in row.players if me is not None and each.person == me.id), None)
    return _packed(request, await asyncio.to_thread(_replay, row, tuple(bodies), seeing, own))


def _seeing(viewer: str, players: int) -> Seeing:
    if viewer == "open":
        return "open"
    if not (viewer.isascii() and viewer.isdecimal()):
        raise refuse("no_such_viewer", field="viewer", given=viewer)
    return a_whole_number(int(viewer), "viewer", 0, players - 1)


def _replay(row: GameRow, bodies: tuple[str, ...], seeing: Seeing, own: int | None) -> bytes:
    started = _started(bodies)
    head = ReplayShown(
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
        players=[_player(row.game, each, started.seats[each.player]) for each in row.players],
        frames=None,
    )
    if not can_be_replayed(row):
        return msgspec.json.encode(head)
    told: dict[str, object] = msgspec.structs.asdict(head)
    return msgspec.json.encode({**told, "frames": msgspec.Raw(_frames(row.game, bodies, seeing))})


def _started(bodies: Sequence[str]) -> e.Started:
    """The entry that a game's part of the log begins with."""
    started = e.decode(bodies[0])
    assert isinstance(started, e.Started)
    return started


def _is_bot(game: str, row: PlayerRow) -> bool:
    return row.person is None and row.name in BOTS[game]


def _player(game: str, row: PlayerRow, seat: int) -> ReplayPlayer:
    bot = _is_bot(game, row)
    shown = {"player": row.player, "seat": seat, "name": row.name, "bot": bot, "result": row.result, "score": row.score}
    return msgspec.convert(shown, ReplayPlayer)


@lru_cache(maxsize=KEPT)
def _frames(game: str, bodies: tuple[str, ...], seeing: Seeing) -> bytes:
    """The frames as they are sent; a finished game is the same for ever."""
    found = [e.decode(body) for body in bodies]
    return msgspec.json.encode(frames(saved_of(game, found), seeing, settled_calls(found)))


def _packed(request: Asking, body: bytes) -> Response[ReplayShown]:
    """Replays repeat themselves: compressed they are a tenth as long."""
    headers = {"vary": "accept-encoding"}
    if len(body) > SMALL and "gzip" in request.headers.get("accept-encoding", ""):
        body, headers = gzip.compress(body, 1), {**headers, "content-encoding": "gzip"}
    answer: Response[ReplayShown] = Response(body, media_type=MediaType.JSON, headers=headers)  # type: ignore[arg-type] # bytes are sent as they are
    return answer


@get("/api/games/{game:str}/verify", tags=["games"], responses=may_fail(404))
async def check(request: Asking, game: str) -> Checked:
    """Replays a finished game of this server and says whether it is sound, in sentences of the catalogue."""
    hall = hall_of(request)
    hall.limits.check("heavy", address_of(request))
    row, bodies = await hall.lobby.finished(game)
    if not can_be_replayed(row):
        return Checked(sound=False, texts=[Text("live.verify.other_rules").as_json()])
    found = await asyncio.to_thread(lambda: verify(record_of(row, bodies)))
    keys = found.problems or ("sound",)
    return Checked(sound=not found.problems, texts=[Text(f"live.verify.{key}").as_json() for key in keys])


@get("/api/games/{game:str}/review", tags=["games"], responses=may_fail(404))
async def review(request: Asking, game: str) -> ReviewShown:
    """A finished game of SET looked back on: every layout with all its SETs, who found which, and what was missed."""
    hall = hall_of(request)
    hall.limits.check("heavy", address_of(request))
    row, bodies = await hall.lobby.finished(game)
    report = await asyncio.to_thread(lambda: review_of(row, [e.decode(body) for body in bodies]))
    if report is None:
        raise not_found("no_review", field="game", given=row.game)
    me = await somebody(request)
    figures = report.pop("figures")
    seats = _started(bodies).seats
    players = [
        PlayerReviewed(
            player=each.player,
            seat=seats[each.player],
            name=each.name,
            bot=_is_bot(row.game, each),
            you=me is not None and each.person == me.id,
            found=len(own["times"]),
            wrong=own["wrong"],
            missed=own["missed"],
            score=each.score,
            times=times_by_features(own["times"]),
        )
        for each, own in zip(row.players, figures, strict=True)
    ]
    return msgspec.convert({**report, "id": row.id, "players": players}, ReviewShown)


ROUTES = [replay, check, review]
