"""Over HTTP: who I am, my games, my data, my other device."""

from typing import Annotated

import msgspec
import segno
from litestar import Response, delete, get, post
from litestar.params import Parameter

from threefold.game import Json
from threefold.live.figures import stats
from threefold.live.identity import TRANSFER_SECONDS, new_id
from threefold.live.lobby import game_summary
from threefold.live.refusals import refuse
from threefold.live.store import GameFilter
from threefold.web.hall import NOBODY, Asking, address_of, hall_of, person_of, somebody
from threefold.web.problems import may_fail
from threefold.web.protocol import GameFound, MakePerson, PersonShown, Redeem, Result, StatsShown, TransferMade

LATEST = 2**53 - 1
"""The largest whole number that every JSON reader keeps."""


@get("/api/me", responses=may_fail(401), tags=["me"])
async def me(request: Asking) -> PersonShown:
    """Who I am."""
    person = await person_of(request)
    return PersonShown(name=person.name, made=person.made)


@post("/api/me", responses=may_fail(403), tags=["me"], status_code=200)
async def be_somebody(request: Asking, data: MakePerson) -> Response[PersonShown]:
    """Says who I am: a new person with a cookie, or another name for the one I am."""
    hall = hall_of(request)
    person = await somebody(request)
    if person is None:
        hall.limits.check("people", address_of(request))
        person = await hall.lobby.new_person(data.name)
    else:
        hall.limits.check("people", person.id)
        person = await hall.lobby.rename(person, data.name)
    return Response(PersonShown(name=person.name, made=person.made), cookies=[hall.cookie(person.id)])


@delete("/api/me", responses=may_fail(401, 403), tags=["me"], status_code=204, response_cookies=[NOBODY])
async def forget_me(request: Asking) -> None:
    """Deletes everything that is stored about me: I leave my tables, and my name is struck from their logs."""
    hall = hall_of(request)
    person = await person_of(request)
    await hall.lobby.forget(person)


@get("/api/me/data", responses=may_fail(401), tags=["me"])
async def my_data(request: Asking) -> Response[dict[str, Json]]:
    """Everything that is stored about me, as a file."""
    hall = hall_of(request)
    person = await person_of(request)
    hall.limits.check("heavy", person.id)
    return Response(
        await hall.lobby.data_of(person),
        headers={"content-disposition": 'attachment; filename="threefold-my-data.json"', "cache-control": "no-store"},
    )


@get("/api/me/games", responses=may_fail(401), tags=["me"])
async def my_games(
    request: Asking,
    limit: Annotated[int, Parameter(ge=1, le=1000)] = 100,
    offset: Annotated[int, Parameter(ge=0, le=1_000_000)] = 0,
    game: Annotated[str | None, Parameter(max_length=40)] = None,
    what: Annotated[str | None, Parameter(max_length=40)] = None,
    result: Result | None = None,
    since: Annotated[int | None, Parameter(ge=0, le=LATEST)] = None,
    until: Annotated[int | None, Parameter(ge=0, le=LATEST)] = None,
) -> list[GameFound]:
    """My finished games, the latest first: all of them, or of one game, edition or variant, result, or time."""
    hall = hall_of(request)
    person = await person_of(request)
    rows = await hall.lobby.store.games_of(person.id, limit, offset, GameFilter(game, what, result, since, until))
    return [msgspec.convert(game_summary(row, person.id), GameFound) for row in rows]


@get("/api/me/stats", responses=may_fail(401), tags=["me"])
async def my_stats(request: Asking, minutes_ahead: Annotated[int, Parameter(ge=-900, le=900)] = 0) -> StatsShown:
    """What my games add up to: results, streaks, SET times, bests. Days are those of my clock, so far ahead of UTC."""
    hall = hall_of(request)
    person = await person_of(request)
    rows = await hall.lobby.store.results_of(person.id)
    return msgspec.convert(stats(rows, hall.lobby.time.now(), minutes_ahead), StatsShown)


@post("/api/me/transfer", responses=may_fail(401, 403), tags=["me"], status_code=201)
async def transfer(request: Asking) -> TransferMade:
    """A link that makes another device me. Only the newest works, and once."""
    hall = hall_of(request)
    person = await person_of(request)
    hall.limits.check("heavy", person.id)
    nonce = new_id()
    await hall.lobby.store.set_nonce(person.id, nonce)
    token = hall.signer.transfer(person.id, nonce)
    path = f"/transfer/{token}"
    link = f"{request.url.scheme}://{request.headers.get('host', 'localhost')}{path}"
    picture = segno.make(link, error="l").svg_data_uri(scale=6, border=4, dark="#000", light="#fff")
    return TransferMade(path=path, token=token, seconds=TRANSFER_SECONDS, qr=picture)


@post("/api/me/redeem", responses=may_fail(403), tags=["me"], status_code=200)
async def redeem(request: Asking, data: Redeem) -> Response[PersonShown]:
    """Makes this device the person of a transfer link."""
    hall = hall_of(request)
    hall.limits.check("codes", address_of(request))
    found = hall.signer.read_transfer(data.token)
    if found is None or not await hall.lobby.store.spend_nonce(*found):
        raise refuse("bad_transfer", field="token")
    person = await hall.lobby.store.person(found[0])
    if person is None:
        raise refuse("bad_transfer", field="token")
    return Response(PersonShown(name=person.name, made=person.made), cookies=[hall.cookie(person.id)])


ROUTES = [me, be_somebody, forget_me, my_data, my_games, my_stats, transfer, redeem]
