"""Previews of table links: Open Graph tags for the page's head, and the picture they name.

They tell the game, the host's name and the seats, and nothing else. The picture's address holds just that, signed: it
names no code, works for no other words, and may be cached.
"""

import asyncio
import re
from functools import lru_cache
from html import escape

import msgspec
from litestar import Response, get
from litestar.exceptions import NotFoundException

from threefold.game import Refusal
from threefold.live.session import Session
from threefold.live.store import StoreDown
from threefold.texts import LANGUAGES, Text, say
from threefold.web.guards import find_table
from threefold.web.identity import address_of
from threefold.web.preview_picture import SIZE, picture
from threefold.web.root_path import whole_address
from threefold.web.server import HttpRequest, server_of

CACHE = "public, max-age=604800, immutable"
HOST = re.compile(r"[A-Za-z0-9.\-]{1,253}(:[0-9]{1,5})?|\[[0-9a-fA-F:.]{2,45}\](:[0-9]{1,5})?")
PICTURES_KEPT = 64


class Preview(msgspec.Struct, frozen=True, array_like=True):
    """The content of a preview."""

    game: str
    host: str
    seated: int
    seats: int


def preview_of(session: Session) -> Preview:
    """The preview of a table as it is now."""
    s = session.state
    return Preview(s.game, s.guests[s.host].name, sum(not each.free for each in s.seats), len(s.seats))


async def preview_tags(request: HttpRequest, code: str) -> str:
    """The tags for a table's address as HTML; empty if there is no such table, or it cannot be looked up now."""
    try:
        preview = preview_of(await find_table(request, code))
    except (Refusal, StoreDown):
        return ""
    language = _language(request.headers.get("accept-language", ""))
    game = say(Text(f"page.game.{preview.game}"), language=language)
    title = say(Text("page.invited.title", {"name": preview.host, "game": game}), language=language)
    seats = say(Text("page.invited.seated", {"n": preview.seated, "most": preview.seats}), language=language)
    tags = {
        "og:type": "website",
        "og:site_name": "Threefold",
        "og:title": title,
        "og:description": seats,
        **_picture_tags(request, preview, game),
        "twitter:card": "summary_large_image",
    }
    return "".join(f'<meta property="{name}" content="{escape(value)}" />' for name, value in tags.items())


def _picture_tags(request: HttpRequest, preview: Preview, game: str) -> dict[str, str]:
    """Tags with the absolute address of the picture; none if the Host header is not plausible."""
    host = request.headers.get("host", "")
    if not HOST.fullmatch(host):
        return {}
    token = server_of(request).signer.preview(msgspec.to_builtins(preview))
    return {
        "og:image": whole_address(request, f"/preview/{token}.png"),
        "og:image:type": "image/png",
        "og:image:width": str(SIZE[0]),
        "og:image:height": str(SIZE[1]),
        "og:image:alt": game,
    }


def _language(accepted: str) -> str:
    """The first language of an Accept-Language header with a catalogue."""
    wanted = (each.strip()[:2].lower() for each in accepted.split(","))
    return next((each for each in wanted if each in LANGUAGES), next(iter(LANGUAGES)))


@lru_cache(PICTURES_KEPT)
def _drawn(preview: Preview) -> bytes:
    name = say(Text(f"page.game.{preview.game}"))
    return picture(name, preview.host, preview.seated, preview.seats)


@get("/preview/{name:str}", include_in_schema=False)
async def preview_picture(request: HttpRequest, name: str) -> Response[bytes]:
    """The picture of a table link."""
    server = server_of(request)
    content = server.signer.read_preview(name.removesuffix(".png")) if name.endswith(".png") else None
    if content is None:
        raise NotFoundException
    server.limits.check("previews", address_of(request))
    drawn = await asyncio.to_thread(_drawn, msgspec.convert(content, Preview))
    headers = {"cache-control": CACHE, "cross-origin-resource-policy": "cross-origin"}
    return Response(drawn, media_type="image/png", headers=headers)


ROUTES = [preview_picture]
