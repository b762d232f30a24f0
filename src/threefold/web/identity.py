"""The sender of a request: the client's address, and the person that the signed cookie names."""

from litestar.datastructures import Cookie

from threefold.live.refusals import NotAllowed, refuse
from threefold.live.store import PersonRow
from threefold.web.server import AsgiConnection, Server, server_of

COOKIE = "threefold"
COOKIE_MAX_AGE_S = 365 * 86_400
LAST_SEEN_EVERY_MS = 600_000
"""Minimum time between two updates of a person's last visit."""


class NoPerson(NotAllowed):
    """The request has no cookie of a known person."""


def address_of(connection: AsgiConnection) -> str:
    """The client's network address."""
    return connection.client.host if connection.client is not None else "unknown"


def person_cookie(server: Server, person: str) -> Cookie:
    """The signed cookie that identifies a person."""
    return Cookie(
        key=COOKIE,
        value=server.signer.person(person),
        max_age=COOKIE_MAX_AGE_S,
        path=server.settings.root_path or "/",
        httponly=True,
        secure=server.settings.secure_cookies,
        samesite="lax",
    )


def cleared_cookie(server: Server) -> Cookie:
    """Deletes the cookie in the browser."""
    path = server.settings.root_path or "/"
    return Cookie(key=COOKIE, value="", max_age=0, path=path, httponly=True, samesite="lax")


async def find_person(connection: AsgiConnection) -> PersonRow | None:
    """The person that the cookie names; None without a valid cookie. Refuses banned people."""
    server = server_of(connection)
    token = connection.cookies.get(COOKIE)
    person = None if token is None else server.signer.read_person(token)
    if person is None:
        return None
    now = server.lobby.clock.now()
    server.bans.check(person, None, now)
    row = await server.store.person(person)
    if row is not None and row.seen < now - LAST_SEEN_EVERY_MS:
        await server.store.saw(person, now)
    return row


async def require_person(connection: AsgiConnection) -> PersonRow:
    """The person that the cookie names; refuses requests without a valid cookie."""
    person = await find_person(connection)
    if person is None:
        raise NoPerson(refuse("no_person").text)
    return person
