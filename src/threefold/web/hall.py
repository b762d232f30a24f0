"""Hall: what every request needs: the lobby, who signs, what is limited; and who it is that asks."""

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, State

from threefold.live.bans import Bans
from threefold.live.exchange import Exchange
from threefold.live.identity import Signer
from threefold.live.keys import Keys
from threefold.live.lobby import Lobby
from threefold.live.measures import Measures
from threefold.live.refusals import NotAllowed, refuse
from threefold.live.session import Session
from threefold.live.store import PersonRow
from threefold.live.telling import Line
from threefold.storage import Database
from threefold.web.limits import Limits
from threefold.web.settings import ServerSettings

if TYPE_CHECKING:
    from threefold.web.metrics import Figures

COOKIE = "threefold"
YEAR = 365 * 86_400
SEEN_EVERY_MS = 600_000
"""So often it is noted when somebody was here last."""
NOBODY = Cookie(key=COOKIE, value="", max_age=0, path="/", httponly=True, samesite="lax")
"""Takes the cookie back."""

ALWAYS = ("/api/health", "/api/ready")
"""Who watches over the server may always ask."""

Asking = Request[Any, Any, State]
Connection = ASGIConnection[Any, Any, Any, State]


class NoPerson(NotAllowed):
    """Nobody knows who asks."""


class NotReady(NotAllowed):
    """Just now nothing can be done here; a moment later, or elsewhere, it can."""


class WrongOrigin(NotAllowed):
    """A page of another site asks."""


@dataclass(slots=True)
class Hall:
    """All that the server holds."""

    settings: ServerSettings
    lobby: Lobby
    signer: Signer
    limits: Limits
    keys: Keys
    store: Database
    measures: Measures
    metrics: "Figures" = field(init=False)
    exchange: Exchange | None = None
    """The other processes that share the database; None: it cannot be shared."""
    bans: Bans = field(default_factory=Bans)
    bans_changed: asyncio.Event = field(default_factory=asyncio.Event)
    lines: dict[Line, tuple[Session, str, str]] = field(default_factory=dict)
    """Every open line: its table, whose it is, and from where."""
    answering: set[asyncio.Task[None]] = field(default_factory=set)
    """Messages that are being dealt with and may take their time."""
    draining: bool = False
    """The server goes: lines are being handed over, nobody new comes in."""

    @property
    def sockets(self) -> int:
        """How many lines are open."""
        return len(self.lines)

    async def not_ready(self) -> str | None:
        """Why nobody should be sent here just now; None: all is well."""
        if self.draining:
            return "server_goes"
        if not await self.store.answers():
            return "store_down"
        if self.exchange is not None and not self.exchange.wire.listening:
            return "not_listening"
        return None

    def cookie(self, person: str) -> Cookie:
        """The cookie that says who somebody is."""
        return Cookie(
            key=COOKIE,
            value=self.signer.person(person),
            max_age=YEAR,
            path="/",
            httponly=True,
            secure=self.settings.secure_cookies,
            samesite="lax",
        )


def hall_of(connection: Connection) -> Hall:
    """The hall that a request came into."""
    hall: Hall = connection.app.state.hall
    return hall


def address_of(connection: Connection) -> str:
    """Where a request comes from."""
    return connection.client.host if connection.client is not None else "unknown"


def check_origin(connection: Connection) -> None:
    """A browser says which page asks: it must be one of ours. Programs say nothing."""
    origin = connection.headers.get("origin")
    if origin is None:
        return
    if origin in hall_of(connection).settings.origins:
        return
    if urlsplit(origin).netloc != connection.headers.get("host", ""):
        raise WrongOrigin(refuse("wrong_origin").text, "origin")


def not_ready(why: str) -> NotReady:
    """The refusal of a server that cannot help just now."""
    says = {
        "server_goes": refuse("server_goes"),
        "store_down": refuse("store_down"),
        "not_listening": refuse("not_listening"),
    }
    return NotReady(says[why].text)


async def somebody(connection: Connection) -> PersonRow | None:
    """Who asks, by cookie; None if nobody knows."""
    token = connection.cookies.get(COOKIE)
    person = None if token is None else hall_of(connection).signer.read_person(token)
    if person is None:
        return None
    hall = hall_of(connection)
    now = hall.lobby.time.now()
    hall.bans.check(person, None, now)
    found = await hall.store.person(person)
    if found is not None and found.seen < now - SEEN_EVERY_MS:
        await hall.store.saw(person, now)
    return found


async def person_of(connection: Connection) -> PersonRow:
    """Who asks; refused if nobody knows."""
    found = await somebody(connection)
    if found is None:
        raise NoPerson(refuse("no_person").text)
    return found


async def before_request(request: Asking) -> None:
    """Every request is counted, and those that change something must come from our own pages."""
    path = request.url.path
    if path.startswith("/api/") and path not in ALWAYS:
        hall, address = hall_of(request), address_of(request)
        if hall.draining:
            raise not_ready("server_goes")
        hall.limits.check("requests", address)
        if not path.startswith("/api/operator/"):
            hall.bans.check(None, address, hall.lobby.time.now())
    if request.method not in ("GET", "HEAD", "OPTIONS"):
        check_origin(request)
