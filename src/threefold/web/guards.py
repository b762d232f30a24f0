"""Checks before a request is handled: shutdown, rate limit, bans, origin, operator token."""

import hmac
import ipaddress
from urllib.parse import urlsplit

from threefold.live.refusals import NotAllowed, refuse
from threefold.web.identity import address_of
from threefold.web.server import AsgiConnection, HttpRequest, server_of

HEALTH_CHECKS = ("/api/health", "/api/ready")
"""Monitoring may always ask these, without a rate limit."""
PROXY_HEADERS = ("x-forwarded-for", "forwarded", "x-real-ip", "via")


class WrongOrigin(NotAllowed):
    """A page of another site sent the request."""


class NotOperator(NotAllowed):
    """The request does not carry the operator's token."""


async def check_request(request: HttpRequest) -> None:
    """Runs before every HTTP request; requests that change something must come from this site's own pages."""
    path = request.url.path
    if path.startswith("/api/") and path not in HEALTH_CHECKS:
        server, address = server_of(request), address_of(request)
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
    if urlsplit(origin).netloc != connection.headers.get("host", ""):
        raise WrongOrigin(refuse("wrong_origin").text, "origin")


def check_operator(connection: AsgiConnection) -> None:
    """Refuses requests without the operator's token. A rate limit on failed attempts prevents guessing."""
    server = server_of(connection)
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    expected = server.keys.operator_token
    if scheme.lower() == "bearer" and hmac.compare_digest(token.strip().encode(), expected.encode()):
        return
    server.limits.check("guesses", address_of(connection))
    raise NotOperator(refuse("not_operator").text)


def is_local(request: HttpRequest) -> bool:
    """Does the request come from this machine, directly and not through a proxy?"""
    try:
        is_loopback = ipaddress.ip_address(address_of(request)).is_loopback
    except ValueError:
        return False
    if server_of(request).settings.proxied:
        return False
    return is_loopback and not any(name in request.headers for name in PROXY_HEADERS)
