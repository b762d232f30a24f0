"""HTTP routes for designed cards: the available powers, and a design as code, JSON and rules text.

The cards are those of the first game that has designed cards.
"""

from typing import Annotated

import msgspec
from litestar import get, post

from threefold.facts import PageType
from threefold.game import Json
from threefold.kit import Designs
from threefold.live.refusals import not_found
from threefold.web.problems import error_responses
from threefold.web.server import HttpRequest, server_of

ShownPower = Annotated[dict[str, Json], PageType("PowerOffered")]
ShownDesign = Annotated[dict[str, Json], PageType("CardDesign")]


class DesignGiven(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A designed card."""

    design: ShownDesign


class DesignShown(msgspec.Struct, kw_only=True):
    """A designed card with its share code, its mark on the pile, and its rules in sentences."""

    code: str
    design: ShownDesign
    mark: str
    words: list[str]


@get("/api/designs", tags=["designs"], responses=error_responses())
async def powers(request: HttpRequest) -> list[ShownPower]:
    """All powers that a designed card can have, with their limits."""
    return [dict(each) for each in _designs(request).powers()]


@post("/api/designs", tags=["designs"], responses=error_responses(403), status_code=200)
async def check_design(request: HttpRequest, data: DesignGiven) -> DesignShown:
    """Checks a design and returns its share code and its rules."""
    return DesignShown(**_designs(request).from_json(data.design))


@get("/api/designs/{code:str}", tags=["designs"], responses=error_responses(404))
async def read_design(request: HttpRequest, code: str) -> DesignShown:
    """The card behind a share code."""
    return DesignShown(**_designs(request).from_code(code))


def _designs(request: HttpRequest) -> Designs:
    offered = server_of(request).kits.offering(lambda kit: kit.designs)
    if offered is None:
        raise not_found("no_such_page", given=request.url.path)
    return offered[1]


ROUTES = [powers, check_design, read_design]
