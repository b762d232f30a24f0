"""HTTP routes under /api/me: name and cookie, finished games, statistics, stored data, moving to another device."""

from typing import Annotated

import msgspec
import segno
from litestar import Response, delete, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter

from threefold.facts import PageType
from threefold.game import Json
from threefold.live.identity import TRANSFER_SECONDS, new_id
from threefold.live.lobby import game_summary
from threefold.live.refusals import refuse
from threefold.live.statistics import stats
from threefold.live.store import GameFilter, PersonRow
from threefold.web.identity import address_of, cleared_cookie, find_person, person_cookie, require_person
from threefold.web.problems import error_responses
from threefold.web.protocol import Result
from threefold.web.root_path import on_this_site, whole_address
from threefold.web.server import HttpRequest, Server, server_of

LATEST = 2**53 - 1
"""The largest integer that every JSON parser keeps exactly."""


# ---------------------------------------------------------------- Name and cookie


class MakePerson(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A person's name."""

    name: str


class PersonShown(msgspec.Struct, kw_only=True):
    """A person, and when they first came."""

    name: str
    made: int


@get("/api/me", responses=error_responses(401), tags=["me"])
async def me(request: HttpRequest) -> PersonShown:
    """The person that the cookie names."""
    person = await require_person(request)
    return PersonShown(name=person.name, made=person.made)


@post("/api/me", responses=error_responses(403), tags=["me"], status_code=200)
async def set_name(request: HttpRequest, data: MakePerson) -> Response[PersonShown]:
    """Creates a person and sets the cookie; with a cookie, renames the person."""
    server = server_of(request)
    person = await find_person(request)
    if person is None:
        server.limits.check("people", address_of(request))
        person = await server.lobby.new_person(data.name)
    else:
        server.limits.check("people", person.id)
        person = await server.lobby.rename(person, data.name)
    return _with_cookie(server, person)


def _with_cookie(server: Server, person: PersonRow) -> Response[PersonShown]:
    return Response(PersonShown(name=person.name, made=person.made), cookies=[person_cookie(server, person.id)])


@delete(
    "/api/me",
    responses={**error_responses(401, 403), 204: ResponseSpec(None, description="Deleted.")},
    tags=["me"],
    status_code=204,
)
async def forget_me(request: HttpRequest) -> Response[None]:
    """Deletes everything that is stored about me. I leave my tables, and my name is removed from their logs."""
    person = await require_person(request)
    server = server_of(request)
    await server.lobby.forget(person)
    return Response(None, status_code=204, cookies=[cleared_cookie(server)])


@get("/api/me/data", responses=error_responses(401), tags=["me"])
async def my_data(request: HttpRequest) -> Response[dict[str, Json]]:
    """Everything that is stored about me, as a file."""
    server = server_of(request)
    person = await require_person(request)
    server.limits.check("heavy", person.id)
    return Response(
        await server.lobby.data_of(person),
        headers={"content-disposition": 'attachment; filename="threefold-my-data.json"', "cache-control": "no-store"},
    )


# ---------------------------------------------------------------- Finished games and statistics


class GamePlayer(msgspec.Struct, kw_only=True):
    """A player of a finished game, and their result."""

    player: int
    name: str
    bot: str | None
    result: Result


class GameFound(msgspec.Struct, kw_only=True):
    """One of my finished games; `what` is the edition or variant."""

    id: str
    game: str
    what: str
    began: int
    ended: int
    result: Result
    score: int | None
    players: list[GamePlayer]


@get("/api/me/games", responses=error_responses(401), tags=["me"])
async def my_games(
    request: HttpRequest,
    limit: Annotated[int, Parameter(ge=1, le=1000)] = 100,
    offset: Annotated[int, Parameter(ge=0, le=1_000_000)] = 0,
    game: Annotated[str | None, Parameter(max_length=40)] = None,
    what: Annotated[str | None, Parameter(max_length=40)] = None,
    result: Result | None = None,
    since: Annotated[int | None, Parameter(ge=0, le=LATEST)] = None,
    until: Annotated[int | None, Parameter(ge=0, le=LATEST)] = None,
) -> list[GameFound]:
    """My finished games, the latest first; filters: game, edition or variant (`what`), result, time of the end."""
    person = await require_person(request)
    filters = GameFilter(game, what, result, since, until)
    server = server_of(request)
    rows = await server.lobby.store.games_of(person.id, limit, offset, filters)
    return [msgspec.convert(game_summary(row, person.id, server.kits), GameFound) for row in rows]


class ResultsCounted(msgspec.Struct, kw_only=True):
    """The results of all my games of one edition or variant."""

    game: str
    what: str
    games: int
    won: int
    lost: int
    drawn: int
    left: int
    open: int


class Streak(msgspec.Struct, kw_only=True):
    """Wins in a row: the longest streak and the current one."""

    best: int
    now: int


class DaysPlayed(msgspec.Struct, kw_only=True):
    """Days with a game: the total, the longest streak and the current one."""

    played: int
    best: int
    now: int


class StatsShown(msgspec.Struct, kw_only=True):
    """My statistics over all finished games."""

    games: int
    results: list[ResultsCounted]
    wins: Streak
    days: DaysPlayed
    figures: Annotated[dict[str, Json], PageType("Figures")]
    """By game: the figures that its kit keeps."""


@get("/api/me/stats", responses=error_responses(401), tags=["me"])
async def my_stats(request: HttpRequest, minutes_ahead: Annotated[int, Parameter(ge=-900, le=900)] = 0) -> StatsShown:
    """My results, streaks, and by game the figures that it keeps. `minutes_ahead` is my time zone's offset from UTC."""
    server = server_of(request)
    person = await require_person(request)
    rows = await server.lobby.store.results_of(person.id)
    return msgspec.convert(stats(rows, server.lobby.clock.now(), minutes_ahead, server.kits), StatsShown)


# ---------------------------------------------------------------- Another device


class TransferMade(msgspec.Struct, kw_only=True):
    """A link that signs another device in as the same person, once, within `seconds`; `qr` is its QR code."""

    path: str
    token: str
    seconds: int
    qr: str


class Redeem(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The token of a transfer link."""

    token: str


@post("/api/me/transfer", responses=error_responses(401, 403), tags=["me"], status_code=201)
async def transfer(request: HttpRequest) -> TransferMade:
    """Creates a link that signs another device in as me. Only the newest link works, and only once."""
    server = server_of(request)
    person = await require_person(request)
    server.limits.check("heavy", person.id)
    nonce = new_id()
    await server.lobby.store.set_nonce(person.id, nonce)
    token = server.signer.transfer(person.id, nonce)
    path = f"/transfer/{token}"
    link = segno.make(whole_address(request, path), error="l")
    picture = link.svg_data_uri(scale=6, border=4, dark="#000", light="#fff")
    return TransferMade(path=on_this_site(request, path), token=token, seconds=TRANSFER_SECONDS, qr=picture)


@post("/api/me/transfer/person", responses=error_responses(403), tags=["me"], status_code=200)
async def transfer_person(request: HttpRequest, data: Redeem) -> PersonShown:
    """The person that this device would become by a transfer link. The link stays valid."""
    server = server_of(request)
    server.limits.check("codes", address_of(request))
    person_and_nonce = server.signer.read_transfer(data.token)
    person = None if person_and_nonce is None else await server.lobby.store.person(person_and_nonce[0])
    if person is None:
        raise refuse("bad_transfer", field="token")
    return PersonShown(name=person.name, made=person.made)


@post("/api/me/redeem", responses=error_responses(403), tags=["me"], status_code=200)
async def redeem(request: HttpRequest, data: Redeem) -> Response[PersonShown]:
    """Signs this device in as the person of a transfer link."""
    server = server_of(request)
    server.limits.check("codes", address_of(request))
    person_and_nonce = server.signer.read_transfer(data.token)
    if person_and_nonce is None or not await server.lobby.store.spend_nonce(*person_and_nonce):
        raise refuse("bad_transfer", field="token")
    person = await server.lobby.store.person(person_and_nonce[0])
    if person is None:
        raise refuse("bad_transfer", field="token")
    return _with_cookie(server, person)


ROUTES = [me, set_name, forget_me, my_data, my_games, my_stats, transfer, transfer_person, redeem]
