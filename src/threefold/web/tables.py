"""Over HTTP: tables: make one, find one, its QR code, a token for a program that is to play there."""

import io

import msgspec
import segno
from litestar import Response, get, post

from threefold.live import acts
from threefold.live.entries import Settings
from threefold.live.identity import SeatToken, clean_name, new_id
from threefold.web.hall import Asking, address_of, hall_of, person_of
from threefold.web.problems import may_fail
from threefold.web.protocol import MakeTable, MakeToken, TableFound, TableMade, TableShown, TokenMade


@post("/api/tables", responses=may_fail(401, 403), tags=["tables"])
async def make_table(request: Asking, data: MakeTable) -> TableMade:
    """Makes a table in one request: who makes it is its host and sits down, the bots beside; it can start at once."""
    hall = hall_of(request)
    person = await person_of(request)
    hall.limits.check("tables", person.id)
    hall.limits.check("tables", address_of(request))
    chosen = {"edition": data.edition, "variant": data.variant, "options": data.options}
    given = {name: value for name, value in chosen.items() if value is not None}
    settings = Settings(
        seats=data.seats,
        listed=data.listed,
        grace_s=data.grace_s,
        turn_clock_s=data.turn_clock_s,
        chat=data.chat,
        pace=data.pace,
    )
    session = await hall.lobby.make(person, data.game, given, settings, bots=data.bots, start=data.start)
    return _made(session.sitting.code)


def _made(code: str) -> TableMade:
    return TableMade(code=code, path=f"/t/{code}", qr=f"/api/tables/{code}/qr.svg", socket=f"/api/tables/{code}/socket")


@get("/api/tables", responses=may_fail(), tags=["tables"])
async def listed_tables(request: Asking) -> list[TableFound]:
    """The tables that are listed, the last touched first."""
    return [msgspec.convert(each, TableFound) for each in await hall_of(request).lobby.listed()]


@get("/api/me/tables", responses=may_fail(401), tags=["me"])
async def my_tables(request: Asking) -> list[TableFound]:
    """The open tables I have been at."""
    hall = hall_of(request)
    person = await person_of(request)
    found: list[TableFound] = []
    for row in await hall.lobby.store.visited(person.id):
        session = None if row.closed or len(found) >= 50 else await hall.lobby.find(row.code)
        if session is not None:
            guest = session.sitting.guest_of(person.id)
            if guest is not None and not session.sitting.guests[guest].removed:
                found.append(msgspec.convert(session.report(), TableFound))
    return found


@get("/api/tables/{code:str}", responses=may_fail(404), tags=["tables"])
async def one_table(request: Asking, code: str) -> TableShown:
    """A table as everybody may know it who has its code."""
    hall = hall_of(request)
    hall.limits.check("codes", address_of(request))
    session = await hall.lobby.session(code)
    told = {**session.report(), "you": None, "seq": session.sitting.seq, "ack": 0}
    return msgspec.convert(told, TableShown)


@get("/api/tables/{code:str}/qr.svg", responses=may_fail(404), tags=["tables"], media_type="image/svg+xml")
async def table_qr(request: Asking, code: str) -> Response[bytes]:
    """The invite link as a picture."""
    hall = hall_of(request)
    hall.limits.check("codes", address_of(request))
    session = await hall.lobby.session(code)
    link = f"{request.url.scheme}://{request.headers.get('host', 'localhost')}/t/{session.sitting.code}"
    picture = io.BytesIO()
    segno.make(link, error="m").save(picture, kind="svg", scale=8, border=4, dark="#000", light="#fff")
    return Response(picture.getvalue(), media_type="image/svg+xml")


@post("/api/tables/{code:str}/tokens", responses=may_fail(401, 403, 404), tags=["tables"])
async def make_token(request: Asking, code: str, data: MakeToken) -> TokenMade:
    """A token with which a program can sit at this table and play through the socket, under a name of its own."""
    hall = hall_of(request)
    person = await person_of(request)
    hall.limits.check("tables", person.id)
    session = await hall.lobby.session(code)
    guest = session.sitting.guest_of(person.id)
    if guest is not None:
        acts.may_stay(session.sitting, guest)
    token = SeatToken(session.id, "program-" + new_id(), clean_name(data.name), program=True)
    return TokenMade(token=hall.signer.seat(token), socket=f"/api/tables/{session.sitting.code}/socket")


ROUTES = [make_table, listed_tables, my_tables, one_table, table_qr, make_token]
