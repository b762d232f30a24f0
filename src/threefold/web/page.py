"""The page. Where the built one is missing, a plain one says what is here and how to use it."""

import re
from pathlib import Path

from litestar import MediaType, Response, get
from litestar.exceptions import NotFoundException

from threefold import __version__
from threefold.web.hall import Asking

HERE = Path(__file__).parent
STATIC = HERE / "static"
"""The built page; made when the package is built, not kept in the repository."""
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
REPLAY = re.compile(r"/games/([0-9a-f]{24})/?")
SEAT = re.compile(r"open|[0-9]{1,2}")
FOR_EVER = "public, max-age=31536000, immutable"
"""Built files have their content's hash in their name."""


def _file(path: Path, request: Asking, *, cache: str = "no-cache") -> Response[bytes]:
    kind = TYPES.get(path.suffix)
    if kind is None or not path.is_file():
        raise NotFoundException
    headers = {"cache-control": cache, "vary": "accept-encoding"}
    smaller = path.with_name(path.name + ".gz")
    if smaller.is_file() and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(smaller.read_bytes(), media_type=kind, headers={**headers, "content-encoding": "gzip"})
    return Response(path.read_bytes(), media_type=kind, headers=headers)


@get(
    [
        "/", "/t/{code:str}", "/transfer/{token:str}", "/play/{rest:path}", "/daily", "/daily/{rest:path}", "/practice",
        "/learn/{rest:path}", "/rules/{rest:path}", "/games/{rest:path}", "/me", "/operator",
    ],
    include_in_schema=False,
)  # fmt: skip
async def page(request: Asking, code: str = "", token: str = "", rest: str = "") -> Response[bytes]:
    """The one page there is; it finds out by its address what to show."""
    built = STATIC / "index.html"
    if not built.exists():
        return plain_page()
    answer = _file(built, request)
    wanted = _needed_soon(request)
    if wanted is not None:
        answer.headers["link"] = f"<{wanted}>; rel=preload; as=fetch; crossorigin"
    return answer


def _needed_soon(request: Asking) -> str | None:
    """What the page will ask for first; a browser that knows it early fetches it while it loads the page."""
    found = REPLAY.fullmatch(request.url.path)
    seat = request.query_params.get("seat", "open")
    if found is None or not SEAT.fullmatch(seat):
        return None
    return f"/api/games/{found.group(1)}/replay?viewer={seat}"


def plain_page() -> Response[bytes]:
    """What is here, in words and links."""
    words = (PLAIN / "start.html").read_text("utf-8").replace("{version}", __version__)
    return Response(words.encode(), media_type=MediaType.HTML, headers={"cache-control": "no-cache"})


@get("/plain", include_in_schema=False)
async def plain() -> Response[bytes]:
    """The plain page, also where there is a better one."""
    return plain_page()


@get("/plain/{name:str}", include_in_schema=False)
async def plain_file(request: Asking, name: str) -> Response[bytes]:
    """What the plain page needs."""
    return _file(PLAIN / Path(name).name, request)


@get("/assets/{name:path}", include_in_schema=False)
async def asset(request: Asking, name: str) -> Response[bytes]:
    """A file of the built page."""
    return _file(_within(STATIC / "assets", name), request, cache=FOR_EVER)


@get("/{name:str}", include_in_schema=False)
async def top_file(request: Asking, name: str) -> Response[bytes]:
    """A file beside the built page: manifest, icons, service worker."""
    return _file(_within(STATIC, name), request)


def _within(folder: Path, name: str) -> Path:
    path = (folder / name.lstrip("/")).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise NotFoundException
    return path


ROUTES = [page, plain, plain_file, asset, top_file]
