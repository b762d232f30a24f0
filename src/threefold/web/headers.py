"""Security headers on every HTTP answer."""

from litestar.enums import HttpMethod, ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
    " connect-src 'self'; manifest-src 'self'; worker-src 'self'; media-src 'self'; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
OPENER_POLICY = (b"cross-origin-opener-policy", b"same-origin")
"""Only for secure contexts: elsewhere browsers ignore it with a warning."""
NO_STORE = (b"cache-control", b"no-store")


def _is_secure(scope: HTTPScope) -> bool:
    """Is this a secure context for browsers: https, or the same machine?"""
    host = next((value for name, value in scope["headers"] if name == b"host"), b"")
    return scope["scheme"] == "https" or host.rpartition(b":")[0] in (b"127.0.0.1", b"localhost", b"[::1]")


def _is_api(scope: HTTPScope) -> bool:
    return scope["path"].startswith("/api/")


def with_headers(app: ASGIApp) -> ASGIApp:
    """Middleware that adds the headers; answers of the API are never cached.

    HEAD requests are handled as GET requests, and the body is dropped.
    """

    async def with_headers_added(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return

        added = [*HEADERS, *([OPENER_POLICY] if _is_secure(scope) else []), *([NO_STORE] if _is_api(scope) else [])]
        is_head = scope["method"] == "HEAD"

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                names = {name.lower() for name, _ in headers}
                message["headers"] = headers + [each for each in added if each[0] not in names]
            elif is_head and message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        await app({**scope, "method": HttpMethod.GET} if is_head else scope, receive, send_with_headers)

    return with_headers_added
