"""HTTP routes for tables: create and look at tables, invite QR code, tokens for programs."""

import io
from typing import Literal

import msgspec
import segno
from litestar import Response, get, post

from threefold.game import Json
from threefold.live import acts
from threefold.live.entries import Settings
from threefold.live.identity import SeatToken, clean_name, new_id
from threefold.web.guards import find_table
from threefold.web.identity import address_of, find_person, require_person
from threefold.web.problems import error_responses
from threefold.web.protocol import GuestShown, PlayingShown, SeatShown, TableShown
from threefold.web.root_path import on_this_site, whole_address
from threefold.web.server import HttpRequest, server_of

MOST_OWN_TABLES = 50
"""Tables in the list of my tables."""


class MakeTable(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A new table: the game with its edition or variant and options, the seats, the bots and the settings."""

    game: str
    edition: str | dict[str, Json] | None = None
    variant: str | None = None
    options: dict[str, Json] | None = None
    seats: int = 4
    bots: list[str] = []
    listed: bool = False
    grace_s: int = 60
    turn_clock_s: int = 0
    chat: bool = False
    memory_aid: bool = False
    pace: Literal["human", "fast"] = "human"
    start: bool = False


class TableMade(msgspec.Struct, kw_only=True):
    """The addresses of a new table: `path` is the invite link on this site, `qr` its QR code."""

    code: str
    path: str
    qr: str
    socket: str


@post("/api/tables", responses=error_responses(401, 403), tags=["tables"])
async def make_table(request: HttpRequest, data: MakeTable) -> TableMade:
    """Creates a table. I become its host and take a seat; bots take the next seats; `start` starts the game at once."""
    server = server_of(request)
    person = await require_person(request)
    server.limits.check("tables", person.id)
    server.limits.check("tables", address_of(request))
    choices = {"edition": data.edition, "variant": data.variant, "options": data.options}
    settings = Settings(
        seats=data.seats,
        listed=data.listed,
        grace_s=data.grace_s,
        turn_clock_s=data.turn_clock_s,
        chat=data.chat,
        memory_aid=data.memory_aid,
        pace=data.pace,
    )
    session = await server.lobby.make(
        person,
        data.game,
        {name: value for name, value in choices.items() if value is not None},
        settings,
        bots=data.bots,
        start=data.start,
    )
    code = session.state.code
    qr = on_this_site(request, f"/api/tables/{code}/qr.svg")
    return TableMade(code=code, path=on_this_site(request, f"/t/{code}"), qr=qr, socket=_socket_path(request, code))


def _socket_path(request: HttpRequest, code: str) -> str:
    return on_this_site(request, f"/api/tables/{code}/socket")


class TableFound(msgspec.Struct, kw_only=True):
    """A table in the list of my tables. `you` is my number there; `awaited` are the players whose turn it is."""

    code: str
    game: str
    setup: dict[str, Json]
    seats: list[SeatShown]
    guests: list[GuestShown]
    playing: PlayingShown | None
    you: int
    awaited: list[int]


@get("/api/me/tables", responses=error_responses(401), tags=["me"])
async def my_tables(request: HttpRequest) -> list[TableFound]:
    """The open tables that I have visited."""
    lobby = server_of(request).lobby
    person = await require_person(request)
    tables: list[TableFound] = []
    for row in await lobby.store.visited(person.id):
        session = None if row.closed or len(tables) >= MOST_OWN_TABLES else await lobby.find(row.code)
        if session is not None:
            guest = session.state.guest_of(person.id)
            if guest is not None and not session.state.guests[guest].removed:
                awaited = {each.player for each in session.decisions()[0] if each.player is not None}
                whole = {**session.report(), "you": guest, "awaited": sorted(awaited)}
                tables.append(msgspec.convert(whole, TableFound))
    return tables


@get("/api/tables/{code:str}", responses=error_responses(404), tags=["tables"])
async def one_table(request: HttpRequest, code: str) -> TableShown:
    """The public state of a table, for everybody who has its code. `you` is my number, if I have been there."""
    session = await find_table(request, code)
    person = await find_person(request)
    you = None if person is None else session.state.guest_of(person.id)
    return msgspec.convert({**session.report(), "you": you, "seq": session.state.seq, "ack": 0}, TableShown)


@get("/api/tables/{code:str}/qr.svg", responses=error_responses(404), tags=["tables"], media_type="image/svg+xml")
async def table_qr(request: HttpRequest, code: str) -> Response[bytes]:
    """The QR code of the invite link."""
    session = await find_table(request, code)
    link = whole_address(request, f"/t/{session.state.code}")
    picture = io.BytesIO()
    segno.make(link, error="m").save(picture, kind="svg", scale=8, border=4, dark="#000", light="#fff")
    return Response(picture.getvalue(), media_type="image/svg+xml")


class MakeToken(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The name of a program that will play at a table."""

    name: str


class TokenMade(msgspec.Struct, kw_only=True):
    """A program's token, and the socket it is for."""

    token: str
    socket: str


@post("/api/tables/{code:str}/tokens", responses=error_responses(401, 403, 404), tags=["tables"])
async def make_token(request: HttpRequest, code: str, data: MakeToken) -> TokenMade:
    """Creates a token with which a program can play at this table through the socket, under its own name."""
    server = server_of(request)
    person = await require_person(request)
    server.limits.check("tables", person.id)
    session = await find_table(request, code)
    guest = session.state.guest_of(person.id)
    if guest is not None:
        acts.may_stay(session.state, guest)
    mark = server.signer.table_mark(session.id)
    token = SeatToken(mark, "program-" + new_id(), clean_name(data.name), program=True, made_by=person.id)
    return TokenMade(token=server.signer.seat(token), socket=_socket_path(request, session.state.code))


ROUTES = [make_table, my_tables, one_table, table_qr, make_token]
