"""HTTP routes for the operator, behind the operator's token: load, tables, people, closing tables, bans."""

import ipaddress
from typing import Annotated, Literal

import msgspec
from litestar import Router, delete, get, post
from litestar.handlers.base import BaseRouteHandler
from litestar.params import Parameter

from threefold import __version__
from threefold.live.bans import HOUR
from threefold.live.identity import new_id
from threefold.live.measures import Histogram
from threefold.live.refusals import not_found, refuse
from threefold.live.store import PAGE, BanRow
from threefold.web.guards import check_operator
from threefold.web.problems import error_responses
from threefold.web.server import AsgiConnection, HttpRequest, Server, server_of

LONGEST_WORDS = 200
LONGEST_BAN_HOURS = 24 * 366
MOST_SLOW_MESSAGES = 20
Search = Annotated[str, Parameter(max_length=40)]
Page = Annotated[int, Parameter(ge=0, le=100_000)]


def operator_only(connection: AsgiConnection, _: BaseRouteHandler) -> None:
    """The guard of all routes here."""
    check_operator(connection)


# ---------------------------------------------------------------- Load


class ProcessShown(msgspec.Struct, kw_only=True):
    """One of the processes that share the database."""

    process: str
    here: bool
    """True for the process that answers."""
    version: str
    host: str
    pid: int
    started: int
    same_key: bool
    sockets: int
    tables: int
    moves_per_s: float


class SlowShown(msgspec.Struct, kw_only=True):
    """A message that took long to handle."""

    at: int
    table: str
    kind: str
    ms: float


class LoadShown(msgspec.Struct, kw_only=True):
    """The load of the process that answers."""

    version: str
    database: str
    started: int
    now: int
    cpu: float
    """Recent use of one core, from 0 to 1."""
    loop_lag_ms: float | None
    sockets: int
    tables: int
    moves_per_s: float
    ack_p50_ms: float | None
    ack_p99_ms: float | None
    commit_p50_ms: float | None
    commit_p99_ms: float | None
    processes: list[ProcessShown]
    slowest: list[SlowShown]


@get("/load", responses=error_responses(403))
async def load(request: HttpRequest) -> LoadShown:
    """Version, load, the slowest messages, and the processes that share the database."""
    server = server_of(request)
    measured = server.measures
    return LoadShown(
        version=__version__,
        database=server.store.name,
        started=int(1000 * measured.started),
        now=server.lobby.clock.now(),
        cpu=round(measured.cpu, 3),
        loop_lag_ms=_ms(measured.loop_lag, 0.99),
        sockets=server.sockets,
        tables=len(server.lobby.sessions),
        moves_per_s=round(measured.moves_per_s, 1),
        ack_p50_ms=_ms(measured.acks, 0.5),
        ack_p99_ms=_ms(measured.acks, 0.99),
        commit_p50_ms=_ms(measured.commits, 0.5),
        commit_p99_ms=_ms(measured.commits, 0.99),
        processes=_processes(server),
        slowest=[
            SlowShown(at=int(1000 * each.at), table=each.table, kind=each.kind, ms=round(1000 * each.seconds, 2))
            for each in measured.slowest()[:MOST_SLOW_MESSAGES]
        ],
    )


def _ms(histogram: Histogram, fraction: float) -> float | None:
    seconds = histogram.quantile(fraction)
    return None if seconds is None else round(1000 * seconds, 2)


def _processes(server: Server) -> list[ProcessShown]:
    exchange = server.cluster
    if exchange is None:
        return []
    processes = {exchange.me: exchange.about(), **{name: peer.about for name, peer in exchange.peers.items()}}
    return [
        ProcessShown(
            process=name,
            here=name == exchange.me,
            version=about.version,
            host=about.host,
            pid=about.pid,
            started=about.started,
            same_key=about.key == server.keys.fingerprint,
            sockets=about.sockets,
            tables=about.tables,
            moves_per_s=about.moves_per_s,
        )
        for name, about in sorted(processes.items())
    ]


# ---------------------------------------------------------------- Tables and people


class TableLine(msgspec.Struct, kw_only=True):
    """A table in the operator's list."""

    code: str
    game: str
    listed: bool
    guests: int
    here: int | None
    """Guests who are connected; null: this process does not have the table in memory."""
    opened: int
    touched: int
    playing: bool


class TablePage(msgspec.Struct, kw_only=True):
    """One page of the list of tables."""

    total: int
    size: int
    tables: list[TableLine]


class PersonLine(msgspec.Struct, kw_only=True):
    """A person in the operator's list."""

    person: str
    name: str
    made: int
    seen: int
    tables: int
    banned: bool


class PeoplePage(msgspec.Struct, kw_only=True):
    """One page of the list of people."""

    total: int
    size: int
    people: list[PersonLine]


class CloseByOperator(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The explanation for the people at the table."""

    words: str = ""


@get("/tables", responses=error_responses(403))
async def list_tables(
    request: HttpRequest,
    search: Search = "",
    order: Literal["touched", "opened", "code", "game", "people"] = "touched",
    page: Page = 0,
) -> TablePage:
    """The open tables."""
    server = server_of(request)
    rows, total = await server.store.find_tables(search, order, page)
    lines = []
    for each in rows:
        session = server.lobby.by_id.get(each.row.id)
        lines.append(
            TableLine(
                code=each.row.code,
                game=each.row.game,
                listed=each.row.listed,
                guests=each.guests,
                here=None if session is None else len(session.presence.here),
                opened=each.row.opened,
                touched=each.row.touched,
                playing=each.row.playing,
            )
        )
    return TablePage(total=total, size=PAGE, tables=lines)


@post("/tables/{code:str}/close", responses=error_responses(403, 404), status_code=204)
async def close_table(request: HttpRequest, code: str, data: CloseByOperator) -> None:
    """Closes a table for good and sends `words` to everybody there."""
    await server_of(request).lobby.close_by_operator(code, _clean_words(data.words))


def _clean_words(text: str) -> str:
    words = " ".join("".join(each for each in word if each.isprintable()) for word in text.split()).strip()
    if len(words) > LONGEST_WORDS:
        raise refuse("text_too_long", field="words", most=LONGEST_WORDS)
    return words


@get("/people", responses=error_responses(403))
async def list_people(
    request: HttpRequest, search: Search = "", order: Literal["seen", "made", "name", "tables"] = "seen", page: Page = 0
) -> PeoplePage:
    """The people whom the server knows."""
    server = server_of(request)
    rows, total = await server.store.find_people(search, order, page)
    now = server.lobby.clock.now()
    lines = [
        PersonLine(
            person=each.row.id,
            name=each.row.name,
            made=each.row.made,
            seen=each.row.seen,
            tables=each.tables,
            banned=server.bans.of(each.row.id, None, now) is not None,
        )
        for each in rows
    ]
    return PeoplePage(total=total, size=PAGE, people=lines)


# ---------------------------------------------------------------- Bans


class BanShown(msgspec.Struct, kw_only=True):
    """A current ban."""

    id: str
    name: str
    address: str | None
    words: str
    made: int
    until: int | None


class MakeBan(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A new ban of a person or an address, with its duration and an explanation for the banned person."""

    person: str | None = None
    address: str | None = None
    hours: int | None = None
    """Null: for good."""
    words: str = ""
    addresses_too: bool = False
    """Also ban the addresses from which the person is connected."""


@get("/bans", responses=error_responses(403))
async def list_bans(request: HttpRequest) -> list[BanShown]:
    """The current bans, the latest first."""
    server = server_of(request)
    now = server.lobby.clock.now()
    return [_shown(row) for row in await server.store.bans() if row.until is None or row.until > now]


def _shown(row: BanRow) -> BanShown:
    return BanShown(id=row.id, name=row.name, address=row.address, words=row.words, made=row.made, until=row.until)


@post("/bans", responses=error_responses(403, 404))
async def make_ban(request: HttpRequest, data: MakeBan) -> BanShown:
    """Bans a person or an address, in every process at once; their open connections are closed."""
    server = server_of(request)
    if (data.person is None) == (data.address is None):
        raise refuse("bad_field", field="person", given="a person or an address")
    if data.hours is not None and not 1 <= data.hours <= LONGEST_BAN_HOURS:
        raise refuse("bad_field", field="hours", given=f"a number from 1 to {LONGEST_BAN_HOURS}")
    name, address = "", None
    if data.person is not None:
        person = await server.store.person(data.person)
        if person is None:
            raise not_found("no_such_person", field="person")
        name = person.name
    else:
        address = _parsed_address(data.address or "")
    now = server.lobby.clock.now()
    until = None if data.hours is None else now + data.hours * HOUR
    words = _clean_words(data.words)
    row = BanRow(new_id(), data.person, address, name, words, now, until, addresses_too=data.addresses_too)
    await server.store.end_bans(now)
    await server.store.add_ban(row)
    _announce_bans(server)
    return _shown(row)


def _parsed_address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text.strip()))
    except ValueError:
        raise refuse("bad_field", field="address", given="an address such as 192.0.2.1") from None


@delete("/bans/{ban:str}", responses=error_responses(403, 404), status_code=204)
async def lift_ban(request: HttpRequest, ban: str) -> None:
    """Lifts a ban."""
    server = server_of(request)
    if not await server.store.lift_ban(ban):
        raise not_found("no_such_ban", field="ban")
    _announce_bans(server)


def _announce_bans(server: Server) -> None:
    """Makes every process read the bans again."""
    server.bans_changed.set()
    if server.cluster is not None:
        server.cluster.bans_changed()


ROUTES = [
    Router(
        "/api/operator",
        route_handlers=[load, list_tables, close_table, list_people, list_bans, make_ban, lift_ban],
        guards=[operator_only],
        tags=["operator"],
    )
]
