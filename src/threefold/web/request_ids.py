"""Request ids, in every answer and every log line of a request."""

import re
import secrets
import time

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

VALID_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_log = structlog.get_logger("threefold.web")


def with_request_ids(app: ASGIApp) -> ASGIApp:
    """Middleware that gives every request an id (the proxy's, if it sends one) and logs the request.

    The log contains the pattern of the path, not the path itself, which may contain a token.
    """

    async def with_id(scope: Scope, receive: Receive, send: Send) -> None:
        if str(scope["type"]) == "lifespan":
            await app(scope, receive, send)
            return
        proxy_id = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
        request_id = proxy_id if VALID_ID.fullmatch(proxy_id) else secrets.token_hex(8).encode()
        began, status = time.perf_counter(), 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", []), (b"x-request-id", request_id)]
            await send(message)

        with structlog.contextvars.bound_contextvars(request=request_id.decode()):
            await app(scope, receive, send_with_id)
            if scope["type"] == ScopeType.HTTP:
                log = _log.warning if status >= 500 else _log.debug
                pattern = scope.get("path_template", "")
                milliseconds = round(1000 * (time.perf_counter() - began), 1)
                log("request", method=scope["method"], path=pattern, status=status, ms=milliseconds)

    return with_id
