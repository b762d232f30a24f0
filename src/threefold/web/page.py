"""Serves the built browser page; without a build, a plain page with links."""

import json
import re
from pathlib import Path

from litestar import MediaType, Response, get
from litestar.exceptions import NotFoundException

from threefold import __version__
from threefold.web.previews import preview_tags
from threefold.web.root_path import on_this_site
from threefold.web.server import HttpRequest

HERE = Path(__file__).parent
STATIC = HERE / "static"
"""The built page: made when the package is built, not in the repository."""
PLAIN = HERE / "plain"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
}
COMPRESSED = {"br": ".br", "gzip": ".gz"}
"""Encoding -> suffix of the copies that the build writes, the smaller first."""
REPLAY_PATH = re.compile(r"/games/([0-9a-f]{24})/?")
TABLE_PATH = re.compile(r"/t/([^/]+)/?")
SEAT = re.compile(r"open|[0-9]{1,2}")
IMMUTABLE = "public, max-age=31536000, immutable"
"""For built files, whose names contain a hash of their content."""


def _file(path: Path, request: HttpRequest, *, cache: str = "no-cache") -> Response[bytes]:
    media_type = TYPES.get(path.suffix)
    if media_type is None or not path.is_file():
        raise NotFoundException
    headers = {"cache-control": cache, "vary": "accept-encoding"}
    accepted = request.headers.get("accept-encoding", "")
    for encoding, suffix in COMPRESSED.items():
        copy = path.with_name(path.name + suffix)
        if encoding in accepted and copy.is_file():
            headers["content-encoding"] = encoding
            return Response(copy.read_bytes(), media_type=media_type, headers=headers)
    return Response(path.read_bytes(), media_type=media_type, headers=headers)


def addresses() -> list[str]:
    """The addresses of the page's places, as routes. The build writes them from frontend/src/places.ts."""
    listed = STATIC / "places.json"
    paths: list[str] = json.loads(listed.read_text("utf-8")) if listed.is_file() else ["/"]
    return [re.sub(r":(\w+)", r"{\1:str}", path) for path in paths]


@get(addresses(), include_in_schema=False)
async def page(request: HttpRequest) -> Response[bytes]:
    """The single-page application; it picks its place by the address."""
    built = STATIC / "index.html"
    if not built.exists():
        return plain_page(request)
    root = on_this_site(request, "")
    table = TABLE_PATH.fullmatch(request.url.path)
    tags = "" if table is None else await preview_tags(request, table.group(1))
    answer = _changed(built, root, tags) if tags or root else _file(built, request)
    preload = _preload(request)
    if preload is not None:
        answer.headers["link"] = f"<{preload}>; rel=preload; as=fetch; crossorigin"
    return answer


def _changed(built: Path, root: str, tags: str) -> Response[bytes]:
    """The page with its addresses under the root path, and more tags in its head."""
    html = _under(root, built.read_text("utf-8")).replace("</head>", f"{tags}</head>", 1)
    headers = {"cache-control": "no-cache", "vary": "accept-language"}
    return Response(html.encode(), media_type=MediaType.HTML, headers=headers)


def _preload(request: HttpRequest) -> str | None:
    """The path of the page's first API request, which the browser fetches while the page still loads."""
    replay = REPLAY_PATH.fullmatch(request.url.path)
    seat = request.query_params.get("seat", "open")
    if replay is None or not SEAT.fullmatch(seat):
        return None
    return f"{on_this_site(request, '')}/api/games/{replay.group(1)}/replay?viewer={seat}"


def _under(root: str, html: str) -> str:
    """Moves the addresses in attributes, which begin with a slash, under the root path."""
    return html.replace('="/', f'="{root}/')


def plain_page(request: HttpRequest) -> Response[bytes]:
    """The plain page: what the server offers, in words and links."""
    html = (PLAIN / "start.html").read_text("utf-8").replace("{version}", __version__)
    html = _under(on_this_site(request, ""), html)
    return Response(html.encode(), media_type=MediaType.HTML, headers={"cache-control": "no-cache"})


@get("/plain", include_in_schema=False)
async def plain(request: HttpRequest) -> Response[bytes]:
    """The plain page, also if the built one exists."""
    return plain_page(request)


@get("/plain/{name:str}", include_in_schema=False)
async def plain_file(request: HttpRequest, name: str) -> Response[bytes]:
    """A file of the plain page."""
    return _file(PLAIN / Path(name).name, request)


@get("/assets/{name:path}", include_in_schema=False)
async def asset(request: HttpRequest, name: str) -> Response[bytes]:
    """A file of the built page."""
    return _file(_within(STATIC / "assets", name), request, cache=IMMUTABLE)


@get("/{name:str}", include_in_schema=False)
async def top_file(request: HttpRequest, name: str) -> Response[bytes]:
    """A file beside the built page: manifest, icons, service worker."""
    return _file(_within(STATIC, name), request)


def _within(folder: Path, name: str) -> Path:
    path = (folder / name.lstrip("/")).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise NotFoundException
    return path


ROUTES = [page, plain, plain_file, asset, top_file]
