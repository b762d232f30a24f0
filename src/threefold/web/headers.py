"""What every answer says to browsers: load nothing from elsewhere, show it in no frame, guess no types."""

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
ALONE = (b"cross-origin-opener-policy", b"same-origin")
"""Browsers heed it only where nobody can listen in, and complain elsewhere."""
NOT_KEPT = (b"cache-control", b"no-store")


def _is_private(scope: HTTPScope) -> bool:
    """Whether nobody between browser and server can listen in: https, or the same machine."""
    host = next((value for name, value in scope["headers"] if name == b"host"), b"")
    return scope["scheme"] == "https" or host.rpartition(b":")[0] in (b"127.0.0.1", b"localhost", b"[::1]")


def _is_api(scope: HTTPScope) -> bool:
    return scope["path"].startswith("/api/")


def with_headers(app: ASGIApp) -> ASGIApp:
    """The app, with these headers on every answer; what the interface answers is not kept by anybody.

    Who asks for the head alone (HEAD) gets that of the whole answer.
    """

    async def answering(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return

        wanted = [*HEADERS, *([ALONE] if _is_private(scope) else []), *([NOT_KEPT] if _is_api(scope) else [])]
        head_alone = scope["method"] == "HEAD"

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = list(message.get("headers", []))
                names = {name.lower() for name, _ in given}
                message["headers"] = given + [each for each in wanted if each[0] not in names]
            elif head_alone and message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        await app({**scope, "method": HttpMethod.GET} if head_alone else scope, receive, sending)

    return answering
