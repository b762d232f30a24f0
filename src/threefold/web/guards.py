"""Checks before a request is handled: shutdown, rate limit, bans, origin, operator token."""

import hmac
import ipaddress
from urllib.parse import unquote, urlsplit

from threefold.live.refusals import NotAllowed, NotFound, refuse
from threefold.live.session import Session
from threefold.web.identity import address_of
from threefold.web.server import AsgiConnection, HttpRequest, server_of

HEALTH_CHECKS = ("/api/health", "/api/ready")
"""Monitoring may always ask these, without a rate limit."""
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
PROXY_HEADERS = ("x-forwarded-for", "forwarded", "x-real-ip", "via")


class WrongOrigin(NotAllowed):
    """A page of another site sent the request."""


class NotOperator(NotAllowed):
    """The request does not carry the operator's token."""


async def check_request(request: HttpRequest) -> None:
    """Runs before every HTTP request; requests that change something must come from this site's own pages."""
    path = request.url.path
    server, address = server_of(request), address_of(request)
    if "\0" in unquote(path):
        raise refuse("bad_field", field="path", given="a path without %00")
    if not path.startswith("/api/"):
        server.limits.check("files", address)
    elif path not in HEALTH_CHECKS:
        server.check_not_draining()
        server.limits.check("requests", address)
        if not path.startswith("/api/operator/"):
            server.bans.check(None, address, server.lobby.clock.now())
    if request.method not in ("GET", "HEAD", "OPTIONS"):
        check_origin(request)


def check_origin(connection: AsgiConnection) -> None:
    """Refuses pages of other sites, by the Origin header that every browser sends. Programs send none."""
    origin = connection.headers.get("origin")
    if origin is None:
        return
    if origin in server_of(connection).settings.origins:
        return
    try:
        site = urlsplit(origin).netloc
    except ValueError:
        raise refuse("bad_field", field="origin", given="the address of a site") from None
    if site != connection.headers.get("host", ""):
        raise WrongOrigin(refuse("wrong_origin").text, "origin")


def check_operator(connection: AsgiConnection) -> None:
    """Refuses requests without the operator's token. After too many wrong ones from an address, none is compared."""
    server = server_of(connection)
    server.limits.check_left("guesses", address_of(connection))
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    expected = server.keys.operator_token
    if scheme.lower() == "bearer" and hmac.compare_digest(token.strip().encode(), expected.encode()):
        return
    server.limits.check("guesses", address_of(connection))
    raise NotOperator(refuse("not_operator").text)


async def find_table(connection: AsgiConnection, code: str) -> Session:
    """The table with this code. A rate limit on codes that do not exist prevents guessing, on every route."""
    server, address = server_of(connection), address_of(connection)
    server.limits.check_left("codes", address)
    try:
        return await server.lobby.session(code)
    except NotFound:
        server.limits.check("codes", address)
        raise


def is_local(request: HttpRequest) -> bool:
    """Does the request come from this machine, directly and not through a proxy?

    The host must be this machine's own name as well: a page of another site whose name was pointed here has another.
    """
    try:
        is_loopback = ipaddress.ip_address(address_of(request)).is_loopback
    except ValueError:
        return False
    if server_of(request).settings.proxied:
        return False
    host = request.headers.get("host", "").lower()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return is_loopback and name in LOCAL_HOSTS and not any(name in request.headers for name in PROXY_HEADERS)
