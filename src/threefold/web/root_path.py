"""The path under which a proxy shows the server, on a site that also has other things: `--root-path /cards`."""

import re

from litestar.types import ASGIApp, Receive, Scope, Send

from threefold.web.server import HttpRequest, server_of

VALID = re.compile(r"(/[A-Za-z0-9._~-]+)*")


class BadRootPath(ValueError):
    """The root path is no path."""


def read_root_path(text: str) -> str:
    """A root path as it is used: it begins with a slash and ends with none; empty for a site of its own."""
    path = "/" + text.strip("/") if text.strip("/") else ""
    if not VALID.fullmatch(path):
        raise BadRootPath(f"{text!r} is no path. Give the root path as letters, digits and hyphens: /cards")
    return path


def with_root_path(app: ASGIApp, root: str) -> ASGIApp:
    """Middleware that removes the root path from requests, for proxies that pass it on; others have removed it."""
    if not root:
        return app

    async def without_root(scope: Scope, receive: Receive, send: Send) -> None:
        if str(scope["type"]) != "lifespan" and f"{scope['path']}/".startswith(f"{root}/"):
            raw = scope.get("raw_path", b"").removeprefix(root.encode())
            scope = {**scope, "path": scope["path"].removeprefix(root) or "/", "raw_path": raw or b"/"}  # type: ignore[assignment]
        await app(scope, receive, send)

    return without_root


def on_this_site(request: HttpRequest, path: str) -> str:
    """The path of one of the server's addresses as browsers see it."""
    return server_of(request).settings.root_path + path


def whole_address(request: HttpRequest, path: str) -> str:
    """The whole address, for links that people pass on."""
    return f"{request.url.scheme}://{request.headers.get('host', 'localhost')}{on_this_site(request, path)}"
