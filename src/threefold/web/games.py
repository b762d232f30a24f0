"""HTTP routes for the games on offer, records of finished games, and checking a record."""

import asyncio

import msgspec
from litestar import Response, get, post

from threefold.fields import refuse
from threefold.game import EndingForm, Json
from threefold.live.record import verify
from threefold.texts import Text, say
from threefold.web.identity import address_of
from threefold.web.problems import error_responses
from threefold.web.server import HttpRequest, server_of

MOST_MOVES = 5000
"""Longer records can be checked with the command `threefold verify`."""


class GameOffered(msgspec.Struct, kw_only=True):
    """A game that this server offers, with its bots and its editions or variants (`ways`, the first is the default).

    `way` is the field that names one of them. `stand_in` is the bot that plays for absent people.
    """

    game: str
    rules: int
    timed: bool
    way: str
    ways: list[dict[str, Json]]
    bots: list[str]
    stand_in: str
    lessons: int


@get("/api/games", tags=["games"], responses=error_responses())
async def games(request: HttpRequest) -> list[GameOffered]:
    """The games with their editions or variants, and the bots to play with, the weakest first."""
    return [
        GameOffered(
            game=kit.name,
            rules=kit.game.rules_version,
            timed=kit.game.timed,
            way=kit.way,
            ways=[dict(each) for each in kit.ways()],
            bots=list(kit.levels or kit.bots),
            stand_in=kit.stand_in,
            lessons=len(kit.lessons),
        )
        for kit in server_of(request).kits.values()
    ]


@get("/api/games/{game:str}", tags=["games"], responses=error_responses(404))
async def finished_game(request: HttpRequest, game: str, *, download: bool = False) -> Response[dict[str, Json]]:
    """The record of a finished game: seed, all moves, ending. `threefold verify` checks such a file."""
    server = server_of(request)
    server.limits.check("heavy", address_of(request))
    record = await server.lobby.record(game)
    name = f'attachment; filename="threefold-{record["saved"]["game"]}-{record["id"]}.json"'
    return Response(record, headers={"content-disposition": name} if download else {})


class VerifiedShown(msgspec.Struct, kw_only=True):
    """The result of replaying a record."""

    sound: bool
    messages: list[str]
    commitment: str
    moves: int
    ending: EndingForm | None


@post("/api/verify", tags=["games"], responses=error_responses(403), status_code=200)
async def verify_record(request: HttpRequest, data: dict[str, Json]) -> VerifiedShown:
    """Replays the record of a game and tells whether it is sound."""
    server_of(request).limits.check("replays", address_of(request))
    saved = data.get("saved")
    moves = saved.get("moves") if isinstance(saved, dict) else None
    if isinstance(moves, list) and len(moves) > MOST_MOVES:
        raise refuse("too_many", field="saved.moves", most=MOST_MOVES, count=len(moves))
    report = await asyncio.to_thread(verify, data, server_of(request).kits)
    keys = report.problems or ("sound",)
    return VerifiedShown(
        sound=not report.problems,
        messages=[say(Text(f"live.verify.{key}")) for key in keys],
        commitment=report.commitment,
        moves=len(report.replay.moves),
        ending=report.ending,
    )


ROUTES = [games, finished_game, verify_record]
