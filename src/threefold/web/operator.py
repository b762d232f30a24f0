"""Over HTTP, for the operator alone: how the server is, its tables and people; closing tables, bans."""

import ipaddress
from typing import Annotated, Literal

from litestar import Router, delete, get, post
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from litestar.params import Parameter

from threefold import __version__
from threefold.live.bans import HOUR
from threefold.live.identity import new_id
from threefold.live.measures import Histogram
from threefold.live.refusals import not_found, refuse
from threefold.live.store import PAGE, BanRow
from threefold.web import protocol as p
from threefold.web.hall import Asking, hall_of
from threefold.web.metrics import check_operator
from threefold.web.problems import may_fail

LONGEST_WORDS = 200
LONGEST_BAN_HOURS = 24 * 366
Search = Annotated[str, Parameter(max_length=40)]
Page = Annotated[int, Parameter(ge=0, le=100_000)]


def operator_only(request: ASGIConnection, _: BaseRouteHandler) -> None:  # type: ignore[type-arg]  # of any sort
    """Everything here is behind the token."""
    check_operator(request)  # type: ignore[arg-type]  # all routes here are plain requests


@get("/load", responses=may_fail(403))
async def load(request: Asking) -> p.LoadShown:
    """Version, load, the slowest moves, and the processes that share the database."""
    hall, measured = hall_of(request), hall_of(request).measures
    return p.LoadShown(
        version=__version__,
        database=hall.store.name,
        started=int(1000 * measured.started),
        now=hall.lobby.time.now(),
        cpu=round(measured.cpu, 3),
        loop_lag_ms=_ms(measured.loop_lag, 0.99),
        sockets=hall.sockets,
        tables=len(hall.lobby.sessions),
        moves_per_s=round(measured.moves_per_s, 1),
        ack_p50_ms=_ms(measured.acks, 0.5),
        ack_p99_ms=_ms(measured.acks, 0.99),
        commit_p50_ms=_ms(measured.commits, 0.5),
        commit_p99_ms=_ms(measured.commits, 0.99),
        processes=_processes(request),
        slowest=[
            p.SlowShown(at=int(1000 * each.at), table=each.table, kind=each.kind, ms=round(1000 * each.seconds, 2))
            for each in measured.slowest()[:20]
        ],
    )


def _ms(measured: Histogram, part: float) -> float | None:
    found = measured.quantile(part)
    return None if found is None else round(1000 * found, 2)


def _processes(request: Asking) -> list[p.ProcessShown]:
    hall = hall_of(request)
    exchange = hall.exchange
    if exchange is None:
        return []
    everybody = {exchange.me: exchange.about(), **{name: peer.about for name, peer in exchange.peers.items()}}
    return [
        p.ProcessShown(
            process=name,
            here=name == exchange.me,
            version=about.version,
            host=about.host,
            pid=about.pid,
            started=about.started,
            same_key=about.key == hall.keys.fingerprint,
            sockets=about.sockets,
            tables=about.tables,
            moves_per_s=about.moves_per_s,
        )
        for name, about in sorted(everybody.items())
    ]


@get("/tables", responses=may_fail(403))
async def list_tables(
    request: Asking,
    search: Search = "",
    order: Literal["touched", "opened", "code", "game", "people"] = "touched",
    page: Page = 0,
) -> p.TablePage:
    """The open tables."""
    hall = hall_of(request)
    found, total = await hall.store.find_tables(search, order, page)
    lines = []
    for each in found:
        session = hall.lobby.by_id.get(each.row.id)
        lines.append(
            p.TableLine(
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
    return p.TablePage(total=total, size=PAGE, tables=lines)


@post("/tables/{code:str}/close", responses=may_fail(403, 404), status_code=204)
async def close_table(request: Asking, code: str, data: p.CloseByOperator) -> None:
    """Closes a table for good; everybody there is told the words."""
    await hall_of(request).lobby.close_by_operator(code, _words(data.words))


def _words(given: str) -> str:
    words = " ".join("".join(each for each in word if each.isprintable()) for word in given.split()).strip()
    if len(words) > LONGEST_WORDS:
        raise refuse("text_too_long", field="words", most=LONGEST_WORDS)
    return words


@get("/people", responses=may_fail(403))
async def list_people(
    request: Asking, search: Search = "", order: Literal["seen", "made", "name", "tables"] = "seen", page: Page = 0
) -> p.PeoplePage:
    """The people the server knows."""
    hall = hall_of(request)
    found, total = await hall.store.find_people(search, order, page)
    now = hall.lobby.time.now()
    lines = [
        p.PersonLine(
            person=each.row.id,
            name=each.row.name,
            made=each.row.made,
            seen=each.row.seen,
            tables=each.tables,
            banned=hall.bans.of(each.row.id, None, now) is not None,
        )
        for each in found
    ]
    return p.PeoplePage(total=total, size=PAGE, people=lines)


@get("/bans", responses=may_fail(403))
async def list_bans(request: Asking) -> list[p.BanShown]:
    """The bans that hold, the latest first."""
    hall = hall_of(request)
    now = hall.lobby.time.now()
    return [_shown(row) for row in await hall.store.bans() if row.until is None or row.until > now]


def _shown(row: BanRow) -> p.BanShown:
    return p.BanShown(id=row.id, name=row.name, address=row.address, words=row.words, made=row.made, until=row.until)


@post("/bans", responses=may_fail(403, 404))
async def make_ban(request: Asking, data: p.MakeBan) -> p.BanShown:
    """Keeps a person or an address out, in every process at once; open lines are cut."""
    hall = hall_of(request)
    if (data.person is None) == (data.address is None):
        raise refuse("bad_field", field="person", given="a person or an address")
    if data.hours is not None and not 1 <= data.hours <= LONGEST_BAN_HOURS:
        raise refuse("bad_field", field="hours", given=f"a number from 1 to {LONGEST_BAN_HOURS}")
    name, address = "", None
    if data.person is not None:
        person = await hall.store.person(data.person)
        if person is None:
            raise not_found("no_such_person", field="person")
        name = person.name
    else:
        address = _address(data.address or "")
    now = hall.lobby.time.now()
    until = None if data.hours is None else now + data.hours * HOUR
    words = _words(data.words)
    row = BanRow(new_id(), data.person, address, name, words, now, until, addresses_too=data.addresses_too)
    await hall.store.end_bans(now)
    await hall.store.add_ban(row)
    _tell(request)
    return _shown(row)


def _address(given: str) -> str:
    try:
        return str(ipaddress.ip_address(given.strip()))
    except ValueError:
        raise refuse("bad_field", field="address", given="an address such as 192.0.2.1") from None


@delete("/bans/{ban:str}", responses=may_fail(403, 404), status_code=204)
async def lift_ban(request: Asking, ban: str) -> None:
    """Lifts a ban."""
    if not await hall_of(request).store.lift_ban(ban):
        raise not_found("no_such_ban", field="ban")
    _tell(request)


def _tell(request: Asking) -> None:
    hall = hall_of(request)
    hall.bans_changed.set()
    if hall.exchange is not None:
        hall.exchange.bans_changed()


ROUTES = [
    Router(
        "/api/operator",
        route_handlers=[load, list_tables, close_table, list_people, list_bans, make_ban, lift_ban],
        guards=[operator_only],
        tags=["operator"],
    )
]
