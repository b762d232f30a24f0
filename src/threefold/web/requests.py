"""Every request has a name, in its answer and in every note about it; what it asked for is noted as a pattern."""

import re
import secrets
import time

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

GIVEN = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_log = structlog.get_logger("threefold.web")


def with_request_ids(app: ASGIApp) -> ASGIApp:
    """The app, with a name for every request: the proxy's, if it gives one."""

    async def named(scope: Scope, receive: Receive, send: Send) -> None:
        if str(scope["type"]) == "lifespan":
            await app(scope, receive, send)
            return
        given = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
        request = given if GIVEN.fullmatch(given) else secrets.token_hex(8).encode()
        began, status = time.perf_counter(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", []), (b"x-request-id", request)]
            await send(message)

        with structlog.contextvars.bound_contextvars(request=request.decode()):
            await app(scope, receive, sending)
            if scope["type"] == ScopeType.HTTP:
                note = _log.warning if status >= 500 else _log.debug
                asked = scope.get("path_template", "")
                milliseconds = round(1000 * (time.perf_counter() - began), 1)
                note("request", method=scope["method"], path=asked, status=status, ms=milliseconds)

    return named
