"""Hall: what every request needs: the lobby, who signs, what is limited; and who it is that asks."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, State

from threefold.live.exchange import Exchange
from threefold.live.identity import Signer
from threefold.live.lobby import Lobby
from threefold.live.refusals import NotAllowed, refuse
from threefold.live.store import PersonRow
from threefold.web.limits import Limits
from threefold.web.settings import ServerSettings

COOKIE = "threefold"
YEAR = 365 * 86_400
NOBODY = Cookie(key=COOKIE, value="", max_age=0, path="/", httponly=True, samesite="lax")
"""Takes the cookie back."""

Asking = Request[Any, Any, State]
Connection = ASGIConnection[Any, Any, Any, State]


class NoPerson(NotAllowed):
    """Nobody knows who asks."""


class WrongOrigin(NotAllowed):
    """A page of another site asks."""


@dataclass(slots=True)
class Hall:
    """All that the server holds."""

    settings: ServerSettings
    lobby: Lobby
    signer: Signer
    limits: Limits
    exchange: Exchange | None = None
    """The other processes that share the database; None: it cannot be shared."""

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


async def somebody(connection: Connection) -> PersonRow | None:
    """Who asks, by cookie; None if nobody knows."""
    token = connection.cookies.get(COOKIE)
    person = None if token is None else hall_of(connection).signer.read_person(token)
    return None if person is None else await hall_of(connection).lobby.store.person(person)


async def person_of(connection: Connection) -> PersonRow:
    """Who asks; refused if nobody knows."""
    found = await somebody(connection)
    if found is None:
        raise NoPerson(refuse("no_person").text)
    return found


async def before_request(request: Asking) -> None:
    """Every request is counted, and those that change something must come from our own pages."""
    if request.url.path.startswith("/api/"):
        hall_of(request).limits.check("requests", address_of(request))
    if request.method not in ("GET", "HEAD", "OPTIONS"):
        check_origin(request)
